"""The methods of `generalization_interval` by name: their designs, and how each is put to work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from skeval.intervals import _bootstrap_risk as bootstrap
from skeval.intervals._conservative_z import conservative_z, halved_splits
from skeval.intervals._cv_risk import (
    SplitLosses,
    check_splits,
    corrected_t,
    corrected_t_of_losses,
    hold_out,
    mean_n_train,
    wald,
)
from skeval.intervals._generalization_result import GeneralizationInterval, Quantity
from skeval.intervals._measures import find_measure
from skeval.intervals._nested_cv import nested_cv
from skeval.intervals._risk_runs import Data, RiskRunner, contrast
from skeval.model_selection._hold_out import HoldOutSplit
from skeval.model_selection._k_fold import KFoldSplit
from skeval.model_selection._out_of_fold import evaluate
from skeval.model_selection._split_indices import Splits, as_splits, refuse_strange_rows
from skeval.utils._kind import classifies
from skeval.utils._validation import check_int, check_real

# With fewer, a bootstrap sample of one or two distinct members is no rarity.
_LEAST_RESAMPLED = 8
_MINIMA = {"n_splits": 2, "n_repeats": 1, "n_inner": 2}


@dataclass(frozen=True)
class Design:
    """Splits to draw: what the user gave, or the defaults of the method."""

    cv: Any = None
    n_splits: int = 1
    n_repeats: int = 1
    n_inner: int = 1
    test_size: Any = None

    @classmethod
    def of(cls, method: str, **given: Any) -> Design:
        """Fill in the defaults of a method; what it does not have is refused."""
        defaults = METHODS[method].design
        taken = {name: value for name, value in given.items() if value is not None}
        for name in taken:
            if name not in defaults:
                raise ValueError(
                    f"{name} must be None for method={method!r}, which takes {', '.join(defaults)}."
                )
        if "cv" in taken and len(taken) > 1:
            raise ValueError(
                f"cv stands for {', '.join(sorted(set(taken) - {'cv'}))}: give one or the other."
            )
        for name, minimum in _MINIMA.items():
            if name in taken:
                check_int(taken[name], name, minimum=minimum)
        return cls(**{**defaults, **taken})


def own_splits(method: str, design: Design, data: Data, *, classify: bool, generator: Any) -> Splits:
    """Return the splits of a method that takes one list of them, checked."""
    X, y, groups, n_samples = data.X, data.y, data.named_groups, data.n_samples
    if design.cv is not None:
        splits = as_splits(check_cv(design.cv, y, classifier=classify).split(X, y, groups), "cv")
        refuse_strange_rows(splits, n_samples)
    elif method in ("holdout", "corrected-t"):
        cv: Any = HoldOutSplit(design.n_splits, test_size=design.test_size, random_state=generator)
        splits = list(cv.split(X, y, groups))
    else:
        cv = KFoldSplit(design.n_splits, n_repeats=design.n_repeats, random_state=generator)
        splits = list(cv.split(X, y, groups))
    for part in _partitions(splits, n_samples) if method == "nested-cv" else [splits]:
        check_splits(method, part, n_samples, data.groups)
    return splits


def _partitions(splits: Splits, n_samples: int) -> list[Splits]:
    """Return the splits in runs that test as many samples as there are."""
    tested = np.cumsum([len(test) for _, test in splits])
    ends = np.flatnonzero(np.diff((tested - 1) // n_samples)) + 1
    parts = [splits[start:stop] for start, stop in zip([0, *ends], [*ends, len(splits)], strict=True)]
    if len({len(part) for part in parts}) > 1:
        raise ValueError(
            "method='nested-cv' takes repeats with the same number of folds, each of which tests every "
            f"sample once, got runs of {[len(part) for part in parts]} splits."
        )
    return parts


def _draw(method: str, runner: RiskRunner, design: Design, generator: Any) -> Splits:
    classify = runner.loss.codes is not None
    return own_splits(method, design, runner.data, classify=classify, generator=generator)


def _on_splits(method: str, formula: Callable[..., GeneralizationInterval]) -> Callable[..., Any]:
    """Return what runs the splits of a method and hands their losses to its formula."""

    def compute(quantity: Quantity, runner: RiskRunner, design: Design, generator: Any) -> Any:
        splits = _draw(method, runner, design, generator)
        return formula(
            quantity, SplitLosses(splits, runner.run(splits), runner.data.weight, runner.data.groups)
        )

    return compute


def _nested(quantity: Quantity, runner: RiskRunner, design: Design, generator: Any) -> GeneralizationInterval:
    splits = _draw("nested-cv", runner, design, generator)
    return nested_cv(quantity, runner, _partitions(splits, runner.data.n_samples))


def _conservative(
    quantity: Quantity, runner: RiskRunner, design: Design, generator: Any
) -> GeneralizationInterval:
    splits = _halved(design, runner.data, generator)
    data = SplitLosses(splits, runner.run(splits), runner.data.weight, runner.data.groups)
    means = np.array([np.average(part.values, weights=part.weight) for part in data.parts])
    common = data.common
    return conservative_z(
        quantity,
        means,
        splits,
        n_splits=design.n_splits,
        n_fits=data.n_fits,
        seen=common["seen"],
        n_tested=common["n_tested"],
    )


def _halved(design: Design, data: Data, generator: Any) -> Splits:
    return halved_splits(
        data.y,
        data.groups,
        data.n_samples,
        n_splits=design.n_splits,
        n_pairs=design.n_repeats,
        test_size=design.test_size,
        generator=generator,
    )


def _replicated(plus: bool) -> Callable[..., Any]:
    """Return what draws bootstrap replicates for the out-of-bag error or .632+."""

    def compute(quantity: Quantity, runner: RiskRunner, design: Design, generator: Any) -> Any:
        splits, strata = bootstrap.draw_replicates(runner, design.cv, design.n_splits, generator)
        return bootstrap.out_of_bag(quantity, runner, splits, strata, plus=plus)

    return compute


def _shifted(
    quantity: Quantity, runner: RiskRunner, design: Design, generator: Any
) -> GeneralizationInterval:
    splits, _ = bootstrap.draw_replicates(runner, design.cv, design.n_splits, generator)
    return bootstrap.location_shifted(quantity, runner, splits)


def _resampled(method: str, formula: Callable[..., GeneralizationInterval]) -> Callable[..., Any]:
    """Return what hands the numbers of outer and inner resamples to a formula."""

    def compute(quantity: Quantity, runner: RiskRunner, design: Design, generator: Any) -> Any:
        if runner.data.n_units < _LEAST_RESAMPLED:
            kind = "samples" if runner.data.groups is None else "groups"
            raise ValueError(
                f"method={method!r} resamples bootstrap samples, which must have several distinct members: "
                f"it needs at least {_LEAST_RESAMPLED} {kind}, got {runner.data.n_units}."
            )
        return formula(
            quantity, runner, n_splits=design.n_splits, n_inner=design.n_inner, generator=generator
        )

    return compute


def score_interval(
    method: str,
    design: Design,
    estimators: tuple[Any, ...],
    data: Data,
    *,
    scoring: Any,
    bounds: tuple[float, float],
    level: float,
    n_jobs: int | None,
    generator: Any,
) -> GeneralizationInterval:
    """Return the interval of any score, which needs no loss per sample: corrected t or conservative z."""
    if method == "corrected-t":
        classify = classifies(estimators[0])
        splits = own_splits(method, design, data, classify=classify, generator=generator)
    else:
        splits = _halved(design, data, generator)
    named = dict(zip(("first", "second"), estimators, strict=False))
    metrics = [scoring] if isinstance(scoring, str) else []
    done = evaluate(
        named,
        data.X,
        data.y,
        cv=splits,
        metrics=metrics,
        sample_weight=data.weight,
        params=data.params.given,
        n_jobs=n_jobs,
    )
    table = np.stack([found.scores for found in done.scores(scoring).values()])
    name = scoring if isinstance(scoring, str) else "score"
    quantity = Quantity(name, bounds, len(estimators) > 1, level)
    common: dict[str, Any] = {
        "seen": [table],
        "n_tested": 0,
        "n_fits": table.size,
    }
    if method == "corrected-t":
        n_test = float(np.mean([len(test) for _, test in splits]))
        return corrected_t(quantity, contrast(table), n_train=mean_n_train(splits), n_test=n_test, **common)
    return conservative_z(quantity, contrast(table), splits, n_splits=design.n_splits, **common)


def check_bounds(bounds: Any, known: tuple[float, float]) -> tuple[float, float]:
    """Return the range that was given, else the one that is known."""
    if bounds is None:
        return known
    if np.shape(bounds) != (2,):
        raise ValueError(f"bounds must be two numbers, low and high, got {bounds!r}.")
    low, high = (check_real(value, "bounds", infinite=True) for value in bounds)
    if not low < high:
        raise ValueError(f"bounds must be low < high, got {bounds!r}.")
    return low, high


def score_range(scoring: Any, bounds: Any = None) -> tuple[float, float]:
    """Return the range of a score: given, or known by its name."""
    return check_bounds(bounds, _known_range(scoring))


def _known_range(scoring: Any) -> tuple[float, float]:
    if not isinstance(scoring, str):
        return -np.inf, np.inf
    if scoring.startswith("neg_"):
        return -np.inf, 0.0
    if scoring in ("r2", "explained_variance") or scoring.startswith("d2_"):
        return -np.inf, 1.0
    if "auc" in scoring or scoring.startswith(("f_beta", "top_k")) or scoring.endswith("_samples"):
        return 0.0, 1.0
    try:
        measure = find_measure(scoring, None, None, None)
    except ValueError:
        return -np.inf, np.inf
    return measure.low, measure.high


@dataclass(frozen=True)
class Method:
    """A method: its design with defaults, what it cannot do, and what computes it."""

    compute: Callable[..., GeneralizationInterval]
    design: dict[str, Any] = field(default_factory=dict)
    any_score: bool = False
    no_information: bool = False
    weights: bool = True


def _wald(within: bool) -> Callable[..., GeneralizationInterval]:
    return lambda quantity, data: wald(quantity, data, within=within)


METHODS = {
    "holdout": Method(_on_splits("holdout", hold_out), {"cv": None, "test_size": 0.3}),
    "corrected-t": Method(
        _on_splits("corrected-t", corrected_t_of_losses),
        {"cv": None, "n_splits": 25, "test_size": 0.1},
        any_score=True,
    ),
    "cv-wald": Method(_on_splits("cv-wald", _wald(False)), {"cv": None, "n_splits": 10}),
    "cv-wald-within": Method(_on_splits("cv-wald-within", _wald(True)), {"cv": None, "n_splits": 10}),
    "nested-cv": Method(_nested, {"cv": None, "n_splits": 5, "n_repeats": 10}),
    "conservative-z": Method(
        _conservative, {"n_splits": 15, "n_repeats": 10, "test_size": 0.1}, any_score=True
    ),
    "oob": Method(_replicated(plus=False), {"cv": None, "n_splits": 1000}, weights=False),
    ".632+": Method(
        _replicated(plus=True),
        {"cv": None, "n_splits": 1000},
        weights=False,
        no_information=True,
    ),
    "bootstrap-case-cv": Method(
        _resampled("bootstrap-case-cv", bootstrap.bootstrap_case_cv),
        {"n_splits": 100, "n_inner": 10},
        weights=False,
    ),
    "location-shifted-bootstrap": Method(
        _shifted,
        {"cv": None, "n_splits": 200},
        weights=False,
        no_information=True,
    ),
    "two-stage-bootstrap": Method(
        _resampled("two-stage-bootstrap", bootstrap.two_stage),
        {"n_splits": 200, "n_inner": 10},
        weights=False,
        no_information=True,
    ),
}
