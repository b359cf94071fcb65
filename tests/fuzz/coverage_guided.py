"""Fuzzing guided by coverage, where atheris is installed.

From the root of the checkout, for a minute each; the first two read files, the others take metric inputs::

    python -m tests.fuzz.coverage_guided score -max_total_time=60 tests/fuzz/corpus
    python -m tests.fuzz.coverage_guided experiment -max_total_time=60 tests/fuzz/corpus
    python -m tests.fuzz.coverage_guided labels -max_total_time=60
    python -m tests.fuzz.coverage_guided scores -max_total_time=60
    python -m tests.fuzz.coverage_guided tables -max_total_time=60
"""

import sys

import atheris
from hypothesis import given, settings

with atheris.instrument_imports(include=["skeval"]):
    from tests.fuzz.targets import BYTES, VALUES
from tests.fuzz.test_fuzz import CALM, values


def of_values(measure):
    """Return a target that makes two inputs of bytes, as hypothesis draws them, and measures them."""

    @settings(**CALM, database=None)
    @given(first=values, second=values)
    def both(first, second):
        measure(first, second)

    def target(content):
        both.hypothesis.fuzz_one_input(content)

    return target


TARGETS = BYTES | {name: of_values(measure) for name, measure in VALUES.items()}


def main():
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name not in TARGETS:
        raise SystemExit(__doc__)
    atheris.Setup(sys.argv, TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
