"""The README: its code runs, its commands work, its links lead somewhere."""

import re
import runpy
import shlex
import sys
from pathlib import Path

import matplotlib

from paretoball.cli.main import main

matplotlib.use("Agg")

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """The code blocks of a language, with seconds cut short."""
    code = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return [re.sub(r"(time_limit=|--time )\d+", r"\g<1>0.5", each) for each in code]


def test_the_quickstart_is_ten_lines():
    assert len(blocks("python")[0].splitlines()) == 10


def test_the_code_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in blocks("python"):
        exec(code, names)
    assert capsys.readouterr().out.count("non-dominated") == 2
    written = {"run.npz", "front.png", "long.npz", "long.previous.npz"}
    assert {path.name for path in tmp_path.iterdir()} == written
    assert len(names["archive"]) == 1  # type: ignore[arg-type]
    matplotlib.pyplot.close("all")


def test_the_commands_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    commands = "".join(blocks("console")).splitlines()
    assert len(commands) == 7
    for line in commands:
        prompt, program, *arguments = shlex.split(line)
        assert (prompt, program) == ("$", "paretoball")
        assert main(arguments) == 0, capsys.readouterr().err


def test_links_lead_to_files():
    links = re.findall(r"\]\((?!http)([^)]*)\)", README)
    assert links
    for link in links:
        assert (ROOT / link).exists(), link


def test_make_has_the_targets_named():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_picture_can_be_drawn_again(tmp_path, monkeypatch, capsys):
    path = tmp_path / "front.png"
    script = str(ROOT / "examples" / "readme_front.py")
    monkeypatch.setattr(sys, "argv", [script, "--seconds", "0.3", "--save", str(path)])
    runpy.run_path(script, run_name="__main__")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert "radius 3" in capsys.readouterr().out


def test_the_picture_is_small():
    assert (ROOT / "docs" / "front.png").stat().st_size < 200_000
