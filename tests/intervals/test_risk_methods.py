"""The methods of `generalization_interval`: splits and scores that one of them is not for."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from skeval.exceptions import MissingScoreError, UndefinedMeasureWarning
from skeval.intervals import generalization_interval

X, Y = (part[:100] for part in load_iris(return_X_y=True))  # two classes of 50, one after the other


def test_nested_repeats_of_different_numbers_of_folds_are_refused():
    cv = [*KFold(3).split(X), *KFold(5).split(X)]
    with pytest.raises(ValueError, match=r"same number of folds.* got runs of \[3, 5\] splits"):
        generalization_interval(GaussianNB(), X, Y, method="nested-cv", cv=cv)


def test_a_score_that_is_undefined_on_a_split_has_no_interval():
    """The second split tests one class."""
    cv = [(np.r_[0:25, 50:75], [25, 75]), (np.r_[0:25, 50:75], [25, 26])]
    with (
        pytest.warns(UndefinedMeasureWarning, match="ROC AUC is undefined.*split 1 of 2"),
        pytest.raises(
            MissingScoreError, match="The score of split 1 is nan: mend that fit, or take the split"
        ),
    ):
        generalization_interval(GaussianNB(), X, Y, method="corrected-t", scoring="roc_auc", cv=cv)


def test_a_score_that_is_undefined_on_half_of_the_splits_has_no_conservative_interval():
    with (
        pytest.warns(UndefinedMeasureWarning, match="The score is undefined"),
        pytest.raises(MissingScoreError, match=r"The score of split \d is nan: mend that fit"),
    ):
        generalization_interval(
            GaussianNB(),
            X,
            Y,
            method="conservative-z",
            n_splits=3,
            random_state=0,
            scoring=lambda model, X, y: 0.9 if y[0] else np.nan,
        )
