"""Climbers of radius 1 with a layout of one's choice."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import paretoball as pb
from paretoball.climber import (
    BY_CLIQUES,
    BY_ROWS,
    BY_STENCILS,
    RecordMoves,
    RowMoves,
    StencilMoves,
    memory_estimate,
    rows,
)

# For `rows.DENSE`: no row is whole; some are; all of variables with neighbours are.
SPARSE, MIXED, WHOLE = 1, 3, 10**9
# Layouts, each with a `rows.DENSE`.
GENERAL = ((BY_STENCILS, MIXED), (BY_CLIQUES, MIXED))
QUADRATIC = (*GENERAL, *((BY_ROWS, dense) for dense in (SPARSE, MIXED, WHOLE)))


def used_layout(climber: pb.Climber) -> int:
    """The layout that a climber has."""
    kinds = StencilMoves, RecordMoves, RowMoves
    return (BY_STENCILS, BY_CLIQUES, BY_ROWS)[kinds.index(type(climber.move_set))]


@contextmanager
def only(layout: int, dense: int = rows.DENSE) -> Iterator[None]:
    """Let climbers of radius 1 have this layout; BY_ROWS only where f is quadratic."""
    with pytest.MonkeyPatch.context() as patch:
        pays = 10**9 if layout == BY_CLIQUES else -1
        patch.setattr(memory_estimate, "RECORDS_PAY", pays)
        patch.setattr(rows, "DENSE", dense)
        if layout != BY_ROWS:
            patch.setattr(memory_estimate, "_has_rows", lambda *_: False)
        yield


def climber_by(
    layout: int,
    landscape: pb.Landscape,
    selection: str = "next",
    dense: int = rows.DENSE,
) -> pb.Climber:
    """A climber of radius 1 with this layout."""
    with only(layout, dense):
        climber = pb.Climber(landscape, 1, selection)
    assert used_layout(climber) == layout
    return climber


def every_climber(landscape: pb.Landscape, selection: str = "next") -> list[pb.Climber]:
    """A climber of radius 1 for each layout that the landscape can have."""
    layouts = QUADRATIC if landscape.k <= 2 else GENERAL
    return [climber_by(layout, landscape, selection, e) for layout, e in layouts]
