"""Runs of many fits: the number of workers, parameters of fit in every runner, an interrupt."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skeval.diagnosis import bias_variance, diagnose_learning_curve, diagnose_validation_curve
from skeval.exceptions import ResamplingWarning
from skeval.intervals import generalization_interval
from skeval.model_selection import (
    BootstrapSplit,
    KFoldSplit,
    bootstrap_error,
    evaluate,
    nested_cross_validate,
    variance_parts,
)
from skeval.model_selection._fitting import (
    check_fit_params,
    run_tasks,
    try_tasks,
    warn_missing_classes,
    weight_name,
)

RNG = np.random.default_rng(0)
X = np.column_stack([np.arange(40.0), RNG.normal(size=(40, 2))])
Y = (X[:, 1] + RNG.normal(size=40) > 0).astype(int)
CV = KFoldSplit(4, random_state=0)


def grid(estimator):
    return GridSearchCV(estimator, {"depth": [1, 2]} if isinstance(estimator, Noted) else {}, cv=KFold(2))


def boot(n_splits=20):
    return BootstrapSplit(n_splits, stratify=True, random_state=0)


# Each runner: how it is called, whether it takes weights.
RUNNERS = {
    "evaluate": lambda model, **given: evaluate(model, X, Y, cv=CV, **given).predictions().y_pred,
    "nested": lambda model, **given: (
        nested_cross_validate(grid(model), X, Y, cv=CV, **given).predictions().y_pred
    ),
    "bootstrap_error": lambda model, **given: (
        bootstrap_error(model, X, Y, method="oob", cv=boot(), **given).per_observation
    ),
    "variance_parts": lambda model, **given: (
        variance_parts(model, X, Y, cv=CV, n_seeds=2, random_state=0, **given).scores
    ),
    "generalization_interval": lambda model, **given: tuple(
        generalization_interval(model, X, Y, method="cv-wald", cv=CV, **given)
    ),
    "any score": lambda model, **given: tuple(
        generalization_interval(model, X, Y, scoring="accuracy", cv=CV, **given)
    ),
    "bias_variance": lambda model, **given: bias_variance(
        model, X, Y, n_splits=20, random_state=0, **given
    ).per_sample["loss"],
    "learning curve": lambda model, **given: (
        diagnose_learning_curve(
            model, X, Y, cv=CV, train_sizes=[0.5, 1.0], random_state=0, **given
        ).curve.cv_errors
    ),
    "validation curve": lambda model, **given: (
        diagnose_validation_curve(
            model, X, Y, cv=CV, param_name="random_state", param_range=[0, 1], **given
        ).curve.cv_errors
    ),
}
QUIET = pytest.mark.filterwarnings("ignore::skeval.exceptions.SkevalWarning")


class Noted(ClassifierMixin, BaseEstimator):
    """A tree of one level that notes what every fit was given."""

    fits: ClassVar[list] = []

    def __init__(self, depth=1, random_state=None):
        self.depth, self.random_state = depth, random_state

    def fit(self, X, y, sample_weight=None, marks=None, label=None):
        type(self).fits.append((np.asarray(X)[:, 0].astype(int), sample_weight, marks, label))
        self.tree_ = DecisionTreeClassifier(max_depth=self.depth, random_state=0)
        self.tree_.fit(X, y, sample_weight=sample_weight)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


def equal(one, two):
    if isinstance(one, dict):
        return all(equal(one[name], two[name]) for name in one)
    return np.array_equal(one, two, equal_nan=np.asarray(one).dtype.kind == "f")


@QUIET
@pytest.mark.parametrize("runner", list(RUNNERS))
def test_the_number_of_workers_changes_no_bit(runner):
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    assert equal(*(RUNNERS[runner](model, n_jobs=n) for n in (1, 2)))


@pytest.mark.parametrize("n_items", [1, 7, 100])
def test_results_come_in_the_order_of_the_tasks_however_they_are_cut(n_items):
    items = [(number,) for number in range(n_items)]
    expected = [10 + number for number in range(n_items)]
    assert run_tasks(int.__add__, (10,), items, 1) == expected
    assert run_tasks(int.__add__, (10,), items, 2) == expected


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_tasks_that_fail_are_left_out_and_told(n_jobs):
    told = "2 of 4 quotients failed and are left out, the first with ZeroDivisionError: "
    with pytest.warns(ResamplingWarning, match=f"^{told}"):
        results, kept = try_tasks(int.__floordiv__, (6,), [(3,), (0,), (2,), (0,)], n_jobs, what="quotients")
    assert (results, kept) == ([2, 3], [0, 2])


def test_tasks_that_all_work_are_not_told():
    assert try_tasks(int.__floordiv__, (6,), [(3,), (2,)], 1, what="quotients") == ([2, 3], [0, 1])


def test_tasks_that_all_fail_are_an_error():
    with pytest.raises(ValueError, match="All 2 quotients failed, the first with ZeroDivisionError: "):
        try_tasks(int.__floordiv__, (6,), [(0,), (0,)], 1, what="quotients")


def test_classes_that_training_parts_lack_are_told_the_rarest_first():
    codes, trains = np.array([0, 0, 1, 2]), [np.array([0, 1, 2]), np.array([0, 1]), np.array([0, 3, 2])]
    told = "The training part lacks class 'c' in 2, class 'b' in 1 of 3 rounds; draw more."
    with pytest.warns(ResamplingWarning, match=f"^{told}$"):
        warn_missing_classes(codes, np.array(["a", "b", "c"]), trains, what="rounds", way_out="draw more")


def test_no_class_is_told_where_none_is_lacking(recwarn):
    codes, classes = np.array([0, 1]), np.array([3, 4])
    warn_missing_classes(codes, classes, [np.array([1, 0])], what="rounds", way_out="wait")
    assert not recwarn.list


@QUIET
@pytest.mark.parametrize("runner", list(RUNNERS))
def test_parameters_of_fit_reach_every_fit_with_its_own_rows(runner):
    Noted.fits.clear()
    RUNNERS[runner](Noted(), params={"marks": np.arange(40) * 10, "label": "all"})
    assert len(Noted.fits) >= 4
    for rows, weight, marks, label in Noted.fits:
        assert np.array_equal(marks, rows * 10)
        assert weight is None
        assert label == "all"


@QUIET
@pytest.mark.parametrize("runner", list(RUNNERS))
def test_weights_reach_every_fit_with_its_own_rows(runner):
    Noted.fits.clear()
    RUNNERS[runner](Noted(), sample_weight=np.arange(40) + 1)
    assert Noted.fits
    for rows, weight, _, _ in Noted.fits:
        assert np.array_equal(weight, rows + 1)


@QUIET
@pytest.mark.parametrize("runner", [name for name in RUNNERS if name not in ("nested", "validation curve")])
def test_weights_reach_a_pipeline_with_and_without_metadata_routing(runner):
    weight = np.where(Y == 1, 1, 9)
    plain = make_pipeline(StandardScaler(), LogisticRegression())
    expected = RUNNERS[runner](plain, sample_weight=weight)
    with config_context(enable_metadata_routing=True):
        routed = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            LogisticRegression().set_fit_request(sample_weight=True),
        )
        assert equal(RUNNERS[runner](routed, sample_weight=weight), expected)
        with pytest.raises(ValueError, match="no part of Pipeline asks for it"):
            RUNNERS[runner](plain, sample_weight=weight)


def test_nested_weights_and_groups_with_metadata_routing():
    groups = np.arange(40) // 4
    Noted.fits.clear()
    with config_context(enable_metadata_routing=True):
        asks = Noted().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        search = GridSearchCV(asks, {"depth": [1, 2]}, cv=KFoldSplit(3, random_state=0))
        nested_cross_validate(search, X, Y, cv=CV, groups=groups, sample_weight=np.arange(40) + 1)
    assert len(Noted.fits) == 4 * (2 * 3 + 1)
    for rows, weight, _, _ in Noted.fits:
        assert np.array_equal(weight, rows + 1)
        assert np.bincount(groups[rows])[np.unique(groups[rows])].tolist() == [4] * len(
            np.unique(groups[rows])
        )


def test_the_name_of_weights_is_that_of_the_step():
    assert weight_name(make_pipeline(StandardScaler(), LogisticRegression())) == (
        "logisticregression__sample_weight"
    )
    assert weight_name(GridSearchCV(LogisticRegression(), {})) == "sample_weight"


def test_parameters_with_one_entry_per_sample_are_told_from_others():
    given = {
        "a": np.zeros((3, 2)),
        "b": [1, 2, 3],
        "c": "abc",
        "d": {1: 2, 3: 4, 5: 6},
        "e": np.array(1),
        "f": [1],
    }
    assert check_fit_params([], 3, params=given).per_row == {"a", "b"}


@pytest.mark.skipif(not Path("/proc").exists(), reason="children are read from /proc")
def test_an_interrupt_leaves_no_worker(tmp_path):
    """Ctrl-C reaches the whole group; nothing of it may live on."""
    script = tmp_path / "long_run.py"
    script.write_text(
        textwrap.dedent("""
            import signal
            import time
            from pathlib import Path
            import numpy as np
            from sklearn.dummy import DummyClassifier
            from skeval.model_selection import HoldOutSplit, evaluate

            class Slow(DummyClassifier):
                def fit(self, X, y):
                    Path("started").touch()
                    time.sleep(0.2)
                    return super().fit(X, y)

            if __name__ == "__main__":
                # A suite that a shell started in the background ignores Ctrl-C, and so would this.
                signal.signal(signal.SIGINT, signal.default_int_handler)
                y = np.tile([0, 1], 50)
                evaluate(Slow(), np.zeros((100, 1)), y, cv=HoldOutSplit(2000, random_state=0), n_jobs=2)
        """)
    )
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, str(tmp_path)])}
    run = subprocess.Popen(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env=environment,
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _wait(lambda: (tmp_path / "started").exists(), 60)
        os.killpg(run.pid, signal.SIGINT)
        _, told = run.communicate(timeout=60)
        assert "KeyboardInterrupt" in told
        assert run.returncode != 0
        _wait(lambda: not _living(run.pid), 20)
    finally:
        if _living(run.pid):
            os.killpg(run.pid, signal.SIGKILL)


def _wait(done, seconds):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def _living(session):
    """Return the processes of a session that are not dead."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            state, _, _, own = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(own) == session and state != "Z":
            found.append(int(entry.name))
    return found
