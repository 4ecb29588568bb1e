"""The run file: a front with its solutions and how it was found, read without trust.

`docs/formats.md` specifies it. What passes these checks fits together: every row has a
solution, every solution n bits, every number its kind.
"""

import os
import string
from pathlib import Path
from typing import Any

import numpy as np

from paretoball import __version__
from paretoball.formats import (
    NAMING,
    OtherVersion,
    PathLike,
    check_is_path,
    check_keys,
    check_kind,
    content_digest,
    labels_in,
    names_in,
    read_npz,
    refusing,
    write_npz,
)
from paretoball.landscape import EXACT, check_senses, checked_n, checked_sense
from paretoball.numerics import is_rising
from paretoball.running.options import NAMES
from paretoball.search import METHODS, Method, method_named
from paretoball.system import brief, checked_whole, counted, printable

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
PROGRAM = "program"  # the key that says which version of the package wrote the file
NEAREST = "nearest"  # the key and the array of a run without a feasible solution
LATER = {"archive_seconds": float, "bounded": bool}  # not in files of earlier versions
RESUME = {"climbs": int, "moves": int, "every": float}  # only in checkpoints
EXTRAS = {"instance": "uint8", "starts": "uint8"}  # arrays, only in checkpoints
SETTLED = "settled_"  # the prefix of arrays with settled rows that loose rows dominate
ROWS = {  # the arrays that hold rows, with what each may be
    "F": ("int64", "float64"),
    "climb": ("int64",),
    "step": ("int64",),
    "optimum": ("bool",),
    "base": ("uint8",),
    "flip_at": ("int64",),
    "flips": ("int32",),
}
DTYPES = {**ROWS, "trace": ("float64",)}

Arrays = dict[str, np.ndarray]


def write_run(path: PathLike, header: dict[str, Any], arrays: Arrays) -> None:
    """Write a run to an `.npz` file, whole or not at all."""
    write_npz(checked_path(path), stamped(header), arrays)


def write_checkpoint(
    path: PathLike,
    header: dict[str, Any],
    arrays: Arrays,
    keep: bool = True,
) -> None:
    """Write a run with what it takes to go on, and keep the file that was there."""
    whole = stamped(header)
    whole["checksum"] = content_digest(whole, arrays)
    previous = previous_path(path) if keep else None
    write_npz(checked_path(path), whole, arrays, previous)


def previous_path(path: PathLike) -> Path:
    """Where the checkpoint before the latest is."""
    return Path(os.path.realpath(path)).with_suffix(".previous.npz")


def checked_path(path: PathLike) -> PathLike:
    """A path that a run can have."""
    check_is_path(path)
    if not str(path).endswith(".npz"):
        name = printable(str(path))
        raise ValueError(f"{name}: a run is saved in a file named .npz")
    return path


def stamped(header: dict[str, Any]) -> dict[str, Any]:
    """The header with the format and version of run files, and who writes it."""
    return {"format": FORMAT, "version": VERSION, PROGRAM: _program(), **header}


def _program() -> str:
    """This version of the package."""
    return f"paretoball {__version__}"


def check_program(header: dict[str, Any]) -> None:
    """Refuse a run of another version with options that are not those of this one.

    Nobody can say whether it is right. One that this version wrote is wrong.
    """
    writer, config = header.get(PROGRAM, _program()), header["config"]
    if writer == _program() or config.get("method") not in list(METHODS):
        return
    for name in sorted(config.keys() ^ set(NAMES)):
        what = "has the option" if name in config else "lacks the option"
        raise OtherVersion(
            f"{brief(writer)} wrote it, and it {what} {brief(name)}, but this is "
            f"{_program()}"
        )


def read_run(path: PathLike) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of a run or a checkpoint, if they fit together."""
    header, arrays = read_npz(path, FORMAT, VERSION)
    with refusing(path):
        _check_names(header)
        _check_header(header)
        if "resume" in header:
            _check_resume(header, arrays)
        else:
            check_keys(arrays, "the archive", {*DTYPES, *_nearest_array(header)})
        _check_rows(header, arrays)
        if NEAREST in header:
            _check_nearest(header, arrays)
        _check_trace(arrays["trace"])
        if SETTLED + "F" in arrays:
            _check_settled(header, settled_rows(arrays))
    return header, arrays


def _check_names(header: dict[str, Any]) -> None:
    """The header has its keys; if another version has others, it is told."""
    optional = {*LATER, *NAMING, "resume", "checksum", "constraints", NEAREST, PROGRAM}
    writer = header.get(PROGRAM, _program())
    try:
        check_keys(header, "the header", {"format", "version", *KINDS}, optional)
    except ValueError as error:
        if writer == _program():
            raise
        said = f"{brief(writer)} wrote it, and this is {_program()}: {error}"
        raise OtherVersion(said) from None


def settled_rows(arrays: Arrays) -> Arrays:
    """The further rows of a checkpoint, under the names of rows; nothing if none."""
    return {name: arrays[SETTLED + name] for name in ROWS if SETTLED + name in arrays}


def _check_resume(header: dict[str, Any], arrays: Arrays) -> None:
    """A checkpoint is as it was written, and has what it takes to go on."""
    check_kind(header, "resume", dict)
    method = _method_of(header)
    kinds = RESUME | dict.fromkeys(method.kept_numbers, int)
    check_keys(header["resume"], "resume", set(kinds))
    for key, kind in kinds.items():
        check_kind(header["resume"], key, kind)
        if not 0 <= header["resume"][key] < 2**63:
            raise ValueError(f"{key} is {brief(header['resume'][key])} in resume")
    if header["resume"]["every"] == 0:
        raise ValueError("every is 0 in resume; a time between checkpoints is above 0")
    dtypes = EXTRAS | dict(method.kept_arrays)
    further = {SETTLED + name for name in ROWS}
    further = further if further & arrays.keys() else set()
    further |= _nearest_array(header)
    check_keys(arrays, "the archive", {*DTYPES, *dtypes, *further})
    for name, dtype in dtypes.items():
        _check_dtype(name, arrays[name], (dtype,))
    signed = {key: value for key, value in header.items() if key != "checksum"}
    if header.get("checksum") != content_digest(signed, arrays):
        raise ValueError("its checksum is not that of its content: it is damaged")


def _method_of(header: dict[str, Any]) -> Method:
    """The search method that a header names."""
    return method_named(header["config"].get("method"))


def _check_header(header: dict[str, Any]) -> None:
    """Every field of the header is of its kind and in its range."""
    for key, kind in (KINDS | LATER | {PROGRAM: str}).items():
        if key in header:
            check_kind(header, key, kind)
    d = len(header["sense"])
    checked_sense(header["sense"], d)
    check_senses(header["sense"])
    labels_in(header, checked_n(header["n"]))
    names_in(header, d)
    for key in ("moves", "climbs"):
        if not 0 <= header[key] < 2**63:
            raise ValueError(f"{key} is {brief(header[key])}; a count is 0 or more")
    for key in ("seconds", "setup_seconds", "archive_seconds"):
        if not 0 <= header.get(key, 0) < 2**63:
            raise ValueError(f"{key} is {brief(header[key])}; a duration is 0 or more")
    if len(header["reference"]) != d:
        raise ValueError(f"reference is {brief(header['reference'])}, but d = {d}")
    for number in header["reference"]:
        check_kind({"reference": number}, "reference", float)
    if "constraints" in header:
        checked_whole("constraints", header["constraints"], 1)
    digest = header["landscape"]
    if len(digest) != 64 or set(digest) - set(string.hexdigits.lower()):
        raise ValueError(f"landscape is {brief(digest)}, not a digest")


def _check_dtype(name: str, array: np.ndarray, dtypes: tuple[str, ...]) -> None:
    if array.dtype.name not in dtypes:
        raise TypeError(f"{name} holds {array.dtype}, not {' or '.join(dtypes)}")


def _check_shape(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, not {shape}")


def _check_trace(trace: np.ndarray) -> None:
    """The trace has its columns, and numbers in all but the last."""
    _check_dtype("trace", trace, DTYPES["trace"])
    _check_shape("trace", trace, (trace.size // len(TRACE), len(TRACE)))
    if not np.isfinite(trace[:, :-1]).all():
        raise ValueError("trace holds what is not a finite number")


def _check_rows(header: dict[str, Any], rows: Arrays) -> None:
    """Rows have numbers, an order, and a solution each."""
    n, d = header["n"], len(header["sense"])
    for name, dtypes in ROWS.items():
        _check_dtype(name, rows[name], dtypes)
    count = len(rows["F"]) if rows["F"].ndim else 0
    if count == 0 and "constraints" not in header:
        raise ValueError("F has no rows, but a run has at least one solution")
    _check_shape("climb", rows["climb"], (count,))
    climbs = len(np.unique(rows["climb"]))
    shapes: dict[str, tuple[int, ...]] = {
        "F": (count, d),
        "step": (count,),
        "optimum": (count,),
        "base": (climbs, -(-n // 8)),
        "flip_at": (count + 1,),
        "flips": (rows["flips"].size,),
    }
    for name, shape in shapes.items():
        _check_shape(name, rows[name], shape)
    _check_numbers(rows)
    _check_solutions(n, rows)


def _nearest_array(header: dict[str, Any]) -> set[str]:
    """The array that the nearest solution is in, if there is one."""
    return {NEAREST} & header.keys()


def _check_nearest(header: dict[str, Any], arrays: Arrays) -> None:
    """The nearest solution has n bits, d objectives and a violation per constraint."""
    if len(arrays["F"]) or "constraints" not in header:
        raise ValueError("nearest is of runs with constraints that found no solution")
    check_keys(header[NEAREST], NEAREST, {"fx", "violation"})
    sizes = {"fx": len(header["sense"]), "violation": header["constraints"]}
    for key, size in sizes.items():
        check_kind(header[NEAREST], key, list)
        if len(header[NEAREST][key]) != size:
            raise ValueError(f"{key} of nearest is not a list of {size:,} numbers")
        for number in header[NEAREST][key]:
            check_kind({key: number}, key, float)
    _check_dtype(NEAREST, arrays[NEAREST], ("uint8",))
    _check_shape(NEAREST, arrays[NEAREST], (-(-header["n"] // 8),))
    check_no_bits_beyond(NEAREST, arrays[NEAREST], header["n"])


def _check_settled(header: dict[str, Any], rows: Arrays) -> None:
    """The further rows of a checkpoint are right, too."""
    try:
        _check_rows(header, rows)
    except (ValueError, TypeError) as error:
        raise type(error)(f"of its further rows, {SETTLED}{error}") from None


def _check_numbers(rows: Arrays) -> None:
    """Objectives are numbers, and rows ascend by climb, then step, none twice."""
    F, climb, step = rows["F"], rows["climb"], rows["step"]
    if not (np.isfinite(F) & (F >= -EXACT) & (F <= EXACT)).all():
        raise ValueError("F holds what is not a finite number from -2**62 to 2**62")
    if climb.min(initial=0) < 0 or step.min(initial=0) < 0:
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


def _check_solutions(n: int, rows: Arrays) -> None:
    """Every row has a solution of n bits."""
    flip_at, flips, base = rows["flip_at"], rows["flips"], rows["base"]
    if flip_at[0] != 0 or flip_at[-1] != len(flips) or not is_rising(flip_at):
        raise ValueError(
            f"flip_at does not divide {counted(len(flips), 'flip')} into rows"
        )
    if len(flips) and not 0 <= flips.min() <= flips.max() < n:
        raise ValueError(f"flips hold a variable that is not one of 0 to {n - 1}")
    first = np.flatnonzero(np.diff(rows["climb"], prepend=-1))
    if (flip_at[first] != flip_at[first + 1]).any():
        raise ValueError("flips belong to the first row of a climb, which has a base")
    check_no_bits_beyond("base", base, n)


def check_no_bits_beyond(name: str, packed: np.ndarray, n: int) -> None:
    """Refuse packed solutions with a bit that is no variable's."""
    if n % 8 and (packed[..., -1] >> (n % 8)).any():
        raise ValueError(f"{name} has bits beyond the n = {n} of a solution")
