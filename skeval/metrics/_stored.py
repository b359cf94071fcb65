"""What the statistics have in common: a file each, that holds arrays and nothing else."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


class Stored:
    """Base of what is kept in npz files."""

    @abstractmethod
    def _to_arrays(self) -> dict[str, Any]:
        """Return what the file holds, by name."""

    @classmethod
    @abstractmethod
    def _from_arrays(cls, arrays: Arrays) -> Any:
        """Return what `_to_arrays` was made of."""

    def save(self, path: str | Path) -> None:
        """Write everything to an npz file.

        Parameters
        ----------
        path : str or Path
            File to write, under exactly this name; one that is there is overwritten.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        with Path(path).open("wb") as file:  # np.savez would append .npz to a path
            np.savez(file, **self._to_arrays())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote; nothing in the file is executed.

        Parameters
        ----------
        path : str or Path
            File to read.

        Returns
        -------
        ConfusionMatrix or RankedScores
            Equal to what was saved.

        Raises
        ------
        OSError
            The file cannot be read.
        ValueError
            It is no file that `save` of this class wrote.
        """
        with Path(path).open("rb") as file:  # numpy leaves a path open that is no npz file
            try:
                with np.load(file, allow_pickle=False) as stored:
                    made: Self = cls._from_arrays(dict(stored))
            except Exception as error:  # numpy's and zipfile's own, of several kinds
                told = f"path must be a file that {cls.__name__}.save() wrote, got {str(path)!r}."
                raise ValueError(told) from error
        return made
