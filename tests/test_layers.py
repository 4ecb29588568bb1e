"""Imports go one way: a module imports only from those above it in this list."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import paretoball as pb

SOURCE = Path(pb.__file__).parent

LAYERS = [
    "signals",
    "_jit",
    "sorting",
    "memory",
    "subfunctions",
    "grid",
    "cliques",
    "landscape",
    "problems.java_random",
    "problems.mnk",
    "problems",
    "storage",
    "files",
    "streams",
    "triangles",
    "moves",
    "shapes",
    "drafting",
    "weights",
    "footprint",
    "buckets",
    "scores",
    "climb",
    "climber",
    "parts",
    "crossover",
    "boxes",
    "crowding",
    "archive",
    "quality",
    "elimination",
    "schedule",
    "maximise",
    "supported",
    "runs",
    "result",
    "plots",
    "search.budget",
    "search.rounds",
    "search.checkpoint",
    "search.progress",
    "search.multistart",
    "search.escape",
    "search.trip",
    "search.path",
    "search.warm_up",
    "search.processes",
    "search.units",
    "search.crew",
    "search.run",
    "search.cluster",
    "search.driver",
    "search",
    "paper.tables",
    "paper.plan",
    "paper.folder",
    "paper.trial",
    "paper.conduct",
    "paper.runtime",
    "paper.quality",
    "paper.figures",
    "paper",
    "verify",
    "overview",
    "arguments",
    "cli",
]

DOWNWARD = {("result", "plots")}  # result.plot() is short for plot_front(result)

LONGEST = 400  # lines of a file, before it is two ideas


def module_of(path: Path) -> str:
    """The name of a file's module below `paretoball`; the root's is empty."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def imports(module: str) -> Iterator[str]:
    """The full names of all modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(FILES[module].read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = inner.removeprefix("paretoball.") in FILES
                yield inner if is_module else str(node.module)


def test_every_module_has_its_place():
    assert sorted(LAYERS) == sorted(set(FILES) - {"", "__main__"})


@pytest.mark.parametrize("module", sorted(set(FILES) - {"", "__main__"}))
def test_modules_import_only_from_above(module):
    ours = {name for name in imports(module) if name.startswith("paretoball.")}
    used = {name.removeprefix("paretoball.") for name in ours}
    allowed = {below for above, below in DOWNWARD if above == module}
    assert used - allowed <= set(LAYERS[: LAYERS.index(module)])


def test_the_root_imports_no_module_of_its_own():
    assert not [name for name in imports("") if name.startswith("paretoball")]


def test_every_public_name_has_a_home():
    for name in pb.__all__:
        assert getattr(pb, name) is not None


def test_only_jit_imports_numba():
    users = [m for m in FILES if any(name.startswith("numba") for name in imports(m))]
    assert users == ["_jit"]


def test_only_plots_imports_matplotlib_and_only_when_it_draws():
    users = [m for m in FILES if any("matplotlib" in name for name in imports(m))]
    assert set(users) <= {"plots", "result"}  # result names a type of it


def test_no_file_is_long():
    lengths = {m: len(path.read_text().splitlines()) for m, path in FILES.items()}
    assert {m: count for m, count in lengths.items() if count > LONGEST} == {}


def loaded_by(code: str) -> list[str]:
    """Which of the heavy packages a new Python has loaded after this code."""
    tell = "print(*{'numba', 'matplotlib', 'moocore', 'pandas'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\n{tell}"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "80"},
    )
    return done.stdout.splitlines()[-1].split()


def test_importing_the_package_loads_nothing_heavy():
    assert loaded_by("import paretoball") == []


@pytest.mark.parametrize(
    "arguments",
    ["--help", "--version", "solve --help", "generate mnk --help", "solve", "nonsense"],
)
def test_help_and_argument_errors_load_nothing_heavy(arguments):
    code = f"""
from contextlib import suppress
from paretoball.cli import main
sys.argv = ["paretoball", *{arguments.split()}]
with suppress(SystemExit):
    main()
"""
    assert loaded_by(code) == []
