"""Another process, with another order of sets and of hashes, gives the same bits."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.common.digest import digests

ROOT = Path(__file__).parents[2]


def test_a_process_with_another_hash_seed_agrees():
    found = digests()
    made = subprocess.run(
        [sys.executable, "-m", "tests.common.digest"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4242", "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert made.returncode == 0, made.stderr
    other = json.loads(made.stdout)
    assert sorted(other) == sorted(found)
    assert [name for name in found if other[name] != found[name]] == []
