"""P-values adjusted for several comparisons."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.comparison import adjust_pvalues
from tests.reference import load

CONTROL = load("01_demsar2006.json")["expected"]["paper_ranks"]["control_C4.5"]
METHODS = ("bonferroni", "holm", "hochberg", "benjamini-hochberg")
pvalues = st.lists(st.floats(0, 1), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("method", "column"),
    [
        ("bonferroni", "bonferroni_dunn"),
        ("holm", "holm"),
        ("hochberg", "hochberg"),
        ("benjamini-hochberg", "bh_fdr"),
    ],
)
def test_equals_p_adjust_of_r(method, column):
    assert adjust_pvalues(CONTROL["p"], method=method) == pytest.approx(CONTROL[column], rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None, max_examples=50)
@given(p=pvalues)
def test_adjusted_values_keep_the_order_and_lie_between_p_and_one(method, p):
    adjusted = adjust_pvalues(p, method=method)
    assert ((np.array(p) <= adjusted) & (adjusted <= 1)).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


@settings(deadline=None, max_examples=50)
@given(p=pvalues)
def test_holm_is_between_hochberg_and_bonferroni(p):
    bonferroni, holm, hochberg, fdr = (adjust_pvalues(p, method=method) for method in METHODS)
    assert (holm <= bonferroni).all()
    assert (hochberg <= holm * (1 + 1e-12)).all()
    assert (fdr <= hochberg * (1 + 1e-12)).all()


@pytest.mark.parametrize("method", METHODS)
def test_order_of_the_input_does_not_matter(method):
    p = np.array([0.04, 0.001, 0.04, 0.3, 0.02])
    turned = adjust_pvalues(p[::-1], method=method)[::-1]
    assert adjust_pvalues(p, method=method) == pytest.approx(turned)


@pytest.mark.parametrize("method", METHODS)
def test_nan_stays_in_place_and_is_not_counted(method):
    adjusted = adjust_pvalues([0.01, math.nan, 0.03], method=method)
    assert np.isnan(adjusted).tolist() == [False, True, False]
    assert adjusted[[0, 2]] == pytest.approx(adjust_pvalues([0.01, 0.03], method=method))


def test_one_p_and_none():
    assert adjust_pvalues([0.3], method="holm").tolist() == [0.3]
    assert adjust_pvalues([], method="holm").tolist() == []


def test_input_is_not_changed():
    p = np.array([0.03, 0.01])
    adjust_pvalues(p, method="bonferroni")
    assert p.tolist() == [0.03, 0.01]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="method must be one of 'bonferroni', 'holm'"):
        adjust_pvalues([0.1], method="sidak")
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\], got 1.2 at position 1"):
        adjust_pvalues([0.1, 1.2], method="holm")
    with pytest.raises(ValueError, match="p must be one-dimensional"):
        adjust_pvalues([[0.1]], method="holm")
