"""Slow twins: the paper's definitions in Python's own integers, without cleverness.

Nothing is shared with the package's kernels. A landscape is its subfunctions as given;
a move is the variables it flips; a solution is a sequence of 0 and 1; objectives and
scores are in the landscape's own sense. Improvement respects the sense.
"""
# ruff: noqa: E741 (l is the paper's name for the number of a subfunction)

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations, product
from math import dist, inf
from typing import Any, NamedTuple

import numpy as np


class Plain(NamedTuple):
    """A vector Mk Landscape as a user writes it down."""

    n: int
    objectives: tuple  # per objective its subfunctions, as (variables, table)
    sense: tuple[str, ...]


def subfunctions_of(landscape: Any) -> Plain:
    """The plain form of a landscape; what is plain already stays as it is."""
    return landscape if isinstance(landscape, Plain) else plain(landscape)


@lru_cache(maxsize=16)
def plain(landscape: Any) -> Plain:
    """The subfunctions that a `Landscape` was given, in its own units."""
    given = landscape.subfunctions
    objectives: list[list] = [[] for _ in landscape.sense]
    for s, i in enumerate(given.objective.tolist()):
        mask = given.masks[given.mask_at[s] : given.mask_at[s + 1]]
        table = given.tables[given.table_at[s] : given.table_at[s + 1]]
        if landscape.real:
            table = table / landscape.scale[i]
        objectives[i].append((tuple(mask.tolist()), tuple(table.tolist())))
    return Plain(landscape.n, tuple(map(tuple, objectives)), landscape.sense)


def evaluate(landscape: Any, x: Sequence[int]) -> tuple:
    """f(x): the sum of the subfunctions of each objective."""
    bits = [int(bit) for bit in x]
    return tuple(
        sum(table[index(mask, bits)] for mask, table in objective)
        for objective in subfunctions_of(landscape).objectives
    )


def violation(constraints: Iterable, x: Sequence[int]) -> tuple[Fraction, ...]:
    """How far each constraint `(terms, relation, bound)` is from being satisfied."""
    bits = [int(bit) for bit in x]
    far = []
    for terms, relation, bound, *_ in constraints:
        values = [exact(table[index(mask, bits)]) for mask, table in terms]
        above = sum(values, -exact(bound))
        far.append(abs(above) if _is_violated(above, relation) else Fraction(0))
    return tuple(far)


def total(terms: Iterable, x: Sequence[int]) -> Any:
    """g(x): the sum of the tables of a constraint."""
    return sum(table[index(mask, x)] for mask, table in terms)


def changes(constraints: Iterable, x: Sequence[int], j: int) -> list:
    """By how much a flip of j changes g(x), for each constraint."""
    y = flipped(x, [j])
    return [total(terms, y) - total(terms, x) for terms, *_ in constraints]


def raises(terms: Iterable, x: Sequence[int]) -> set[int]:
    """The variables that raise g(x) by a flip, by tables of one variable alone."""
    slopes: dict[int, Any] = {}
    for mask, table in terms:
        if len(mask) == 1:
            slopes[mask[0]] = slopes.get(mask[0], 0) + table[1] - table[0]
    return {j for j, slope in slopes.items() if slope * (1 - 2 * x[j]) > 0}


def toll(
    constraints: Sequence, prices: Sequence, sides: Sequence, x: Sequence[int], j: int
) -> Any:
    """What a flip of j costs: resources by their use, others beyond their bounds."""
    more, change = penalties(constraints, x, j), changes(constraints, x, j)
    return sum(
        price * (side * used if side else beyond)
        for price, side, used, beyond in zip(prices, sides, change, more)
    )


def penalties(constraints: Sequence, x: Sequence[int], j: int) -> list:
    """How much further beyond its bounds a flip of j takes each constraint."""
    here, there = violation(constraints, x), violation(constraints, flipped(x, [j]))
    return [after - before for before, after in zip(here, there)]


def is_feasible_optimum(
    landscape: Any, constraints: Iterable, x: Sequence[int]
) -> bool:
    """Whether no flip leads to a feasible solution that dominates x."""
    n, _, sense = subfunctions_of(landscape)
    return not any(
        is_strong(score(landscape, [j], x), sense)
        and not any(violation(constraints, flipped(x, [j])))
        for j in range(n)
    )


def _is_violated(above: Fraction, relation: str) -> bool:
    """Whether a sum that is so far above its bound is against the relation."""
    return {"<=": above > 0, ">=": above < 0, "==": above != 0}[relation]


def exact(number: Any) -> Fraction:
    """A number without rounding; a float is the decimal that it is printed as."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def index(mask: Sequence[int], bits: Sequence[int]) -> int:
    """Which entry of its table a subfunction with this mask reads."""
    return sum(bits[variable] << j for j, variable in enumerate(mask))


def flipped(x: Sequence[int], v: Iterable[int]) -> list[int]:
    """x ⊕ v."""
    y = [int(bit) for bit in x]
    for j in v:
        y[j] = 1 - y[j]
    return y


def score(landscape: Any, v: Iterable[int], x: Sequence[int]) -> tuple:
    """S_v(x) = f(x ⊕ v) - f(x)."""
    fx, fy = evaluate(landscape, x), evaluate(landscape, flipped(x, v))
    return tuple(b - a for a, b in zip(fx, fy))


def scores(landscape: Any, moves: Iterable, x: Sequence[int]) -> np.ndarray:
    """The scores of all these moves, a row each."""
    rows = [score(landscape, v, x) for v in moves]
    return np.array(rows).reshape(len(rows), len(subfunctions_of(landscape).sense))


def cooccurrence(landscape: Any) -> list[set[int]]:
    """For each variable, the others that some subfunction reads together with it."""
    n, objectives, _ = subfunctions_of(landscape)
    neighbours: list[set[int]] = [set() for _ in range(n)]
    for objective in objectives:
        for mask, _ in objective:
            for a in mask:
                neighbours[a].update(b for b in mask if b != a)
    return neighbours


def maximum_cardinality(neighbours: Sequence[set[int]]) -> list[int]:
    """The order of a maximum cardinality search.

    Next comes a variable with the most neighbours before it; of these the one that was
    met last, as the neighbour of another one; or the first, if none has been met.
    """
    order: list[int] = []
    met: dict[int, list[int]] = {j: [] for j in range(len(neighbours))}
    left = set(met)
    while left:
        most = max(len(met[j]) for j in left)
        best = [j for j in left if len(met[j]) == most]
        chosen = max(best, key=lambda j: (met[j][-1], j)) if most else min(best)
        for u in neighbours[chosen]:
            met[u].append(len(order))
        order.append(chosen)
        left.remove(chosen)
    return order


def is_connected(neighbours: Sequence[set[int]], v: Iterable[int]) -> bool:
    """Whether G[v], the graph induced by v, is connected."""
    todo = set(v)
    frontier = [todo.pop()]
    while frontier:
        reached = neighbours[frontier.pop()] & todo
        todo -= reached
        frontier += reached
    return not todo


def ball(n: int, radius: int) -> Iterator[tuple[int, ...]]:
    """Every move in the Hamming ball, by size, then lexicographically."""
    for size in range(1, min(n, radius) + 1):
        yield from combinations(range(n), size)


def connected_moves(landscape: Any, radius: int) -> list[tuple[int, ...]]:
    """M^r: the moves v of the ball whose G[v] is connected, in the ball's order."""
    neighbours = cooccurrence(landscape)
    n = subfunctions_of(landscape).n
    return [v for v in ball(n, radius) if is_connected(neighbours, v)]


def signs(sense: Sequence[str]) -> list[int]:
    """1 for an objective to maximise, -1 for one to minimise."""
    return [{"max": 1, "min": -1}[one] for one in sense]


def gains(score: Sequence, sense: Sequence[str]) -> list:
    """How much better each objective gets."""
    return [sign * s for sign, s in zip(signs(sense), score)]


def dominates(fx: Sequence, fy: Sequence, sense: Sequence[str]) -> bool:
    """Whether fx is nowhere worse than fy and somewhere better."""
    return is_strong([a - b for a, b in zip(fx, fy)], sense)


def is_weak(score: Sequence, sense: Sequence[str]) -> bool:
    """A weak improving move makes some objective better."""
    return any(gain > 0 for gain in gains(score, sense))


def is_strong(score: Sequence, sense: Sequence[str]) -> bool:
    """A strong improving move is a weak one that makes no objective worse."""
    return is_weak(score, sense) and all(gain >= 0 for gain in gains(score, sense))


def w_score(score: Sequence, weights: Sequence, sense: Sequence[str]) -> Any:
    """w · S_v, every objective turned so that more is better."""
    return sum(w * gain for w, gain in zip(weights, gains(score, sense)))


def kind(score: Sequence, weights: Sequence, sense: Sequence[str]) -> str:
    """The bucket of a move: strong, w-improving but not strong, or the rest."""
    if is_strong(score, sense):
        return "strong"
    return "w-improving" if w_score(score, weights, sense) > 0 else "rest"


def masks(landscape: Any) -> dict[tuple[int, int], set[int]]:
    """w_{i,l}: the variables that subfunction l of objective i reads."""
    objectives = subfunctions_of(landscape).objectives
    return {
        (i, l): set(mask)
        for i, objective in enumerate(objectives)
        for l, (mask, _) in enumerate(objective)
    }


def subfunction(landscape: Any, i: int, l: int, x: Sequence[int]) -> Any:
    """f_i^(l)(x)."""
    mask, table = subfunctions_of(landscape).objectives[i][l]
    return table[index(mask, x)]


def update_scores(landscape: Any, S: dict, x: Sequence[int], t: Sequence[int]) -> None:
    """Algorithm 1: S holds the scores of x, and afterwards those of x ⊕ t.

    S[v][i] is the paper's S_{i,v}, and the keys of S are M^r. The paper prints line 3
    in two rows; its lines 4 and 5 end the loops.
    """
    f, w, M = partial(subfunction, landscape), masks(landscape), S.keys()
    t, x_t = set(t), flipped(x, t)
    for i, l in [il for il in w if w[il] & t]:  # line 1
        for v in [v for v in M if w[i, l] & set(v)]:  # line 2
            S[v][i] += f(i, l, flipped(x_t, v)) - f(i, l, x_t)  # line 3, first row
            S[v][i] += -f(i, l, flipped(x, v)) + f(i, l, x)  # line 3, second row


def hill_climber(
    landscape: Any,
    M: Sequence[tuple],
    w: Sequence,
    x: Sequence[int],
    choose: Callable[[list], tuple],
    report: Callable[[list[int]], None],
) -> list[int]:
    """Algorithm 2: climb from x in direction w, and return the local optimum.

    M is M^r. `choose` takes one of the moves that may be selected: the paper's choice
    is `random.Random().choice`. Lines 8 and 11 of the paper end the if and the while.
    """
    sense, x = subfunctions_of(landscape).sense, flipped(x, ())
    S = compute_scores(landscape, M, x)  # line 1
    while any(w_score(S[v], w, sense) > 0 for v in M):  # line 2
        if any(is_strong(S[v], sense) for v in M):  # line 3
            t = select_strong_improving_move(S, sense, choose)  # line 4
        else:  # line 5
            t = select_w_improving_move(S, w, sense, choose)  # line 6
            report(x)  # line 7
        update_scores(landscape, S, x, t)  # line 9
        x = flipped(x, t)  # line 10
    report(x)  # line 12
    return x


def compute_scores(landscape: Any, M: Iterable[tuple], x: Sequence[int]) -> dict:
    """computeScores(x): S_v(x) for each v in M, from the definition."""
    return {v: list(score(landscape, v, x)) for v in M}


def select_strong_improving_move(S: dict, sense: Sequence[str], choose: Any) -> tuple:
    """selectStrongImprovingMove(S): a strong improving move of the smallest size."""
    return choose(smallest([v for v in S if is_strong(S[v], sense)]))


def select_w_improving_move(
    S: dict, w: Sequence, sense: Sequence[str], choose: Any
) -> tuple:
    """selectWImprovingMove(S): a w-improving move of the smallest size."""
    return choose(smallest([v for v in S if w_score(S[v], w, sense) > 0]))


def smallest(moves: Sequence[tuple]) -> list[tuple]:
    """All moves v with the lowest |v|."""
    least = min(len(v) for v in moves)
    return [v for v in moves if len(v) == least]


def full_table(landscape: Any) -> np.ndarray:
    """f of all 2^n solutions; row number = sum of x[j] << j. For small n."""
    n, objectives, _ = subfunctions_of(landscape)
    solutions = np.arange(1 << n)
    f = [np.zeros(1 << n, np.int64) for _ in objectives]
    for i, objective in enumerate(objectives):
        for mask, table in objective:
            entry = np.zeros(1 << n, np.int64)
            for j, variable in enumerate(mask):
                entry |= (solutions >> variable & 1) << j
            f[i] = f[i] + np.array(table)[entry]
    return np.column_stack(f)


def feasible_front(plain: Plain, constraints: Sequence) -> list[tuple]:
    """The front of all solutions that satisfy `(terms, relation, bound)`s. For small n.

    Tables and bounds are integers.
    """
    keep = np.ones(1 << plain.n, np.bool_)
    for terms, relation, bound, *_ in constraints:
        (g,) = full_table(Plain(plain.n, (tuple(terms),), ("max",))).T
        keep &= {"<=": g <= bound, ">=": g >= bound, "==": g == bound}[relation]
    feasible = full_table(plain)[keep]
    return pareto_front(feasible, plain.sense) if len(feasible) else []


def row_of(x: Iterable[int]) -> int:
    """The row of a solution, or of a move as a bit string, in the full table."""
    return sum(int(bit) << j for j, bit in enumerate(x))


def row_of_move(v: Iterable[int]) -> int:
    """The bit string of a move: x ⊕ v is row `row_of(x) ^ row_of_move(v)`."""
    return sum(1 << int(j) for j in v)


def pareto_front(vectors: Any, sense: Sequence[str] | None = None) -> list[tuple]:
    """The vectors that no other one dominates, each once, ascending; maximised."""
    rest = np.asarray(vectors)
    turn = signs(sense or ["max"] * rest.shape[1])
    rest = rest * np.array(turn)
    rest = rest[np.lexsort(rest.T)]
    front = []
    while len(rest):
        best = rest[-1]
        front.append(tuple((best * turn).tolist()))
        rest = rest[(rest > best).any(axis=1)]
    return sorted(front)


def attains(F: Iterable[Sequence], point: Sequence, sense: Sequence[str]) -> bool:
    """Whether some vector of F is nowhere worse than this point."""
    return any(all(gain >= 0 for gain in gains(lead(p, point), sense)) for p in F)


def lead(fx: Sequence, fy: Sequence) -> list:
    """fx - fy."""
    return [a - b for a, b in zip(fx, fy)]


def hypervolume(F: Iterable[Sequence], ref: Sequence, sense: Sequence[str]) -> int:
    """How many cubes of side 1 lie between integer vectors and the reference point."""
    cubes: set[tuple] = set()
    for p in F:
        cubes.update(product(*map(range, gains(lead(p, ref), sense))))
    return len(cubes)


def epsilon(F: Sequence, reference: Sequence, sense: Sequence[str]) -> Any:
    """What makes the reference point farthest from F attained, once added to F."""
    return max(min(max(gains(lead(r, p), sense)) for p in F) for r in reference)


def epsilon_factor(F: Sequence, reference: Sequence, sense: Sequence[str]) -> float:
    """The same as a factor."""
    turn = signs(sense)

    def factor(r: Sequence, p: Sequence) -> float:
        return max(b / a if sign > 0 else a / b for sign, a, b in zip(turn, p, r))

    return max(min(factor(r, p) for p in F) for r in reference)


def igd_plus(F: Sequence, reference: Sequence, sense: Sequence[str]) -> float:
    """The mean distance from a reference point down to what F attains."""

    def gap(r: Sequence, p: Sequence) -> float:
        return dist([max(0, gain) for gain in gains(lead(r, p), sense)], [0] * len(r))

    return sum(min(gap(r, p) for p in F) for r in reference) / len(reference)


def coverage(F: Sequence, G: Sequence, sense: Sequence[str]) -> float:
    """The share of the points of G that F attains."""
    return sum(attains(F, point, sense) for point in G) / len(G)


def attainment_surface(
    fronts: Sequence[Sequence], runs: int, sense: Sequence[str]
) -> list[tuple]:
    """The best points of the grid of all coordinates that so many fronts attain."""
    columns = zip(*(point for F in fronts for point in F))
    grid = product(*map(set, columns))
    attained = [g for g in grid if sum(attains(F, g, sense) for F in fronts) >= runs]
    return pareto_front(attained, sense)


def least_crowded(points: Iterable[Sequence], keep: int) -> list[tuple]:
    """So many of these vectors, ascending, once the most crowded went one by one."""
    left = sorted(map(tuple, points))
    ranges = [max(column) - min(column) for column in zip(*left)]
    while len(left) > keep:
        left.remove(min(left, key=lambda p: (crowding(p, left, ranges), mix(p), p)))
    return left


def mix(p: Iterable[int]) -> int:
    """The values of p in 64 bits each, one after the other through SplitMix64."""
    word = 0
    for value in p:
        word = ((word ^ value % 2**64) + 0x9E3779B97F4A7C15) % 2**64
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
        word ^= word >> 31
    return word


def crowding(p: tuple, points: Sequence[tuple], ranges: Sequence) -> float:
    """The gaps around p, each as a share of the range; infinite at either end.

    Not by `sum`, which rounds in another way since Python 3.12.
    """
    total = 0.0
    for i, extent in enumerate(ranges):
        line = sorted(points, key=lambda q: (q[i], q))
        at = line.index(p)
        if at in (0, len(line) - 1):
            return inf
        if extent > 0:
            total += float(line[at + 1][i] - line[at - 1][i]) / float(extent)
    return total


def is_local_optimum(landscape: Any, x: Sequence[int], radius: int) -> bool:
    """Whether no solution in the ball of this radius around x dominates x."""
    n, _, sense = subfunctions_of(landscape)
    return not any(is_strong(score(landscape, v, x), sense) for v in ball(n, radius))


def supported_front(landscape: Any) -> list[tuple]:
    """The vectors that are the only best ones for some positive weights, ascending."""
    sense = subfunctions_of(landscape).sense
    return sorted(hull_corners(full_table(landscape), sense))


def hull_corners(vectors: Any, sense: Sequence[str]) -> set[tuple]:
    """Those of the vectors that are the only best ones for some positive weights."""
    turn = signs(sense)
    front = [
        tuple(sign * f for sign, f in zip(turn, fx))
        for fx in pareto_front(vectors, sense)
    ]
    extreme = [fx for fx in front if is_only_best(fx, front)]
    return {tuple(sign * f for sign, f in zip(turn, fx)) for fx in extreme}


def is_only_best(fx: tuple, front: Sequence[tuple]) -> bool:
    """Whether w · fx > w · fy for some w > 0 and all others; one or two objectives.

    Each of the others bounds w_0 / w_1 from above or from below.
    """
    above = [(fx[1] - fy[1], fy[0] - fx[0]) for fy in front if fy[0] > fx[0]]
    below = [(fy[1] - fx[1], fx[0] - fy[0]) for fy in front if fy[0] < fx[0]]
    return all(a * q < p * b for p, q in above for a, b in below)


def area_below_hull(F: Any, ref: Sequence, sense: Sequence[str]) -> Fraction:
    """The area above `ref` and below the hull with these corners, by the shoelace."""
    corners = sorted(
        tuple(s * (Fraction(f) - Fraction(r)) for s, f, r in zip(signs(sense), fx, ref))
        for fx in F
    )
    west = min(0, corners[0][0]) - 1
    south = min(0, corners[-1][1]) - 1
    polygon = [(west, corners[0][1]), *corners, (corners[-1][0], south), (west, south)]
    for i in range(2):
        polygon = clipped(polygon, i)
    return abs(sum(a * d - b * c for (a, b), (c, d) in edges_of(polygon))) / 2


def edges_of(polygon: Sequence[tuple]) -> Iterator[tuple]:
    """Each corner and the one after it."""
    return zip(polygon, [*polygon[1:], *polygon[:1]])


def clipped(polygon: Sequence[tuple], i: int) -> list[tuple]:
    """The part of a polygon where coordinate i is not negative."""
    kept = []
    for a, b in edges_of(polygon):
        if a[i] >= 0:
            kept.append(a)
        if (a[i] < 0) != (b[i] < 0):
            t = a[i] / (a[i] - b[i])
            kept.append(tuple(p + t * (q - p) for p, q in zip(a, b)))
    return kept


def components(landscape: Any, x: Sequence[int], y: Sequence[int]) -> list[tuple]:
    """The components of G[v], v where x and y differ, ascending; by their lowest."""
    neighbours = cooccurrence(landscape)
    todo = {j for j in range(len(x)) if x[j] != y[j]}
    found = []
    while todo:
        reached = {min(todo)}
        frontier = list(reached)
        while frontier:
            new = neighbours[frontier.pop()] & todo - reached
            reached |= new
            frontier += new
        todo -= reached
        found.append(tuple(sorted(reached)))
    return found


def all_offspring(
    landscape: Any, x: Sequence[int], y: Sequence[int], most: int | None = None
) -> list[tuple[list[int], tuple]]:
    """Each of the 2^q offspring of x and y, with its objectives.

    Or those that have only some of the first `most` components of y.
    """
    parts = components(landscape, x, y)[:most]
    made = []
    for taken in product([False, True], repeat=len(parts)):
        child = [int(bit) for bit in x]
        for part, from_y in zip(parts, taken):
            for j in part if from_y else ():
                child[j] = int(y[j])
        made.append((child, evaluate(landscape, child)))
    return made


def better_of_each(
    landscape: Any,
    before: Sequence[int],
    after: Sequence[int],
    weights: Sequence,
    most: int,
) -> tuple[list[int], list[tuple]]:
    """`after` with each component as it was before where that is better for w.

    And the components where it is. Those of more than `most` variables stay.
    """
    sense = subfunctions_of(landscape).sense
    undone = [
        part
        for part in components(landscape, after, before)
        if len(part) <= most
        and w_score(score(landscape, part, after), weights, sense) > 0
    ]
    return flipped(after, [j for part in undone for j in part]), undone


def looked_at(
    landscape: Any, moves: Iterable, X: Iterable[Sequence[int]], has_rows: bool
) -> set[tuple]:
    """What a filling looks at around these solutions: moves, and pairs of flips.

    Pairs of variables that interact are there by rows only, unless they are moves.
    """
    neighbours = cooccurrence(landscape)
    pairs = [
        (u, v)
        for u, v in combinations(range(len(neighbours)), 2)
        if has_rows or v not in neighbours[u]
    ]
    return {tuple(flipped(x, v)) for x in X for v in [*moves, *pairs]}


def couples(wanted: Sequence[int], partners: int) -> Iterator[tuple[int, int]]:
    """The rows of a filling that have offspring: rows 1, 2, 4, ... after or before.

    Two that are both wanted meet once.
    """
    for row in [row for row in range(len(wanted)) if wanted[row]]:
        for partner in range(partners):
            far = 2 ** (partner // 2)
            if partner % 2 == 0 and row + far < len(wanted):
                yield row, row + far
            if partner % 2 == 1 and row - far >= 0 and not wanted[row - far]:
                yield row, row - far


def is_best(fx: tuple, front: Sequence[tuple]) -> bool:
    """Whether w · fx >= w · fy for some w > 0 and all others; as `is_only_best`."""
    above = [(fx[1] - fy[1], fy[0] - fx[0]) for fy in front if fy[0] > fx[0]]
    below = [(fy[1] - fx[1], fx[0] - fy[0]) for fy in front if fy[0] < fx[0]]
    return all(a * q <= p * b for p, q in above for a, b in below)
