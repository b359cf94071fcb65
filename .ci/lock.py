"""Write the locks of the CI: every package with its version and the hashes of its files.

Needs uv. Run from the root of the checkout when pyproject.toml or requirements.txt has changed, or to
move to newer releases::

    python .ci/lock.py

Only `.ci/run` reads them; who installs the package gets the ranges of pyproject.toml.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

COMPILE = "-m uv pip compile --quiet --no-header --no-annotate --upgrade --generate-hashes"
PYTHONS = "--universal --python-version 3.11"  # this one and all later ones


def main() -> None:
    """Resolve and write both locks."""
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder) / "floor.txt"
        floor.write_text(output(".ci/floor.py"), "utf-8")
        lock("newest", "--extra", "test", "--extra", "docs", ".ci/requirements.txt")
        lock("lowest", "--extra", "test", "--constraint", str(floor))


def lock(name: str, *arguments: str) -> None:
    """Write one lock of the package, what `arguments` add to it, and what builds it."""
    build = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    found = output(*f"{COMPILE} {PYTHONS}".split(), "pyproject.toml", *arguments, "-", given="\n".join(build))
    Path(".ci/lock", f"{name}.txt").write_text(found, "utf-8")


def output(*arguments: str, given: str = "") -> str:
    """Return what this Python prints."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    main()
