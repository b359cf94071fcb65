"""Where the variance of a score comes from: the test rows, the split, the learner's own seed."""

from __future__ import annotations

import html
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import check_cv

from skeval.exceptions import MissingScoreError
from skeval.model_selection._data import read_data
from skeval.model_selection._evaluation import Evaluation
from skeval.model_selection._fitting import check_fit_params, run_tasks
from skeval.model_selection._k_fold import KFoldSplit
from skeval.model_selection._out_of_fold import check_metric, check_target, fit_and_respond
from skeval.model_selection._paired_scores import ROUNDING
from skeval.model_selection._split_indices import Splits, disjoint_splits, listed
from skeval.utils._optional import import_optional
from skeval.utils._random import check_generator, child_seeds
from skeval.utils._tables import html_table
from skeval.utils._validation import FloatArray, IntArray, check_int

# A component this small beside the mean squares that it is the difference of is rounding.
_ROUNDING = 1e-12
# Blocks of test rows that are left out in turn.
_N_BLOCKS = 20
_PARTS = ("data", "split", "seed")


@dataclass(frozen=True, eq=False)
class VarianceParts:
    """Variance of the score of one split and one seed, in parts.

    Attributes
    ----------
    data : float
        From which rows are tested: it falls with the size of the test part.
    split : float
        From which rows are trained on.
    seed : float
        From the learner's own random numbers.
    mean : float
        Mean score.
    scores : ndarray of shape (n_splits, n_seeds)
        Greater is better.
    n_test : float
        Test rows of a split, on average.
    metric : str
        Name of the score.
    notes : tuple of str
        What was set to 0, and why.
    estimand : str
        What is estimated.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.model_selection import variance_parts
    >>> X, y = load_iris(return_X_y=True)
    >>> parts = variance_parts(DecisionTreeClassifier(splitter="random"), X, y, random_state=0)
    >>> sum(parts.shares.values())
    1.0
    """

    data: float
    split: float
    seed: float
    mean: float
    scores: FloatArray = field(repr=False)
    n_test: float
    metric: str
    notes: tuple[str, ...]
    estimand: str

    @property
    def total(self) -> float:
        """Variance of the score of one split and one seed: the sum of the parts."""
        return self.data + self.split + self.seed

    @property
    def shares(self) -> dict[str, float]:
        """Share of each part in the total; all 0 where nothing varies."""
        return {name: getattr(self, name) / self.total if self.total else 0.0 for name in _PARTS}

    def frame(self) -> Any:
        """Return the parts as a pandas DataFrame, one row per part."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        variances = [getattr(self, name) for name in _PARTS]
        return {
            "part": list(_PARTS),
            "variance": variances,
            "standard_deviation": [variance**0.5 for variance in variances],
            "share": list(self.shares.values()),
        }

    def __str__(self) -> str:
        n_splits, n_seeds = self.scores.shape
        told = ", ".join(f"{name} {share:.0%}" for name, share in self.shares.items())
        notes = "".join(f" {note[0].upper()}{note[1:]}." for note in self.notes)
        return (
            f"{self.metric} {self.mean:.4g}, standard deviation {self.total**0.5:.2g} over {n_splits} splits "
            f"and {n_seeds} seed{'s' if n_seeds > 1 else ''}; of the variance: {told}.{notes}"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{html_table(self._columns())}"


def variance_parts(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    n_seeds: int = 5,
    scoring: Any = None,
    pos_label: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> VarianceParts:
    """Split the variance of a score into the parts of the test rows, the split and the seed.

    The model is fitted again on every split with other seeds.

    Parameters
    ----------
    estimator : estimator object
        Cloned. Every parameter named ``random_state``, those of its steps included, gets
        another seed in each fit.
    X : array-like of shape (n_samples, n_features)
        Any container that the estimator takes.
    y : array-like of shape (n_samples,)
        Labels, or numbers for a regressor.
    cv : int, splitter or iterable of (train, test), default=None
        Two splits or more, with two test rows (groups) or more each; None:
        ``KFoldSplit(10)``. An int: as in scikit-learn.
    n_seeds : int, default=5
        Fits per split, two or more. A learner without ``random_state`` is fitted once.
    scoring : str, scorer or None, default=None
        As in `Evaluation.scores`; None: "accuracy" for classifiers,
        "neg_mean_squared_error" for regressors.
    pos_label : label, default=None
        Positive class of a binary score.
    groups : array-like of shape (n_samples,), default=None
        Passed to `cv`; the test rows then count by whole groups.
    sample_weight : array-like of shape (n_samples,), default=None
        Used in the fits and in the score.
    params : dict, default=None
        Further parameters of every ``fit``, by name, as in `evaluate`.
    n_jobs : int, default=None
        Fits at once; it changes no number.
    random_state : int, RandomState, Generator or None, default=None
        For the seeds, the default `cv` and the blocks.

    Returns
    -------
    VarianceParts

    Raises
    ------
    ValueError
        Fewer than two splits or test rows; what `evaluate` refuses.
    MissingScoreError
        A score that is undefined on a test set, or on a part of one.

    Notes
    -----
    Random-effects analysis of variance, with J splits and S seeds within each:

    - seed: variance of the scores of a split over its seeds, averaged over splits.
    - data: the test rows of each split are cut in G = 20 random blocks (fewer where there
      are fewer rows); pseudo-values G theta - (G - 1) theta(without the block) are laid out
      as blocks x seeds, and the component of the blocks, (MS of blocks - MS of the rest)/S,
      is divided by G. For a mean over rows with equal blocks this is the variance of the
      mean of rows that all seeds find equally hard.
    - split: variance over splits of the mean over seeds, less seed/S and less data x (1 - o),
      o the mean share of test rows that two splits have in common.

    A component that comes out negative is set to 0, and `notes` says so. The training parts
    of the splits overlap: the split part is that over these splits, and less than that over
    new samples.

    References
    ----------
    S. Searle, G. Casella, C. McCulloch (1992). Variance components. Wiley; chapter 3.

    X. Bouthillier et al. (2021). Accounting for variance in machine learning benchmarks.
    MLSys 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.model_selection import KFoldSplit, variance_parts
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(splitter="random", max_features=1)
    >>> parts = variance_parts(tree, X, y, cv=KFoldSplit(5, random_state=0), random_state=0)
    >>> parts.scores.shape, parts.seed > 0
    ((5, 5), True)
    """
    n_seeds = check_int(n_seeds, "n_seeds", minimum=2)
    target, classes = check_target({"estimator": estimator}, y)
    _, codes = read_data(X, target, groups)
    beside = check_fit_params([estimator], len(target), sample_weight, params)
    if scoring is None:
        scoring = "neg_mean_squared_error" if classes is None else "accuracy"
    if isinstance(scoring, str):
        check_metric(scoring, [estimator], classes, pos_label)
    rng = check_generator(random_state)
    splits = _splits(cv, X, target, groups, classes is not None, rng)
    blocks = _cut([test for _, test in splits], codes, rng)
    seeded, notes = _seeded(estimator, len(splits), n_seeds, rng)
    items = [(name, split) for split, names in enumerate(seeded) for name in names]
    named = {name: one for names in seeded for name, one in names.items()}
    said = run_tasks(fit_and_respond, (named, splits, X, target, beside), items, n_jobs)
    n_seeds = len(seeded[0])
    # Evaluation wants every model on every split: the models are the numbers of the seeds.
    kept = {str(seed): said[seed::n_seeds] for seed in range(n_seeds)}
    whole = Evaluation(tuple(kept), splits, target, classes, pos_label, beside.weight, codes, kept)
    scores = _scores(whole, scoring)
    without = np.stack(
        [_scores(_leave_out(whole, blocks, block), scoring) for block in range(len(blocks[0]))]
    )
    parts, clamped = _components(scores, without, _overlap(splits, len(target)))
    return VarianceParts(
        **parts,
        mean=float(scores.mean()),
        scores=scores,
        n_test=float(np.mean([len(test) for _, test in splits])),
        metric=scoring if isinstance(scoring, str) else "score",
        notes=(*notes, *clamped),
        estimand="variance of the score of one split with one seed",
    )


def _splits(cv: Any, X: Any, y: Any, groups: Any, classify: bool, rng: np.random.Generator) -> Splits:
    splitter = KFoldSplit(random_state=rng) if cv is None else check_cv(cv, y, classifier=classify)
    splits = disjoint_splits(splitter, X, y, groups)
    if len(splits) < 2:
        raise ValueError(
            f"cv must give at least 2 splits, got {len(splits)}: one has no variance over splits."
        )
    return splits


def _cut(tests: list[IntArray], groups: IntArray | None, rng: np.random.Generator) -> list[list[IntArray]]:
    """Cut every test part in as many blocks; return positions within it. Whole groups go together."""
    units = [np.unique(test if groups is None else groups[test], return_inverse=True)[1] for test in tests]
    fewest = min(int(of_split.max()) + 1 for of_split in units)
    if fewest < 2:
        raise ValueError(
            "cv must give at least 2 test rows (or groups) per split: the score of one row has no variance "
            "within its split."
        )
    n_blocks, blocks = min(fewest, _N_BLOCKS), []
    for of_split in units:
        block = (rng.permutation(int(of_split.max()) + 1) % n_blocks)[of_split]
        blocks.append([np.flatnonzero(block == which) for which in range(n_blocks)])
    return blocks


def _seeded(
    estimator: Any, n_splits: int, n_seeds: int, rng: np.random.Generator
) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return for each split its estimators with seeds of their own, by name."""
    params = [
        name for name in estimator.get_params() if name == "random_state" or name.endswith("__random_state")
    ]
    notes: tuple[str, ...] = ()
    if not params:
        n_seeds = 1
        notes = (f"{type(estimator).__name__} has no random_state: its seed part is 0",)
    seeds = np.array(child_seeds(rng, n_splits * n_seeds * len(params))).reshape(
        n_splits, n_seeds, len(params)
    )
    return [
        {
            f"split {split}, seed {seed}": clone(estimator).set_params(
                **dict(zip(params, values.tolist(), strict=True))
            )
            for seed, values in enumerate(of_split)
        }
        for split, of_split in enumerate(seeds)
    ], notes


def _scores(evaluation: Evaluation, scoring: Any) -> FloatArray:
    """Return the scores of shape (n_splits, n_seeds); one that is undefined is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        try:
            found = np.column_stack([one.scores for one in evaluation.scores(scoring).values()])
        except MissingScoreError:
            found = np.full((len(evaluation.splits), 1), np.nan)  # undefined on every split
    missing = np.flatnonzero(np.isnan(found).any(axis=1))
    if len(missing):
        name = scoring if isinstance(scoring, str) else "The score"
        raise MissingScoreError(
            f"{name} has no value on {listed(missing)} (counted from 0), or not without a block of the test "
            "rows there: use fewer splits, whose test parts hold each class several times, or a mean over "
            "rows, as 'accuracy' is."
        )
    return found


def _leave_out(whole: Evaluation, blocks: list[list[IntArray]], block: int) -> Evaluation:
    """Return the evaluation without one block of the test rows of every split."""
    keep = [
        np.delete(np.arange(len(test)), cut[block])
        for (_, test), cut in zip(whole.splits, blocks, strict=True)
    ]
    splits = [(train, test[rows]) for (train, test), rows in zip(whole.splits, keep, strict=True)]
    kept = {
        name: [
            {key: values if key == "classes" else values[rows] for key, values in said.items()}
            for said, rows in zip(responses, keep, strict=True)
        ]
        for name, responses in whole._responses.items()
    }
    return replace(whole, splits=splits, _responses=kept)


def _overlap(splits: Splits, n_samples: int) -> float:
    """Return the share of test rows that two splits have in common, on average over pairs."""
    tested = np.zeros((len(splits), n_samples))
    for row, (_, test) in zip(tested, splits, strict=True):
        row[test] = 1 / np.sqrt(len(test))
    n_splits = len(splits)
    # Sum over all pairs, less that of each split with itself.
    return float(((tested.sum(axis=0) ** 2).sum() - n_splits) / (n_splits * (n_splits - 1)))


def _components(
    scores: FloatArray, without: FloatArray, overlap: float
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the variance components, none negative, and a note for each that was set to 0.

    Parameters
    ----------
    scores : ndarray of shape (n_splits, n_seeds)
    without : ndarray of shape (n_blocks, n_splits, n_seeds)
        Scores without each block of test rows.
    overlap : float
        Share of test rows that two splits have in common.
    """
    n_blocks, _, n_seeds = without.shape
    seed = float(scores.var(axis=1, ddof=1).mean()) if n_seeds > 1 else 0.0
    pseudo = n_blocks * scores - (n_blocks - 1) * without
    between = n_seeds * pseudo.mean(axis=2).var(axis=0, ddof=1)
    rest = np.zeros_like(between)
    if n_seeds > 1:
        residual = pseudo - pseudo.mean(axis=0) - pseudo.mean(axis=2, keepdims=True)
        residual += pseudo.mean(axis=(0, 2))[:, None]
        rest = (residual**2).sum(axis=(0, 2)) / ((n_blocks - 1) * (n_seeds - 1))
    data = float((between - rest).mean()) / n_seeds / n_blocks
    over_splits = float(scores.mean(axis=1).var(ddof=1))
    split = over_splits - seed / n_seeds - max(data, 0.0) * (1 - overlap)
    found = {"data": data, "split": split, "seed": seed}
    parts = max(over_splits, seed, float(between.mean()), float(rest.mean()))
    rounding = _ROUNDING * parts + (ROUNDING * n_blocks * float(np.abs(scores).max())) ** 2
    notes = tuple(
        f"the {name} part came out negative ({value:.2g}) and is set to 0"
        for name, value in found.items()
        if value < -rounding
    )
    return {name: value if value > rounding else 0.0 for name, value in found.items()}, notes
