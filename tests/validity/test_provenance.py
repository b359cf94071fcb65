"""Stored tables carry the script, the seeds and the hash of the code that made them."""

import inspect
from pathlib import Path

import numpy as np
import pytest

from tests.validity.provenance import DATA, ROOT, file_hash, read_provenance, table_path
from tests.validity.samples import TABLES, proportions

HASHES = ("rows_sha256", "made_by_script_sha256", "made_by_code_sha256", "confirmed_by_code_sha256")


def test_every_stored_table_can_be_sampled_and_has_its_provenance():
    stored = {path.stem for path in DATA.glob("*.csv")}
    assert stored == set(TABLES) == set(read_provenance()), (
        "a table in tests/validity/data needs an entry in TABLES of tests/validity/samples.py "
        "and in tests/validity/data/provenance.json"
    )


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_those_whose_hash_is_kept(name):
    kept = read_provenance()[name]
    assert kept["rows_sha256"] == file_hash(table_path(name))
    assert all(len(kept[key]) == 64 for key in HASHES)


@pytest.mark.parametrize("name", TABLES)
def test_script_and_seeds_are_named(name):
    script, seeds, _ = TABLES[name]
    kept = read_provenance()[name]
    assert Path(inspect.getfile(script)).relative_to(ROOT).as_posix() == kept["script"]
    assert kept["seeds"] == seeds


def test_a_sample_agrees_with_the_rows():
    assert max(difference for _, difference in proportions(np.random.default_rng(0), 1)) <= 1e-8
