"""One-way streets: rooms, and files inside a room, import only what is above them.

A room is a folder; its `__init__.py` is its door. Other rooms import from the door. The
door's docstring lists the files of the room in the order in which they may import each
other.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import paretoball as pb

SOURCE = Path(pb.__file__).parent

ROOMS = [
    "system",
    "numerics",
    "landscape",
    "problems",
    "formats",
    "climber",
    "archive",
    "crossover",
    "quality",
    "exact",
    "search",
    "running",
    "paper",
    "report",
    "verification",
    "adapters",
    "cli",
]

# Public methods that are short for a function of a room below.
SHORT_FOR = {
    "landscape.landscape": {"adapters.networkx"},  # landscape.to_networkx()
    "running.result": {"adapters.pandas", "report"},  # to_dataframe(), plot()
    "cli.convert": {"adapters.quadratisation"},  # adapters have no door
}
# A climb knows its climber, which makes it: for type checkers only.
TYPES_ONLY = {"climber.one_climb": {"climber.climber"}}

# Open names that only their own file uses: what registries ask a file for, the words of
# the paper's algorithms, and what users may annotate with.
OPEN_ON_PURPOSE = {"add", "run", "sniff", "read", "write"} | {
    "select_strong",
    "select_w_improving",
    "take",
    "update_scores",
    "CommandFile",
}

LONGEST = 400  # lines of a file, before it is two ideas

# What adapters know, and nobody else.
OTHERS = {"dimod", "networkx", "pymoo", "pysat", "qiskit_optimization", "scipy"}


def module_of(path: Path) -> str:
    """The name of a file's module below `paretoball`; the root's is empty."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}
DOORS = [m for m, path in FILES.items() if path.name == "__init__.py" and m]
ABOVE = {  # above all rooms: the modules of the root, and which of them each imports
    "_footprint": set(),
    "_private": set(),
    "_shipped": set(),
    "_words": set(),
    "_lowering": {"_words"},
    "_parts": {"_lowering", "_words"},
    "_needed": {"_footprint"},
    "_jit": {"_footprint", "_needed", "_parts", "_private", "_shipped"},
    "_side_by_side": {"_jit", "_needed"},
}
OPEN = {"_jit", "_needed", "_side_by_side"}  # which rooms know
INSIDE = sorted(set(FILES) - set(DOORS) - set(ABOVE) - {"", "__main__"})


@cache
def tree_of(module: str) -> ast.Module:
    """The code of a file, parsed."""
    return ast.parse(FILES[module].read_text())


def imports(module: str) -> Iterator[tuple[str, list[str]]]:
    """Every import of a file: the full name of the module, and the names from it."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            yield str(node.module), [alias.name for alias in node.names]


def our_imports(module: str) -> Iterator[str]:
    """The modules of the package that a file imports, or imports names from."""
    for name, names in imports(module):
        if name == "paretoball" or name.startswith("paretoball."):
            below = name.removeprefix("paretoball").lstrip(".")
            inner = [f"{below}.{each}".lstrip(".") for each in names]
            are_modules = [each in FILES and below not in ROOMS for each in inner]
            yield from (each for each, is_ in zip(inner, are_modules) if is_)
            if not names or not all(are_modules):
                yield below


def room_of(module: str) -> str:
    return module.split(".")[0]


def order_of(door: str) -> list[str]:
    """The files of a room in the order that its door says."""
    text = ast.get_docstring(tree_of(door)) or ""
    lines = re.findall(r"^- ((?:`[^`]+`(?:, )?)+):", text, re.MULTILINE)
    names = [name for line in lines for name in re.findall("`([^`]+)`", line)]
    return [f"{door}.{name.rstrip('/')}" for name in names]


def test_what_is_above_all_rooms_knows_none_of_them():
    for module, known in ABOVE.items():
        assert set(our_imports(module)) == known


def test_every_folder_is_a_room():
    assert sorted({room_of(module) for module in DOORS}) == sorted(ROOMS)


@pytest.mark.parametrize("door", DOORS)
def test_a_door_lists_every_file_of_its_room_once(door):
    depth = door.count(".") + 1
    here = {m for m in FILES if m.startswith(door + ".") and m.count(".") == depth}
    assert sorted(order_of(door)) == sorted(here)


@pytest.mark.parametrize("module", INSIDE)
def test_rooms_import_only_from_the_doors_of_rooms_above(module):
    mine = ROOMS.index(room_of(module))
    allowed = {"", *OPEN, *ROOMS[:mine]} | SHORT_FOR.get(module, set())
    others = {each for each in our_imports(module) if room_of(each) != ROOMS[mine]}
    assert others <= allowed


@pytest.mark.parametrize("module", INSIDE)
def test_files_import_only_from_files_above_in_their_room(module):
    room = room_of(module)
    order = [inner for each in order_of(room) for inner in (each, *order_or_none(each))]
    allowed = set(order[: order.index(module)]) | TYPES_ONLY.get(module, set())
    own = {each for each in our_imports(module) if room_of(each) == room} - {room}
    assert own <= allowed
    if room in set(our_imports(module)):  # for whole files, as registries do
        names = [n for name, n in imports(module) if name == f"paretoball.{room}"]
        assert {f"{room}.{each}" for some in names for each in some} <= allowed


def order_or_none(module: str) -> list[str]:
    return order_of(module) if module in DOORS else []


def test_the_order_of_files_is_told_by_what_they_import():
    """The list would be no order if nobody in a room imported anything."""
    pairs = [pair for room in ROOMS for pair in pairwise(order_of(room))]
    assert any(one in set(our_imports(other)) for one, other in pairs)


def test_the_root_imports_no_module_of_its_own():
    assert not list(our_imports(""))


def test_every_public_name_has_a_home():
    for name in pb.__all__:
        assert getattr(pb, name) is not None


@pytest.mark.parametrize("door", DOORS)
def test_a_door_has_all_that_it_promises(door):
    module = __import__(f"paretoball.{door}", fromlist=["__all__"])
    promised = getattr(module, "__all__", [])
    assert [name for name in promised if not hasattr(module, name)] == []
    assert promised or door == "adapters"  # whose files are imported one by one


def test_an_open_name_has_a_user_outside_its_file():
    used = {n for m in FILES for name, names in imports(m) for n in names}
    kinds = ast.FunctionDef | ast.ClassDef
    furniture = {
        f"{module}.{node.name}"
        for module in INSIDE
        for node in tree_of(module).body
        if isinstance(node, kinds)
        and not node.name.startswith("_")
        and node.name not in used | OPEN_ON_PURPOSE
        and room_of(module) != "adapters"
    }
    assert furniture == set()


def users_of(library: str) -> set[str]:
    """The files that import a library."""
    return {m for m in FILES if any(n.split(".")[0] == library for n, _ in imports(m))}


def test_only_jit_and_what_it_compiles_by_import_numba():
    makers = {"_jit", "_parts", "_lowering", "_words", "_shipped"}
    assert users_of("numba") == makers
    assert users_of("llvmlite") == {"_jit", "_lowering", "_shipped", "_words"}


def test_only_reports_import_matplotlib():
    users = {room_of(module) for module in users_of("matplotlib")}
    assert users <= {"report", "running"}  # `Result.plot` names a type of it


@pytest.mark.parametrize("library", sorted(OTHERS - {"networkx", "scipy"}))
def test_only_adapters_import_other_libraries(library):
    assert {room_of(module) for module in users_of(library)} == {"adapters"}


def test_what_help_needs_imports_neither_numpy_nor_more():
    light = [m for m in FILES if room_of(m) in ("system", "cli")]
    light += ["search", "search.method", "search.registry"]
    heavy = {"numpy", "moocore", "matplotlib", "pandas"}
    for module in light:
        for node in tree_of(module).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [getattr(node, "module", None) or node.names[0].name]
                assert not {name.split(".")[0] for name in names} & heavy, module


def test_no_file_is_long():
    lengths = {m: len(path.read_text().splitlines()) for m, path in FILES.items()}
    assert {m: count for m, count in lengths.items() if count > LONGEST} == {}


def test_no_name_says_nothing():
    empty = {"utils", "helpers", "common", "base", "misc"}
    assert not [m for m in FILES if m.split(".")[-1] in empty]


def loaded_by(code: str) -> list[str]:
    """Which of the heavy packages a new Python has loaded after this code."""
    heavy = {"numba", "numpy", "matplotlib", "moocore", "pandas"} | OTHERS
    tell = f"print(*{heavy} & set(sys.modules))"
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
