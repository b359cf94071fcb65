"""Every example of the docstrings and of the pages in docs/ runs and prints what it says."""

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys
import textwrap
import unicodedata
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import skeval
from skeval.cli import main

plt.switch_backend("Agg")

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(
    page
    for page in DOCS.rglob("*.rst")
    if not {"_build", "_templates", "generated", "examples"} & set(page.relative_to(DOCS).parts)
)
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(skeval.__path__, "skeval.")
    if found.name != "skeval.__main__"  # importing it runs the command
)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def run(tests):
    """Run doctests; fail with what was expected and what came."""
    runner, told = doctest.DocTestRunner(optionflags=FLAGS), []
    for test in tests:
        runner.run(test, out=told.append)
    plt.close("all")
    failed, attempted = runner.summarize(verbose=False)
    assert not failed, "".join(told)
    return attempted


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    run(doctest.DocTestFinder(exclude_empty=True).find(module, name))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_page_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    run([doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_page_begins_with_a_title(page):
    title, line = page.read_text(encoding="utf-8").splitlines()[:2]
    assert title.strip()
    assert line == "=" * sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in title)


def toctree(page):
    """Return the pages that the toctrees of a page name; what the build writes is left out."""
    listed, inside = set(), False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.strip():
            inside = line == ".. toctree::" or (inside and line.startswith(" "))
            if inside and not line.strip().startswith((":", "..", "generated/")):
                listed.add(page.parent / f"{line.strip()}.rst")
    return listed


def test_the_index_leads_to_every_page_and_to_no_other():
    reached, waiting = set(), [DOCS / "index.rst"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        waiting += toctree(page) - reached
    assert reached == set(PAGES)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_the_script_for_a_cluster_runs(tmp_path):
    """As a reader would save and run it."""
    pytest.importorskip("distributed")
    page = (DOCS / "howto" / "clusters.rst").read_text(encoding="utf-8")
    ((name, script),) = re.findall(r"\.\. code-block:: python\n   :caption: (\S+)\n\n((?:   .*\n|\n)+)", page)
    (tmp_path / name).write_text(textwrap.dedent(script), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, name], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr
    assert 0.9 < float(run.stdout) < 1


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_the_commands_of_the_pages_run(tmp_path, monkeypatch, capsys):
    """Line by line, on the files that the pages show; a cluster and the demo have tests of their own."""
    monkeypatch.chdir(tmp_path)
    command, experiments = ((DOCS / page).read_text("utf-8") for page in ("cli.rst", "experiments.rst"))
    scores, predictions = (
        textwrap.dedent(re.search(rf"::\n\n((?:    {begin}.*\n)(?:    .*\n)+)", command)[1])
        for begin in ("data set,", "y_true,")
    )
    file = re.search(r":caption: experiment.toml\n\n((?:   .*\n|\n)+)", experiments)[1]
    contents = {
        "scores.csv": scores,
        "errors.csv": scores,
        "predictions.csv": predictions,
        "experiment.toml": textwrap.dedent(file),
    }
    for name, text in contents.items():
        Path(name).write_text(text, encoding="utf-8")
    lines = re.findall(r"^    skeval (.+)$", command + experiments, flags=re.MULTILINE)
    kept = [line for line in lines if not line.startswith("demo") and "--dask" not in line]
    assert len(kept) >= 10
    for line in kept:
        assert main(shlex.split(line)) == 0, line
    assert Path("report.html").stat().st_size > 10_000
