"""What happens in a unit, by brute force: escapes, offspring and fillings, by numbers.

Landscapes have two objectives unless told otherwise, one to maximise and one to
minimise, and small tables, so that kernels are compiled once.
"""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

import naive
import paretoball as pb
from landscapes import built, random_pairs, random_plain, random_solution
from layouts import every_climber, used_layout
from paretoball._jit import kernel
from paretoball.climber import BY_ROWS, NO_MOVE, ClimbState
from paretoball.climber.scores import REPORTS, TAG_OPTIMUM, TAG_STEP, TAG_UNIT
from paretoball.landscape import unpacked_bits
from paretoball.search.method import Asked
from paretoball.search.path.acceptance import choose_better, line_up_next, split
from paretoball.search.path.clock import CLIMBING
from paretoball.search.path.engine import _step, go_on
from paretoball.search.path.filling import FEW_COMPONENTS
from paretoball.search.path.journal import has_room, offer
from paretoball.search.path.searcher import Searcher
from paretoball.search.path.sums import MOST_COMPONENTS
from paretoball.search.path.tasks import FILL, Known, Task, turns_of
from paretoball.search.path.unit import Unit, next_chosen

split_now = kernel(split)
SMALL_ENTRIES = 50


@kernel
def flip_better_now(ground, unit):
    """Flip each component that is better flipped, for w; the size of the largest."""
    largest = choose_better(unit)
    j = next_chosen(unit)
    while j != NO_MOVE:
        _step(ground, unit, j)
        j = next_chosen(unit)
    return largest


@kernel
def line_up_now(unit):
    """Report all offspring of x and of what it was split from."""
    while line_up_next(unit):
        offer(unit)


def some_objectives(rng: np.random.Generator, d: int = 2) -> pb.Landscape:
    """A random landscape of up to nine variables; quadratic at times."""
    if rng.random() < 0.3:
        plain = random_pairs(rng, max_n=10)
    else:
        plain = random_plain(rng, max_n=9, min_n=2)
    objectives = []
    for objective in (plain.objectives * d)[:d]:
        tables = [
            (mask, rng.integers(-SMALL_ENTRIES, SMALL_ENTRIES, len(table)).tolist())
            for mask, table in objective
        ]
        objectives.append(tuple(tables))
    sense = ("max", "min", "max")[:d]
    return built(naive.Plain(plain.n, tuple(objectives), sense))


def some_climber(rng: np.random.Generator, landscape: pb.Landscape) -> pb.Climber:
    """A climber of radius 1, 2 or 3; of radius 1, one of all layouts."""
    radius = int(rng.integers(1, 4))
    if radius > 1:
        return pb.Climber(landscape, radius)
    climbers = every_climber(landscape)
    return climbers[int(rng.integers(len(climbers)))]


def searcher_of(
    landscape: pb.Landscape,
    starts: np.ndarray | None = None,
    climber: pb.Climber | None = None,
    seed: int = 1,
) -> Searcher:
    """What runs paths and fillings, and has not begun; of radius 1 if not told."""
    climber = pb.Climber(landscape, 1) if climber is None else climber
    given = np.empty((0, landscape.n), np.uint8) if starts is None else starts
    asked = Asked(None, seed, climber.radius, 4)
    return Searcher(landscape, climber, asked, given, has_fillings=landscape.d > 1)


def unit_at(searcher: Searcher, state: ClimbState, room: int) -> Unit:
    """A unit that has not begun, in this state, with room for so many flips."""
    return searcher.unit._replace(state=state, flips=np.zeros(room, np.int32))


def in_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel as plain Python, which knows constants of today and every bound."""
    return getattr(function, "py_func", function)  # type: ignore[no-any-return]


def go_on_in_least_room(searcher: Searcher, archive: pb.Archive) -> None:
    """Go on to the end of a unit, in Python, never with more room than it asks for."""
    notes = type(searcher.state.notes)(*(each[:2] for each in searcher.state.notes))
    searcher.state = state = searcher.state._replace(notes=notes)
    unit, ground = searcher.unit._replace(state=state), searcher.ground
    tries = (np.zeros(unit.clock.flipped + spare, np.int32) for spare in count())
    rooms = (flips for flips in tries if has_room(ground, unit._replace(flips=flips)))
    spare = np.zeros(len(next(rooms)) - unit.clock.flipped, np.int32)
    while unit.clock.stage < unit.course.stages:
        flips = np.append(unit.flips[: unit.clock.flipped], spare)
        searcher.unit = unit = unit._replace(flips=flips)
        in_python(go_on)(ground, unit, 1 << 40)
        searcher.take_over(state, archive)


def replay(x: np.ndarray, flips: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The solutions after so many flips of x."""
    n = len(x)
    net = [np.bincount(flips[:step], minlength=n) % 2 == 1 for step in steps]
    return x.astype(np.bool_) ^ np.array(net, np.bool_).reshape(-1, n)


def check_escape(number: int, d: int = 2) -> str:
    """Climb, flip at random, undo what was better; what is wrong with that, if any."""
    rng = np.random.default_rng([7, number])
    landscape = some_objectives(rng, d)
    n, climber = landscape.n, some_climber(rng, landscape)
    searcher = searcher_of(landscape, climber=climber)
    climb = climber.start(random_solution(rng, n), weights=rng.integers(1, 9, d)).run()
    before = climb.x
    for j in rng.integers(0, n, int(rng.integers(0, 3 * n))).tolist():
        climb.flip([j])
    after, most = climb.x, int(rng.integers(1, n + 1))
    ground, unit = searcher.ground, unit_at(searcher, climb._state, n)
    space, clock = unit.mixed.space, unit.clock
    split_now(ground, unit, before, most)
    found, parts = int(clock.parts), naive.components(landscape, after, before)
    if [
        tuple(sorted(space.variables[space.at[p] : space.at[p + 1]].tolist()))
        for p in range(found)
    ] != parts:
        return f"the components are not {parts}"
    deltas = space.deltas[: found * d].reshape(found, d)
    for part, delta in zip(parts, landscape.shown(deltas).tolist()):
        is_small = len(part) <= most
        right = naive.score(landscape, part, after) if is_small else (0,) * d
        if tuple(delta) != right:
            return f"component {part} changes f by {delta}, not by {right}"
    clock.phase = CLIMBING  # where moves are filed
    largest = flip_better_now(ground, unit)
    weights = climb.weights.tolist()
    better, undone = naive.better_of_each(landscape, before, after, weights, most)
    if climb.x.tolist() != better:
        return f"{after} became {climb.x}, not {better}"
    if climb.fx.tolist() != list(naive.evaluate(landscape, better)):
        return f"f(x) is {climb.fx}"
    if (climb.scores != naive.scores(landscape, climber.moves, better)).any():
        return "scores are not those of the solution"
    if largest != max(map(len, undone), default=0):
        return f"the largest component undone has {largest} variables"
    if (replay(after, unit.flips, np.array([clock.flipped]))[0] != better).any():
        return "the flips noted do not lead there"
    return "scratch is left" if space.marks.any() or space.patterns.any() else ""


def check_offspring(number: int, d: int = 2) -> str:
    """Recombine two random solutions; what is wrong with the offspring, if anything.

    Every corner of the hull of all 2^q must be among them, if there are two objectives.
    """
    rng = np.random.default_rng([8, number])
    landscape = some_objectives(rng, d)
    searcher = searcher_of(landscape, climber=some_climber(rng, landscape))
    climb = searcher.climber.start(random_solution(rng, landscape.n), seed=1)
    other = random_solution(rng, landscape.n).astype(np.uint8)
    corners = np.array([[0, 1], [1, 0]]) if d == 2 else rng.integers(1, 99, (2, d))
    unit = unit_at(searcher, climb._state, 9 * landscape.n)
    unit = unit._replace(course=unit.course._replace(corners=corners))
    state, space = unit.state, unit.mixed.space
    split_now(searcher.ground, unit, other, landscape.n)
    line_up_now(unit)
    count = state.clock[REPORTS]
    F = [tuple(fx) for fx in landscape.shown(state.notes.fx[:count]).tolist()]
    X = replay(climb.x, unit.flips, state.notes.tags[:count, TAG_STEP])
    if [naive.evaluate(landscape, x) for x in X] != F:
        return "objectives are not those of the solutions"
    every = [fx for _, fx in naive.all_offspring(landscape, climb.x, other)]
    if d == 2 and (missing := naive.hull_corners(every, landscape.sense) - set(F)):
        return f"{missing} are missing"
    if d > 2:
        sides = landscape.inside(np.array(every)) @ corners.T
        ends = landscape.inside(np.array(F))[[0, -1]] @ corners.T
        if ends.diagonal().tolist() != sides.max(axis=0).tolist():
            return "the ends are not the best in their directions"
    home = replay(climb.x, unit.flips, np.array([unit.clock.flipped]))[0]
    if (home != climb.x).any():
        return "the flips noted do not lead back"
    return "scratch is left" if space.marks.any() or space.patterns.any() else ""


def check_filling(number: int, d: int = 2) -> str:
    """Fill between random solutions; what is wrong with the reports, if anything.

    They are all of what the definition finds and the front does not hide, and no more.
    """
    rng = np.random.default_rng([9, number])
    landscape = some_objectives(rng, d)
    climber = some_climber(rng, landscape)

    def value_of(x: Sequence) -> tuple:
        fx = np.array([naive.evaluate(landscape, x)])
        return tuple(landscape.inside(fx)[0].tolist())

    X = rng.integers(0, 2, (int(rng.integers(1, 40)), landscape.n)).astype(np.uint8)
    values = [value_of(x) for x in X]
    front = naive.pareto_front(values)
    rows = X[[values.index(value) for value in front]]
    wanted = (rng.random(len(rows)) < 0.6).astype(np.uint8)
    turns = np.ones((turns_of(d), d), np.int64)
    task = Task(FILL, 0, turns, Known(rows, np.array(front), wanted))
    searcher = searcher_of(landscape, climber=climber)
    partners, slice_ = int(rng.integers(0, 9)), int(rng.integers(1, 30))
    found = reports_of_filling(searcher, task, partners, slice_)
    for x, value in found:
        if value_of(x) != value:
            return f"f({x}) is not {value}"
    has_rows = used_layout(climber) == BY_ROWS
    near = naive.looked_at(landscape, climber.moves, rows[wanted > 0], has_rows)
    looked = dict.fromkeys(near)
    expected = {value_of(x) for x in near}
    for row, partner in naive.couples(wanted, partners):
        most = MOST_COMPONENTS if d == 2 else FEW_COMPONENTS
        family = naive.all_offspring(landscape, rows[row], rows[partner], most)
        looked |= dict.fromkeys(tuple(x) for x, _ in family)
        made = [value_of(x) for x, _ in family]
        expected |= set(naive.pareto_front(made) if d == 2 else made)
    sense = ["max"] * d
    expected = {value for value in expected if not naive.attains(front, value, sense)}
    if {value for _, value in found} != expected:
        return f"{expected ^ {value for _, value in found}} are missing, or too many"
    if missing := {x for x in near if value_of(x) in expected} - {x for x, _ in found}:
        return f"{missing} are missing"
    if not looked.keys() >= {x for x, _ in found}:
        return "a report is no neighbour, no pair of flips and no offspring"
    space = searcher.unit.mixed.space
    return "scratch is left" if space.marks.any() or space.patterns.any() else ""


def reports_of_filling(
    searcher: Searcher, task: Task, partners: int, slice_: int
) -> list[tuple[tuple, tuple]]:
    """Each solution that a filling reports, with its objectives, more is better."""
    state, landscape = searcher.state, searcher.landscape
    searcher.effort.partners = partners
    start = unpacked_bits(searcher.begin(pb.Archive(landscape.d), 3, task), landscape.n)
    clock, found = searcher.unit.clock, []
    while clock.stage < len(task.known.rows):
        searcher.make_room()
        go_on(searcher.ground, searcher.unit, clock.taken + slice_)
        reports = state.clock[REPORTS]
        tags = state.notes.tags[:reports]
        assert (tags[:, TAG_UNIT] == 3).all()
        assert not tags[:, TAG_OPTIMUM].any()
        X = replay(start, searcher.unit.flips, tags[:, TAG_STEP])
        solutions = map(tuple, X.astype(int).tolist())
        found += zip(solutions, map(tuple, state.notes.fx[:reports].tolist()))
        state.clock[REPORTS] = 0
    return found
