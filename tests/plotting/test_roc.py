"""The ROC curve: its points, its words, several curves on one Axes."""

import itertools
import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skeval.metrics import RankedScores
from skeval.plotting import RocDisplay

# Two positives, two negatives: three of the four pairs are in the right order.
Y, SCORE = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def words(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def title(display):
    return display.ax_.get_legend().get_title().get_text()


class TestCurve:
    def test_a_positive_moves_up_and_a_negative_right(self):
        display = RocDisplay.from_predictions(Y, SCORE)
        np.testing.assert_array_equal(display.line_.get_xdata(), [0, 0, 0.5, 0.5, 1])
        np.testing.assert_array_equal(display.line_.get_ydata(), [0, 0.5, 0.5, 1, 1])
        assert display.roc_auc == 0.75

    def test_a_tied_group_moves_along_a_slanted_line(self):
        display = RocDisplay.from_predictions([0, 1], [0.5, 0.5])
        np.testing.assert_array_equal(display.line_.get_xdata(), [0, 1])
        assert display.roc_auc == 0.5

    def test_weights_count(self):
        weighted = RocDisplay.from_predictions(Y, SCORE, sample_weight=[1, 3, 1, 2])
        repeated = RocDisplay.from_predictions([0, 0, 0, 0, 1, 1, 1], [0.1, 0.4, 0.4, 0.4, 0.35, 0.8, 0.8])
        np.testing.assert_array_equal(weighted.line_.get_xydata(), repeated.line_.get_xydata())

    def test_string_labels_need_the_positive_class(self):
        y = ["ill" if label else "well" for label in Y]
        assert RocDisplay.from_predictions(y, SCORE, pos_label="ill").roc_auc == 0.75
        assert RocDisplay.from_predictions(y, SCORE, pos_label="well").roc_auc == 0.25
        with pytest.raises(ValueError, match=r"pos_label must name the positive class among .*'ill', 'well'"):
            RocDisplay.from_predictions(y, SCORE)

    @pytest.mark.parametrize(("y", "lacking"), [([1, 1], "negative"), ([0, 0], "positive")])
    def test_one_class_has_no_curve(self, y, lacking):
        with pytest.raises(ValueError, match=f"holds no {lacking} sample"):
            RocDisplay.from_predictions(y, [0.2, 0.3])

    @pytest.mark.parametrize(
        ("fpr", "tpr", "auc", "match"),
        [
            ([0, 1], [0, 0.5, 1], None, "same length"),
            ([0, 1.5], [0, 1], None, "fpr must hold rates"),
            ([0, 1], [1, 0], None, "tpr must hold rates"),
            ([0, np.nan], [0, 1], None, "fpr must hold finite numbers"),
            ([0, 1], [0, 1], 1.5, "roc_auc"),
        ],
    )
    def test_impossible_points_are_refused(self, fpr, tpr, auc, match):
        with pytest.raises(ValueError, match=match):
            RocDisplay(fpr, tpr, roc_auc=auc)


class TestEstimator:
    def test_replicates_are_no_curve(self):
        stacks = []
        ranked = RankedScores.from_predictions(Y * 9, SCORE * 9)
        ranked.bootstrap(lambda stack: stacks.append(stack) or stack.roc_auc(), 3, random_state=0)
        with pytest.raises(
            ValueError, match=r"A ROC curve needs single .* not a stack of replicates, got 3: give"
        ):
            RocDisplay.from_result(stacks[0])

    def test_agrees_with_sklearn_on_real_data(self):
        X, y = load_breast_cancer(return_X_y=True)
        model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[::2], y[::2])
        display = RocDisplay.from_estimator(model, X[1::2], y[1::2])
        assert display.roc_auc == pytest.approx(roc_auc_score(y[1::2], model.decision_function(X[1::2])))
        assert words(display)[-1].startswith("Pipeline")

    def test_the_first_class_may_be_the_positive_one(self):
        X, y = load_breast_cancer(return_X_y=True)
        y = np.array(["malignant", "benign"])[y]
        model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
        areas = [RocDisplay.from_estimator(model, X, y, pos_label=label).roc_auc for label in model.classes_]
        assert min(areas) > 0.9

    def test_more_than_two_classes_are_refused(self):
        X, y = load_iris(return_X_y=True)
        with pytest.raises(ValueError, match="a score for each of 3"):
            RocDisplay.from_estimator(GaussianNB().fit(X, y), X, y)


class TestWords:
    def test_name_and_area_stand_in_the_legend(self):
        assert words(RocDisplay.from_predictions(Y, SCORE, name="a model")) == [
            "chance",
            "a model (AUC = 0.750)",
        ]
        assert words(RocDisplay([0, 1], [0, 1]).plot(name="by hand")) == ["chance", "by hand"]
        assert words(RocDisplay([0, 1], [0, 1]).plot(chance_level=False)) == ["ROC curve"]

    def test_the_positive_class_stands_at_the_axes(self):
        display = RocDisplay.from_predictions(["a", "b"], [0.1, 0.9], pos_label="b")
        assert display.ax_.get_xlabel() == "False positive rate (positive class: b)"
        assert display.ax_.get_ylabel() == "True positive rate (positive class: b)"

    def test_an_area_below_one_half_is_not_flipped_and_asks(self):
        display = RocDisplay.from_predictions(Y, [-score for score in SCORE])
        assert display.roc_auc == 0.25
        assert "do the scores" in title(display)

    def test_the_question_stays_when_a_good_curve_follows(self):
        bad = RocDisplay.from_predictions(Y, [-score for score in SCORE], name="bad")
        good = RocDisplay.from_predictions(Y, SCORE, name="good", ax=bad.ax_)
        assert "do the scores" in title(good)

    def test_a_good_curve_is_not_asked(self):
        assert title(RocDisplay.from_predictions(Y, SCORE)) == ""
        assert title(RocDisplay.from_predictions([0, 1], [0.5, 0.5])) == ""

    def test_a_positive_class_of_any_characters_is_printed(self, check_texts):
        with matplotlib.rc_context({"font.family": "cmr10", "axes.formatter.use_mathtext": True}):
            display = RocDisplay.from_predictions(["Жук $", "$ b"], [0.1, 0.9], pos_label="Жук $")
            check_texts(display.figure_)  # a missing glyph would be a warning, an error here

    def test_dollars_and_leading_underscores_are_printed(self, check_texts):
        first = RocDisplay.from_predictions(Y, SCORE, name="$5$")
        second = RocDisplay.from_predictions(Y, SCORE, name="_hidden", ax=first.ax_)
        assert len(words(second)) == 3
        check_texts(second.figure_)


class TestManyCurves:
    def test_lines_of_a_user_are_not_counted(self):
        ax = plt.subplots()[1]
        ax.plot([0, 1], [1, 0], label="by hand")
        mine = RocDisplay.from_predictions(Y, SCORE, ax=ax, chance_kwargs={"label": "a coin"})
        RocDisplay.from_predictions(Y, SCORE, ax=ax)
        assert mine.line_.get_color() == RocDisplay.from_predictions(Y, SCORE).line_.get_color()
        assert sum(line.get_label() in ("a coin", "chance") for line in ax.lines) == 1

    def test_curves_on_one_axes_differ_in_color_and_line_style(self):
        display = None
        for name in "abcdefg":
            display = RocDisplay.from_predictions(Y, SCORE, name=name, ax=display and display.ax_)
        curves = [line for line in display.ax_.lines if line.get_label() != "chance"]
        assert len(curves) == 7
        assert len({to_hex(line.get_color()) for line in curves}) == 7
        neighbors = itertools.pairwise(curves)
        assert all(a.get_linestyle() != b.get_linestyle() or a.is_dashed() for a, b in neighbors)
        assert sum(line.get_label() == "chance" for line in display.ax_.lines) == 1

    def test_a_users_figure_keeps_its_size(self):
        figure, ax = plt.subplots(figsize=(4, 3))
        for where in range(12):
            RocDisplay.from_predictions(Y, SCORE, name=f"a_method_whose_name_is_long_{where:02d}", ax=ax)
        assert tuple(figure.get_size_inches()) == (4, 3)


def test_styles_are_the_users():
    display = RocDisplay.from_predictions(
        Y, SCORE, curve_kwargs={"c": "k", "lw": 5}, chance_kwargs={"ls": "-", "label": "a coin"}
    )
    assert display.line_.get_color() == "k"
    assert display.line_.get_linewidth() == 5
    assert words(display)[0] == "a coin"


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match=r"RocDisplay needs matplotlib.*scikit-eval\[plot\]"):
        RocDisplay.from_predictions(Y, SCORE)
