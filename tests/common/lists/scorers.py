"""Scorers by name, on a model that is a closed form of the weighted samples."""

import sklearn.metrics
from sklearn.naive_bayes import GaussianNB

from skeval.metrics import ConfusionScorer, MultiScorer, get_scorer, get_scorer_names, needs_pos_label
from tests.common.entry import Entry
from tests.common.lists import data
from tests.common.lists.data import of

_COST = {"cost": [[0, 1], [5, 0]], "labels": [0, 1]}
# What a name needs beside the positive class.
_PARAMS = {
    "neg_cost_sensitive_error": _COST,
    "cost_sensitive_accuracy": _COST,
    **{name: {"beta": 2.0} for name in get_scorer_names() if name.startswith("f_beta")},
    "neg_mean_tweedie_deviance": {"power": 0},
}
_REGRESSION = {"neg_mean_pinball_loss", "neg_mean_tweedie_deviance"}
# Handed on as they are: scikit-learn's own suite tests them.
OF_SCIKIT_LEARN = {
    name
    for name in sklearn.metrics.get_scorer_names()
    if repr(get_scorer(name)) == repr(sklearn.metrics.get_scorer(name))
}


def scorer_of(name, pos_label=1, labels=None):
    """Return the scorer of that name with all that it needs."""
    params = dict(_PARAMS.get(name, {}))
    if needs_pos_label(name):
        params["pos_label"] = pos_label
    if labels is not None and "labels" in params:
        params["labels"] = labels
    return get_scorer(name, **params)


def _score(name):
    """Return a function of the data that fits a model and scores it."""

    def score(X, y, *, pos_label=1, labels=None, sample_weight=None):
        model = GaussianNB().fit(X, y, sample_weight=sample_weight)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return scorer_of(name, pos_label, labels)(model, X, y, **weights)

    return score


def _many(X, y, *, pos_label=1, sample_weight=None):
    model = GaussianNB().fit(X, y, sample_weight=sample_weight)
    scorer = MultiScorer(["f1", "roc_auc", "g_mean", "neg_brier_score"], pos_label=pos_label)
    return scorer(model, X, y, sample_weight=sample_weight)


def _cells(X, y, *, labels=None, sample_weight=None):
    model = GaussianNB().fit(X, y, sample_weight=sample_weight)
    return ConfusionScorer(labels)(model, X, y, sample_weight=sample_weight)


_DATA = {"X": of("matrix", data.X), "y": of("labels", data.TWO)}
_THREE = {"X": of("matrix", data.X_THREE), "y": of("labels", data.THREE)}

SCORERS = [
    *(
        Entry(f"get_scorer {name}", _score(name), _DATA, {"pos_label": 1, "labels": [0, 1]})
        for name in get_scorer_names()
        if name not in OF_SCIKIT_LEARN | _REGRESSION
    ),
    *(
        Entry(
            f"get_scorer {name} of three classes",
            _score(name),
            _THREE,
        )
        for name in ("f1_macro", "g_mean", "ovr_auc", "hand_till_auc", "neg_log_loss", "matthews_corrcoef")
    ),
    Entry(
        "MultiScorer",
        _many,
        _DATA,
        {"pos_label": 1},
        without={"bad weights": "a score that fails is nan with a warning, so on_error says"},
    ),
    Entry("ConfusionScorer", _cells, _THREE, {"labels": [0, 1, 2]}),
]
