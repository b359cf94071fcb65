"""The bootstrap error with squared loss and other losses per sample; what is no such loss."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from skeval.model_selection import BootstrapSplit, bootstrap_error
from tests.model_selection.bootstrap_runs import IRIS_X, QUIET, replicates

pytestmark = QUIET


def test_squared_loss_has_its_own_no_information_rate():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:60], y[:60]
    result = bootstrap_error(LinearRegression(), X, y, loss="squared", n_splits=40, random_state=0)
    predicted = LinearRegression().fit(X, y).predict(X)
    assert result.resubstitution == pytest.approx(((y - predicted) ** 2).mean(), rel=1e-12)
    assert result.no_information == pytest.approx(((y[:, None] - predicted[None, :]) ** 2).mean(), rel=1e-12)
    assert result.resubstitution < result.estimate < result.no_information


def test_squared_loss_of_the_mean_by_hand():
    # y = 0, 0, 6: mean 2, squared errors 4, 4, 16; gamma = var y = 8.
    y = np.array([0.0, 0.0, 6.0])
    cv = replicates([[0, 0, 1], [1, 2, 2], [0, 2, 2]], 3)
    result = bootstrap_error(DummyRegressor(), np.zeros((3, 1)), y, loss="squared", method=".632", cv=cv)
    assert result.resubstitution == pytest.approx(8)
    assert result.no_information == pytest.approx(8)
    # Left out: 2 (mean 0: 36), 0 (mean 4: 16), 1 (mean 4: 16).
    assert result.leave_one_out == pytest.approx((36 + 16 + 16) / 3)
    assert result.estimate == pytest.approx(0.368 * 8 + 0.632 * 68 / 3)


def absolute(y_true, y_pred):
    return abs(y_true - y_pred)


def test_a_function_of_target_and_prediction_is_a_loss():
    X, y = (part[:50] for part in load_diabetes(return_X_y=True))
    result = bootstrap_error(
        LinearRegression(), X, y, loss=absolute, method="oob", n_splits=30, random_state=0
    )
    errors = np.full((30, 50), np.nan)
    for own, (train, test) in zip(errors, BootstrapSplit(30, random_state=0).split(X), strict=True):
        own[test] = np.abs(y[test] - LinearRegression().fit(X[train], y[train]).predict(X[test]))
    assert result.leave_one_out == pytest.approx(np.nanmean(np.nanmean(errors, axis=0)), rel=1e-12)
    on_all = np.abs(y - LinearRegression().fit(X, y).predict(X)).mean()
    assert result.resubstitution == pytest.approx(on_all, rel=1e-12)
    assert result.loss == "absolute"
    assert result.no_information is None
    assert result.overfitting_rate is None
    assert result.weight == 1
    assert result.estimate == result.leave_one_out > result.resubstitution
    assert result.confidence_interval().low < result.estimate


def test_632_plus_of_a_function_is_refused():
    with pytest.raises(ValueError, match=r"needs the no-information rate.*use method='.632' or 'oob'"):
        bootstrap_error(LinearRegression(), np.zeros((4, 1)), np.arange(4.0), loss=absolute)


def test_a_loss_gives_one_value_per_sample():
    with pytest.raises(ValueError, match=r"loss must return one value per sample: 4 samples, got shape \(\)"):
        bootstrap_error(
            DummyRegressor(),
            np.zeros((4, 1)),
            np.arange(4.0),
            loss=lambda y, f: 0.0,
            method="oob",
            n_splits=5,
        )
    with pytest.raises(ValueError, match="loss values must hold finite numbers, got nan"):
        bootstrap_error(
            DummyRegressor(), np.zeros((4, 1)), np.arange(4.0), loss=lambda y, f: y * np.nan, method="oob"
        )


@pytest.mark.parametrize(
    "loss",
    ["roc_auc", "f1", "f1_macro", "balanced_accuracy", "g_mean", "average_precision", "matthews_corrcoef"],
)
def test_a_metric_that_is_no_mean_of_losses_is_refused_with_the_way_out(loss):
    with pytest.raises(ValueError, match=r"not a mean of losses per sample.*cv=BootstrapSplit"):
        bootstrap_error(GaussianNB(), np.zeros((4, 1)), [0, 1, 0, 1], loss=loss)


@pytest.mark.parametrize("loss", ["hinge", None, 3])
def test_an_unknown_loss_is_refused(loss):
    with pytest.raises(ValueError, match="loss must be 'zero_one', 'squared' or a function"):
        bootstrap_error(GaussianNB(), np.zeros((4, 1)), [0, 1, 0, 1], loss=loss)


def test_targets_whose_squares_are_large_have_their_error():
    X, y = IRIS_X[:, :1], IRIS_X[:, 1]
    options = {"loss": "squared", "n_splits": 400, "random_state": 0}
    small, large = (bootstrap_error(LinearRegression(), X, scale * y, **options) for scale in (1, 2.0**190))
    assert large.estimate / 2.0**380 == pytest.approx(small.estimate, rel=1e-12)
    assert large.standard_error / 2.0**380 == pytest.approx(small.standard_error, rel=1e-12)
