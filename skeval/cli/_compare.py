"""``skeval compare``: the tests of a table of scores."""

from __future__ import annotations

from skeval.cli._output import PNG, plan_files, save_picture, start_drawing
from skeval.cli._report import PAIRS_BEGIN, print_pairs, print_ranks, write_pairs
from skeval.cli._tables import InputError, read_scores
from skeval.comparison import compare_scores
from skeval.plotting import CriticalDifferenceDisplay


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
        result = compare_scores(
            table.scores, greater_is_better=greater_is_better, method=method or "auto", control=control
        )
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    display = CriticalDifferenceDisplay.from_result(result, alpha=alpha)
    begins = {"pairs.csv": PAIRS_BEGIN, "critical-difference.png": PNG}
    pairs, picture = plan_files(output, begins, source=path)

    better = "greater" if greater_is_better else "less"
    print(f"{path}: {len(table.scores)} methods on {len(table.datasets)} data sets, {better} is better")
    if table.dropped:
        print(f"Dropped for a missing cell: {', '.join(table.dropped)}")
    print()
    print_ranks(result, {name: sum(scores) / len(scores) for name, scores in table.scores.items()})
    print(f"\n{result.omnibus}\n")
    print_pairs(result, alpha)
    print(result.details["remark"])

    write_pairs(pairs, result)
    save_picture(display, picture)
    print(f"\nWritten: {pairs}, {picture}")
