"""Intervals for the error on new samples: losses per sample, and scores that are no mean of losses."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import Ridge
from sklearn.metrics import log_loss as sklearn_log_loss
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import KFold, ShuffleSplit, cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB

from skeval.intervals import generalization_interval
from skeval.model_selection import KFoldSplit
from tests.intervals.generalization_runs import (
    BAYES,
    METHODS,
    NEEDS_RATE,
    QUIET,
    XD,
    YD,
    X,
    Y,
    interval,
    splits_of,
)

pytestmark = QUIET


# --- losses per sample


@pytest.mark.parametrize("method", METHODS)
def test_squared_loss(method):
    found = interval(method, Ridge(), XD, YD, loss="squared")
    assert 0 < found.low < found.estimate < found.high
    assert found.measure == "squared loss"
    # Another unit of y.
    scaled = interval(method, Ridge(), XD, YD * 1e-4, loss="squared")
    assert np.array([scaled.estimate, *scaled]) * 1e8 == pytest.approx([found.estimate, *found], rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_any_loss_per_sample(method):
    def absolute(true, predicted):
        return np.abs(true - predicted)

    if method in NEEDS_RATE:
        with pytest.raises(ValueError, match="needs the no-information rate"):
            interval(method, Ridge(), XD, YD, loss=absolute)
        return
    found = interval(method, Ridge(), XD, YD, loss=absolute)
    assert found.low < found.estimate < found.high
    assert found.measure == "absolute"


def test_a_loss_of_probabilities():
    def log_loss(true, probabilities):
        return -np.log(np.clip(probabilities[np.arange(len(true)), true], 1e-9, 1))

    found = interval("cv-wald", BAYES, loss=log_loss, response_method="predict_proba", bounds=(0, np.inf))
    score = cross_validate(
        BAYES, X, Y, cv=KFoldSplit(4, random_state=np.random.default_rng(0)), scoring="neg_log_loss"
    )["test_score"]
    assert found.estimate == pytest.approx(-score.mean())


@pytest.mark.parametrize("names", [(0, 1), ("sick", "well"), (False, True)])
@pytest.mark.parametrize("loss", ["log", "brier", "multiclass_brier"])
def test_a_named_loss_of_probabilities_needs_no_more_than_its_name(loss, names):
    X, y = load_breast_cancer(return_X_y=True)
    found = generalization_interval(BAYES, X, np.array(names)[y], method="cv-wald", cv=KFold(4), loss=loss)
    probabilities = cross_val_predict(BAYES, X, y, cv=KFold(4), method="predict_proba")
    brier = np.mean((probabilities[:, 1] - y) ** 2)
    expected = {"log": sklearn_log_loss(y, probabilities), "brier": brier, "multiclass_brier": 2 * brier}
    assert found.estimate == pytest.approx(expected[loss], rel=1e-12)
    assert found.measure.lower() == f"{loss.replace('_', ' ')} loss"
    assert 0 <= found.low < found.estimate < found.high


def test_a_named_loss_of_two_classes_tells_the_one_of_more():
    with pytest.raises(ValueError, match="loss='brier' needs two classes, got 3; use 'multiclass_brier'"):
        generalization_interval(BAYES, *load_iris(return_X_y=True), loss="brier")
    with pytest.raises(TypeError, match=r"estimator must have predict_proba\(\), Ridge has not"):
        generalization_interval(Ridge(), XD, YD, loss="log")


def test_a_named_loss_of_numbers():
    found = generalization_interval(Ridge(), XD, YD, method="cv-wald", cv=KFold(4), loss="absolute")
    predicted = cross_val_predict(Ridge(), XD, YD, cv=KFold(4))
    assert found.estimate == pytest.approx(np.abs(YD - predicted).mean())


def test_probabilities_have_a_column_for_every_class():
    # Class "c" is in one fold alone: the model of the others knows two classes.
    y = np.array(["a", "b", "c", "a", "b", "a", "b", "a", "b"])
    features = np.arange(18).reshape(9, 2) % 5
    shapes = []

    def loss(true, probabilities):
        shapes.append(probabilities.shape[1])
        return 1 - probabilities[np.arange(len(true)), np.searchsorted(["a", "b", "c"], true)]

    cv = splits_of([3, 3, 3])
    found = generalization_interval(
        BAYES,
        features,
        y,
        method="cv-wald",
        loss=loss,
        response_method="predict_proba",
        cv=cv,
        bounds=(0, 1),
    )
    assert set(shapes) == {3}
    assert 0 <= found.low <= found.high <= 1
    chances = []  # of the true class: none, where the model does not know it
    for train, test in cv:
        model = GaussianNB().fit(features[train], y[train])
        for probabilities, label in zip(model.predict_proba(features[test]), y[test], strict=True):
            chances.append(dict(zip(model.classes_, probabilities, strict=True)).get(label, 0))
    assert found.estimate == pytest.approx(1 - np.mean(chances), abs=1e-12)


# --- scores that are no mean of losses


ANY_SCORE = ("corrected-t", "conservative-z")


@pytest.mark.parametrize("method", METHODS)
def test_any_score_or_the_way_out(method):
    if method not in ANY_SCORE:
        message = "needs a loss per sample.*use method='corrected-t' or 'conservative-z'"
        with pytest.raises(ValueError, match=message):
            interval(method, scoring="f1_macro")
        return
    found = interval(method, scoring="f1_macro")
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.measure == "f1_macro"
    difference = interval(method, scoring="f1_macro", other=BAYES)
    assert difference.measure == "difference of f1_macro"
    assert difference.estimate == pytest.approx(
        found.estimate - interval(method, BAYES, scoring="f1_macro").estimate
    )


def test_the_score_of_an_estimator_without_base_class():
    class Duck:
        """Goes by the first feature, whatever it is trained on."""

        def get_params(self, deep=True):
            return {}

        def fit(self, X, y):
            return self

        def predict(self, X):
            return (X[:, 0] > 5.5).astype(int)

    cv = ShuffleSplit(5, test_size=0.3, random_state=0)
    found = generalization_interval(Duck(), X, Y, method="corrected-t", scoring="accuracy", cv=cv)
    expected = np.mean([np.mean((X[test, 0] > 5.5) == Y[test]) for _, test in cv.split(X)])
    assert found.estimate == pytest.approx(expected, rel=1e-12)


def test_a_score_agrees_with_scikit_learn():
    binary = Y == 1
    cv = ShuffleSplit(5, test_size=0.3, random_state=0)
    known = cross_validate(BAYES, X, binary, cv=cv, scoring="roc_auc")["test_score"]
    for scoring in ("roc_auc", make_scorer(roc_auc_score, response_method="predict_proba")):
        found = generalization_interval(BAYES, X, binary, cv=cv, method="corrected-t", scoring=scoring)
        assert found.estimate == pytest.approx(known.mean())
    # The range of a scorer is not known, but can be told.
    told = generalization_interval(
        BAYES, X, binary, cv=cv, method="corrected-t", scoring=scoring, bounds=(0, 0.95)
    )
    assert found.high > 0.95 == told.high > known.max()


@pytest.mark.parametrize("name", ["roc_auc", "f1", "balanced_accuracy", "g_mean"])
def test_a_score_given_as_a_loss_is_refused_with_the_way_out(name):
    with pytest.raises(ValueError, match=f"'corrected-t' or 'conservative-z' as scoring='{name}'"):
        interval("cv-wald", loss=name)
