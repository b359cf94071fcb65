"""Weights of the samples in the diagnoses: in the fits, in the scores, and in the means over test samples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skeval.diagnosis import (
    bias_variance,
    bias_variance_curve,
    diagnose_learning_curve,
    diagnose_validation_curve,
)
from skeval.model_selection import KFoldSplit

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = X[:, 0] + RNG.normal(size=60)
LABELS = (Y > 0).astype(int)
WEIGHT = RNG.integers(1, 6, size=60)


def test_means_over_samples_held_out_are_weighted():
    """Expected: the parts of each test sample, weighted by hand."""
    found = bias_variance(Ridge(), X, Y, n_splits=20, sample_weight=WEIGHT, random_state=0)
    weight = WEIGHT[found.test_index]
    for name in ("loss", "bias_squared", "variance"):
        each = found.per_sample[name]
        assert getattr(found, name) == pytest.approx((weight * each).sum() / weight.sum(), rel=1e-12)


def test_samples_given_apart_count_equally():
    found = bias_variance(
        Ridge(),
        X[:40],
        Y[:40],
        X_test=X[40:],
        y_test=Y[40:],
        sample_weight=WEIGHT[:40],
        n_splits=20,
        random_state=0,
    )
    assert found.loss == pytest.approx(found.per_sample["loss"].mean(), rel=1e-12)


@settings(deadline=None, max_examples=20)
@given(
    definition=st.sampled_from(["domingos", "kohavi-wolpert", "breiman", "kong-dietterich", "james"]),
    seed=st.integers(0, 2**31),
)
def test_the_parts_add_up_with_weights(definition, seed):
    weight = np.random.default_rng(seed).random(60) + 0.01
    found = bias_variance(
        DecisionTreeClassifier(max_depth=2, random_state=0),
        X,
        LABELS,
        definition=definition,
        n_splits=5,
        sample_weight=weight,
        random_state=seed,
    )
    assert sum(found.parts.values()) == pytest.approx(found.loss, abs=1e-12)
    found = bias_variance(
        DecisionTreeRegressor(max_depth=2, random_state=0),
        X,
        Y,
        y_clean=X[:, 0],
        n_splits=5,
        sample_weight=weight,
        random_state=seed,
    )
    assert sum(found.parts.values()) == pytest.approx(found.loss, abs=1e-12)


def test_weights_of_a_curve_are_those_of_each_value():
    options = {"n_splits": 10, "sample_weight": WEIGHT, "random_state": 0}
    curve = bias_variance_curve(Ridge(), X, Y, param_name="alpha", param_range=[1.0, 10.0], **options)
    assert curve.results[0].loss == bias_variance(Ridge(1.0), X, Y, **options).loss


def test_learning_and_validation_curves_score_with_weights():
    """Expected by hand: the constant prediction 1 errs on the weight of class 0."""
    constant, cv = DummyClassifier(strategy="constant", constant=1), KFoldSplit(4, random_state=0)
    expected = [WEIGHT[test][LABELS[test] == 0].sum() / WEIGHT[test].sum() for _, test in cv.split(X, LABELS)]
    options = {"cv": cv, "sample_weight": WEIGHT, "baseline": 0.5}
    learning = diagnose_learning_curve(constant, X, LABELS, train_sizes=[0.5, 1.0], random_state=0, **options)
    assert learning.curve.cv_errors[1] == pytest.approx(expected)
    validation = diagnose_validation_curve(
        constant, X, LABELS, param_name="random_state", param_range=[0, 1], **options
    )
    assert validation.curve.cv_errors[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    "diagnose",
    [
        lambda model, **given: bias_variance(model, X, LABELS, n_splits=2, **given),
        lambda model, **given: diagnose_learning_curve(model, X, LABELS, **given),
        lambda model, **given: diagnose_validation_curve(
            model, X, LABELS, param_name="n_neighbors", param_range=[1], **given
        ),
    ],
)
def test_weights_that_a_fit_does_not_take_are_refused(diagnose):
    with pytest.raises(ValueError, match="sample_weight cannot be used: fit of KNeighborsClassifier"):
        diagnose(KNeighborsClassifier(), sample_weight=WEIGHT)
    with pytest.raises(ValueError, match="one weight per sample: 60 samples, 59 weights"):
        diagnose(DecisionTreeClassifier(), sample_weight=WEIGHT[:-1])


def test_scores_that_are_there_already_take_no_weights():
    scores = [[1.0, 0.9], [1.0, 0.9]], [[0.8, 0.7], [0.8, 0.9]]
    with pytest.raises(ValueError, match="sample_weight and params are for the fits"):
        diagnose_learning_curve(([10, 20], *scores), n_test=5, sample_weight=WEIGHT)
    with pytest.raises(ValueError, match="sample_weight and params are for the fits"):
        diagnose_validation_curve(
            scores, param_name="depth", param_range=[1, 2], n_train=20, n_test=5, params={"a": 1}
        )


def test_weights_that_leave_no_test_sample_are_refused():
    first = bias_variance(Ridge(), X, Y, n_splits=2, random_state=0)
    weight = np.ones(60)
    weight[first.test_index] = 0
    with pytest.raises(ValueError, match="zero for every sample held out"):
        bias_variance(Ridge(), X, Y, n_splits=2, sample_weight=weight, random_state=0)
