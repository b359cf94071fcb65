"""Inputs of any kind raise nothing but documented errors with words of the package."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from tests.fuzz.targets import BYTES, VALUES

CORPUS = Path(__file__).parent / "corpus"
CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
if not os.environ.get("SKEVAL_FUZZ"):
    CALM["max_examples"] = 60

words = st.sampled_from(
    ["0", "1", "a", "b", "nan", "inf", "-1", "1e400", "", '"', "é", "\x00", "1_0", "0x1", "?"]
)
header = st.sampled_from(["y_true,y_pred", "y_true,y_score", "y_true,y_pred,y_score", "y_true", "a,b,c"])
csv_like = st.builds(
    lambda first, rows, end: end.join([first, *(",".join(row) for row in rows)]).encode(),
    header,
    st.lists(st.lists(words, max_size=4), max_size=6),
    st.sampled_from(["\n", "\r\n", "\r", ",\n"]),
)
keys = st.sampled_from(
    ["estimators", "datasets", "cv", "scoring", "pos_label", "class", "steps", "import", "path"]
)
toml_values = st.recursive(
    st.one_of(st.booleans(), st.integers(), st.text("abc.é", max_size=5)).map(
        lambda value: str(value).lower() if isinstance(value, (bool, int)) else f'"{value}"'
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.dictionaries(keys, inner, max_size=3).map(
            lambda parts: "{" + ", ".join(f"{key} = {value}" for key, value in parts.items()) + "}"
        ),
    ),
    max_leaves=8,
)
toml_like = st.dictionaries(keys, toml_values, max_size=6).map(
    lambda parts: "\n".join(f"{key} = {value}" for key, value in parts.items()).encode()
)
cells = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(0, 2),
    st.floats(width=64),
    st.text("ab\x00é", max_size=3),
    st.binary(max_size=2),
    st.complex_numbers(),
    st.lists(st.integers(0, 1), max_size=2),
)
dtypes = st.one_of(
    npst.boolean_dtypes(),
    npst.integer_dtypes(),
    npst.unsigned_integer_dtypes(),
    npst.floating_dtypes(),
    npst.complex_number_dtypes(),
    npst.datetime64_dtypes(),
    npst.unicode_string_dtypes(),
    npst.byte_string_dtypes(),
)
arrays = npst.arrays(dtypes, npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
values = st.one_of(
    st.lists(cells, max_size=6),
    st.lists(st.integers(0, 1), max_size=8),
    st.lists(st.floats(), max_size=8),
    arrays,
    cells,
    st.dictionaries(st.text("ab", max_size=1), st.lists(cells, max_size=4), max_size=3),
)


@pytest.mark.parametrize("name", BYTES)
@given(content=st.one_of(st.binary(max_size=200), csv_like, toml_like))
@settings(**CALM)
def test_any_file_is_read_or_refused(name, content):
    BYTES[name](content)


@pytest.mark.parametrize("name", VALUES)
@given(first=values, second=values)
@settings(**CALM)
def test_any_values_are_measured_or_refused(name, first, second):
    VALUES[name](first, second)


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_files_that_once_broke_a_reader(path):
    BYTES["experiment" if path.suffix == ".toml" else "score"](path.read_bytes())


@pytest.mark.parametrize(
    "nasty",
    [
        np.array([0, 1], dtype=object).reshape(1, 2),
        np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"),
        np.ma.masked_array([0, 1], mask=[True, False]),
        np.array([(0, 1)], dtype=[("a", int), ("b", int)]),
        [10**400, 0],
        [[0], [0, 1]],
        "01",
        {0, 1},
        iter([0, 1]),
        range(2),
    ],
    ids=lambda nasty: type(nasty).__name__,
)
@pytest.mark.parametrize("name", VALUES)
def test_odd_objects(name, nasty):
    VALUES[name](nasty, [0, 1])
    VALUES[name]([0, 1], nasty)
