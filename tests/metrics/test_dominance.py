"""Whether one curve encloses another, and where they cross."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.metrics import RankedScores, RocCurve, dominance


def ranked(y, score, **kwargs):
    return RankedScores.from_predictions(y, score, **kwargs)


def roc(y, score):
    return ranked(y, score).roc_curve()


def points(*pairs):
    """A ROC curve through given points."""
    fpr, tpr = np.array(pairs, dtype=float).T
    return RocCurve(fpr, tpr, np.arange(len(fpr), 0.0, -1.0))


def test_a_better_ranking_encloses_a_worse_one():
    y = [1, 1, 0, 0]
    better, worse = roc(y, [4, 3, 2, 1]), roc(y, [4, 2, 3, 1])
    assert dominance(better, worse).winner == "a"
    assert dominance(worse, better).winner == "b"
    assert dominance(better, worse).crossings.shape == (0, 2)


def test_the_same_curve_is_equal_whatever_the_scores():
    y, score = [1, 0, 1, 0, 0], np.array([0.9, 0.7, 0.7, 0.3, 0.1])
    result = dominance(roc(y, score), roc(y, 10 * score - 3))
    assert result.winner == "equal"
    assert result.crossings.shape == (0, 2)


def test_points_on_a_line_change_nothing():
    through = points((0, 0), (0.25, 0.5), (0.5, 0.75), (0.75, 0.875), (1, 1))
    assert dominance(through, points((0, 0), (0.25, 0.5), (0.5, 0.75), (1, 1))).winner == "equal"


def test_a_curve_that_touches_another_does_not_cross_it():
    above = points((0, 0), (0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1))
    result = dominance(above, points((0, 0), (0.5, 0.5), (1, 1)))
    assert (result.winner, len(result.crossings)) == ("a", 0)


def test_two_lines_cross_where_their_equations_say():
    # y = 1/2 + x / 2 and y = 3 x: x = 1/5, y = 3/5.
    result = dominance(points((0, 0), (0, 0.5), (1, 1)), points((0, 0), (1 / 3, 1), (1, 1)))
    assert result.winner is None
    np.testing.assert_allclose(result.crossings, [[0.2, 0.6]], atol=1e-15)


def test_steps_cross_within_a_step():
    # A rises from (0.25, 0.25) to (0.25, 0.75), B runs level at 0.5.
    a = points((0, 0), (0, 0.25), (0.25, 0.25), (0.25, 0.75), (1, 0.75), (1, 1))
    b = points((0, 0), (0, 0.5), (0.75, 0.5), (0.75, 1), (1, 1))
    result = dominance(a, b)
    np.testing.assert_allclose(result.crossings, [[0.25, 0.5], [0.75, 0.75]], atol=1e-15)
    assert result.winner is None


def test_curves_that_run_together_between_cross_where_they_meet():
    a = points((0, 0), (0, 0.5), (0.5, 0.5), (0.75, 0.5), (1, 1))
    b = points((0, 0), (0.25, 0.5), (0.5, 0.5), (0.75, 0.75), (1, 1))
    np.testing.assert_allclose(dominance(a, b).crossings, [[0.25, 0.5]], atol=1e-15)


LABELED = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=14
)


def two_models(rows):
    y, first, second = np.array([(1, 4, 1), (0, 1, 4), *rows]).T
    return ranked(y, first), ranked(y, second)


def height(curve, x):
    """Height of a ROC curve at a place where it does not jump, by fractions."""
    fpr, tpr = (list(map(Fraction, values)) for values in (curve.fpr, curve.tpr))
    for left in range(len(fpr) - 1):
        if fpr[left] < x < fpr[left + 1]:
            return tpr[left] + (tpr[left + 1] - tpr[left]) * (x - fpr[left]) / (fpr[left + 1] - fpr[left])
    raise AssertionError(f"{x} is a place where the curve jumps")


@settings(deadline=None, max_examples=80)
@given(rows=LABELED)
def test_the_winner_is_nowhere_below(rows):
    a, b = (model.roc_curve() for model in two_models(rows))
    result = dominance(a, b)
    # Between the vertices and the crossings nothing changes: their midpoints tell all.
    places = np.unique([*a.fpr, *b.fpr, *result.crossings[:, 0]]).astype(float)
    midpoints = [(Fraction(x) + Fraction(z)) / 2 for x, z in pairwise(places)]
    lead = [float(height(a, x) - height(b, x)) for x in midpoints]
    lead = [0.0 if abs(gap) < 1e-9 else gap for gap in lead]
    ahead, behind = any(gap > 0 for gap in lead), any(gap < 0 for gap in lead)
    assert result.winner == {(1, 0): "a", (0, 1): "b", (0, 0): "equal", (1, 1): None}[ahead, behind]
    signs = [np.sign(gap) for gap in lead if gap]
    changes = sum(one != other for one, other in pairwise(signs))
    assert len(result.crossings) == changes
    mirrored = dominance(b, a)
    assert mirrored.winner == {"a": "b", "b": "a"}.get(result.winner, result.winner)
    np.testing.assert_allclose(mirrored.crossings, result.crossings, atol=1e-12)


@settings(deadline=None, max_examples=80)
@given(rows=LABELED)
def test_on_one_data_set_both_kinds_of_curve_give_the_same_winner(rows):
    # Davis & Goadrich 2006, theorem 3.2.
    a, b = two_models(rows)
    by_roc, by_pr = dominance(a.roc_curve(), b.roc_curve()), dominance(a.pr_curve(), b.pr_curve())
    assert by_roc.winner == by_pr.winner
    assert len(by_roc.crossings) == len(by_pr.crossings)
    # A crossing is one pair of counts: recall is the true positive rate, precision follows.
    negatives_per_positive = a.n_negative / a.n_positive
    fpr, tpr = by_roc.crossings.T
    expected = np.column_stack([tpr, tpr / (tpr + negatives_per_positive * fpr)])
    np.testing.assert_allclose(by_pr.crossings, expected, atol=1e-9)


def test_precision_recall_curves_of_other_class_shares_compare_by_precision():
    y, score = [1, 1, 0, 0], [4, 2, 3, 1]
    rare = ranked(y, score, sample_weight=[1, 1, 10, 10])
    assert dominance(ranked(y, score).pr_curve(), rare.pr_curve()).winner == "a"
    assert dominance(ranked(y, score).roc_curve(), rare.roc_curve()).winner == "equal"
    # The same precision up to full recall, more negatives behind it.
    more = ranked([*y, 0, 0], [*score, 0, -1])
    assert dominance(ranked(y, score).pr_curve(), more.pr_curve()).winner == "equal"


def test_precision_recall_curves_cross_on_their_hyperbolas():
    # A: 1 positive, then 2 negatives and 1 positive tied; B: all four tied after nothing.
    a = ranked([1, 1, 0, 0], [4, 1, 3, 2])
    b = ranked([1, 1, 0, 0], [2, 2, 3, 1])
    result = dominance(a.pr_curve(), b.pr_curve())
    # At recall 1/2 model A has precision 1, then 1/3; model B reaches it within its tie at precision 1/2
    # (one negative, one positive).
    np.testing.assert_allclose(result.crossings, [[0.5, 0.5]], atol=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        (roc([0, 1], [1, 2]), ranked([0, 1], [1, 2]).pr_curve(), "got RocCurve and PrCurve"),
        (ranked([0, 1], [1, 2]), ranked([0, 1], [1, 2]), "got RankedScores and RankedScores"),
    ],
)
def test_only_two_curves_of_one_kind_compare(a, b, told):
    with pytest.raises(TypeError, match=told):
        dominance(a, b)


@pytest.mark.filterwarnings("ignore::skeval.exceptions.UndefinedMeasureWarning")
@pytest.mark.parametrize("kind", ["roc_curve", "pr_curve"])
def test_a_curve_of_one_class_is_refused(kind):
    both, one = ranked([0, 1], [1, 2]), ranked([0, 0], [1, 2])
    with pytest.raises(ValueError, match="needs curves of both classes"):
        dominance(getattr(both, kind)(), getattr(one, kind)())
