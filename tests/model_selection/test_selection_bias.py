"""The winner's figure, corrected for its having been chosen by that figure."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier

from skeval.exceptions import ResamplingWarning
from skeval.model_selection import KFoldSplit, evaluate, selection_bias

X, Y = load_iris(return_X_y=True)
X, Y = X[::2], Y[::2]


def cv_results(scores):
    """Return cv_results_ of these scores, one row per candidate."""
    columns = {f"split{number}_test_score": column for number, column in enumerate(np.array(scores).T)}
    return columns | {"params": [{"depth": number} for number in range(len(scores))]}


def test_per_split_correction_by_hand():
    # Best of each split: .9, .8, .7, .9; the second has mean .775 and is behind by 0, 0, .1, .1.
    scores = [[0.7, 0.6, 0.7, 0.9], [0.9, 0.8, 0.6, 0.8]]
    result = selection_bias(cv_results(scores))
    assert result.index == 1
    assert (result.uncorrected, result.bias, result.estimate) == pytest.approx((0.775, 0.05, 0.725))
    assert selection_bias(scores).estimate == result.estimate
    assert str(result).startswith("Candidate 1: 0.775, 0.725 after correction")


def test_per_split_correction_leaves_a_sure_winner_alone():
    assert selection_bias([[0.5, 0.6], [0.7, 0.8]]).bias == 0


def test_per_split_correction_passes_over_nan():
    result = selection_bias([[np.nan, 0.9], [0.7, 0.8], [0.8, 0.6]])
    assert result.index == 1
    assert result.bias == pytest.approx(0.05)
    with pytest.raises(ValueError, match="Every candidate has a nan score"):
        selection_bias([[np.nan, 0.9], [0.7, np.nan]])


def test_per_split_has_no_interval():
    with pytest.raises(ValueError, match="no interval of method='per-split'"):
        selection_bias([[0.5, 0.6], [0.7, 0.8]]).confidence_interval()


def slow_bootstrap(losses, n_resamples, generator, groups=None):
    """Choose on the samples drawn, take the loss on those left out: one replicate at a time."""
    groups = np.arange(len(losses)) if groups is None else np.asarray(groups)
    n_groups, found = groups.max() + 1, []
    for _ in range(n_resamples):
        drawn = generator.integers(0, n_groups, size=n_groups)
        rows = np.concatenate([np.flatnonzero(groups == group) for group in drawn])
        winner = losses[rows].mean(axis=0).argmin()
        found.append(losses[~np.isin(groups, drawn), winner].mean())
    return found


def test_bootstrap_correction_is_that_of_a_loop():
    losses = np.random.default_rng(0).integers(0, 2, size=(40, 7)).astype(float)
    result = selection_bias(losses, method="bootstrap", n_resamples=300, random_state=5)
    expected = slow_bootstrap(losses, 300, np.random.default_rng(5))
    assert result.replicates == pytest.approx(expected, abs=1e-12)
    assert result.estimate == pytest.approx(np.mean(expected))
    assert result.uncorrected == losses.mean(axis=0).min()
    assert result.bias == pytest.approx(result.estimate - result.uncorrected)
    # Order statistics of 301 x 0.05 and 301 x 0.95, interpolated.
    ordered = [None, *sorted(expected)]
    low, high = (
        ordered[15] + 0.05 * (ordered[16] - ordered[15]),
        ordered[286] - 0.05 * (ordered[286] - ordered[285]),
    )
    assert result.confidence_interval(0.9) == pytest.approx((low, high), abs=1e-12)


def test_one_candidate_needs_no_correction():
    losses = np.random.default_rng(1).random((200, 1))
    result = selection_bias(losses, method="bootstrap", n_resamples=2000, random_state=0)
    assert result.bias == pytest.approx(0, abs=0.003)


def test_bootstrap_correction_on_noise_takes_the_optimism_away():
    # Twenty coins: each has error 1/2, the best of them seems better.
    generator = np.random.default_rng(2)
    found = [
        selection_bias(
            generator.integers(0, 2, size=(60, 20)),
            method="bootstrap",
            n_resamples=200,
            random_state=generator,
        )
        for _ in range(60)
    ]
    assert np.mean([result.uncorrected for result in found]) < 0.4
    assert 0.47 < np.mean([result.estimate for result in found]) < 0.55


def test_groups_are_drawn_whole():
    # Copies of a sample, drawn together, change nothing; drawn apart they are on both sides.
    losses = np.random.default_rng(3).integers(0, 2, size=(30, 5)).astype(float)
    plain = selection_bias(losses, method="bootstrap", n_resamples=500, random_state=0)
    copied, groups = np.repeat(losses, 4, axis=0), np.repeat([f"p{number:02d}" for number in range(30)], 4)
    whole = selection_bias(copied, method="bootstrap", n_resamples=500, groups=groups, random_state=0)
    apart = selection_bias(copied, method="bootstrap", n_resamples=500, random_state=0)
    assert whole.replicates == pytest.approx(plain.replicates)
    assert apart.estimate < plain.estimate - 0.01


def test_groups_of_any_size_count_by_their_samples():
    generator = np.random.default_rng(6)
    losses, groups = (
        generator.random((40, 5)),
        generator.permutation(np.repeat([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 10, 20])),
    )
    with pytest.warns(ResamplingWarning, match="left no sample out"):
        result = selection_bias(losses, method="bootstrap", n_resamples=300, groups=groups, random_state=7)
    with np.errstate(invalid="ignore"), pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        expected = np.array(slow_bootstrap(losses, 300, np.random.default_rng(7), groups))
    assert result.replicates == pytest.approx(expected[~np.isnan(expected)], abs=1e-12)


def test_bootstrap_correction_of_an_evaluation():
    models = {k: KNeighborsClassifier(k) for k in (1, 5, 25)}
    done = evaluate(models, X, Y, cv=KFoldSplit(5, n_repeats=2, random_state=0))
    result = selection_bias(done, method="bootstrap", random_state=0)
    said = done.predictions()
    errors = [(said.y_pred[k] != said.y_true).mean() for k in models]
    assert result.uncorrected == pytest.approx(min(errors))
    assert result.index == np.argmin(errors)
    # A sample has one loss per candidate, the mean over its two repeats, and is drawn once for both.
    losses = np.zeros((len(Y), len(models)))
    for column, k in enumerate(models):
        np.add.at(losses[:, column], said.row, (said.y_pred[k] != said.y_true) / 2)
    expected = slow_bootstrap(losses, 1000, np.random.default_rng(0))
    assert result.replicates == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("loss", ["auc", "f1", "g_mean"])
def test_a_loss_that_no_sample_has_names_the_way_out(loss):
    models = {k: KNeighborsClassifier(k) for k in (1, 5)}
    done = evaluate(models, X, Y, cv=KFoldSplit(5, random_state=0))
    message = (
        rf"loss='{loss}' is an? .*, not a mean of losses per sample.*use method='per-split' with that score"
    )
    with pytest.raises(ValueError, match=message) as refused:
        selection_bias(done, method="bootstrap", loss=loss)
    assert "632" not in str(refused.value)


def test_a_candidate_with_a_nan_loss_is_passed_over():
    losses = np.random.default_rng(4).random((30, 3))
    losses[3, 0] = np.nan
    result = selection_bias(losses, method="bootstrap", random_state=0)
    without = selection_bias(losses[:, 1:], method="bootstrap", random_state=0)
    assert result.index == 1 + losses[:, 1:].mean(axis=0).argmin() == 1 + without.index
    assert result.replicates.tolist() == without.replicates.tolist()


def test_replicates_that_leave_nothing_out_are_dropped():
    with pytest.warns(ResamplingWarning, match="left no sample out"):
        result = selection_bias([[0, 1], [1, 0]], method="bootstrap", n_resamples=50, random_state=0)
    assert 10 < len(result.replicates) < 40
    # The sample that is left out is the one on which the winner is wrong.
    assert set(result.replicates) == {1}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"results": [0.5, 0.6]}, "scores of all candidates"),
        ({"results": [[0.5, 0.6]], "loss": "zero_one"}, "belong to method='bootstrap'"),
        ({"results": [[0.5, 0.6]], "method": "bbc"}, "method must be one of"),
        ({"results": [0.5, 0.6], "method": "bootstrap"}, "shape"),
        ({"results": [[1, 0]], "method": "bootstrap", "loss": "squared"}, "loss belongs to an Evaluation"),
        ({"results": [[1, 0]], "method": "bootstrap", "metric": "f1"}, "metric belongs to"),
        ({"results": [[np.nan, np.nan], [1, 0]], "method": "bootstrap"}, "1 of 2 samples have no loss"),
        ({"results": [[np.nan, 1], [1, np.nan]], "method": "bootstrap"}, "Every candidate has a nan"),
        ({"results": [[1, 0]], "method": "bootstrap"}, "No replicate left a sample out"),
        ({"results": [[1, 0], [0, 1]], "method": "bootstrap", "groups": [1]}, "same length"),
        (
            {"results": [["a", "b"]], "method": "bootstrap"},
            r"\(n_samples, n_candidates\), got \[\['a', 'b'\]\]",
        ),
        ({"results": [[1, 0], [1]], "method": "bootstrap"}, r"\(n_samples, n_candidates\), got \[\[1, 0\]"),
    ],
)
def test_what_cannot_be_corrected_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        selection_bias(**given)


def test_scores_per_split_are_not_read_from_an_evaluation():
    done = evaluate({k: KNeighborsClassifier(k) for k in (1, 5)}, X, Y, cv=KFoldSplit(3, random_state=0))
    with pytest.raises(
        ValueError, match=r"method='per-split' takes a search.*Evaluation; use method='bootstrap'"
    ):
        selection_bias(done)


def test_numbers_have_no_wrong_class():
    done = evaluate({"ridge": Ridge()}, X, X[:, 0], cv=KFoldSplit(3, random_state=0))
    with pytest.raises(
        ValueError, match="loss='zero_one' needs class labels, but y is continuous; use loss='sq"
    ):
        selection_bias(done, method="bootstrap", loss="zero_one")


def test_the_result_is_a_table_of_one_row():
    pytest.importorskip("pandas")
    result = selection_bias([[0.7, 0.6, 0.7, 0.9], [0.9, 0.8, 0.6, 0.8]])
    frame = result.frame()
    assert list(frame.columns) == ["method", "index", "uncorrected", "bias", "estimate"]
    assert frame.loc[0, ["method", "index"]].tolist() == ["per-split", 1]
    assert frame.loc[0, ["uncorrected", "bias", "estimate"]].tolist() == pytest.approx([0.775, 0.05, 0.725])
    assert "Candidate 1: 0.775, 0.725 after correction" in result._repr_html_()
    assert "<td>0.775</td>" in result._repr_html_()
