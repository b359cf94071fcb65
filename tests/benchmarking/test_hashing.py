"""A hash names a value by its content, the same in every process."""

import os
import subprocess
import sys
import threading
from functools import partial
from types import CellType, FunctionType

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse, special, stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.model_selection import RandomizedSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from skeval.benchmarking._hashing import UnstableError, stable_hash

SCRIPT = """
import numpy as np
import pandas as pd
from scipy import sparse, stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RandomizedSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from skeval.benchmarking._hashing import stable_hash

class Mine(ClassifierMixin, BaseEstimator):
    names = {"b", "a", "longer"}
    def __init__(self, a=1):
        super().__init__()
        self.a = a
    def fit(self, X, y):
        return self if self.a in {"x", "y", "zzz"} else None

values = [
    Mine(), Mine("x"), SVC(kernel=lambda a, b: a @ b.T), FunctionTransformer(np.log1p),
    make_pipeline(StandardScaler(), SVC(class_weight={"b": 1, "a": 2})),
    RandomizedSearchCV(SVC(), {"C": stats.loguniform(0.1, 10)}, cv=StratifiedKFold(3)),
    np.random.RandomState(3), np.random.default_rng(3), {"a", "b", "c"}, frozenset("xyz"),
    pd.DataFrame({"a": [1, None], "b": ["x", None], "c": pd.Categorical(["u", "v"])}),
    sparse.csr_array(np.eye(3)), ["text"] * 200,
]
for value in values:
    print(stable_hash(value))
"""


def test_is_the_same_in_every_process():
    printed = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    hashes = printed.pop().split()
    assert len(hashes) == len(set(hashes)) == 13


def make(code):
    """Define a class from text, as a changed script would."""
    space = {"BaseEstimator": BaseEstimator, "ClassifierMixin": ClassifierMixin, "__name__": "a_script"}
    exec(code, space)
    return space["Mine"]()


BODY = "class Mine(ClassifierMixin, BaseEstimator):\n    def fit(self, X, y):\n        return {}\n"

PROPERTY = "    @property\n    def cost(self):\n        return {}\n"
STATIC = "    @staticmethod\n    def cost():\n        return {}\n"
RECORD = [("a", int), ("b", float)]


def closed_over(*cell):
    """Return a function that uses a variable of its maker, which has a value or none yet."""

    def use():
        return variable

    variable = None
    return FunctionType(use.__code__, {}, "use", None, (CellType(*cell),))


DIFFERENT = {
    "parameter": (SVC(C=1.0), SVC(C=2.0)),
    "type of a parameter": (SVC(C=1.0), SVC(C=1)),
    "nested parameter": (make_pipeline(SVC(C=1)), make_pipeline(SVC(C=2))),
    "class": (SVC(), RandomForestClassifier()),
    "constant in a method": (make(BODY.format(1)), make(BODY.format(2))),
    "call in a method": (make(BODY.format("len(X)")), make(BODY.format("sum(X)"))),
    "lambda": (FunctionTransformer(lambda x: x + 1), FunctionTransformer(lambda x: x + 2)),
    "partial": (partial(np.clip, a_min=0), partial(np.clip, a_min=1)),
    "distribution": (stats.loguniform(1, 10), stats.loguniform(1, 100)),
    "kernel": (RBF(1.0), RBF(2.0)),
    "cell": (np.array([1.0, 2.0]), np.array([1.0, 2.5])),
    "dtype": (np.array([1, 2]), np.array([1.0, 2.0])),
    "shape": (np.zeros((2, 3)), np.zeros((3, 2))),
    "name of a column": (pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]})),
    "order of rows": (pd.Series(["x", "y"]), pd.Series(["y", "x"])),
    "texts cut elsewhere": (["ab", "c"] * 60, ["a", "bc"] * 60),
    "sparse": (sparse.eye_array(3).tocsr(), 2 * sparse.eye_array(3).tocsr()),
    "polars": (pl.DataFrame({"a": ["x", "y"]}), pl.DataFrame({"a": ["x", "z"]})),
    "field of a record": (np.array([(1, 2.0)], dtype=RECORD), np.array([(1, 3.0)], dtype=RECORD)),
    "object of a method": (SVC(C=1).fit, SVC(C=2).fit),
    "property": (make(BODY.format(1) + PROPERTY.format(1)), make(BODY.format(1) + PROPERTY.format(2))),
    "static method": (make(BODY.format(1) + STATIC.format(1)), make(BODY.format(1) + STATIC.format(2))),
    "function of numpy's kind": (special.expit, special.logit),
    "variable of a closure": (closed_over(1), closed_over(2)),
    "variable of a closure that has no value yet": (closed_over(1), closed_over()),
    "nan and None": (np.array([np.nan, 1], dtype=object), np.array([None, 1], dtype=object)),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_tells_values_apart(what):
    first, second = DIFFERENT[what]
    assert stable_hash(first) != stable_hash(second)


EQUAL = {
    "estimator": (SVC(), SVC()),
    "order of a dict": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "memory order": (np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))),
    "class defined again": (make(BODY.format(1)), make(BODY.format(1))),
    "a copy of a table": (pd.DataFrame({"a": ["x", "y"]}), pd.DataFrame({"a": ["x", "y"]}, index=[7, 8])),
    "unsummed sparse": (
        sparse.coo_array(([1.0, 1.0], ([0, 0], [1, 1])), shape=(2, 2)),
        sparse.coo_array(([2.0], ([0], [1])), shape=(2, 2)),
    ),
    "unsummed rows": (
        sparse.csr_array(([1.0, 1.0], [1, 1], [0, 2, 2]), shape=(2, 2)),
        sparse.csr_array(([2.0], [1], [0, 1, 1]), shape=(2, 2)),
    ),
    "a lock of a class": tuple(
        make("import threading\n" + BODY.format(1) + "    lock = threading.Lock()\n") for _ in range(2)
    ),
    "search": tuple(
        RandomizedSearchCV(SVC(), {"C": stats.loguniform(0.1, 10)}, cv=StratifiedKFold(3)) for _ in range(2)
    ),
    "closure that has no value yet": (closed_over(), closed_over()),
}


@pytest.mark.parametrize("what", EQUAL)
def test_knows_the_same_value_again(what):
    first, second = EQUAL[what]
    assert stable_hash(first) == stable_hash(second)


def test_a_frozen_distribution_does_not_depend_on_the_global_generator():
    before = stable_hash(stats.loguniform(0.1, 10))
    stats.norm.rvs(size=7)  # draws from it
    assert stable_hash(stats.loguniform(0.1, 10)) == before


@pytest.mark.parametrize("value", [threading.Lock(), (n for n in range(3)), np])
def test_refuses_what_no_other_process_could_see(value):
    with pytest.raises(UnstableError, match="cannot be recognized in another process"):
        stable_hash(value)


def test_the_message_names_the_parameter():
    with pytest.raises(UnstableError, match=r"SVC\.C: a lock"):
        stable_hash(SVC(C=threading.Lock()))
