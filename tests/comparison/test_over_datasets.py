"""One call for several methods on several data sets."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeval.comparison import (
    adjust_pvalues,
    compare_scores,
    comparison_matrix,
    friedman_test,
    posthoc_test,
    sign_test,
    wilcoxon_test,
)
from skeval.comparison._effects import pair_effects
from skeval.exceptions import DegenerateDataWarning, MissingScoreError

# --- Friedman and a post-hoc test ---

TABLE = {
    "tree": [0.78, 0.85, 0.62, 0.85, 0.71, 0.66],
    "forest": [0.84, 0.93, 0.70, 0.88, 0.75, 0.74],
    "linear": [0.80, 0.88, 0.66, 0.86, 0.69, 0.70],
}


def test_friedman_and_nemenyi_in_one_call():
    result = compare_scores(TABLE)
    assert result.omnibus == friedman_test(TABLE)
    assert result.pvalue.tolist() == posthoc_test(TABLE).pvalue.tolist()
    assert result.groups() == [("forest", "linear"), ("linear", "tree")]
    assert pickle.loads(pickle.dumps(result)).omnibus == result.omnibus


def test_direction_and_missing_scores_reach_both_tests():
    holed = {name: np.array(scores) for name, scores in TABLE.items()}
    holed["tree"][0] = math.nan
    result = compare_scores(holed, greater_is_better=False, nan_policy="omit")
    assert result.omnibus.details["n_datasets"] == result.details["n_datasets"] == 5
    assert result.methods[int(result.mean_ranks.argmin())] == "tree"


def test_remark_says_what_few_data_sets_can_show():
    generator = np.random.default_rng(0)
    remark = compare_scores(generator.random((2, 4))).details["remark"]
    assert "cannot find any difference among 4 methods" in remark
    remark = compare_scores(TABLE).details["remark"]
    assert "6 data sets are few for 3 methods" in remark
    remark = compare_scores(generator.random((40, 3))).details["remark"]
    assert "does not show the methods to be equal" in remark


def test_two_methods_are_compared_by_the_signed_rank_test():
    result = compare_scores({name: TABLE[name] for name in ("tree", "linear")})
    test = wilcoxon_test(TABLE["tree"], TABLE["linear"])
    # Ranks 1, 2.5, 2.5, 4, 5.5, 5.5, the second with the other sign: 4 of 64 sums are as small.
    assert result.pvalue.tolist() == [test.pvalue] == [8 / 64]
    assert result.method == "Wilcoxon signed-rank test of pairs (holm)"
    assert "p-value of a pair, not adjusted, is 0.031 at least" in result.details["remark"]


def test_another_method_and_a_control():
    result = compare_scores(TABLE, method="bergmann-hommel")
    assert result.pvalue.tolist() == posthoc_test(TABLE, method="bergmann-hommel").pvalue.tolist()
    with_control = compare_scores(TABLE, control="tree")
    assert with_control.pairs == (("forest", "tree"), ("linear", "tree"))
    assert with_control.pvalue.tolist() == posthoc_test(TABLE, method="holm", control="tree").pvalue.tolist()
    assert with_control.per_pair["wins"].tolist() == [6, 5]
    best = compare_scores(TABLE, method="mcb")
    assert best.control == "forest"
    with pytest.raises(ValueError, match="method must be one of 'auto', 'nemenyi'"):
        compare_scores(TABLE, method="tukey")


def test_the_explanation_says_what_why_and_what_else():
    told = compare_scores(TABLE).explanation
    for words in (
        "6 data sets are the sample",
        "Friedman's test of all 3",
        "Nemenyi test",
        "comparison_matrix",
    ):
        assert words in told
    assert "'nemenyi'" in compare_scores(TABLE, method="holm").explanation


# --- effects of pairs ---


@settings(deadline=None, max_examples=40)
@given(
    st.integers(3, 12).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=n, max_size=n)
    )
)
def test_effects_agree_with_those_of_the_tests_of_one_pair(rows):
    scores = np.array(rows) / 10
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    effects = pair_effects(scores, first, second)
    for where, (i, j) in enumerate(zip(first, second, strict=True)):
        if (scores[:, i] == scores[:, j]).all():
            assert [effects[name][where] for name in ("rank_biserial", "superiority")] == [0, 0.5]
            continue
        test = wilcoxon_test(scores[:, i], scores[:, j]).details
        signs = sign_test(scores[:, i], scores[:, j]).details
        assert effects["rank_biserial"][where] == pytest.approx(test["rank_biserial"])
        assert effects["superiority"][where] == pytest.approx(test["probability_of_superiority"])
        assert effects["mean_difference"][where] == pytest.approx(test["mean_difference"], abs=1e-12)
        assert (effects["wins"][where], effects["losses"][where]) == (signs["wins"], signs["losses"])
        assert effects["wins"][where] + effects["ties"][where] + effects["losses"][where] == len(scores)


def test_effects_worked_by_hand():
    # Differences 3, -1, 0, 2 hundredths: ranks 3, 1, -, 2; W+ = 5, W- = 1.
    scores = np.array([[0.53, 0.50], [0.50, 0.51], [0.7, 0.7], [0.62, 0.60]])
    effects = pair_effects(scores, np.array([0]), np.array([1]))
    assert {name: value[0] for name, value in effects.items()} == pytest.approx(
        {
            "mean_difference": 0.01,
            "wins": 2,
            "ties": 1,
            "losses": 1,
            "rank_biserial": 4 / 6,
            "superiority": 0.625,
        }
    )


def test_the_smallest_numbers_have_effects():
    # Differences of 3, -1 and 2 times the smallest float: W+ = 5, W- = 1.
    scores = np.array([[1.5e-323, 0], [5e-324, 1e-323], [1e-323, 0]])
    effects = pair_effects(scores, np.array([0]), np.array([1]))
    found = [effects[name][0] for name in ("wins", "ties", "losses", "rank_biserial")]
    assert found == [2, 0, 1, pytest.approx(4 / 6)]


def test_effects_of_losses_point_to_the_smaller():
    result = compare_scores({"a": [1.0, 2, 3], "b": [4.0, 3, 2]}, greater_is_better=False)
    assert result.per_pair["wins"].tolist() == [2]
    assert result.per_pair["mean_difference"].tolist() == [1.0]


# --- the matrix of pairs ---


def test_matrix_orders_methods_by_mean_score():
    result = comparison_matrix(TABLE)
    assert result.methods == ("forest", "linear", "tree")
    assert result.estimate == pytest.approx(
        [np.mean(np.subtract(TABLE[a], TABLE[b])) for a, b in result.pairs]
    )
    assert (result.estimate >= 0).all()
    assert list(result.details["mean_scores"]) == ["forest", "linear", "tree"]
    errors = comparison_matrix({name: 1 - np.array(v) for name, v in TABLE.items()}, greater_is_better=False)
    assert errors.methods == result.methods
    assert errors.pvalue.tolist() == result.pvalue.tolist()
    assert errors.estimate == pytest.approx(result.estimate)
    assert "first minus second" in result.estimand
    assert "second minus first" in errors.estimand  # a smaller error is a positive effect
    assert errors.details["mean_scores"]["forest"] == pytest.approx(1 - np.mean(TABLE["forest"]))


@pytest.mark.parametrize(("name", "test"), [("wilcoxon", wilcoxon_test), ("sign", sign_test)])
def test_matrix_holds_the_test_of_each_pair(name, test):
    result = comparison_matrix(TABLE, test=name)
    expected = [test(TABLE[a], TABLE[b]).pvalue for a, b in result.pairs]
    assert result.pvalue.tolist() == result.raw_pvalue.tolist() == expected
    holm = comparison_matrix(TABLE, test=name, adjust="holm")
    assert holm.pvalue == pytest.approx(adjust_pvalues(expected, method="holm"))
    assert "(not adjusted)" in result.method
    assert "(holm)" in holm.method


def test_another_method_changes_no_cell_of_the_matrix():
    generator = np.random.default_rng(0)
    scores = {name: generator.normal(size=12) for name in "abcde"}
    few, many = comparison_matrix({name: scores[name] for name in "abc"}), comparison_matrix(scores)
    columns = ("wins", "ties", "losses", "rank_biserial", "superiority")

    def cells(result):
        table = zip(
            result.pairs,
            result.estimate,
            result.pvalue,
            *(result.per_pair[name] for name in columns),
            strict=True,
        )
        return {pair: tuple(values) for pair, *values in table}

    assert cells(few).items() <= cells(many).items()


def test_matrix_and_missing_or_equal_scores():
    holed = TABLE | {"tree": [math.nan, *TABLE["tree"][1:]]}
    with pytest.raises(MissingScoreError, match="'tree' on '0' is nan"):
        comparison_matrix(holed)
    result = comparison_matrix(holed, nan_policy="omit")
    assert (result.details["n_datasets"], result.details["dropped"]) == (5, ("0",))
    with pytest.warns(DegenerateDataWarning, match="all differences are zero"):
        same = comparison_matrix({"a": TABLE["tree"], "b": TABLE["tree"]})
    assert same.pvalue.tolist() == [1.0]
    assert (same.per_pair["ties"][0], same.per_pair["rank_biserial"][0]) == (6, 0)


def test_bad_options_are_refused():
    with pytest.raises(ValueError, match="test must be one of 'wilcoxon', 'sign'"):
        comparison_matrix(TABLE, test="t")
    with pytest.raises(ValueError, match="adjust must be one of None, 'bonferroni'"):
        comparison_matrix(TABLE, adjust="tukey")
