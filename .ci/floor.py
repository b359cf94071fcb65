"""Print pip constraints that hold every requirement of pyproject.toml at its lower bound."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
tested = [extra for extra in extras if extra not in ("docs", "all")]
requirements = project["dependencies"] + [item for extra in tested for item in extras[extra]]
bound = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)")
lower = dict(found.groups() for item in requirements if (found := bound.fullmatch(item)))
print("\n".join(f"{name}=={version}" for name, version in sorted(lower.items())))
