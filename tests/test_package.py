"""The package itself: its version, and its command line as a module."""

import runpy
import tomllib
from pathlib import Path

import pytest

import paretoball as pb

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("code", [0, 1, 2, 130])
def test_python_m_paretoball_ends_with_the_code_of_the_command(monkeypatch, code):
    monkeypatch.setattr("paretoball.cli.main", lambda: code)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("paretoball", run_name="__main__")
    assert ended.value.code == code


def test_the_version_is_the_one_that_is_told_elsewhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert pb.__version__ == project["version"]
    assert f"version: {pb.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert "__version__" in pb.__all__
