"""The bulk audit: climbers, crossovers and searches as defined, by the thousand.

    PYTHONPATH=tests python tests/audits/audit.py --only climbs --climbs 100000

Each unit of work is a pure function of its number, so a mismatch can be repeated alone:
`PYTHONPATH=.. python -c "import audit; print(audit.audit_scores(17))"` in this folder.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
from counts import tell
from trips import check_escape, check_filling, check_offspring, some_objectives

import naive
import paretoball as pb
from constrained import feasible_front, random_case, wrong_of
from landscapes import (
    built,
    drawn_selection,
    masks_of,
    random_pairs,
    random_plain,
    random_solution,
    random_square,
    random_weights,
    table_drawer,
)
from layouts import every_climber
from naive import Plain

MOVES_PER_LANDSCAPE = 1000
MOVES_PER_LAYOUT = 60
CLIMBS_PER_LANDSCAPE = 50
CROSSOVERS_PER_LANDSCAPE = 10
CLIMBS_UNDER_CONSTRAINTS = 24


class Tally(NamedTuple):
    """What one unit of work, or many, looked at and found wrong."""

    units: int
    moves: int
    comparisons: int
    mismatches: list[str]
    whole: int = 0  # feasible fronts found by a search, which does not promise that


class Truth(NamedTuple):
    """One landscape, all of it: f of every solution, more is better."""

    table: np.ndarray  # (2**n, d) int64
    masks: np.ndarray  # (moves,) int64: the stored moves as bit strings
    sizes: np.ndarray  # (moves,) int64: |v|
    powers: np.ndarray  # (n,) int64: what each bit adds to a row of the table
    signs: np.ndarray  # (d,) int64

    def row_of(self, x: np.ndarray) -> int:
        return int(x @ self.powers)

    def kinds(self, row: int, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which moves are strong, and which are w-improving but not strong."""
        return kinds_of(self.table[row ^ self.masks] - self.table[row], w)


def truth_about(plain: Plain, moves: Any) -> Truth:
    """Work out all of f, and where the moves lead."""
    signs = np.array(naive.signs(plain.sense))
    return Truth(
        table=naive.full_table(plain) * signs,
        masks=masks_of(moves),
        sizes=np.array([len(v) for v in moves]),
        powers=1 << np.arange(plain.n),
        signs=signs,
    )


def kinds_of(gains: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of these gains are strong, and which are w-improving but not strong."""
    strong = (gains >= 0).all(axis=1) & (gains > 0).any(axis=1)
    return strong, (exact_dot(gains, w) > 0) & ~strong


def exact_dot(gains: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Gains times weights without overflow."""
    bound = int(np.abs(gains).max(initial=0)) * sum(weights.tolist())
    if bound >= 2**63:
        return gains.astype(object) @ weights.astype(object)
    return gains @ weights


def wrong_at(climb: Any, truth: Truth, row: int) -> str:
    """The first thing that a climb at this row of the table has wrong, if any."""
    if truth.row_of(climb.x) != row:
        return f"x is {truth.row_of(climb.x)}, not {row}"
    if not np.array_equal(climb.fx * truth.signs, truth.table[row]):
        return f"fx is {climb.fx}, not {truth.table[row] * truth.signs}"
    scores = truth.signs * (truth.table[row ^ truth.masks] - truth.table[row])
    differ = (climb.scores != scores).any(axis=1)
    if differ.any():
        v = int(np.argmax(differ))
        return f"the score of move {v} is {climb.scores[v]}, not {scores[v]}"
    strong, improving = truth.kinds(row, climb.weights)
    if not np.array_equal(np.sort(climb.strong), np.flatnonzero(strong)):
        return f"strong is {climb.strong}, not {np.flatnonzero(strong)}"
    if not np.array_equal(np.sort(climb.improving), np.flatnonzero(improving)):
        return f"improving is {climb.improving}, not {np.flatnonzero(improving)}"
    return ""


def wrong_move(t: int | None, truth: Truth, row: int, w: np.ndarray) -> str:
    """What is wrong with taking t at this row, if anything: class first, then size."""
    strong, improving = truth.kinds(row, w)
    kind = strong if strong.any() else improving
    if t is None:
        return f"no move, but {np.flatnonzero(kind)} improve" if kind.any() else ""
    if not kind[t] or truth.sizes[t] > truth.sizes[kind].min():
        return f"move {t} was taken before {np.flatnonzero(kind)}"
    return ""


def audit_scores(number: int, moves: int = MOVES_PER_LANDSCAPE) -> Tally:
    """Climb, perturb and turn on one landscape; every move and score is looked at.

    On half of the landscapes scores are looked at after every move, on the others now
    and then: a climber that puts work off must get it right however late it is asked.
    """
    rng = np.random.default_rng([1, number])
    plain = random_plain(rng)
    climber = pb.Climber(built(plain), radius=int(rng.integers(1, 5)))
    truth = truth_about(plain, climber.moves)
    x = random_solution(rng, plain.n)
    row = naive.row_of(x)
    climb = climber.start(x, weights=random_weights(rng, len(plain.sense)), seed=number)
    w = climb.weights
    looks = float(rng.choice([1.0, 0.1]))
    wrong = wrong_at(climb, truth, row)
    taken = compared = 0
    while taken < moves and not wrong:
        t = None
        if rng.random() < 0.8:
            t = climb.step()
            wrong = wrong_move(t, truth, row, w)
        if t is not None:
            row ^= int(truth.masks[t])
        elif rng.random() < 0.7:
            t = int(rng.integers(len(climber.moves)))
            row ^= int(truth.masks[t])
            climb.flip(climber.moves[t])
        else:
            variables = rng.permutation(plain.n)[: rng.integers(plain.n + 1)]
            row ^= naive.row_of_move(variables)
            climb.flip(variables)
            climb.set_weights(random_weights(rng, len(plain.sense)))
            w = climb.weights
        taken += 1
        if not wrong and (taken == moves or rng.random() < looks):
            wrong = wrong_at(climb, truth, row)
            compared += truth.masks.size * truth.signs.size
    found = [f"audit_scores({number}) after {taken} moves: {wrong}"] if wrong else []
    return Tally(1, taken, compared, found)


def audit_layouts(number: int, moves: int = MOVES_PER_LAYOUT) -> Tally:
    """Climb one landscape by all layouts of radius 1 at once, flip and turn.

    All of them take the same moves. After each one, every score is looked at.
    """
    rng = np.random.default_rng([6, number])
    draw = (random_pairs, random_plain, random_square)[number % 3]
    drawn = draw(rng, max_n=40)
    landscape = drawn if isinstance(drawn, pb.Landscape) else built(drawn)
    n, d = landscape.n, landscape.d
    selection = drawn_selection(str(rng.choice(["next", "uniform", "best"])), d)
    climbers = every_climber(landscape, selection)
    x, w = random_solution(rng, n), random_weights(rng, d)
    climbs = [climber.start(x, w, seed=number) for climber in climbers]
    wrong = wrong_among(landscape, climbs)
    taken = 0
    while taken < moves and not wrong:
        steps = {climb.step() for climb in climbs}
        if len(steps) > 1:
            wrong = f"layouts take the moves {steps}"
        elif steps == {None} or rng.random() < 0.1:
            variables = rng.permutation(n)[: rng.integers(1, 4)]
            w = random_weights(rng, d)
            for climb in climbs:
                climb.flip(variables).set_weights(w)
        taken += 1
        wrong = wrong or wrong_among(landscape, climbs)
    found = [f"audit_layouts({number}) after {taken} moves: {wrong}"] if wrong else []
    return Tally(1, taken, (taken + 1) * len(climbs) * n * d, found)


def wrong_among(landscape: pb.Landscape, climbs: list[Any]) -> str:
    """The first thing that one of several climbs at the same solution has wrong."""
    x = climbs[0].x
    fx = landscape.evaluate(x)
    scores = landscape.evaluate(x ^ np.eye(landscape.n, dtype=bool)) - fx
    kinds = kinds_of(landscape.inside(scores), climbs[0].weights)
    for at, climb in enumerate(climbs):
        if not np.array_equal(climb.x, x):
            return f"x of layout {at} is {climb.x}, not {x}"
        if not np.array_equal(climb.fx, fx):
            return f"fx of layout {at} is {climb.fx}, not {fx}"
        if not np.array_equal(climb.scores, scores):
            return f"scores of layout {at} are {climb.scores}, not {scores}"
        for found, expected in zip((climb.strong, climb.improving), kinds):
            if not np.array_equal(found, np.flatnonzero(expected)):
                return f"layout {at} files {found}, not {np.flatnonzero(expected)}"
    return ""


def audit_climbs(number: int, climbs: int = CLIMBS_PER_LANDSCAPE) -> Tally:
    """Climb one landscape many times: w · f rises, and each end is a local optimum."""
    rng = np.random.default_rng([2, number])
    plain = random_plain(rng, max_n=16, min_n=8)
    radius = int(rng.integers(1, 5))
    selection = str(rng.choice(["next", "next", "uniform", "best"]))
    selection = drawn_selection(selection, len(plain.sense))
    climber = pb.Climber(built(plain), radius, selection=selection)
    truth = truth_about(plain, climber.moves)
    ball = masks_of(naive.ball(plain.n, radius))
    total = Tally(0, 0, 0, [])
    for seed in range(climbs):
        start = random_solution(rng, plain.n)
        weights = random_weights(rng, len(plain.sense))
        climb = climber.start(start, weights=weights, seed=seed)
        taken, wrong = climb_to_the_end(climb, truth, ball)
        if not wrong and seed % 10 == 0:
            twin = climber.start(start, weights=weights, seed=seed).run()
            if not np.array_equal(twin.reports.X, climb.reports.X):
                wrong = "run() and step() part"
        found = [f"audit_climbs({number}), climb {seed}: {wrong}"] if wrong else []
        total = added(total, Tally(1, taken, len(ball), found))
    return total


def climb_to_the_end(climb: Any, truth: Truth, ball: np.ndarray) -> tuple[int, str]:
    """Step until nothing is left to do; how many moves that took, and what is wrong."""
    weights = climb.weights.tolist()
    row = truth.row_of(climb.x)
    taken = 0
    while (t := climb.step()) is not None:
        taken += 1
        below, row = row, row ^ int(truth.masks[t])
        gains = (truth.table[row] - truth.table[below]).tolist()
        if not sum(w * gain for w, gain in zip(weights, gains)) > 0:
            return taken, f"move {taken} does not raise w · f"
    if truth.row_of(climb.x) != row:
        return taken, f"x is {truth.row_of(climb.x)}, not {row}"
    if not np.array_equal(climb.reports.F[-1] * truth.signs, truth.table[row]):
        return taken, f"the last report is {climb.reports.F[-1]}, not f(x)"
    gains = truth.table[row ^ ball] - truth.table[row]
    if ((gains >= 0).all(axis=1) & (gains > 0).any(axis=1)).any():
        return taken, "the end is no local optimum"
    return taken, "" if climb.is_local_optimum else "is_local_optimum denies it"


def audit_moves(number: int) -> Tally:
    """Compare M^r of one graph with brute force over all subsets."""
    rng = np.random.default_rng([3, number])
    plain = random_plain(rng, max_n=12) if number % 2 else random_graph(rng)
    radius = int(rng.integers(1, 6))
    landscape = built(plain)
    moves = pb.Climber(landscape, radius).moves
    expected = naive.connected_moves(plain, radius)
    found = []
    if sorted(moves, key=lambda v: (len(v), v)) != expected:
        found.append(f"audit_moves({number}): M^{radius} differs from brute force")
    if pb.count_moves(landscape, radius) != len(expected):
        found.append(f"audit_moves({number}): count_moves is not {len(expected)}")
    return Tally(1, len(moves), sum(1 for _ in naive.ball(plain.n, radius)), found)


def audit_crossovers(number: int, crossovers: int = CROSSOVERS_PER_LANDSCAPE) -> Tally:
    """Cross random solutions of one landscape; all 2^q offspring are looked at.

    A component counts as a move.
    """
    rng = np.random.default_rng([4, number])
    plain = random_plain(rng, max_n=12, min_n=6)
    if number % 4:
        plain = loosened(rng, plain)
    landscape = built(plain)
    truth = truth_about(plain, [(j,) for j in range(plain.n)])
    total = Tally(0, 0, 0, [])
    for at in range(crossovers):
        x = random_solution(rng, plain.n)
        y = np.where(rng.random(plain.n) < rng.choice([0.3, 0.6, 1.0]), 1 - x, x)
        parts = naive.components(plain, x, y)
        rows = np.array([truth.row_of(x)])
        for mask in masks_of(parts).tolist():
            rows = np.concatenate([rows, rows ^ mask])
        weights = rng.integers(1, 6, len(plain.sense))
        wrong = wrong_components(landscape, truth, (x, y), parts)
        wrong = wrong or wrong_child(landscape, truth, (x, y), (weights, rows))
        wrong = wrong or wrong_offspring(landscape, truth, (x, y), rows)
        found = [f"audit_crossovers({number}), pair {at}: {wrong}"] if wrong else []
        total = added(total, Tally(1, len(parts), len(rows), found))
    return total


def audit_paths(number: int) -> Tally:
    """An escape, offspring, a filling, and a short run of paths, by brute force."""
    wrong = check_escape(number) or check_offspring(number) or check_filling(number)
    rng = np.random.default_rng([5, number])
    landscape, radius = some_objectives(rng), int(rng.integers(1, 4))
    table = naive.full_table(landscape)
    result = pb.solve(landscape, radius=radius, max_moves=300, seed=number)
    if (table[[naive.row_of(x) for x in result.X]] != result.F).any():
        wrong = wrong or "objectives are not those of the solutions"
    if list(map(tuple, result.F.tolist())) != naive.pareto_front(
        result.F, landscape.sense
    ):
        wrong = wrong or "some of the front are dominated"
    for x in result.X[result.optimum]:
        if not naive.is_local_optimum(landscape, x, radius):
            wrong = wrong or f"{x} is no local optimum"
    found = [f"audit_paths({number}): {wrong}"] if wrong else []
    return Tally(1, result.moves, len(result), found)


def audit_constrained(number: int) -> Tally:
    """Search a landscape with constraints, and find its exact front, by brute force."""
    rng = np.random.default_rng([8, number])
    d = 1 + number % 3
    case = random_case(rng, d, max_n=14)
    front = feasible_front(case)
    climbs = d * CLIMBS_UNDER_CONSTRAINTS
    result = pb.solve(case.landscape, max_climbs=climbs, seed=number)
    wrong = wrong_of(case, result)
    if len(result) and not front:
        wrong = wrong or "a front where nothing is feasible"
    exact = pb.solve(case.landscape, method="exact")
    if list(map(tuple, exact.F.tolist())) != front:
        wrong = wrong or "the exact front is another one"
    found = [f"audit_constrained({number}): {wrong}"] if wrong else []
    is_whole = list(map(tuple, result.F.tolist())) == front
    return Tally(1, result.moves, 1 << case.landscape.n, found, int(is_whole))


def loosened(rng: np.random.Generator, plain: Plain) -> Plain:
    """The same with few of its subfunctions, and one for each variable by itself."""
    draw_table = table_drawer(rng, len(plain.sense))
    share = rng.random() ** 2

    def loose(objective: tuple) -> tuple:
        kept = [one for one in objective if rng.random() < share]
        return (*kept, *(((j,), draw_table(1)) for j in range(plain.n)))

    return plain._replace(objectives=tuple(map(loose, plain.objectives)))


def wrong_components(landscape: Any, truth: Truth, parents: Any, parts: Any) -> str:
    """What is wrong with the components of two solutions, if anything."""
    between = pb.components(landscape, *parents)
    if [tuple(part.tolist()) for part in between.variables] != parts:
        return f"components are {between.variables}, not {parts}"
    row = truth.row_of(parents[0])
    deltas = truth.signs * (truth.table[row ^ masks_of(parts)] - truth.table[row])
    if not np.array_equal(between.deltas, deltas):
        return f"deltas are {between.deltas.tolist()}, not {deltas.tolist()}"
    return ""


def wrong_child(landscape: Any, truth: Truth, parents: Any, given: Any) -> str:
    """What is wrong with the best offspring for some weights, among these rows."""
    weights, rows = given
    child = pb.partition_crossover(landscape, *parents, weights)
    row = truth.row_of(child.x)
    if not np.array_equal(child.fx * truth.signs, truth.table[row]):
        return f"fx is {child.fx}, not {truth.table[row] * truth.signs}"
    worth = exact_dot(truth.table[rows], weights)
    best = rows[worth == worth.max()]
    if row not in best:
        return f"{row} is none of the best for {weights}, {best}"
    y = truth.row_of(parents[1])
    nearest = min(best.tolist(), key=lambda other: (other ^ y).bit_count())
    return "" if row == nearest else f"{row} is as good as {nearest}, which is nearer y"


def wrong_offspring(landscape: Any, truth: Truth, parents: Any, rows: Any) -> str:
    """What is wrong with the supported offspring of two solutions, among these rows."""
    offspring = pb.pareto_crossover(landscape, *parents)
    made = offspring.X @ truth.powers
    if not np.isin(made, rows).all():
        return f"{made} are not all offspring"
    if not np.array_equal(offspring.F * truth.signs, truth.table[made]):
        return "F is not f(X)"
    kept = sorted(map(tuple, truth.table[made].tolist()))
    front = naive.pareto_front(truth.table[rows])
    if len(set(kept)) < len(kept) or not set(kept) <= set(front):
        return f"{kept} are not all different ones of {front}"
    if len(truth.signs) <= 2:
        corners = [fx for fx in front if naive.is_only_best(fx, front)]
        if not set(corners) <= set(kept):
            return f"{kept} are without some of {corners}"
        if not all(naive.is_best(fx, front) for fx in kept):
            return f"{kept} are not all supported in {front}"
    return ""


def random_graph(rng: np.random.Generator) -> Plain:
    """A landscape that is nothing but a graph, from no edges to all."""
    n = int(rng.integers(1, 13))
    density = rng.random() ** 2
    edges = [
        ((a, b), (0, 0, 0, 0))
        for a in range(n)
        for b in range(a + 1, n)
        if rng.random() < density
    ]
    return Plain(n, (tuple(edges),), ("max",))


def added(a: Tally, b: Tally) -> Tally:
    """Two tallies as one."""
    return Tally(*(one + other for one, other in zip(a, b)))


def attempted(part: Callable[[int], Tally], number: int) -> Tally:
    """The tally of one unit of work; an exception is a mismatch too."""
    try:
        return part(number)
    except Exception as error:  # whatever it is, the audit goes on and tells
        return Tally(1, 0, 0, [f"{part}, number {number}: {error!r}"])


def summed(tallies: Iterable[Tally], units: int, name: str) -> Tally:
    """All tallies as one, telling how far it is every ten seconds."""
    total = Tally(0, 0, 0, [])
    told = time.monotonic()
    for tally in tallies:
        total = added(total, tally)
        for mismatch in tally.mismatches:
            print(mismatch, file=sys.stderr)
        if time.monotonic() - told > 10:
            told = time.monotonic()
            print(f"  {name}: {total.units:,} of {units:,}", file=sys.stderr)
    return total


# For each part: what audits a landscape by its number, how many units of work there are
# by default, and how many of them are done on one landscape.
PARTS = {
    "landscapes": (audit_scores, 10_000, 1),
    "layouts": (audit_layouts, 5_000, 1),
    "climbs": (audit_climbs, 100_000, CLIMBS_PER_LANDSCAPE),
    "graphs": (audit_moves, 5_000, 1),
    "crossovers": (audit_crossovers, 50_000, CROSSOVERS_PER_LANDSCAPE),
    "paths": (audit_paths, 5_000, 1),
    "constrained": (audit_constrained, 2_000, 1),
}


def main() -> int:
    """Run the parts, print what each has counted; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, (_, units, _) in PARTS.items():
        parser.add_argument(f"--{name}", type=int, default=units)
    parser.add_argument("--only", choices=PARTS, help="one part")
    parser.add_argument("--processes", type=int, default=2)
    options = vars(parser.parse_args())
    wrong = 0
    with get_context("spawn").Pool(options["processes"]) as pool:
        for name in [options["only"]] if options["only"] else PARTS:
            audited, _, at_once = PARTS[name]
            began, numbers = time.monotonic(), range(-(-options[name] // at_once))
            work = partial(attempted, audited)
            tallies = pool.imap_unordered(work, numbers, chunksize=4)
            total = summed(tallies, options[name], name)
            counts = total._asdict() | {"mismatches": len(total.mismatches)}
            counts["seconds"] = round(time.monotonic() - began)
            tell(name, counts)
            wrong += len(total.mismatches)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
