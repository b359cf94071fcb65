"""Splitters: a call makes all splits."""

from sklearn.model_selection import KFold

from skeval.model_selection import (
    BootstrapSplit,
    FiveByTwoSplit,
    HoldOutSplit,
    KFoldSplit,
    WithResubstitution,
    three_way_split,
)
from tests.common.entry import Entry
from tests.common.lists import data
from tests.common.lists.data import of

_POSITIONS = {"order of the samples": "splits are positions, drawn by the seed"}
_CLASSES = {"X": of("matrix", data.X_THREE), "y": of("labels", data.THREE)}
_GROUPED = {**_CLASSES, "groups": of("labels", data.GROUPS)}

# Each makes a splitter from a seed; the groups go with those that take groups.
MAKERS = {
    "HoldOutSplit": lambda seed: HoldOutSplit(3, random_state=seed),
    "KFoldSplit": lambda seed: KFoldSplit(4, n_repeats=2, random_state=seed),
    "FiveByTwoSplit": lambda seed: FiveByTwoSplit(random_state=seed),
    "BootstrapSplit": lambda seed: BootstrapSplit(5, random_state=seed),
    "BootstrapSplit of classes": lambda seed: BootstrapSplit(5, stratify=True, random_state=seed),
    "WithResubstitution": lambda seed: WithResubstitution(BootstrapSplit(4, random_state=seed)),
    "WithResubstitution of scikit-learn": lambda seed: WithResubstitution(
        KFold(3, shuffle=True, random_state=seed)
    ),
}
_WITHOUT = {
    "WithResubstitution of scikit-learn": {"generator": "scikit-learn's splitters take no Generator"},
}
TAKE_GROUPS = ("HoldOutSplit", "KFoldSplit", "FiveByTwoSplit", "BootstrapSplit", "WithResubstitution")


def _splits(make):
    def split(X, y, groups=None, *, random_state):
        return [tuple(part) for part in make(random_state).split(X, y, groups)]

    return split


SPLITTERS = [
    *(
        Entry(name, _splits(make), _CLASSES, {"random_state": 0}, without=_POSITIONS | _WITHOUT.get(name, {}))
        for name, make in MAKERS.items()
    ),
    *(
        Entry(f"{name} of groups", _splits(MAKERS[name]), _GROUPED, {"random_state": 0}, without=_POSITIONS)
        for name in TAKE_GROUPS
    ),
    Entry(
        "three_way_split",
        lambda X, y, *, random_state: three_way_split(X, y, random_state=random_state),
        _CLASSES,
        {"random_state": 0},
        without=_POSITIONS,
    ),
]
