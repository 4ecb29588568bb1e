"""What commands do with files, signals and errors."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from paretoball.system import EXIT_CODES, stopping_on_signals

if TYPE_CHECKING:
    from paretoball.running import Result


def in_words(error: BaseException) -> str:
    """An error in one line."""
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror}"
    return str(error) or type(error).__name__


@contextmanager
def noting_signals() -> Iterator[list[str]]:
    """Note signals that come here, for the exit code."""
    noted: list[str] = []
    with stopping_on_signals(noted.append):
        yield noted


def exit_code(result: "Result", noted: list[str]) -> int:
    """The exit code of a search: that of a signal, 1 if its workers failed, else 0."""
    if noted:
        return EXIT_CODES[noted[0]]
    return 1 if result.failed else 0


def check_output(path: str, *suffixes: str) -> None:
    """Refuse a file that cannot be written, before the work begins."""
    if Path(path).suffix not in suffixes:
        raise ValueError(f"{path}: its name should end in {' or '.join(suffixes)}")
    from paretoball.formats import check_writable

    check_writable(path)


def check_apart(instance: str, output: str) -> None:
    """Refuse to overwrite the instance with the result."""
    if os.path.exists(output) and os.path.samefile(instance, output):
        raise ValueError(f"{output}: it is the instance, which would be lost")
