"""The coverage of intervals for the error, and what rules choose on noise: rows stored, claims of the docs.

The tests marked slow run some of the stored replications again.
"""

from pathlib import Path

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as ScikitRidge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skeval.exceptions import SkevalWarning
from skeval.intervals import generalization_interval
from tests.validity import generalization_coverage as study
from tests.validity import selection_noise

DOCS = Path(__file__).parents[2] / "docs"
FOUND = study.coverage()


def test_every_cell_of_the_design_is_stored():
    for problem in study.PROBLEMS:
        rows = study.read(problem)
        assert len(rows) == len(study.LEARNERS) * len(study.SIZES) * max(study.REPLICATIONS.values())
        for method, count in study.REPLICATIONS.items():
            done = sum(row[f"{method} low"] != "" for row in rows)
            assert done == len(study.LEARNERS) * len(study.SIZES) * count
    assert min(study.REPLICATIONS[name] for name in ("holdout", "corrected-t", "cv-wald")) >= 500


def test_the_documentation_shows_the_stored_tables():
    page = (DOCS / "generalization_intervals.rst").read_text(encoding="utf-8")
    assert [block for block in study.tables() if block not in page] == []


@pytest.mark.parametrize("learner", list(study.LEARNERS))
def test_the_learners_are_those_of_scikit_learn(learner):
    known = {
        "logistic": LogisticRegression(C=1, tol=1e-10, max_iter=1000),
        "ridge": ScikitRidge(alpha=1),
        "tree": DecisionTreeClassifier(max_depth=3, min_samples_leaf=3, random_state=0),
        "5-nn": KNeighborsClassifier(5),
    }[learner]
    X, y = study.sample("sparse", learner, 100, np.random.default_rng(0))
    points, _ = study.test_points("sparse")
    own = study.LEARNERS[learner].fit(X, y).predict(points)
    assert own == pytest.approx(known.fit(X, y).predict(points), rel=1e-6)


@pytest.mark.filterwarnings("ignore::skeval.exceptions.SkevalWarning")
@pytest.mark.parametrize("method", ["nested-cv", ".632+", "cv-wald-within", "bootstrap-case-cv"])
def test_the_study_runs_what_users_run(method):
    number = study.cells().index(("linear", "ridge", 50))
    truth = study.Truth("linear", study.LEARNERS["ridge"])
    row = study.replicate(number, 0, truth, [method])
    X, y = study.sample("linear", "ridge", 50, np.random.default_rng([study.SEED, number, 0]))
    stream = sorted(study.REPLICATIONS).index(study.STREAMS.get(method, method))
    found = generalization_interval(
        study.LEARNERS["ridge"],
        X,
        y,
        method=method,
        loss="squared",
        random_state=np.random.default_rng([study.SEED, number, 0, stream]),
        **study.DESIGNS.get(method, {}),
    )
    assert (found.low, found.high) == pytest.approx((row[f"{method} low"], row[f"{method} high"]), rel=1e-9)


def test_the_risk_of_neighbors_is_found_from_distances_taken_once():
    generator = np.random.default_rng(0)
    X, y = study.sample("sparse", "5-nn", 100, generator)
    points, _ = study.test_points("sparse")
    predict = study.neighbors_of_parts(X, y, points, 5)
    for rows in (np.arange(63), generator.integers(0, 100, 100)):
        expected = study.Neighbors().fit(X[rows], y[rows]).predict(points)
        assert np.array_equal(predict(rows), expected)


# --- what the documentation says of the rows


@pytest.mark.slow
def test_replications_run_again_agree_with_the_rows_stored():
    import warnings

    with warnings.catch_warnings(), sklearn.config_context(assume_finite=True):
        warnings.simplefilter("ignore", SkevalWarning)
        assert study.check() == []


def test_point_632_always_takes_the_nearest_neighbor_on_noise_and_the_others_do_not():
    told = selection_noise.summary(selection_noise.read())
    assert told["none", ".632"][0] == 1
    assert told["none", ".632+"][0] < 0.4
    assert told["none", "oob"][0] < 0.4
    page = (DOCS / "selection.rst").read_text(encoding="utf-8")
    assert [line for line in selection_noise.table().splitlines() if line not in page] == []


@pytest.mark.slow
def test_choices_made_again_agree_with_the_rows_stored():
    assert selection_noise.check() == []
