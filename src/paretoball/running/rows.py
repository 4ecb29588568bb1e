"""Rows of run files: a front and its solutions as arrays, and back.

Rows ascend by (climb, step). The first row of a climb has its solution as bits, each
other one as flips of the row before.
"""

from collections.abc import Iterator

import numpy as np

from paretoball.archive import Trail
from paretoball.landscape import Front, packed_bits
from paretoball.numerics import offsets
from paretoball.running.run_file import Arrays


def packed_rows(
    F: np.ndarray,
    climb: np.ndarray,
    step: np.ndarray,
    optimum: np.ndarray,
    trails: dict[int, Trail],
    n: int,
) -> Arrays:
    """The arrays of a run file that hold these rows."""
    order = np.lexsort((step, climb))
    climbs, first = np.unique(climb[order], return_index=True)
    base = np.empty((len(climbs), -(-n // 8)), np.uint8)
    flips, counts = [np.zeros(0, np.int32)], np.zeros(len(order), np.int64)
    for at, (number, begin, end) in enumerate(_spans(climbs, first, len(order))):
        trail = trails[number]
        if len(trail.steps) == 1:
            base[at] = trail.base
            continue
        steps = step[order[begin:end]]
        ends = trail.flip_at[np.searchsorted(trail.steps, steps) + 1]
        base[at] = packed_bits(trail.unpacked(steps[:1], n)[0])
        flips.append(trail.flips[ends[0] : ends[-1]])
        counts[begin:end] = np.diff(ends, prepend=ends[0])
    return {
        "F": F[order],
        "climb": climb[order],
        "step": step[order],
        "optimum": optimum[order].astype(np.bool_),
        "base": base,
        "flip_at": offsets(counts),
        "flips": np.concatenate(flips),
    }


def _spans(
    climbs: np.ndarray, first: np.ndarray, rows: int
) -> Iterator[tuple[int, int, int]]:
    """Each climb with its first row, and the one after its last."""
    begins = first.tolist()
    return zip(climbs.tolist(), begins, [*begins[1:], rows])


def trails_of(rows: Arrays) -> dict[int, Trail]:
    """The trail of each climb that has a row."""
    first = np.flatnonzero(np.diff(rows["climb"], prepend=-1))
    trails: dict[int, Trail] = {}
    spans = _spans(rows["climb"][first], first, len(rows["F"]))
    for at, (number, begin, end) in enumerate(spans):
        flip_at = rows["flip_at"][begin : end + 1]
        trails[number] = Trail(
            steps=rows["step"][begin:end],
            base=rows["base"][at],
            flip_at=flip_at - flip_at[0],
            flips=rows["flips"][flip_at[0] : flip_at[-1]],
        )
    return trails


def rows_of(front: Front) -> Arrays:
    """The rows of any front: each is a climb of its own, without a move."""
    F = np.asarray(front.F)
    kind = np.float64 if F.dtype.kind == "f" else np.int64
    count = len(F)
    return {
        "F": F.astype(kind),
        "climb": np.arange(count),
        "step": np.zeros(count, np.int64),
        "optimum": np.zeros(count, np.bool_),
        "base": packed_bits(np.asarray(front.X)),
        "flip_at": np.zeros(count + 1, np.int64),
        "flips": np.zeros(0, np.int32),
    }
