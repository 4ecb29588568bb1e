"""Faults, by the hundred: kills, signals, damaged files, full disks, dying workers.

    python tests/faults.py --kills 200 --signals 200 --damages 1000 --only kills

Each trial is a function of its number, up to timing, so a violation can be repeated
alone: `python -c "import faults; print(faults.kill(17))"` in this folder.
"""

import argparse
import errno
import hashlib
import io
import itertools
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

import paretoball as pb
from paretoball import _jit, storage
from paretoball.cli import main as command_line
from paretoball.files import landscape_digest
from paretoball.runs import previous_path
from paretoball.search.checkpoint import Saved, read_checkpoint
from paretoball.search.run import Run
from paretoball.verify import verify

PARETOBALL = [sys.executable, "-m", "paretoball"]
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
PATIENCE = 2.0  # seconds from a signal to the end of the process
ERRORS = (errno.ENOSPC, errno.EROFS, errno.EIO)
DEADLY = 17  # the climb that kills its worker
MEMORY = (
    "/dev/shm" if os.path.isdir("/dev/shm") else None
)  # where syncing takes no time


class Tally(NamedTuple):
    """What came of one trial, or of many."""

    trials: int
    seconds: float  # the worst time of what must not take long
    seen: Counter[str]  # what happened, and how often
    violations: list[str]


def tally(seen: Iterable[str], violations: list[str], seconds: float = 0.0) -> Tally:
    """The tally of one trial."""
    return Tally(1, seconds, Counter(seen), violations)


def added(a: Tally, b: Tally) -> Tally:
    """Two tallies as one."""
    seconds = max(a.seconds, b.seconds)
    return Tally(
        a.trials + b.trials, seconds, a.seen + b.seen, a.violations + b.violations
    )


NOTHING = Tally(0, 0.0, Counter(), [])


# --- Runs to disturb.


class Case(NamedTuple):
    """A run that always ends with the same archive."""

    n: int
    budget: str  # max_climbs or max_moves
    limit: int

    def landscape(self) -> pb.Landscape:
        return new_landscape(self.n)

    def words(self) -> list[str]:
        """The budget on the command line."""
        return [self.budget.replace("max_", "--"), str(self.limit)]


@cache
def new_landscape(n: int) -> pb.Landscape:
    """An instance of n variables."""
    return pb.mnk(n=n, K=3, seed=1)


LONG = (  # some seconds
    Case(300, "max_climbs", 8000),
    Case(1000, "max_climbs", 2400),
    Case(1000, "max_moves", 1_000_001),
    Case(2000, "max_climbs", 900),
)
SHORT = Case(60, "max_climbs", 15)  # some milliseconds, five checkpoints
SEED = 5


@cache
def undisturbed(case: Case) -> str:
    """The archive of a run that nobody disturbs."""
    budget: Any = {case.budget: case.limit}
    return fingerprint(pb.solve(case.landscape(), seed=SEED, **budget))


def fingerprint(result: pb.Result) -> str:
    """A name for an archive, down to the last bit."""
    digest = hashlib.sha256()
    for array in (result.F, result.climb, result.step, result.optimum, result.X):
        digest.update(f"{array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


@contextmanager
def new_folder(case: Case) -> Iterator[Path]:
    """A folder with the instance of a run; that of a short one is in memory."""
    where = MEMORY if case == SHORT else None
    with tempfile.TemporaryDirectory(dir=where) as name:
        pb.write_landscape(case.landscape(), Path(name, "mnk.npz"))
        yield Path(name)


def solving(case: Case, folder: Path, *options: Any) -> list[str]:
    """The command line of a run with checkpoints."""
    words = ["solve", folder / "mnk.npz", *case.words(), "--seed", SEED, "--quiet"]
    return [
        str(each) for each in (*words, "--checkpoint", folder / "run.npz", *options)
    ]


def started(words: list[str], **variables: str) -> subprocess.Popen[str]:
    """A command line in a process and a process group of its own."""
    return subprocess.Popen(
        [*PARETOBALL, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | variables,
        text=True,
        start_new_session=True,
    )


def complaint_about(err: str, lines: int = 1) -> list[str]:
    """What is wrong with standard error: more than so many lines of ours."""
    said = err.splitlines()
    is_ours = all(line.startswith("paretoball: ") for line in said)
    is_fine = is_ours and len(said) <= lines
    return [] if is_fine else [f"standard error is {err[:200]!r} ... {err[-300:]!r}"]


def unsound_files(case: Case, folder: Path) -> list[str]:
    """What is wrong with the run files that are there."""
    found = []
    for path in sorted(folder.glob("run*.npz")):
        try:
            failures = verify(case.landscape(), path).failures
        except (OSError, ValueError) as error:
            failures = [str(error)]
        found += [f"{path.name}: {failure}" for failure in failures]
    return found


# --- Kills.


def kill(number: int) -> Tally:
    """Kill a run at some instants, and resume it; it ends as if nothing had been."""
    rng = random.Random(number)
    case, workers = rng.choice(LONG), rng.choice([1, 2])
    options = ("--workers", workers, "--checkpoint-every", 0.01)
    seen, wrong = [], []
    with new_folder(case) as folder:
        words = solving(case, folder, *options)
        for _ in range(rng.randint(1, 3)):
            process = started(words)
            time.sleep(rng.uniform(0.1, 3.5))
            how = rng.choice([signal.SIGKILL] * 4 + [signal.SIGTERM])
            process.send_signal(how)
            process.communicate(timeout=60)
            is_there = (folder / "run.npz").exists()
            when = "before" if not is_there else "after"
            ended = process.returncode == 0
            seen.append("too late" if ended else f"{how.name} {when} a checkpoint")
            wrong += unsound_files(case, folder)
            if is_there and rng.random() < 0.5:
                words = ["resume", str(folder / "run.npz"), "--quiet"]
        process = started(words)
        _, err = process.communicate(timeout=120)
        if process.returncode or err:
            wrong.append(f"the last process ended with {process.returncode}: {err!r}")
        elif fingerprint(pb.load(folder / "run.npz")) != undisturbed(case):
            wrong.append("the archive is not that of an undisturbed run")
        seen += ["temporary file left"] * len(list(folder.glob(".*.tmp")))
    return tally(seen, [f"kill({number}), {case}: {each}" for each in wrong])


# --- Signals.


def polite(number: int) -> Tally:
    """Send a signal at some instant: the process leaves soon, and politely."""
    rng = random.Random(number)
    case, workers = rng.choice(LONG[1:]), rng.choice([1, 2])
    is_cold = rng.random() < 0.25
    heard = rng.choice([signal.SIGINT, signal.SIGTERM])
    is_twice = rng.random() < 0.3
    wrong = []
    with new_folder(case) as folder:
        options: list[Any] = ["--workers", workers, "--checkpoint-every", 0.01]
        if rng.random() < 0.5:
            options += ["-o", folder / "run-saved.npz"]
        cold = {"NUMBA_CACHE_DIR": str(folder / "cache")} if is_cold else {}
        process = started(solving(case, folder, *options), **cold)
        began = time.perf_counter()
        instant = rng.uniform(0.1, 12.0 if is_cold else 3.5)
        time.sleep(instant)
        is_early = not catches_signals(process.pid)
        sent = time.perf_counter()
        process.send_signal(heard)
        if is_twice:
            time.sleep(rng.uniform(0, 0.1))
            process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            wrong.append("it did not leave at all")
        took = time.perf_counter() - sent
        wrong += unsound_files(case, folder)
    code = process.returncode
    codes = {0, CODES[heard]} | ({CODES[signal.SIGINT]} if is_twice else set())
    if is_early and not out:
        seen = ["before the program began"]
    else:
        seen = [f"{heard.name}{' and SIGINT' * is_twice}, exit code {code}"]
        wrong += complaint_about(err)
        if code not in codes:
            wrong.append(f"exit code {code}, output {out!r}")
        if took > PATIENCE:
            wrong.append(f"it left after {took:.2f} s")
    told = f"polite({number}), {heard.name}{' twice' * is_twice} at {instant:.3f} s"
    kind = f"{workers} workers{', empty cache' * is_cold}"
    late = sent - began - instant
    where = f"{told} + {late:.3f} s, {kind}"
    return tally(seen, [f"{where}: {each}" for each in wrong], took)


def catches_signals(pid: int) -> bool:
    """Whether a process has a handler for SIGTERM."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    caught = next((line for line in lines if line.startswith("SigCgt")), "SigCgt: 0")
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


# --- Damaged checkpoints.


class Generations(NamedTuple):
    """A checkpoint and the one before it, as bytes and as they should be read."""

    latest: bytes
    previous: bytes
    states: tuple[str, str]  # of the latest, of the one before


@cache
def generations() -> Generations:
    """Two checkpoints of one run."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "run.npz")
        start = np.random.default_rng(1).integers(0, 2, (3, SHORT.n))
        for climbs in (7, SHORT.limit):
            pb.solve(
                SHORT.landscape(),
                seed=SEED,
                start=start,
                max_climbs=climbs,
                checkpoint=path,
            )
        files = [path, previous_path(path)]
        latest, previous = (each.read_bytes() for each in files)
        one = state_of(read_checkpoint(path))
        path.unlink()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = state_of(read_checkpoint(path))
    assert one != other
    return Generations(latest, previous, (one, other))


def state_of(saved: Saved) -> str:
    """A name for all that a checkpoint says."""
    result = saved.result
    facts = (
        fingerprint(result),
        landscape_digest(saved.landscape),
        hashlib.sha256(saved.starts.tobytes()).hexdigest(),
        (saved.climbs, saved.moves, saved.every, saved.seconds()),
        (result.climbs, result.moves, result.status, result.config, result.bounded),
        (result.sense, result.reference.tolist(), result.trace.tolist()),
        result.archive_seconds,
    )
    return repr(facts)


def damage(number: int) -> Tally:
    """Damage a checkpoint: the right state is read, or the one before, or none."""
    rng = random.Random(number)
    right = generations()
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        path = Path(name, "run.npz")
        latest, how = damaged(right.latest, rng)
        path.write_bytes(latest)
        both = rng.random() < 0.1
        previous = damaged(right.previous, rng)[0] if both else right.previous
        previous_path(path).write_bytes(previous)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                found = state_of(read_checkpoint(path))
            except (OSError, ValueError, MemoryError) as error:
                seen, wrong = "refused", unclear(str(error), path)
                if not both:
                    wrong.append(f"the one before was not used: {error}")
            except Exception as error:
                seen, wrong = "crashed", [repr(error)]
            else:
                which = right.states.index(found) if found in right.states else -1
                seen = ["latest", "one before", "wrong"][which]
                said = [str(each.message) for each in told]
                wrong = [] if which >= 0 else ["a state that never was"]
                if len(said) != which:
                    wrong.append(f"warnings are {said}")
                for line in said:
                    wrong += unclear(line, path)
        wrong += wrong_load(path, right, rng)
    where = f"damage({number}), {how}"
    return tally([f"{how.split()[0]}: {seen}"], [f"{where}: {each}" for each in wrong])


def damaged(content: bytes, rng: random.Random) -> tuple[bytes, str]:
    """Content cut short or with a byte changed, and what was done."""
    at = rng.randrange(len(content))
    if rng.random() < 0.5:
        return content[:at], f"cut at {at}"
    byte = content[at] ^ rng.choice([1 << rng.randrange(8), rng.randrange(1, 256)])
    return content[:at] + bytes([byte]) + content[at + 1 :], f"byte at {at} is {byte}"


def unclear(text: str, path: Path) -> list[str]:
    """What is wrong with a message about a file."""
    is_clear = text.startswith(f"{path.with_suffix('')}") and "\n" not in text
    return [] if is_clear else [f"the message is {text!r}"]


def wrong_load(path: Path, right: Generations, rng: random.Random) -> list[str]:
    """What is wrong with loading the file as a run."""
    try:
        found = pb.load(path)
    except (OSError, ValueError, MemoryError):
        return []
    whole = fingerprint(found) in right.states[0]
    return [] if whole else ["load read what never was"]


# --- Workers that die.


@contextmanager
def noting_merges() -> Iterator[list[int]]:
    """Note every climb that is merged into a run."""
    merged: list[int] = []
    right = Run._merge

    def merge(self: Run, found: Any) -> None:
        merged.extend(range(found.first, found.first + found.climbs))
        right(self, found)

    with patch.object(Run, "_merge", merge):
        yield merged


def processes(workers: int, *initializer: Any) -> ProcessPoolExecutor:
    """A pool of processes that start from nothing."""
    context = multiprocessing.get_context("spawn")
    first, *arguments = initializer or (None,)
    return ProcessPoolExecutor(workers, context, first, tuple(arguments))


def child_pids() -> list[int]:
    """The workers of pools of processes, whichever pools there are."""
    return [child.pid for child in multiprocessing.active_children() if child.pid]


def kill_workers(
    number: int,
    executor: Callable[[], Executor] = lambda: processes(2),
    pids: Callable[[], list[int]] = child_pids,
    case: Case = LONG[1],
    kills: int = 1 << 20,
    pause: tuple[float, float] = (0.2, 4.0),
) -> Tally:
    """Kill workers while a run goes on: every climb counts once, and none is lost.

    Parameters
    ----------
    executor
        Makes what the run is to use; it is shut down afterwards.
    pids
        Tells the workers that live.
    kills
        At most.
    """
    rng = random.Random(number)
    is_over = threading.Event()
    killed: list[int] = []

    def strike() -> None:
        while len(killed) < kills and not is_over.wait(rng.uniform(*pause)):
            if alive := pids():
                killed.append(rng.choice(sorted(alive)))
                with suppress(ProcessLookupError):  # it is dead already
                    os.kill(killed[-1], signal.SIGKILL)

    budget: Any = {case.budget: case.limit}
    pool = executor()
    killer = threading.Thread(target=strike)
    wrong = []
    try:
        with noting_merges() as merged:
            killer.start()
            result = pb.solve(case.landscape(), seed=SEED, executor=pool, **budget)
    finally:
        is_over.set()
        killer.join()
        pool.shutdown(wait=True, cancel_futures=True)
    if result.failed:
        wrong.append(f"the run ended as {result.status!r}")
    elif fingerprint(result) != undisturbed(case):
        wrong.append("the archive is not that of an undisturbed run")
    if not result.failed and merged != list(range(result.climbs)):
        twice = [climb for climb, times in Counter(merged).items() if times > 1]
        wrong.append(f"climbs merged twice: {twice}; all in order: {len(merged)}")
    where = f"kill_workers({number})"
    return tally(["kill"] * len(killed), [f"{where}: {each}" for each in wrong])


def die_at(climb: int) -> None:
    """Let this worker die whenever it is to run some climb."""
    from paretoball.search.units import Workshop

    right = Workshop.work

    def work(self: Workshop, order: Any) -> Any:
        if order.first <= climb < order.first + order.size:
            os._exit(1)
        return right(self, order)

    Workshop.work = work  # type: ignore[method-assign]


def deadly_unit(workers: int) -> Tally:
    """A climb that always kills its worker ends the run; all before it are kept."""
    case = Case(300, "max_climbs", 200)
    wrong = []
    with (
        tempfile.TemporaryDirectory() as name,
        processes(workers, die_at, DEADLY) as pool,
    ):
        path = Path(name, "run.npz")
        result = pb.solve(
            case.landscape(),
            seed=SEED,
            max_climbs=case.limit,
            executor=pool,
            checkpoint=path,
        )
        saved = read_checkpoint(path)
        if not result.failed or f"unit {DEADLY} " not in result.status:
            wrong.append(f"the run ended as {result.status!r}")
        if saved.climbs != DEADLY:
            wrong.append(f"{saved.climbs} climbs are saved")
        pb.resume(path, max_climbs=DEADLY + 1)
        done = pb.resume(path, max_climbs=case.limit)
        if fingerprint(done) != undisturbed(case):
            wrong.append("resumed, it ends with another archive")
    where = f"deadly_unit({workers})"
    return tally(["unit"], [f"{where}: {each}" for each in wrong])


# --- Who runs the climbs.


def same_archive(case: Case, how: str, workers: int) -> Tally:
    """Run on so many threads or processes: the archive is that of one thread."""
    budget: Any = {case.budget: case.limit, "seed": SEED}
    if how == "workers":
        result = pb.solve(case.landscape(), workers=workers, **budget)
    else:
        made = processes if how == "processes" else ThreadPoolExecutor
        with made(workers) as pool:
            result = pb.solve(case.landscape(), executor=pool, **budget)
    where = f"same_archive({case}, {how!r}, {workers})"
    is_same = fingerprint(result) == undisturbed(case)
    return tally([how], [] if is_same else [f"{where}: another archive"])


# --- Disks that fail.


class Disk:
    """Stands in for the disk below `storage`, and fails at some call.

    Calls are counted: writing to a file, flushing it, syncing, renaming, linking.
    """

    def __init__(self, fails: int, error: int, lasting: bool, links: bool):
        self.fails = fails  # the number of the call
        self.error = error
        self.lasting = lasting  # whether all later calls fail, too
        self.links = links  # whether the file system has hard links
        self.calls = 0
        self.good: dict[str, bytes] = {}  # what was last put in place, by name

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def count(self) -> None:
        """One more call; fails if it is its turn."""
        self.calls += 1
        if self.calls == self.fails or (self.lasting and self.calls > self.fails):
            raise OSError(self.error, os.strerror(self.error))

    def open_file(self, path: Any, mode: str) -> Any:
        """A file; one that is written fails when it is its turn."""
        if mode == "rb":
            return open(path, mode)
        self.count()
        return FailingFile(self, io.FileIO(path, mode))

    def fsync(self, handle: int) -> None:
        self.count()

    def link(self, source: Any, target: Any) -> None:
        if not self.links:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        self.count()
        os.link(source, target)

    def replace(self, source: Any, target: Any) -> None:
        self.count()
        os.replace(source, target)
        self.good[Path(target).name] = Path(target).read_bytes()

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Put it below `storage`."""
        with (
            patch.object(storage, "os", self),
            patch.object(storage, "open", self.open_file, create=True),
        ):
            yield


class FailingFile(io.BufferedWriter):
    """A file on such a disk."""

    def __init__(self, disk: Disk, raw: io.FileIO):
        self.disk = disk
        super().__init__(raw)

    def write(self, data: Any) -> int:
        self.disk.count()
        return super().write(data)

    def flush(self) -> None:
        if not self.closed:
            self.disk.count()
        super().flush()


def run_here(words: list[str]) -> tuple[int, str, str]:
    """A command line in this process: exit code, output, errors."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = command_line(words)
    return code, out.getvalue(), err.getvalue()


@cache
def first_part() -> bytes:
    """A checkpoint of the first climbs of the short run."""
    with new_folder(SHORT) as folder:
        code, _, err = run_here(solving(SHORT._replace(limit=3), folder))
        assert code == 0, err
        return (folder / "run.npz").read_bytes()


def failing_disk(
    fails: int, error: int = errno.ENOSPC, lasting: bool = False, links: bool = True
) -> Tally:
    """Let a call of the disk fail: the last good file stays, and the run is told."""
    disk = Disk(fails, error, lasting, links)
    wrong = []
    with new_folder(SHORT) as folder:
        path, other = folder / "run.npz", folder / "run-saved.npz"
        path.write_bytes(first_part())
        disk.good[path.name] = first_part()
        words = solving(SHORT, folder, "--checkpoint-every", "1e-9", "-o", other)
        with disk.in_place():
            code, out, err = run_here(words)
        if disk.calls < fails:
            seen = "no failure"
            wrong += [f"exit code {code}, {err!r}"] if code or err else []
        else:
            seen = "all is saved" if code == 0 else "not saved"
            wrong += complaint_about(err, lines=2)
        wrong += wrong_ending(code, out, err)
        wrong += lost(path, disk) + unsound_files(SHORT, folder)
        for each in folder.glob(".*.tmp"):
            wrong.append(f"{each.name} was left behind")
        if code == 0 and fingerprint(pb.load(other)) != undisturbed(SHORT):
            wrong.append("the file saved is another")
        code, _, err = run_here(words)
        if code or fingerprint(pb.load(path)) != undisturbed(SHORT):
            wrong.append(f"it does not go on: exit code {code}, {err!r}")
    name = errno.errorcode[error]
    where = f"failing_disk({fails}, errno.{name}, lasting={lasting}, links={links})"
    return tally([seen], [f"{where}: {each}" for each in wrong])


def wrong_ending(code: int, out: str, err: str) -> list[str]:
    """What is wrong with how a run ended that may or may not be saved."""
    wrong = [] if "non-dominated" in out else [f"the result is not shown: {out!r}"]
    is_saved = "saved as" in out
    if code != (0 if is_saved else 1) or is_saved == ("not saved" in err):
        wrong.append(f"exit code {code}, {out!r}, {err!r}")
    return wrong


def lost(path: Path, disk: Disk) -> list[str]:
    """What was put in place as a checkpoint, but is not there."""
    places = [path] if disk.links else [path, previous_path(path)]
    found = [place.read_bytes() for place in places if place.exists()]
    return [] if disk.good[path.name] in found else ["the last good file is lost"]


def failing_calls(links: bool) -> int:
    """How many calls of the disk the short run takes."""
    disk = Disk(1 << 30, errno.EIO, False, links)
    with new_folder(SHORT) as folder:
        path, other = folder / "run.npz", folder / "run-saved.npz"
        path.write_bytes(first_part())
        words = solving(SHORT, folder, "--checkpoint-every", "1e-9", "-o", other)
        with disk.in_place():
            run_here(words)
    return disk.calls


def limited_size(most: int) -> Tally:
    """Let files grow no further than so many bytes, by the system's own limit."""
    wrong = []
    with new_folder(SHORT) as folder:
        path, other = folder / "run.npz", folder / "run-saved.npz"
        path.write_bytes(first_part())
        words = solving(SHORT, folder, "--checkpoint-every", "1e-9", "-o", other)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
        try:
            code, out, err = run_here(words)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        wrong += complaint_about(err, lines=2) + wrong_ending(code, out, err)
        wrong += unsound_files(SHORT, folder)
        for each in folder.glob(".*.tmp"):
            wrong.append(f"{each.name} was left behind")
        code, _, err = run_here(words)
        if code or fingerprint(pb.load(path)) != undisturbed(SHORT):
            wrong.append(f"it does not go on: exit code {code}, {err!r}")
    where = f"limited_size({most})"
    return tally(["limit"], [f"{where}: {each}" for each in wrong])


def folder_deleted(workers: int) -> Tally:
    """Delete the folder of the checkpoint during the run: the result is there."""
    case = LONG[0]
    wrong = []
    with new_folder(case) as folder, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        inner = folder / "inner"
        inner.mkdir()

        def callback(state: Any) -> None:
            shutil.rmtree(inner, ignore_errors=True)

        result = pb.solve(
            case.landscape(),
            seed=SEED,
            max_climbs=case.limit,
            workers=workers,
            callback=callback,
            checkpoint=inner / "run.npz",
            checkpoint_every=0.01,
        )
    if fingerprint(result) != undisturbed(case):
        wrong.append("the archive is another")
    if "run.npz: No such file" not in result.unsaved:
        wrong.append(f"unsaved is {result.unsaved!r}")
    if len(told) != 1 or "no checkpoint: " not in str(told[0].message):
        wrong.append(f"warnings are {[str(each.message) for each in told]}")
    return tally(["folder"], [f"folder_deleted({workers}): {each}" for each in wrong])


def folder_deleted_in_process(number: int) -> Tally:
    """The same, from the command line."""
    case, rng = LONG[0], random.Random(number)
    wrong = []
    with new_folder(case) as folder, tempfile.TemporaryDirectory() as name:
        inner = Path(name, "inner")
        inner.mkdir()
        pb.write_landscape(case.landscape(), inner / "mnk.npz")
        process = started(solving(case, inner, "--checkpoint-every", 0.01))
        end = time.monotonic() + 60
        while not (inner / "run.npz").exists() and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.2))
        inner.rename(folder / "away")
        out, err = process.communicate(timeout=60)
    wrong += complaint_about(err, lines=2)
    wrong += wrong_ending(process.returncode, out, err)
    if process.returncode != 1:
        wrong.append(f"exit code {process.returncode}, {err!r}")
    where = f"folder_deleted_in_process({number})"
    return tally(["process"], [f"{where}: {each}" for each in wrong])


# --- Kernels on disk.


def damaged_cache(number: int, share: float = 0.2) -> Tally:
    """Damage some compiled kernels; two processes at once find the right archive."""
    rng = random.Random(number)
    case = SHORT
    wrong, seen = [], []
    expected = undisturbed(case)  # so all kernels are on disk
    with new_folder(case) as folder:
        kernels = folder / "cache" / "paretoball" / _jit._FOLDER.name
        shutil.copytree(_jit._FOLDER, kernels)
        for path in sorted(kernels.iterdir()):
            if rng.random() < share:
                seen.append(damage_kernel(path, rng))
        cold = {"NUMBA_CACHE_DIR": str(folder / "cache")}
        files = [folder / "run-1.npz", folder / "run-2.npz"]
        options = [
            "solve",
            folder / "mnk.npz",
            *case.words(),
            "--seed",
            SEED,
            "--quiet",
        ]
        twins = [started([str(w) for w in (*options, "-o", f)], **cold) for f in files]
        for process, path in zip(twins, files):
            _, err = process.communicate(timeout=300)
            if process.returncode or err:
                wrong.append(f"exit code {process.returncode}, {err!r}")
            elif fingerprint(pb.load(path)) != expected:
                wrong.append("the archive is another")
        left = {path.suffix for path in kernels.iterdir()} - {".nbc"}
        wrong += [f"left behind: {left}"] if left else []
    where = f"damaged_cache({number})"
    return tally(seen, [f"{where}: {each}" for each in wrong])


def damage_kernel(path: Path, rng: random.Random) -> str:
    """Damage one file of the cache; what was done."""
    how = rng.choice(["cut", "byte", "emptied", "gone", "folder", "other"])
    content = path.read_bytes()
    path.unlink()
    if how in ("cut", "byte"):
        part = damaged(content, rng)[0]
        path.write_bytes(part)
    elif how == "emptied":
        path.write_bytes(b"")
    elif how == "folder":
        path.mkdir()
    elif how == "other":  # a whole kernel of another name
        sibling = rng.choice([each for each in path.parent.iterdir() if each.is_file()])
        path.write_bytes(sibling.read_bytes())
    return how


# --- All of them.


def disk_trials() -> list[Callable[[], Tally]]:
    """Every call of the disk, every error, once and from then on."""
    trials: list[Callable[[], Tally]] = []
    for links in (True, False):
        indices = range(1, failing_calls(links) + 2)
        kinds = itertools.product(indices, ERRORS, (False, True))
        trials += [
            lambda each=(*kind, links): failing_disk(*each)  # type: ignore[misc]
            for kind in kinds
        ]
    trials += [lambda most=most: limited_size(most) for most in range(0, 8000, 83)]  # type: ignore[misc]
    return trials


def attempted(trial: Callable[[], Tally]) -> Tally:
    """The tally of a trial; an exception is a violation, too."""
    try:
        return trial()
    except Exception as error:  # whatever it is, the others go on
        return tally(["crashed"], [f"{error!r}"])


def numbered(trial: Callable[[int], Tally], count: int) -> list[Callable[[], Tally]]:
    """Trials 0, 1, ... of a kind."""
    return [lambda number=number: trial(number) for number in range(count)]  # type: ignore[misc]


def kills_of_workers(kills: int) -> Iterator[Callable[[], Tally]]:
    """Runs whose workers are killed, until so many were."""
    done = 0

    def trial(number: int) -> Tally:
        nonlocal done
        found = kill_workers(number)
        done += found.seen["kill"]
        return found

    for number in itertools.count():
        if done >= kills:
            return
        yield lambda number=number: trial(number)  # type: ignore[misc]


def rows(options: argparse.Namespace) -> dict[str, tuple[Iterable[Any], int]]:
    """Every kind of fault: its trials, and how many to run at a time."""
    archives = itertools.product(LONG, ("workers", "threads", "processes"), (1, 2, 4))
    deleted = [lambda w=w: folder_deleted(w) for w in (1, 2)]
    deleted += numbered(folder_deleted_in_process, 10)
    return {
        "kills": (numbered(kill, options.kills), 2),
        "signals": (numbered(polite, options.signals), 2),
        "damages": (numbered(damage, options.damages), 1),
        "worker-kills": (kills_of_workers(options.worker_kills), 1),
        "archives": ([lambda a=a: same_archive(*a) for a in archives], 1),
        "disks": (disk_trials() if options.only in (None, "disks") else [], 1),
        "folders": (deleted, 1),
        "deadly": ([lambda w=w: deadly_unit(w) for w in (1, 2, 4)], 1),
        "caches": (numbered(damaged_cache, options.caches), 1),
    }


def conducted(name: str, trials: Iterable[Any], at_a_time: int) -> Tally:
    """Run all trials of a row; violations are told as they come."""
    total, told = NOTHING, time.monotonic()
    with ThreadPoolExecutor(at_a_time) as pool:
        apart = at_a_time > 1
        results = pool.map(attempted, trials) if apart else map(attempted, trials)
        for found in results:
            total = added(total, found)
            for violation in found.violations:
                print(violation, file=sys.stderr, flush=True)
            if time.monotonic() - told > 20:
                told = time.monotonic()
                print(f"  {name}: {total.trials:,} trials", file=sys.stderr, flush=True)
    return total


def main() -> int:
    """Run the rows, print a line for each; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--signals", type=int, default=200)
    parser.add_argument("--damages", type=int, default=1000)
    parser.add_argument("--worker-kills", type=int, default=100)
    parser.add_argument("--caches", type=int, default=50)
    parser.add_argument("--only", metavar="ROW", help="one row by its name")
    options = parser.parse_args()
    table = rows(options)
    if options.only is not None and options.only not in table:
        parser.error(f"there is no row {options.only}, but {', '.join(table)}")
    wrong = 0
    for name, (trials, at_a_time) in table.items():
        if options.only not in (None, name):
            continue
        began = time.monotonic()
        total = conducted(name, trials, at_a_time)
        seen = ", ".join(
            f"{count:,} {what}" for what, count in sorted(total.seen.items())
        )
        worst = f"worst {total.seconds:.2f} s, " if total.seconds else ""
        print(
            f"{name}: {total.trials:,} trials ({seen}), {worst}"
            f"{len(total.violations)} violations, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        wrong += len(total.violations)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
