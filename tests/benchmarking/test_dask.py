"""On a Dask cluster: the numbers of a serial run, the data sent once, a lost worker no loss."""

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skeval.benchmarking import Benchmark
from skeval.cli import main
from skeval.cli._experiments import _cluster
from skeval.model_selection import KFoldSplit
from tests.benchmarking.helpers import Sleeping, toy

distributed = pytest.importorskip("distributed")
pytestmark = [
    # What a cluster leaves behind when it is shut down.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.fixture(scope="module")
def client():
    # The workers find the tests' own estimators.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(DOCS.parent), os.environ.get("PYTHONPATH", "")])
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}  # any free port
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def experiment(models, n_repeats=2):
    data = {"first": toy(400, seed=0), "second": toy(400, seed=1, labels=("no", "yes"))}
    cv = KFoldSplit(5, n_repeats=n_repeats, random_state=0)
    return Benchmark(models, data, cv=cv, scoring=["accuracy", "g_mean"])


def numbers(result):
    return result._records.columns["scores"], result._records.columns["cells"]


MODELS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_features=1),
    "forest": RandomForestClassifier(n_estimators=5),
}


def test_scores_are_those_of_a_serial_run_to_the_bit(client, tmp_path):
    serial = experiment(MODELS).run()
    with joblib.parallel_config(backend="dask"):
        on_cluster = experiment(MODELS).run(store=tmp_path / "results.db")
    assert numbers(on_cluster) == numbers(serial)
    assert on_cluster.n_done == len(on_cluster)


class CountedArray(np.ndarray):
    """An array that counts how often this process sends it."""

    n_sent = 0

    def __reduce__(self):
        type(self).n_sent += 1
        return np.asarray(self).__reduce__()

    def __reduce_ex__(self, protocol):
        type(self).n_sent += 1
        return np.asarray(self).__reduce_ex__(protocol)


def test_data_are_sent_once_and_not_with_every_task(client):
    X, y = toy(400)
    data = {"counted": (X.view(CountedArray), y)}
    run = Benchmark({"bayes": GaussianNB()}, data, cv=KFoldSplit(10, random_state=0), scoring="accuracy")
    with joblib.parallel_config(backend="dask"):
        result = run.run()
    assert result.n_done == 10
    assert CountedArray.n_sent <= 2  # once, and once to measure it


def test_a_worker_that_is_killed_costs_nothing_but_time(client):
    models = {"slow": Sleeping(min_samples_leaf=2)}
    serial = experiment(models).run()
    pid = next(iter(client.run(os.getpid).values()))
    threading.Timer(1.0, os.kill, (pid, signal.SIGKILL)).start()
    with joblib.parallel_config(backend="dask"):
        result = experiment(models).run()
    assert pid not in client.run(os.getpid).values()
    assert result.n_failed == 0
    assert numbers(result) == numbers(serial)


def tasks_of(client):
    """Return how many tasks the workers have run."""
    return sum(client.run(lambda dask_worker: dask_worker.state.executed_count).values())


def test_the_command_runs_on_the_cluster_whose_address_it_is_given(client, tmp_path, monkeypatch, capsys):
    (tmp_path / "e.toml").write_text(
        """
        scoring = "accuracy"
        cv = 3
        [estimators.bayes]
        class = "sklearn.naive_bayes.GaussianNB"
        [datasets.iris]
        load = "sklearn.datasets.load_iris"
        """
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    told, tasks = [], [tasks_of(client)]
    for place in (("--dask", client.scheduler.address), ()):
        assert main(["run", "e.toml", "--store", f"{len(place)}.db", *place]) == 0
        told.append([line for line in capsys.readouterr().out.splitlines() if ".db" not in line])
        tasks.append(tasks_of(client))
    assert told[0] == told[1]
    assert tasks[0] < tasks[1] == tasks[2]
    assert "3 fits done, 0 failed, 0 pending" in told[0]
    with _cluster(client.scheduler.address):
        pids = joblib.Parallel(n_jobs=1)(joblib.delayed(os.getpid)() for _ in range(4))
    assert set(pids) <= set(client.run(os.getpid).values())


def test_the_how_to_runs(tmp_path):
    """The page's script, as a user would save and run it."""
    page = (DOCS / "experiments.rst").read_text(encoding="utf-8")
    blocks = re.findall(r"\.\. code-block:: (toml|python)\n   :caption: (\S+)\n\n((?:   .*\n|\n)+)", page)
    for _, name, block in blocks:
        (tmp_path / name).write_text(re.sub(r"(?m)^   ", "", block), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "on_dask.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "report.html").exists()
    assert "0 failed, 0 pending" in run.stdout
