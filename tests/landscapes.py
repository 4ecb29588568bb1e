"""Random vector Mk Landscapes of every shape: ragged, hubbed, tied, huge, half empty.

`random_plain` is quick and used by the thousand; `plains` shrinks, for hypothesis.
`built` makes the package's landscape of either.

A kind is a number of objectives and a width of scores, and kernels are compiled for
each. `make test` draws few kinds, `pytest --thorough` and the audit draw all.
"""

from typing import Any

import numpy as np
from hypothesis import strategies as st

import naive
from naive import Plain
from paretoball import Landscape, qubo

is_every_kind_drawn = True  # conftest.py sets it
MOST = 3  # objectives, where few kinds are drawn
NARROW = 10**6  # the largest entry of scores of 32 bits, where few kinds are drawn


def drawn_objectives(d: int) -> int:
    """So many objectives, or fewer where few kinds are drawn."""
    return d if is_every_kind_drawn else min(d, MOST)


def drawn_reach(reach: int, d: int) -> int:
    """The largest entry; where few kinds are drawn, only two objectives are wide."""
    return reach if is_every_kind_drawn or d == 2 else min(reach, NARROW)


def with_few_kinds(plain: Plain) -> Plain:
    """The same; with two objectives, some repeated, where few kinds are drawn."""
    if is_every_kind_drawn:
        return plain
    return plain._replace(
        objectives=(plain.objectives * 2)[:2], sense=(plain.sense * 2)[:2]
    )


def drawn_selection(selection: str, d: int) -> str:
    """The rule, or another one of the same kernels as "next"; "best" has its own."""
    is_kept = is_every_kind_drawn or d == 2 or selection != "best"
    return selection if is_kept else "next"


def built(plain: Plain) -> Landscape:
    """The package's landscape of a plain one."""
    return Landscape.from_subfunctions(plain.n, plain.objectives, plain.sense)


def shifted(landscape: Landscape, constants: list[int]) -> Landscape:
    """The same landscape with a constant added to each objective."""
    plain = naive.subfunctions_of(landscape)
    objectives = tuple(
        (*terms, ((), [constant]))
        for terms, constant in zip(plain.objectives, constants)
    )
    return built(plain._replace(objectives=objectives))


def random_landscape(rng: np.random.Generator, max_n: int = 14) -> Landscape:
    """A random landscape; take `naive.subfunctions_of` it for the plain form."""
    return built(random_plain(rng, max_n))


def random_plain(rng: np.random.Generator, max_n: int = 14, min_n: int = 1) -> Plain:
    """A random landscape of so many variables and up to 4 objectives."""
    n = int(rng.integers(min_n, max_n + 1))
    if rng.random() < 0.5:
        n = max(n, int(rng.integers(min_n, max_n + 1)))
    d = drawn_objectives(int(rng.integers(1, 5)))
    unread = int(rng.integers(n + 1)) if rng.random() < 0.2 else 0
    readable = np.sort(rng.permutation(n)[unread:])
    draw_mask = mask_drawer(rng, readable)
    draw_table = table_drawer(rng, d)
    most = 1 + int(n * rng.choice([1.0, 2.0, 3.0]))
    masks: list[list[int]] = []
    objectives = []
    for _ in range(d):
        objective = []
        for _ in range(int(rng.integers(most))):
            if masks and rng.random() < 0.15:
                mask = masks[int(rng.integers(len(masks)))]
                mask = [mask[b] for b in rng.permutation(len(mask)).tolist()]
            else:
                mask = draw_mask()
            masks.append(mask)
            objective.append((tuple(mask), draw_table(len(mask))))
        objectives.append(tuple(objective))
    sense = tuple("min" if bit else "max" for bit in rng.integers(0, 2, d).tolist())
    return Plain(n, tuple(objectives), sense)


def random_pairs(
    rng: np.random.Generator, max_n: int = 24, is_common: bool = False
) -> Plain:
    """A landscape with hubs, dense parts and sparse ones, of pairs and single bits.

    The common kind has two objectives and scores of 32 bits.
    """
    n = int(rng.integers(1, max_n))
    d = 2 if is_common else drawn_objectives(int(rng.integers(1, 5)))
    shares = rng.choice([0.0, 0.05, 0.3, 1.0], n)
    reach = int(rng.choice([1, 3, 100, 10**6, 2**40][: 3 if is_common else 5]))
    reach = drawn_reach(reach, d)

    def subfunction(*mask: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        table = rng.integers(-reach, reach + 1, 1 << len(mask))
        return mask, tuple(table.tolist())

    def objective() -> tuple:
        terms = [subfunction(a) for a in range(n) if rng.random() < 0.5]
        for a in range(n):
            for b in range(a):
                if rng.random() < max(shares[a], shares[b]):
                    terms.append(
                        subfunction(*((a, b) if rng.random() < 0.5 else (b, a)))
                    )
        return tuple(terms[e] for e in rng.permutation(len(terms)))

    objectives = tuple(objective() for _ in range(d))
    return Plain(n, objectives, tuple(rng.choice(["max", "min"], d).tolist()))


def random_square(rng: np.random.Generator, max_n: int = 40) -> Landscape:
    """A landscape of dense matrices; some variables may have one neighbour at most."""
    n, d = int(rng.integers(1, max_n)), drawn_objectives(int(rng.integers(1, 5)))
    reach = drawn_reach(int(rng.choice([1, 100, 10**6, 2**30, 2**40])), d)
    Q = rng.integers(-reach, reach + 1, (d, n, n))
    Q[:, rng.random((n, n)) < rng.choice([0.0, 0.5])] = 0
    first = n - int(rng.integers(n // 3 + 1))
    Q[:, first:] = Q[:, :, first:] = 0
    for j in range(first, n):
        Q[:, j, j % first] = rng.integers(-reach, reach + 1, d)
    return qubo(Q, sense=rng.choice(["max", "min"], d).tolist())


def mask_drawer(rng: np.random.Generator, readable: np.ndarray) -> Any:
    """Draws masks of ragged arity: anywhere, near each other, or around a hub."""
    widest = int(rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 4, 7]))
    shape = rng.choice(["anywhere", "near", "hub"])
    count = len(readable)

    def draw_mask() -> list[int]:
        arity = min(int(rng.integers(1, widest + 1)), count)
        if arity == 0 or rng.random() < 0.08:
            return []
        if shape == "near":
            window = min(count, arity + 1)
            places = rng.permutation(window)[:arity] + rng.integers(count)
            return readable[places % count].tolist()
        places = rng.permutation(count)
        if shape == "hub" and rng.random() < 0.8:
            places[places == 0] = places[-1]
            places[-1] = 0
            return readable[places[-arity:]].tolist()
        return readable[places[:arity]].tolist()

    return draw_mask


def table_drawer(rng: np.random.Generator, d: int) -> Any:
    """Draws tables of one kind: from two values to numbers beyond 32 bits."""
    q = drawn_reach(int(rng.choice([2, 2, 3, 10, 100, 10**6, 2**45])), d)
    lowest = int(rng.choice([0, 1 - q]))
    share_of_zeros = float(rng.choice([0.0, 0.0, 0.5, 0.9]))

    def draw_table(arity: int) -> tuple[int, ...]:
        table = rng.integers(lowest, q, 1 << arity)
        if share_of_zeros:
            table[rng.random(len(table)) < share_of_zeros] = 0
        return tuple(table.tolist())

    return draw_table


def random_solution(rng: np.random.Generator, n: int) -> np.ndarray:
    """n random bits."""
    return rng.integers(0, 2, n, np.uint8)


def random_weights(rng: np.random.Generator, d: int) -> np.ndarray:
    """Positive weights: small integers half of the time, reals otherwise."""
    return rng.integers(1, 6, d) if rng.random() < 0.5 else rng.random(d) + 1e-3


@st.composite
def plains(draw: Any, max_n: int = 7, max_d: int = 3) -> Plain:
    """Landscapes that hypothesis can shrink."""
    n = draw(st.integers(1, max_n))
    d = draw(st.integers(1, max_d))
    reach = drawn_reach(draw(st.sampled_from([1, 3, 100, 2**45])), d)
    variables = st.lists(st.integers(0, n - 1), max_size=4, unique=True)
    values = st.integers(-reach, reach)

    def subfunctions(mask: list[int]) -> Any:
        table = st.lists(values, min_size=1 << len(mask), max_size=1 << len(mask))
        return st.tuples(st.just(tuple(mask)), table.map(tuple))

    objective = st.lists(variables.flatmap(subfunctions), max_size=6)
    objectives = draw(st.lists(objective, min_size=d, max_size=d))
    sense = draw(st.tuples(*[st.sampled_from(["max", "min"])] * d))
    return Plain(n, tuple(map(tuple, objectives)), sense)


def landscapes(max_n: int = 7, max_d: int = 3) -> st.SearchStrategy[Landscape]:
    """The package's landscapes of `plains`."""
    return plains(max_n, max_d).map(built)


def one_objective(n: int, *subfunctions: Any) -> Landscape:
    """The landscape of one objective with these subfunctions."""
    return Landscape.from_subfunctions(n, [list(subfunctions)])


def ring(n: int, K: int, seed: int, d: int = 2, q: int = 100) -> Landscape:
    """The adjacent MNK model: subfunction l of each objective reads l, ..., l + K."""
    masks = [tuple((first + j) % n for j in range(K + 1)) for first in range(n)]
    tables = np.random.default_rng(seed).integers(0, q, (d, n, 2 << K)).tolist()
    return Landscape.from_subfunctions(n, [list(zip(masks, each)) for each in tables])


def shuffled(landscape: Landscape, seed: int) -> Landscape:
    """The same landscape with its variables numbered at random."""
    number = np.random.default_rng(seed).permutation(landscape.n)
    given = landscape.subfunctions
    given = given._replace(masks=number[given.masks])
    return Landscape.from_arrays(landscape.n, landscape.d, *given, landscape.sense)


def solutions_of(n: int) -> np.ndarray:
    """All 2^n solutions, in the order of `naive.full_table`."""
    return (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(np.uint8)


def graph_of(landscape: Landscape) -> list[set[int]]:
    """The package's co-occurrence graph, in the form of `naive.cooccurrence`."""
    at, neighbours = landscape.cooccurrence
    return [set(neighbours[at[j] : at[j + 1]].tolist()) for j in range(landscape.n)]


def masks_of(moves: Any) -> np.ndarray:
    """Each move as a bit string, for look-ups in the full table."""
    return np.array([naive.row_of_move(v) for v in moves], np.int64)
