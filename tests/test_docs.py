"""The documentation: links lead somewhere, code runs, commands and names exist.

A block of code that cannot run by itself has `<!-- not run: why -->` on the line before
it; it is compiled, or its commands are parsed, all the same. A block that imports a
library of an adapter is left out where that library is not installed.
"""

import ast
import json
import re
import runpy
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot
import pytest

from paretoball.cli.main import _new_parser, main

matplotlib.use("Agg")

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]
SOURCES = ("src", "tests", "benchmarks", "examples")
FILES = {
    path.relative_to(ROOT).as_posix()
    for folder in SOURCES
    for path in (ROOT / folder).rglob("*.py")
}
YOURS = re.compile(r"script\.py|.*[/_]x\.py")  # for readers to write themselves
SHELLS = ("console", "sh", "bash")
NEEDED_BY = {  # the library of each adapter
    "dimod": "dimod",
    "networkx": "networkx",
    "pandas": "pandas",
    "pymoo": "pymoo",
    "pysat": "pysat",
    "qiskit": "qiskit_optimization",
    "quadratisation": "dimod",
    "scipy": "scipy",
}

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


class Block(NamedTuple):
    """A block of code on a page."""

    language: str
    code: str
    is_run: bool


def blocks(page: Path, *languages: str) -> list[Block]:
    """The blocks in these languages, with seconds cut short."""
    found = re.findall(
        r"^(<!-- not run: [^\n]+ -->\n+)?```(\w+)\n(.*?)^```$",
        page.read_text(),
        re.DOTALL | re.MULTILINE,
    )
    return [
        Block(
            language,
            re.sub(r"(time_limit=|--time )[\d_.]+", r"\g<1>0.5", code),
            not mark,
        )
        for mark, language, code in found
        if language in languages
    ]


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)


def inline_code(page: Path) -> list[str]:
    """What is between single backticks."""
    return re.findall(r"`([^`]+)`", prose(page))


def anchors(page: Path) -> set[str]:
    """What links to headings of a page end with, as GitHub has it."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ +(.*?) *#*$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
    return {
        f"{slug}-{again}" if again else slug
        for slug, times in found.items()
        for again in range(times + 1)
    }


def commands(block: Block) -> list[list[str]]:
    """The commands of a block of shell, as words, without prompts and comments."""
    text = re.sub(r"\\\n", " ", block.code)
    text = re.sub(r"\$(\w+|\{\w+\})", "1", text)  # variables have some value
    found = []
    for line in text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        while words and (words[0] == "exec" or re.match(r"\w+=", words[0])):
            del words[0]
        ends = [at for at, word in enumerate(words) if re.match(r"[|&;<>]|\d>", word)]
        if words:
            found.append(words[: min(ends, default=len(words))])
    return found


def programs(page: Path, name: str) -> list[list[str]]:
    """The arguments of every call of a program in blocks of shell."""
    lines = [words for block in blocks(page, *SHELLS) for words in commands(block)]
    return [words[1:] for words in lines if words[0] == name]


def is_there(name: str) -> bool:
    """Whether a file is in the sources; folders before its name may be left out."""
    return any(f"/{path}".endswith(f"/{name}") for path in FILES)


@every_page
def test_links_lead_to_files_and_to_headings_there(page):
    links = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    links += re.findall(r"(?:src|href)=\"([^\"]+)\"", prose(page))
    for link in links:
        if re.match(r"https?:|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_anchors_are_those_of_github(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# One `two`: [3](x)\n\n# Again\n\n```sh\n# no heading\n```\n\n# Again\n"
    )
    assert anchors(page) == {"one-two-3", "again", "again-1"}


@every_page
def test_python_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    absent: set[str] = set()
    for at, block in enumerate(blocks(page, "python")):
        code = compile(block.code, f"{page.name}, Python block {at}", "exec")
        missing = {name for name in extras_of(block.code) if find_spec(name) is None}
        absent |= missing
        if block.is_run and not missing:
            exec(code, names)
    matplotlib.pyplot.close("all")
    if absent:
        pytest.skip(f"blocks with {', '.join(sorted(absent))}, which is not installed")


def extras_of(code: str) -> set[str]:
    """The libraries of adapters that a block imports, itself or through an adapter."""
    named = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named.add(str(node.module))
    words = {name.removeprefix("paretoball.adapters.").split(".")[0] for name in named}
    return {NEEDED_BY.get(word, word) for word in words} & set(NEEDED_BY.values())


def test_a_block_needs_the_libraries_that_it_imports():
    code = "import numpy, dimod.testing\nfrom paretoball.adapters.qiskit import x"
    assert extras_of(code) == {"dimod", "qiskit_optimization"}
    code = "from paretoball.adapters.quadratisation import quadratised"
    assert extras_of(code) == {"dimod"}


@every_page
def test_json_is_json(page):
    for block in blocks(page, "json"):
        json.loads(block.code)


@every_page
def test_commands_are_accepted(page, capsys):
    for arguments in programs(page, "paretoball"):
        assert is_accepted(arguments), (arguments, capsys.readouterr().err)


def is_accepted(arguments: list[str]) -> bool:
    """Whether the command line takes these words; help and version end it well."""
    try:
        return callable(_new_parser().parse_args(arguments).run_command)
    except SystemExit as end:
        return not end.code


def test_commands_are_found_in_every_form():
    code = """
#!/bin/bash
$ paretoball info a.npz | head -n 1   # a comment
x=1 exec paretoball solve a.npz --seed "$SEED" \\
    -o "$run-front.npz" > log &
"""
    assert commands(Block("sh", code, True)) == [
        ["paretoball", "info", "a.npz"],
        ["paretoball", "solve", "a.npz", "--seed", "1", "-o", "1-front.npz"],
    ]


@every_page
def test_files_named_are_there(page):
    spans = inline_code(page)
    named = [name for span in spans for name in re.findall(r"[\w./-]*\w\.py\b", span)]
    named += [name for words in programs(page, "python") for name in words[:1]]
    scripts = {name.removeprefix("./") for name in named if name.endswith(".py")}
    missing = {name for name in scripts if not is_there(name)}
    assert {name for name in missing if not YOURS.fullmatch(name)} == set()


def test_files_that_are_not_there_are_noticed():
    assert is_there("docs.py") is False
    assert is_there("test_docs.py")
    assert is_there("tests/test_docs.py")
    assert not is_there("other/test_docs.py")


@every_page
def test_make_has_the_targets_named(page):
    makefile = (ROOT / "Makefile").read_text()
    named = re.findall(r"^make ([\w-]+)", "\n".join(inline_code(page)), re.MULTILINE)
    named += [words[0] for words in programs(page, "make") if words]
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_quickstart_has_no_more_than_ten_lines():
    quickstart = blocks(README, "python")[0].code
    assert 1 < len(quickstart.splitlines()) <= 10


def test_the_readme_tells_what_was_found(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(blocks(README, "python")[0].code, {})
    assert "non-dominated" in capsys.readouterr().out
    matplotlib.pyplot.close("all")


def test_the_commands_of_the_readme_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = [block for block in blocks(README, "console") if block.is_run]
    lines = [words for block in run for words in commands(block)]
    assert len(lines) > 3
    for program, *arguments in lines:
        assert program == "paretoball"
        assert main(arguments) == 0, (arguments, capsys.readouterr().err)


def test_the_picture_can_be_drawn_again(tmp_path, monkeypatch, capsys):
    path = tmp_path / "front.png"
    script = str(ROOT / "examples" / "readme_front.py")
    monkeypatch.setattr(sys, "argv", [script, "--seconds", "0.3", "--save", str(path)])
    runpy.run_path(script, run_name="__main__")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert "radius 3" in capsys.readouterr().out


def test_the_picture_is_small():
    assert (ROOT / "docs" / "front.png").stat().st_size < 200_000
