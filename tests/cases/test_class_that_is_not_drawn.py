"""A rare class that some bootstrap replicates lack: counted and named, never a crash."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skeval.exceptions import ResamplingWarning
from skeval.model_selection import BootstrapSplit, bootstrap_error
from tests.cases.strategies import FEW

X, Y = np.arange(10.0)[:, None], [0] * 8 + [1] * 2


def test_the_replicates_without_it_are_counted():
    cv = BootstrapSplit(200, random_state=0)
    lacking = sum(not {8, 9} & {*train.tolist()} for train, _ in cv.split(X, Y))
    with (
        pytest.warns(ResamplingWarning, match=f"lacks class 1 in {lacking} of 200 bootstrap"),
        pytest.warns(ResamplingWarning, match=f"{lacking} of 200 bootstrap replicates failed"),
    ):
        found = bootstrap_error(LogisticRegression(), X, Y, cv=cv)
    assert (found.n_valid, found.n_failed) == (200 - lacking, lacking)
    assert abs(lacking - 200 * 0.8**10) < 5 * 4.4  # a binomial count, sd 4.4


@FEW
@given(st.integers(4, 10), st.integers(2, 3), st.integers(0, 99))
def test_drawn_class_by_class_none_lacks_it(common, rare, seed):
    X, y = np.arange(float(common + rare))[:, None], [0] * common + [1] * rare
    cv = BootstrapSplit(30, stratify=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResamplingWarning)
        found = bootstrap_error(LogisticRegression(), X, y, cv=cv)
    assert (found.n_valid, found.n_failed) == (30, 0)


@FEW
@given(st.integers(4, 10), st.integers(2, 3), st.integers(0, 99))
def test_any_rare_class_and_seed(common, rare, seed):
    X, y = np.arange(float(common + rare))[:, None], [0] * common + [1] * rare
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResamplingWarning)
        found = bootstrap_error(GaussianNB(), X, y, n_splits=30, random_state=seed)
    assert found.n_valid + found.n_failed == 30
    assert 0 <= found.estimate <= 1
