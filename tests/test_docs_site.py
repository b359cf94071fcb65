"""The reference of the site lists what the package exports; its examples are set up to run."""

import importlib
import pkgutil
import re
from collections import Counter
from pathlib import Path

import pytest

import skeval

DOCS = Path(__file__).parent.parent / "docs"
ROOMS = sorted(
    found.name for found in pkgutil.iter_modules(skeval.__path__) if found.name not in ("__main__", "utils")
)


def listed(room):
    """Return the names under the autosummaries of a room's page."""
    text = (DOCS / "api" / f"{room}.rst").read_text(encoding="utf-8")
    assert f".. currentmodule:: skeval.{room}" in text
    blocks = re.findall(r"^\.\. autosummary::\n(?:   :.*\n)*\n((?:   \w+\n)+)", text, flags=re.MULTILINE)
    return Counter(name for block in blocks for name in block.split())


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_stands_in_the_reference_once(room):
    public = importlib.import_module(f"skeval.{room}").__all__
    assert listed(room) == Counter(public)


def test_the_reference_leads_to_every_room():
    index = (DOCS / "api" / "index.rst").read_text(encoding="utf-8").split()
    assert [room for room in ROOMS if index.count(room) != 1] == []


def test_the_chapter_maps_hold_the_same_examples():
    def examples(name):
        lines = (DOCS / name).read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.startswith((">>> ", "... "))]

    assert examples("chapter_map.rst") == examples("chapter_map_zh.rst") != []


def test_the_chapter_maps_name_every_equation_of_the_chapter():
    for name in ("chapter_map.rst", "chapter_map_zh.rst"):
        named = set()
        for line in (DOCS / name).read_text(encoding="utf-8").splitlines():
            # Headings end with one number, or with a first and a last one.
            numbers = [int(number) for number in re.findall(r"[(\uff08]2\.(\d+)[)\uff09]", line)]
            if numbers:
                named |= set(range(numbers[0], numbers[-1] + 1))
        assert named == set(range(1, 43)), name


@pytest.mark.parametrize("example", sorted(DOCS.glob("examples/*.py")), ids=lambda path: path.name)
def test_an_example_compiles_and_is_run_by_the_build(example):
    compile(example.read_text(encoding="utf-8"), str(example), "exec")
    assert example.name.startswith("plot_")


def test_the_pages_name_no_other_site():
    pages = [
        *DOCS.glob("*.rst"),
        *(page for part in ("api", "howto", "tutorials") for page in DOCS.glob(f"{part}/*.rst")),
    ]
    sources = [*pages, *DOCS.glob("examples/*"), DOCS / "conf.py"]
    naming = [path.name for path in sources if re.search(r"https?://", path.read_text(encoding="utf-8"))]
    assert naming == []
