"""Confusion matrices that several tests take."""

from hypothesis import strategies as st

from skeval.metrics import ConfusionMatrix

THREE = [[40, 6, 4], [5, 20, 5], [3, 2, 15]]
LABELS = st.integers(0, 3)
PAIRS = st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=25)


def matrix_of(pairs, **kwargs):
    y_true, y_pred = zip(*pairs, strict=True)
    return ConfusionMatrix.from_predictions(y_true, y_pred, **kwargs)


def same(a, b):
    """Equal bit for bit: cells, dtype, labels and what the labels came from."""
    return a == b and a.counts.dtype == b.counts.dtype and a._labels_seen == b._labels_seen
