"""What every test here has in common."""

import sys

import pytest


def pytest_collection_modifyitems(items):
    """Entries draw few replicates on purpose: being told so is no error here."""
    for item in items:
        if "common" in item.path.parts:
            item.add_marker(pytest.mark.filterwarnings("ignore::skeval.exceptions.ResamplingWarning"))


@pytest.fixture(autouse=True)
def _close_figures():
    """Figures that a test leaves open are closed."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
