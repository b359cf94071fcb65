"""Matrices and rankings that were stored or copied come back as they were; other files are refused."""

import copy
import os
import pickle

import numpy as np
import pytest

from skeval.metrics import ConfusionMatrix, RankedScores
from tests.metrics.matrices import THREE, same


@pytest.mark.parametrize(
    "cm",
    [
        ConfusionMatrix.from_predictions(["b", "a"], ["a", "a"]),
        ConfusionMatrix.from_predictions([True], [True]),
        ConfusionMatrix.from_predictions([0, 1], [0, 1], labels=[1, 0], sample_weight=[0.5, 0.5]),
        ConfusionMatrix([THREE, THREE], labels=["x", "y", "z"]),
        ConfusionMatrix([[0.5, 0], [0, 0.5]]),
        ConfusionMatrix(THREE).one_vs_one(),
    ],
    ids=["strings", "bool", "weights", "stack", "fractions", "pairs"],
)
def test_a_stored_matrix_comes_back_as_it_was(cm, tmp_path):
    for name in ("cm.npz", "cm"):  # whatever the name, the file has that name
        cm.save(tmp_path / name)
        loaded = ConfusionMatrix.load(str(tmp_path / name))
        assert same(loaded, cm)
        assert loaded.labels.dtype.kind == cm.labels.dtype.kind
        assert loaded._absent_left_out == cm._absent_left_out
    assert same(pickle.loads(pickle.dumps(cm)), cm)
    assert same(copy.deepcopy(cm), cm)


@pytest.mark.parametrize(
    "ranked",
    [
        RankedScores.from_predictions(["a", "b", "a"], [1, 2, 3], pos_label="a"),
        RankedScores.from_predictions([True, False], [1, 2]),
        RankedScores.from_predictions([0, 1], [0.1, 0.2], sample_weight=[0.5, 0.25]),
    ],
    ids=["strings", "bool", "weights"],
)
def test_a_stored_ranking_comes_back_as_it_was(ranked, tmp_path):
    for name in ("ranked.npz", "ranked"):
        ranked.save(tmp_path / name)
        loaded = RankedScores.load(str(tmp_path / name))
        assert loaded == ranked
        assert type(loaded.pos_label) is type(ranked.pos_label)
        assert loaded.true_positives.dtype == ranked.true_positives.dtype
    assert pickle.loads(pickle.dumps(ranked)) == ranked
    assert copy.deepcopy(ranked) == ranked


def test_stored_batches_add_like_the_others(tmp_path):
    a, b = ConfusionMatrix.from_predictions([0], [1]), ConfusionMatrix.from_predictions([2], [2])
    a.save(tmp_path / "a")
    assert same(ConfusionMatrix.load(tmp_path / "a") + b, a + b)


@pytest.mark.parametrize("kind", [ConfusionMatrix, RankedScores])
def test_a_file_that_would_run_code_is_refused_and_runs_none(kind, tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "ran"),)

    np.savez(tmp_path / "bad.npz", counts=np.array([Trap()], dtype=object))
    told = rf"path must be a file that {kind.__name__}.save\(\) wrote, got '.*bad"
    with pytest.raises(ValueError, match=told):
        kind.load(tmp_path / "bad.npz")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("kind", [ConfusionMatrix, RankedScores])
def test_a_file_of_something_else_is_refused_by_its_name(kind, tmp_path):
    np.save(tmp_path / "array.npy", np.eye(2))
    np.savez(tmp_path / "other.npz", other=np.eye(2))
    (tmp_path / "text").write_text("true,predicted\n0,1\n")
    (tmp_path / "empty").touch()
    (tmp_path / "cut").write_bytes((tmp_path / "other.npz").read_bytes()[:200])
    for path in tmp_path.iterdir():
        told = rf"path must be a file that {kind.__name__}.save\(\) wrote, got '.*{path.name}'"
        with pytest.raises(ValueError, match=told):
            kind.load(path)
    with pytest.raises(FileNotFoundError, match="missing"):
        kind.load(tmp_path / "missing")
