"""rMNK: NK landscapes with several, correlated objectives, as mocobench writes them.

`p rMNK rho M N K`, then `p links`, where N * (K + 1) rows of M variables say what the
subfunctions of each objective read, then `p tables`, where N * 2^(K + 1) rows of M
numbers are their tables. Lines that start with `c` are comments. Variables count from
0, and bit j of an index into a table is the variable of link j.

An objective is the mean of its N tables, maximised. Sums are whole numbers of steps of
the tables, so a unit has N times as many steps, and means are exact, too.
"""

from collections.abc import Iterable
from fractions import Fraction
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
from paretoball.formats.nk import check_distinct, checked_arity, checked_objectives
from paretoball.formats.source import Source
from paretoball.landscape import Landscape, Terms
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import counted

NAME = "rmnk"
TITLE = "rMNK of mocobench: means of N tables, maximised"
SUFFIXES = (".rmnk", ".dat")


def sniff(source: Source) -> bool:
    """Whether its first line says so."""
    return source.text.opening(COMMENT)[:2] == [b"p", b"rMNK"]


def read(source: Source) -> Landscape:
    """The landscape in an rMNK file."""
    parts = taken_apart(source, b"rMNK", "rho M N K", [b"links", b"tables"])
    parts.header.reals(2, 3)
    m, n, K = parts.header.wholes(3).tolist()
    checked_objectives(m, parts.line)
    k = checked_arity(K + 1, parts.line)
    if not 0 <= K < n:
        raise Misplaced(
            parts.line, f"K = {K}, but it must be from 0 to N - 1 = {n - 1}"
        )
    links = rows_of(parts, parts.starts[0], m, n * k)
    masks = links.indices(n, 0).reshape(n, k, m)
    places = np.arange(masks.size).reshape(n, k, m)
    for i in range(m):
        each = masks[:, :, i].ravel(), places[:, :, i].ravel()
        check_distinct(links, each[1], np.arange(0, n * k + 1, k), each[0])
    tables = rows_of(parts, parts.starts[1], m, n << k).reals().reshape(n, 1 << k, m)
    each_objective = [[Terms(masks[:, :, i], tables[:, :, i])] for i in range(m)]
    return Landscape.from_terms(n, each_objective).divided(n)


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write a landscape with n subfunctions of the same arity for each objective."""
    masks, tables = _matrices(landscape)
    d, n, k = masks.shape
    _check_values(landscape, masks, tables)
    file.write(UNKNOWN_RHO)
    file.write(b"p rMNK 0 %d %d %d\np links\n" % (d, n, k - 1))
    file.writelines(_lines(masks.reshape(d, n * k)))
    file.write(b"p tables\n")
    file.writelines(_lines(tables.reshape(d, n << k)))


def _lines(columns: np.ndarray) -> Iterable[bytes]:
    """A line for each place in the columns; floats come back from what is written."""
    words = [list(map(repr, column.tolist())) for column in columns]
    return (" ".join(row).encode() + b"\n" for row in zip(*words))


def _matrices(landscape: Landscape) -> tuple[np.ndarray, np.ndarray]:
    """Masks (d, n, k) and tables (d, n, 2^k) in n-ths of units; or why not."""
    n, d, given = landscape.n, landscape.d, landscape.subfunctions
    check_maximised(landscape, "rMNK")
    for i, count in enumerate(np.bincount(given.objective, minlength=d).tolist()):
        if count != n:
            raise ValueError(
                f"rMNK has a subfunction per variable, {n:,} for each objective, but "
                f"objective {i} has {counted(count, 'subfunction')}"
            )
    arities = np.diff(given.mask_at)
    if arities.min() < 1 or arities.max() > arities.min():
        raise ValueError(
            "all subfunctions of rMNK read as many variables, 1 or more, but here one "
            f"reads {arities.min()} and one {arities.max()}"
        )
    steps = (given.tables.astype(object) * n).reshape(d, -1)
    if max(map(abs, steps.flat)) >= LARGEST_FLOAT:
        raise ValueError("tables have 2**53 steps or more, times n, for a mean")
    tables = steps.astype(np.int64)
    if landscape.real:
        tables = tables / landscape.scale[:, None]
    return given.masks.reshape(d, n, -1), tables.reshape(d, n, -1)


def _check_values(landscape: Landscape, masks: np.ndarray, tables: np.ndarray) -> None:
    """Refuse tables that would be rounded to other steps when they are read."""
    every = [[Terms(*each)] for each in zip(masks, tables)]
    again = Landscape.from_terms(landscape.n, every).divided(landscape.n)
    steps = landscape.subfunctions.tables.reshape(landscape.d, -1)
    new_steps = again.subfunctions.tables.reshape(landscape.d, -1)
    for i, (one, new) in enumerate(zip(landscape.scale, again.scale)):
        ratio = Fraction(one) / Fraction(new)
        if (
            steps[i].astype(object) * ratio.denominator
            != new_steps[i].astype(object) * ratio.numerator
        ).any():
            raise ValueError(
                f"objective {i} has steps of 1/{one:g}, which cannot be told from its "
                "tables: write JSON or npz"
            )
