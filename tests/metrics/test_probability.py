"""Log loss, Brier scores and losses per sample."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB

from skeval.metrics import (
    brier_score,
    error_rate,
    get_scorer,
    log_loss,
    multiclass_brier_score,
    pointwise_loss,
)


def exact(value):
    return pytest.approx(value, abs=1e-12, rel=0)


# Probabilities of three classes for samples of two of them.
LACKING, PROB = [0, 0, 1, 1], [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.5, 0.2]]


# --- values -----------------------------------------------------------------------------------------


def test_log_loss_of_a_fold_that_lacks_a_class():
    # -(ln .7 + ln .5 + ln .6 + ln .5) / 4
    assert log_loss(LACKING, PROB, labels=[0, 1, 2]) == exact(0.5634487322061534)


def test_brier_score_follows_the_class_named():
    # ((.1)^2 + (.2)^2 + (.2)^2 + (.85)^2) / 4 = 13/64 with the probabilities of "bad".
    y, prob = ["bad", "good", "bad", "good"], [0.9, 0.2, 0.8, 0.85]
    assert brier_score(y, prob, pos_label="bad") == exact(13 / 64)
    assert brier_score(y, 1 - np.array(prob), pos_label="good") == exact(13 / 64)


def test_brier_score_of_many_classes_by_hand():
    # (.3^2 + .2^2 + .1^2) + (1 - .5)^2 + .5^2 over two samples.
    value = multiclass_brier_score([0, 2], [[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]], labels=[0, 1, 2])
    assert value == exact((0.14 + 0.5) / 2)


def test_two_classes_have_half_the_score_of_many():
    y, prob = [0, 1, 1, 0], np.array([0.3, 0.9, 0.4, 0.0])
    both = np.column_stack([1 - prob, prob])
    assert multiclass_brier_score(y, both) == exact(2 * brier_score(y, prob))
    assert log_loss(y, both) == exact(log_loss(y, prob))


PROBABILITY = st.floats(0, 1) | st.sampled_from([0.0, 1e-17, 0.5, 1.0])


@settings(deadline=None, max_examples=80)
@given(
    rows=st.lists(st.tuples(st.integers(0, 1), PROBABILITY, st.integers(1, 3)), min_size=1, max_size=20),
    dtype=st.sampled_from([np.float64, np.float32]),
    weighted=st.booleans(),
)
def test_two_classes_equal_scikit_learn(rows, dtype, weighted):
    y, prob, weight = (np.array(column) for column in zip(*rows, strict=True))
    weight, prob = weight if weighted else None, prob.astype(dtype)
    near = {"abs": 1e-12 if dtype is np.float64 else 1e-5, "rel": 1e-12 if dtype is np.float64 else 1e-5}
    theirs = sklearn.metrics.log_loss(y, prob, labels=[0, 1], sample_weight=weight)
    assert log_loss(y, prob, sample_weight=weight) == pytest.approx(theirs, **near)
    theirs = sklearn.metrics.brier_score_loss(y, prob, sample_weight=weight)
    assert brier_score(y, prob, sample_weight=weight) == pytest.approx(theirs, **near)


@settings(deadline=None, max_examples=50)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 2)] + [st.integers(1, 5)] * 3), min_size=1, max_size=20),
)
def test_many_classes_equal_scikit_learn_and_the_definition(rows):
    y, *counts = (np.array(column) for column in zip(*rows, strict=True))
    prob = np.column_stack(counts) / np.sum(counts, axis=0)[:, None]
    theirs = sklearn.metrics.log_loss(y, prob, labels=[0, 1, 2])
    assert log_loss(y, prob, labels=[0, 1, 2]) == exact(theirs)
    by_class = [np.mean(((y == k) - prob[:, k]) ** 2) for k in range(3)]
    assert multiclass_brier_score(y, prob, labels=[0, 1, 2]) == exact(sum(by_class))


@pytest.mark.parametrize("convert", [list, np.array, pd.Series, pl.Series])
def test_every_container_gives_a_float(convert):
    y, prob = convert([0, 1, 1]), convert([0.25, 0.5, 1.0])
    assert brier_score(y, prob) == exact((1 / 16 + 1 / 4) / 3)
    assert type(log_loss(y, prob)) is float


# --- ranges -----------------------------------------------------------------------------------------

LOGITS = [99.1, 99.4, 99.9, 99.6, 101.2]


@pytest.mark.parametrize("function", [log_loss, brier_score])
def test_scores_that_are_no_probabilities_are_refused(function):
    told = r"y_prob must hold probabilities in \[0, 1\], got 99.1 at position 0"
    with pytest.raises(ValueError, match=told):
        function([0, 1, 1, 0, 1], LOGITS)
    with pytest.raises(ValueError, match=r"in \[0, 1\], got -0.1 at position 1"):
        function([0, 1], [0.5, -0.1])
    with pytest.raises(ValueError, match="y_prob must hold finite numbers, got nan"):
        function([0, 1], [0.5, np.nan])


@pytest.mark.parametrize("function", [log_loss, multiclass_brier_score])
@pytest.mark.parametrize(
    ("prob", "kwargs", "message"),
    [
        ([[1.2, -0.2, 0.0]] * 4, {"labels": [0, 1, 2]}, r"in \[0, 1\], got 1.2 at position 0"),
        ([[0.5, 0.2, 0.2]] * 4, {"labels": [0, 1, 2]}, "rows that sum to 1, got 0.9 in row 0"),
        (PROB, {}, r"it has 3 columns, y_true holds 2 classes \[0, 1\]"),
        (PROB[:3], {"labels": [0, 1, 2]}, "same length"),
    ],
)
def test_bad_probabilities_of_many_classes_are_refused(function, prob, kwargs, message):
    with pytest.raises(ValueError, match=message):
        function(LACKING, prob, **kwargs)


def test_what_is_not_clear_is_refused():
    with pytest.raises(
        ValueError, match=r"pos_label must name the positive class among the labels \['a', 'b'\]"
    ):
        brier_score(["a", "b"], [0.1, 0.9])
    with pytest.raises(ValueError, match=r"of shape \(4, 3\); pass the column of the positive class"):
        brier_score(LACKING, PROB)
    with pytest.raises(ValueError, match="labels name the columns of y_prob, which has one"):
        log_loss([0, 1], [0.1, 0.9], labels=[0, 1])
    with pytest.raises(ValueError, match="pos_label belongs to one column"):
        log_loss(LACKING, PROB, labels=[0, 1, 2], pos_label=1)
    with pytest.raises(ValueError, match="needs two classes, got 3"):
        brier_score([0, 1, 2], [0.1, 0.9, 0.5])
    for function in (log_loss, brier_score):
        with pytest.raises(ValueError, match="hold no samples"):
            function([], [])


# --- losses per sample ------------------------------------------------------------------------------


def test_losses_per_sample_by_hand():
    assert pointwise_loss(["a", "b"], ["a", "a"], loss="zero_one").tolist() == [0, 1]
    np.testing.assert_allclose(pointwise_loss([1, 0], [0.9, 0.2], loss="brier"), [0.01, 0.04], atol=1e-15)
    np.testing.assert_allclose(pointwise_loss([1, 0], [0.5, 0.75], loss="log"), np.log([2, 4]), atol=1e-15)
    values = pointwise_loss([0, 2], [[0.5, 0.25, 0.25], [0, 0, 1]], loss="multiclass_brier", labels=[0, 1, 2])
    np.testing.assert_allclose(values, [0.375, 0], atol=1e-15)
    assert pointwise_loss([3, 5], [2, 7], loss="squared").tolist() == [1, 4]
    assert pointwise_loss([3, 5], [2, 7], loss="absolute").tolist() == [1, 2]
    np.testing.assert_allclose(
        pointwise_loss([3, 5], [2, 7], loss="pinball", alpha=0.9), [0.9, 0.2], atol=1e-15
    )
    np.testing.assert_allclose(pointwise_loss([3, 5], [2, 7], loss="pinball"), [0.5, 1], atol=1e-15)


def test_the_weighted_mean_of_the_losses_is_the_figure():
    rng = np.random.default_rng(0)
    y, prob, weight = rng.integers(0, 2, 50), rng.random(50), rng.integers(1, 5, 50)
    target, guess = rng.normal(size=50), rng.normal(size=50)

    def mean(*arrays, **kwargs):
        return np.average(pointwise_loss(*arrays, **kwargs), weights=weight)

    metrics, weighted = sklearn.metrics, {"sample_weight": weight}
    assert mean(y, prob > 0.5, loss="zero_one") == exact(error_rate(y, prob > 0.5, **weighted))
    assert mean(y, prob, loss="log") == exact(metrics.log_loss(y, prob, **weighted))
    assert mean(y, prob, loss="brier") == exact(metrics.brier_score_loss(y, prob, **weighted))
    assert mean(target, guess, loss="squared") == exact(metrics.mean_squared_error(target, guess, **weighted))
    assert mean(target, guess, loss="absolute") == exact(
        metrics.mean_absolute_error(target, guess, **weighted)
    )
    pinball = metrics.mean_pinball_loss(target, guess, alpha=0.2, **weighted)
    assert mean(target, guess, loss="pinball", alpha=0.2) == exact(pinball)


@pytest.mark.parametrize(
    ("arrays", "kwargs", "error", "message"),
    [
        (([0], [0]), {"loss": "f1"}, ValueError, "loss must be one of 'zero_one', 'log', 'brier'"),
        (([0, 1], [0]), {"loss": "zero_one"}, ValueError, "same length"),
        (([0, 1], ["a", "b"]), {"loss": "zero_one"}, ValueError, "Labels must be of one type"),
        (([0.5, 1], [0, 1]), {"loss": "zero_one"}, ValueError, "class labels, got continuous values"),
        (([0, 1], [0, np.nan]), {"loss": "squared"}, ValueError, "y_pred must hold finite numbers"),
        (([0, 1], [0, 1.5]), {"loss": "brier"}, ValueError, "^y_pred must hold probabilities"),
        (([0, 1], [0, np.nan]), {"loss": "log"}, ValueError, "^y_pred must hold finite numbers"),
        (([0, 1], [0.5]), {"loss": "brier"}, ValueError, "^y_true and y_pred must have the same length"),
        (([0, 1], [[1], [0, 1]]), {"loss": "log"}, ValueError, "^y_pred must have rows of one length"),
        (([0, 1], [0.5, 1]), {"loss": "log", "labels": [0, 1]}, ValueError, "the columns of y_pred"),
        (([0, 1], [[0.5, 0.4]] * 2), {"loss": "log"}, ValueError, "^y_pred must hold rows that sum to 1"),
        (([0, 1], [0.5, 1]), {"loss": "multiclass_brier"}, ValueError, "^y_pred must hold one column per"),
        (([0, 1], [0.5, 1]), {"loss": "brier", "name": "y"}, TypeError, "'name'"),
        (
            ([0, 1], [0, 1]),
            {"loss": "pinball", "alpha": 2},
            ValueError,
            r"alpha must be a number in \[0, 1\]",
        ),
        (
            ([0, 1], [0, 1]),
            {"loss": "squared", "alpha": 0.5},
            TypeError,
            r"loss='squared' got the parameters \['alpha'\]: got an unexpected keyword argument 'alpha'",
        ),
        (([1], [1e200]), {"loss": "squared"}, ValueError, "y_pred must hold numbers up to 1e.60 in size"),
        (([-1e308], [1e308]), {"loss": "absolute"}, ValueError, "numbers up to 1e.60 in size"),
        (([-1e308], [1e308]), {"loss": "pinball"}, ValueError, "numbers up to 1e.60 in size"),
    ],
)
def test_bad_losses_are_refused(arrays, kwargs, error, message):
    with pytest.raises(error, match=message):
        pointwise_loss(*arrays, **kwargs)


@pytest.mark.parametrize("loss", ["zero_one", "squared", "absolute", "pinball", "log", "brier"])
def test_no_samples_have_no_losses(loss):
    losses = pointwise_loss([], [], loss=loss)
    assert (losses.shape, losses.dtype) == ((0,), np.float64)


# --- scorers ----------------------------------------------------------------------------------------

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize("data", [IRIS, CANCER])
def test_log_loss_by_name_is_scikit_learns(data):
    ours = cross_val_score(GaussianNB(), *data, cv=3, scoring=get_scorer("neg_log_loss"))
    np.testing.assert_allclose(
        ours, cross_val_score(GaussianNB(), *data, cv=3, scoring="neg_log_loss"), rtol=1e-12
    )


def test_brier_score_by_name_is_scikit_learns():
    ours = cross_val_score(GaussianNB(), *CANCER, cv=3, scoring=get_scorer("neg_brier_score"))
    theirs = cross_val_score(GaussianNB(), *CANCER, cv=3, scoring="neg_brier_score")
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    doubled = cross_val_score(GaussianNB(), *CANCER, cv=3, scoring=get_scorer("neg_multiclass_brier_score"))
    np.testing.assert_allclose(doubled, 2 * theirs, rtol=1e-12)


def test_brier_score_of_many_classes_has_a_name_of_its_own():
    model = GaussianNB().fit(*IRIS)
    value = get_scorer("neg_multiclass_brier_score")(model, *IRIS)
    assert value == -multiclass_brier_score(IRIS[1], model.predict_proba(IRIS[0]))


@pytest.mark.parametrize("name", ["neg_log_loss", "neg_multiclass_brier_score"])
def test_a_fold_that_lacks_a_class_has_a_score(name):
    # The third fold holds no sample of class 2.
    fold = np.array([*[0, 1] * 20, *[2] * 10, *[0, 1] * 20, *[2] * 10, *[0, 1] * 25])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = cross_val_score(GaussianNB(), *IRIS, cv=PredefinedSplit(fold), scoring=get_scorer(name))
    assert np.isfinite(scores).all()


def test_regression_losses_that_scikit_learn_has_no_name_for():
    X, y = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(X, y)
    predicted = model.predict(X)
    value = get_scorer("neg_mean_pinball_loss", alpha=0.9)(model, X, y)
    assert value == exact(-pointwise_loss(y, predicted, loss="pinball", alpha=0.9).mean())
    value = get_scorer("neg_mean_tweedie_deviance", power=1)(model, X, y)
    assert value == exact(get_scorer("neg_mean_poisson_deviance")(model, X, y))
    with pytest.raises(TypeError, match=r"'neg_mean_pinball_loss' got the parameters .* 'quantile'"):
        get_scorer("neg_mean_pinball_loss", quantile=0.9)


def test_mean_squared_error_takes_a_distribution_as_weights():
    # 1 with probability .9, 3 with .1 off: .9 + .9.
    weighted = sklearn.metrics.mean_squared_error([0, 0], [1, 3], sample_weight=[0.9, 0.1])
    assert weighted == exact(1.8)
    assert np.average(pointwise_loss([0, 0], [1, 3], loss="squared"), weights=[0.9, 0.1]) == exact(1.8)
