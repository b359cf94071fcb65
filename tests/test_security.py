"""No file of a stranger runs code: what the package may not call, and what it refuses to load."""

import ast
import io
from pathlib import Path

import numpy as np
import pytest

from skeval.comparison import compare_scores
from skeval.metrics import ConfusionMatrix, RankedScores

ROOT = Path(__file__).parents[1]
MODULES = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "skeval").rglob("*.py"))}
UNSAFE_MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "yaml", "subprocess"}
UNSAFE_CALLS = {"eval", "exec", "compile", "__import__", "system", "popen"}
# Where a name becomes a module: extras, and import paths that a user wrote into an experiment.
IMPORTERS = {
    "skeval/utils/_optional.py",
    "skeval/benchmarking/_experiment_file.py",
    "skeval/benchmarking/_task.py",  # the package itself, for its version
}


def calls(tree):
    """Return (name, call) of every call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name):
                yield function.id, node
            elif isinstance(function, ast.Attribute):
                owner = function.value.id if isinstance(function.value, ast.Name) else ""
                yield f"{owner}.{function.attr}", node


@pytest.fixture(scope="module")
def trees():
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def test_nothing_that_unpickles_or_runs_commands_is_imported(trees):
    for name, tree in trees.items():
        for node in ast.walk(tree):
            found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {one.partition(".")[0] for one in found} & UNSAFE_MODULES, name


def test_no_text_is_run_as_code(trees):
    for name, tree in trees.items():
        for called, _ in calls(tree):
            plain = called in UNSAFE_CALLS or called in ("os.system", "os.popen", "joblib.load")
            assert not plain, f"{name} calls {called}"


def test_arrays_are_never_loaded_with_objects(trees):
    for name, tree in trees.items():
        for called, node in calls(tree):
            if called.endswith((".load", ".savez", ".save")):
                allowed = [one.value for one in node.keywords if one.arg == "allow_pickle"]
                assert all(isinstance(one, ast.Constant) and one.value is False for one in allowed), name


def test_modules_are_looked_up_by_name_where_that_is_meant(trees):
    found = {name for name, tree in trees.items() for called, _ in calls(tree) if "import_module" in called}
    assert found <= IMPORTERS


def test_the_documentation_says_that_an_experiment_file_is_code():
    text = " ".join((ROOT / "docs" / "trust.rst").read_text(encoding="utf-8").split())
    assert "An experiment file is code" in text


@pytest.mark.parametrize("kind", [ConfusionMatrix, RankedScores])
def test_a_stored_statistic_that_holds_objects_is_refused(kind, tmp_path):
    path = tmp_path / "stranger.npz"
    buffer = io.BytesIO()
    payload = np.array([{"a": 1}], dtype=object)
    np.savez(
        buffer,
        counts=payload,
        labels=payload,
        thresholds=payload,
        true_positives=payload,
        false_positives=payload,
    )
    path.write_bytes(buffer.getvalue())
    with pytest.raises((ValueError, KeyError)):
        kind.load(path)


def test_names_are_escaped_in_html_and_latex():
    names = ["<script>alert(1)</script>", "a & b_c%", "c"]
    table = dict(zip(names, np.random.default_rng(0).random((3, 8)), strict=True))
    result = compare_scores(table)
    assert "<script>" not in result._repr_html_()
    assert r"a \& b\_c\%" in result.latex()
