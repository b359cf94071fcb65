"""The commands run, status and report: what they print and write, and what they say of bad input."""

import os
import shutil
import sqlite3
import sys

import matplotlib.pyplot as plt
import pytest

from skeval.benchmarking._store import Store
from skeval.cli import main

plt.switch_backend("Agg")

EXPERIMENT = """
scoring = ["accuracy"]
[estimators.bayes]
class = "sklearn.naive_bayes.GaussianNB"
[estimators.mine]
class = "my_models.Mine"
[datasets.iris]
load = "sklearn.datasets.load_iris"
[datasets.wine]
load = "sklearn.datasets.load_wine"
[cv]
class = "skeval.model_selection.KFoldSplit"
params = {n_splits = 3, random_state = 0}
"""
MODELS = """
from sklearn.tree import DecisionTreeClassifier

class Mine(DecisionTreeClassifier):
    def fit(self, X, y):
        if X.shape[1] == 13:
            raise RuntimeError("wine is too much")
        return super().fit(X, y)
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command in a folder with an experiment: (status, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_models", raising=False)
    (tmp_path / "exp").mkdir()
    (tmp_path / "exp" / "test.toml").write_text(EXPERIMENT, encoding="utf-8")
    (tmp_path / "exp" / "my_models.py").write_text(MODELS, encoding="utf-8")
    capsys.readouterr()

    def call(*arguments):
        status = main(list(arguments))
        return status, *capsys.readouterr()

    return call


def test_runs_resumes_tells_and_reports(run, tmp_path):
    status, out, err = run("run", "exp/test.toml")
    assert status == 0
    assert "exp/test.toml: 2 estimators, 2 data sets; results in exp/test.db" in out
    assert "9 fits done, 3 failed, 0 pending" in out
    assert "skeval: warning: 3 of 12 fits failed: mine on wine (3): RuntimeError: wine is too much" in err
    table = out[out.index("\ndata set") + 1 :].splitlines()
    assert table[1].split()[0] == "iris"
    assert len(table[2].split()) == 2  # wine has no score of mine

    again = run("run", "exp/test.toml", "--resume", "--store", "exp/test.db")
    assert again[1].splitlines()[1:] == out.splitlines()[1:]

    status, out, _ = run("status", "exp/test.db")
    assert status == 0
    assert out.startswith("exp/test.db: not running; last run from ")
    assert out.splitlines()[-1] == "9 of 12 fits done, 3 failed, 0 pending (100 % ended)"

    status, out, _ = run("report", "exp/test.db", "-o", "table.html", "--title", "My <trees>")
    assert (status, out) == (0, "Written: table.html\n")
    assert "<h1>My &lt;trees&gt;</h1>" in (tmp_path / "table.html").read_text(encoding="utf-8")


def test_fits_are_run_again_when_asked_for(run):
    run("run", "exp/test.toml")
    with sqlite3.connect("exp/test.db") as connection:
        before = connection.execute("SELECT fit_time FROM task ORDER BY position").fetchall()
    connection.close()
    for option, changed in (("--resume", 0), ("--retry-failed", 0), ("--no-resume", 9)):
        assert run("run", "exp/test.toml", option)[0] == 0
        with sqlite3.connect("exp/test.db") as connection:
            after = connection.execute("SELECT fit_time FROM task ORDER BY position").fetchall()
        connection.close()
        assert sum(one != other for one, other in zip(before, after, strict=True)) == changed


def test_a_store_that_was_copied_without_its_lock_is_not_running(run):
    run("run", "exp/test.toml")
    shutil.copy("exp/test.db", "copy.db")
    status, out, _ = run("status", "copy.db")
    assert status == 0
    assert out.startswith("copy.db: not running; last run from ")


def test_status_while_a_run_has_the_store(run):
    run("run", "exp/test.toml")
    with Store("exp/test.db", write=True):
        status, out, _ = run("status", "exp/test.db")
        assert status == 0
        assert "exp/test.db: running as process" in out
        status, out, err = run("run", "exp/test.toml")
        assert status == 2
        assert err.startswith("skeval: Another run writes into exp/test.db (process ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "nothing.toml"), "skeval: nothing.toml: No such file or directory\n"),
        (("run", "exp/my_models.py"), "skeval: exp/my_models.py: exp/my_models.py is no TOML"),
        (("run", "exp/test.toml", "--store", "no/folder.db"), "the folder is not there"),
        (
            ("run", "exp/test.toml", "--store", "exp/my_models.py"),
            "it is no SQLite file; nothing was changed",
        ),
        (("run", "exp/test.toml", "--time-limit", "0"), "--time-limit: must be a number above 0"),
        (
            ("run", "exp/test.toml", "--dask", "tcp://nowhere:1", "--memory-limit", "100"),
            "--memory-limit is not for --dask",
        ),
        (("status", "nothing.db"), "skeval: There is no store nothing.db.\n"),
        (("report", "exp/test.toml"), "it is no SQLite file"),
        (("report", "exp/test.db", "--alpha", "2"), "must be a number strictly between 0 and 1"),
        (("run",), "the following arguments are required: EXPERIMENT.toml"),
    ],
)
def test_bad_input_is_told_with_status_2(run, arguments, message):
    status, _, err = run(*arguments)
    assert status == 2
    assert message in err
    assert "Traceback" not in err


def test_data_that_cannot_work_are_told_with_their_name(run, tmp_path):
    text = EXPERIMENT.replace('["accuracy"]', '["f1"]')
    (tmp_path / "exp" / "test.toml").write_text(text, encoding="utf-8")
    status, _, err = run("run", "exp/test.toml")
    assert status == 2
    assert err.startswith("skeval: exp/test.toml: ")
    assert "two classes, got 3" in err
    assert "data set 'iris'" in err
    assert not (tmp_path / "exp" / "test.db").exists()
    assert not (tmp_path / "exp" / "test.db.lock").exists()


@pytest.mark.parametrize("name", ["gone.csv", "gone.parquet"])
def test_a_data_file_that_is_not_there_is_named(run, tmp_path, name):
    text = EXPERIMENT.replace('load = "sklearn.datasets.load_iris"', f'path = "{name}"')
    (tmp_path / "exp" / "test.toml").write_text(text, encoding="utf-8")
    before = sorted(os.listdir(tmp_path / "exp"))
    status, _, err = run("run", "exp/test.toml")
    assert status == 2
    assert err == f"skeval: exp/{name}: No such file or directory (data set 'iris')\n"
    assert sorted({*os.listdir(tmp_path / "exp")} - {"__pycache__"}) == before


def test_a_data_file_without_the_target_is_told_with_the_experiment(run, tmp_path):
    text = EXPERIMENT.replace('load = "sklearn.datasets.load_iris"', 'path = "iris.csv"')
    (tmp_path / "exp" / "test.toml").write_text(text, encoding="utf-8")
    (tmp_path / "exp" / "iris.csv").write_text("a,species\n1,x\n", encoding="utf-8")
    status, _, err = run("run", "exp/test.toml")
    assert status == 2
    assert err.startswith("skeval: exp/test.toml: exp/iris.csv has no column 'target'")


@pytest.mark.parametrize(
    ("output", "told"), [("no/folder.html", "No such file or directory"), ("exp", "Is a directory")]
)
def test_a_report_that_cannot_be_written_is_named(run, output, told):
    run("run", "exp/test.toml")
    status, _, err = run("report", "exp/test.db", "-o", output)
    assert status == 2
    assert err == f"skeval: {output}: {told}\n"


def test_a_report_never_replaces_the_store(run, tmp_path):
    run("run", "exp/test.toml")
    before = (tmp_path / "exp" / "test.db").read_bytes()
    status, out, err = run("report", "exp/test.db", "-o", "exp/../exp/test.db")
    assert (status, out) == (2, "")
    assert "is a database or belongs to one" in err
    assert (tmp_path / "exp" / "test.db").read_bytes() == before


@pytest.mark.parametrize("command", ["run", "status", "report"])
def test_help_explains_with_an_example(run, command):
    status, out, _ = run(command, "--help")
    assert status == 0
    assert f"example:\n  skeval {command} " in out
