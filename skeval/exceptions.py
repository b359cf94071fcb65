"""Warnings and errors that users of skeval may filter or catch."""

from sklearn.exceptions import UndefinedMetricWarning

__all__ = [
    "DegenerateDataWarning",
    "DependenceWarning",
    "MissingScoreError",
    "ResamplingWarning",
    "SkevalWarning",
    "SplitMismatchError",
    "StoreBusyError",
    "StoreError",
    "StratificationWarning",
    "UndefinedMeasureWarning",
]


class SkevalWarning(UserWarning):
    """Base class of every warning that skeval raises."""


class UndefinedMeasureWarning(SkevalWarning, UndefinedMetricWarning):
    """A measure is 0/0 on this input: the message names the measure and the class."""


class DegenerateDataWarning(SkevalWarning):
    """The data leave a test nothing to work on: zero variance, all tied, no discordant pair."""


class DependenceWarning(SkevalWarning):
    """A test assumes independence that the splits do not give."""


class StratificationWarning(SkevalWarning):
    """A class has too few members for the stratification that was asked for."""


class ResamplingWarning(SkevalWarning):
    """Replicates failed or were too few: the message counts them."""


class MissingScoreError(ValueError):
    """A score is missing (nan) where every score is needed."""


class SplitMismatchError(ValueError):
    """Scores that should be paired come from different splits."""


class StoreError(OSError):
    """A store cannot be opened, read or written; what it held is as it was.

    Parameters
    ----------
    message : str

    Examples
    --------
    >>> from skeval.benchmarking import BenchmarkResult
    >>> from skeval.exceptions import StoreError
    >>> try:
    ...     BenchmarkResult.load("no such file.db")
    ... except StoreError as error:
    ...     print(error)
    There is no store no such file.db.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)


class StoreBusyError(StoreError):
    """Another run writes into the store.

    Parameters
    ----------
    message : str

    Examples
    --------
    >>> from skeval.exceptions import StoreBusyError, StoreError
    >>> issubclass(StoreBusyError, StoreError)
    True
    """
