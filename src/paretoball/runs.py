"""Runs: the file that keeps a result, written whole and read without trust.

`docs/formats.md` specifies it. What passes these checks fits together: every row has a
solution, every solution n bits, every number its kind.
"""

import os
import string
from pathlib import Path
from typing import Any

import numpy as np

from paretoball.landscape import checked_n, checked_sense
from paretoball.storage import (
    PathLike,
    check_keys,
    check_kind,
    content_digest,
    read_npz,
    refusing,
    write_npz,
)
from paretoball.subfunctions import EXACT, brief, is_rising

FORMAT = "paretoball run"
VERSION = 1
TRACE = ("seconds", "moves", "climbs", "size", "hypervolume")
KINDS = {
    "n": int,
    "sense": list,
    "moves": int,
    "climbs": int,
    "seconds": float,
    "setup_seconds": float,
    "status": str,
    "config": dict,
    "reference": list,
    "landscape": str,
}
LATER = {"archive_seconds": float, "bounded": bool}  # not in files of earlier versions
RESUME = {"climbs": int, "moves": int, "every": float}  # what a checkpoint says besides
EXTRAS = {"instance": np.uint8, "starts": np.uint8}  # and its arrays
ROUND = {"round_weights": np.int64, "round_solutions": np.uint8}  # of paths, besides
DTYPES = {
    "F": (np.int64, np.float64),
    "climb": (np.int64,),
    "step": (np.int64,),
    "optimum": (np.bool_,),
    "base": (np.uint8,),
    "flip_at": (np.int64,),
    "flips": (np.int32,),
    "trace": (np.float64,),
}


def write_run(
    path: PathLike, header: dict[str, Any], arrays: dict[str, np.ndarray]
) -> None:
    """Write a run to an `.npz` file, whole or not at all."""
    write_npz(checked_path(path), stamped(header), arrays)


def write_checkpoint(
    path: PathLike,
    header: dict[str, Any],
    arrays: dict[str, np.ndarray],
    keep: bool = True,
) -> None:
    """Write a run with what it takes to go on, and keep the file that was there."""
    whole = stamped(header)
    whole["checksum"] = content_digest(whole, arrays)
    previous = previous_path(path) if keep else None
    write_npz(checked_path(path), whole, arrays, previous)


def previous_path(path: PathLike) -> Path:
    """Where the last but one checkpoint is."""
    return Path(os.path.realpath(path)).with_suffix(".previous.npz")


def checked_path(path: PathLike) -> PathLike:
    """A path that a run can have."""
    if not str(path).endswith(".npz"):
        raise ValueError(f"{path}: a run is saved in a file named .npz")
    return path


def stamped(header: dict[str, Any]) -> dict[str, Any]:
    """The header with what says that it is one of a run."""
    return {"format": FORMAT, "version": VERSION, **header}


def read_run(path: PathLike) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of a run or a checkpoint, if they fit together."""
    header, arrays = read_npz(path, FORMAT, VERSION)
    with refusing(path):
        optional = {*LATER, "resume", "checksum"}
        check_keys(header, "the header", {"format", "version", *KINDS}, optional)
        check_keys(arrays, "the archive", set(DTYPES), EXTRAS.keys() | ROUND.keys())
        if "resume" in header:
            check_resume(header, arrays)
        check_header(header)
        check_shapes(header["n"], len(header["sense"]), arrays)
        check_rows(arrays)
        check_solutions(header["n"], arrays)
    return header, arrays


def check_resume(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """A checkpoint is as it was written, and has all that others lack."""
    check_kind(header, "resume", dict)
    kinds: dict[str, Any] = dict(RESUME)
    dtypes: dict[str, Any] = dict(EXTRAS)
    if "round" in header["resume"]:
        kinds |= {"round": int}
        dtypes |= ROUND
    check_keys(header["resume"], "resume", set(kinds))
    for key, kind in kinds.items():
        check_kind(header["resume"], key, kind)
        if not 0 <= header["resume"][key] < 2**63:
            raise ValueError(f"{key} is {brief(header['resume'][key])} in resume")
    check_keys(arrays, "the archive", {*DTYPES, *dtypes})
    for name, dtype in dtypes.items():
        if arrays[name].dtype != dtype:
            right = np.dtype(dtype).name
            raise TypeError(f"{name} holds {arrays[name].dtype}, not {right}")
    signed = {key: value for key, value in header.items() if key != "checksum"}
    if header.get("checksum") != content_digest(signed, arrays):
        raise ValueError("its checksum is not that of its content: it is damaged")


def check_header(header: dict[str, Any]) -> None:
    """Every field of the header is of its kind and in its range."""
    for key, kind in (KINDS | LATER).items():
        if key in header:
            check_kind(header, key, kind)
    checked_n(header["n"])
    d = len(header["sense"])
    checked_sense(header["sense"], d)
    numbers = ("moves", "climbs", "seconds", "setup_seconds", "archive_seconds")
    for key in numbers:
        if not 0 <= header.get(key, 0) < 2**63:
            raise ValueError(f"{key} is {brief(header[key])}, which nothing can last")
    if len(header["reference"]) != d:
        raise ValueError(f"reference is {brief(header['reference'])}, but d = {d}")
    for number in header["reference"]:
        check_kind({"reference": number}, "reference", float)
    digest = header["landscape"]
    if len(digest) != 64 or set(digest) - set(string.hexdigits.lower()):
        raise ValueError(f"landscape is {brief(digest)}, not a digest")


def check_shapes(n: int, d: int, arrays: dict[str, np.ndarray]) -> None:
    """The arrays have the dtypes and shapes of a run."""
    for name, dtypes in DTYPES.items():
        if arrays[name].dtype not in dtypes:
            right = " or ".join(np.dtype(each).name for each in dtypes)
            raise TypeError(f"{name} holds {arrays[name].dtype}, not {right}")
    rows = len(arrays["F"]) if arrays["F"].ndim else 0
    if rows == 0:
        raise ValueError("F has no rows, but a run has at least one solution")
    if arrays["climb"].shape != (rows,):
        raise ValueError(f"climb has shape {arrays['climb'].shape}, not ({rows},)")
    climbs = len(np.unique(arrays["climb"]))
    shapes: dict[str, tuple[int, ...]] = {
        "F": (rows, d),
        "step": (rows,),
        "optimum": (rows,),
        "base": (climbs, -(-n // 8)),
        "flip_at": (rows + 1,),
        "flips": (arrays["flips"].size,),
        "trace": (arrays["trace"].size // len(TRACE), len(TRACE)),
    }
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise ValueError(f"{name} has shape {arrays[name].shape}, not {shape}")


def check_rows(arrays: dict[str, np.ndarray]) -> None:
    """Objectives are numbers, and rows ascend by climb, then step, none twice."""
    F, climb, step = arrays["F"], arrays["climb"], arrays["step"]
    if not (np.isfinite(F) & (F >= -EXACT) & (F <= EXACT)).all():
        raise ValueError("F holds what is not a finite number from -2**62 to 2**62")
    if not np.isfinite(arrays["trace"][:, :-1]).all():
        raise ValueError("trace holds what is not a finite number")
    if climb.min() < 0 or step.min() < 0:
        raise ValueError("climb or step holds a negative number")
    forward = (climb[1:] > climb[:-1]) | (
        (climb[1:] == climb[:-1]) & (step[1:] > step[:-1])
    )
    if not forward.all():
        row = int(np.argmin(forward))
        raise ValueError(
            f"climb {climb[row + 1]}, step {step[row + 1]} comes after climb "
            f"{climb[row]}, step {step[row]}, but rows ascend and none is there twice"
        )


def check_solutions(n: int, arrays: dict[str, np.ndarray]) -> None:
    """Every row has a solution of n bits."""
    flip_at, flips, base = arrays["flip_at"], arrays["flips"], arrays["base"]
    if flip_at[0] != 0 or flip_at[-1] != len(flips) or not is_rising(flip_at):
        raise ValueError(f"flip_at does not divide {len(flips)} flips into rows")
    if len(flips) and not 0 <= flips.min() <= flips.max() < n:
        raise ValueError(f"flips hold a variable that is not one of 0 to {n - 1}")
    first = np.flatnonzero(np.diff(arrays["climb"], prepend=-1))
    if (flip_at[first] != flip_at[first + 1]).any():
        raise ValueError("flips belong to the first row of a climb, which has a base")
    if n % 8 and (base[:, -1] >> (n % 8)).any():
        raise ValueError(f"base has bits beyond the n = {n} of a solution")
