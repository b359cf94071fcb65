"""No test of this suite only runs code: each asserts something, itself or in what it calls."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
# They call functions that they look up in tables; those functions assert.
BY_TABLE = {
    "test_any_file_is_read_or_refused",
    "test_any_values_are_measured_or_refused",
    "test_files_that_once_broke_a_reader",
    "test_odd_objects",
    "test_input",
}
ASSERTIONS = ("pytest.raises", "pytest.warns", "np.testing.")


def asserts(function, helpers):
    """Return whether a function has an assertion of its own or calls one of these helpers by name.

    A method does not count: of which object it is, the name alone does not say.
    """
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name.startswith(ASSERTIONS) or name in helpers:
                return True
    return False


def test_every_test_asserts():
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(TESTS.rglob("*.py"))}
    functions = [
        node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    ]
    helpers, found = set(), {None}
    while found:  # helpers of helpers
        found = {one.name for one in functions if one.name not in helpers and asserts(one, helpers)}
        helpers |= found
    tests = [
        node
        for path, tree in trees.items()
        if path.name.startswith("test_")
        for part in tree.body
        for node in (part.body if isinstance(part, ast.ClassDef) else [part])
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert len(tests) > 1000
    assert {one.name for one in tests if not asserts(one, helpers - {one.name})} == BY_TABLE
