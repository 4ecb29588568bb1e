"""Rows of run files: a front and its solutions as arrays, and back.

Rows ascend by (climb, step). The first row of a climb has its solution as bits, each
other one as flips of the row before.
"""

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
    bases, flips, counts = [], [np.zeros(0, np.int32)], np.zeros(len(order), np.int64)
    for number, at, rows in zip(climbs.tolist(), first, np.split(order, first[1:])):
        trail = trails[number]
        ends = trail.flip_at[np.searchsorted(trail.steps, step[rows]) + 1]
        bases.append(packed_bits(trail.unpacked(step[rows[:1]], n)[0]))
        flips.append(trail.flips[ends[0] : ends[-1]])
        counts[at : at + len(rows)] = np.diff(ends, prepend=ends[0])
    return {
        "F": F[order],
        "climb": climb[order],
        "step": step[order],
        "optimum": optimum[order].astype(np.bool_),
        "base": np.array(bases, np.uint8).reshape(-1, -(-n // 8)),
        "flip_at": offsets(counts),
        "flips": np.concatenate(flips),
    }


def trails_of(rows: Arrays) -> dict[int, Trail]:
    """The trail of each climb that has a row."""
    firsts = np.flatnonzero(np.diff(rows["climb"], prepend=-1))
    trails: dict[int, Trail] = {}
    if len(firsts) == 0:
        return trails
    for at, some in enumerate(np.split(np.arange(len(rows["F"])), firsts[1:])):
        flip_at = rows["flip_at"][some[0] : some[-1] + 2]
        trails[int(rows["climb"][some[0]])] = Trail(
            steps=rows["step"][some],
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
