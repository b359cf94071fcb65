"""The command ``skeval``: parses, calls the library, prints. Every number comes from the library.

Exit status: 0 done, 1 unexpected error, 2 bad usage or bad input.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from skeval import __version__
from skeval.cli import _options
from skeval.cli._experiments import add_experiments
from skeval.cli._tables import InputError

__all__ = ["main"]

_DEMO = """\
Compare six scikit-learn classifiers on the data sets that scikit-learn ships (iris, wine,
breast_cancer, digits) by repeated stratified cross-validation.

Prints the mean accuracies with their standard errors, the corrected t test of every pair of
classifiers on each data set, and Friedman's test over the data sets. Writes into DIR:
scores.csv, critical-difference.png and roc.png, in the place of those of an earlier run; another
table of that name is not replaced."""

_COMPARE = """\
Test whether methods differ, from a table of scores: Friedman's test, then a post-hoc test.

TABLE.csv has a header line; the first column names data sets, every other column is a method:

    data set,tree,forest,svm
    iris,0.95,0.96,0.97
    wine,0.91,0.98,0.97

Prints both tests. Writes into DIR: pairs.csv and critical-difference.png, in the place of those
of an earlier run; the input, or another table of that name, is not replaced. A table with a
missing cell is refused; --omit-missing drops the data sets that have one."""

_SCORE = """\
Measure predictions: confusion matrix, accuracy and its relatives, precision, recall and F1 of
each class, both macro-averaged F1; and for scores the area under the ROC curve, the average
precision and the break-even point.

PREDICTIONS.csv has a header line with the columns y_true and y_pred, or y_true and y_score, or
all three; other columns are passed over. Labels are all whole numbers, all true and false, or
text. y_score is a number, greater for the positive class."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    argv : sequence of str or None, default=None
        Arguments after the name of the command; None: those of the process.

    Returns
    -------
    int
        0 done, 2 bad usage or bad input, 130 interrupted.

    Examples
    --------
    >>> from skeval.cli import main
    >>> main(["--version"])  # doctest: +ELLIPSIS
    skeval 0...
    0
    """
    parser = _parser()
    try:
        options = parser.parse_args(argv)
    except SystemExit as stop:  # argparse has printed what there is to say
        return int(stop.code or 0)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        # A name that the terminal cannot show is no reason to stop.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = _show_warning
            options.run(options)
            sys.stdout.flush()
    except InputError as error:
        print(f"skeval: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("skeval: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output, "head" say, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _show_warning(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    print(f"skeval: warning: {message}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skeval",
        description="Model evaluation: how good is this model, and is it really better than that one?",
        epilog="skeval COMMAND --help explains a command with an example. "
        "Exit status: 0 done, 1 unexpected error, 2 bad usage or bad input.",
    )
    parser.add_argument("--version", action="version", version=f"skeval {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_demo(commands)
    _add_compare(commands)
    _add_score(commands)
    add_experiments(commands, _add)
    return parser


def _add(commands: Any, name: str, run: Any, *, help: str, description: str, example: str) -> Any:
    command = commands.add_parser(
        name,
        help=help,
        description=description,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run)
    return command


def _add_demo(commands: Any) -> None:
    command = _add(
        commands,
        "demo",
        _run_demo,
        help="compare classifiers on real data",
        description=_DEMO,
        example="skeval demo --output results --n-jobs 2",
    )
    command.add_argument(
        "--output", metavar="DIR", default="skeval-demo", help="folder for the files (default: %(default)s)"
    )
    command.add_argument(
        "--n-jobs",
        metavar="N",
        type=_options.n_jobs,
        default=-1,
        help="parallel fits; -1, the default, for one per core",
    )
    command.add_argument(
        "--repeats",
        metavar="R",
        type=_options.repeats,
        default=3,
        help="repeats of the 10-fold cross-validation (default: %(default)s)",
    )


def _add_compare(commands: Any) -> None:
    command = _add(
        commands,
        "compare",
        _run_compare,
        help="test whether methods differ, from a table of scores",
        description=_COMPARE,
        example="skeval compare errors.csv --lower-is-better --post-hoc holm --control tree",
    )
    command.add_argument("table", metavar="TABLE.csv", help="scores, data sets as rows, methods as columns")
    command.add_argument(
        "--lower-is-better",
        action="store_true",
        help="the scores are errors or losses (default: greater is better)",
    )
    command.add_argument(
        "--alpha",
        type=_options.level,
        default=0.05,
        help="level: different where p <= ALPHA (default: %(default)s)",
    )
    command.add_argument(
        "--post-hoc",
        metavar="METHOD",
        help="post-hoc test: nemenyi, holm, hochberg, bonferroni or another that "
        "skeval.comparison.posthoc_test knows (default: nemenyi; holm with --control; of two methods "
        "wilcoxon-holm)",
    )
    command.add_argument(
        "--control",
        metavar="NAME",
        help="compare one method, chosen before seeing the scores, with all others, instead of all pairs",
    )
    command.add_argument("--omit-missing", action="store_true", help="drop data sets with a missing cell")
    command.add_argument(
        "--output",
        metavar="DIR",
        default="skeval-compare",
        help="folder for the files (default: %(default)s)",
    )


def _add_score(commands: Any) -> None:
    command = _add(
        commands,
        "score",
        _run_score,
        help="measure predictions in a file",
        description=_SCORE,
        example="skeval score predictions.csv --pos-label ill",
    )
    command.add_argument(
        "predictions", metavar="PREDICTIONS.csv", help="columns y_true and y_pred, y_score or both"
    )
    command.add_argument(
        "--pos-label",
        metavar="LABEL",
        help="the class that y_score is for (needed unless the labels are 0/1, -1/1 or False/True)",
    )


# Each command imports what it needs when it runs, so that --help and --version answer at once.


def _run_demo(options: argparse.Namespace) -> None:
    from skeval.cli._demo import run

    run(output=options.output, n_jobs=options.n_jobs, n_repeats=options.repeats)


def _run_compare(options: argparse.Namespace) -> None:
    from skeval.cli._compare import run

    run(
        options.table,
        greater_is_better=not options.lower_is_better,
        alpha=options.alpha,
        method=options.post_hoc,
        control=options.control,
        omit_missing=options.omit_missing,
        output=options.output,
    )


def _run_score(options: argparse.Namespace) -> None:
    from skeval.cli._score import run

    run(options.predictions, pos_label=options.pos_label)
