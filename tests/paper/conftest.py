"""A campaign to compare others with."""

from pathlib import Path

import pytest

from campaigns import LONGER
from paretoball.cli.main import main


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory) -> Path:
    """A longer campaign that nobody kills."""
    folder = tmp_path_factory.mktemp("campaigns") / "undisturbed"
    command = ["paper", "runtime", *LONGER.split(), "--workers", "2"]
    assert main([*command, "-o", str(folder)]) == 0
    return folder
