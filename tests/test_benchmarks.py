"""The stored tables of the benchmarks: what docs/trust.rst shows can be run again and says what it must."""

import csv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BENCHMARKS = ROOT / "benchmarks"


def rows_of(name):
    with (BENCHMARKS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TIMES = rows_of("results.csv")
WITH_PEER = [row for row in TIMES if row["ratio"]]
ALONE = [row for row in TIMES if not row["ratio"]]
ANSWERS = rows_of("answers.csv")

# Missed in the stored run.
MISSED = {
    "macro-F1, BCa, 9,999 replicates, n = 1e4, K = 3",
    "DeLong's test of 2 models, n = 1e5",
    "Friedman and Nemenyi, k = 10, N = 1000, whole report there",
}


def work(row):
    return row["work"]


@pytest.mark.parametrize("row", TIMES, ids=work)
def test_the_script_of_a_row_is_there(row):
    assert (BENCHMARKS / row["script"]).is_file()


@pytest.mark.parametrize("row", WITH_PEER, ids=work)
def test_a_ratio_is_that_of_the_two_times(row):
    # Each of the three has three digits.
    assert float(row["ratio"]) == pytest.approx(float(row["peer ms"]) / float(row["skeval ms"]), rel=0.015)


def test_every_goal_is_met_but_for_those_that_are_known():
    slow = {row["work"] for row in WITH_PEER if float(row["ratio"]) < float(row["goal"])}
    late = {row["work"] for row in ALONE if float(row["skeval ms"]) > float(row["goal"].removesuffix(" ms"))}
    assert slow | late == MISSED


@pytest.mark.parametrize("row", ALONE, ids=work)
def test_what_has_no_peer_has_a_limit_in_its_place(row):
    assert (row["peer"], row["peer ms"]) == ("none", "")
    assert row["goal"].endswith(" ms")


@pytest.mark.parametrize("row", WITH_PEER, ids=work)
def test_a_peer_is_named_with_its_version_and_installed_for_the_run(row):
    name, version = row["peer"].split()
    assert version[0].isdigit()
    wanted = (BENCHMARKS / "requirements.txt").read_text(encoding="utf-8").split()
    assert name in {*wanted, "scikit-learn", "scipy"}


def test_every_script_that_times_has_rows():
    scripts = {path.name for path in BENCHMARKS.glob("*.py") if "measure(" in path.read_text("utf-8")}
    told = {row["script"] for row in TIMES}
    assert told == scripts - {"timing.py"}


def test_no_work_stands_twice():
    works = [row["work"] for row in TIMES]
    assert len(works) == len(set(works))


@pytest.mark.parametrize("row", ANSWERS, ids=lambda row: row["asked"])
def test_an_answer_of_a_row_is_the_right_one(row):
    assert row["skeval"] == row["right"]
    assert row["how it is known"]


def test_the_page_shows_both_tables_and_the_machine():
    page = (ROOT / "docs" / "trust.rst").read_text(encoding="utf-8")
    for name in ("results.csv", "answers.csv", "machine.txt"):
        assert f":: ../benchmarks/{name}" in page or f":file: ../benchmarks/{name}" in page
