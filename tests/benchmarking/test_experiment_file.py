"""Experiments in TOML: what a file names becomes the same experiment as in Python."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

from skeval.benchmarking import Benchmark
from skeval.model_selection import KFoldSplit
from tests.benchmarking.helpers import toy

WHOLE = """
scoring = ["accuracy", "f1"]
pos_label = {iris = 1, mine = "yes"}
random_state = 3

[estimators.bayes]
class = "sklearn.naive_bayes.GaussianNB"

[estimators.svm]
steps = [
    {class = "sklearn.preprocessing.FunctionTransformer", params = {func = {import = "numpy.arctan"}}},
    {class = "sklearn.preprocessing.StandardScaler"},
    {class = "sklearn.svm.SVC", params = {C = 2.0}},
]

[datasets.iris]
load = "sklearn.datasets.make_classification"
params = {n_samples = 60, random_state = 0}

[datasets.mine]
path = "mine.csv"
target = "answer"

[cv]
class = "skeval.model_selection.KFoldSplit"
params = {n_splits = 5, random_state = 0}
"""
PART = """
scoring = "accuracy"
cv = 3
[estimators.bayes]
class = "sklearn.naive_bayes.GaussianNB"
[datasets.iris]
load = "sklearn.datasets.load_iris"
"""


@pytest.fixture
def write(tmp_path):
    X, y = toy(labels=("no", "yes"))
    pd.DataFrame(X, columns=list("abc")).assign(answer=y).to_csv(tmp_path / "mine.csv", index=False)

    def write(text):
        path = tmp_path / "experiment.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_is_the_experiment_that_python_would_make(write):
    from sklearn.datasets import make_classification

    path = write(WHOLE)
    frame = pd.read_csv(path.parent / "mine.csv")
    expected = Benchmark(
        {
            "bayes": GaussianNB(),
            "svm": make_pipeline(FunctionTransformer(np.arctan), StandardScaler(), SVC(C=2.0)),
        },
        {
            "iris": make_classification(n_samples=60, random_state=0),
            "mine": (frame.drop(columns="answer"), frame["answer"]),
        },
        cv=KFoldSplit(5, random_state=0),
        scoring=["accuracy", "f1"],
        pos_label={"iris": 1, "mine": "yes"},
        random_state=3,
    )
    columns = ["dataset", "estimator", "split", "accuracy", "f1", "seed", "split_key"]
    got = Benchmark.from_toml(path).run()
    assert got.frame()[columns].equals(expected.run().frame()[columns])


def test_a_short_file(write):
    assert len(Benchmark.from_toml(write(PART)).run()) == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cv = 3", "cv = ", r"experiment\.toml is no TOML"),
        ("cv = 3", "", r"missing \['cv'\]"),
        ("cv = 3", "cv = 3\ncvv = 3", r"unknown \['cvv'\]"),
        ("GaussianNB", "GaussianNN", r"\[estimators\.bayes\]: .*naive_bayes has no GaussianNN"),
        ("sklearn.naive_bayes.", "", r'an import path is a text like "sklearn\.svm\.SVC"'),
        ("sklearn.naive_bayes", "sklearn.naiv", r"\[estimators\.bayes\]: ModuleNotFoundError"),
        (
            "[datasets.iris]\nload",
            "[datasets.iris]\nread",
            r'\[datasets\.iris\]: .* "path", "openml" or "load"',
        ),
        ('NB"', 'NB"\nparams = {smoothing = 1}', r"\[estimators\.bayes\]: TypeError: .*smoothing"),
        ('NB"', 'NB"\nparam = {a = 1}', r"unknown entries \['param'\] beside 'class'"),
        ("[estimators.bayes]\nclass", "estimators = 3\n#", "estimators must be a table"),
    ],
)
def test_a_mistake_is_told_with_its_entry(write, old, new, message):
    assert old in PART
    with pytest.raises(ValueError, match=message):
        Benchmark.from_toml(write(PART.replace(old, new)))
