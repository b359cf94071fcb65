"""What README.md promises: examples run, commands name what exists, the picture is there and small."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

plt.switch_backend("Agg")

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def command(name):
    """Return the shell command between two marks, as .ci/run takes it."""
    found = re.findall(
        rf"^<!-- {name} -->\n```bash\n(.*)\n```\n<!-- /{name} -->$", README, flags=re.MULTILINE
    )
    assert len(found) == 1, f"{name}: one line between its marks"
    return found[0]


def test_every_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    plt.close("all")
    printed = capsys.readouterr().out.splitlines()
    assert any("corrected resampled t-test" in line for line in printed)
    assert (tmp_path / "diagram.pdf").exists()


def test_there_is_an_example_for_each_use():
    shown = "\n".join(BLOCKS)
    for use in (
        "GridSearchCV(",
        "cross_val_score(",
        "cross_validate(",
        "corrected_resampled_ttest(",
        "compare_scores(",
    ):
        assert use in shown


@pytest.mark.parametrize("block", BLOCKS)
def test_examples_are_short(block):
    assert len(block.splitlines()) <= 15


@pytest.mark.parametrize("name", ["main-command", "test-command"])
def test_each_command_builds_its_environment(name):
    assert command(name).startswith("python3 -m venv .venv && .venv/bin/python -m pip install ")


def test_the_main_command_runs_the_main_job():
    assert command("main-command").endswith("skeval demo")
    assert "pytest" in command("test-command")


def test_files_that_it_points_to_exist():
    linked = re.findall(r"\]\(([^)]+)\)", README)
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_pictures_are_small():
    pictures = list((ROOT / "docs" / "images").iterdir())
    assert pictures
    assert [picture.name for picture in pictures if picture.stat().st_size > 100_000] == []


def test_names_no_host():
    """A reader reaches the project where he found it."""
    assert "://" not in README
