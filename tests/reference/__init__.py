"""Expected values with their provenance, one JSON file a topic."""

import json
from pathlib import Path


def load(name):
    """Return the file `name` as a dict; exact fractions stay {"frac": ..., "float": ...}."""
    return json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))


def number(value):
    """Return a stored value as a float."""
    return value["float"] if isinstance(value, dict) else float(value)
