"""With scikit-learn, numpy and scipy alone everything is imported, and what needs more says what."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import skeval

ROOMS = sorted(path.parent.name for path in Path(skeval.__file__).parent.glob("*/__init__.py"))

# Runs in a process where no extra can be imported; shows every result of the examples as a notebook
# does, and prints the names whose examples need an extra and the classes of results never shown.
SCRIPT = """
import doctest, importlib, json, pkgutil, sys

class NoExtras:
    extras = {{"pandas", "polars", "pyarrow", "matplotlib", "jinja2", "tqdm", "dask", "distributed"}}

    def find_spec(self, name, *_):
        if name in self.extras:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, NoExtras())
room = importlib.import_module("skeval.{room}")
names = [f"skeval.{room}.{{each.name}}" for each in pkgutil.iter_modules(room.__path__)]
flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
told, ran, shown = {{}}, 0, set()
for module in map(importlib.import_module, names):
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        try:
            ran += doctest.DebugRunner(optionflags=flags).run(test, clear_globs=False).attempted
        except doctest.UnexpectedException as failure:
            error = failure.exc_info[1]
            if not isinstance(error, ImportError):
                raise error
            own = failure.example.source.startswith(("import ", "from "))  # of the reader, not of skeval
            told[test.name] = "" if own else str(error)
        for result in test.globs.values():
            if type(result).__module__.startswith("skeval.") and hasattr(result, "_repr_html_"):
                assert "<table" in result._repr_html_()
                shown.add(type(result).__name__)
results = {{name for name in getattr(room, "__all__", ()) if hasattr(getattr(room, name), "_repr_html_")}}
print(json.dumps([told, ran, sorted(results - shown)]))
"""


@pytest.mark.parametrize("room", ROOMS)
def test_examples_run_and_are_shown_in_a_notebook_or_name_the_extra_that_they_need(room, tmp_path):
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT.format(room=room)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    told, ran, not_shown = json.loads(run.stdout.splitlines()[-1])
    assert [message for message in told.values() if message and "scikit-eval[" not in message] == []
    assert ran or room in ("plotting", "utils", "cli")
    assert not_shown == []
