"""Posterior probabilities that one method is better, with a region of practical equivalence."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from skeval.comparison._splits import corrected_effect, two_sided_interval
from skeval.model_selection._paired_scores import pair_scores
from skeval.utils._results import PosteriorResult
from skeval.utils._validation import check_real


def correlated_bayes_ttest(
    a: Any,
    b: Any,
    *,
    rope: float,
    n_train: Any = None,
    n_test: Any = None,
    metric: str | None = None,
    nan_policy: str = "raise",
) -> PosteriorResult:
    """Bayesian correlated t-test of two methods on one data set.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,), CVScores or dict
        Scores of two methods on the same splits, greater is better; a dict as
        ``cross_validate(return_indices=True)`` returns it.
    rope : float
        Half the width of the region of practical equivalence, in units of the score, not
        negative: differences up to it, itself included, do not matter.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Distinct training rows and test rows per split. Read from the splits where a or b
        carries them.
    metric : str, default=None
        Which of several scores in a dict.
    nan_policy : {"raise", "omit"}, default="raise"
        "omit" drops the splits where a score is missing.

    Returns
    -------
    PosteriorResult
        Probabilities that the mean difference a - b is above `rope`, within it, and below
        -`rope`. ``details``: location, scale and degrees of freedom of the posterior.

    Raises
    ------
    ValueError
        As `corrected_resampled_ttest`, and a negative `rope`.

    Warns
    -----
    DegenerateDataWarning
        All differences are equal: the whole probability lies in one region.

    Notes
    -----
    The posterior of the mean difference is Student's t with J - 1 degrees of freedom, the
    mean difference as its center and scale^2 = (1/J + rho/(1 - rho)) s^2, rho the share of
    rows that a split tests on, n_test/(n_train + n_test). With ``rope=0`` the probability
    that b is better equals the one-sided p-value of `corrected_resampled_ttest`.

    References
    ----------
    Corani & Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms
    on multiple data sets, Machine Learning 100, section 2.1.

    Examples
    --------
    >>> from skeval.comparison import correlated_bayes_ttest
    >>> differences = [0.02, -0.01, 0.03, 0.01, 0, 0.04, 0.015, -0.005, 0.02, 0.01]
    >>> result = correlated_bayes_ttest(differences, [0] * 10, rope=0.01, n_train=90, n_test=10)
    >>> round(result.a_better, 4), round(result.equivalent, 4), round(result.b_better, 4)
    (0.6583, 0.3365, 0.0052)
    """
    rope = check_real(rope, "rope", low=0, high=np.inf, closed="left")
    paired = pair_scores(a, b, n_train=n_train, n_test=n_test, metric=metric, nan_policy=nan_policy)
    center, scale = corrected_effect(paired)
    df = len(paired.differences) - 1
    a_better, within, b_better = t_shares(center, scale, df, rope, paired.rounding)
    return PosteriorResult(
        a_better=a_better,
        equivalent=within,
        b_better=b_better,
        estimate=center,
        rope=rope,
        method="Bayesian correlated t-test",
        estimand="difference of the mean scores of the two methods, first minus second",
        reference="Corani & Benavoli (2015), Machine Learning 100, section 2.1",
        details=paired.counts | {"location": center, "scale": scale, "df": df},
        _interval=partial(two_sided_interval, center, scale, df, "two-sided"),
    )


def t_shares(
    center: float, scale: float, df: float, rope: float, rounding: float
) -> tuple[float, float, float]:
    """Return the shares of Student's t above, within and below a region around 0, edges inside."""
    above, below = center - rope, center + rope  # distances of the center from both edges
    if not scale:
        a_better, b_better = float(above > rounding), float(below < -rounding)
        return a_better, 1 - a_better - b_better, b_better
    b_better, upto = (float(stats.t.cdf(-distance / scale, df)) for distance in (below, above))
    return float(stats.t.sf(-above / scale, df)), upto - b_better, b_better
