"""The shape of the package: who imports whom, what an import costs, what every public name documents."""

import ast
import dataclasses
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import skeval

ROOT = Path(skeval.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

# A module imports from its own room and from those before it.
ROOMS = (
    "exceptions",
    "utils",
    "metrics",
    "model_selection",
    "intervals",
    "comparison",
    "diagnosis",
    "plotting",
    "benchmarking",
    "cli",
)
PUBLIC_ROOMS = [
    room
    for room in ROOMS
    if room not in ("exceptions", "utils", "cli") and (ROOT / room / "__init__.py").exists()
]
REQUIRED = {"numpy", "scipy", "sklearn", "joblib", "threadpoolctl"}  # the last two come with scikit-learn
MAX_LINES, MAX_BODY = 400, 60


def name_of(path):
    return path.relative_to(ROOT.parent).as_posix()


def room_of(path):
    first = path.relative_to(ROOT).parts[0].removesuffix(".py")
    if first == "__init__":
        return None
    return "cli" if first == "__main__" or first.startswith("cli") else first


def imports(tree):
    """Yield (imported module, imported name or None, node) of every import, relative ones refused."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None, node
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            for alias in node.names:
                yield node.module, alias.name, node


def is_private(name):
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


@pytest.fixture(params=MODULES, ids=name_of)
def module(request):
    return request.param


@pytest.fixture
def tree(module):
    return ast.parse(module.read_text(encoding="utf-8"))


def test_there_are_modules_in_every_room_that_exists():
    assert len(MODULES) > 10
    assert {room_of(path) for path in MODULES} - {None} <= set(ROOMS)


def test_imports_only_from_its_own_room_and_those_to_the_left(module, tree):
    own = room_of(module)
    for imported, name, node in imports(tree):
        parts = imported.split(".")
        if parts[0] != "skeval":
            continue
        if len(parts) == 1:
            allowed = own == "cli" and name == "__version__"
            assert allowed, f"line {node.lineno}: import from the room that has it, not from the root"
            continue
        room = "cli" if parts[1].startswith("cli") else parts[1]
        assert own is not None, f"line {node.lineno}: the root imports nothing of skeval"
        assert ROOMS.index(room) <= ROOMS.index(own), f"line {node.lineno}: {own} imports from {room}"


def test_uses_no_private_name_of_another_package(tree):
    aliases = {}
    for imported, name, node in imports(tree):
        package = imported.partition(".")[0]
        if package not in REQUIRED:
            continue
        parts = [*imported.split("."), *([name] if name else [])]
        assert not any(map(is_private, parts)), f"line {node.lineno}: {'.'.join(parts)} is private"
        for alias in node.names:
            aliases[alias.asname or alias.name.partition(".")[0]] = alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            origin = node.value
            while isinstance(origin, ast.Attribute):
                origin = origin.value
            is_foreign = isinstance(origin, ast.Name) and origin.id in aliases
            assert not is_foreign, f"line {node.lineno}: {ast.unparse(node)} is private"


def test_imports_only_what_every_installation_has(tree):
    """The extras come through import_optional, where they are used."""
    for imported, _, node in imports(tree):
        package = imported.partition(".")[0]
        known = package in REQUIRED | {"skeval", "__future__"} or package in sys.stdlib_module_names
        assert known, f"line {node.lineno}: {package} belongs to an extra: use import_optional"


def test_is_not_too_long(module, tree):
    lines = len(module.read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_LINES, f"{lines} lines: look for the second idea in this module"
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            length = node.end_lineno - body[0].lineno + 1 if body else 0
            assert length <= MAX_BODY, f"{node.name}: a body of {length} lines"


def loaded_by(statement):
    """Return the modules that a fresh interpreter holds after `statement`."""
    code = f"{statement}\nimport sys\nprint(*sorted(sys.modules), sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_metrics_loads_nothing_beyond_what_sklearn_metrics_loads():
    more = loaded_by("import skeval.metrics") - loaded_by("import sklearn.metrics")
    assert [name for name in sorted(more) if name.partition(".")[0] != "skeval"] == []


def test_importing_the_root_loads_nothing_heavy():
    heavy = {"numpy", "scipy", "sklearn", "matplotlib", "pandas"}
    assert loaded_by("import skeval") & heavy == set()


@pytest.mark.parametrize("room", PUBLIC_ROOMS)
def test_importing_a_room_loads_no_extra(room):
    # scikit-learn 1.6 itself loads none of them; where it does, it is not our doing.
    extras = {"matplotlib", "pandas", "polars", "dask", "distributed", "tqdm", "jinja2"}
    assert (
        loaded_by(f"import skeval.{room}") - loaded_by("import sklearn.model_selection")
    ) & extras == set()


# --- what a public name documents ---------------------------------------------------------------------------

PUBLIC = [
    (room, name)
    for room in PUBLIC_ROOMS
    for name in getattr(importlib.import_module(f"skeval.{room}"), "__all__", ())
]


# What has an answer for every argument; all else refuses some.
TAKES_ANYTHING = {"needs_pos_label"}


def sections(docstring):
    """Return {title: lines} of a numpydoc docstring."""
    lines = inspect.cleandoc(docstring).splitlines()
    starts = [
        where
        for where in range(len(lines) - 1)
        if lines[where].strip() and re.fullmatch(r"-{3,}", lines[where + 1])
    ]
    ends = [*starts[1:], len(lines)][: len(starts)]
    return {lines[start]: lines[start + 2 : end] for start, end in zip(starts, ends, strict=True)}


def documented(lines):
    """Return the names that a Parameters section explains."""
    heads = [line.partition(":")[0] for line in lines if line.strip() and not line.startswith(" ")]
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def parameters_of(function):
    """Return the parameters of a signature, except what Python or dataclasses keep to themselves."""
    names = inspect.signature(function).parameters
    return [name for name in names if name not in ("self", "cls") and not is_private(name)]


# Data that a function can do without.
DATA = {"X", "y", "groups", "y_pred_or_score", "no_information"}


@pytest.mark.parametrize(("room", "name"), PUBLIC)
def test_an_option_of_a_function_is_given_by_name(room, name):
    thing = getattr(importlib.import_module(f"skeval.{room}"), name)
    if not inspect.isfunction(thing):
        return
    by_position = {
        parameter.name
        for parameter in inspect.signature(thing).parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is not parameter.empty
    }
    assert by_position <= DATA


@pytest.mark.parametrize(("room", "name"), PUBLIC)
def test_a_result_cannot_be_changed(room, name):
    thing = getattr(importlib.import_module(f"skeval.{room}"), name)
    if dataclasses.is_dataclass(thing):
        assert thing.__dataclass_params__.frozen


@pytest.mark.parametrize("room", PUBLIC_ROOMS)
def test_all_is_explicit_and_sorted(room):
    public = importlib.import_module(f"skeval.{room}").__all__
    assert list(public) == sorted(public)
    assert len(public) == len(set(public))


@pytest.mark.parametrize(("room", "name"), PUBLIC)
def test_public_name_is_documented_with_an_example(room, name):
    thing = getattr(importlib.import_module(f"skeval.{room}"), name)
    if not callable(thing):
        return
    found = sections(thing.__doc__ or "")
    assert ">>> " in "\n".join(found.get("Examples", [])), f"{name} has no example that runs"
    summary = inspect.cleandoc(thing.__doc__).splitlines()[0]
    assert summary.endswith((".", ":")), f"{name}: the summary is one line that ends with a full stop"
    titles = ("Parameters", "Attributes") if inspect.isclass(thing) else ("Parameters",)
    told = [entry for title in titles for entry in documented(found.get(title, []))]
    missing = [parameter for parameter in parameters_of(thing) if parameter not in told]
    assert missing == [], f"{name} does not explain {missing}"
    if "Parameters" in found:
        unknown = set(documented(found["Parameters"])) - set(parameters_of(thing))
        assert unknown == set(), f"{name} explains {unknown}, which it does not take"
    if inspect.isfunction(thing):
        assert {"Returns", "Yields"} & set(found), f"{name} does not say what it returns"
    if "Parameters" in found and name not in TAKES_ANYTHING:
        assert "Raises" in found, f"{name} does not say what it refuses"


@pytest.mark.parametrize(("room", "name"), PUBLIC)
def test_public_methods_are_documented(room, name):
    thing = getattr(importlib.import_module(f"skeval.{room}"), name)
    if not inspect.isclass(thing):
        return
    for method, value in vars(thing).items():
        function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if not (inspect.isfunction(function) or isinstance(function, property)) or method.startswith("_"):
            continue
        assert function.__doc__, f"{name}.{method} has no docstring"
        found = sections(function.__doc__)
        if inspect.isfunction(function) and "Parameters" in found:
            told, taken = documented(found["Parameters"]), parameters_of(function)
            assert set(told) == set(taken), f"{name}.{method} explains {told} and takes {taken}"
