"""Benchmarks of asv: a package, as it wants them."""
