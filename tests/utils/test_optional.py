"""Imports of the extras: what is not there is named with the extra that brings it."""

import pytest

from skeval.utils._optional import import_optional

ASK = {"extra": "plot", "purpose": "A Display"}


def test_a_module_that_is_there_is_imported():
    assert import_optional("json.decoder", **ASK).__name__ == "json.decoder"


@pytest.mark.parametrize("name", ["no_such_package", "no_such_package.part"])
def test_a_package_that_is_not_there_is_named_with_its_extra(name):
    told = r'A Display needs no_such_package, which is not installed; .*: pip install "scikit-eval\[plot\]"'
    with pytest.raises(ModuleNotFoundError, match=told) as refused:
        import_optional(name, **ASK)
    assert refused.value.name == "no_such_package"


def test_what_an_installed_package_lacks_is_its_own_error(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import needed_by_half_installed", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="No module named 'needed_by_half_installed'"):
        import_optional("half_installed", **ASK)
