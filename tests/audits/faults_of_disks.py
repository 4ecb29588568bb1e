"""Faults of disks: writing, syncing, renaming or linking fails, or a folder is gone."""

import errno
import io
import os
import random
import resource
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from disturbed import (
    LATE,
    LONG,
    SHORT,
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
from faults_of_processes import standing_still, wait_for_checkpoint

import paretoball as pb
from paretoball.cli.main import main as command_line
from paretoball.formats import disk as files
from paretoball.running.run_file import previous_path
from paretoball.running.status import UNDER_WAY

ERRORS = (errno.ENOSPC, errno.EROFS, errno.EIO)


class Disk:
    """Stands in for the disk below `formats.disk`, and fails at some call.

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

    def open_file(self, path: Any, mode: str, opener: Any = None) -> Any:
        """A file; one that is written fails when it is its turn."""
        if mode == "rb":
            return open(path, mode, opener=opener)
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
        """Put it below `formats.disk`."""
        with (
            patch.object(files, "os", self),
            patch.object(files, "open", self.open_file, create=True),
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
    """A command line in this process: exit code, output, errors.

    The same command always writes as many checkpoints, however slow the machine is.
    """
    out, err = io.StringIO(), io.StringIO()
    one_pace = patch("paretoball.running.run.BLOCK_SECONDS", 3600.0)
    with redirect_stdout(out), redirect_stderr(err), one_pace:
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
            **case.how(),
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
    is_deleted, wrong = False, []
    while not is_deleted:  # in time, which takes a longer run on a faster machine
        with new_folder(case) as folder, tempfile.TemporaryDirectory() as name:
            inner = Path(name, "inner")
            inner.mkdir()
            pb.write_landscape(case.landscape(), inner / "instance.npz")
            process = started(solving(case, inner, "--checkpoint-every", 0.01))
            wait_for_checkpoint(process, inner / "run.npz")
            time.sleep(rng.uniform(0, 0.2))
            with standing_still(process):
                is_deleted = pb.load(inner / "run.npz").status == UNDER_WAY
                if is_deleted:
                    inner.rename(folder / "away")
            out, err = process.communicate(timeout=LATE)
        case = case._replace(limit=4 * case.limit)
    wrong += complaint_about(err, lines=2)
    wrong += wrong_ending(process.returncode, out, err)
    if process.returncode != 1:
        wrong.append(f"exit code {process.returncode}, {err!r}")
    where = f"folder_deleted_in_process({number})"
    return tally(["process"], [f"{where}: {each}" for each in wrong])
