"""The answers of peers and of skeval to the same questions, beside the right value and how it is known.

Run as ``python benchmarks/answers.py`` from the root of the repository; ``--save`` writes answers.csv,
which docs/trust.rst shows. A peer that is not installed is told and left out.
"""

from __future__ import annotations

import contextlib
import csv
import importlib
import io
import sys
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats
from sklearn.metrics import recall_score
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from timing import name_of, version

from skeval.comparison import (
    bayes_signed_rank_test,
    binomial_test,
    corrected_resampled_ttest,
    five_by_two_ftest,
    mcnemar_from_table,
    posthoc_test,
    proportions_ztest,
    wilcoxon_test,
)
from skeval.intervals import auc_interval
from skeval.metrics import ConfusionMatrix, g_mean_score
from skeval.model_selection import bootstrap_error

COLUMNS = ("asked", "right", "how it is known", "skeval", "peer", "peer's answer")


class Answer(NamedTuple):
    asked: str
    right: str
    how: str
    ours: Callable[[], Any]
    peer: str
    theirs: Callable[[], Any]


def main() -> None:
    """Print a row for each answer, and keep them where asked."""
    rows, failed = [], []
    for ask in QUESTIONS:
        try:
            for answer in ask():
                peer = version(answer.peer)
                rows.append((*answer[:3], said(answer.ours), peer, said(answer.theirs)))
                asked, right, how, ours, peer, theirs = rows[-1]
                print(
                    f"{asked}\n    right: {right} ({how})\n    skeval: {ours}\n    {peer}: {theirs}",
                    flush=True,
                )
        except ModuleNotFoundError as error:
            print(f"{name_of(ask)}: {error.name} is not installed")
        except Exception as error:
            failed.append(name_of(ask))
            print(f"{failed[-1]} failed: {type(error).__name__}: {error}")
    if "--save" in sys.argv:
        with (Path(__file__).parent / "answers.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
    if failed:
        raise SystemExit(1)


def said(function: Callable[[], Any]) -> str:
    """Return what a call answers: a number, words, or the error that it raises."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            answer = function()
        except Exception as error:
            return type(error).__name__
    return answer if isinstance(answer, str) else f"{float(answer):.3g}"


def identical_models() -> Iterator[Answer]:
    yield from mcnemar_tests(
        [[50, 0], [0, 10]],
        "McNemar, no discordant sample: p",
        "identical predictions; exact binomial test of 0 of 0",
    )


def even_disagreement() -> Iterator[Answer]:
    yield from mcnemar_tests(
        [[20, 5], [5, 10]],
        "McNemar, corrected chi-squared, 5 and 5 discordant samples: p",
        "the correction does not pass 0: mcnemar.test of R 4.2.2; the exact test gives 1 too",
    )


def mcnemar_tests(table: list[list[int]], asked: str, how: str) -> Iterator[Answer]:
    """McNemar's corrected test of a table where p is 1."""
    counts = np.array(table)
    mlxtend = importlib.import_module("mlxtend.evaluate")
    statsmodels = importlib.import_module("statsmodels.stats.contingency_tables")

    def ours() -> float:
        return mcnemar_from_table(counts, method="chi2-corrected").pvalue

    yield Answer(asked, "1", how, ours, "mlxtend", lambda: mlxtend.mcnemar(counts)[1])
    yield Answer(
        asked, "1", how, ours, "statsmodels", lambda: statsmodels.mcnemar(counts, exact=False).pvalue
    )


def point632() -> Iterator[Answer]:
    """Labels that are chance: the nearest neighbor errs on half of the samples that it did not see."""
    rng = np.random.default_rng(0)
    X, y, model = rng.normal(size=(100, 3)), rng.permutation([0, 1] * 50), KNeighborsClassifier(1)
    mlxtend = importlib.import_module("mlxtend.evaluate")
    cv = list(mlxtend.BootstrapOutOfBag(200, random_seed=0).split(X))
    wrong, times = np.zeros(100), np.zeros(100)
    for train, test in cv:
        wrong[test] += model.fit(X[train], y[train]).predict(X[test]) != y[test]
        times[test] += 1
    left_out = float((wrong / times).mean())
    yield Answer(
        ".632 error of 1-nearest neighbor, labels by chance, 200 replicates",
        f"{0.632 * left_out:.3g}",
        f"0.632 x {left_out:.3g} (error on left-out samples) + 0.368 x 0 (resubstitution error)",
        lambda: bootstrap_error(model, X, y, method=".632", cv=cv).estimate,
        "mlxtend",
        lambda: 1 - mlxtend.bootstrap_point632_score(model, X, y, 200, random_seed=0).mean(),
    )


def size_of_the_resampled_ttest() -> Iterator[Answer]:
    """Two models that are alike but for the columns that they see, over 30 hold-outs of 30 %."""
    mlxtend = importlib.import_module("mlxtend.evaluate")
    n_runs, n_splits, n = 200, 30, 100

    def data(seed: int) -> tuple[Any, Any]:
        rng = np.random.default_rng(seed)
        y = np.arange(n) % 2
        return rng.normal(size=(n, 4)) + y[:, None] * 0.5, y

    def splits(X: Any, y: Any, seed: int) -> tuple[Any, Any]:
        scores = []
        for number in range(n_splits):
            train, test = train_test_split(np.arange(n), test_size=0.3, random_state=1000 * seed + number)
            scores.append([Half(k).fit(X[train], y[train]).score(X[test], y[test]) for k in (0, 1)])
        return tuple(np.array(scores).T)

    def ours() -> str:
        p = [
            corrected_resampled_ttest(*splits(*data(seed), seed), n_train=70, n_test=30).pvalue
            for seed in range(n_runs)
        ]
        return at_most_a_tenth(np.mean(np.array(p) <= 0.05))

    def theirs() -> str:
        p = [
            mlxtend.paired_ttest_resampled(
                Half(0), Half(1), *data(seed), num_rounds=n_splits, random_seed=seed
            )[1]
            for seed in range(n_runs)
        ]
        return at_most_a_tenth(np.mean(np.array(p) <= 0.05))

    def at_most_a_tenth(share: float) -> str:
        return "at most 10 %" if share <= 0.1 else f"{100 * share:.0f} %"

    yield Answer(
        "t-test over 30 hold-outs, equally good models: share of p <= 0.05 in 200 data sets",
        "at most 10 %",
        "5 % is meant; 10 % leaves three standard errors of 200 data sets",
        ours,
        "mlxtend",
        theirs,
    )


class Half(GaussianNB):
    """Sees the even or the odd columns."""

    def __init__(self, odd: int = 0) -> None:
        super().__init__()
        self.odd = odd

    def fit(self, X: Any, y: Any) -> Half:
        return super().fit(X[:, self.odd :: 2], y)

    def predict(self, X: Any) -> Any:
        return super().predict(X[:, self.odd :: 2])


def two_shares() -> Iterator[Answer]:
    mlxtend = importlib.import_module("mlxtend.evaluate")
    yield Answer(
        "90 of 100 right against 80 of 100: two-sided p",
        f"{2 * stats.norm.sf(2):.3g}",
        "z = 0.1 / sqrt(0.9 x 0.1 / 100 + 0.8 x 0.2 / 100) = 2",
        lambda: proportions_ztest([90, 80], [100, 100]).pvalue,
        "mlxtend",
        lambda: mlxtend.proportion_difference(0.9, 0.8, 100, 100)[1],
    )


def equal_models_five_by_two() -> Iterator[Answer]:
    mlxtend = importlib.import_module("mlxtend.evaluate")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    scores = np.full(10, 0.5)
    yield Answer(
        "5x2cv F-test of a model and the same model: p",
        "1",
        "all ten differences are 0",
        lambda: five_by_two_ftest(scores, scores).pvalue,
        "mlxtend",
        lambda: mlxtend.combined_ftest_5x2cv(GaussianNB(), GaussianNB(), X, y, random_seed=0)[1],
    )


def far_tail() -> Iterator[Answer]:
    peer = importlib.import_module("scikit_posthocs")
    scores = np.tile(np.arange(10.0), (60, 1))
    # All data sets rank alike, so that the first and the last differ by 9 ranks.
    z = 9 / (10 * 11 / (6 * 60)) ** 0.5
    yield Answer(
        "Nemenyi, 10 methods in the same order on 60 data sets: p of the first and the last",
        f"{45 * 2 * stats.norm.sf(z):.3g}",
        f"45 pairs x two tails of the normal at z = {z:.4g}, to which the studentized range tends",
        lambda: posthoc_test(scores).pvalue_matrix()[0, -1],
        "scikit-posthocs",
        lambda: peer.posthoc_nemenyi_friedman(scores).to_numpy()[0, -1],
    )


def perfect_order() -> Iterator[Answer]:
    peer = importlib.import_module("scikit_posthocs")
    scores = np.arange(4.0) + 10 * np.arange(6.0)[:, None]
    yield Answer(
        "Conover with Holm, 4 methods in the same order on 6 data sets: p",
        f"{float(Fraction(6 * 24, 24**6)):.3g}",
        "24 of 24^6 orders are as extreme; 6 pairs",
        lambda: posthoc_test(scores, method="conover").pvalue.max(),
        "scikit-posthocs",
        lambda: peer.posthoc_conover_friedman(scores, p_adjust="holm").to_numpy()[0, 1],
    )


def two_methods() -> Iterator[Answer]:
    autorank = importlib.import_module("autorank")
    frame = importlib.import_module("pandas").DataFrame
    b = np.array([71.0, 64, 83, 59, 77, 68, 90, 55, 62, 80])
    difference = np.array([-3.0, 5, 8, -1, 2, 9, 4, -6, 7, 10])
    ranks = np.abs(difference)  # they are their own ranks, 1 to 10
    sums = np.array([np.dot(signs, ranks) for signs in product((-1, 1), repeat=10)])
    exact = np.mean(np.abs(sums) >= abs(difference.sum()))
    data = {"a": b + difference, "b": b}

    def theirs() -> float:
        return autorank.autorank(frame(data), force_mode="nonparametric").pvalue

    yield Answer(
        "signed-rank test of two methods on 10 data sets: two-sided p",
        f"{exact:.3g}",
        "enumeration of the 1,024 signs",
        lambda: wilcoxon_test(data["a"], data["b"]).pvalue,
        "autorank",
        theirs,
    )


def missing_score() -> Iterator[Answer]:
    baycomp = importlib.import_module("baycomp")
    rng = np.random.default_rng(0)
    a = rng.normal(size=20)
    b = a + rng.normal(0.3, 1, 20)
    a[3] = np.nan

    def theirs() -> str:
        return " / ".join(f"{p:.2f}" for p in baycomp.two_on_multiple(a, b, rope=0.1))

    def ours() -> str:
        try:
            return f"{bayes_signed_rank_test(a, b, rope=0.1).a_better:.2f}"
        except ValueError:
            return "refused"

    yield Answer(
        "signed-rank probabilities, one of 20 scores is nan",
        "refused",
        "a score is missing",
        ours,
        "baycomp",
        theirs,
    )


def against_no_information() -> Iterator[Answer]:
    pycm = importlib.import_module("pycm")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1500)
    predicted = np.where(rng.random(1500) < 0.45, 1 - y, y)
    right, largest = int((y == predicted).sum()), max(np.bincount(y).tolist())

    def theirs() -> Any:
        return pycm.ConfusionMatrix(y, predicted).PValue

    def ours() -> float:
        return binomial_test(1500 - right, 1500, error=1 - largest / 1500, alternative="less").pvalue

    share = Fraction(largest, 1500)
    terms = (comb(1500, k) * share**k * (1 - share) ** (1500 - k) for k in range(right, 1501))
    yield Answer(
        f"{right} of 1,500 right, largest class {largest}: one-sided p of accuracy over that share",
        f"{float(sum(terms)):.3g}",
        "sum of the binomial terms in exact fractions",
        ours,
        "pycm",
        theirs,
    )


def label_only_predicted() -> Iterator[Answer]:
    imblearn = importlib.import_module("imblearn.metrics")
    y, predicted = [0, 0, 1, 1, 1], [0, 0, 1, 1, 2]
    yield Answer(
        "G-mean, true labels 0 0 1 1 1, predicted 0 0 1 1 2",
        f"{(1 * 2 / 3) ** 0.5:.3g}",
        "sqrt(1 x 2/3), recalls of the two classes that have samples",
        lambda: g_mean_score(y, predicted),
        "imbalanced-learn",
        lambda: imblearn.geometric_mean_score(y, predicted),
    )


def macro_g_mean() -> Iterator[Answer]:
    imblearn = importlib.import_module("imblearn.metrics")
    y, predicted = np.repeat([0, 1, 2], [4, 4, 2]), np.array([0, 0, 0, 1, 1, 1, 0, 2, 2, 1])
    sensitivity = recall_score(y, predicted, average=None)
    specificity = [np.mean(predicted[y != label] != label) for label in range(3)]
    yield Answer(
        "macro G-mean, 3 classes",
        f"{np.mean(np.sqrt(sensitivity * specificity)):.3g}",
        "mean of sqrt(sensitivity x specificity) of the classes",
        lambda: ConfusionMatrix.from_predictions(y, predicted).one_vs_rest().g_mean().mean(),
        "imbalanced-learn",
        lambda: imblearn.geometric_mean_score(y, predicted, average="macro"),
    )


def interval_of_an_auc() -> Iterator[Answer]:
    peer = importlib.import_module("confidenceinterval")
    y = np.repeat([0, 1], 10)
    score = np.r_[np.linspace(0, 0.4, 9), 0.7, np.linspace(0.6, 1, 10)]

    def inside(upper: float) -> str:
        return "at most 1" if upper <= 1 else f"{upper:.3f}"

    yield Answer(
        "95 % interval of an AUC of 0.97, 10 + 10 samples: upper end",
        "at most 1",
        "an area is at most 1",
        lambda: inside(auc_interval(y, score).high),
        "confidenceinterval",
        lambda: inside(float(peer.roc_auc_score(y, score)[1][1])),
    )


QUESTIONS = (
    identical_models,
    even_disagreement,
    point632,
    size_of_the_resampled_ttest,
    two_shares,
    equal_models_five_by_two,
    far_tail,
    perfect_order,
    two_methods,
    missing_score,
    against_no_information,
    label_only_predicted,
    macro_g_mean,
    interval_of_an_auc,
)


if __name__ == "__main__":
    main()
