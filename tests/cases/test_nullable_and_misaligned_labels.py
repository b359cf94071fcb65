"""Labels and rows of pandas and polars: nullable types, any index, missing values."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import cross_validate
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import five_by_two_ftest, mcnemar_test
from skeval.metrics import RankedScores, error_rate
from skeval.model_selection import FiveByTwoSplit, KFoldSplit, evaluate
from tests.cases.strategies import SOME

Y, A, B = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 1, 1]
S = [0.1, 0.9, 0.4, 0.3, 0.8, 0.35]
FORMS = {
    "Int64": lambda y: pd.Series(y, dtype="Int64"),
    "boolean": lambda y: pd.Series(np.array(y, dtype=bool), dtype="boolean"),
    "Float64": lambda y: pd.Series(y, dtype="Float64"),
    "category": lambda y: pd.Series(y, dtype="category"),
    "string": lambda y: pd.Series([str(label) for label in y], dtype="string"),
    "index from 10": lambda y: pd.Series(y, index=range(10, 16)),
    "index backwards": lambda y: pd.Series(y, index=range(5, -1, -1)),
    "polars": pl.Series,
    "list": list,
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_against_an_array(name):
    made = FORMS[name](Y)
    label = (lambda codes: np.array(codes).astype(str)) if name == "string" else np.array
    assert error_rate(made, label(A)) == pytest.approx(1 / 6)
    assert error_rate(made, label(B)) == pytest.approx(2 / 6)
    assert (
        RankedScores.from_predictions(made, S, pos_label="1" if name == "string" else None).roc_auc() == 1.0
    )
    found = mcnemar_test(made, label(A), label(B))
    assert found.details["only_a"] + found.details["only_b"] == 3


def test_a_missing_label_is_named_without_a_warning_of_numpy():
    with pytest.raises(ValueError, match=r"y_true.*missing"):
        error_rate(pd.Series([0, 1, None, 0, 1, 0], dtype="Int64"), Y)


def test_rows_with_an_index_of_their_own():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 2)), index=range(100, 160), columns=["a", "b"])
    y = pd.Series((frame["a"] * frame["b"] > 0).astype(int).to_numpy(), index=range(60)[::-1])
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    found = evaluate(tree, frame, y, cv=KFoldSplit(3, random_state=0)).scores("accuracy")
    plain = evaluate(tree, frame.to_numpy(), y.to_numpy(), cv=KFoldSplit(3, random_state=0)).scores(
        "accuracy"
    )
    assert [one.scores.tolist() for one in found.values()] == [one.scores.tolist() for one in plain.values()]
    runs = [
        cross_validate(
            DecisionTreeClassifier(max_depth=depth, random_state=0),
            frame,
            y,
            cv=FiveByTwoSplit(random_state=0),
            return_indices=True,
        )
        for depth in (1, 4)
    ]
    assert 0 < five_by_two_ftest(*runs).pvalue <= 1


@SOME
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=20), st.randoms())
def test_an_index_in_any_order_changes_nothing(rows, random):
    y, p = zip(*rows, strict=True)
    order = list(range(len(y)))
    random.shuffle(order)
    assert error_rate(pd.Series(y, index=order), pd.Series(p)) == error_rate(y, p)
