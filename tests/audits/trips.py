"""What happens on a path, by brute force: escapes and offspring, each by its number.

Landscapes have two objectives, one to maximise and one to minimise, and small tables,
so that kernels are compiled once.
"""

import numpy as np

import naive
import paretoball as pb
from landscapes import built, random_plain, random_solution
from paretoball._jit import kernel
from paretoball.climber.scores import REPORTS
from paretoball.crossover.components import list_differing, new_component_space
from paretoball.search.path.escape import flips_back
from paretoball.search.path.legs import FLIPPED, _recombine
from paretoball.search.path.searcher import PathSearcher

flips_back_now, recombine_now = kernel(flips_back), kernel(_recombine)
differing_now = kernel(list_differing)
SMALL_ENTRIES = 50


def two_objectives(rng: np.random.Generator) -> pb.Landscape:
    """A random landscape of up to nine variables."""
    plain = random_plain(rng, max_n=9, min_n=2)
    objectives = []
    for objective in (plain.objectives * 2)[:2]:
        tables = [
            (mask, rng.integers(-SMALL_ENTRIES, SMALL_ENTRIES, len(table)).tolist())
            for mask, table in objective
        ]
        objectives.append(tuple(tables))
    return built(naive.Plain(plain.n, tuple(objectives), ("max", "min")))


def searcher_of(
    landscape: pb.Landscape, starts: np.ndarray | None = None
) -> PathSearcher:
    """What follows paths, and has not begun."""
    climber = pb.Climber(landscape, 1)
    given = np.empty((0, landscape.n), np.uint8) if starts is None else starts
    return PathSearcher(climber, 1, given)


def replay(x: np.ndarray, flips: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The solutions after so many flips of x."""
    n = len(x)
    net = [np.bincount(flips[:step], minlength=n) % 2 == 1 for step in steps]
    return x.astype(np.bool_) ^ np.array(net).reshape(-1, n)


def check_escape(number: int) -> str:
    """Climb, flip at random, settle; what is wrong with that, if anything."""
    rng = np.random.default_rng([7, number])
    landscape = two_objectives(rng)
    climber = pb.Climber(landscape, int(rng.integers(1, 4)))
    x = random_solution(rng, landscape.n)
    climb = climber.start(x, weights=rng.integers(1, 9, 2), seed=1).run()
    before = climb.x
    flips = rng.integers(0, landscape.n, int(rng.integers(0, 3 * landscape.n)))
    for j in flips.tolist():
        climb.flip([j])
    after = climb.x
    space = new_component_space(climber.cliques)
    noted = np.append(flips, np.zeros(landscape.n, np.int64)).astype(np.int32)
    last, largest = flips_back_now(
        climber.cliques,
        landscape.cooccurrence,
        climber.move_set,
        climb._state,
        space,
        noted,
        0,
        len(flips),
    )
    weights = climb.weights.tolist()
    right, undone = naive.better_of_each(landscape, before, after, weights)
    if climb.x.tolist() != right:
        return f"{after} became {climb.x}, not {right}"
    if climb.fx.tolist() != list(naive.evaluate(landscape, right)):
        return f"f(x) is {climb.fx}"
    if (climb.scores != naive.scores(landscape, climber.moves, right)).any():
        return "scores are not those of the solution"
    if largest != max(map(len, undone), default=0):
        return f"the largest component undone has {largest} variables"
    if (replay(before, noted, np.array([last]))[0] != right).any():
        return "the flips noted do not lead there"
    return "scratch is left" if space.marks.any() or space.patterns.any() else ""


def check_offspring(number: int) -> str:
    """Recombine two random solutions; what is wrong with the offspring, if anything.

    Every corner of the hull of all 2^q must be among them.
    """
    rng = np.random.default_rng([8, number])
    landscape = two_objectives(rng)
    searcher = searcher_of(landscape)
    climb = searcher.climber.start(random_solution(rng, landscape.n), seed=1)
    other = random_solution(rng, landscape.n).astype(np.uint8)
    state, space = climb._state, searcher.space
    path = searcher.path._replace(flips=np.zeros(9 * landscape.n, np.int32))
    changed = differing_now(space, state.x, other)
    cliques, moves = searcher.climber.cliques, searcher.climber.move_set
    recombine_now(cliques, searcher.graph, moves, state, space, path, changed)
    count = state.clock[REPORTS]
    F = [tuple(fx) for fx in landscape.shown(state.report_fx[:count]).tolist()]
    X = replay(climb.x, path.flips, state.report_tags[:count, 1])
    if [naive.evaluate(landscape, x) for x in X] != F:
        return "objectives are not those of the solutions"
    every = [fx for _, fx in naive.all_offspring(landscape, climb.x, other)]
    if missing := naive.hull_corners(every, landscape.sense) - set(F):
        return f"{missing} are missing"
    home = replay(climb.x, path.flips, path.clock[FLIPPED : FLIPPED + 1])[0]
    if (home != climb.x).any():
        return "the flips noted do not lead back"
    return "scratch is left" if space.marks.any() or space.patterns.any() else ""
