"""Files that a command writes: looked at before the work, so that nothing of the user is lost."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skeval.cli._tables import InputError
from skeval.utils._optional import import_optional

PNG = b"\x89PNG"


def plan_files(folder: str, begins: Mapping[str, bytes], *, source: str | None = None) -> list[Path]:
    """Return the files to write into a folder, which is made; refuse what must not be replaced.

    Parameters
    ----------
    folder : str
    begins : dict of {str: bytes}
        Names of the files, each with the bytes that begin what the command writes there: a file
        that begins otherwise is of somebody else, and stays.
    source : str or None
        The input of the command.
    """
    where = _make_folder(folder)
    files = [where / name for name in begins]
    for file, begin in zip(files, begins.values(), strict=True):
        if not file.exists():
            continue
        if file.is_dir():
            raise InputError(f"cannot write {file}: it is a folder")
        if source is not None and file.samefile(source):
            raise InputError(f"cannot write {file}: it is the input; name another folder by --output")
        with telling(file), file.open("r+b") as opened:  # to see whether it can be written, too
            known = begin.startswith(opened.read(len(begin)))
        if not known:
            raise InputError(
                f"cannot write {file}: the file there is not of this command; move it, or name another "
                "folder by --output"
            )
    return files


def _make_folder(path: str) -> Path:
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise InputError(f"cannot write into the folder {path}: Permission denied")
    return folder


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Tell in one line that a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write a CSV file in UTF-8."""
    with telling(path), open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def start_drawing() -> None:
    """Make sure, before any long work, that pictures can be drawn without a screen."""
    os.environ.setdefault("MPLBACKEND", "agg")
    try:
        import_optional("matplotlib", extra="cli", purpose="This command")
    except ModuleNotFoundError as error:
        raise InputError(str(error)) from error


def save_picture(display: Any, path: Path) -> None:
    """Write the picture of a Display and forget its figure."""
    with telling(path):
        display.figure_.savefig(path, dpi=150)
    import_optional("matplotlib.pyplot", extra="cli", purpose="This command").close(display.figure_)
