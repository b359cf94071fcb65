"""What commands print of comparisons and write of them."""

from __future__ import annotations

from pathlib import Path

from skeval.benchmarking._score_table import advantages
from skeval.cli._output import write_csv
from skeval.cli._tables import print_table
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._tables import cell_text

PAIRS_BEGIN = b"a,b,"  # how a file of pairs begins
_MAX_PAIRS = 45  # pairs printed; the file has all


def print_ranks(result: PairwiseResult, means: dict[str, float]) -> None:
    """Print methods with mean rank and mean score, the best first."""
    assert result.mean_ranks is not None
    ranked = sorted(zip(result.mean_ranks, result.methods, strict=True))
    print_table(
        ["method", "mean rank", "mean score"],
        [[name, f"{rank:.2f}", f"{means[name]:.4f}"] for rank, name in ranked],
    )


def print_pairs(result: PairwiseResult, alpha: float) -> None:
    """Print the pairs of a post-hoc test, the smallest p-value first, and what is not different."""
    different = int((result.pvalue <= alpha).sum())
    print(f"{result.method}: {different} of {len(result.pairs)} pairs differ at alpha = {alpha:g}")
    what, texts = advantages(result)
    rows = sorted(zip(result.pvalue, result.pairs, texts, strict=True))
    print_table(
        ["pair", f"advantage of the first in {what}", "p"],
        [
            [f"{a} - {b}", advantage, cell_text(pvalue, "pvalue")]
            for pvalue, (a, b), advantage in rows[:_MAX_PAIRS]
        ],
    )
    if len(rows) > _MAX_PAIRS:
        print(f"... and {len(rows) - _MAX_PAIRS} more, in the file.")
    if result.control is None:
        groups = "; ".join(", ".join(group) for group in result.groups(alpha))
        print(f"Not different from each other: {groups or 'none'}")


def write_pairs(path: Path, result: PairwiseResult) -> None:
    """Write all pairs as CSV."""
    columns = (result.estimate, result.statistic, result.raw_pvalue, result.pvalue)
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    what, _ = advantages(result)
    write_csv(
        path,
        ["a", "b", f"{what.replace(' ', '_')}_advantage_of_a", "statistic", "raw_pvalue", "pvalue"],
        [[*pair, *row] for pair, row in zip(result.pairs, numbers, strict=True)],
    )
