"""Words in pictures: fonts that have their characters."""

import matplotlib
import pytest
from matplotlib import font_manager

from skeval.plotting import _text

CUNEIFORM = "\U00012000"


@pytest.fixture
def one_font(monkeypatch):
    """A machine that has the font of matplotlib alone."""
    entries = [entry for entry in font_manager.fontManager.ttflist if entry.name == "DejaVu Sans"]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", entries)
    _text._fallback.cache_clear()
    yield
    _text._fallback.cache_clear()


def test_characters_that_no_font_has_ask_for_no_other_font(one_font):
    assert (
        _text.font_families(["abc"]) == _text.font_families([CUNEIFORM]) == matplotlib.rcParams["font.family"]
    )
