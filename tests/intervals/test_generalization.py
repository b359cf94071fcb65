"""Intervals for the error on new samples: what every method does, and what none takes."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.utils.validation import check_is_fitted

from skeval.exceptions import DegenerateDataWarning
from skeval.intervals import GeneralizationInterval, generalization_interval
from skeval.model_selection import HoldOutSplit
from tests.intervals.generalization_runs import BAYES, METHODS, QUIET, TREE, XD, YD, X, Y, interval

pytestmark = QUIET


# --- what every method does


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("other", [None, BAYES])
def test_the_result_says_what_it_is(method, other):
    found = interval(method, other=other)
    assert isinstance(found, GeneralizationInterval)
    assert found.low <= found.estimate <= found.high
    assert found.target in ("model", "models", "method")
    assert f"trained on {found.n_train:.0f} samples" in found.estimand
    assert found.randomness in found.estimand
    assert found.reference
    assert found.details["n_fits"] > 0
    assert found.measure == ("0-1 loss" if other is None else "difference of 0-1 loss")
    assert (found.low >= 0) if other is None else (found.low >= -1)
    assert found.high <= 1
    assert found.frame().shape[0] == 1
    assert str(found).startswith(found.measure)


@pytest.mark.parametrize("method", METHODS)
def test_workers_and_seeds(method):
    one, two = interval(method), interval(method, n_jobs=2)
    assert (one.estimate, *one, one.standard_error) == (two.estimate, *two, two.standard_error)
    other = interval(method, random_state=1)
    assert tuple(other) != tuple(one)


@pytest.mark.parametrize("method", METHODS)
def test_swapping_the_models_turns_the_interval_round(method):
    one, two = (interval(method, a, other=b) for a, b in ((TREE, BAYES), (BAYES, TREE)))
    assert [-two.high, -two.estimate, -two.low] == pytest.approx([one.low, one.estimate, one.high], abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_difference_of_a_model_to_itself_is_zero(method):
    if method == "holdout":
        assert interval(method, other=TREE).estimate == 0
        return
    with pytest.warns(DegenerateDataWarning, match="degenerate"):
        found = interval(method, other=TREE)
    assert (found.estimate, *found) == (0, 0, 0)


@pytest.mark.parametrize("method", METHODS)
def test_labels_containers_and_index_do_not_matter(method):
    names = np.array(["a", "b", "c"])[Y]
    plain = interval(method)
    frame = interval(method, X=pd.DataFrame(X, index=np.arange(60)[::-1]), y=pd.Series(names))
    assert (frame.estimate, *frame) == pytest.approx((plain.estimate, *plain))
    compact = interval(method, X=sparse.csr_matrix(X), y=list(names), estimator=TREE)
    assert (compact.estimate, *compact) == pytest.approx((plain.estimate, *plain))


@pytest.mark.parametrize("method", METHODS)
def test_a_larger_level_gives_a_wider_interval(method):
    narrow, wide = (interval(method, confidence_level=level) for level in (0.8, 0.9))
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide.high - wide.low > narrow.high - narrow.low


@pytest.mark.parametrize("method", METHODS)
def test_nothing_that_was_given_is_changed(method):
    tree, before = clone(TREE), X.copy()
    interval(method, tree)
    assert np.array_equal(X, before)
    with pytest.raises(NotFittedError, match="not fitted"):
        check_is_fitted(tree)


# --- splits that a method is not for


@pytest.mark.parametrize(
    ("method", "cv", "message"),
    [
        ("holdout", KFold(3), "takes one split, got 3"),
        ("corrected-t", HoldOutSplit(1, random_state=0), "at least 2 splits"),
        ("corrected-t", TimeSeriesSplit(3), "time-ordered"),
        (
            "cv-wald",
            RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
            "sample 0 is tested 2 times in 6",
        ),
        ("cv-wald", ShuffleSplit(3, random_state=0), "every sample is tested once"),
        ("cv-wald-within", LeaveOneOut(), "at least 2 samples in each test part"),
        ("nested-cv", KFold(2), "at least 3 folds"),
        ("nested-cv", ShuffleSplit(3, random_state=0), "every sample is tested once|same number of folds"),
        ("oob", KFold(3), "cv must give bootstrap replicates"),
        ("cv-wald", [(np.arange(60), np.arange(60))], "trained on"),
    ],
)
def test_splits_that_the_method_is_not_for(method, cv, message):
    with pytest.raises(ValueError, match=message):
        generalization_interval(TREE, X, Y, method=method, cv=cv)


def test_leave_one_out_goes_with_all_pairs():
    found = generalization_interval(TREE, X, Y, method="cv-wald", cv=LeaveOneOut())
    assert found.n_train == 59
    share = (cross_val_predict(TREE, X, Y, cv=LeaveOneOut()) != Y).mean()
    half = 1.959963984540054 * (share * (1 - share) / 60) ** 0.5
    assert list(found) == pytest.approx([share - half, share + half])


@pytest.mark.parametrize("method", ["corrected-t", "oob"])
def test_splits_of_other_data_are_refused(method):
    with pytest.raises(ValueError, match=r"row numbers from 0 to 59.* split 0 has 99"):
        generalization_interval(BAYES, X, Y, method=method, cv=[(range(40), [99]), (range(40), [50])])


# --- parameters and data that are refused


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "bayes"}, "method must be one of 'holdout'"),
        (
            {"method": "cv-wald", "n_inner": 3},
            "n_inner must be None for method='cv-wald', which takes cv, n_splits",
        ),
        ({"method": "conservative-z", "cv": KFold(3)}, "cv must be None for method='conservative-z'"),
        ({"method": "cv-wald", "n_splits": 3, "cv": KFold(3)}, "cv stands for n_splits"),
        ({"method": "nested-cv", "n_splits": 1}, "n_splits must be an integer not less than 2"),
        ({"method": "nested-cv", "n_splits": 2}, "at least 3 folds"),
        ({"method": "holdout", "test_size": 1.5}, "test_size"),
        ({"method": "conservative-z", "test_size": 0.5}, "leave nothing to train on"),
        ({"confidence_level": 1}, "confidence_level must be a number in"),
        ({"loss": "hinge"}, "loss must be one of 'zero_one', 'log', .*'hinge'.* as scoring='roc_auc', say"),
        ({"loss": "f1_macro"}, "loss must be one of .* as scoring='f1_macro', say"),
        ({"loss": "log", "method": ".632+"}, "needs the no-information rate"),
        ({"loss": "squared", "scoring": "accuracy"}, "loss and scoring exclude each other"),
        ({"response_method": "predict_proba"}, "needs a callable loss"),
        ({"response_method": "decision_function"}, "response_method must be one of"),
        ({"bounds": (1, 0)}, "low < high"),
        ({"bounds": 3}, "bounds must be two numbers"),
        ({"groups": [1, 2]}, "groups must have one entry per sample"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_bad_parameters_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        generalization_interval(TREE, X, Y, **given)


@pytest.mark.parametrize("method", METHODS)
def test_losses_outside_the_bounds_are_refused(method):
    with pytest.raises(ValueError, match=r"every 0-1 loss lies in \[0, 0.1\], but one is"):
        interval(method, bounds=(0, 0.1))


@pytest.mark.parametrize("method", METHODS)
def test_one_sample_is_refused(method):
    with pytest.raises(ValueError, match=r"at least|need as many"):
        interval(method, X=X[:1], y=[0])


@pytest.mark.parametrize("method", ["corrected-t", "oob"])
@pytest.mark.filterwarnings("ignore::skeval.exceptions.SkevalWarning")
def test_two_samples_give_no_false_certainty(method):
    found = interval(method, X=X[:2], y=[0, 1])
    assert found.high - found.low > 0.5


def test_bad_data_and_estimators_are_refused():
    with pytest.raises(ValueError, match="X and y must have the same length"):
        generalization_interval(TREE, X, Y[1:])
    with pytest.raises(ValueError, match="use loss='squared'"):
        generalization_interval(Ridge(), X, Y)
    with pytest.raises(ValueError, match="use loss='squared'"):
        generalization_interval(TREE, X, Y, other=Ridge())
    with pytest.raises(ValueError, match="continuous values"):
        generalization_interval(TREE, XD, YD + 0.5)
    with pytest.raises(TypeError, match="estimator must have fit"):
        generalization_interval(object(), X, Y)
