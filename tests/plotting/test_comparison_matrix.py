"""The multi-comparison matrix: what stands in its cells, and that it can be read."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from skeval.comparison import compare_cv, compare_scores, comparison_matrix, posthoc_test
from skeval.plotting import ComparisonMatrixDisplay


def table(n_methods, n_datasets=12):
    """Return accuracies of methods whose names have 40 characters."""
    generator = np.random.default_rng(0)
    scores = 0.7 + 0.05 * generator.normal(size=(n_datasets, n_methods)) + np.linspace(0, 0.1, n_methods)
    names = [f"{where:02d}_a_method_whose_name_has_40_characters"[:40] for where in range(n_methods)]
    return dict(zip(names, scores.round(3).T, strict=True))


SMALL = {"a": [0.5, 0.6, 0.7, 0.8], "b": [0.4, 0.6, 0.8, 0.6], "c": [0.1, 0.2, 0.3, 0.4]}


class TestCells:
    def test_hold_mean_difference_wins_and_pvalue_of_the_row_against_the_column(self):
        display = ComparisonMatrixDisplay.from_result(comparison_matrix(SMALL))
        assert display.cells_["a", "b"].get_text() == "0.05\n2 / 1 / 1\np = 0.75"
        assert display.cells_["b", "a"].get_text() == "-0.05\n1 / 1 / 2\np = 0.75"
        assert display.cells_["a", "c"].get_text() == "0.4\n4 / 0 / 0\np = 0.125"
        assert ("a", "a") not in display.cells_

    def test_of_equal_methods_hold_0_on_both_sides(self):
        display = ComparisonMatrixDisplay.from_result(comparison_matrix({"a": [0.5, 0.6], "b": [0.6, 0.5]}))
        for pair in (("a", "b"), ("b", "a")):
            assert display.cells_[pair].get_text().splitlines()[0] == "0"

    def test_are_bold_at_alpha(self):
        result = comparison_matrix(SMALL)
        display = ComparisonMatrixDisplay.from_result(result, alpha=0.125)
        bold = {pair for pair, text in display.cells_.items() if text.get_fontweight() == "bold"}
        assert bold == {("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")}
        plain = ComparisonMatrixDisplay.from_result(result).cells_.values()
        assert not any(text.get_fontweight() == "bold" for text in plain)

    def test_stand_in_the_row_and_column_of_their_methods(self):
        display = ComparisonMatrixDisplay.from_result(comparison_matrix(SMALL))
        rows = {name: label.get_position()[1] for name, label in zip("abc", display.row_labels_, strict=True)}
        columns = {
            name: label.get_position()[0] for name, label in zip("abc", display.column_labels_, strict=True)
        }
        for (row, column), text in display.cells_.items():
            assert text.get_position() == pytest.approx((columns[column], rows[row]))
        assert rows["a"] > rows["b"] > rows["c"]

    def test_mean_scores_stand_beside_the_rows(self):
        display = ComparisonMatrixDisplay.from_result(comparison_matrix(SMALL))
        assert [label.get_text() for label in display.row_labels_] == ["a  0.65", "b  0.6", "c  0.25"]

    def test_a_comparison_of_mean_ranks_has_cells_too(self):
        result = compare_scores(SMALL)
        display = ComparisonMatrixDisplay.from_result(result)
        assert display.cells_["a", "b"].get_text().startswith("0.05\n2 / 1 / 1\np = ")
        assert display.row_labels_[0].get_text() == "a"

    def test_text_is_apart_from_the_color_of_its_cell(self):
        display = ComparisonMatrixDisplay.from_result(comparison_matrix(table(6)))
        mesh = display.ax_.collections[0]
        mesh.update_scalarmappable()
        shades = mesh.get_facecolors().reshape(6, 6, 4)
        place = {name: where for where, name in enumerate(display.names)}
        for (row, column), text in display.cells_.items():
            one, other = (
                np.dot([0.299, 0.587, 0.114], color)
                for color in (shades[place[row], place[column]][:3], to_rgb(text.get_color()))
            )
            assert abs(one - other) > 0.35

    def test_equal_methods_are_white(self):
        display = ComparisonMatrixDisplay("ab", np.zeros((2, 2)), *np.ones((3, 2, 2), dtype=int)).plot()
        assert display.cells_["a", "b"].get_text() == "0\n1 / 1 / 1\np = 1"


class TestReading:
    @pytest.mark.parametrize("n_methods", [2, 3, 10])
    def test_no_text_overlaps_or_leaves_the_figure(self, n_methods, check_texts):
        display = ComparisonMatrixDisplay.from_result(
            comparison_matrix(table(n_methods)), title="Accuracy " * 9
        )
        words = check_texts(display.figure_)
        assert sum("40_char" in told for told in words) == 2 * n_methods

    def test_forty_methods_have_room(self):
        result = comparison_matrix(table(40), test="sign")
        display = ComparisonMatrixDisplay.from_result(result)
        across, down = (
            np.diff([label.get_position()[axis] for label in labels]) * display.figure_.dpi
            for axis, labels in ((0, display.column_labels_), (1, display.row_labels_))
        )
        for text in display.cells_.values():
            box = text.get_window_extent()
            assert box.width < across.min()
            assert box.height < -down.max()
        edges = display.figure_.bbox
        for label in (*display.row_labels_, *display.column_labels_):
            box = label.get_window_extent()
            assert box.x0 >= 0
            assert box.y1 <= edges.height
            assert box.x1 <= edges.width

    @pytest.mark.parametrize("n_methods", [2, 8])
    @pytest.mark.parametrize("size", [(6, 4), (8, 3), (12, 9)])
    def test_given_axes_of_any_size_hold_the_matrix(self, n_methods, size, check_texts):
        figure, axes = plt.subplots(1, 2, figsize=size)
        axes[0].remove()
        result = comparison_matrix(table(n_methods))
        display = ComparisonMatrixDisplay.from_result(result, ax=axes[1], title="A title")
        assert display.ax_ is axes[1]
        assert tuple(figure.get_size_inches()) == size
        check_texts(figure)
        box = axes[1].get_window_extent()
        for text in (*display.cells_.values(), *display.row_labels_, *display.column_labels_):
            inside = text.get_window_extent()
            assert box.x0 <= inside.x0
            assert inside.x1 <= box.x1
            assert box.y0 <= inside.y0
            assert inside.y1 <= box.y1

    def test_short_names_are_not_turned(self, check_texts):
        display = ComparisonMatrixDisplay.from_result(comparison_matrix(SMALL))
        assert {label.get_rotation() for label in display.column_labels_} == {0}
        check_texts(display.figure_)
        long = ComparisonMatrixDisplay.from_result(comparison_matrix(table(2)))
        assert {label.get_rotation() for label in long.column_labels_} == {90}

    def test_styles_are_the_users(self):
        display = ComparisonMatrixDisplay.from_result(comparison_matrix(SMALL), text_kwargs={"size": 14})
        assert display.cells_["a", "b"].get_fontsize() == 14

    def test_saves_as_vector_graphics(self, tmp_path):
        display = ComparisonMatrixDisplay.from_result(comparison_matrix(SMALL))
        for kind in ("pdf", "svg", "eps"):
            display.figure_.savefig(tmp_path / f"matrix.{kind}")
            assert (tmp_path / f"matrix.{kind}").stat().st_size > 1000


class TestInput:
    def test_a_result_must_have_wins_of_all_pairs(self):
        splits = compare_cv({"a": [0.7, 0.8, 0.9], "b": [0.6, 0.9, 0.9]}, n_train=90, n_test=10)
        with_control = compare_scores(SMALL, control="a")
        for result in (posthoc_test(SMALL), splits, with_control):
            with pytest.raises(
                ValueError, match=r"with wins, ties and losses.*use comparison_matrix\(scores\)"
            ):
                ComparisonMatrixDisplay.from_result(result)

    def test_tables_must_be_square_and_names_different(self):
        square = np.ones((2, 2))
        with pytest.raises(ValueError, match="wins must have a row and a column for each of the 2 methods"):
            ComparisonMatrixDisplay("ab", square, np.ones((3, 3)), square, square)
        with pytest.raises(ValueError, match="names must name at least 2 methods, each once"):
            ComparisonMatrixDisplay("aa", square, square, square, square)
        with pytest.raises(ValueError, match="alpha must be a number in"):
            ComparisonMatrixDisplay("ab", square, square, square, square, alpha=5)


def test_words_with_a_hyphen_stay_whole_however_often_the_caption_is_broken():
    _, axes = plt.subplots(1, 2, figsize=(6, 3))
    display = ComparisonMatrixDisplay.from_result(comparison_matrix(table(8)), ax=axes[1])
    caption = next(text.get_text() for text in display.ax_.texts if "Row against column" in text.get_text())
    assert "signed-rank" in caption.replace("-\n", "-")
