"""Methods that change places change the sign of the effect, and no two-sided p-value."""

import pytest

from tests.common.lists import COMPARISONS, with_property

PAIRS = [("a", "b"), ("pred_a", "pred_b"), ("score_a", "score_b")]


def _pair(entry):
    return next((pair for pair in PAIRS if set(pair) <= set(entry.inputs)), None)


SWAPPED = [
    one
    for one in with_property("swap", COMPARISONS)
    if _pair(one.values[0]) and "greater" not in one.values[0].name
]


@pytest.mark.parametrize("entry", SWAPPED)
def test_the_effect_turns_round_and_the_pvalue_stays(entry):
    first, second = _pair(entry)
    there = entry.result()
    back = entry.result({first: entry.inputs[second].values, second: entry.inputs[first].values})
    if hasattr(there, "a_better"):
        assert back.a_better == pytest.approx(there.b_better, abs=0.1)
    else:
        assert back.pvalue == pytest.approx(there.pvalue, rel=1e-9)
    if there.estimate is not None:
        assert back.estimate == pytest.approx(-there.estimate, rel=1e-9)
