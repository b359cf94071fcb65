"""Experiments: many estimators on many data sets, results that survive a crash, a report."""

from skeval.benchmarking._lock import StoreBusyError, StoreError
from skeval.benchmarking._results import BenchmarkResult
from skeval.benchmarking._runner import Benchmark

__all__ = ["Benchmark", "BenchmarkResult", "StoreBusyError", "StoreError"]
