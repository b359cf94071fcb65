"""Every public name of every room is in a list, and no list holds a name that is gone."""

import importlib

import pytest

from tests.common.entry import objects_in
from tests.common.lists import ENTRIES, ERRORS, PLAIN

ROOMS = ("metrics", "model_selection", "intervals", "comparison", "diagnosis", "plotting", "benchmarking")


@pytest.fixture(scope="module")
def listed():
    """Names that the lists call, and the classes of all that comes back."""
    called = {name for entry in ENTRIES for name in entry.name.split()}
    returned = {
        type(found).__name__
        for entry in ENTRIES
        for found in objects_in(entry.result())
        if type(found).__module__.startswith("skeval.")
    }
    return called | returned | set(PLAIN) | {error.__name__ for error in ERRORS}


@pytest.mark.parametrize("room", [*ROOMS, "exceptions"])
def test_every_public_name_has_an_entry(room, listed):
    missing = set(importlib.import_module(f"skeval.{room}").__all__) - listed
    assert not missing, (
        f"skeval.{room}: {sorted(missing)} have no entry in tests/common/lists: "
        "add a call of each to the list of its kind."
    )


def test_every_entry_calls_a_public_name():
    public = {
        name for room in (*ROOMS, "exceptions") for name in importlib.import_module(f"skeval.{room}").__all__
    }
    assert {entry.public_name for entry in ENTRIES} - public == set()
    assert set(PLAIN) - public == set()


def test_names_of_entries_are_unique():
    names = [entry.name for entry in ENTRIES]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.name) for entry in ENTRIES])
def test_what_an_entry_leaves_out_has_a_reason(entry):
    assert all(len(reason.split()) >= 4 for reason in entry.without.values())
    assert entry.numbers()


@pytest.mark.parametrize("name", PLAIN)
def test_functions_without_data(name):
    call, expected = PLAIN[name]
    assert call() == expected
    assert call() == call()


@pytest.mark.parametrize("error", ERRORS)
def test_errors_and_warnings_are_caught_by_their_base(error):
    with pytest.raises(ERRORS[error], match="some words"):
        raise error("some words")
