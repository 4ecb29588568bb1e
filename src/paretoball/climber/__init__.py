"""The hill climber: M^r, scores, and Algorithms 1 and 2. Sections 3 and 4.

- `precision`: how large scores can be
- `weights`: the direction of a climb, as exact integers
- `triangles`, `moves`: M^r, the connected moves of the Hamming ball
- `buckets`: strong moves, w-improving moves, and the rest
- `filing`: each move in the bucket of its scores
- `sharing`: equal stretches of numbers, kept once
- `stencils`, `stencil_writer`: what a flip of one variable changes
- `records`, `rows`: what it changes at radius 1, and Algorithm 1 by that
- `memory_estimate`: the layout of scores, and the memory of a climber, told in advance
- `default_radius`: the radius for those who give none
- `scores`: computeScores, and Algorithm 1
- `climb`: Algorithm 2
- `one_climb`, `climber`: `Climb` and `Climber`
"""

from paretoball.climber.buckets import BEST, NO_MOVE, SELECTIONS, clear
from paretoball.climber.climb import climb, select_strong, select_w_improving
from paretoball.climber.climber import CLIMBS, Climber
from paretoball.climber.default_radius import default_radius, seconds_for_radius_2
from paretoball.climber.filing import file_tier
from paretoball.climber.memory_estimate import (
    by_stencils,
    check_workers,
    climber_memory,
    layout_of,
    layouts_of,
)
from paretoball.climber.moves import checked_radius, count_moves, counted_moves
from paretoball.climber.one_climb import Climb, Reports
from paretoball.climber.precision import score_bounds, score_dtype
from paretoball.climber.records import BY_CLIQUES, RecordMoves, read_rows
from paretoball.climber.rows import BY_ROWS, RowMoves
from paretoball.climber.scores import (
    CLIMB,
    LOGGED,
    REPORTS,
    STEP,
    TAG_OPTIMUM,
    TAG_STEP,
    TAG_UNIT,
    TIER,
    ClimbState,
    MoveSet,
    add_now,
    add_tier,
    file_anew,
    flip,
    is_optimum,
    start_climb,
    start_now,
)
from paretoball.climber.stencils import BY_STENCILS, StencilMoves
from paretoball.climber.weights import WeightSource, integer_weights

__all__ = [
    "BEST",
    "BY_CLIQUES",
    "BY_ROWS",
    "BY_STENCILS",
    "CLIMB",
    "CLIMBS",
    "LOGGED",
    "NO_MOVE",
    "REPORTS",
    "SELECTIONS",
    "STEP",
    "TAG_OPTIMUM",
    "TAG_STEP",
    "TAG_UNIT",
    "TIER",
    "Climb",
    "ClimbState",
    "Climber",
    "MoveSet",
    "RecordMoves",
    "Reports",
    "RowMoves",
    "StencilMoves",
    "WeightSource",
    "add_now",
    "add_tier",
    "by_stencils",
    "check_workers",
    "checked_radius",
    "clear",
    "climb",
    "climber_memory",
    "count_moves",
    "counted_moves",
    "default_radius",
    "file_anew",
    "file_tier",
    "flip",
    "integer_weights",
    "is_optimum",
    "layout_of",
    "layouts_of",
    "read_rows",
    "score_bounds",
    "score_dtype",
    "seconds_for_radius_2",
    "select_strong",
    "select_w_improving",
    "start_climb",
    "start_now",
]
