"""Intervals of shares and areas: within [0, 1], around the estimate, and never without width unsaid."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeval.exceptions import DegenerateDataWarning, ResamplingWarning
from skeval.intervals import auc_interval, metric_interval, proportion_interval
from tests.cases.strategies import FEW, SOME, binary_with_scores

Y = [1, 0, 1, 0, 1, 0]
SCORES = [0.9, 0.2, 0.3, 0.4, 0.8, 0.1]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_area_of_six_samples(dtype):
    # pROC 1.18: (0.5809, 1.1969) before the cut at 1.
    scores = np.array(SCORES, dtype=dtype)
    clipped, logit = (auc_interval(Y, scores, method=method) for method in ("wald-clipped", "logit"))
    assert clipped.estimate == pytest.approx(8 / 9, rel=1e-15)
    assert (clipped.low, clipped.high) == pytest.approx((0.5809102612556272, 1.0), rel=1e-9)
    assert (logit.low, logit.high) == pytest.approx((0.26137348040581404, 0.9945012750727569), rel=1e-9)


@pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
def test_f1_of_five_samples(method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = metric_interval(
            "f1", [1, 0, 1, 0, 1], [1, 0, 0, 0, 1], method=method, n_resamples=500, random_state=0
        )
    assert found.estimate == pytest.approx(4 / 5)
    assert 0 <= found.low <= found.estimate <= found.high <= 1


def test_one_positive_sample():
    y, scores = [1, 0, 0, 0, 0, 0, 0, 0], [0.9, 0.1, 0.2, 0.3, 0.95, 0.1, 0.2, 0.3]
    options = {"n_resamples": 2000, "method": "percentile", "random_state": 0}
    kept = metric_interval("roc_auc", y, scores, stratify=True, **options)
    assert (kept.estimate, kept.low, kept.high) == pytest.approx((6 / 7, 4 / 7, 1.0))
    with pytest.warns(ResamplingWarning, match="single class"):
        plain = metric_interval("roc_auc", y, scores, **options)
    assert np.isfinite([plain.low, plain.high]).all()
    # (7/8)^8 of the resamples hold no positive: 687 of 2,000, sd 21.
    assert abs(plain.n_failed - 687) < 5 * 21
    with pytest.raises(ValueError, match="fewer than two samples of a class"):
        auc_interval(y, scores)


def test_perfect_scores_have_an_interval_with_width_or_say_that_it_has_none():
    y, scores = [1, 0] * 5, [0.9, 0.1] * 5
    with pytest.warns(DegenerateDataWarning, match="degenerate"):
        bound = auc_interval(y, scores)
    # P(a perfect sample) is at most AUC^5.
    assert (bound.low, bound.high) == pytest.approx((0.025 ** (1 / 5), 1.0), rel=1e-9)
    for method in ("percentile", "bca"):
        with pytest.warns(DegenerateDataWarning, match="degenerate.*auc_interval"):
            found = metric_interval(
                "roc_auc", y, scores, method=method, stratify=True, n_resamples=999, random_state=0
            )
        assert (found.low, found.high) == (1.0, 1.0)


@SOME
@given(binary_with_scores(min_size=6), st.sampled_from(["logit", "wald-clipped"]))
def test_any_area_lies_in_its_interval_and_that_in_the_unit_interval(case, method):
    y, scores = [0, 1, 0, 1, *case[0][4:]], case[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)
        found = auc_interval(y, scores, method=method)
    assert 0 <= found.low <= found.estimate <= found.high <= 1


@SOME
@given(
    st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from(["wilson", "clopper-pearson", "jeffreys", "agresti-coull"]),
    st.floats(0.5, 0.999),
)
def test_any_share_lies_in_its_interval_and_that_in_the_unit_interval(counts, method, level):
    found = proportion_interval(*counts, method=method, confidence_level=level)
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.low < found.high


@FEW
@given(binary_with_scores(min_size=8), st.sampled_from(["bca", "percentile", "basic"]), st.integers(0, 99))
def test_any_bootstrap_interval_lies_in_the_range_of_its_measure(case, method, seed):
    y, predicted = [0, 1, 0, 1, *case[0][4:]], [int(score > 0.5) for score in case[1]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = metric_interval("accuracy", y, predicted, method=method, n_resamples=200, random_state=seed)
    assert 0 <= found.low <= found.high <= 1
