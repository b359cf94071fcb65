"""The types that a user sees, from outside: a program without errors, and mistakes that are found."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
pytest.importorskip("mypy")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Errors by file: {line: set of codes}."""
    from mypy import api

    cache = tmp_path_factory.mktemp("mypy")
    files = ["client.py", "mistakes.py"]
    output, problems, _ = api.run(
        [
            f"--config-file={HERE / 'mypy.ini'}",
            f"--cache-dir={cache}",
            "--no-error-summary",
            "--no-pretty",
            *(str(HERE / name) for name in files),
        ]
    )
    assert not problems
    errors = {name: {} for name in files}
    for file, line, code in re.findall(r"(?m)^(.+?\.py):(\d+): error: .*\[([a-z-]+)\]$", output):
        errors[Path(file).name].setdefault(int(line), set()).add(code)
    return errors, output


def test_a_typed_program_has_no_errors(found):
    errors, output = found
    assert not errors["client.py"], output


def test_mistakes_are_found_and_nothing_else(found):
    lines = (HERE / "mistakes.py").read_text(encoding="utf-8").splitlines()
    marked = {
        number: set(line.partition("# mistake: ")[2].split(", "))
        for number, line in enumerate(lines, start=1)
        if "# mistake: " in line
    }
    assert len(marked) >= 8
    errors, output = found
    assert errors["mistakes.py"].keys() == marked.keys(), output
    for number, codes in errors["mistakes.py"].items():
        assert codes <= marked[number], output
