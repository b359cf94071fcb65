"""Models on one test set: McNemar and Cochran."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skeval.comparison import cochrans_q_test, mcnemar_from_table, mcnemar_test
from skeval.exceptions import DegenerateDataWarning
from tests.reference import load, number

REFERENCE = load("04_mcnemar_cochran.json")
TABLES = {
    name: given_["table"]
    for name, given_ in REFERENCE["inputs"].items()
    if "table" in given_ and name != "zero_disc"
}
METHODS = ("mid-p", "exact", "chi2", "chi2-corrected")
tables = st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(lambda cells: cells[1] + cells[2] > 0)


# --- McNemar ---


@pytest.mark.parametrize("name", TABLES)
def test_mcnemar_equals_that_of_r(name):
    expected = REFERENCE["expected"][name]
    results = {method: mcnemar_from_table(TABLES[name], method=method) for method in METHODS}
    assert results["mid-p"].pvalue == pytest.approx(number(expected["p_mid"]), rel=1e-10)
    assert results["exact"].pvalue == pytest.approx(number(expected["p_exact"]), rel=1e-10)
    assert results["chi2"].statistic == pytest.approx(number(expected["chi2"]), rel=1e-12)
    assert results["chi2"].pvalue == pytest.approx(expected["p_chi2"], rel=1e-10)
    corrected = results["chi2-corrected"]
    assert corrected.statistic == pytest.approx(number(expected["chi2_cc_truncated"]), rel=1e-12)
    assert corrected.pvalue == pytest.approx(expected["p_cc_truncated"], rel=1e-10)


@pytest.mark.parametrize(
    ("table", "chi2", "corrected", "exact"),
    [
        ([[10, 3], [3, 5]], (0.0, 1.0), (0.0, 1.0), 1.0),
        ([[10, 1], [0, 5]], (1.0, 0.31731050786291404), (0.0, 1.0), 1.0),
        ([[20, 12], [5, 8]], (49 / 17, 0.08955507441364256), (36 / 17, 0.14561009539686695), 4701 / 32768),
    ],
)
@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.int32, np.float64, None])
def test_balanced_and_small_tables_of_any_dtype(table, chi2, corrected, exact, dtype):
    given_ = table if dtype is None else np.array(table, dtype=dtype)
    assert tuple(mcnemar_from_table(given_, method="chi2")) == pytest.approx(chi2, rel=1e-12)
    assert tuple(mcnemar_from_table(given_, method="chi2-corrected")) == pytest.approx(corrected, rel=1e-12)
    assert mcnemar_from_table(given_, method="exact").pvalue == pytest.approx(exact, rel=1e-12)


def test_counts_of_a_narrow_dtype_do_not_overflow():
    wide = mcnemar_from_table([[200, 250], [100, 200]])
    assert mcnemar_from_table(np.array([[200, 250], [100, 200]], dtype=np.uint8)).pvalue == wide.pvalue
    assert wide.details["n_samples"] == 750


@pytest.mark.parametrize("method", METHODS)
def test_no_discordant_pair_is_no_evidence(method):
    with pytest.warns(DegenerateDataWarning, match="no discordant pairs"):
        result = mcnemar_from_table([[10, 0], [0, 5]], method=method)
    assert tuple(result) == (0.0, 1.0)
    assert result.estimate == 0.0


@settings(deadline=None, max_examples=50)
@given(cells=tables, method=st.sampled_from(METHODS))
def test_swapping_the_models_turns_the_effect_and_keeps_p(cells, method):
    both, only_a, only_b, none = cells
    one = mcnemar_from_table([[both, only_a], [only_b, none]], method=method)
    other = mcnemar_from_table([[both, only_b], [only_a, none]], method=method)
    assert tuple(one) == tuple(other)
    assert one.estimate == -other.estimate
    assert 0 <= one.pvalue <= 1
    low, high = one.confidence_interval()
    assert (-high, -low) == tuple(other.confidence_interval())
    assert -1 <= low <= one.estimate <= high <= 1


@settings(deadline=None, max_examples=50)
@given(cells=tables)
def test_mid_p_is_never_above_the_exact_p(cells):
    table = np.reshape(cells, (2, 2))
    assert mcnemar_from_table(table).pvalue <= mcnemar_from_table(table, method="exact").pvalue


def test_effect_is_the_difference_of_accuracies_with_its_wald_interval():
    # n = 161: A right on 65, B on 75; variance of a paired difference of shares by hand.
    result = mcnemar_from_table([[59, 6], [16, 80]])
    assert result.estimate == pytest.approx(65 / 161 - 75 / 161)
    error = np.sqrt(6 + 16 - 10**2 / 161) / 161
    assert result.standard_error == pytest.approx(error)
    half = stats.norm.ppf(0.975) * error
    assert tuple(result.confidence_interval()) == pytest.approx((-10 / 161 - half, -10 / 161 + half))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], "2 x 2 table"),
        ([1, 2, 3, 4], "2 x 2 table"),
        ([["a", "b"], ["c", "d"]], "2 x 2 table"),
        ([[1, -2], [3, 4]], "not negative"),
        ([[1, 1e19], [3, 4]], r"up to 2\*\*53"),
        (np.array([[1, 2**63], [3, 4]], dtype=np.uint64), r"up to 2\*\*53"),
        (np.full((2, 2), 2**61), r"up to 2\*\*53"),
        (np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]), "must be a 2 x 2 table of counts"),
        ([[1, 0.5], [3, 4]], "whole counts"),
        ([[1, np.nan], [3, 4]], "whole counts"),
        ([[0, 0], [0, 0]], "at least one sample"),
    ],
)
def test_bad_tables_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        mcnemar_from_table(table)


def test_unknown_method_is_refused():
    with pytest.raises(ValueError, match="method must be one of 'mid-p', 'exact'"):
        mcnemar_from_table([[1, 2], [3, 4]], method="midp")


Y = [0, 1, 1, 0, 1, 0]
PRED_A = [0, 1, 0, 0, 1, 0]
PRED_B = [0, 0, 1, 0, 1, 1]


def test_table_counts_who_is_right():
    result = mcnemar_test(Y, PRED_A, PRED_B)
    assert result.details["table"].tolist() == [[3, 2], [1, 0]]
    assert result == mcnemar_from_table([[3, 2], [1, 0]])


def test_renaming_labels_and_changing_containers_changes_nothing():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    expected = mcnemar_test(Y, PRED_A, PRED_B)
    containers = [
        np.array,
        lambda labels: np.array(labels, dtype=bool),
        lambda labels: np.array(labels, dtype=str),
        lambda labels: ["bad" if label else "good" for label in labels],
        lambda labels: pandas.Series(labels, index=range(15, 9, -1), dtype="Int64"),
        lambda labels: pandas.Series(labels, dtype="category"),
        polars.Series,
    ]
    for container in containers:
        assert mcnemar_test(container(Y), container(PRED_A), container(PRED_B)) == expected


def test_multi_class_predictions_count_as_right_or_wrong():
    y, a, b = ["x", "y", "z", "x"], ["x", "y", "x", "x"], ["z", "y", "y", "x"]
    assert mcnemar_test(y, a, b).details["table"].tolist() == [[2, 1], [0, 1]]


def test_bad_labels_are_refused_by_name():
    with pytest.raises(ValueError, match=r"same length: y_true has 6, pred_a has 6, pred_b has 5"):
        mcnemar_test(Y, PRED_A, PRED_B[:5])
    with pytest.raises(ValueError, match="Labels must be of one type"):
        mcnemar_test(Y, PRED_A, list("aabbab"))
    with pytest.raises(ValueError, match="pred_a holds a missing value at position 1"):
        mcnemar_test(Y, [0, None, 0, 0, 1, 0], PRED_B)
    with pytest.raises(ValueError, match="y_true must hold at least one sample"):
        mcnemar_test([], [], [])


# --- Cochran ---


def expand(given_):
    """Return one row of right (1) or wrong (0) per model."""
    return np.repeat(given_["patterns"], given_["counts"], axis=0).T


@pytest.mark.parametrize("name", ["cochran1950", "agresti_drug"])
def test_cochran_equals_that_of_r(name):
    preds, expected = expand(REFERENCE["inputs"][name]), REFERENCE["expected"][name]
    result = cochrans_q_test(np.ones(preds.shape[1], dtype=int), preds)
    assert result.statistic == pytest.approx(number(expected["Q"]), rel=1e-12)
    assert result.df == expected["df"]
    assert result.pvalue == pytest.approx(expected["p_chi2"], rel=1e-10)
    right = [share * preds.shape[1] for share in result.details["accuracy"].values()]
    assert right == pytest.approx(expected["column_totals"])


def test_with_two_models_cochran_is_mcnemar_without_correction():
    q, chi2 = cochrans_q_test(Y, [PRED_A, PRED_B]), mcnemar_test(Y, PRED_A, PRED_B, method="chi2")
    assert tuple(q) == pytest.approx(tuple(chi2), rel=1e-12)


def test_models_that_are_right_on_the_same_samples_are_no_evidence():
    with pytest.warns(DegenerateDataWarning, match="no discordant"):
        result = cochrans_q_test([1, 1, 1], [[1, 0, 1], [1, 0, 1], [1, 0, 1]])
    assert tuple(result) == (0.0, 1.0)


def test_models_may_be_named_and_the_message_names_them():
    result = cochrans_q_test(Y, {"tree": PRED_A, "y_true": PRED_B})
    assert result.details["accuracy"] == {"tree": 5 / 6, "y_true": 4 / 6}
    with pytest.raises(ValueError, match=r"preds\['forest'\] has 2"):
        cochrans_q_test(Y, {"tree": PRED_A, "forest": [0, 1]})


@pytest.mark.parametrize("preds", [None, 3, np.array(1)])
def test_what_holds_no_models_is_refused(preds):
    with pytest.raises(ValueError, match=r"preds must be a dict of \{name: labels\} or an array of shape"):
        cochrans_q_test(Y, preds)


def test_one_model_is_too_few():
    with pytest.raises(ValueError, match="at least 2 models, got 1"):
        cochrans_q_test(Y, {"tree": PRED_A})


def test_results_pickle_with_their_interval():
    result = mcnemar_test(Y, PRED_A, PRED_B)
    assert pickle.loads(pickle.dumps(result)).confidence_interval() == result.confidence_interval()
