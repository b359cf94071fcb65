"""All entries, and the names that take no data."""

from tests.common.lists.benchmarks import BENCHMARKS
from tests.common.lists.comparisons import COMPARISONS
from tests.common.lists.diagnoses import DIAGNOSES
from tests.common.lists.displays import DISPLAYS
from tests.common.lists.intervals import INTERVALS
from tests.common.lists.metrics import METRICS
from tests.common.lists.model_selection import SELECTION
from tests.common.lists.plain import ERRORS, PLAIN
from tests.common.lists.scorers import SCORERS
from tests.common.lists.splitters import SPLITTERS

__all__ = [
    "BENCHMARKS",
    "COMPARISONS",
    "DIAGNOSES",
    "DISPLAYS",
    "ENTRIES",
    "ERRORS",
    "INTERVALS",
    "METRICS",
    "PLAIN",
    "SCORERS",
    "SELECTION",
    "SPLITTERS",
    "with_property",
]

ENTRIES = [
    *METRICS,
    *SCORERS,
    *SPLITTERS,
    *SELECTION,
    *INTERVALS,
    *COMPARISONS,
    *DIAGNOSES,
    *DISPLAYS,
    *BENCHMARKS,
]


def with_property(name, entries=ENTRIES, *, kinds=frozenset(), takes=None):
    """Return the entries that a property is run on, as parameters of a test.

    `kinds`: at least one input is of one of these. `takes`: a parameter that the call has.
    """
    import pytest

    return [
        pytest.param(entry, id=entry.name)
        for entry in entries
        if name not in entry.without
        and (not kinds or entry.kinds() & set(kinds))
        and (takes is None or entry.takes(takes))
    ]
