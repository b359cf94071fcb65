"""Size and power of the tests: how often they reject at 5 % where nothing differs, and where something does.

From the root of the checkout::

    python -m tests.validity.size_of_tests check    # the first batch of every study against the stored rows
    python -m tests.validity.size_of_tests run      # everything, some minutes; writes the stored rows;
                                                    # with names of studies: those
    python -m tests.validity.size_of_tests table    # the stored rows as the tables of the documentation

A simulated study runs in ten batches, each with a seed of its own; a row of
``data/size_of_tests.csv`` holds the rejections of one test in one batch. An enumerated study sums the
probabilities of all outcomes: its rows hold the rate itself.
"""

import csv
import sys
import time
import warnings
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
from scipy import stats

from skeval.comparison import (
    adjust_pvalues,
    binomial_test,
    compare_predictions,
    corrected_resampled_ttest,
    delong_independent_test,
    delong_test,
    equivalence_test,
    five_by_two_ftest,
    five_by_two_ttest,
    friedman_test,
    mcnemar_from_table,
    paired_permutation_test,
    paired_ttest,
    posthoc_test,
    sign_test,
    wilcoxon_test,
)
from skeval.comparison._logical import adjust_pairs

ALPHA = 0.05
BATCHES = 10
STORED = Path(__file__).parent / "data" / "size_of_tests.csv"
COLUMNS = ("study", "design", "test", "truth", "batch", "repeats", "rejected")
NULL, PARTIAL, ALTERNATIVE = "null", "partial null", "alternative"


# --- two methods on the splits of one data set ------------------------------------------------------------


def right_on(X, y, train):
    """Return which rows Gaussian naive Bayes gets right after training on each mask of rows (J, n)."""
    scores = []
    for label in (0, 1):
        mask = (train & (y == label)).astype(float)
        n = mask.sum(axis=1, keepdims=True)
        mean = mask @ X / n
        variance = mask @ X**2 / n - mean**2 + 1e-9
        distance = X**2 @ (1 / variance).T - 2 * X @ (mean / variance).T
        distance += ((mean**2) / variance + np.log(variance)).sum(axis=1)
        scores.append(np.log(n.T) - distance / 2)
    return ((scores[1] > scores[0]) == (y == 1)[:, None]).T


def fold_masks(n, k, generator):
    """Return the test masks of k folds of n rows."""
    folds = np.empty(n, dtype=int)
    folds[generator.permutation(n)] = np.arange(n) % k
    return np.arange(k)[:, None] == folds


DATA = {
    "50 rows, 5 features": (50, 5, 1.4, 0.9),
    "60 rows, weak features": (60, 5, 0.5, 0.1),
    "400 rows, 2 features": (400, 2, 1.0, 0.7),
}


def splits_study(generator, repeats):
    """Naive Bayes on one set of features against the same on another: as informative, or less."""
    for (data, (n, features, shift, weaker)), truth in product(DATA.items(), (NULL, ALTERNATIVE)):
        shifts, y = (shift, shift if truth == NULL else weaker), np.arange(n) % 2
        for _ in range(repeats):
            blocks = [generator.normal(size=(n, features)) + size * y[:, None] for size in shifts]
            masks = {
                "30 hold-outs": np.array([fold_masks(n, 10, generator)[:3].any(axis=0) for _ in range(30)]),
                "10 folds": fold_masks(n, 10, generator),
                "5 x 10 folds": np.concatenate([fold_masks(n, 10, generator) for _ in range(5)]),
                "5 x 2 folds": np.concatenate([fold_masks(n, 2, generator) for _ in range(5)]),
            }
            for splits, test in masks.items():
                right = [right_on(block, y, ~test) for block in blocks]
                for name, pvalue in tests_of_splits(splits, right, test):
                    yield f"{data}; {splits}", name, truth, pvalue <= ALPHA


def tests_of_splits(splits, right, test):
    """Yield the p-values of the tests that these splits are for."""
    a, b = ((one * test).sum(axis=1) / test.sum(axis=1) for one in right)
    n, n_test = test.shape[1], int(test[0].sum())
    if splits == "5 x 2 folds":
        yield "5x2cv t", five_by_two_ttest(a, b).pvalue
        yield "5x2cv t, mean numerator", five_by_two_ttest(a, b, numerator="mean").pvalue
        yield "5x2cv F", five_by_two_ftest(a, b).pvalue
        return
    yield "paired t, uncorrected", paired_ttest(a, b).pvalue
    yield "corrected resampled t", corrected_resampled_ttest(a, b, n_train=n - n_test, n_test=n_test).pvalue
    if splits == "10 folds":
        pooled = [(one & test).any(axis=0) for one in right]
        only = [int((pooled[i] & ~pooled[1 - i]).sum()) for i in (0, 1)]
        table = [[n - sum(only), only[0]], [only[1], 0]]
        yield "McNemar mid-p, pooled folds", mcnemar_from_table(table).pvalue


def fixed_models_study(generator, repeats):
    """Five times two halves of the test results of models that training on a half does not change.

    The two differences of a replication are then D + e and D - e, D that of all rows.
    """
    for truth, shift in ((NULL, 0.0), (ALTERNATIVE, 3.0)):
        for _ in range(repeats):
            whole, e = generator.normal() + shift, generator.normal(size=5)
            differences = np.column_stack([whole + e, whole - e])
            for name, pvalue in (
                ("5x2cv t", five_by_two_ttest(differences, 0 * differences).pvalue),
                (
                    "5x2cv t, mean numerator",
                    five_by_two_ttest(differences, 0 * differences, numerator="mean").pvalue,
                ),
                ("5x2cv F", five_by_two_ftest(differences, 0 * differences).pvalue),
            ):
                yield "normal differences", name, truth, pvalue <= ALPHA


def equivalence_study(generator, repeats):
    """Scores of 10 folds with the correlation that the correction assumes."""
    share = 0.1  # n_test/(n_train + n_test)
    for truth, difference in (("difference = margin", 0.03), (ALTERNATIVE, 0.0)):
        for _ in range(repeats):
            common, own = generator.normal(size=1), generator.normal(size=10)
            scores = difference + 0.02 * (share**0.5 * common + (1 - share) ** 0.5 * own)
            result = equivalence_test(scores, np.zeros(10), margin=0.03, n_train=90, n_test=10)
            yield "10 folds, margin 1.5 sd", "equivalence", truth, result.pvalue <= ALPHA


# --- models on one test set -------------------------------------------------------------------------------


def mcnemar_size():
    """All outcomes of n samples, a share of them discordant."""
    truths = {NULL: (0.5, 0.5), ALTERNATIVE: (0.75, 0.25)}
    for n, share in product((20, 50, 100), (0.1, 0.3)):
        for method in ("exact", "mid-p", "chi2", "chi2-corrected"):
            for truth, (first, _) in truths.items():
                rate = 0.0
                for discordant in range(n + 1):
                    weight = stats.binom.pmf(discordant, n, share)
                    if weight < 1e-15:
                        continue
                    rejected = [
                        only_a
                        for only_a in range(discordant + 1)
                        if mcnemar_from_table(
                            [[n - discordant, only_a], [discordant - only_a, 0]], method=method
                        ).pvalue
                        <= ALPHA
                    ]
                    rate += weight * stats.binom.pmf(rejected, discordant, first).sum()
                yield f"n = {n}, {share:.0%} discordant", f"McNemar {method}", truth, rate


def delong_study(generator, repeats):
    """Normal scores with a common part."""
    for truth, shifts in ((NULL, (1.0, 1.0)), (ALTERNATIVE, (1.2, 0.5))):
        for _ in range(repeats):
            y = np.repeat([0, 1], 40)
            common = generator.normal(size=80)
            a, b = (s * y + (common + generator.normal(size=80)) / 2**0.5 for s in shifts)
            yield "40 + 40, correlated 0.5", "DeLong", truth, delong_test(y, a, b).pvalue <= ALPHA
            y, samples = np.repeat([0, 1], 25), [generator.normal(size=50) for _ in shifts]
            a, b = (s * y + sample for s, sample in zip(shifts, samples, strict=True))
            for method in ("normal", "welch"):
                result = delong_independent_test(y, a, y, b, method=method)
                yield "25 + 25 each, independent", f"DeLong, {method}", truth, result.pvalue <= ALPHA


def cluster_study(generator, repeats):
    """Right or wrong answers to 5 questions a text; texts differ in which model they suit."""
    for truth, n_groups in product((NULL, ALTERNATIVE), (10, 30)):
        shift = 0.0 if truth == NULL else 0.7
        groups = np.repeat(np.arange(n_groups), 5)
        for _ in range(repeats):
            suits = generator.normal(size=n_groups)[groups]
            right = {
                name: (generator.normal(size=len(groups)) + 0.5 + sign * (suits + shift) / 2 > 0).astype(int)
                for name, sign in (("a", 1), ("b", -1))
            }
            for name, given in (("cluster-robust t", groups), ("McNemar mid-p, clusters ignored", None)):
                result = compare_predictions(np.ones(len(groups), dtype=int), right, groups=given)
                yield f"{n_groups} clusters of 5", name, truth, result.pvalue[0] <= ALPHA


def binomial_size():
    """All numbers of errors."""
    for n, error in product((10, 30, 100), (0.1, 0.3)):
        for alternative in ("greater", "two-sided"):
            for truth, rate in ((NULL, error), (ALTERNATIVE, error + 0.15)):
                rejected = [
                    x
                    for x in range(n + 1)
                    if binomial_test(x, n, error=error, alternative=alternative).pvalue <= ALPHA
                ]
                probability = stats.binom.pmf(rejected, n, rate).sum()
                yield f"n = {n}, error {error}", f"binomial, {alternative}", truth, probability


# --- two methods on several data sets ---------------------------------------------------------------------


def signs_size():
    """All signs of differences, without and with equal sizes; the alternative turns each with 1/10."""
    for n, tied in product((6, 8, 10), (False, True)):
        sizes = np.ceil(np.arange(1, n + 1) / 2) if tied else np.arange(1.0, n + 1)
        rates = dict.fromkeys(product(("Wilcoxon", "sign", "paired permutation"), (NULL, ALTERNATIVE)), 0.0)
        for signs in product((1, -1), repeat=n):
            differences = sizes * signs
            negative = signs.count(-1)
            chance = {NULL: 0.5**n, ALTERNATIVE: 0.1**negative * 0.9 ** (n - negative)}
            for name, test in (
                ("Wilcoxon", wilcoxon_test),
                ("sign", sign_test),
                ("paired permutation", paired_permutation_test),
            ):
                if test(differences, np.zeros(n)).pvalue <= ALPHA:
                    for truth, weight in chance.items():
                        rates[name, truth] += weight
        for (name, truth), rate in rates.items():
            yield f"N = {n}{', tied pairs' if tied else ''}", name, truth, rate


# --- many methods on many data sets -----------------------------------------------------------------------


def friedman_size():
    """All rankings, those with the same rank sums at once."""
    for n_datasets, k in ((3, 3), (4, 3), (5, 3), (10, 3), (4, 4), (10, 4)):
        orders = np.array(list(permutations(range(k))))
        tables = {tuple(range(k)): (1.0, (tuple(range(k)),))}  # sorted sums -> probability, some table
        for _ in range(n_datasets - 1):
            larger = {}
            for sums, (weight, rows) in tables.items():
                for order in orders:
                    total = np.add(sums, order)
                    place = np.argsort(total, kind="stable")
                    key = tuple(total[place].tolist())
                    known = larger.get(
                        key, (0.0, tuple(tuple(row[j] for j in place) for row in (*rows, order)))
                    )
                    larger[key] = (known[0] + weight / len(orders), known[1])
            tables = larger
        for method in ("exact", "iman-davenport", "chi2"):
            rejected = [
                weight
                for weight, rows in tables.values()
                if friedman_test(np.array(rows), method=method).pvalue <= ALPHA
            ]
            yield f"N = {n_datasets}, k = {k}", f"Friedman, {method}", NULL, sum(rejected)


def friedman_study(generator, repeats):
    """Normal scores; under the alternative one of the methods is better by a standard deviation."""
    for n_datasets, k in ((10, 4), (20, 5)):
        for truth in (NULL, ALTERNATIVE):
            shift = np.zeros(k)
            shift[0] = truth == ALTERNATIVE
            for _ in range(repeats):
                scores = generator.normal(size=(n_datasets, k)) + shift
                methods = ("exact", "iman-davenport", "chi2") if k == 4 else ("iman-davenport", "chi2")
                for method in methods:
                    pvalue = friedman_test(scores, method=method).pvalue
                    yield f"N = {n_datasets}, k = {k}", f"Friedman, {method}", truth, pvalue <= ALPHA


ON_RANKS = (
    "nemenyi",
    "bonferroni",
    "holm",
    "hochberg",
    "hommel",
    "holland",
    "finner",
    "rom",
    "li",
    "shaffer",
    "bergmann-hommel",
    "conover",
    "benjamini-hochberg",
)
ON_PAIRS = ("wilcoxon-holm", "wilcoxon-shaffer", "wilcoxon-bergmann-hommel")


def adjusted_pairs(scores):
    """Return adjusted p-values of all pairs by every method; those of Wilcoxon share their tests."""
    found = {method: posthoc_test(scores, method=method).pvalue for method in ON_RANKS}
    first = posthoc_test(scores, method="wilcoxon-holm")
    found["wilcoxon-holm"] = first.pvalue
    for method in ("shaffer", "bergmann-hommel"):
        found[f"wilcoxon-{method}"] = adjust_pairs(first.raw_pvalue, scores.shape[1], method=method)
    return found


def pairs_study(generator, repeats):
    """Five methods: any false rejection among equal pairs; power is the share found of the others."""
    k = 5
    pairs = list(combinations(range(k), 2))
    for n_datasets in (10, 30):
        design = f"N = {n_datasets}, k = 5"
        for truth in (NULL, PARTIAL, "two noisy methods"):
            shift, spread, equal = np.zeros(k), np.ones(k), set(pairs)
            if truth == PARTIAL:  # three equal, two better by one and by two standard deviations
                shift[:] = (0, 0, 0, 1, 2)
                equal = set(combinations(range(3), 2))
            elif truth == "two noisy methods":  # two equal ones on either side of three that hardly vary
                spread[2:], shift[2:] = 0.001, (-0.05, 0, 0.05)
                equal = {(0, 1)}
            same = np.array([pair in equal for pair in pairs])
            for _ in range(repeats):
                scores = shift + spread * generator.normal(size=(n_datasets, k))
                if truth == "two noisy methods":  # the pair by itself, as if it were the only one
                    for name, method in (("mean ranks", "holm"), ("Wilcoxon", "wilcoxon-holm")):
                        raw = posthoc_test(scores, method=method).raw_pvalue[0]
                        yield design, f"{name}, one pair, not adjusted", truth, raw <= ALPHA
                for method, pvalue in adjusted_pairs(scores).items():
                    rejected = pvalue <= ALPHA
                    yield design, method, truth, rejected[same].any()
                    if truth == PARTIAL:
                        yield design, method, ALTERNATIVE, rejected[~same].mean()


def control_study(generator, repeats):
    """One method against five others, or the best against the rest."""
    methods = [
        method for method in ON_RANKS if method not in ("nemenyi", "shaffer", "bergmann-hommel", "conover")
    ]
    for truth in (NULL, PARTIAL):
        for _ in range(repeats):
            scores = generator.normal(size=(15, 6))
            scores[:, 4:] += 1.0 if truth == PARTIAL else 0.0  # two others are better than the control
            for method in (*methods, "wilcoxon-holm"):
                rejected = posthoc_test(scores, method=method, control="0").pvalue <= ALPHA
                yield (
                    "N = 15, control and 5 others",
                    method,
                    truth,
                    rejected[:3].any() if truth == PARTIAL else rejected.any(),
                )
                if truth == PARTIAL:
                    yield "N = 15, control and 5 others", method, ALTERNATIVE, rejected[3:].mean()
            # Under the null any method is a best one; else the last two are: is one of them left out?
            best = posthoc_test(scores, method="mcb")
            out = {first for (first, _), p in zip(best.pairs, best.pvalue, strict=True) if p <= ALPHA}
            yield "N = 15, k = 6, one best method", "mcb", truth, "5" in out
            if truth == PARTIAL:
                yield "N = 15, k = 6, one best method", "mcb", ALTERNATIVE, len(out - {"4", "5"}) / 4


def independent_study(generator, repeats):
    """Ten independent p-values, none or half of them of false hypotheses."""
    methods = (
        "bonferroni",
        "holm",
        "hochberg",
        "hommel",
        "holland",
        "finner",
        "rom",
        "li",
        "benjamini-hochberg",
    )
    for truth in (NULL, PARTIAL):
        for _ in range(repeats):
            z = generator.normal(size=10)
            z[5:] += 2.5 if truth == PARTIAL else 0.0
            p = 2 * stats.norm.sf(np.abs(z))
            true = slice(0, 5 if truth == PARTIAL else 10)
            for method in methods:
                rejected = adjust_pvalues(p, method=method) <= ALPHA
                yield "10 independent tests", method, truth, rejected[true].any()
                if truth == PARTIAL:
                    yield "10 independent tests", method, ALTERNATIVE, rejected[5:].mean()


def discovery_study(generator, repeats):
    """The false discovery rate: the share of false rejections among all of a table."""
    for _ in range(repeats):
        z = generator.normal(size=20)
        z[10:] += 3.0
        for name, statistics in (
            ("20 independent tests, 10 false", z),
            ("20 tests correlated 0.5, 10 false", (z + generator.normal()) / 2**0.5),
        ):
            p = 2 * stats.norm.sf(np.abs(statistics))
            rejected = adjust_pvalues(p, method="benjamini-hochberg") <= ALPHA
            yield (
                name,
                "benjamini-hochberg",
                "false discoveries",
                rejected[:10].sum() / max(1, rejected.sum()),
            )
        scores = generator.normal(size=(15, 11))
        scores[:, 6:] += 1.0
        result = posthoc_test(scores, method="benjamini-hochberg", control="0")
        rejected = result.pvalue <= ALPHA
        share = rejected[:5].sum() / max(1, rejected.sum())
        yield "N = 15, control and 10 others, 5 better", "benjamini-hochberg", "false discoveries", share


# --- running, storing, comparing --------------------------------------------------------------------------

# name: (generator of outcomes, repeats in a batch)
SIMULATED = {
    "splits of one data set": (splits_study, 200),
    "equivalence": (equivalence_study, 500),
    "areas under the ROC curve": (delong_study, 500),
    "clusters": (cluster_study, 200),
    "Friedman": (friedman_study, 300),
    "all pairs of methods": (pairs_study, 100),
    "control or best": (control_study, 200),
    "independent p-values": (independent_study, 500),
    "false discovery rate": (discovery_study, 400),
    "5 x 2 folds, models that do not change": (fixed_models_study, 1000),
}
ENUMERATED = {
    "McNemar on one test set": mcnemar_size,
    "binomial": binomial_size,
    "two methods over data sets": signs_size,
    "Friedman, all rankings": friedman_size,
}


def run_batch(study, batch):
    """Return the rows of one batch: rejections by design, test and truth."""
    function, repeats = SIMULATED[study]
    number = list(SIMULATED).index(study)
    counts = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for design, test, truth, rejected in function(np.random.default_rng([2026, number, batch]), repeats):
            n, total = counts.get((design, test, truth), (0, 0.0))
            counts[design, test, truth] = (n + 1, total + float(rejected))
    return [(study, *key, batch, n, round(total, 6)) for key, (n, total) in counts.items()]


def enumerate_all(study):
    """Return the rows of an enumerated study: rates."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [(study, *key, "all", 1, round(float(rate), 10)) for *key, rate in ENUMERATED[study]()]


def stored():
    """Return the stored rows, numbers as numbers."""
    with STORED.open(encoding="utf-8", newline="") as file:
        return [
            {**row, "repeats": int(row["repeats"]), "rejected": float(row["rejected"])}
            for row in csv.DictReader(file)
        ]


def cells(rows=None):
    """Return {(study, design, test, truth): (rate, repeats)}, repeats 0 where it was enumerated."""
    found = {}
    for row in stored() if rows is None else rows:
        key = tuple(row[name] for name in COLUMNS[:4])
        n, total = found.get(key, (0, 0.0))
        found[key] = (n + row["repeats"], total + row["rejected"])
    enumerated = {row["study"] for row in (stored() if rows is None else rows) if row["batch"] == "all"}
    return {key: (total / n, 0 if key[0] in enumerated else n) for key, (n, total) in found.items()}


def run(studies):
    """Run the studies named, or all, and write their rows; those of the others stay."""
    kept = [] if not studies else [tuple(row.values()) for row in stored() if row["study"] not in studies]
    rows = [(*row[:6], round(row[6], 10)) for row in kept]
    for study in studies or (*ENUMERATED, *SIMULATED):
        start = time.perf_counter()
        batches = (
            [enumerate_all(study)] if study in ENUMERATED else (run_batch(study, b) for b in range(BATCHES))
        )
        rows += [row for batch in batches for row in batch]
        print(f"{study}: {time.perf_counter() - start:.0f} s", flush=True)
    order = {study: place for place, study in enumerate((*ENUMERATED, *SIMULATED))}
    rows.sort(key=lambda row: order[row[0]])
    with STORED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def differences(studies=None):
    """Run the first batch of the studies again; return the cells that differ from the stored rows.

    The same random numbers give the same counts; other versions of numpy may round otherwise, so a
    rejection or two of several hundred may move.
    """
    known = {tuple(row[name] for name in COLUMNS[:5]): row for row in stored()}
    found = []
    for study in SIMULATED if studies is None else studies:
        rows = enumerate_all(study) if study in ENUMERATED else run_batch(study, 0)
        for row in rows:
            expected = known[tuple(map(str, row[:5]))]
            slack = 1e-8 if study in ENUMERATED else 2.0
            if row[5] != expected["repeats"] or abs(row[6] - expected["rejected"]) > slack:
                found.append((row, expected["rejected"]))
    return found


def tables():
    """Return the stored rows as reStructuredText, one table a study."""
    shown = cells()
    lines = []
    for study in (*ENUMERATED, *SIMULATED):
        mine = {key[1:]: value for key, value in shown.items() if key[0] == study}
        truths = list(dict.fromkeys(truth for _, _, truth in mine))
        names = list(dict.fromkeys((design, test) for design, test, _ in mine))
        repeats = {value[1] for value in mine.values()}
        how = "enumerated" if repeats == {0} else f"{max(repeats)} repeats"
        title = f"{study[0].upper()}{study[1:]} ({how})"
        lines += [title, "~" * len(title), "", ".. list-table::", "   :header-rows: 1", ""]
        for row in [("design", "test", *truths)] + [
            (
                design,
                test,
                *(
                    f"{100 * mine[design, test, truth][0]:.1f} %" if (design, test, truth) in mine else ""
                    for truth in truths
                ),
            )
            for design, test in names
        ]:
            lines += [
                f"   {'* -' if number == 0 else '  -'} {cell}".rstrip() for number, cell in enumerate(row)
            ]
        lines.append("")
    return "\n".join(lines)


def main(argument, *studies):
    """Run the command."""
    if argument == "run":
        run(studies)
    elif argument == "table":
        print(tables())
    elif argument == "check":
        found = differences()
        for row, expected in found:
            print(f"differs: {row}, stored {expected}")
        print("the first batches agree with the stored rows" if not found else f"{len(found)} cells differ")
        return bool(found)
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or [""])))
