"""What an experiment found: tables, comparisons, a report."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import numpy as np

from skeval.benchmarking._predictions import PredictionFiles
from skeval.benchmarking._records import Records, some
from skeval.benchmarking._report import write_report
from skeval.benchmarking._score_table import (
    MarkedTable,
    latex_scores,
    mark_scores,
    markdown_scores,
    mean_scores,
)
from skeval.benchmarking._store import DONE, FAILED, PENDING, Store
from skeval.comparison import compare_cv, compare_scores
from skeval.exceptions import MissingScoreError, SplitMismatchError
from skeval.metrics import ConfusionMatrix
from skeval.model_selection import CVScores
from skeval.utils._optional import import_optional
from skeval.utils._pairwise import PairwiseResult
from skeval.utils._tables import html_table
from skeval.utils._validation import check_int, check_level, check_option


class BenchmarkResult:
    """Scores of many estimators on many data sets, on the same splits.

    From `Benchmark.run`, or from a store by `BenchmarkResult.load`.

    Attributes
    ----------
    methods, datasets, metrics : tuple of str
        Names of the estimators, the data sets and the scores, in the order of the experiment.
    n_done, n_failed, n_pending : int
        Tasks that ended with scores, that failed, and that have not been run.
    design : dict
        What the store keeps of the experiment: data sets, classes, estimators, splitter.
    environments : dict of {int: dict}
        Versions of Python and of the packages that tasks ran on.
    last_run : dict
        "pid", "host", "started" and "finished" of the last run.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skeval.benchmarking import Benchmark
    >>> from skeval.model_selection import KFoldSplit
    >>> result = Benchmark(
    ...     {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()},
    ...     {"iris": load_iris(return_X_y=True)},
    ...     cv=KFoldSplit(10, random_state=0),
    ...     scoring="accuracy",
    ... ).run()
    >>> result
    BenchmarkResult(2 estimators, 1 data set, 20 tasks: 20 done, 0 failed, 0 pending)
    >>> result.cv_scores("iris")["bayes"]
    CVScores(accuracy: 10 splits, mean 0.9533, sd 0.055, n_train 135, n_test 15)
    >>> result.compare(dataset="iris").groups()
    [('bayes', 'tree')]
    """

    def __init__(self, _records: Records, _path: Path | None = None) -> None:
        self._records, self._path, records = _records, _path, _records
        self.methods, self.metrics, self.datasets = records.methods, records.metrics, tuple(records.about)
        self.design, self.environments = dict(records.design), dict(records.environments)
        self.last_run = dict(records.last_run)
        counts = np.bincount(records.status, minlength=3)
        self.n_done, self.n_failed, self.n_pending = (int(counts[code]) for code in (DONE, FAILED, PENDING))

    @classmethod
    def load(cls, path: Any) -> BenchmarkResult:
        """Read the results of the last run from a store, also while that run goes on.

        Parameters
        ----------
        path : path
            SQLite file that `Benchmark.run` wrote.

        Returns
        -------
        BenchmarkResult

        Raises
        ------
        StoreError
            There is no store, or it is of another version.
        """
        with Store(path, write=False) as store:
            return cls(Records.read(store), store.path)

    def __len__(self) -> int:
        return len(self._records.status)

    def count_tasks(self) -> dict[str, tuple[int, int, int]]:
        """Return by estimator how many tasks are done, failed and pending.

        Returns
        -------
        dict of {name of an estimator: (done, failed, pending)}
        """
        return self._records.count_tasks()

    def frame(self) -> Any:
        """Return a pandas DataFrame with one row per task: names, scores, times, sizes, errors."""
        pandas = import_optional("pandas", extra="report", purpose="frame()")
        records, stored = self._records, self._records.columns
        columns: dict[str, Any] = dict(records.names())
        columns["status"] = np.array(["pending", "done", "failed"], dtype=object)[records.status]
        columns |= {name: records.scores[:, where] for where, name in enumerate(self.metrics)}
        columns |= {name: np.array(stored[name], dtype=np.float64) for name in ("fit_time", "score_time")}
        columns |= {name: stored[name] for name in ("n_train", "n_test", "seed", "split_key", "environment")}
        table = pandas.DataFrame(columns)
        events = records.events
        for name in ("error_type", "error_message"):
            told = dict(zip(events["position"], events[name], strict=True))
            table[name] = pandas.Series(told, dtype=object)
        counts = [sum(one[2] for one in json.loads(text)) if text else 0 for text in events["warnings"]]
        warned = np.zeros(len(table), dtype=np.int64)
        warned[list(events["position"])] = counts
        table["n_warnings"] = warned
        return table

    def scores(self, metric: str | None = None, *, nan_policy: str = "raise") -> Any:
        """Return the mean scores over splits, data sets as rows and estimators as columns.

        Parameters
        ----------
        metric : str, default=None
            One of `metrics` (None: the only one), or another label metric of
            `skeval.metrics.get_scorer_names`, which then follows from the confusion cells.
        nan_policy : {"raise", "omit", "keep"}, default="raise"
            Where a fit failed, has not been run, or its score is undefined: an error, the
            data set is dropped for all estimators, or the mean is nan.

        Returns
        -------
        DataFrame of pandas
            Greater is better.

        Raises
        ------
        MissingScoreError
            A score is missing; the message says which and why.
        """
        pandas = import_optional("pandas", extra="report", purpose="scores()")
        table = mean_scores(self._records, metric, nan_policy)
        index = pandas.Index(table.datasets, name="dataset")
        return pandas.DataFrame(table.means, index=index, columns=list(table.methods))

    def cv_scores(self, dataset: str, metric: str | None = None) -> dict[str, CVScores]:
        """Return the scores per split on one data set, for the tests on splits.

        Parameters
        ----------
        dataset : str
            Name of a data set.
        metric : str, default=None
            As in `scores`.

        Returns
        -------
        dict of {name of an estimator: CVScores}
            Missing scores are nan. Splits in time order come without sizes: corrections for
            shared training rows do not hold there.

        Raises
        ------
        SplitMismatchError
            The store tells that estimators saw different splits.
        """
        name, stored = self._records.choose_metric(metric), self._records.columns
        keys = self._records.of(dataset, stored["split_key"])
        if (keys != keys[0]).any():
            raise SplitMismatchError(f"The estimators were not run on the same splits of {dataset!r}.")
        sizes = {
            side: self._records.of(dataset, stored[side])[0].astype(np.int64)
            for side in ("n_train", "n_test")
            if not self._records.about[dataset]["time_ordered"]
        }
        values = self._records.values(name, dataset)
        return {
            method: CVScores(row, metric=name, **sizes)
            for method, row in zip(self.methods, values, strict=True)
        }

    def confusion(self, dataset: str) -> dict[str, ConfusionMatrix]:
        """Return the confusion matrices on one data set, shape (n_splits, K, K), by estimator.

        Parameters
        ----------
        dataset : str
            Name of a data set.

        Returns
        -------
        dict of {name of an estimator: ConfusionMatrix}

        Raises
        ------
        ValueError
            The target is continuous.
        MissingScoreError
            A fit failed or has not been run.
        """
        done = self._records.of(dataset, self._records.status) == DONE
        classes = self._records.about[dataset]["classes"]
        if classes is None:
            raise ValueError(f"confusion() needs class labels, but the target of {dataset!r} is continuous.")
        if not done.all():
            raise MissingScoreError(f"{(~done).sum()} fits on {dataset!r} failed or have not been run.")
        counts = self._records.counts(dataset, done)
        stacks = counts.reshape(*done.shape, *counts.shape[1:])
        return {
            method: ConfusionMatrix(stack, np.array(classes))
            for method, stack in zip(self.methods, stacks, strict=True)
        }

    def predictions(self, dataset: str) -> Any:
        """Return the predictions of the test rows of one data set (``run(predictions=True)``).

        Parameters
        ----------
        dataset : str
            Name of a data set.

        Returns
        -------
        DataFrame of pandas
            Columns estimator, split, row, y_true, y_pred, and scores of the classes.

        Raises
        ------
        ValueError
            No predictions were kept.
        """
        part = self._records.part(dataset)
        names = part.names()
        tasks = list(zip(part.columns["key"], names["estimator"], names["split"], strict=True))
        files = None if self._path is None else PredictionFiles(self._path)
        if files is None or not any(files.has(key) for key, *_ in tasks):
            raise ValueError("No predictions were kept: run with a store and predictions=True.")
        pandas = import_optional("pandas", extra="report", purpose="predictions()")
        parts = [
            files.read(key).assign(estimator=method, split=split)
            for key, method, split in tasks
            if files.has(key)
        ]
        table = pandas.concat(parts, ignore_index=True)
        return table[["estimator", "split", *table.columns.drop(["estimator", "split"])]]

    def compare(
        self,
        metric: str | None = None,
        *,
        dataset: str | None = None,
        nan_policy: str = "raise",
        **options: Any,
    ) -> PairwiseResult:
        """Test which estimators differ: over the data sets, or on the splits of one.

        Parameters
        ----------
        metric : str, default=None
            As in `scores`.
        dataset : str, default=None
            None: `skeval.comparison.compare_scores` of the mean scores, where there are two
            data sets or more. A name, or the only one: `skeval.comparison.compare_cv` on its
            splits.
        nan_policy : {"raise", "omit"}, default="raise"
            "omit" drops data sets (or splits) where a score is missing.
        **options
            Passed on to that function.

        Returns
        -------
        PairwiseResult

        Raises
        ------
        MissingScoreError
            A score is missing; the message says which and why.
        """
        check_option(nan_policy, "nan_policy", ("raise", "omit"))
        if dataset is None and len(self.datasets) == 1:
            dataset = self.datasets[0]
        if dataset is not None:
            if nan_policy == "raise":  # say why a score is missing
                mean_scores(self._records.part(dataset), metric, "raise")
            return compare_cv(self.cv_scores(dataset, metric), nan_policy=nan_policy, **options)
        table = mean_scores(self._records, metric, nan_policy)
        return compare_scores(dict(zip(table.methods, table.means.T, strict=True)), **options)

    def failures(self) -> Any:
        """Return a pandas DataFrame of the failed tasks, with exception, message and traceback."""
        pandas = import_optional("pandas", extra="report", purpose="failures()")
        told = ("error_type", "error_message", "traceback")
        rows = [(*task, *values) for *task, values in self._records.told(*told) if values[0] is not None]
        return pandas.DataFrame(rows, columns=["dataset", "estimator", "split", *told])

    def to_markdown(
        self, metric: str | None = None, *, decimals: int = 3, alpha: float = 0.05, nan_policy: str = "raise"
    ) -> str:
        """Return the mean scores as a Markdown table, the best of each row in bold.

        Parameters
        ----------
        metric : str, default=None
            As in `scores`.
        decimals : int, default=3
            Decimals of the scores.
        alpha : float, default=0.05
            "≈" marks what does not differ from the best of its row at this level: by the
            corrected resampled t-test of all pairs with Holm's adjustment on a data set, and
            by `compare` in the row of mean ranks. No mark where no test is possible.
        nan_policy : {"raise", "omit", "keep"}, default="raise"
            As in `scores`.

        Returns
        -------
        str
        """
        return markdown_scores(self._marked(metric, decimals, alpha, nan_policy))

    def to_latex(
        self, metric: str | None = None, *, decimals: int = 3, alpha: float = 0.05, nan_policy: str = "raise"
    ) -> str:
        r"""Return the mean scores as a LaTeX tabular, the best of each row in bold.

        Parameters
        ----------
        metric : str, default=None
            As in `scores`.
        decimals : int, default=3
            Decimals of the scores.
        alpha : float, default=0.05
            :math:`\approx` marks what does not differ from the best of its row, as in
            `to_markdown`.
        nan_policy : {"raise", "omit", "keep"}, default="raise"
            As in `scores`.

        Returns
        -------
        str
            Needs the LaTeX package booktabs.
        """
        return latex_scores(self._marked(metric, decimals, alpha, nan_policy))

    def _marked(self, metric: str | None, decimals: int, alpha: float, nan_policy: str) -> MarkedTable:
        check_int(decimals, "decimals", minimum=0)
        table = mean_scores(self._records, metric, nan_policy)
        splits = {name: self.cv_scores(name, table.metric) for name in table.datasets}
        return mark_scores(table, splits, decimals=decimals, alpha=check_level(alpha, "alpha"))

    def report(self, path: Any, *, alpha: float = 0.05, title: str = "Experiment") -> Path:
        """Write a report: one HTML file that needs nothing beside it.

        Parameters
        ----------
        path : path
            File to write.
        alpha : float, default=0.05
            Level of the tests; intervals have the level 1 - alpha.
        title : str, default="Experiment"
            Heading of the report.

        Returns
        -------
        Path
            That of the file.

        Raises
        ------
        ValueError
            `path` is an SQLite database, such as the store.
        """
        splits = {name: {data: self.cv_scores(data, name) for data in self.datasets} for name in self.metrics}
        return write_report(self._records, splits, path, alpha=check_level(alpha, "alpha"), title=title)

    def __repr__(self) -> str:
        size = f"{some(len(self.methods), 'estimator')}, {some(len(self.datasets), 'data set')}"
        ended = f"{self.n_done} done, {self.n_failed} failed, {self.n_pending} pending"
        return f"BenchmarkResult({size}, {some(len(self), 'task')}: {ended})"

    def _repr_html_(self) -> str:
        table = mean_scores(self._records, self.metrics[0], "keep")
        columns: dict[str, Any] = {"data set": list(table.datasets)}
        columns |= dict(zip(table.methods, table.means.T.tolist(), strict=True))
        caption = f"<p>{html.escape(repr(self))}; mean {html.escape(table.metric)}</p>"
        return caption + html_table(columns)
