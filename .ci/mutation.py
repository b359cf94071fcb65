"""Sampled mutation testing: does a change of one operator or number in a formula fail a test?

Needs the extra "test" and cosmic-ray. Run from the root of the checkout::

    python .ci/mutation.py metrics --sample 100 --seed 0

Every mutant is made in a copy of the checkout and tested there by the tests of its room, those of
its own module first. Annotations are not mutated: nothing evaluates them.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOMS = ("metrics", "model_selection", "intervals", "comparison", "diagnosis")
SECONDS = 900  # a mutant whose tests take longer counts as killed


def main() -> None:
    """Print the share of mutants that the tests of a room kill, and those that survive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("--sample", type=int, default=100, help="mutants to draw (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default: 0)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(".", copy, ignore=shutil.ignore_patterns(".*", "build", "_build", "*.egg-info"))
        os.chdir(copy)
        outcome, output = run_tests(suite_command(options.room), SECONDS)
        if outcome != TestOutcome.SURVIVED:
            sys.exit(f"The tests fail without a mutation:\n{output}")
        drawn = sample(mutations(options.room), options.sample, options.seed)
        survived = 0
        for number, mutation in enumerate(drawn, 1):
            result = mutate_and_test(
                [mutation], suite_command(options.room, mutation.module_path.stem), SECONDS
            )
            if not result.is_killed:
                survived += 1
                print(result.diff, flush=True)
            print(f"{number} of {len(drawn)}: {number - survived} killed, {survived} survived", flush=True)
    print(f"{1 - survived / len(drawn):.1%} of {len(drawn)} mutants of {options.room} were killed")


def mutations(room: str) -> list[MutationSpec]:
    """Return every mutation of a room outside annotations."""
    paths = [path for path in sorted(Path("skeval", room).glob("*.py")) if path.name != "__init__.py"]
    with tempfile.TemporaryDirectory() as folder:
        database = WorkDB(str(Path(folder) / "session.sqlite"), WorkDB.Mode.create)
        init(paths, database, {})
        found = [mutation for item in database.work_items for mutation in item.mutations]
        database.close()
    hidden = {path: annotations(path) for path in paths}
    kept = [each for each in found if not inside(each, hidden[each.module_path])]
    return sorted(kept, key=lambda each: (str(each.module_path), each.operator_name, each.occurrence))


def annotations(path: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where annotations begin and end, as (line, column)."""
    spans = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if part is not None:
                spans.append(((part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)))
    return spans


def inside(mutation: MutationSpec, spans: list[tuple[tuple[int, int], tuple[int, int]]]) -> bool:
    return any(start <= tuple(mutation.start_pos) and tuple(mutation.end_pos) <= end for start, end in spans)


def sample(found: list[MutationSpec], size: int, seed: int) -> list[MutationSpec]:
    """Draw mutations, one at most of each place in the code."""
    random.Random(seed).shuffle(found)
    places: dict[tuple[Path, tuple[int, int]], MutationSpec] = {}
    for mutation in found:
        places.setdefault((mutation.module_path, tuple(mutation.start_pos)), mutation)
    return list(places.values())[:size]


def suite_command(room: str, module: str = "") -> str:
    """Return the command that tests a room, the tests of one module first."""
    tests = sorted(
        Path("tests", room).glob("test_*.py"), key=lambda path: (path.stem != f"test{module}", path)
    )
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *map(str, tests)]
    return shlex.join(command)


if __name__ == "__main__":
    main()
