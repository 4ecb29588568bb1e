"""The command line, called as users do: words in, an exit code out."""

import re
import sys
from pathlib import Path

from paretoball.cli.main import main

PARETOBALL = [sys.executable, "-m", "paretoball"]
PATIENCE = 300  # seconds that a process may take before it counts as hanging


def words(command: str, folder: Path) -> list[str]:
    """A command line as words; names with a suffix are files in the folder."""
    return [
        str(folder / word) if re.fullmatch(r"[\w/]+\.[a-z]+", word) else word
        for word in command.split()
    ]


def run(command: str, folder: Path) -> int:
    """Run a command in this process; the exit code."""
    return main(words(command, folder))


def assert_refused(command: str, folder: Path, text: str, capsys) -> None:
    """A command is refused in one line that says `text`, and no file is touched."""
    before = sorted(folder.rglob("*"))
    assert run(command, folder) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("paretoball: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert text in err
    assert sorted(folder.rglob("*")) == before
