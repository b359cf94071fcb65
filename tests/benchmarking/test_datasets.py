"""Data sets from arrays, bunches, functions, files and OpenML."""

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from sklearn.datasets import load_iris

from skeval.benchmarking._datasets import as_source

X, Y = np.arange(12.0).reshape(6, 2), np.array(["a", "b"] * 3)
GROUPS = [0, 0, 1, 1, 2, 2]


def load(given, *, classify=True):
    return as_source("name", given).load(classify=classify)


def test_arrays():
    data = load((X, Y))
    assert data.X is X
    assert data.y.tolist() == Y.tolist()
    assert data.groups is None
    assert data.classes.tolist() == ["a", "b"]


def test_arrays_with_groups():
    assert load((X, Y, GROUPS)).groups.tolist() == GROUPS


def test_bunch():
    data = load(load_iris())
    assert data.X.shape == (150, 4)
    assert data.classes.tolist() == [0, 1, 2]


def test_a_function_is_called_when_its_turn_comes():
    called = []

    def read():
        called.append(1)
        return X, Y

    source = as_source("name", read)
    assert called == []
    assert source.load(classify=True).y.tolist() == Y.tolist()
    assert called == [1]


def test_numbers_for_regressors():
    data = load((X, np.arange(6)), classify=False)
    assert data.classes is None
    assert data.y.dtype == np.float64


@pytest.fixture
def table(tmp_path):
    frame = pd.DataFrame({"a": X[:, 0], "b": list("uvuvuv"), "target": Y, "who": GROUPS})
    frame.to_csv(tmp_path / "table.csv", index=False)
    frame.to_parquet(tmp_path / "table.parquet", index=False)
    return tmp_path


@pytest.mark.parametrize("name", ["table.csv", "table.parquet"])
def test_file(table, name):
    data = load(table / name)
    assert list(data.X.columns) == ["a", "b", "who"]
    assert data.y.tolist() == Y.tolist()


def test_file_with_named_columns(table):
    data = load({"path": table / "table.csv", "target": "b", "groups": "who"})
    assert list(data.X.columns) == ["a", "target"]
    assert data.y.tolist() == list("uvuvuv")
    assert data.groups.tolist() == GROUPS


def test_file_without_its_target_names_the_columns(table):
    with pytest.raises(ValueError, match=r"no column 'class' for target; name one of \['a', 'b', 'target'"):
        load({"path": table / "table.csv", "target": "class"})


def test_openml(monkeypatch):
    asked = {}

    def fetch(**options):
        asked.update(options)
        return sklearn.utils.Bunch(data=X, target=Y)

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    assert load(31).y.tolist() == Y.tolist()
    assert asked == {"data_id": 31}
    load({"openml": 31, "target": "class"})
    assert asked == {"data_id": 31, "target_column": "class"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("data.txt", r"must end in \.csv, \.parquet, \.pq"),
        ((X,), r"datasets\['name'\] must be \(X, y\)"),
        (None, r"datasets\['name'\] must be"),
        (True, r"datasets\['name'\] must be"),
        ({"path": "a.csv", "targets": "b"}, r"got \['targets'\] too"),
    ],
)
def test_refuses_what_is_no_data_set(given, message):
    with pytest.raises(ValueError, match=message):
        as_source("name", given)


@pytest.mark.parametrize(
    ("given", "classify", "message"),
    [
        ((X, Y[:5]), True, "X has 6 rows, y has 5"),
        ((X[:0], Y[:0]), True, "at least 1"),
        ((X, Y, GROUPS[:3]), True, "3 for 6 rows"),
        ((X, [0.5, 1, 2, 3, 4, 5]), True, "continuous"),
        ((X, ["a", None] * 3), True, "missing value at position 1"),
        ((X, Y), False, "y must hold numbers"),
        ((X, [1, np.nan, 3, 4, 5, 6]), False, "finite"),
    ],
)
def test_bad_data_is_refused_with_the_name_of_the_data_set(given, classify, message):
    with pytest.raises(ValueError, match=message) as caught:
        load(given, classify=classify)
    assert caught.value.__notes__ == ["(data set 'name')"]
