"""Which script, seeds and code made a stored table."""

import hashlib
import json
from pathlib import Path

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).parents[2]
PROVENANCE = DATA / "provenance.json"


def table_path(name):
    return DATA / f"{name}.csv"


def file_hash(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hash_of(files):
    """Return one hash of named contents, in the order of their names."""
    total = hashlib.sha256()
    for name, content in sorted(files.items()):
        total.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return total.hexdigest()


def code_hash():
    """Return the hash of every module of the package."""
    return hash_of(
        {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in (ROOT / "skeval").rglob("*.py")}
    )


def read_provenance():
    return json.loads(PROVENANCE.read_text(encoding="utf-8"))
