"""Run a seeded sample of every stored table again and compare it with the stored rows.

From the root of the checkout::

    python -m tests.validity              # the sample: some minutes; every number to 1e-8
    python -m tests.validity --share 4    # four times as many cells and replications
    python -m tests.validity NAME ...     # these tables only
    python -m tests.validity --confirm    # and write the hash of the code into data/provenance.json

``data/provenance.json`` says of each table which script made it, with which seeds, the hash of its
rows, and the hashes of the code that made them and of the code that last gave the same numbers.
"""

import argparse
import json
import sys
import time
import warnings

import numpy as np
from threadpoolctl import threadpool_limits

from skeval.exceptions import SkevalWarning
from tests.validity.provenance import PROVENANCE, code_hash, file_hash, read_provenance, table_path
from tests.validity.samples import TABLES

LARGEST = 1e-8
SEED = 20250301


def check(name, share):
    """Run the sample of a table; return how many rows differ."""
    _, _, sample = TABLES[name]
    start, wrong, n_rows, worst = time.perf_counter(), 0, 0, 0.0
    # The same sample whichever tables are asked for.
    generator = np.random.default_rng([SEED, sorted(TABLES).index(name)])
    for words, difference in sample(generator, share):
        n_rows, worst = n_rows + 1, max(worst, difference)
        if difference > LARGEST:
            wrong += 1
            print(f"  differs by {difference:.3g}: {words}", flush=True)
    seconds = time.perf_counter() - start
    print(f"{name}: {n_rows} again, largest difference {worst:.1e}, {seconds:.0f} s", flush=True)
    return wrong


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.validity", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(TABLES)}; default: all")
    parser.add_argument("--share", type=float, default=1.0, help="size of the sample, 1: the usual one")
    parser.add_argument("--confirm", action="store_true", help="write the hash of the code that agreed")
    given = parser.parse_args(arguments)
    unknown = set(given.names) - set(TABLES)
    if unknown:
        parser.error(f"no such table: {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    warnings.simplefilter("ignore", SkevalWarning)
    known, wrong = read_provenance(), 0
    for name in given.names or TABLES:
        if file_hash(table_path(name)) != known[name]["rows_sha256"]:
            print(f"{name}: the rows are not those that data/provenance.json names")
            wrong += 1
        with threadpool_limits(1):  # the fits are small: threads would wait for each other
            wrong_here = check(name, given.share)
        wrong += wrong_here
        if given.confirm and not wrong_here:
            known[name]["confirmed_by_code_sha256"] = code_hash()
    if given.confirm:
        PROVENANCE.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    print("all agree" if not wrong else f"{wrong} differ")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
