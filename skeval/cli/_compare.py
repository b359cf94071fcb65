"""``skeval compare``: the tests of a table of scores."""

from __future__ import annotations

from dataclasses import replace

from skeval.cli._report import print_pairs, print_ranks, save_picture, start_drawing, write_pairs
from skeval.cli._tables import InputError, ScoreSheet, make_folder, read_scores
from skeval.comparison import compare_scores, friedman_test, posthoc_test
from skeval.plotting import CriticalDifferenceDisplay
from skeval.utils._pairwise import PairwiseResult


def run(
    path: str,
    *,
    greater_is_better: bool,
    alpha: float,
    method: str | None,
    control: str | None,
    omit_missing: bool,
    output: str,
) -> None:
    """Print Friedman's test and the post-hoc test; write the pairs and the diagram."""
    table = read_scores(path, omit_missing=omit_missing)
    if control is not None and control not in table.scores:
        raise InputError(f"--control must be one of the columns {', '.join(table.scores)}, got {control!r}")
    start_drawing()
    try:
        result = _test(table, method, control, greater_is_better)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    display = CriticalDifferenceDisplay.from_result(result, alpha=alpha)

    better = "greater" if greater_is_better else "less"
    print(f"{path}: {len(table.scores)} methods on {len(table.datasets)} data sets, {better} is better")
    if table.dropped:
        print(f"Dropped for a missing cell: {', '.join(table.dropped)}")
    print()
    print_ranks(result, {name: sum(scores) / len(scores) for name, scores in table.scores.items()})
    print(f"\n{result.omnibus}\n")
    print_pairs(result, alpha)
    if "remark" in result.details:
        print(result.details["remark"])

    folder = make_folder(output)
    files = folder / "pairs.csv", folder / "critical-difference.png"
    write_pairs(files[0], result)
    save_picture(display, files[1])
    print(f"\nWritten: {files[0]}, {files[1]}")


def _test(
    table: ScoreSheet, method: str | None, control: str | None, greater_is_better: bool
) -> PairwiseResult:
    """Return the post-hoc test with Friedman's test beside it."""
    if method in (None, "nemenyi") and control is None:
        return compare_scores(table.scores, greater_is_better=greater_is_better)
    method = method or "holm"
    pairs = posthoc_test(table.scores, method=method, control=control, greater_is_better=greater_is_better)
    return replace(pairs, omnibus=friedman_test(table.scores, greater_is_better=greater_is_better))
