"""Faults of files: checkpoints and compiled kernels that are damaged."""

import hashlib
import random
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from disturbed import (
    LATE,
    MEMORY,
    SEED,
    SHORT,
    Tally,
    fingerprint,
    new_folder,
    started,
    tally,
    undisturbed,
)

import paretoball as pb
from paretoball import _jit
from paretoball.archive.archive import Found
from paretoball.landscape.digest import landscape_digest
from paretoball.running.checkpoint import Saved, read_checkpoint
from paretoball.running.run_file import previous_path, read_run


class Generations(NamedTuple):
    """A checkpoint and the one before it, as bytes and as they should be read."""

    latest: bytes
    previous: bytes
    states: tuple[str, str]  # of the latest, of the one before


@cache
def generations() -> Generations:
    """Two checkpoints of one run; in the latest, a path is not finished."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "run.npz")
        start = np.random.default_rng(1).integers(0, 2, (3, SHORT.n))
        how = {"seed": SEED, "start": start, "checkpoint": path}
        finished = pb.solve(SHORT.landscape(), max_climbs=3, **how)
        pb.solve(SHORT.landscape(), max_moves=finished.moves + 5000, **how)
        saved = read_checkpoint(path)
        assert saved.loose.points.size
        assert "settled_F" in read_run(path)[1]
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
        (saved.units, saved.moves, saved.every, saved.seconds),
        [points_in(found) for found in (saved.settled, saved.loose)],
        saved.kept.numbers,
        {name: array.tolist() for name, array in saved.kept.arrays.items()},
        (result.climbs, result.moves, result.status, result.config, result.bounded),
        (result.sense, result.reference.tolist(), result.trace.tolist()),
        result.archive_seconds,
    )
    return repr(facts)


def points_in(found: Found) -> list[list]:
    """All that some units have found, but for their trails."""
    return [column.tolist() for column in found.points]


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
                wrong += [] if both else [f"the one before is whole, but {error}"]
            else:
                said = [str(each.message) for each in told]
                seen, wrong = wrong_state(found, said, path)
        wrong += wrong_load(path)
    where = f"damage({number}), {how}"
    told = [seen, f"{how.split()[0]}: {seen}"]
    return tally(told, [f"{where}: {each}" for each in wrong])


def wrong_state(found: str, said: list[str], path: Path) -> tuple[str, list[str]]:
    """Which state was found, and what is wrong with it or with what was said of it."""
    states = generations().states
    if found not in states:
        return "wrong", ["a state that never was"]
    which = states.index(found)
    wrong = [] if len(said) == which else [f"warnings are {said}"]
    for line in said:
        wrong += unclear(line, path)
    return ("latest", "one before")[which], wrong


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


def wrong_load(path: Path) -> list[str]:
    """What is wrong with loading the file as a run."""
    try:
        found = pb.load(path)
    except (OSError, ValueError, MemoryError):
        return []
    is_whole = fingerprint(found) in generations().states[0]
    return [] if is_whole else ["load read what never was"]


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
            folder / "instance.npz",
            *case.words(),
            "--seed",
            SEED,
            "--quiet",
        ]
        twins = [started([str(w) for w in (*options, "-o", f)], **cold) for f in files]
        for process, path in zip(twins, files):
            _, err = process.communicate(timeout=LATE)
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
