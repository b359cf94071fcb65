"""What the packaging files say agrees with the code and with each other."""

import configparser
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import skeval

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TABLE = PROJECT["project"]
EXTRAS = TABLE["optional-dependencies"]


def packages_of(requirements):
    return {re.split(r"[\[<>=]", item)[0] for item in requirements}


def test_the_installed_version_is_that_of_the_package():
    assert importlib.metadata.version("scikit-eval") == skeval.__version__


def test_computing_needs_three_packages():
    assert packages_of(TABLE["dependencies"]) == {"scikit-learn", "numpy", "scipy"}


def test_every_extra_is_there():
    assert set(EXTRAS) >= {"plot", "report", "dask", "docs", "test", "all"}


def test_all_brings_every_feature():
    def reach(extra):
        inner = [
            name
            for item in EXTRAS[extra]
            for found in re.findall(r"scikit-eval\[(.*)\]", item)
            for name in found.split(",")
        ]
        return {extra}.union(*map(reach, inner))

    assert reach("all") == set(EXTRAS) - {"docs", "test"}


def test_no_package_is_required_twice():
    named = [name for extra in EXTRAS.values() for name in packages_of(extra)] + list(
        packages_of(TABLE["dependencies"])
    )
    named = [name for name in named if name != "scikit-eval"]
    assert sorted(named) == sorted(set(named))


def test_every_requirement_has_a_lower_bound():
    requirements = TABLE["dependencies"] + [item for extra in EXTRAS.values() for item in extra]
    assert [item for item in requirements if ">=" not in item and not item.startswith("scikit-eval[")] == []


def test_nothing_is_said_both_in_pyproject_and_in_setup_cfg():
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    metadata = set(config["metadata"])
    assert metadata & (set(TABLE) - set(TABLE["dynamic"])) == set()
    assert metadata <= set(TABLE["dynamic"])
    assert "setuptools" not in PROJECT.get("tool", {})


def test_the_floor_is_what_pyproject_promises():
    told = subprocess.run(
        [sys.executable, ".ci/floor.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    for item in TABLE["dependencies"]:
        assert item.replace(">=", "==") in told


def pins_of(lock):
    """Return {package: versions} of a lock, each with the hashes of its files."""
    text = (ROOT / ".ci" / "lock" / f"{lock}.txt").read_text(encoding="utf-8")
    pins = {}
    for entry in re.split(r"\n(?=\S)", text.strip()):
        name, version = re.match(r"([\w.-]+)==([\w.]+)", entry).groups()
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), name
        pins.setdefault(name, set()).add(version)
    return pins


def test_what_is_tested_is_locked_with_hashes():
    extras = ["cli", "dask", "docs", "plot", "report", "test"]
    requirements = PROJECT["build-system"]["requires"] + TABLE["dependencies"]
    wanted = packages_of(requirements + [item for extra in extras for item in EXTRAS[extra]]) - {
        "scikit-eval"
    }
    assert wanted <= set(pins_of("newest"))
    tools = (ROOT / ".ci" / "requirements.txt").read_text(encoding="utf-8")
    for name, version in re.findall(r"^([\w-]+)==([\w.]+)$", tools, flags=re.M):
        assert pins_of("newest")[name] == {version}


def test_the_lowest_lock_is_at_the_floor():
    told = subprocess.run(
        [sys.executable, ".ci/floor.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    pins = pins_of("lowest")
    for name, bound in (line.split("==") for line in told):
        (version,) = pins[name]
        assert re.fullmatch(rf"{re.escape(bound)}(\.0)*", version), (name, bound, version)


def test_the_license_is_bsd_3_clause():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert TABLE["license"] == "BSD-3-Clause"
    assert text.startswith("BSD 3-Clause License")
    assert "The skeval developers" in text


def test_the_changelog_has_the_version():
    release = re.match(r"[\d.]*\d", skeval.__version__).group()
    assert f"\n## {release}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_package_is_typed():
    assert (ROOT / "skeval" / "py.typed").exists()


@pytest.mark.parametrize(
    "name", [".ci/run", ".pre-commit-config.yaml", "pyproject.toml", "setup.cfg", "CITATION.cff"]
)
def test_no_host_is_named(name):
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_the_ci_script_parses_and_may_be_run():
    script = ROOT / ".ci" / "run"
    subprocess.run(["bash", "-n", script], check=True)
    assert script.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
