"""Faults of processes: killed, interrupted or terminated at any instant."""

import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from disturbed import (
    LATE,
    LONG,
    Case,
    Tally,
    complaint_about,
    fingerprint,
    new_folder,
    solving,
    started,
    tally,
    undisturbed,
    unsound_files,
)

import paretoball as pb

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
PATIENCE = 2.0  # seconds from a signal to the end of the process, if nobody else works


def kill(number: int, case: Case | None = None) -> Tally:
    """Kill a run at some instants, and resume it; it ends as if nothing had been.

    Without a case, the number tells which run it is.
    """
    rng = random.Random(number)
    drawn, workers = rng.choice(LONG), rng.choice([1, 2])
    case = case or drawn
    options = ("--workers", workers, "--checkpoint-every", 0.01)
    seen, wrong = [case.family], []
    with new_folder(case) as folder:
        words = solving(case, folder, *options)
        for _ in range(rng.randint(1, 3)):
            process = started(words)
            if rng.random() < 0.7:
                wait_for_checkpoint(process, folder / "run.npz")
                time.sleep(rng.uniform(0, 0.4))
            else:
                time.sleep(rng.uniform(0.1, 1.5))
            how = rng.choice([signal.SIGKILL] * 4 + [signal.SIGTERM])
            process.send_signal(how)
            process.communicate(timeout=LATE)
            is_there = (folder / "run.npz").exists()
            when = "after" if is_there else "before"
            in_time = [how.name, f"{how.name} {when} a checkpoint"]
            seen += ["too late"] if process.returncode == 0 else in_time
            wrong += unsound_files(case, folder)
            if is_there and rng.random() < 0.5:
                words = ["resume", str(folder / "run.npz"), "--quiet"]
        process = started(words)
        _, err = process.communicate(timeout=LATE)
        if process.returncode or err:
            wrong.append(f"the last process ended with {process.returncode}: {err!r}")
        elif fingerprint(pb.load(folder / "run.npz")) != undisturbed(case):
            wrong.append("the archive is not that of an undisturbed run")
        seen += ["temporary file left"] * len(list(folder.glob(".*.tmp")))
    return tally(seen, [f"kill({number}), {case}: {each}" for each in wrong])


def wait_for_checkpoint(process: subprocess.Popen[str], path: Path) -> None:
    """Wait until a process has written a checkpoint, or has ended."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    while process.poll() is None:
        if path.exists() and path.stat().st_mtime_ns != before:
            return
        time.sleep(0.005)


@contextmanager
def standing_still(process: subprocess.Popen[str]) -> Iterator[None]:
    """Let a process do nothing meanwhile, unless it has ended."""
    process.send_signal(signal.SIGSTOP)
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None and "State:\tT" not in status.read_text():
        time.sleep(0.001)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def polite(
    number: int,
    at_the_end: bool | None = None,
    patience: float = PATIENCE,
    case: Case | None = None,
) -> Tally:
    """Send a signal at some instant: the process leaves soon, and politely.

    Parameters
    ----------
    at_the_end
        Whether to send it once the result is shown. By default, a few trials do.
    patience
        How many seconds it may take to leave; give it more where others work, too.
    case
        Which run it is. By default, the number tells.
    """
    rng = random.Random(number)
    drawn, workers = rng.choice(LONG[1:]), rng.choice([1, 2])
    case = case or drawn
    is_cold = rng.random() < 0.25 and not at_the_end
    heard = rng.choice([signal.SIGINT, signal.SIGTERM])
    is_twice = rng.random() < 0.3
    if at_the_end is None:
        at_the_end = not is_cold and rng.random() < 0.2
    case = case._replace(limit=case.limit // 100) if at_the_end else case
    wrong, begun = [], ""
    with new_folder(case) as folder:
        options: list[Any] = ["--workers", workers, "--checkpoint-every", 0.01]
        if rng.random() < 0.5:
            options += ["-o", folder / "run-saved.npz"]
        cold = {"NUMBA_CACHE_DIR": str(folder / "cache")} if is_cold else {}
        process = started(solving(case, folder, *options), **cold)
        instant = rng.uniform(0.1, 12.0 if is_cold else 2.5)
        if at_the_end and process.stdout is not None:
            begun, instant = process.stdout.readline(), rng.uniform(0, 0.15)
        time.sleep(instant)
        is_early = not begun and not catches_signals(process.pid)
        sent = time.perf_counter()
        process.send_signal(heard)
        if is_twice:
            time.sleep(rng.uniform(0, 0.1))
            process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=10 * patience)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            wrong.append("it did not leave at all")
        took = time.perf_counter() - sent
        wrong += unsound_files(case, folder)
    code = process.returncode
    codes = {0, CODES[heard]} | ({CODES[signal.SIGINT]} if is_twice else set())
    if is_early and not out:
        seen = "before the program began"
    else:
        seen = f"{heard.name}{' and SIGINT' * is_twice}, exit code {code}"
        wrong += complaint_about(err)
        if code not in codes:
            wrong.append(f"exit code {code}, output {begun + out!r}")
        if took > patience:
            wrong.append(f"it left after {took:.2f} s")
    when = "after the result" if at_the_end else "after its start"
    where = (
        f"polite({number}, {at_the_end}), {heard.name}{' twice' * is_twice} "
        f"{instant:.3f} s {when}, {workers} workers{', empty cache' * is_cold}"
    )
    said = [f"{where}: {each}" for each in wrong]
    return tally([case.family, seen], said, took)


def catches_signals(pid: int) -> bool:
    """Whether a process has a handler for SIGTERM."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    caught = next((line for line in lines if line.startswith("SigCgt")), "SigCgt: 0")
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
