"""The climber: what depends on the problem alone, computed once for all climbs."""

from typing import Any

import numpy as np

from paretoball.climber.buckets import SELECTIONS, new_buckets
from paretoball.climber.memory_estimate import plan_within_memory
from paretoball.climber.moves import Forest, Moves, checked_radius
from paretoball.climber.one_climb import Climb
from paretoball.climber.precision import score_bounds, score_dtype
from paretoball.climber.records import (
    BY_CLIQUES,
    RecordMoves,
    RecordReading,
    affected_by_cliques,
)
from paretoball.climber.rows import (
    BY_ROWS,
    RowMoves,
    RowReading,
    affected_by_rows,
    f_at_zero,
)
from paretoball.climber.scores import CLOCK, TAGS, ClimbState, MoveSet, Notes, Reading
from paretoball.climber.stencil_writer import write_stencils
from paretoball.climber.stencils import (
    ENTRIES,
    PIECES,
    ROWS,
    StencilMoves,
    StencilReading,
    longest_sections,
)
from paretoball.landscape import Cliques, Landscape, check_unconstrained, no_cliques
from paretoball.numerics import one_seed
from paretoball.system import Pulse, brief, checked_choice, counted, nothing

CLIMBS = ("full", "strong-only")
UNROLLED = (1, 2, 3)  # for these numbers of objectives, climbs unroll their loops


class Climber:
    """The hill climber for one landscape and radius: the problem-dependent set-up.

    Parameters
    ----------
    selection
        `"uniform"` is the paper's rule: any of the smallest strong moves, or else any
        of the smallest w-improving moves, all equally likely. `"next"` is the same for
        up to 4,096 such moves; if there are more, it takes one of the 4,096 at the end
        of their list, which is faster on large landscapes. `"best"` approximates best
        improvement: it takes a strong move, or else a w-improving one, from the bucket
        of the largest gains. A bucket holds the w-scores of one bit length, so the move
        taken gains more than half as much as the best one of its kind.
    climb
        `"full"` is Algorithm 2. `"strong-only"` ends a climb when no strong move is
        left, and takes no w-improving move; it is for comparison. Such a climb may end
        at a solution that is no local optimum of the ball, because a move that is not
        connected, and so not stored, may be strong.
    pulse
        Called now and then during set-up; an exception that it raises ends the set-up.

    Raises
    ------
    MemoryError
        If the moves would not fit in memory, before they are stored.

    Examples
    --------
    >>> landscape = Landscape.from_subfunctions(2, [[((0, 1), [0, 1, 1, 4])]])
    >>> climber = Climber(landscape, radius=1)
    >>> climber.start([0, 0], weights=[1]).run().fx.tolist()
    [4]
    """

    def __init__(
        self,
        landscape: Landscape,
        radius: int,
        selection: str = "next",
        pulse: Pulse = nothing,
        climb: str = "full",
    ):
        if not isinstance(landscape, Landscape):
            raise TypeError(f"{brief(landscape)} is not a Landscape")
        check_unconstrained(landscape.constraints, "a Climber")
        self.radius = checked_radius(radius)
        self.selection = checked_choice("selection", selection, SELECTIONS)
        self.climb = checked_choice("climb", climb, CLIMBS)
        self.landscape = landscape
        self.bounds = score_bounds(landscape, self.radius)
        dtype = score_dtype(landscape, self.radius)
        layout, forest = plan_within_memory(landscape, self.radius, pulse)
        laid_out = _laid_out(landscape, layout, forest, dtype, pulse)
        self.cliques, self.move_set = laid_out
        self.moves = Moves(forest)

    @property
    def nbytes(self) -> int:
        """The bytes of moves, tables, and what flips change, lent or not; no climbs."""
        tier_at, flips, change = self.move_set
        arrays = (tier_at, flips, *change, *self.cliques)
        return sum(np.asarray(array).nbytes for array in arrays)

    def start(
        self, x: Any = None, weights: Any = None, seed: Any = None, rng: Any = None
    ) -> Climb:
        """A climb from x, or from a random solution, in the direction of `weights`.

        Without `weights`, all objectives have weight 1. `seed` and `rng` are two names
        of one argument.
        """
        return Climb(self, x, weights, one_seed(seed, rng))

    def new_state(self, journal: int, reports: int) -> ClimbState:
        """Room for one climb, with `journal` moves and `reports` reports."""
        n, d, size = self.landscape.n, self.landscape.d, len(self.moves)
        dtype, strong_only = self.cliques.tables.dtype, self.climb == "strong-only"
        reading, most = self._new_reading(dtype)
        return ClimbState(
            objectives=(0,) * d if d in UNROLLED else np.zeros(d, np.int8),
            x=np.zeros(n, np.uint8),
            fx=np.zeros(d, np.int64),
            w=np.ones(d, np.int64),
            scores=np.zeros(size * d, dtype),
            reading=reading,
            buckets=new_buckets(size, self.radius, self.selection, strong_only, most),
            rng=np.ones(2, np.int64),
            clock=np.zeros(CLOCK, np.int64),
            journal=np.zeros(journal, np.int32),
            notes=Notes(*(np.zeros((reports, e), np.int64) for e in (d, TAGS))),
        )

    def _new_reading(self, dtype: np.dtype) -> tuple[Reading, int]:
        """Room for what a climb reads, and for the moves that a flip affects."""
        n, d, moves = self.landscape.n, self.landscape.d, self.move_set
        most = int(self.landscape.degrees.max()) + 2
        if isinstance(moves, RowMoves):
            signs = np.zeros(n * d, np.int8)
            return RowReading(signs), n + 1 if moves.affected.is_whole.any() else most
        here = np.zeros(len(self.cliques.mask_at) - 1, np.uint32)
        if isinstance(moves, RecordMoves):
            return RecordReading(here), most
        longest = longest_sections(moves.stencils)
        slots = int(np.diff(self.cliques.reader_at).max())
        lengths = slots, longest[ROWS], 2 * longest[PIECES]
        vectors = (np.zeros(length * d, dtype) for length in lengths)
        slot_here, slot_bit = np.zeros((2, slots), np.uint32)
        reading = StencilReading(here, slot_here, slot_bit, *vectors)
        return reading, int(longest[ENTRIES]) + 1

    def __repr__(self) -> str:
        return (
            f"Climber({self.landscape!r}, radius={self.radius}, "
            f"selection={self.selection!r}, climb={self.climb!r}): "
            f"{counted(len(self.moves), 'move')}"
        )


def _laid_out(
    landscape: Landscape, layout: int, forest: Forest, dtype: np.dtype, pulse: Pulse
) -> tuple[Cliques, MoveSet]:
    """The cliques as kernels see them, and M^r with what flips change."""
    moves: MoveSet
    stored = forest.tier_at, forest.flips
    if layout == BY_ROWS:
        moves = RowMoves(*stored, affected_by_rows(landscape, dtype))
        cliques = no_cliques(landscape.n, f_at_zero(landscape))
    elif layout == BY_CLIQUES:
        moves = RecordMoves(*stored, affected_by_cliques(landscape, dtype))
        cliques = landscape.cliques._replace(constant=f_at_zero(landscape))
    else:
        moves = StencilMoves(*stored, write_stencils(landscape, forest, pulse))
        cliques = landscape.cliques
    return cliques._replace(tables=cliques.tables.astype(dtype).ravel()), moves
