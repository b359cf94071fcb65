"""Predictions of the test rows beside the store: one Parquet file per task."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from skeval.benchmarking._task import Outcome
from skeval.exceptions import StoreError
from skeval.utils._optional import import_optional


class PredictionFiles:
    """The folder ``<store>.predictions``."""

    def __init__(self, store: Any) -> None:
        path = Path(store)
        self.folder = path.with_name(path.name + ".predictions")
        import_optional("pyarrow", extra="report", purpose="Keeping predictions")
        self._pandas = import_optional("pandas", extra="report", purpose="Keeping predictions")
        self._there = {file.stem for file in self.folder.glob("*.parquet")}

    def has(self, key: str) -> bool:
        """Say whether the predictions of a task are there."""
        return key in self._there

    def write(self, outcome: Outcome) -> None:
        """Write the predictions of a task; a file is there whole or not at all."""
        part = self.folder / f"{outcome.key}.part"
        try:
            self.folder.mkdir(exist_ok=True)
            self._pandas.DataFrame(outcome.predictions).to_parquet(part, index=False)
            os.replace(part, self.folder / f"{outcome.key}.parquet")
        except OSError as error:
            raise StoreError(f"Cannot write predictions into {self.folder}: {error}.") from error

    def read(self, key: str) -> Any:
        """Return the predictions of a task as a DataFrame."""
        return self._pandas.read_parquet(self.folder / f"{key}.parquet")
