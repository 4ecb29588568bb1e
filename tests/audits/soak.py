"""The soak: ten kinds of landscapes, searched for minutes each, and watched.

    PYTHONPATH=tests python tests/audits/soak.py --seconds 300 --jobs 2 --only knapsack

Each kind is searched by `solve` in a process of its own, with a time limit and a memory
limit and all else left to the package. Kernels are compiled before. A row of CSV tells
of each kind what was asked and what was taken: a limit that is not kept, memory beyond
its bound, a silent display or a row that is not as the definitions say is a failure,
told in a line of its own on standard error, and the exit code is 1.
"""

import argparse
import csv
import json
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from counts import tell
from soak_kinds import KINDS, Case, Kind

import paretoball as pb
from paretoball.running.status import PROVEN
from paretoball.system import display

ROWS = 50  # of a result that are checked
SILENCE = 2.0  # seconds without a line, at most
EARLIEST = 0.9  # of its seconds, before which a run that proves nothing may not end
LEAVING = 5.0  # seconds that a process may take to end
SPARE = 128 << 20  # bytes by which memory may grow faster late than early
PATIENCE = 600.0  # seconds beyond twice the limit, after which a process hangs
MIB = 1 << 20


@dataclass(frozen=True)
class Facts:
    """What a run was asked for, and what it did."""

    kind: str
    n: int
    d: int
    asked: float  # seconds
    taken: float  # seconds, without compilation
    told: float  # seconds that the result says it took
    wall: float  # seconds from the start of the search to the end of its process
    compiling: float  # seconds of compilation inside the run
    silence: float  # seconds without a line of progress, at most
    limit: int  # bytes beyond those that the process had before the run
    peak: int  # bytes that the run took at most, beyond those
    early: int  # bytes by which memory grew in the first half of the run
    late: int  # bytes by which it grew in the second half
    front: int  # solutions
    rows: int  # of them checked
    moves: int
    status: str
    wrong: str = ""  # the first thing that is wrong with the rows


def allowance(seconds: float) -> float:
    """By how many seconds a time limit may be missed, as docs/reliability.md says."""
    return max(0.25, seconds / 100)


def failures(facts: Facts) -> list[str]:
    """All that did not hold."""
    slack = allowance(facts.asked)
    found = [facts.wrong] if facts.wrong else []
    if facts.taken > facts.asked + slack:
        found.append(f"took {facts.taken:.2f} s of {facts.asked:g} s")
    if facts.wall > facts.asked + facts.compiling + slack + LEAVING:
        found.append(f"its process ended after {facts.wall:.2f} s of {facts.asked:g} s")
    if facts.taken < EARLIEST * facts.asked and facts.status not in PROVEN:
        found.append(f"ended after {facts.taken:.2f} s: {facts.status}")
    if abs(facts.told - facts.taken) > slack:
        found.append(f"took {facts.taken:.2f} s, but its result says {facts.told:.2f}")
    if facts.silence > SILENCE:
        found.append(f"was silent for {facts.silence:.2f} s")
    if facts.peak > facts.limit:
        found.append(f"took {facts.peak // MIB} MiB of {facts.limit // MIB} MiB")
    if facts.late > facts.early + SPARE:
        found.append(
            f"grew by {facts.late // MIB} MiB in its second half, "
            f"by {facts.early // MIB} MiB in its first"
        )
    if facts.rows < min(ROWS, facts.front) or facts.front == 0:
        found.append(f"{facts.rows} rows of {facts.front} were checked")
    return found


# --- What a run shows, and what it takes.


class Timeline:
    """How long nothing was heard of a run at most, compilation apart."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter):
        self.clock = clock
        self.began = self.last = clock()
        self.silence = 0.0
        self.compiling = 0.0

    def hear(self) -> None:
        """Something is shown, a kernel begins to be compiled, or the run ends."""
        now = self.clock()
        self.silence, self.last = max(self.silence, now - self.last), now

    def compiled(self) -> None:
        """A kernel is compiled, since something was heard last."""
        now = self.clock()
        self.compiling, self.last = self.compiling + now - self.last, now

    def taken(self) -> float:
        """Seconds until something was heard last, without compilation."""
        return self.last - self.began - self.compiling


class Screen:
    """Stands in for standard error, and notes when a line comes."""

    def __init__(self, timeline: Timeline):
        self.timeline = timeline

    def isatty(self) -> bool:
        return False

    def write(self, text: str) -> int:
        self.timeline.hear()
        return len(text)

    def flush(self) -> None:
        pass


class Compilations(logging.Handler):
    """Notes which kernels are compiled, and when."""

    def __init__(self, timeline: Timeline):
        super().__init__()
        self.timeline = timeline

    def emit(self, record: logging.LogRecord) -> None:
        is_over = str(record.msg).startswith("compiled")
        (self.timeline.compiled if is_over else self.timeline.hear)()


@contextmanager
def listening() -> Iterator[Timeline]:
    """Listen to what is shown meanwhile, at the pace of a terminal, from the start."""
    log = logging.getLogger("paretoball._jit")
    timeline, level = Timeline(), log.level
    handler = Compilations(timeline)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        with (
            patch.object(sys, "stderr", Screen(timeline)),
            patch.object(display, "PATIENCE", 0.0),
            patch.object(display, "PLAIN_EVERY", display.TERMINAL_EVERY),
        ):
            yield timeline
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def memory(what: str = "VmRSS") -> int:
    """Bytes that this process has now; by `VmHWM`, has had since `forget_peak`."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(what):
            return 1024 * int(line.split()[1])
    return 0


def forget_peak() -> None:
    """Let `VmHWM` begin anew."""
    Path("/proc/self/clear_refs").write_text("5")


@contextmanager
def sampling(every: float) -> Iterator[list[int]]:
    """Note how many bytes this process has, every so many seconds."""
    samples, is_over = [memory()], threading.Event()

    def sample() -> None:
        while not is_over.wait(every):
            samples.append(memory())

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        is_over.set()
        thread.join()
        samples.append(memory())


# --- What it found.


def wrong_rows(case: Case, result: pb.Result, rows: int, seed: int = 0) -> str:
    """The first thing that is wrong with some rows of a result, or nothing."""
    at = np.random.default_rng(seed).permutation(len(result))[:rows]
    for row, x in zip(at.tolist(), result.solutions(at)):
        right = [float(each) for each in case.value(x)]
        if result.F[row].tolist() != right:
            return f"row {row} has {result.F[row].tolist()}, but f is {right}"
        if violated := case.violated(x):
            return f"row {row} violates {violated} constraints"
        if np.count_nonzero(attaining(result, row)) > 1:
            return f"row {row} is dominated, or there twice"
    return ""


def attaining(result: pb.Result, row: int) -> np.ndarray:
    """Which rows of a result are as good as this one, in every objective."""
    are = np.ones(len(result), np.bool_)
    for column, sense in zip(result.F.T, result.sense):
        are &= column >= column[row] if sense == "max" else column <= column[row]
    return are


# --- Runs.


def warm(kind: Kind, workers: int) -> None:
    """Compile, or load, what a run of this kind may use."""
    tiny = kind.make(kind.tiny).landscape
    quiet: dict[str, Any] = {"time_limit": 0.5, "progress": False}
    pb.solve(tiny, **quiet, **kind.options())
    pb.solve(tiny, method="path", workers=workers, **quiet, **kind.options())


def observed(
    name: str, seconds: float, workers: int = 1, n: int | None = None
) -> dict[str, Any]:
    """Search a landscape of a kind in this process: the facts, by name.

    In place of `wall` there are the time when the search began, and how many seconds
    after it were for its rows.
    """
    kind = KINDS[name]
    case = kind.make(kind.n if n is None else n)
    warm(kind, workers)
    began, before = time.time(), memory()
    forget_peak()
    with sampling(seconds / 60) as samples, listening() as timeline:
        result = pb.solve(
            case.landscape,
            time_limit=seconds,
            memory_limit=kind.memory_limit,
            workers=workers,
            progress=True,
            **kind.options(),
        )
        timeline.hear()
    peak, half = memory("VmHWM"), len(samples) // 2
    checking = time.time()
    wrong = wrong_rows(case, result, ROWS)
    return {
        "kind": name,
        "n": case.landscape.n,
        "d": case.landscape.d,
        "asked": seconds,
        "taken": timeline.taken(),
        "told": result.setup_seconds + result.seconds,
        "compiling": timeline.compiling,
        "silence": timeline.silence,
        "limit": kind.memory_limit,
        "peak": peak - before,
        "early": samples[half] - samples[0],
        "late": samples[-1] - samples[half],
        "front": len(result),
        "rows": min(ROWS, len(result)),
        "moves": result.moves,
        "status": result.status,
        "wrong": wrong,
        "began": began,
        "checking": time.time() - checking,
    }


def soaked(name: str, seconds: float, workers: int, tiny: bool, core: int) -> Facts:
    """The same in a process of its own, on one core if it has one worker."""
    words = [sys.executable, __file__, "--child", "--only", name]
    words += ["--seconds", str(seconds), "--workers", str(workers)]
    words += ["--tiny"] * tiny

    def pin() -> None:
        if workers == 1:
            os.sched_setaffinity(0, {core})

    patience = 2 * seconds + PATIENCE
    done = subprocess.run(
        words, stdout=subprocess.PIPE, text=True, timeout=patience, preexec_fn=pin
    )
    ended = time.time()
    if done.returncode:
        raise RuntimeError(f"its process ended with {done.returncode}")
    said = json.loads(done.stdout)
    return Facts(wall=ended - said.pop("began") - said.pop("checking"), **said)


def main() -> int:
    """Search all kinds, print a row for each; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300.0, help="for each kind")
    parser.add_argument("--only", choices=KINDS, help="one kind")
    parser.add_argument("--jobs", type=int, default=1, help="kinds at a time")
    parser.add_argument("--workers", type=int, default=1, help="threads of a search")
    parser.add_argument("--tiny", action="store_true", help="try it, with a few bits")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        n = KINDS[options.only].tiny if options.tiny else None
        facts = observed(options.only, options.seconds, options.workers, n)
        json.dump(facts, sys.stdout)
        return 0
    names = [options.only] if options.only else list(KINDS)
    return report(names, options.jobs, options.seconds, options.workers, options.tiny)


def report(
    names: list[str], jobs: int, seconds: float, workers: int, tiny: bool
) -> int:
    """Search these kinds, so many at a time, and print their rows; 1 if one failed."""
    free: queue.SimpleQueue[int] = queue.SimpleQueue()
    for _, core in zip(range(jobs), sorted(os.sched_getaffinity(0))):
        free.put(core)

    def one(name: str) -> Facts | str:
        core = free.get()
        try:
            return soaked(name, seconds, workers, tiny, core)
        except Exception as error:  # whatever it is, the others go on
            return f"{error!r}"[:500]
        finally:
            free.put(core)

    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow([each.name for each in fields(Facts)])
    failed = 0
    with ThreadPoolExecutor(jobs) as pool:
        for name, facts in zip(names, pool.map(one, names)):
            if isinstance(facts, Facts):
                told = asdict(facts)
                table.writerow(
                    f"{each:.2f}" if isinstance(each, float) else each
                    for each in told.values()
                )
            found = failures(facts) if isinstance(facts, Facts) else [facts]
            for each in found:
                print(f"soak of {name}: {each}", file=sys.stderr, flush=True)
            sys.stdout.flush()
            failed += bool(found)
    tell("soak", {"kinds": len(names), "failed": failed})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
