"""Experiments: many estimators on many data sets, results that survive a crash, a report."""

from skeval.benchmarking._results import BenchmarkResult
from skeval.benchmarking._runner import Benchmark

# Listed in skeval.exceptions; importable from here too.
from skeval.exceptions import StoreBusyError as StoreBusyError
from skeval.exceptions import StoreError as StoreError

__all__ = ["Benchmark", "BenchmarkResult"]
