"""The bootstrap error read from the cells that cross_validate kept."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from skeval.exceptions import MissingScoreError
from skeval.metrics import ConfusionScorer
from skeval.model_selection import (
    BootstrapSplit,
    KFoldSplit,
    WithResubstitution,
    bootstrap_error_from_results,
)
from tests.model_selection.bootstrap_runs import (
    EXPECTED,
    IRIS_X,
    IRIS_Y,
    METHODS,
    NAMES,
    QUIET,
    REFERENCE,
    SMALL,
    TOLERANCE,
    assert_same,
    convention,
    iris_run,
)
from tests.reference import number

pytestmark = QUIET
CV = WithResubstitution(BootstrapSplit(25, random_state=0))


def cross_validated(y=IRIS_Y, labels=(0, 1, 2), estimator=None, cv=CV, **given):
    estimator = GaussianNB() if estimator is None else estimator
    return cross_validate(estimator, IRIS_X, y, cv=cv, scoring=ConfusionScorer(list(labels)), **given)


def cells(*matrices):
    """Return what cross_validate gives for these confusion matrices, the last of the (all, all) split."""
    stack = np.array(matrices, dtype=float)
    size = stack.shape[-1]
    return {f"test_confusion_{i}_{j}": stack[:, i, j] for i in range(size) for j in range(size)}


# --- values


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SMALL)
def test_cells_give_the_pooled_and_the_replicates_mean(name, method):
    # Made by hand from the stored out-of-bag predictions; exact fractions.
    case, expected = REFERENCE["inputs"][name], EXPECTED[name]
    size = max(case["y"]) + 1
    matrices = []
    for predicted in [*expected["oob_predictions"], expected["predictions_full_fit"]]:
        matrix = np.zeros((size, size))
        for true, guess in zip(case["y"], predicted, strict=True):
            if guess is not None:
                matrix[true, guess] += 1
        matrices.append(matrix)
    replicate = bootstrap_error_from_results(cells(*matrices), method=method, average="replicate")
    pooled = bootstrap_error_from_results(cells(*matrices), method=method)
    assert pooled.leave_one_out == pytest.approx(
        number(expected["err1_pooled_over_all_oob_predictions"]), **TOLERANCE
    )
    assert replicate.leave_one_out == pytest.approx(
        number(expected["err1_mean_over_bootstraps (empty OOB skipped)"]), **TOLERANCE
    )
    for result in (pooled, replicate):
        assert result.resubstitution == pytest.approx(number(expected["resubstitution"]), **TOLERANCE)
        assert result.no_information == pytest.approx(number(expected["gamma"]), **TOLERANCE)
    if method == ".632+":
        exact = convention(expected["with_err1_mean_over_bootstraps"], "C")
        assert replicate.estimate == pytest.approx(exact, **TOLERANCE)


@pytest.mark.parametrize("method", METHODS)
def test_per_observation_it_is_what_bootstrap_error_gives(method):
    results = cross_validated(return_estimator=True, return_indices=True)
    found = bootstrap_error_from_results(results, method=method, average="observation", X=IRIS_X, y=IRIS_Y)
    assert_same(found, iris_run(method=method))


def test_per_observation_with_groups_and_within_classes():
    groups = np.arange(50) // 5
    results = cross_validated(return_estimator=True, return_indices=True, groups=groups)
    found = bootstrap_error_from_results(results, average="observation", X=IRIS_X, y=IRIS_Y, groups=groups)
    assert_same(found, iris_run(groups=groups))
    inner = BootstrapSplit(25, stratify=True, random_state=0)
    results = cross_validated(cv=WithResubstitution(inner), return_estimator=True, return_indices=True)
    found = bootstrap_error_from_results(results, average="observation", X=IRIS_X, y=IRIS_Y)
    assert_same(found, iris_run(cv=inner))


def test_strings_and_train_scores_are_read():
    results = cross_validated(NAMES, sorted(set(NAMES)), return_train_score=True, return_indices=True)
    found = bootstrap_error_from_results(results)
    assert found.average == "pooled"
    assert found.n_samples == 50
    assert found.n_valid == 25
    assert repr(found) == repr(bootstrap_error_from_results(cross_validated()))


def test_other_averages_have_no_interval():
    result = bootstrap_error_from_results(cross_validated())
    assert result.standard_error is None
    with pytest.raises(
        ValueError, match="the average over pooled has no standard error here; use average='obs"
    ):
        result.confidence_interval()


@settings(deadline=None, max_examples=60)
@given(
    matrices=st.lists(st.lists(st.integers(0, 6), min_size=4, max_size=4), min_size=1, max_size=5),
    everything=st.lists(st.integers(7, 20), min_size=4, max_size=4),
    average=st.sampled_from(["pooled", "replicate"]),
)
def test_632_plus_stays_between_0_and_1(matrices, everything, average):
    if not all(map(sum, matrices)):
        return
    shaped = [np.reshape(one, (2, 2)) for one in [*matrices, everything]]
    result = bootstrap_error_from_results(cells(*shaped), average=average)
    assert 0 <= result.estimate <= 1
    assert 0 <= result.overfitting_rate <= 1
    assert 0.632 <= result.weight <= 1 + 1e-12


# --- results that are refused


@pytest.mark.parametrize("keys", [(), ("return_train_score",), ("return_indices",)])
@pytest.mark.parametrize(
    "cv", [KFold(5), KFold(3, shuffle=True, random_state=0), BootstrapSplit(9, random_state=0)]
)
def test_results_without_the_resubstitution_split_are_refused(cv, keys):
    # 50 samples in 3 parts: the first part, not the last, is larger.
    with pytest.raises(ValueError, match=r"The last split must be \(all, all\)"):
        bootstrap_error_from_results(cross_validated(cv=cv, **dict.fromkeys(keys, True)))


def test_a_largest_last_part_is_not_taken_for_all_samples():
    parts = [(np.arange(20, 50), np.arange(20)), (np.arange(20), np.arange(20, 50))]
    for keys in ({"return_train_score": True}, {"return_indices": True}):
        with pytest.raises(ValueError, match=r"The last split must be \(all, all\)"):
            bootstrap_error_from_results(cross_validated(cv=parts, **keys))


def test_a_single_split_is_refused():
    with pytest.raises(ValueError, match=r"The last split must be \(all, all\)"):
        bootstrap_error_from_results(cells([[3, 1], [0, 4]]))


def test_results_without_cells_are_refused():
    with pytest.raises(ValueError, match="has no key like 'test_confusion_0_0'"):
        bootstrap_error_from_results({"test_score": np.ones(3)})


def test_results_of_a_search_are_read_by_its_refit_rule():
    search = GridSearchCV(
        GaussianNB(), {"var_smoothing": [1e-9, 1]}, cv=CV, scoring=ConfusionScorer([0, 1, 2]), refit=False
    ).fit(IRIS_X, IRIS_Y)
    message = r"results must come from cross_validate; for a search use Bootstrap632Refit\.errors"
    with pytest.raises(ValueError, match=message):
        bootstrap_error_from_results(search.cv_results_)


def test_a_failed_split_is_named():
    broken = cells([[3, 1], [0, 4]], [[np.nan] * 2] * 2, [[5, 0], [0, 5]])
    with pytest.raises(MissingScoreError, match="split 1"):
        bootstrap_error_from_results(broken)


def test_per_observation_needs_models_indices_and_data():
    with pytest.raises(ValueError, match=r"needs X, y, .* results lack \['estimator', 'indices'\]"):
        bootstrap_error_from_results(cross_validated(), average="observation", X=IRIS_X, y=IRIS_Y)


def test_other_data_than_those_of_the_results_are_refused():
    results = cross_validated(return_estimator=True, return_indices=True)
    with pytest.raises(ValueError, match="X and y must be the data of the results, in the same order"):
        bootstrap_error_from_results(results, average="observation", X=IRIS_X[::-1], y=IRIS_Y)
    with pytest.raises(ValueError, match="49 samples, results have 50"):
        bootstrap_error_from_results(results, average="observation", X=IRIS_X[1:], y=IRIS_Y[1:])


def test_cross_validation_with_resubstitution_is_no_bootstrap():
    results = cross_validated(cv=WithResubstitution(5), return_estimator=True, return_indices=True)
    with pytest.raises(ValueError, match="must give bootstrap replicates"):
        bootstrap_error_from_results(results, average="observation", X=IRIS_X, y=IRIS_Y)


@pytest.mark.parametrize("average", ["pooled", "replicate"])
def test_kept_indices_say_that_folds_are_no_bootstrap(average):
    results = cross_validated(cv=WithResubstitution(KFoldSplit(5)), return_indices=True)
    with pytest.raises(ValueError, match="must give bootstrap replicates"):
        bootstrap_error_from_results(results, average=average)


def test_kept_indices_of_groups_need_the_groups():
    groups = np.arange(len(IRIS_Y)) // 3
    cv = WithResubstitution(BootstrapSplit(25, random_state=0))
    results = cross_validated(cv=cv, groups=groups, return_indices=True)
    with pytest.raises(ValueError, match="give groups that are drawn whole"):
        bootstrap_error_from_results(results)
    found = bootstrap_error_from_results(results, groups=groups)
    assert repr(found) == repr(bootstrap_error_from_results(cross_validated(cv=cv, groups=groups)))
