"""Intervals from bootstrap replicates: of the samples, of the estimate, of a whole cross-validation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from skeval.exceptions import DegenerateDataWarning, ResamplingWarning
from skeval.intervals._cv_risk import mean_n_train
from skeval.intervals._generalization_result import (
    NO_SPREAD,
    GeneralizationInterval,
    Quantity,
    largest,
)
from skeval.intervals._risk_formulas import Mean
from skeval.intervals._risk_runs import RiskRunner, contrast, difference
from skeval.model_selection._bootstrap import BootstrapSplit
from skeval.model_selection._bootstrap_formulas import (
    REFERENCE,
    combine_bootstrap_error,
    out_of_bag_errors,
)
from skeval.model_selection._bootstrap_result import average_observations, warn_of_noise
from skeval.model_selection._bootstrap_splits import bootstrap_splits, warn_undrawn_classes
from skeval.model_selection._k_fold import KFoldSplit
from skeval.model_selection._split_indices import Splits
from skeval.utils._resamples import percentile_ends
from skeval.utils._validation import FloatArray, IntArray
from skeval.utils._warnings import warn_user

_JIANG = (
    "Jiang, Varma & Simon (2008), Statistical Applications in Genetics and Molecular Biology 7, article 8"
)
_NOMA = "Noma, Shinozaki, Iba, Teramukai & Furukawa (2021), Statistics in Medicine 40, 5691-5701"


class _Full(NamedTuple):
    """The models of all samples, per model: resubstitution error, no-information rate."""

    resubstitution: FloatArray
    no_information: FloatArray


def draw_replicates(
    runner: RiskRunner, cv: Any, n_splits: int, generator: Any
) -> tuple[Splits, IntArray | None]:
    """Return two bootstrap replicates or more, and the strata within which they were drawn."""
    data = runner.data
    splits, strata = bootstrap_splits(
        cv,
        data.X,
        data.y,
        data.named_groups,
        classes=runner.loss.codes,
        n_splits=n_splits,
        random_state=generator,
    )
    n_used = sum(len(test) > 0 for _, test in splits)
    if n_used < 2:
        raise ValueError(
            f"cv must give at least 2 bootstrap replicates that leave a sample out, got {n_used} of "
            f"{len(splits)}: use BootstrapSplit(1000), say."
        )
    return splits, strata


def out_of_bag(
    quantity: Quantity, runner: RiskRunner, splits: Splits, strata: IntArray | None, *, plus: bool
) -> GeneralizationInterval:
    """Return the interval of the leave-one-out bootstrap, or of .632+, by the delta method.

    The standard error is that of Err1, Monte Carlo noise subtracted. That of .632+ is taken in
    proportion, times .632+/Err1; of a difference, each model in its own proportion, jointly.
    """
    full = _full_fit(runner) if plus else None
    losses, kept, n_failed = _replicates(runner, RiskRunner.losses, splits)
    trains, tests = ([splits[number][side] for number in kept] for side in (0, 1))
    errors = np.array([_leave_one_out(runner, tests, [each[m] for each in losses]) for m in _models(runner)])
    estimates = errors
    if full is not None:
        estimates = np.atleast_1d(combine_bootstrap_error(full.resubstitution, errors, full.no_information))
    factors = np.divide(estimates, errors, out=np.ones(len(errors)), where=errors > 0)[:, None]
    parts = [contrast(factors * each) for each in losses]
    averaged = average_observations(
        trains,
        tests,
        parts,
        n_samples=runner.data.n_samples,
        groups=runner.data.groups,
        strata=strata,
    )
    if "variance" not in averaged:
        raise ValueError(f"There is no confidence interval: {averaged['no_interval']}")
    variance, noise = averaged["variance"]
    if np.ptp(np.concatenate(parts)) <= NO_SPREAD * largest(losses):
        variance = noise = 0.0  # equal losses: what is left is noise alone
    corrected = _less_noise(variance, noise, len(kept))
    details: dict[str, Any] = {
        "leave_one_out": errors.tolist(),
        "standard_error_uncorrected": variance**0.5,
        "monte_carlo_error": noise**0.5,
        "n_fits": len(runner.estimators) * (len(splits) + plus),
    }
    n_train = float(runner.data.n_samples) if plus else mean_n_train(splits)
    if full is not None:
        details |= {"resubstitution": full.resubstitution.tolist()}
    return quantity.symmetric(
        Mean(difference(estimates), corrected),
        seen=losses,
        n_tested=runner.data.n_units,
        method=".632+ bootstrap, delta method" if plus else "out-of-bag bootstrap, delta method",
        reference=REFERENCE,
        target="method",
        n_train=n_train,
        n_resamples=len(splits),
        n_failed=n_failed,
        details=details,
    )


def location_shifted(quantity: Quantity, runner: RiskRunner, splits: Splits) -> GeneralizationInterval:
    """Return the .632+ estimate, with the quantiles of the replicates' errors on their own samples.

    The errors of the models of the replicates on the samples that they were trained on,
    shifted by how far .632+ is above the resubstitution error.
    """
    full = _full_fit(runner)
    losses, kept, n_failed = _replicates(runner, _all_losses, splits)
    trains, tests = ([splits[number][side] for number in kept] for side in (0, 1))
    errors = np.array(
        [
            _leave_one_out(runner, tests, [each[m][test] for each, test in zip(losses, tests, strict=True)])
            for m in _models(runner)
        ]
    )
    estimates = np.atleast_1d(combine_bootstrap_error(full.resubstitution, errors, full.no_information))
    own = np.array([contrast(each)[train].mean() for each, train in zip(losses, trains, strict=True)])
    replicates = own + difference(estimates) - difference(full.resubstitution)
    return _percentile(
        quantity,
        difference(estimates),
        replicates,
        n_resamples=len(splits),
        n_failed=n_failed,
        seen=losses,
        method="location-shifted bootstrap",
        reference=_NOMA,
        target="method",
        n_train=float(runner.data.n_samples),
        details={
            "resubstitution": full.resubstitution.tolist(),
            "leave_one_out": errors.tolist(),
            "n_fits": len(runner.estimators) * (len(splits) + 1),
        },
    )


def two_stage(
    quantity: Quantity, runner: RiskRunner, *, n_splits: int, n_inner: int, generator: np.random.Generator
) -> GeneralizationInterval:
    """Return the .632+ estimate, with the quantiles of .632+ recomputed on bootstrap samples.

    The inner replicates draw the distinct samples of the outer one, copies together, so that
    no sample is on both sides.
    """
    full = _full_fit(runner)
    items = []
    for drawn in _outer_samples(runner, n_splits, generator):
        inner = BootstrapSplit(n_inner, random_state=generator).split(drawn, groups=runner.data.units[drawn])
        items.append((drawn, [(drawn[train], drawn[test]) for train, test in inner]))
    found, _, n_failed = runner.try_run(_recomputed, items, "outer bootstrap samples")
    on_data = BootstrapSplit(n_splits, random_state=generator).split(runner.data.X, groups=runner.data.groups)
    splits = list(on_data)
    losses, kept, _ = _replicates(runner, RiskRunner.losses, splits)
    tests = [splits[number][1] for number in kept]
    errors = np.array([_leave_one_out(runner, tests, [each[m] for each in losses]) for m in _models(runner)])
    estimates = np.atleast_1d(combine_bootstrap_error(full.resubstitution, errors, full.no_information))
    return _percentile(
        quantity,
        difference(estimates),
        np.array([difference(each) for each in found]),
        n_resamples=n_splits,
        n_failed=n_failed,
        seen=[estimates, *found],
        method="two-stage bootstrap",
        reference=_NOMA,
        target="method",
        n_train=float(runner.data.n_samples),
        details={
            "n_inner": n_inner,
            "n_fits": len(runner.estimators) * (1 + n_splits * (2 + n_inner)),
        },
    )


def bootstrap_case_cv(
    quantity: Quantity, runner: RiskRunner, *, n_splits: int, n_inner: int, generator: np.random.Generator
) -> GeneralizationInterval:
    """Return a cross-validated error, with the quantiles of it on bootstrap samples, less their bias.

    The cross-validation of a bootstrap sample keeps the copies of a sample (a case) in one
    fold; each draw counts. The mean over bootstrap samples is above the error on the data,
    because they hold fewer distinct samples: the quantiles are shifted by the difference.
    """
    folds = _case_folds(runner, np.arange(runner.data.n_samples), n_inner, generator)
    [on_data], _, _ = runner.try_run(_cross_validated, [(folds,)], "cross-validations")
    items = [
        (_case_folds(runner, drawn, n_inner, generator),)
        for drawn in _outer_samples(runner, n_splits, generator)
    ]
    found, _, n_failed = runner.try_run(_cross_validated, items, "bootstrap samples")
    errors = np.array([difference(each) for each in found])
    estimate = difference(on_data)
    bias = float(errors.mean()) - estimate
    return _percentile(
        quantity,
        estimate,
        errors - bias,
        n_resamples=n_splits,
        n_failed=n_failed,
        seen=[on_data, *found],
        method="bootstrap case cross-validation",
        reference=_JIANG,
        target="method",
        n_train=mean_n_train(folds),
        details={
            "n_folds": len(folds),
            "bias": bias,
            "n_fits": len(runner.estimators) * (len(folds) + sum(len(own) for (own,) in items)),
        },
    )


# --- what workers do: each returns numbers per model


def _all_losses(runner: RiskRunner, train: IntArray, test: IntArray) -> FloatArray:
    return runner.losses(train, np.arange(runner.data.n_samples))


def _recomputed(runner: RiskRunner, drawn: IntArray, inner: Splits) -> FloatArray:
    """Return .632+ of one bootstrap sample as if it were the data."""
    counts = np.bincount(drawn, minlength=runner.data.n_samples)
    full = _full_fit(runner, drawn, counts)
    tests, losses, failure = [], [], None
    for train, test in inner:
        try:
            losses.append(runner.losses(train, test))
            tests.append(test)
        except Exception as error:  # a class is missing, say: one replicate fewer
            failure = error
    if failure is not None and not losses:
        raise failure
    errors = []
    for model in _models(runner):
        each = out_of_bag_errors(tests, [values[model] for values in losses], runner.data.n_samples)
        known = ~np.isnan(each) & (counts > 0)
        errors.append(np.average(each[known], weights=counts[known]))
    return np.atleast_1d(combine_bootstrap_error(full.resubstitution, np.array(errors), full.no_information))


def _cross_validated(runner: RiskRunner, folds: Splits) -> FloatArray:
    """Return the cross-validated error of one bootstrap sample, each draw counted."""
    return np.concatenate([runner.losses(train, test) for train, test in folds], axis=1).mean(axis=1)


# --- parts


def _replicates(runner: RiskRunner, task: Any, splits: Splits) -> tuple[list[FloatArray], list[int], int]:
    """Run a task on bootstrap replicates; tell which lack a class, and which fail."""
    done = runner.try_run(task, splits, "bootstrap replicates")
    warn_undrawn_classes(runner.loss.codes, runner.loss.classes, splits)
    return done


def _models(runner: RiskRunner) -> range:
    return range(len(runner.estimators))


def _full_fit(runner: RiskRunner, drawn: IntArray | None = None, counts: IntArray | None = None) -> _Full:
    """Fit on all samples (or on those drawn) and return the errors on the same."""
    everything = np.arange(runner.data.n_samples)
    said = runner.predictions(everything if drawn is None else drawn, everything)
    losses = [runner.loss.values(everything, each) for each in said]
    return _Full(
        np.array([np.average(each, weights=counts) for each in losses]),
        np.array([runner.loss.no_information(each, counts) for each in said]),
    )


def _leave_one_out(runner: RiskRunner, tests: list[IntArray], losses: list[FloatArray]) -> float:
    return float(np.nanmean(out_of_bag_errors(tests, losses, runner.data.n_samples)))


def _outer_samples(runner: RiskRunner, n_splits: int, generator: Any) -> list[IntArray]:
    """Return the samples drawn by bootstrap replicates, groups whole."""
    cv = BootstrapSplit(n_splits, random_state=generator)
    return [train for train, _ in cv.split(np.arange(runner.data.n_samples), groups=runner.data.groups)]


def _case_folds(runner: RiskRunner, drawn: IntArray, n_folds: int, generator: Any) -> Splits:
    """Return a cross-validation of drawn samples that keeps the copies of a case together."""
    cases = runner.data.units[drawn]
    cv = KFoldSplit(min(n_folds, len(np.unique(cases))), stratify=False, random_state=generator)
    return [(drawn[train], drawn[test]) for train, test in cv.split(drawn, groups=cases)]


def _less_noise(variance: float, noise: float, n_splits: int) -> float:
    """Return the variance without Monte Carlo noise; with it, where nothing would be left."""
    if variance > 0:
        warn_of_noise(variance, noise, n_splits)
    if variance > noise:
        return variance - noise
    if variance > 0:
        warn_user(
            f"The standard error is lost in the Monte Carlo noise of {n_splits} replicates: it is given with "
            "the noise, too large; use a larger n_splits.",
            ResamplingWarning,
        )
    return variance


def _percentile(
    quantity: Quantity,
    estimate: float,
    replicates: FloatArray,
    *,
    n_resamples: int,
    n_failed: int,
    **words: Any,
) -> GeneralizationInterval:
    low, high = percentile_ends(replicates, (quantity.tail, 1 - quantity.tail))
    if (len(replicates) + 1) * quantity.tail < 1:
        warn_user(
            f"{len(replicates)} replicates are too few for tails of {quantity.tail:.3g}: the ends are the "
            f"extreme replicates. Use n_splits={int(np.ceil(10 / quantity.tail))} or so.",
            ResamplingWarning,
        )
    if low == high:
        warn_user(
            f"degenerate: all {len(replicates)} replicates are {low:.4g}, so that the interval has no width, "
            "which is not certainty; use method='holdout' or 'cv-wald', which bound it.",
            DegenerateDataWarning,
        )
    return quantity.build(
        estimate,
        low,
        high,
        standard_error=float(replicates.std(ddof=1)) if len(replicates) > 1 else None,
        n_resamples=n_resamples,
        n_failed=n_failed,
        replicates=replicates,
        **words,
    )
