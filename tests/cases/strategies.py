"""Inputs that several kinds share."""

from hypothesis import settings
from hypothesis import strategies as st

SOME = settings(deadline=None, max_examples=40)
FEW = settings(deadline=None, max_examples=12)

hundredths = st.integers(0, 100).map(lambda number: number / 100)
names = st.text("abcxyz", min_size=1, max_size=3)


@st.composite
def binary(draw, min_size=2, max_size=30, both=True):
    """Return a list of 0 and 1, with both unless told otherwise."""
    found = draw(st.lists(st.integers(0, 1), min_size=min_size, max_size=max_size))
    return [0, 1, *found[2:]] if both else found


@st.composite
def binary_with_scores(draw, min_size=4, max_size=30):
    """Return labels of both classes and as many scores, many of them tied."""
    y = draw(binary(min_size, max_size))
    scores = draw(st.lists(st.integers(0, 16), min_size=len(y), max_size=len(y)))
    return y, [score / 16 for score in scores]
