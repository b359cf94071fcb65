"""Pictures of every Display, small and large, with few and many names: nothing overlaps or falls off."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib.colors import to_rgb

from skeval import plotting
from skeval.comparison import comparison_matrix
from skeval.metrics import ConfusionMatrix, RankedScores, reliability_curve
from skeval.utils._results import PosteriorResult
from tests.plotting.within_view import hide_ticks_out_of_view

CHINESE = "支持向量机的径向基核"
SMALL, LARGE = (3.2, 2.6), (14.0, 10.0)


def name_of(where, length=40):
    return f"{where:02d}_a_method_whose_name_has_40_characters"[:length]


def names(n_methods, first=None):
    told = [name_of(where) for where in range(n_methods)]
    return told if first is None else [first, *told[1:]]


def critical_difference(ax, n_methods, first=None):
    """Half of the methods are tied in rank, and one group holds all."""
    ranks = np.linspace(1, n_methods, n_methods)
    ranks[n_methods // 2 :] = ranks[n_methods // 2 :].mean()
    told = names(n_methods, first)
    display = plotting.CriticalDifferenceDisplay(ranks, told, groups=[told], critical_difference=0.9)
    return display.plot(ax)


def friedman(ax, n_methods, first=None):
    ranks = np.full(n_methods, (n_methods + 1) / 2)  # every rank tied
    return plotting.FriedmanDisplay(ranks, names(n_methods, first), critical_difference=0.9).plot(ax)


def comparison_matrix_of(ax, n_methods, first=None):
    n_methods = min(n_methods, 12)  # the cells of 40 methods have a test of their own
    scores = np.random.default_rng(0).random((n_methods, 6)).round(2)
    table = dict(zip(names(n_methods, first), scores, strict=True))
    return plotting.ComparisonMatrixDisplay.from_result(comparison_matrix(table), ax=ax)


def posterior(ax, n_methods, first=None):
    """There are two methods always; the picture has three forms."""
    samples = np.random.default_rng(0).dirichlet([4, 2, 1], 500) if n_methods < 40 else None
    details = {"location": 0.01, "scale": 0.01, "df": 9.0} if n_methods == 2 else {}
    result = PosteriorResult(
        a_better=0.7, equivalent=0.2, b_better=0.1, rope=0.01, method="a test", estimate=0.01,
        samples=None if n_methods == 2 else samples, details=details,
    )  # fmt: skip
    return plotting.PosteriorDisplay(result, names=tuple(names(2, first))).plot(ax)


def intervals(ax, n_methods, first=None):
    estimates = np.linspace(0.5, 0.9, n_methods)
    estimates[n_methods // 2 :] = 0.7
    high = estimates + 0.05
    high[-1] = np.inf
    display = plotting.IntervalDisplay(
        estimates, estimates - 0.05, high, names(n_methods, first), reference=0.7, measure="accuracy"
    )
    return display.plot(ax)


def ranked_curves(cls):
    def draw(ax, n_methods, first=None):
        generator, y = np.random.default_rng(0), np.tile([0, 1, 0], 30)
        for name in names(n_methods, first):
            score = (y + generator.normal(size=90)).round(1)
            display = cls.from_result(RankedScores.from_predictions(y, score), name=name, ax=ax)
            ax = display.ax_
        return display

    return draw


def reliability(ax, n_methods, first=None):
    generator = np.random.default_rng(0)
    prob = generator.random(200)
    curve = reliability_curve((generator.random(200) < prob).astype(int), prob, n_bins=5)
    for name in names(n_methods, first):
        display = plotting.ReliabilityDisplay(curve, brier_score=0.2, name=name).plot(ax)
        ax = display.ax_
    return display


def bias_variance(ax, n_values, first=None):
    parts = {name: np.linspace(0, 1, n_values) for name in names(2, first)}
    values = 10 * np.arange(1, n_values + 1)
    return plotting.BiasVarianceDisplay(
        values, sum(parts.values()), parts, param_name=name_of(0), loss_name=name_of(1)
    ).plot(ax)


def learning(ax, n_sizes, first=None):
    error = np.linspace(0.5, 0.2, n_sizes)
    return plotting.LearningDiagnosisDisplay(
        100 * np.arange(1, n_sizes + 1), error / 2, error, x_name=first or name_of(0), test_name=name_of(1),
        error_name=name_of(2), reference=(0.3, name_of(3)), verdict="high bias", words="because " * 20,
    ).plot(ax)  # fmt: skip


def confusion(kind):
    def draw(ax, n_methods, first=None):
        counts = np.random.default_rng(0).integers(0, 50, (n_methods, 3, 3))
        labels = [name_of(0, 12), "b", "c"]
        matrices = {
            name: ConfusionMatrix(one, labels)
            for name, one in zip(names(n_methods, first), counts, strict=True)
        }
        return plotting.ConfusionStackDisplay.from_result(matrices, ax=ax, kind=kind)

    return draw


# Every Display has an entry: what draws it for a number of methods (or of points, where it shows one model).
DRAWN = {
    "BiasVarianceDisplay": [bias_variance],
    "ComparisonMatrixDisplay": [comparison_matrix_of],
    "ConfusionStackDisplay": [confusion("matrices"), confusion("bars")],
    "CostCurveDisplay": [ranked_curves(plotting.CostCurveDisplay)],
    "CriticalDifferenceDisplay": [critical_difference],
    "FriedmanDisplay": [friedman],
    "IntervalDisplay": [intervals],
    "LearningDiagnosisDisplay": [learning],
    "PosteriorDisplay": [posterior],
    "PrDisplay": [ranked_curves(plotting.PrDisplay)],
    "ReliabilityDisplay": [reliability],
    "RocDisplay": [ranked_curves(plotting.RocDisplay)],
}
CASES = [
    pytest.param(draw, id=f"{display}{which or ''}")
    for display, draws in DRAWN.items()
    for which, draw in enumerate(draws)
]


def test_every_display_has_an_entry():
    assert sorted(DRAWN) == sorted(plotting.__all__)


@pytest.mark.parametrize(
    ("size", "n_methods"), [*itertools.product([None, SMALL], [2, 10, 40]), (LARGE, 2), (LARGE, 40)]
)
@pytest.mark.parametrize("draw", CASES)
def test_no_text_leaves_the_figure_or_overlaps_another(draw, size, n_methods, check_texts):
    ax = (
        None
        if size is None
        else plt.subplots(figsize=size, dpi=400 if size == SMALL else 100, layout="constrained")[1]
    )
    display = draw(ax, n_methods)
    if size is not None:
        assert tuple(display.figure_.get_size_inches()) == size
    check_texts(hide_ticks_out_of_view(display.figure_))


@pytest.mark.parametrize("draw", CASES)
def test_saves_as_vector_graphics(draw, tmp_path):
    figure = draw(None, 2).figure_
    for kind in ("pdf", "svg"):
        figure.savefig(tmp_path / f"picture.{kind}")
        content = (tmp_path / f"picture.{kind}").read_bytes()
        assert len(content) > 1000
        assert b"<image" not in content  # nothing is pixels inside


@pytest.mark.parametrize("draw", CASES)
def test_chinese_names_have_their_characters(draw, check_texts):
    """A missing character would be a warning of matplotlib's, an error here."""
    if not _has_font("支"):
        pytest.skip("no font on this machine has Chinese characters")
    before = list(plt.rcParams["font.family"]), list(plt.rcParams["font.sans-serif"])
    words = check_texts(hide_ticks_out_of_view(draw(None, 2, first=CHINESE).figure_))
    assert any(CHINESE[:5] in told for told in words)
    assert before == (list(plt.rcParams["font.family"]), list(plt.rcParams["font.sans-serif"]))


def _has_font(letter):
    entries = {entry.fname for entry in font_manager.fontManager.ttflist if "Last Resort" not in entry.name}
    return any(ord(letter) in font_manager.get_font(name).get_charmap() for name in entries)


@pytest.mark.parametrize(
    "draw", [ranked_curves(plotting.RocDisplay), ranked_curves(plotting.PrDisplay), reliability]
)
def test_forty_curves_are_apart_in_grey(draw):
    """Line style and marker alone tell any two curves from each other."""
    ax = draw(None, 40).ax_
    curves = [line for line in ax.lines if "a_method" in line.get_label()]
    styles = {(str(line._dash_pattern), line.get_marker()) for line in curves}
    assert len(curves) == len(styles) == 40


@pytest.mark.parametrize("draw", CASES)
def test_words_are_apart_from_white_paper_or_their_cell(draw):
    figure = draw(None, 2).figure_
    for text in itertools.chain.from_iterable(ax.texts for ax in figure.axes):
        red, green, blue = to_rgb(text.get_color())
        luminance = 0.299 * red + 0.587 * green + 0.114 * blue
        assert luminance < 0.5 or luminance == pytest.approx(1)
