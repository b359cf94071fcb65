"""Fuzzing guided by coverage, where atheris is installed.

From the root of the checkout, for a minute each::

    python -m tests.fuzz.coverage_guided score -max_total_time=60 tests/fuzz/corpus
    python -m tests.fuzz.coverage_guided experiment -max_total_time=60 tests/fuzz/corpus
"""

import sys

import atheris

with atheris.instrument_imports(include=["skeval"]):
    from tests.fuzz.targets import BYTES


def main():
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name not in BYTES:
        raise SystemExit(__doc__)
    atheris.Setup(sys.argv, BYTES[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
