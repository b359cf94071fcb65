"""The tasks of an experiment as they were stored, by column, and the scores that follow from them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skeval.benchmarking._store import DONE, FAILED, PENDING, Store, collection_paused
from skeval.benchmarking._task import cells_to_counts
from skeval.metrics import ConfusionMatrix
from skeval.metrics._measure_names import label_measure, takes_pos_label
from skeval.metrics._ranking_measures import RANKING_MEASURES
from skeval.metrics._scorers import scorer_measures
from skeval.utils._labels import check_binary
from skeval.utils._validation import FloatArray, IntArray

Counted = list[tuple[tuple[str, str, str], int]]


def some(number: int, word: str) -> str:
    """Return a number with its noun: "1 fit", "2 fits"."""
    return f"{number} {word}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Records:
    """Tasks in the order data set, estimator, split.

    Attributes
    ----------
    design : dict
        What the store keeps of the experiment.
    columns : dict of {str: tuple}
        What the store tells of every task.
    events : dict of {str: tuple}
        What it tells of those that failed or warned; "position" is their place in `columns`.
    environments : dict of {int: dict}
        Versions that tasks ran on.
    last_run : dict
        Process, host, start and end of the last run.
    """

    design: Mapping[str, Any]
    columns: Mapping[str, tuple[Any, ...]]
    events: Mapping[str, tuple[Any, ...]]
    environments: Mapping[int, Mapping[str, Any]]
    last_run: Mapping[str, Any]

    @classmethod
    def read(cls, store: Store) -> Records:
        """Read a store as it is at one moment."""
        with store.snapshot():
            return cls(
                store.design(), store.columns(), store.events(), store.environments(), store.last_run()
            )

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.design["metrics"])

    @cached_property
    def methods(self) -> tuple[str, ...]:
        return tuple(one["name"] for one in self.design["estimators"])

    @cached_property
    def about(self) -> dict[str, dict[str, Any]]:
        """The data sets by name."""
        return {one["name"]: one for one in self.design["datasets"]}

    @cached_property
    def _places(self) -> dict[str, slice]:
        sizes = [len(self.methods) * one["n_splits"] for one in self.about.values()]
        ends = np.cumsum(sizes).tolist()
        return {name: slice(end - size, end) for name, size, end in zip(self.about, sizes, ends, strict=True)}

    @cached_property
    def scores(self) -> FloatArray:
        """Scores of shape (n_tasks, n_metrics), nan where there are none."""
        texts = self.columns["scores"]
        with collection_paused():
            parsed = json.loads(f"[{','.join('{}' if text is None else text for text in texts)}]")
            values = [[row.get(name) for name in self.metrics] for row in parsed]
        return np.array(values, dtype=np.float64).reshape(len(texts), len(self.metrics))

    @cached_property
    def status(self) -> IntArray:
        """What became of each task: PENDING, DONE or FAILED."""
        return np.array(self.columns["status"], dtype=np.int64)

    def names(self) -> dict[str, NDArray[Any]]:
        """Return data set, estimator and split of each task."""
        parts = []
        for name, one in self.about.items():
            methods = np.repeat(np.array(self.methods, dtype=object), one["n_splits"])
            splits = np.tile(np.arange(one["n_splits"]), len(self.methods))
            parts.append((np.full(len(methods), name, dtype=object), methods, splits))
        columns = (np.concatenate(column) for column in zip(*parts, strict=True))
        return dict(zip(("dataset", "estimator", "split"), columns, strict=True))

    def count_tasks(self) -> dict[str, tuple[int, int, int]]:
        """Return by estimator how many tasks are done, failed and pending."""
        method = self.names()["estimator"]
        counts = {name: np.bincount(self.status[method == name], minlength=3) for name in self.methods}
        return {name: (int(n[DONE]), int(n[FAILED]), int(n[PENDING])) for name, n in counts.items()}

    def told(self, *names: str) -> Iterator[tuple[str, str, int, tuple[Any, ...]]]:
        """Yield data set, estimator, split and these columns of the tasks that failed or warned."""
        tasks = self.names()
        columns = zip(*(self.events[name] for name in names), strict=True)
        for position, values in zip(self.events["position"], columns, strict=True):
            yield (
                str(tasks["dataset"][position]),
                str(tasks["estimator"][position]),
                int(tasks["split"][position]),
                values,
            )

    def of(self, dataset: str, values: Any) -> NDArray[Any]:
        """Return the part of a column on one data set, of shape (n_methods, n_splits)."""
        part = values[self.rows(dataset)]
        if isinstance(part, tuple):
            array = np.empty(len(part), dtype=object)
            array[:] = part
            part = array
        return part.reshape(len(self.methods), -1)

    def rows(self, dataset: str) -> slice:
        """Return where the tasks of a data set stand."""
        if dataset not in self._places:
            raise ValueError(f"dataset must be one of {list(self._places)}, got {dataset!r}.")
        return self._places[dataset]

    def choose_metric(self, metric: str | None) -> str:
        """Return the metric, or the only one there is."""
        if metric is None and len(self.metrics) > 1:
            raise ValueError(f"metric must name one of the scores {list(self.metrics)}.")
        return self.metrics[0] if metric is None else metric

    def values(self, metric: str, dataset: str) -> FloatArray:
        """Return the scores (n_methods, n_splits) on a data set; those not stored follow from the cells."""
        if metric in self.metrics:
            return self.of(dataset, self.scores[:, self.metrics.index(metric)])
        measure = scorer_measures().get(metric)
        about = self.about[dataset]
        if measure is None or measure in RANKING_MEASURES or about["classes"] is None:
            raise ValueError(
                f"metric must be one of the scores {list(self.metrics)} or, for classes, another label "
                f"metric of get_scorer_names(), got {metric!r}."
            )
        classes = np.array(about["classes"])
        params = {"pos_label": check_binary(classes, about["pos_label"])} if takes_pos_label(measure) else {}
        values = np.full(self.of(dataset, self.status).shape, np.nan)
        known = self.of(dataset, self.status) == DONE
        if known.any():
            matrix = ConfusionMatrix(self.counts(dataset, known), classes)
            values[known] = label_measure(measure, **params)(matrix)
        return -values if metric.startswith("neg_") else values

    def counts(self, dataset: str, known: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the confusion matrices of these tasks of a data set, shape (n_known, K, K)."""
        n_classes = len(self.about[dataset]["classes"])
        texts = self.of(dataset, self.columns["cells"])[known]
        return np.stack([cells_to_counts(json.loads(text), n_classes) for text in texts])

    def part(self, dataset: str) -> Records:
        """Return the records of one data set."""
        rows = self.rows(dataset)
        columns = {name: cells[rows] for name, cells in self.columns.items()}
        kept = [n for n, position in enumerate(self.events["position"]) if rows.start <= position < rows.stop]
        events = {name: tuple(cells[where] for where in kept) for name, cells in self.events.items()}
        events["position"] = tuple(position - rows.start for position in events["position"])
        design = {**self.design, "datasets": [self.about[dataset]]}
        return Records(design, columns, events, self.environments, self.last_run)

    def why_missing(self, metric: str, dataset: str, method: int) -> str:
        """Say why a mean score is missing."""
        status = self.of(dataset, self.status)[method]
        words = {PENDING: "have not been run", FAILED: "failed"}
        told = [
            f"{(status == code).sum()} of {some(len(status), 'fit')} {word}"
            for code, word in words.items()
            if (status == code).any()
        ]
        undefined = np.isnan(self.values(metric, dataset)[method]) & (status == DONE)
        if undefined.any():
            told.append(f"it is undefined on {undefined.sum()} of {len(status)} splits")
        return ", ".join(told)

    def failure_counts(self) -> Counted:
        """Return ((estimator, data set, "type: message"), how many) of the failures, most first."""
        told = Counter(
            (method, data, f"{kind}: {text}")
            for data, method, _, (kind, text) in self.told("error_type", "error_message")
            if kind is not None
        )
        return told.most_common()

    def warning_counts(self) -> Counted:
        """Return ((estimator, data set, "category: message"), how many) of the warnings, most first."""
        told: Counter[tuple[str, str, str]] = Counter()
        for data, method, _, (text,) in self.told("warnings"):
            for category, message, count in json.loads(text) if text else ():
                told[method, data, f"{category}: {message}"] += count
        return told.most_common()
