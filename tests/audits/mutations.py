"""Mutated files, by the thousand: a command reads one, or refuses it in one line.

    PYTHONPATH=tests python tests/audits/mutations.py --mutants 20000 --seed 1

Every mutant of an instance or a run is given to the commands that read such files, in a
process of its own that is watched from outside. Exit code 2 goes with one line, any
other with none; nothing escapes, hangs, or takes more memory than such a file is worth.

A mutant is a pure function of its seed and number: `--only 17` tells what becomes of
mutant 17, and `--folder FOLDER` leaves it there, beside the sound files.
"""

import argparse
import gzip
import io
import json
import re
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import disturbed
import numpy as np
from counts import tell
from mutants import spoiled_bytes, spoiled_json
from npz_mutants import spoiled_npz
from text_mutants import spoiled_text

import paretoball as pb
from format_samples import ASKED_BACK, SAMPLES
from landscapes import built, random_plain, ring
from paretoball import cli

MEMORY = 1 << 30  # bytes, all that the process has included
SEARCHED = 3  # objectives, at most, of landscapes to search: each number is compiled
PACKED = 6  # one in so many samples is packed
DRAWN = 4  # one in so many runs is drawn: that takes longer than all else
# Of edges that are there twice, of digits that are lost, of names that no file keeps.
WARNED = re.compile(
    r"paretoball: .*( add up| (is|are) rounded to .*| has no place for .*)"
)
SOLVE = ("--climbs", "2", "--radius", "1", "--seed", "1", "--quiet")


class Patience(NamedTuple):
    """How many seconds things may take; give them more where others work, too."""

    command: float = 10.0
    mutant: float = 60.0  # all that is done with it, compilation included


PATIENCE = Patience()


class Sound(NamedTuple):
    """A file to spoil."""

    path: Path
    instance: Path | None = None  # of which it is a run
    format: str | None = None  # for --format, where it has to be said


class Outcome(NamedTuple):
    """What became of a mutant."""

    number: int
    parsed: bool
    seconds: float  # of the slowest command
    memory: int  # bytes that the process has taken at most until then
    wrong: str


class Call(NamedTuple):
    """What a command did."""

    code: int | None  # None if it did not return
    out: str
    err: str
    seconds: float


# --- Sound files.


def sound_files(folder: Path, seed: int) -> list[Sound]:
    """Instances in all formats, some of them packed, and runs."""
    files = []
    for number, (format, (name, text)) in enumerate(SAMPLES.items()):
        path, content = folder / name, text.encode()
        if number % PACKED == 0:
            path, content = folder / f"{name}.gz", gzip.compress(content, mtime=0)
        path.write_bytes(content)
        said = format if format in ASKED_BACK else None
        files += [Sound(path, format=said)] * 2
    for name, landscape in landscapes(np.random.default_rng(seed)).items():
        paths = [folder / f"{name}.json", folder / f"{name}.npz"]
        for path in paths:
            pb.write_landscape(landscape, path)
        files += [Sound(path) for path in paths]
        run = folder / f"{name}-run.npz"
        save_run(landscape, run)
        files += [Sound(run, paths[1])] * 2
    return files


def landscapes(rng: np.random.Generator) -> dict[str, pb.Landscape]:
    """Small landscapes of many kinds, by name."""
    reals = [[((j, j + 1), rng.random(4).tolist()) for j in range(8)] for _ in "ab"]
    tenths = [[((j,), [0.1 * j, 0.3])] for j in range(3)]
    plain = random_plain(rng, max_n=12, min_n=6)
    plain = plain._replace(objectives=plain.objectives[:2], sense=plain.sense[:2])
    return {
        "ring": ring(n=12, K=1, seed=1),
        "larger": ring(n=60, K=1, seed=2, q=7),
        "lone": ring(n=7, K=2, seed=3, d=1),
        "three": ring(n=6, K=1, seed=4, d=3, q=4),
        "ragged": built(plain),
        "reals": pb.Landscape.from_subfunctions(9, reals, ["max", "min"]),
        "tenths": pb.Landscape.from_subfunctions(3, tenths, ["min", "max", "min"]),
        "bit": pb.Landscape.from_subfunctions(1, [[((0,), [3, 5]), ((), [7])]], "min"),
        "named": pb.Landscape.from_subfunctions(
            3,
            [[(("a", None), [0, 1, 2, 1])], [((("b", 1.5),), [2, 0])]],
            labels=["a", ("b", 1.5), None],
            names=["cost", "risk"],
        ),
        "limited": limited(),
    }


def limited() -> pb.Landscape:
    """A landscape with constraints of several kinds."""
    ones = [((j,), [0, 1]) for j in range(5)]
    reals = [((j, j + 1), [0, 0.5, 0.25, 1]) for j in range(4)]
    constraints = [(ones, "<=", 3), (reals, ">=", 0.5, "worth"), (ones, ">=", 1)]
    return pb.Landscape.from_subfunctions(
        5, [ones, reals], ["max", "min"], constraints=constraints
    )


def save_run(landscape: pb.Landscape, path: Path) -> None:
    """Search for a moment, and save what does not depend on the time it took."""
    if landscape.constraints:
        x = [1, 1, 0, 0, 0]
        archive = pb.Archive(landscape.d, landscape.sense)
        archive.report(landscape.evaluate(x), x)
        pb.save_front(archive, landscape, path)
        return
    result = pb.solve(landscape, "multistart", radius=1, max_climbs=4, seed=1)
    trace = result.trace.copy()
    trace[:, 0] = np.arange(len(trace))
    times = {"seconds": 1.0, "setup_seconds": 0.5, "archive_seconds": 0.25}
    replace(result, trace=trace, **times).save(path)


def mutant(files: Sequence[Sound], seed: int, number: int) -> tuple[Sound, bytes]:
    """A file, and what it is spoiled to."""
    rng = np.random.default_rng([seed, number])
    sound = files[int(rng.integers(len(files)))]
    content = sound.path.read_bytes()
    if rng.random() < 0.2:
        return sound, spoiled_bytes(content, rng)
    if sound.path.suffix == ".json":
        return sound, spoiled_json(json.loads(content), rng)
    if sound.path.suffix == ".npz":
        return sound, spoiled_npz(content, rng)
    if sound.path.suffix == ".gz":
        return sound, gzip.compress(spoiled_text(gzip.decompress(content), rng))
    return sound, spoiled_text(content, rng)


# --- Commands.


def outcome(
    files: Sequence[Sound], seed: int, number: int, patience: Patience = PATIENCE
) -> Outcome:
    """Give a mutant to all commands that read such a file."""
    sound, content = mutant(files, seed, number)
    path = sound.path.with_name(f"mutant{''.join(sound.path.suffixes)}")
    path.write_bytes(content)
    parsed, slowest, wrong = False, 0.0, ""
    for command in commands(sound, path, number % DRAWN == 0):
        call = called(command)
        if call.seconds > patience.command:
            call = called(command)  # the first time it may have been compiling
        parsed |= call.code != 2
        slowest = max(slowest, call.seconds)
        wrong = wrong or fault(command, call, patience)
        if command[0] == "info" and not is_searched(call):
            break
    memory = peak_memory()
    if memory > MEMORY and forget_peak():  # it may have been compiling
        for command in commands(sound, path, number % DRAWN == 0):
            called(command)
        memory = peak_memory()
    if memory > MEMORY:
        wrong = wrong or f"takes {memory >> 20} MiB"
    wrong = wrong and f"--seed {seed} --only {number}, of {sound.path.name}: {wrong}"
    return Outcome(number, parsed, slowest, memory, wrong)


def forget_peak() -> bool:
    """Let the peak of memory begin anew, where the system can do that."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_memory() -> int:
    """Bytes that this process has taken at most, since its program began.

    The system's own count includes what its parent had when it started it.
    """
    try:
        said = Path("/proc/self/status").read_text()
        return 1024 * int(re.search(r"VmHWM:\s+([0-9]+) kB", said)[1])
    except (OSError, TypeError):
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def commands(sound: Sound, path: Path, drawn: bool = True) -> Iterator[list[str]]:
    """What to do with a mutant."""
    mutated = str(path)
    if sound.instance is None:
        said = [] if sound.format is None else ["--format", sound.format]
        yield ["info", mutated, *said]
        yield ["convert", mutated, str(path.with_name("converted.npz")), *said]
        yield ["solve", mutated, *said, *SOLVE]
    else:
        instance = str(sound.instance)
        yield ["verify", instance, mutated, "--local", "1"]
        yield ["solve", instance, "--start", mutated, *SOLVE]
        if drawn:
            yield ["plot", mutated, "-o", str(path.with_suffix(".svg"))]


def is_searched(info: Call) -> bool:
    """Whether there is a landscape to search, of a kind that is compiled anyway."""
    found = re.search(r"^objectives d +([0-9]+) ", info.out, re.MULTILINE)
    return info.code == 2 or (found is not None and int(found[1]) <= SEARCHED)


def called(command: list[str]) -> Call:
    """Run a command in this process, with all that it says."""
    began, code = time.perf_counter(), None
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        warnings.catch_warnings(record=True) as doubts,
    ):
        warnings.simplefilter("always")
        try:
            code = cli.main(command)
        except BaseException as error:  # nothing whatsoever may get out
            err.write(f"{error!r} escapes\n")
    told = err.getvalue() + "".join(f"{doubt.message!r}\n" for doubt in doubts)
    return Call(code, out.getvalue(), told, time.perf_counter() - began)


def fault(command: list[str], call: Call, patience: Patience = PATIENCE) -> str:
    """What is wrong with what a command did, if anything is."""
    told = [line for line in call.err.splitlines() if not WARNED.fullmatch(line)]
    said = f"{command[0]} exits with {call.code}: {call.err[:500]!r}"
    if call.code == 2:
        right = len(told) == 1 and told[0].startswith("paretoball: ")
    else:
        right = call.code in ((0, 1) if command[0] == "verify" else (0,)) and not told
    if not right or "Traceback" in call.err or "Unable to allocate" in call.err:
        return said
    if call.seconds > patience.command:
        return f"{command[0]} takes {call.seconds:.1f} s"
    return ""


# --- Processes.


def outcomes(
    folder: Path, seed: int, numbers: Sequence[int], patience: Patience = PATIENCE
) -> Iterator[Outcome]:
    """The outcomes of mutants, from processes that may crash, hang or grow."""
    context = get_context("spawn")
    files, left = sound_files(folder, seed), list(numbers)
    while left:
        receiver, sender = context.Pipe(duplex=False)
        arguments = (sender, files, seed, left, patience)
        child = context.Process(target=serve, args=arguments)
        child.start()
        sender.close()
        try:
            yield from watched(receiver, seed, left, patience)
        finally:
            child.kill()
            child.join()


def serve(
    sender: Any,
    files: list[Sound],
    seed: int,
    numbers: list[int],
    patience: Patience,
) -> None:
    """Tell the outcomes of these mutants, one by one."""
    program: Any = import_module("paretoball.cli.main")
    program._new_parser = cache(program._new_parser)  # it is the same every time
    for number in numbers:
        sender.send(outcome(files, seed, number, patience))


def watched(
    receiver: Any, seed: int, left: list[int], patience: Patience = PATIENCE
) -> Iterator[Outcome]:
    """What a process tells, until it is of no use any more."""
    while left:
        number = left.pop(0)
        lost = Outcome(number, False, 0.0, 0, f"--seed {seed} --only {number}: ")
        found = lost._replace(wrong=f"{lost.wrong}hangs for {patience.mutant:.0f} s")
        try:
            if receiver.poll(patience.mutant):
                found = receiver.recv()
        except EOFError:
            found = lost._replace(wrong=f"{lost.wrong}ends the process")
        yield found
        if found.wrong:
            return


def main() -> int:
    """Look at many mutants, print counts; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of a single mutant")
    parser.add_argument("--folder", type=Path, help="for the files; it must exist")
    options = parser.parse_args()
    numbers = range(options.mutants) if options.only is None else [options.only]
    with tempfile.TemporaryDirectory(dir=disturbed.MEMORY) as scratch:
        folder = options.folder or Path(scratch)
        return summary(options.seed, outcomes(folder, options.seed, numbers))


def summary(seed: int, found: Iterator[Outcome]) -> int:
    """Count what became of mutants, tell every fault at once; 1 if there was one."""
    began = told = time.monotonic()
    mutants = parsed = faults = memory = 0
    slowest = 0.0
    for each in found:
        mutants += 1
        parsed += each.parsed
        faults += bool(each.wrong)
        slowest, memory = max(slowest, each.seconds), max(memory, each.memory)
        if each.wrong:
            print(each.wrong, file=sys.stderr, flush=True)
        if time.monotonic() - told > 10:
            told = time.monotonic()
            print(f"  mutants: {mutants:,}", file=sys.stderr, flush=True)
    counts = {
        "mutants": mutants,
        "parsed": parsed,
        "refused": mutants - parsed,
        "faults": faults,
        "slowest command in seconds": slowest,
        "peak memory in MiB": memory >> 20,
        "seconds": round(time.monotonic() - began),
    }
    tell(f"mutants of seed {seed}", counts)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
