"""What somebody who looks on sees of a run."""

from types import SimpleNamespace

import pytest

from skeval.benchmarking import _progress
from skeval.benchmarking._progress import progress_bar

PLAN = SimpleNamespace(dataset="iris", estimator="tree", split=3)


class Bar:
    """What tqdm would be told."""

    def __init__(self, **options):
        self.options, self.told, self.updates = options, [], 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def set_postfix_str(self, text, refresh):
        self.told.append(text)

    def update(self):
        self.updates += 1


@pytest.fixture
def bars(monkeypatch):
    made = []

    def tqdm(**options):
        made.append(Bar(**options))
        return made[-1]

    monkeypatch.setattr(_progress, "import_optional", lambda *_, **__: SimpleNamespace(tqdm=tqdm))
    return made


def test_a_bar_begins_with_what_is_done_and_tells_each_task_and_the_failures(bars):
    with progress_bar(10, 4, True) as advance:
        advance(PLAN, SimpleNamespace(error_type=None))
        advance(PLAN, SimpleNamespace(error_type="ValueError"))
    (bar,) = bars
    assert (bar.options["total"], bar.options["initial"]) == (10, 4)
    assert bar.told == ["iris, tree, split 3", "iris, tree, split 3, 1 failed"]
    assert bar.updates == 2


def test_there_is_no_bar_where_none_is_asked_for(bars):
    with progress_bar(10, 0, False) as advance:
        advance(PLAN, SimpleNamespace(error_type=None))
    assert bars == []


def test_a_run_needs_no_tqdm(monkeypatch):
    def absent(name, *, extra, purpose):
        raise ModuleNotFoundError(f"{purpose} needs {name}: {extra}")

    monkeypatch.setattr(_progress, "import_optional", absent)
    with progress_bar(10, 0, True) as advance:
        assert advance(PLAN, SimpleNamespace(error_type=None)) is None
