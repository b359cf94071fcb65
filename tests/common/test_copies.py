"""Results, scorers and splitters survive pickle, copy and clone."""

import copy
import pickle

import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from skeval.metrics import ConfusionScorer, MultiScorer, get_scorer_names
from tests.common.entry import assert_same, numbers_in
from tests.common.lists import ERRORS, data, with_property
from tests.common.lists.scorers import OF_SCIKIT_LEARN, scorer_of
from tests.common.lists.splitters import MAKERS

COPIES = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "deepcopy": copy.deepcopy,
}
CLONES = {**COPIES, "clone": lambda one: clone(one, safe=False)}
SCORERS = {
    **{name: lambda name=name: scorer_of(name) for name in get_scorer_names() if name not in OF_SCIKIT_LEARN},
    "MultiScorer": lambda: MultiScorer(["f1", "roc_auc"], pos_label=1),
    "ConfusionScorer": lambda: ConfusionScorer([0, 1]),
}


@pytest.mark.parametrize("entry", with_property("copy"))
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_of_a_result_holds_the_same_numbers(entry, way):
    result = entry.result()
    again = COPIES[way](result)
    assert type(again) is type(result)
    assert_same(entry.numbers_of(result), entry.numbers_of(again), what=entry.name)


@pytest.mark.parametrize("way", CLONES)
@pytest.mark.parametrize("name", SCORERS)
def test_a_copy_of_a_scorer_gives_the_same_score(name, way):
    model = GaussianNB().fit(data.X, data.TWO)
    scorer = SCORERS[name]()
    again = CLONES[way](scorer)
    assert_same(
        numbers_in(scorer(model, data.X, data.TWO)), numbers_in(again(model, data.X, data.TWO)), what=name
    )


@pytest.mark.parametrize("way", CLONES)
@pytest.mark.parametrize("name", MAKERS)
def test_a_copy_of_a_splitter_gives_the_same_splits(name, way):
    splitter = MAKERS[name](7)
    again = CLONES[way](splitter)
    assert repr(again) == repr(splitter)
    assert_same(
        numbers_in(list(splitter.split(data.X_THREE, data.THREE))),
        numbers_in(list(again.split(data.X_THREE, data.THREE))),
        what=name,
    )


@pytest.mark.parametrize("error", ERRORS)
def test_errors_and_warnings_cross_processes(error):
    again = pickle.loads(pickle.dumps(error("some words")))
    assert type(again) is error
    assert str(again) == "some words"
