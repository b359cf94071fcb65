"""What a result tells: tables, policies for what is missing, comparisons, LaTeX and Markdown."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import cohen_kappa_score, f1_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skeval.benchmarking import Benchmark, BenchmarkResult
from skeval.benchmarking._store import Store
from skeval.comparison import compare_cv, compare_scores
from skeval.exceptions import DegenerateDataWarning, MissingScoreError, SplitMismatchError
from skeval.metrics import get_scorer
from skeval.model_selection import KFoldSplit
from tests.benchmarking.helpers import Failing, fails_on, small, toy

MODELS = {
    "dummy": DummyClassifier(),
    "bayes": GaussianNB(),
    "tree & co_1": DecisionTreeClassifier(max_depth=2),
}
DATA = {f"data {seed}": toy(80, seed=seed) for seed in range(6)}
CV = KFoldSplit(5, random_state=0)


@pytest.fixture(scope="module")
def result():
    return Benchmark(MODELS, DATA, cv=CV, scoring=["accuracy", "g_mean"]).run()


@pytest.fixture(scope="module")
def broken():
    """A result with failures on every data set but those that are lucky."""
    models = {"failing": Failing(max_depth=1), "bayes": GaussianNB()}
    data = {"lucky": find(lucky=True), "unlucky": find(lucky=False), "lucky too": find(lucky=True, start=99)}
    with pytest.warns(FitFailedWarning, match="fits failed: failing on unlucky"):
        return Benchmark(models, data, cv=KFoldSplit(2, random_state=0), scoring="accuracy").run()


def find(*, lucky, start=0):
    """Return a data set on which `Failing` never, or at least once, fails."""
    for seed in range(start, start + 99):
        X, y = toy(seed=seed)
        trains = [train for train, _ in KFoldSplit(2, random_state=0).split(X, y)]
        if any(fails_on(X[train]) for train in trains) != lucky:
            return X, y
    raise AssertionError("no such data set")


def test_the_frame_is_tidy(result):
    frame = result.frame()
    assert len(frame) == len(result) == 6 * 3 * 5
    assert list(frame.columns[:6]) == ["dataset", "estimator", "split", "status", "accuracy", "g_mean"]
    assert frame[["dataset", "estimator", "split"]].duplicated().sum() == 0
    assert (frame.fit_time > 0).all()
    assert set(frame.n_train + frame.n_test) == {80}


def test_the_wide_table_is_the_mean_over_splits(result):
    expected = result.frame().pivot_table(index="dataset", columns="estimator", values="accuracy", sort=False)
    table = result.scores("accuracy")
    assert list(table.index) == list(DATA)
    assert list(table.columns) == list(MODELS)
    pd.testing.assert_frame_equal(table, expected[list(MODELS)], check_names=False)


@pytest.mark.parametrize(
    ("metric", "function"),
    [
        ("f1_macro", lambda y, said: f1_score(y, said, average="macro", zero_division=0)),
        ("cohen_kappa", cohen_kappa_score),
        ("neg_error_rate", lambda y, said: -np.mean(y != said)),
    ],
)
def test_a_metric_that_was_not_asked_for_follows_from_the_cells(result, metric, function):
    X, y = DATA["data 3"]
    expected = []
    for train, test in CV.split(X, y):
        said = GaussianNB().fit(X[train], y[train]).predict(X[test])
        expected.append(function(y[test], said))
    scores = result.cv_scores("data 3", metric)["bayes"].scores
    np.testing.assert_allclose(scores, expected, rtol=1e-12)


def test_what_follows_from_the_cells_is_what_would_have_been_stored(result):
    stored = Benchmark(MODELS, DATA, cv=CV, scoring=["f1", "specificity", "balanced_accuracy"]).run()
    for metric in stored.metrics:
        np.testing.assert_allclose(
            result.scores(metric, nan_policy="keep"), stored.scores(metric, nan_policy="keep"), rtol=1e-12
        )


@pytest.mark.parametrize("metric", ["roc_auc", "neg_log_loss", "nothing"])
def test_a_metric_that_cells_do_not_have_is_refused(result, metric):
    with pytest.raises(ValueError, match=r"metric must be one of the scores \['accuracy', 'g_mean'\]"):
        result.scores(metric)


def test_one_of_several_metrics_must_be_named(result):
    with pytest.raises(ValueError, match="metric must name one of the scores"):
        result.scores()


def test_an_unknown_data_set_is_refused(result):
    with pytest.raises(ValueError, match="dataset must be one of"):
        result.cv_scores("iris", "accuracy")


def test_scores_per_split_carry_sizes(result):
    scores = result.cv_scores("data 0", "accuracy")
    assert list(scores) == list(MODELS)
    assert scores["bayes"].n_train.tolist() == [64] * 5
    assert scores["bayes"].n_test.tolist() == [16] * 5
    assert scores["bayes"].metric == "accuracy"


def test_different_splits_in_a_store_are_told(result):
    records = result._records
    keys = list(records.columns["split_key"])
    keys[0] = "another"
    object.__setattr__(records, "columns", {**records.columns, "split_key": tuple(keys)})
    try:
        with pytest.raises(SplitMismatchError, match="not run on the same splits of 'data 0'"):
            result.cv_scores("data 0", "accuracy")
    finally:
        keys[0] = keys[5]
        object.__setattr__(records, "columns", {**records.columns, "split_key": tuple(keys)})


# --- missing scores -------------------------------------------------------------------------------------


def test_a_failed_fit_makes_tables_and_comparisons_refuse(broken):
    told = r"'accuracy' of 'failing' on 'unlucky' is missing: \d of 2 fits failed"
    for ask in (broken.scores, broken.compare, broken.to_markdown, broken.to_latex):
        with pytest.raises(MissingScoreError, match=told):
            ask()
    with pytest.raises(MissingScoreError, match=told):
        broken.compare(dataset="unlucky")


def test_a_data_set_with_a_failure_can_be_left_out(broken):
    assert list(broken.scores(nan_policy="omit").index) == ["lucky", "lucky too"]
    assert broken.compare(nan_policy="omit").details["n_datasets"] == 2


def test_a_missing_mean_can_be_kept_as_nan(broken):
    table = broken.scores(nan_policy="keep")
    assert np.isnan(table.loc["unlucky", "failing"])
    assert not np.isnan(table.loc["unlucky", "bayes"])


def test_an_unknown_policy_is_refused(broken):
    with pytest.raises(ValueError, match="nan_policy must be one of 'raise', 'omit', 'keep'"):
        broken.scores(nan_policy="drop")
    with pytest.raises(ValueError, match="nan_policy must be one of 'raise', 'omit'"):
        broken.compare(nan_policy="keep")


def test_tasks_that_were_not_run_are_told(tmp_path):
    experiment = small({"bayes": GaussianNB()})
    with Store(tmp_path / "r.db", write=True) as store:
        problems = experiment._prepare()
        store.begin(experiment._describe(problems), experiment._plan(problems))
    result = BenchmarkResult.load(tmp_path / "r.db")
    assert repr(result) == "BenchmarkResult(1 estimator, 2 data sets, 10 tasks: 0 done, 0 failed, 10 pending)"
    with pytest.raises(MissingScoreError, match="5 of 5 fits have not been run"):
        result.scores("accuracy")
    assert np.isnan(result.cv_scores("first", "f1_macro")["bayes"].scores).all()
    with pytest.raises(MissingScoreError, match="5 fits on 'first' failed or have not been run"):
        result.confusion("first")


@pytest.fixture(scope="module")
def undefined():
    """A result whose first test part of "one class" has one class, so that no ranking is defined there."""
    X, y = toy()
    one = np.flatnonzero(y == 1)[:5]
    rest = np.setdiff1d(np.arange(len(y)), one)
    cv = {"one class": [(rest, one), (np.setdiff1d(np.arange(len(y)), rest[:20]), rest[:20])], "fine": 3}
    models = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
    data = {"one class": (X, y), "fine": toy(seed=1)}
    return Benchmark(models, data, cv=cv, scoring="roc_auc").run()


def test_a_score_that_is_undefined_is_told_with_its_splits(undefined):
    told = "'roc_auc' of 'bayes' on 'one class' is missing: it is undefined on 1 of 2 splits"
    with pytest.raises(MissingScoreError, match=told):
        undefined.scores()


def test_a_row_of_missing_scores_is_empty_and_has_no_best(undefined):
    rows = undefined.to_markdown(nan_policy="keep").splitlines()
    assert rows[2] == "| one class |  |  |"
    assert "**" in rows[3]


def test_failures_are_counted(broken):
    ((what, count),) = broken._records.failure_counts()
    assert what == ("failing", "unlucky", "RuntimeError: the sum is <odd>")
    assert count == broken.n_failed == len(broken.failures())


# --- comparisons ----------------------------------------------------------------------------------------


def test_comparison_over_data_sets_is_compare_scores_of_the_table(result):
    expected = compare_scores(result.scores("accuracy"))
    got = result.compare("accuracy")
    assert got.methods == expected.methods
    np.testing.assert_array_equal(got.pvalue, expected.pvalue)
    assert got.omnibus == expected.omnibus


def test_options_are_passed_on(result):
    assert result.compare("accuracy", method="holm", control="dummy").control == "dummy"


def test_comparison_on_one_data_set_is_compare_cv(result):
    expected = compare_cv(result.cv_scores("data 1", "accuracy"))
    np.testing.assert_array_equal(result.compare("accuracy", dataset="data 1").pvalue, expected.pvalue)


def test_comparison_on_one_data_set_leaves_out_splits_with_a_failure():
    for seed in range(99):
        X, y = toy(seed=seed)
        failed = [fails_on(X[train]) for train, _ in CV.split(X, y)]
        if sum(failed) == 2:
            break
    models = {"failing": Failing(max_depth=1), "bayes": GaussianNB()}
    with pytest.warns(FitFailedWarning, match="2 of 10 fits failed"):
        result = small(models, datasets={"first": (X, y)}, scoring="accuracy").run()
    got = result.compare(dataset="first", nan_policy="omit")
    scores = {name: one.scores[~np.array(failed)] for name, one in result.cv_scores("first").items()}
    expected = compare_cv(scores, n_train=48, n_test=12)  # five splits of 60 samples
    np.testing.assert_allclose(got.pvalue, expected.pvalue, rtol=1e-12)


def test_the_only_data_set_need_not_be_named():
    result = small({"dummy": DummyClassifier(), "bayes": GaussianNB()}, datasets={"first": toy()}).run()
    assert "corrected resampled" in result.compare("accuracy").method


# --- tables ---------------------------------------------------------------------------------------------


def expected_marks(result, name):
    """Return (best, those that do not differ from it) on a data set, by the public test."""
    means = result.scores("accuracy").loc[name]
    best = means.idxmax()
    ties = set(means.index[np.isclose(means, means[best])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)
        test = compare_cv(result.cv_scores(name, "accuracy"))
    alike = {
        (set(pair) - {best}).pop()
        for pair, pvalue in zip(test.pairs, test.pvalue, strict=True)
        if best in pair and pvalue > 0.05
    }
    return ties, alike


def test_markdown_marks_the_best_and_what_does_not_differ(result):
    head, line, *rows = result.to_markdown("accuracy").splitlines()
    assert head == "| data set | dummy | bayes | tree &amp; co_1 |"
    assert line == "|---|---|---|---|"
    assert len(rows) == len(DATA) + 1
    for name, row in zip(DATA, rows, strict=False):
        cells = dict(zip(MODELS, [cell.strip() for cell in row.strip("|").split("|")][1:], strict=True))
        best, alike = expected_marks(result, name)
        means = result.scores("accuracy").loc[name]
        for method, cell in cells.items():
            text = f"{means[method]:.3f}"
            if method in best:
                assert cell == f"**{text}**"
            else:
                assert cell == (f"{text} ≈" if method in alike else text)
    ranks = result.compare("accuracy").mean_ranks
    assert f"**{min(ranks):.2f}**" in rows[-1]


def test_latex_is_a_tabular_with_names_escaped(result):
    text = result.to_latex("accuracy", decimals=2)
    assert text.startswith(
        "\\begin{tabular}{lrrr}\n\\toprule\ndata set & dummy & bayes & tree \\& co\\_1 \\\\"
    )
    assert text.endswith("\\bottomrule\n\\end{tabular}")
    assert text.count(r"\mathbf{") >= len(DATA) + 1
    assert "^{\\approx}" in text


def test_ties_are_all_best():
    result = small({"a": DecisionTreeClassifier(max_depth=1), "b": DecisionTreeClassifier(max_depth=1)}).run()
    for row in result.to_markdown("accuracy").splitlines()[2:]:
        assert row.count("**") == 4


def test_an_empty_cell_for_a_missing_score(broken):
    assert "| unlucky |  | **0." in broken.to_markdown(nan_policy="keep")
    assert "unlucky & -- & $\\mathbf{0." in broken.to_latex(nan_policy="keep")


def test_no_mark_where_no_test_is_possible():
    data = {"first": toy()}
    one_split = [(np.arange(40), np.arange(40, 60))]
    result = Benchmark(
        {"dummy": DummyClassifier(), "bayes": GaussianNB()}, data, cv=one_split, scoring="accuracy"
    ).run()
    assert "≈" not in result.to_markdown()
    assert "mean rank" not in result.to_markdown()


@pytest.mark.parametrize("name", ["a|b", "<b>bold</b>", "two\nlines"])
def test_a_name_does_not_break_the_markdown(name):
    result = small({name: GaussianNB()}, datasets={name: toy()}).run()
    head, _, row = result.to_markdown("accuracy").splitlines()
    for line in (head, row):
        assert line.replace("\\|", "").count("|") == 3
        assert "<b>" not in line


def test_html_of_a_notebook_is_escaped():
    result = small({"<script>": GaussianNB()}).run()
    assert "<script>" not in result._repr_html_()
    assert "&lt;script&gt;" in result._repr_html_()


@pytest.mark.parametrize(("option", "value"), [("alpha", 1), ("decimals", -1)])
def test_bad_options_of_tables_are_refused(result, option, value):
    with pytest.raises(ValueError, match=f"{option} must be"):
        result.to_markdown("accuracy", **{option: value})


def test_losses_are_negated_so_that_greater_is_better():
    result = small(
        {"bayes": GaussianNB()}, scoring=get_scorer("neg_log_loss"), datasets={"first": toy()}
    ).run()
    assert (result.cv_scores("first")["bayes"].scores < 0).all()
