"""A run: the same numbers however it is run, failures that are rows, refusals before the first fit."""

import sys
import threading

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import GridSearchCV, ShuffleSplit, TimeSeriesSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skeval.benchmarking import Benchmark, BenchmarkResult, StoreBusyError, StoreError
from skeval.benchmarking._store import Store
from skeval.metrics import MultiScorer, get_scorer
from skeval.model_selection import BootstrapSplit, KFoldSplit
from tests.benchmarking.helpers import (
    Dying,
    Failing,
    Hungry,
    Logged,
    LoggedFailing,
    Sleeping,
    Warning_,
    fails_on,
    small,
    toy,
)

METRICS = ["accuracy", "g_mean"]
MODELS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_features=1),
    "forest": make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=5)),
}


@pytest.fixture(scope="module")
def serial():
    return small(MODELS).run()


def numbers(result):
    """Return all that must not depend on how an experiment is run."""
    columns = ["dataset", "estimator", "split", "status", *result.metrics, "n_train", "n_test", "split_key"]
    return result.frame()[columns], result._records.columns["cells"]


def assert_equal(first, second):
    (one, cells), (two, other_cells) = numbers(first), numbers(second)
    assert one.equals(two)
    assert cells == other_cells


def test_scores_are_those_of_cross_validate(serial):
    # scikit-learn's own loop on the same splits, for an estimator that draws nothing.
    for name, seed in (("first", 0), ("second", 1)):
        X, y = toy(seed=seed)
        expected = cross_validate(GaussianNB(), X, y, cv=KFoldSplit(5, random_state=0), scoring="accuracy")
        assert serial.cv_scores(name, "accuracy")["bayes"].scores.tolist() == expected["test_score"].tolist()


def test_the_seed_of_a_split_is_its_random_state(serial):
    rows = serial.frame().query("dataset == 'first' and estimator == 'tree'")
    X, y = toy(seed=0)
    for (train, test), row in zip(KFoldSplit(5, random_state=0).split(X, y), rows.itertuples(), strict=True):
        tree = DecisionTreeClassifier(max_features=1, random_state=row.seed).fit(X[train], y[train])
        assert tree.score(X[test], y[test]) == row.accuracy


def test_cells_are_those_of_the_confusion_matrix(serial):
    X, y = toy(seed=0)
    expected = []
    for train, test in KFoldSplit(5, random_state=0).split(X, y):
        said = GaussianNB().fit(X[train], y[train]).predict(X[test])
        expected.append(confusion_matrix(y[test], said, labels=[0, 1]))
    assert np.array_equal(serial.confusion("first")["bayes"].counts, expected)


def test_all_estimators_saw_the_same_splits(serial):
    counts = serial.frame().groupby(["dataset", "split"]).split_key.nunique()
    assert (counts == 1).all()
    assert serial.frame().split_key.nunique() == 10


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_the_number_of_workers_changes_no_bit(serial, backend):
    with joblib.parallel_config(backend=backend):
        assert_equal(small(MODELS).run(n_jobs=2), serial)


def test_a_backend_that_gives_its_results_in_the_end_changes_no_bit(serial):
    with joblib.parallel_config(backend="multiprocessing"):
        assert_equal(small(MODELS).run(n_jobs=2), serial)


def test_another_random_state_gives_other_seeds(serial):
    other = small(MODELS, random_state=1).run()
    assert set(other.frame().seed).isdisjoint(serial.frame().seed)


def test_a_given_random_state_is_left_alone():
    result = small({"tree": DecisionTreeClassifier(max_features=1, random_state=7)}).run()
    X, y = toy(seed=0)
    expected = cross_validate(
        DecisionTreeClassifier(max_features=1, random_state=7), X, y, cv=KFoldSplit(5, random_state=0)
    )
    assert result.cv_scores("first", "accuracy")["tree"].scores.tolist() == expected["test_score"].tolist()


def test_estimators_are_not_fitted_in_place():
    model = GaussianNB()
    small({"bayes": model}).run()
    assert not hasattr(model, "classes_")


# --- what is stored is not run again --------------------------------------------------------------------


@pytest.fixture
def counted(tmp_path):
    """Return (experiment maker, number of fits so far)."""
    log = tmp_path / "log"
    log.touch()

    def make(depth=1, **options):
        return small({"logged": Logged(str(log), max_depth=depth)}, **options)

    return make, lambda: len(log.read_text(encoding="utf-8").splitlines())


def test_a_second_run_fits_nothing(counted, tmp_path):
    make, n_fits = counted
    first = make().run(store=tmp_path / "r.db")
    assert n_fits() == 10
    assert_equal(make().run(store=tmp_path / "r.db"), first)
    assert n_fits() == 10


@pytest.mark.parametrize(
    ("change", "n_new"),
    [
        ({"depth": 2}, 10),
        ({"datasets": {"first": toy(seed=0), "second": toy(seed=5)}}, 5),
        ({"datasets": {"first": toy(seed=0), "second": toy(seed=1), "third": toy(seed=2)}}, 5),
        ({"cv": KFoldSplit(5, random_state=1)}, 10),
        ({"scoring": "accuracy"}, 10),
        ({"random_state": 1}, 10),
        ({}, 0),
    ],
)
def test_whatever_changed_is_run_and_nothing_else(counted, tmp_path, change, n_new):
    make, n_fits = counted
    make().run(store=tmp_path / "r.db")
    result = make(**change).run(store=tmp_path / "r.db")
    assert n_fits() == 10 + n_new
    assert result.n_pending == 0


def test_results_of_an_earlier_design_are_found_again(counted, tmp_path):
    make, n_fits = counted
    for depth in (1, 2, 1):
        make(depth).run(store=tmp_path / "r.db")
    assert n_fits() == 20


def test_without_resume_every_fit_is_run_again(counted, tmp_path):
    make, n_fits = counted
    make().run(store=tmp_path / "r.db")
    make().run(store=tmp_path / "r.db", resume=False)
    assert n_fits() == 20


def test_another_run_on_the_store_is_refused(tmp_path):
    with Store(tmp_path / "r.db", write=True), pytest.raises(StoreBusyError, match="Another run writes into"):
        small(MODELS).run(store=tmp_path / "r.db")


# --- failures, limits, warnings -------------------------------------------------------------------------


def test_a_failed_fit_is_a_row_and_the_run_goes_on(tmp_path):
    experiment = small({"failing": Failing(max_depth=1), "tree": DecisionTreeClassifier(max_depth=1)})
    told = r"of 20 fits failed: failing on \w+ \(\d\): RuntimeError: the sum is <odd>"
    with pytest.warns(FitFailedWarning, match=told):
        result = experiment.run(store=tmp_path / "r.db")
    X, y = toy(seed=0)
    splits = KFoldSplit(5, random_state=0).split(X, y)
    failed = result.failures().query("dataset == 'first'")
    assert failed.split.tolist() == [split for split, (train, _) in enumerate(splits) if fails_on(X[train])]
    assert set(failed.error_type) == {"RuntimeError"}
    assert failed.traceback.str.contains("raise RuntimeError").all()
    assert result.n_pending == 0
    assert not result.frame().query("estimator == 'tree'").accuracy.isna().any()


def test_failures_are_not_run_again_unless_asked_for(tmp_path):
    log = tmp_path / "log"
    experiment = small({"failing": LoggedFailing(str(log)), "bayes": GaussianNB()})
    n_fits = []
    for retry in (False, False, True):
        with pytest.warns(FitFailedWarning, match="10 of 20 fits failed"):
            experiment.run(store=tmp_path / "r.db", retry_failed=retry)
        n_fits.append(len(log.read_text(encoding="utf-8").splitlines()))
    assert n_fits == [10, 10, 20]


def test_a_fit_over_its_time_has_failed():
    experiment = small({"slow": Sleeping(min_samples_leaf=20), "fast": GaussianNB()})
    with pytest.warns(FitFailedWarning, match=r"time limit of 0\.1 s"):
        result = experiment.run(time_limit=0.1)
    assert result.count_tasks() == {"slow": (0, 10, 0), "fast": (10, 0, 0)}


def test_the_time_limit_reaches_into_a_search():
    search = GridSearchCV(Sleeping(), {"min_samples_leaf": [10, 20]}, cv=2)
    with pytest.warns(FitFailedWarning, match="FitTimeoutError"):
        result = small({"search": search}).run(time_limit=0.3)
    assert result.n_failed == 10


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_fit_over_its_memory_has_failed_and_no_other(n_jobs):
    options = {"datasets": {"first": toy()}, "cv": 4}
    experiment = small({"hungry": Hungry(min_samples_leaf=4), "modest": Hungry()}, **options)
    with pytest.warns(FitFailedWarning, match=r"FitMemoryError: needed more than the memory limit of 200 MB"):
        result = experiment.run(memory_limit=200, n_jobs=n_jobs)
    assert result.count_tasks() == {"hungry": (0, 4, 0), "modest": (4, 0, 0)}
    assert experiment.run().n_failed == 0  # the limit ends with the run


def test_a_memory_limit_where_there_can_be_none_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(ValueError, match="memory_limit works on Linux only"):
        small(MODELS).run(memory_limit=100)


@pytest.mark.slow
def test_a_worker_that_dies_takes_its_task_along_and_no_other():
    experiment = small({"dying": Dying(), "bayes": GaussianNB()}, datasets={"first": toy()}, cv=3)
    with pytest.warns(FitFailedWarning, match="The worker process died"):
        result = experiment.run(n_jobs=2)
    assert result.count_tasks() == {"dying": (0, 3, 0), "bayes": (3, 0, 0)}


def test_warnings_of_fits_are_counted_by_task():
    models = {f"depth {depth}": Warning_(max_depth=depth) for depth in (1, 2, 3)}
    with joblib.parallel_config(backend="threading"):
        result = small(models).run(n_jobs=3)
    assert result.frame().n_warnings.tolist() == [3] * 30
    assert dict(result._records.warning_counts()) == {
        (f"depth {depth}", name, f"UserWarning: depth {depth}"): 15
        for depth in (1, 2, 3)
        for name in ("first", "second")
    }


def test_a_score_that_is_undefined_is_nan_with_a_warning():
    y = np.zeros(20, dtype=int)
    y[:5] = 1
    cv = [(np.arange(0, 15), np.arange(15, 20)), (np.arange(5, 20), np.arange(0, 5))]
    experiment = Benchmark(
        {"dummy": DummyClassifier()}, {"few": (np.zeros((20, 1)), y)}, cv=cv, scoring=["accuracy", "roc_auc"]
    )
    result = experiment.run()
    assert np.isnan(result.cv_scores("few", "roc_auc")["dummy"].scores[0])
    assert not np.isnan(result.cv_scores("few", "accuracy")["dummy"].scores).any()
    assert "The metric 'roc_auc' failed" in str(result._records.warning_counts())


# --- refusals before the first fit ----------------------------------------------------------------------


def hidden(value):
    """Return a function of a confusion matrix that holds on to a value."""
    return lambda matrix: matrix.accuracy() if value else None


def never(**options):
    """Run an experiment that must be refused before a fit."""
    fitted = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            fitted.append(1)
            return super().fit(X, y)

    try:
        small({"spy": Spy()} | options.pop("estimators", {}), **options).run()
    finally:
        assert fitted == []


TEXT = {"ok": toy(seed=0), "text": toy(labels=("no", "yes"))}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scoring": "acuracy"}, "did you mean 'accuracy'"),
        ({"scoring": []}, "at least one metric"),
        ({"scoring": ["accuracy", "r2"], "datasets": TEXT}, "could not convert|dtype|numbers"),
        ({"scoring": "f1", "datasets": TEXT}, "pos_label must name the positive class"),
        ({"scoring": "f1", "datasets": {"iris": load_iris()}}, "two classes, got 3"),
        ({"datasets": {}}, "datasets must be a dict"),
        ({"datasets": {" ": toy()}}, "names that are not empty"),
        ({"datasets": {1: toy(), "1": toy()}}, "got '1' twice"),
        ({"cv": ShuffleSplit(3)}, "must give the same splits when the experiment is run again"),
        ({"cv": 100}, "n_splits=100 greater than the number of samples"),
        ({"cv": [([0, 1, 2], [2, 3])]}, "split 0 tests on a row it trained on"),
        ({"cv": []}, "cv must give at least one split"),
        ({"cv": [([0, 1], [2]), ([0, 1, 2], [99])]}, "row numbers from 0 to 59.*split 1 has 99"),
        ({"cv": [([0, 1, 60], [2])]}, "row numbers from 0 to 59.*split 0 has 60"),
        ({"cv": {"first": 5}}, "cv must name every data set once"),
        ({"pos_label": {"third": 1}}, "pos_label must name every data set once"),
        ({"random_state": -1}, "random_state must be an integer not less than 0"),
        ({"estimators": {"ridge": Ridge()}}, "all classifiers or all regressors"),
        ({"scoring": {"f": hidden(threading.Lock())}}, "scoring cannot be recognized .*: a lock"),
        (
            {"datasets": {"odd": ([[threading.Lock()]] * 20, [0, 1] * 10)}},
            "'odd'.*be recognized again: a lock",
        ),
    ],
)
def test_is_refused_before_the_first_fit(options, message):
    with pytest.raises(ValueError, match=message):
        never(**options)


@pytest.mark.parametrize(
    ("experiment", "options", "error", "message"),
    [
        ({"scoring": "f1", "datasets": {"iris": load_iris()}}, {}, ValueError, "two classes, got 3"),
        ({"cv": [([0, 1, 2], [99])]}, {}, ValueError, "row numbers from 0 to 59.*split 0 has 99"),
        ({"datasets": {"gone": "gone.csv"}}, {}, FileNotFoundError, r"gone\.csv"),
        ({}, {"n_jobs": 0}, ValueError, "n_jobs must be a whole number other than 0"),
    ],
)
def test_what_is_refused_before_the_first_fit_leaves_no_store_behind(
    tmp_path, monkeypatch, experiment, options, error, message
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        small({"bayes": GaussianNB()}, **experiment).run(store="r.db", **options)
    assert list(tmp_path.iterdir()) == []


def test_an_estimator_without_base_class_counts_as_a_regressor():
    class Duck:
        def fit(self, X, y):
            raise AssertionError("never fitted")

        def get_params(self, deep=True):
            return {}

    with pytest.raises(ValueError, match="all classifiers or all regressors: tree classifies, duck does not"):
        small({"tree": DecisionTreeClassifier(), "duck": Duck()})


@pytest.mark.parametrize("estimator", ["svm", SVC, object()])
def test_refuses_what_is_no_estimator(estimator):
    with pytest.raises(TypeError, match=r"estimators\['x'\] must be an estimator"):
        small({"x": estimator})


@pytest.mark.parametrize("estimators", [{}, [GaussianNB()]])
def test_refuses_estimators_without_names(estimators):
    with pytest.raises(ValueError, match=r"estimators must be a dict of {name: estimator} with at least one"):
        small(estimators)


def test_refuses_what_is_no_scoring():
    with pytest.raises(TypeError, match="scoring must be a name, a list of names, a dict or a scorer, got 5"):
        small(MODELS, scoring=5)


def test_refuses_an_estimator_that_could_not_be_known_again():
    with pytest.raises(ValueError, match=r"estimators\['x'\] cannot be recognized .* SVC\.C: a lock"):
        small({"x": SVC(C=threading.Lock())})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_limit": 0}, "time_limit must be a number in"),
        ({"memory_limit": 0}, "memory_limit must be a number in"),
        ({"wait": -1}, "wait must be a number in"),
        ({"predictions": True}, "name a store"),
        ({"n_jobs": 0}, "n_jobs must be a whole number other than 0"),
    ],
)
def test_refuses_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        small(MODELS).run(**options)


def test_a_loader_that_gives_other_data_the_second_time_is_refused():
    seeds = iter(range(10))
    experiment = small({"bayes": GaussianNB()}, datasets={"changing": lambda: toy(seed=next(seeds))})
    with pytest.raises(ValueError, match="'changing' was another one when it was loaded again"):
        experiment.run()


# --- designs --------------------------------------------------------------------------------------------


def test_regressors():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    data = {"line": (X, X[:, 0] + rng.normal(size=40))}
    result = Benchmark({"ridge": Ridge(), "ols": LinearRegression()}, data, cv=4, scoring="r2").run()
    expected = cross_validate(Ridge(), *data["line"], cv=4, scoring="r2")["test_score"]
    assert result.cv_scores("line")["ridge"].scores.tolist() == expected.tolist()
    with pytest.raises(ValueError, match="continuous"):
        result.confusion("line")


def test_strings_with_a_positive_class_by_data_set():
    experiment = small(
        {"bayes": GaussianNB()}, datasets=TEXT, scoring=["f1", "roc_auc"], pos_label={"ok": 1, "text": "yes"}
    )
    first, second = (experiment.run().cv_scores(name, "f1")["bayes"].scores for name in ("ok", "text"))
    assert first.tolist() == second.tolist()  # the same data under other labels


def test_a_multi_scorer_a_scorer_and_a_function_of_the_matrix():
    data = {"first": toy()}
    several = small(
        {"bayes": GaussianNB()},
        datasets=data,
        scoring=MultiScorer({"hits": lambda matrix: matrix.accuracy(), "sk": get_scorer("accuracy")}),
    ).run()
    one = small({"bayes": GaussianNB()}, datasets=data, scoring=get_scorer("accuracy")).run()
    assert one.metrics == ("score",)
    for metric in several.metrics:
        assert several.cv_scores("first", metric)["bayes"].scores.tolist() == (
            one.cv_scores("first")["bayes"].scores.tolist()
        )


def test_groups_reach_the_splitter():
    X, y = toy(60)
    groups = np.repeat(np.arange(12), 5)
    result = small({"bayes": GaussianNB()}, datasets={"grouped": (X, y, groups)}).run()
    splits = KFoldSplit(5, random_state=0).split(X, y, groups)
    assert result.frame().n_test.tolist() == [len(test) for _, test in splits]


def test_a_splitter_by_data_set():
    result = small({"bayes": GaussianNB()}, cv={"first": 3, "second": 4}).run()
    assert result.frame().groupby("dataset").size().to_dict() == {"first": 3, "second": 4}


def test_rows_of_a_bootstrap_are_counted_once():
    cv = BootstrapSplit(4, random_state=0)
    result = small({"bayes": GaussianNB()}, datasets={"first": toy()}, cv=cv).run()
    expected = [len(np.unique(train)) for train, _ in cv.split(*toy())]
    assert result.frame().n_train.tolist() == expected


def test_splits_in_time_order_come_without_sizes():
    result = small({"bayes": GaussianNB()}, datasets={"first": toy()}, cv=TimeSeriesSplit(3)).run()
    assert result.cv_scores("first", "accuracy")["bayes"].n_train is None


def test_predictions_are_kept_beside_the_store(tmp_path):
    models = {"bayes": GaussianNB(), "logistic": LogisticRegression()}
    store = tmp_path / "r.db"
    result = small(models, datasets=TEXT).run(store=store, predictions=True)
    said = result.predictions("text")
    assert list(said.columns[:5]) == ["estimator", "split", "row", "y_true", "y_pred"]
    X, y = TEXT["text"]
    for split, (train, test) in enumerate(KFoldSplit(5, random_state=0).split(X, y)):
        rows = said[(said.estimator == "bayes") & (said.split == split)]
        model = GaussianNB().fit(X[train], y[train])
        assert rows.row.tolist() == test.tolist()
        assert rows.y_pred.tolist() == model.predict(X[test]).tolist()
        assert rows.predict_proba_yes.tolist() == model.predict_proba(X[test])[:, 1].tolist()
    assert BenchmarkResult.load(store).predictions("text").equals(said)


def test_a_task_whose_predictions_are_lost_is_run_again(tmp_path):
    store = tmp_path / "r.db"
    small({"bayes": GaussianNB()}).run(store=store)
    result = small({"bayes": GaussianNB()}).run(store=store, predictions=True)
    assert len(result.predictions("first")) == 60


def test_predictions_that_cannot_be_written_are_told(tmp_path):
    (tmp_path / "r.db.predictions").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match=r"Cannot write predictions into .*r\.db\.predictions"):
        small({"bayes": GaussianNB()}).run(store=tmp_path / "r.db", predictions=True)


def test_predictions_that_were_not_kept_are_told(serial):
    with pytest.raises(ValueError, match="run with a store and predictions=True"):
        serial.predictions("first")


class Terminal:
    """Standard error of somebody who looks on."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return True


def test_a_bar_on_a_terminal_tells_task_and_failures(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with pytest.warns(FitFailedWarning, match="failed"):
        small({"failing": Failing()}).run()
    assert "10/10" in screen.text
    assert "second, failing, split" in screen.text
    assert " failed" in screen.text


def test_a_bar_in_a_notebook_though_it_is_no_terminal(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ipykernel", object())
    small({"bayes": GaussianNB()}).run()
    assert "10/10" in capsys.readouterr().err


def test_no_bar_where_nobody_looks(capsys):
    small({"bayes": GaussianNB()}).run()
    assert capsys.readouterr() == ("", "")


def test_no_bar_when_it_is_not_wanted(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    small({"bayes": GaussianNB()}).run(progress=False)
    assert screen.text == ""
