"""Fail unless the wheel holds the modules of skeval, templates, py.typed, the licence, and nothing else."""

import sys
import zipfile
from pathlib import Path

names = zipfile.ZipFile(sys.argv[1]).namelist()
print("\n".join(names))
inside = {name for name in names if ".dist-info/" not in name}
wanted = {path.as_posix() for kind in ("*.py", "*.jinja") for path in Path("skeval").rglob(kind)}
wanted |= {"skeval/py.typed"}
wrong = [f"missing: {name}" for name in sorted(wanted - inside)]
wrong += [f"does not belong: {name}" for name in sorted(inside - wanted)]
if not any(name.endswith("LICENSE") for name in names):
    wrong.append("missing: LICENSE")
sys.exit("\n".join(wrong) or None)
