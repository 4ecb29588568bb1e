"""mUBQP: several QUBO matrices over the same variables, as mocobench writes them.

`p MUBQP rho M N density`, then `p matrices` and N^2 rows of M whole numbers: row
j * N + i has entry (i, j) of the matrix Q of each objective. Lines that start with `c`
are comments. An objective is the full sum x^T Q x, maximised; Q need not be symmetric.
"""

from collections.abc import Iterator
from typing import IO

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.mocobench import (
    COMMENT,
    UNKNOWN_RHO,
    check_maximised,
    rows_of,
    taken_apart,
)
from paretoball.formats.nk import checked_objectives
from paretoball.formats.source import Source
from paretoball.formats.units import whole_units
from paretoball.landscape import EXACT, Landscape, Square, monomials
from paretoball.problems import landscape_of_matrices

NAME = "mubqp"
TITLE = "mUBQP of mocobench"
SUFFIXES = (".mubqp", ".dat")
MOST_NUMBERS = 1 << 25  # of a file that is written: n^2 for each objective


def sniff(source: Source) -> bool:
    """Whether its first line says so."""
    return source.text.opening(COMMENT)[:2] == [b"p", b"MUBQP"]


def read(source: Source) -> Landscape:
    """The landscape in an mUBQP file with its header."""
    parts = taken_apart(source, b"MUBQP", "rho M N density", [b"matrices"])
    parts.header.reals(2, 3)
    parts.header.reals(5)
    m, n = parts.header.wholes(3, 5).tolist()
    checked_objectives(m, parts.line)
    if n < 1:
        raise Misplaced(parts.line, f"N = {n}, but it must be at least 1")
    return from_matrices(n, rows_of(parts, parts.starts[0], m, n * n).numbers())


def from_matrices(n: int, numbers: np.ndarray) -> Landscape:
    """The landscape of matrices whose entries come position by position."""
    return landscape_of_matrices(list(numbers.reshape(n, n, -1).transpose(2, 0, 1)))


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write a landscape of quadratic objectives, as upper triangles."""
    n, d, square = landscape.n, landscape.d, landscape.square
    check_maximised(landscape, "mUBQP")
    _check_numbers(n, d)
    if square is not None and not (landscape.real or square.constant.any()):
        entries = int(landscape.degrees.sum()) // 2 + square.linear.any(axis=1).sum()
        columns = _columns_of(square)
    else:
        masks, factors = _quadratic(landscape)
        entries, columns = len(masks), _columns(n, masks, factors)
    file.write(UNKNOWN_RHO)
    file.write(b"p MUBQP 0 %d %d %.6g\np matrices\n" % (d, n, entries / n**2))
    for column in columns:
        file.writelines(
            b"%b\n" % " ".join(map(str, row)).encode() for row in column.tolist()
        )


def _check_numbers(n: int, d: int) -> None:
    """Refuse to write too large a file."""
    if n * n * d > MOST_NUMBERS:
        raise ValueError(
            f"mUBQP has n^2 numbers for each objective, here {n * n * d:,}, but at "
            f"most {MOST_NUMBERS:,} are written"
        )


def _quadratic(landscape: Landscape) -> tuple[np.ndarray, np.ndarray]:
    """Entries (i, j) by columns, and their numbers (m, d); or the reason why not."""
    d = landscape.d
    constants, *others = monomials(landscape)
    if len(constants.masks):
        i = int(np.argmax(constants.factors[0] != 0))
        constant = constants.factors[0, i] / landscape.scale[i]
        raise ValueError(
            f"mUBQP has no constants, but objective {i} has {constant:.15g}"
        )
    for degree, each in enumerate(others[2:], 3):
        if len(each.masks):
            raise ValueError(
                f"mUBQP has products of 2 variables, but here is one of {degree}: "
                f"{', '.join(map(str, each.masks[0].tolist()))}"
            )
    some = [each for each in others[:2] if len(each.masks)]
    masks = np.concatenate(
        [np.zeros((0, 2), np.int64), *(e.masks[:, [0, -1]] for e in some)]
    )
    steps = np.concatenate([np.zeros((0, d), np.int64), *(e.factors for e in some)])
    columns = [whole_units(landscape, i, steps[:, i], "mUBQP") for i in range(d)]
    factors = np.stack(columns, axis=1)
    for i, size in enumerate(np.abs(factors).astype(object).sum(axis=0).tolist()):
        if size > EXACT:
            raise ValueError(f"the matrix of objective {i} adds up to more than 2**62")
    order = np.lexsort((masks[:, 0], masks[:, 1]))
    return masks[order], factors[order].astype(np.int64)


def _columns_of(square: Square) -> Iterator[np.ndarray]:
    """The numbers of a square, column of the upper triangles by column."""
    for j in range(len(square.linear)):
        column = np.zeros(square.linear.shape, np.int64)
        column[:j], column[j] = square.pairs[j, :j], square.linear[j]
        yield column


def _columns(n: int, masks: np.ndarray, factors: np.ndarray) -> Iterator[np.ndarray]:
    """The same of entries by columns."""
    at = np.searchsorted(masks[:, 1], np.arange(n + 1))
    for j in range(n):
        column = np.zeros((n, factors.shape[1]), np.int64)
        column[masks[at[j] : at[j + 1], 0]] = factors[at[j] : at[j + 1]]
        yield column
