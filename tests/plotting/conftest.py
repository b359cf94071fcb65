"""Figures are drawn off screen and closed after each test."""

import itertools

import matplotlib
import pytest

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.text import Text


@pytest.fixture(autouse=True)
def _close_figures():
    plt.close("all")
    yield
    plt.close("all")


def _visible_texts(figure):
    figure.canvas.draw()
    return [
        text
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and _is_drawn(text)
    ]


def _is_drawn(text):
    """Tick labels of axes that are switched off exist, but nobody sees them."""
    return text.axes is None or text.axes.axison or text in text.axes.texts


@pytest.fixture
def check_texts():
    """Return a check that no text leaves its figure or overlaps another."""

    def check(figure):
        texts = _visible_texts(figure)
        boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
        width, height = figure.bbox.width, figure.bbox.height
        for words, box in boxes:
            inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height
            assert inside, f"{words!r} leaves the figure"
        for (words, box), (other, other_box) in itertools.combinations(boxes, 2):
            assert not box.overlaps(other_box), f"{words!r} overlaps {other!r}"
        return [words for words, _ in boxes]

    return check
