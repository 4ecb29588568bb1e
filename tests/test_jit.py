"""Kernels on disk: whatever state the cache is in, a kernel gives the right answer."""

import errno
import gc
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

import paretoball as pb
from paretoball import _jit, _parts
from paretoball._private import check_ours

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="there is no cache without a compiler"
)

SOURCE = Path(_jit.__file__).parent
VALUES = np.arange(10)
SUM_OF_SQUARES = 285


def new_kernel():
    """A kernel that no dispatcher has compiled yet; its code is always the same."""

    @_jit.kernel
    def sum_of_squares(values):
        total = 0
        for value in values:
            total += value * value
        return total

    return sum_of_squares


def hits_of(kernel):
    """How often a kernel was found on disk, after it has given the right answer."""
    assert kernel(VALUES) == SUM_OF_SQUARES
    return sum(kernel.stats.cache_hits.values())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder."""
    monkeypatch.setattr(_jit, "_FOLDER", tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def file(folder):
    """The one file in the cache: the kernel, compiled."""
    assert hits_of(new_kernel()) == 0
    (file,) = folder.iterdir()
    return file


def test_a_compiled_kernel_is_found_again(file):
    assert hits_of(new_kernel()) == 1


def garbled(content, at):
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:20],
        lambda content: content[: _jit.DIGEST_BYTES],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: garbled(content, 3),
        lambda content: garbled(content, len(content) // 2),
        lambda content: bytes(len(content)),
    ],
    ids=["empty", "stub", "digest", "half", "cut", "longer", "head", "middle", "zeros"],
)
def test_a_damaged_file_is_compiled_and_written_again(file, damage):
    file.write_bytes(damage(file.read_bytes()))
    assert hits_of(new_kernel()) == 0
    assert hits_of(new_kernel()) == 1


def test_another_kernel_in_place_of_a_file_is_not_taken_for_it(file):
    @_jit.kernel
    def cube(values):
        return values[0] ** 3

    assert cube(VALUES) == 0
    (other,) = set(file.parent.iterdir()) - {file}
    file.write_bytes(other.read_bytes())
    assert hits_of(new_kernel()) == 0
    assert hits_of(new_kernel()) == 1


def test_a_file_holds_neither_types_as_text_nor_paths_of_this_machine(file):
    body = file.read_bytes()[_jit.DIGEST_BYTES :]
    *_, types, _, _ = pickle.loads(body)
    assert types == ""
    assert os.fsencode(Path(__file__).parent) not in body


def test_a_kernel_from_disk_is_made_part_of_another_one(file):
    inner = new_kernel()
    assert hits_of(inner) == 1

    @_jit.kernel
    def outer(values):
        return inner(values) + inner(values[1:])

    assert outer(VALUES) == 2 * SUM_OF_SQUARES
    (made,), (part,) = outer.overloads.values(), inner.overloads.values()
    functions = made.library._final_module.functions
    called = {each.name for each in functions if each.is_declaration}
    assert part.fndesc.llvm_func_name not in called


def test_a_folder_in_place_of_a_file_stops_nothing(file):
    file.unlink()
    file.mkdir()
    assert hits_of(new_kernel()) == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_cache_that_cannot_be_made_stops_nothing(folder):
    folder.write_text("a file where the folder should be")
    assert hits_of(new_kernel()) == 0
    assert hits_of(new_kernel()) == 0


def test_a_full_disk_stops_nothing_and_leaves_nothing(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_jit.os, "replace", full)
    with _jit.announced(lambda _: None) as compiled:
        assert hits_of(new_kernel()) == 0
    assert compiled.unkept == f"{folder}: No space left on device"
    assert list(folder.iterdir()) == []


def test_without_the_jit_a_kernel_is_the_function_itself(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    kernel = new_kernel()
    assert not hasattr(kernel, "stats")
    assert kernel(VALUES) == SUM_OF_SQUARES


def test_from_python_what_kernels_call_is_python():
    def one():
        return 1

    assert _jit.inlined(one) is one


def test_compilation_is_announced_once_and_loading_is_not(folder):
    said = []
    with _jit.announced(said.append) as compiled:
        new_kernel()(VALUES)
        new_kernel()(VALUES.astype(np.int32))
    assert said == [_jit.COMPILING]
    assert (compiled.kernels, compiled.unkept) == (2, "")
    with _jit.announced(said.append) as compiled:
        new_kernel()(VALUES)
    assert said == [_jit.COMPILING]
    assert compiled.kernels == 0


def test_a_kernel_that_cannot_be_kept_is_told(folder):
    folder.write_text("a file where the folder should be")
    with _jit.announced(lambda _: None) as compiled:
        new_kernel()(VALUES)
    assert compiled.kernels == 1
    assert compiled.unkept == f"{folder}: File exists"


def test_functions_of_others_are_not_counted(folder):
    said = []
    with _jit.announced(said.append) as compiled:
        numba.njit(lambda value: value + 1)(1)
        assert (compiled.kernels, said) == (0, [])
        new_kernel()(VALUES)
    assert (compiled.kernels, said) == (1, [_jit.COMPILING])


def test_a_kernel_that_is_compiled_is_logged(folder, caplog):
    with caplog.at_level("INFO", "paretoball._jit"):
        new_kernel()(VALUES)
        new_kernel()(VALUES)  # from disk, without a word
    first, last = [record.getMessage() for record in caplog.records]
    assert first == "compiling sum_of_squares"
    assert re.fullmatch(r"compiled sum_of_squares in \d+\.\d s", last)


def test_the_seconds_of_a_compilation_are_logged(folder, caplog, monkeypatch):
    times = iter([100.0, 102.5])
    monkeypatch.setattr(_jit, "perf_counter", lambda: next(times))
    with caplog.at_level("INFO", "paretoball._jit"):
        new_kernel()(VALUES)
    assert caplog.messages[-1] == "compiled sum_of_squares in 2.5 s"


def test_of_compilations_within_a_context_the_first_that_was_not_kept_is_told(
    folder, monkeypatch
):
    monkeypatch.setattr(_jit, "_unkept", ["earlier"])
    with _jit.announced(lambda _: None) as compiled:
        assert compiled.unkept == ""
        _jit._unkept += ["first", "second"]
        assert compiled.unkept == "first"


def test_garbage_is_not_collected_while_something_is_compiled():
    listener = _parts.NoCollection()
    for before in (True, False):
        (gc.enable if before else gc.disable)()
        try:
            for _ in range(3):
                listener.on_start(None)
                assert not gc.isenabled()
            for depth in (2, 1, 0):
                listener.on_end(None)
                assert gc.isenabled() == (before and depth == 0)
        finally:
            gc.enable()


class Pair(NamedTuple):
    one: int
    other: int


class Swapped(NamedTuple):
    other: int
    one: int


def doubled(value):
    """A kernel."""
    return 2 * value


def tripled(value):
    """Another."""
    return 3 * value


def test_a_file_is_named_after_all_that_went_into_it(tmp_path, monkeypatch):
    def name(function=doubled, kinds=(numba.types.int64,), rest="a processor"):
        return _jit._KernelFiles(tmp_path, function).path((kinds, rest)).name

    names = [name(), name(tripled), name(kinds=(numba.types.int32,)), name(rest="")]
    Swapped.__name__ = Pair.__name__  # as after an edit
    pairs = [numba.typeof(each(1, 2)) for each in (Pair, Swapped)]
    assert repr(pairs[0]) == repr(pairs[1])
    names += [name(kinds=(kind,)) for kind in pairs]
    names += [name(kinds=(numba.types.Tuple((kind,)),)) for kind in pairs]
    for owner, which, value in (
        (numba, "__version__", "0.0.1"),
        (numba.config, "BOUNDSCHECK", 1 - bool(numba.config.BOUNDSCHECK)),
        (_jit, "HOW", "in another way"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(owner, which, value)
            names.append(name())
    assert name() == names[0]
    assert len(set(names)) == len(names)
    form = r"(tests\.)?test_jit\.(doubled|tripled)-[0-9a-f]{32}\.nbc"
    assert all(re.fullmatch(form, each) for each in names)


def aged(path, days):
    """A file or folder that was last used so many days ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    when = time.time() - days * 24 * 3600
    os.utime(path, (when, when))
    return path


def test_what_nobody_has_used_for_a_month_is_removed(tmp_path, monkeypatch):
    folder = tmp_path / "paretoball" / "kernels"
    monkeypatch.setattr(_jit, "_FOLDER", folder)
    old, used = aged(folder / "old.nbc", 31), aged(folder / "used.nbc", 29)
    notes = aged(folder / "notes.txt", 31)
    for name in (folder, folder.parent):
        name.chmod(0o700)
    former = [aged(folder.parent / "0123" / f"{i}.nbc", 31) for i in range(2)]
    latter = [aged(folder.parent / "4567" / f"{days}.nbc", days) for days in (1, 31)]
    assert hits_of(new_kernel()) == 0
    assert [old.exists(), used.exists(), notes.exists()] == [False, True, True]
    assert not former[0].parent.exists()
    assert [path.exists() for path in latter] == [True, False]


def test_a_cache_that_is_only_read_is_read_however_old_it_is(file, monkeypatch):
    when = time.time() - 100 * 24 * 3600
    os.utime(file, (when, when))

    def refused(*_):
        raise PermissionError(errno.EACCES, "not yours")

    monkeypatch.setattr(_jit.os, "utime", refused)
    assert hits_of(new_kernel()) == 1


def test_a_folder_that_cannot_be_looked_through_stops_nothing(folder, monkeypatch):
    def refused(_):
        raise PermissionError(errno.EACCES, "not yours")

    monkeypatch.setattr(_jit, "_remove_unused", refused)
    with _jit.announced(lambda _: None) as compiled:
        assert hits_of(new_kernel()) == 0
    assert compiled.unkept == ""
    assert hits_of(new_kernel()) == 1


def test_a_kernel_that_is_used_is_not_old(file):
    for days, is_touched in ((0.9, False), (1.1, True)):
        when = time.time() - days * 24 * 3600
        os.utime(file, (when, when))
        assert hits_of(new_kernel()) == 1
        assert (time.time() - file.stat().st_mtime < 3600) == is_touched


@pytest.mark.parametrize(
    ("variables", "root"),
    [
        ({"NUMBA_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b"}, "/a"),
        ({"XDG_CACHE_HOME": "/b"}, "/b"),
        ({"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": "/b"}, "/b"),
        ({}, "/home/me/.cache"),
    ],
)
def test_kernels_are_kept_where_the_user_says(monkeypatch, variables, root):
    for each in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(each, raising=False)
    for each, value in variables.items():
        monkeypatch.setenv(each, value)
    monkeypatch.setenv("HOME", "/home/me")
    assert _jit._cache_folder() == Path(root, "paretoball", "kernels")


# --- A kernel is code that is run: only what nobody else could have put there is.


OTHER = 12345  # the number of another user


@pytest.mark.parametrize(
    ("owner", "mode", "inside", "above"),
    [
        (0, 0o755, True, True),  # the system
        (7, 0o700, True, True),
        (7, 0o770, False, True),
        (7, 0o720, False, True),
        (7, 0o702, False, False),
        (7, 0o1702, False, True),
        (0, 0o1777, False, True),
        (OTHER, 0o700, False, False),
        (OTHER, 0o1777, False, False),
        (7, 0o120777, True, True),  # a link, whose mode says nothing
        (OTHER, 0o120777, False, False),
    ],
)
def test_what_is_ours_is_told_by_its_owner_and_mode(
    monkeypatch, owner, mode, inside, above
):
    monkeypatch.setattr(_jit.os, "geteuid", lambda: 7)
    found = os.stat_result([mode, 1, 1, 1, owner, 9, 0, 0, 0, 0])
    for is_above, is_ours in ((False, inside), (True, above)):
        if is_ours:
            check_ours(found, None, is_above)
        else:
            with pytest.raises(PermissionError, match=r"another user owns|other us"):
                check_ours(found, None, is_above)


def give_away(path):
    """Pretend that another user owns a path."""

    def pretending(real):
        def found(place, *how, **named):
            status = real(place, *how, **named)
            values = list(status)
            if (status.st_dev, status.st_ino) == mine:
                values[4] = OTHER
            return os.stat_result(values)

        return found

    mine = (os.stat(path).st_dev, os.stat(path).st_ino)
    return {name: pretending(getattr(os, name)) for name in ("stat", "lstat", "fstat")}


@pytest.mark.parametrize("which", ["file", "folder", "above", "named"])
def test_what_another_user_owns_is_neither_read_nor_written(file, monkeypatch, which):
    folder = file.parent
    places = {"file": file, "folder": folder, "above": folder.parent}
    with monkeypatch.context() as patch:
        place = places.get(which, folder.parent.parent)
        for name, function in give_away(place).items():
            patch.setattr(_jit.os, name, function)
        assert hits_of(new_kernel()) == 0
        with _jit.announced(lambda _: None) as compiled:
            hits_of(new_kernel())
    told = "" if which == "file" else f"{place}: another user owns it"
    assert compiled.unkept == told  # a file in our own folder is replaced by ours


@pytest.mark.parametrize(
    ("which", "mode", "hits"),
    [
        ("file", 0o600, 1),
        ("file", 0o644, 1),
        ("file", 0o620, 0),
        ("file", 0o602, 0),
        ("folder", 0o755, 1),
        ("folder", 0o770, 0),
        ("folder", 0o707, 0),
        ("folder", 0o1777, 0),
        ("above", 0o755, 1),
        ("above", 0o770, 0),
        ("above", 0o1777, 0),
        ("named", 0o755, 1),
        ("named", 0o775, 1),
        ("named", 0o777, 0),
        ("named", 0o1777, 1),
    ],
)
def test_what_others_may_write_is_not_read(tmp_path, monkeypatch, which, mode, hits):
    folder = tmp_path / "named" / "above" / "folder"
    monkeypatch.setattr(_jit, "_FOLDER", folder)
    assert hits_of(new_kernel()) == 0
    (file,) = folder.iterdir()
    places = {"above": folder.parent, "named": folder.parent.parent}
    ({"file": file, "folder": folder} | places)[which].chmod(mode)
    assert hits_of(new_kernel()) == hits


def test_folders_of_kernels_are_closed_to_others_whatever_the_umask(
    tmp_path, monkeypatch
):
    folder = tmp_path / "named" / "above" / "folder"
    folder.parent.mkdir(parents=True)
    folder.parent.chmod(0o777)  # as an earlier version may have made it
    monkeypatch.setattr(_jit, "_FOLDER", folder)
    before = os.umask(0)
    try:
        assert hits_of(new_kernel()) == 0
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [
        0o700,
        0o700,
    ]
    assert hits_of(new_kernel()) == 1


def test_a_link_to_a_folder_counts_as_the_folder(tmp_path, monkeypatch):
    folder = tmp_path / "named" / "above" / "folder"
    monkeypatch.setattr(_jit, "_FOLDER", folder)
    assert hits_of(new_kernel()) == 0
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert hits_of(new_kernel()) == 1
    (tmp_path / "elsewhere").chmod(0o777)
    assert hits_of(new_kernel()) == 0


def test_that_kernels_are_not_kept_is_logged_once(folder, monkeypatch, caplog):
    monkeypatch.setattr(_jit, "_unkept", [])
    folder.mkdir()
    folder.chmod(0o777)
    for _ in range(2):
        hits_of(new_kernel())
    (record,) = [each for each in caplog.records if each.levelname == "WARNING"]
    assert record.name == "paretoball._jit"
    line = f"kernels are not kept on disk: {folder}: other users may write it"
    assert record.getMessage() == line


def test_users_without_a_home_have_a_folder_each(monkeypatch):
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    names = []
    for user in (1, 2):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        folder = _jit._cache_folder().parent
        assert folder.parent == Path(tempfile.gettempdir())
        names.append(folder.name)
    assert names == ["paretoball-1", "paretoball-2"]


@pytest.mark.parametrize(("progress", "lines"), [(None, 1), (True, 1), (False, 0)])
def test_a_search_says_that_it_compiles_unless_it_is_to_be_silent(
    folder, monkeypatch, capsys, progress, lines
):
    """Standard error is no terminal here, as in a pipe or a notebook."""
    warm_up = import_module("paretoball.running.warm_up")
    monkeypatch.setattr(warm_up, "search_tiny", lambda *_: new_kernel()(VALUES))
    ring = [((j, (j + 1) % 4), [0, 1, 2, 0]) for j in range(4)]
    landscape = pb.Landscape.from_subfunctions(4, [ring, ring])
    for _ in range(2):  # the second time, the kernel is on disk
        monkeypatch.setattr(warm_up, "_compiled", set())
        pb.solve(landscape, max_climbs=1, seed=1, progress=progress, radius=2)
    said = "Compiling for 2 objectives, once: 1 kernel, about 1 s\n"
    assert capsys.readouterr().err == said * lines


CALLER = """
from paretoball._jit import kernel
from paretoball.callee import value

@kernel
def answer():
    return 10 * value()

print(answer(), sum(answer.stats.cache_hits.values()))
"""

CALLEE = """
from paretoball._jit import inlined

@inlined
def value():
    return {}
"""


@pytest.fixture
def package(tmp_path):
    """A small package of the same name: `_jit`, a kernel, and what it calls."""
    package = tmp_path / "source" / "paretoball"
    package.mkdir(parents=True)
    for path in SOURCE.glob("_[a-z]*.py"):
        shutil.copy(path, package)
    (package / "__init__.py").write_text("")
    (package / "caller.py").write_text(CALLER)
    (package / "callee.py").write_text(CALLEE.format(4))
    return package


def started(package, module="caller", *arguments, **variables):
    """A new Python that prints a module's answer and whether it was on disk."""
    names = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    clean = {name: value for name, value in os.environ.items() if name not in names}
    return subprocess.Popen(
        [sys.executable, "-m", f"paretoball.{module}", *arguments],
        cwd=package.parent,
        env=clean | {"PYTHONPATH": str(package.parent)} | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(process):
    """What a process printed, if all went well and it complained of nothing."""
    output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    return output.split()


def test_an_edit_of_a_callee_in_another_file_is_noticed(package, tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert outcome(started(package, **cache)) == ["40", "0"]
    assert outcome(started(package, **cache)) == ["40", "1"]
    (package / "callee.py").write_text(CALLEE.format(5))
    assert outcome(started(package, **cache)) == ["50", "0"]


def test_an_edit_of_what_compiles_kernels_compiles_them_anew(package, tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert outcome(started(package, **cache)) == ["40", "0"]
    for file in ("_jit.py", "_parts.py", "_lowering.py", "_words.py"):
        with (package / file).open("a") as source:
            source.write("\n# edited\n")
        assert outcome(started(package, **cache)) == ["40", "0"], file
    assert outcome(started(package, **cache)) == ["40", "1"]


def test_processes_that_write_at_once_do_not_disturb_each_other(package, tmp_path):
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    together = [started(package, **cache) for _ in range(3)]
    assert [outcome(each)[0] for each in together] == ["40"] * 3
    assert outcome(started(package, **cache)) == ["40", "1"]
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".nbc"}


def test_a_home_that_cannot_be_written_stops_nothing(package, tmp_path):
    (tmp_path / "home").write_text("a file where the home should be")
    assert outcome(started(package, HOME=str(tmp_path / "home"))) == ["40", "0"]


LOGGED = """
import logging
import sys
from collections import Counter

names = Counter()

class Counting(logging.Handler):
    def emit(self, record):
        names[record.name.split(".")[0]] += 1

logging.basicConfig(level=logging.DEBUG, handlers=[Counting()])
import numba
if sys.argv[1:]:
    logging.getLogger("numba").setLevel(sys.argv[1])
from paretoball._jit import kernel

@kernel
def mine(value):
    return value + 1

@numba.njit
def yours(value):
    return value + 1

level = logging.getLogger("numba").level
mine(1)
assert logging.getLogger("numba").level == level
print(names["paretoball"], names["numba"] > 0)
yours(1)
print(names["numba"] > 0)
"""


@pytest.mark.parametrize(
    ("level", "of_mine", "of_yours"),
    [("", "False", "True"), ("DEBUG", "True", "True"), ("ERROR", "False", "False")],
)
def test_numba_logs_nothing_of_kernels_unless_its_level_was_set(
    package, tmp_path, level, of_mine, of_yours
):
    (package / "logged.py").write_text(LOGGED)
    cache = str(tmp_path / "cache")
    process = started(package, "logged", *level.split(), NUMBA_CACHE_DIR=cache)
    assert outcome(process) == ["2", of_mine, of_yours]


PROBE = """
from typing import NamedTuple

import numpy as np

from paretoball import _jit
from paretoball.climber import triangles
from paretoball.climber.buckets import _ByKind, new_buckets
from paretoball.climber.filing import bucket_of
from paretoball.landscape import Graph
from paretoball.search.path.unit import gain_on


class State(NamedTuple):
    objectives: tuple
    w: np.ndarray
    scores: np.ndarray
    buckets: _ByKind


@_jit.kernel
def gain():
    return gain_on((2, 3), (11, 12), (10, 10))


@_jit.kernel
def bucket(state):
    return bucket_of(state, 0)


state = State((0, 0), np.array([1, 1]), np.array([2, 3]), new_buckets(1, 1, "next"))
triangle = Graph(np.array([0, 2, 4, 6]), np.array([1, 2, 0, 2, 0, 1], np.int32))
kernels = gain, bucket, triangles._close_triangles
answers = gain(), bucket(state), triangles.count_triangles(triangle)
hits = [sum(each.stats.cache_hits.values()) for each in kernels]
print(*map(float, answers), *hits)
"""

EDITS = {  # a file in a room; what is written at its end; the answers then
    "climber/filing.py": (
        "\n\n@inlined\ndef bucket_of(state, v):\n    return 7\n",
        ["8.0", "7.0", "1.0"],
    ),
    "search/path/unit.py": (
        "\n\n@inlined\ndef gain_on(w, value, fx):\n    return 6\n",
        ["6.0", "64.0", "1.0"],
    ),
    "climber/triangles.py": (
        "\n\n@kernel\ndef _close_triangles(out, core, bits, ones, marked):\n"
        "    return 9\n",
        ["8.0", "64.0", "9.0"],
    ),
}


@pytest.mark.long
def test_an_edit_in_any_room_compiles_what_it_is_part_of_anew(tmp_path):
    copy = shutil.copytree(SOURCE, tmp_path / "source" / "paretoball")
    (copy / "probe.py").write_text(PROBE)
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def probed():
        found = outcome(started(copy, "probe", **cache))
        return found[:3], found[3:]

    answers = ["8.0", "64.0", "1.0"]
    assert probed() == (answers, ["0", "0", "0"])
    assert probed() == (answers, ["1", "1", "1"])
    for file, (edit, edited) in EDITS.items():
        source = (copy / file).read_text()
        (copy / file).write_text(source + edit)
        hits = ["1" if one == other else "0" for one, other in zip(answers, edited)]
        assert probed() == (edited, hits), file
        (copy / file).write_text(source)
    assert probed() == (answers, ["1", "1", "1"])
