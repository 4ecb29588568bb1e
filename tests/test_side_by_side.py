"""Two processes compile: each kernel once, whatever happens to the other one."""

import io
import logging
import os
import pickle
import subprocess
import sys
import threading
import time
from queue import SimpleQueue

import numba
import pytest

from paretoball import _side_by_side
from paretoball._needed import Needed
from paretoball._side_by_side import Other, compile_listed

# What stands in for the other process: it says that it has compiled what it gets.
OBEDIENT = """
import sys
while sys.stdin.buffer.read1():
    print("ready", flush=True)
"""
DYING = "import os; os.kill(os.getpid(), 9)"
LYING = "print('hello'); input()"
LATER = """
import os, sys
for _ in range(2):
    sys.stdin.buffer.read1()
    print("ready", flush=True)
os._exit(1)
"""


class Kernel:
    """What compiles in no time, and keeps a record."""

    def __init__(self, lines, record, seconds=0.0):
        code = "def function():\n" + "    print(1, 2)\n" * lines
        space = {"__name__": "paretoball.fake"}
        exec(code, space)
        self.py_func = space["function"]
        self.record = record
        self.seconds = seconds
        self.lines = lines

    def compile(self, kinds):
        time.sleep(self.seconds)
        self.record.append(self.lines)


@pytest.fixture
def processes(monkeypatch):
    """The processes that were started; starting one pays always."""
    started = []
    popen = subprocess.Popen

    def start(*arguments, **how):
        started.append(popen(*arguments, **how))
        return started[-1]

    monkeypatch.setattr(_side_by_side.subprocess, "Popen", start)
    monkeypatch.setattr(_side_by_side, "START", 0)
    return started


def kernels(*lines, seconds=0.0):
    """Fake kernels of so many lines, as a list, and the record of their compilation."""
    record = []
    each = {
        Needed("m", f"k{at}", (), 0): Kernel(count, record, seconds)
        for at, count in enumerate(lines)
    }
    return each, record


def test_alone_the_largest_is_compiled_first(processes):
    found, record = kernels(3, 9, 1, 5)
    assert compile_listed(found) == 0
    assert record == [9, 5, 3, 1]
    assert processes == []


def test_another_process_starts_only_where_it_pays(processes, monkeypatch):
    for lines, start in (((9,), 0), ((9, 1, 1), 10**6)):
        monkeypatch.setattr(_side_by_side, "START", start)
        found, record = kernels(*lines)
        with Other() as other:
            assert compile_listed(found, other) == 0
        assert record == list(lines)
    assert processes == []


def test_two_processes_compile_each_kernel_once(processes, monkeypatch):
    monkeypatch.setattr(_side_by_side, "OTHER", OBEDIENT)
    found, record = kernels(*range(1, 21), seconds=0.05)
    with Other() as other:
        elsewhere = compile_listed(found, other)
        assert processes[0].poll() is None
    assert 0 < elsewhere < 20
    assert record == list(range(20, elsewhere, -1))  # the other had the smallest
    assert processes[0].poll() is not None


def test_one_process_is_there_for_all_lists(processes, monkeypatch):
    """The second list would not be worth starting one."""
    monkeypatch.setattr(_side_by_side, "OTHER", OBEDIENT)
    with Other() as other:
        for start in (0, 10**6):
            monkeypatch.setattr(_side_by_side, "START", start)
            found, record = kernels(*range(1, 21), seconds=0.05)
            elsewhere = compile_listed(found, other)
            assert 0 < elsewhere == 20 - len(record)
    assert len(processes) == 1


@pytest.mark.parametrize("code", [DYING, LYING, LATER, "import nothing", ""])
def test_what_another_process_leaves_is_compiled_here(
    processes, monkeypatch, caplog, capfd, code
):
    monkeypatch.setattr(_side_by_side, "OTHER", code)
    found, record = kernels(*range(1, 9), seconds=0.05)
    with caplog.at_level(logging.INFO, "paretoball"), Other() as other:
        elsewhere = compile_listed(found, other)
        again, more = kernels(3, 2, 1)
        assert compile_listed(again, other) == 0  # it is not asked again
    assert more == [3, 2, 1]
    assert len(record) + elsewhere == 8
    assert len(set(record)) == len(record)
    assert elsewhere <= (2 if code == LATER else 0)
    assert caplog.messages[-1].startswith("kernels are compiled by one process from")
    assert processes[0].poll() is not None
    assert capfd.readouterr() == ("", "")


def test_without_another_process_everything_is_compiled_here(
    monkeypatch, caplog, processes
):
    monkeypatch.setattr(sys, "executable", "/nothing/here")
    found, record = kernels(3, 2, 1)
    with caplog.at_level(logging.INFO, "paretoball"), Other() as other:
        assert compile_listed(found, other) == 0
    assert record == [3, 2, 1]
    assert caplog.messages[0].startswith("kernels are compiled by one process: ")


def test_an_interruption_ends_the_other_process(processes, monkeypatch):
    monkeypatch.setattr(_side_by_side, "OTHER", "input()")

    class Interrupted(Kernel):
        def compile(self, kinds):
            raise KeyboardInterrupt

    found, _ = kernels(3, 2, 1)
    found[Needed("m", "k", (), 0)] = Interrupted(9, [])
    with Other() as other, pytest.raises(KeyboardInterrupt):
        compile_listed(found, other)
    assert processes[0].returncode is not None


def test_how_far_it_is_is_told_now_and_then(monkeypatch):
    monkeypatch.setattr(_side_by_side, "TICK", 0.02)
    monkeypatch.setattr(_side_by_side, "SPEED", 1.0)
    found, _ = kernels(300, 200, 100, seconds=0.1)
    told = []
    compile_listed(found, None, lambda *far: told.append(far))
    assert told[0][:2] == (0, 3)
    assert told[0][2] > 1000.0  # at a character in a second
    assert {done for done, _, _ in told} == {0, 1, 2}
    assert {total for _, total, _ in told} == {3}
    assert told[-1][2] < told[0][2] / 10.0  # as it goes faster
    threads = [thread.name for thread in threading.enumerate()]
    assert not [name for name in threads if "go_on" in name]


# --- The other process itself.


@pytest.fixture
def endings(monkeypatch):
    """The exit codes with which the process would have ended."""
    codes = []
    monkeypatch.setattr(_side_by_side, "_exit", codes.append)
    return codes


@pytest.mark.parametrize("rest", [b"", b"nonsense", pickle.dumps("more")[:-2]])
def test_the_other_process_ends_with_what_gives_it_orders(endings, rest):
    queue = SimpleQueue()
    _side_by_side._hear(io.BytesIO(pickle.dumps("one") + rest), queue)
    assert (queue.get(), queue.empty(), endings) == ("one", True, [0])


SHARE = """
import os, sys, time
import numpy as np
from paretoball import _jit, _side_by_side
from paretoball._needed import listing
from paretoball.climber.moves import _list_moves
from paretoball.numerics import random_solution

def use():
    flips = np.array([[0], [1]], np.int32)
    _list_moves(flips, 0, np.array([0, 1]), np.zeros(2, np.int32))
    random_solution(np.ones(2, np.int64), np.zeros(3, np.uint8))

class Slow:  # it waits until the other process has done the rest
    py_func = _jit.can_keep

    def compile(self, kinds):
        if "leave" in sys.argv:
            time.sleep(float(sys.argv[2]))
            os._exit(0)
        folder = _jit.kernel_folder()
        while not folder.exists() or len(list(folder.glob("*.nbc"))) < 2:
            time.sleep(0.05)

with listing() as found:
    use()
assert len(found) == 2
found[next(iter(found))._replace(name="slow")] = Slow()
_side_by_side.sized = lambda found: {
    one._replace(size=0 if one.name != "slow" else 1): found[one]
    for one in sorted(found, key=lambda one: one.name != "slow")
}
popen = _side_by_side.subprocess.Popen
def start(*arguments, **how):
    process = popen(*arguments, **how)
    print(process.pid, flush=True)
    return process
_side_by_side.subprocess.Popen = start
_side_by_side.START = -1
with _jit.announced(print) as compiled:
    with _side_by_side.Other() as other:
        print(_side_by_side.compile_listed(found, other))
    use()
print(compiled.kernels)
"""


def shared(folder, *arguments):
    """What the script prints, with its kernels in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", SHARE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder)},
    )
    assert done.stderr == ""
    return [int(line) for line in done.stdout.split()]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_what_another_process_compiles_is_loaded_here(tmp_path):
    _, elsewhere, here = shared(tmp_path)
    assert (elsewhere, here) == (2, 0)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
@pytest.mark.parametrize("seconds", [0.0, 3.0])
def test_the_other_process_ends_when_this_one_does(tmp_path, seconds):
    """Which may be at once, as with Ctrl-C while something is compiled."""
    (process,) = shared(tmp_path, "leave", str(seconds))
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("it is still there")
