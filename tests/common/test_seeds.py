"""A hundred seeds: every result is within its bounds, and each seed gives one result.

What fits models is tried on fifteen of them, and on the rest with the slow tests.
"""

import math
import warnings

import numpy as np
import pytest

from skeval.exceptions import DegenerateDataWarning
from tests.common.entry import assert_same, objects_in
from tests.common.lists import ENTRIES, SPLITTERS, with_property

DRAWN = [entry for entry in ENTRIES if "random_state" in entry.options]
SEEDED = with_property("seeds", DRAWN)


def outside_of_its_bounds(found):
    """Return, in words, what is wrong with an object of a result; None where nothing is."""
    pvalue = getattr(found, "pvalue", None)
    if pvalue is not None and not ((np.asarray(pvalue) >= 0) & (np.asarray(pvalue) <= 1)).all():
        return f"p-value {pvalue}"
    if all(hasattr(found, name) for name in ("low", "estimate", "high")):
        ends = np.asarray([found.low, found.estimate, found.high], dtype=float)
        if not (np.diff(ends, axis=0) >= 0).all():
            return f"interval {ends}"
    if hasattr(found, "a_better") and not math.isclose(found.a_better + found.equivalent + found.b_better, 1):
        return "probabilities that do not sum to 1"
    error = getattr(found, "standard_error", None)
    if error is not None and not callable(error) and not (np.asarray(error, dtype=float) >= 0).all():
        return f"standard error {error}"
    return None


def _fits_models(entry):
    return "matrix" in entry.kinds() and entry not in SPLITTERS


def _assert_valid(entry, seeds):
    for seed in seeds:
        with warnings.catch_warnings():
            # Small splits may agree by chance, which a warning tells: the result must still be valid.
            warnings.simplefilter("ignore", DegenerateDataWarning)
            result = entry.result(random_state=seed)
        found = [outside_of_its_bounds(one) for one in objects_in(result)]
        assert not any(found), f"{entry.name}, seed {seed}: {[told for told in found if told]}"


@pytest.mark.parametrize("entry", SEEDED)
def test_results_of_many_seeds_are_valid(entry):
    _assert_valid(entry, range(15 if _fits_models(entry) else 100))


@pytest.mark.slow
@pytest.mark.parametrize("entry", [one for one in SEEDED if _fits_models(one.values[0])])
def test_results_of_the_other_seeds_are_valid(entry):
    _assert_valid(entry, range(15, 100))


@pytest.mark.parametrize("entry", SEEDED)
def test_a_seed_gives_one_result_and_seeds_differ(entry):
    found = [entry.numbers(random_state=seed) for seed in (0, 1, 2, 0)]
    assert_same(found[0], found[3], what=entry.name)


@pytest.mark.parametrize("entry", with_property("generator", DRAWN))
def test_a_generator_moves_on(entry):
    generator = np.random.default_rng(5)
    first = entry.numbers(random_state=generator)
    again = entry.numbers(random_state=np.random.default_rng(5))
    assert_same(first, again, what=entry.name)
    assert generator.bit_generator.state != np.random.default_rng(5).bit_generator.state
