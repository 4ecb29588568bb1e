"""Chains: what mends what, what is accepted, and what is taken back."""

from typing import Any

import numpy as np
import pytest

import naive
import paretoball as pb
from constrained import Case, feasible_front, random_case, wrong_of
from paretoball.climber import NO_MOVE
from paretoball.search.path import chains
from paretoball.search.path.chains import LONGEST, PROBES
from paretoball.search.path.clock import (
    BRANCHING,
    CHAINING,
    CLIMBING,
    MATING,
    NOTHING,
    SEEKING,
)
from paretoball.search.path.engine import _choose_anew, _step
from paretoball.search.path.journal import offer
from paretoball.search.path.ledger import is_feasible
from paretoball.search.path.tasks import FILL, PATH
from paretoball.search.path.unit import next_chosen
from walkers import at_phase, go_until, task_of, walker_of


def feasible_solutions(case: Case) -> np.ndarray:
    """All of them, by brute force."""
    every = np.array(list(np.ndindex(*[2] * case.landscape.n)), np.uint8)
    good = [not any(naive.violation(case.constraints, x)) for x in every.tolist()]
    return every[good]


def chained(case: Case, rng: np.random.Generator, kind: int = PATH) -> Any:
    """A unit by chains that begins at feasible solutions; None if there are none."""
    X = feasible_solutions(case)
    if len(X) == 0 or not case.constraints:
        return None
    chosen = X[rng.permutation(len(X))[:4]]
    task = task_of(case.landscape, kind, chosen)._replace(is_chained=True)
    return walker_of(case.landscape, task=task, seed=int(rng.integers(99)))


def sizes_of(walker: Any) -> list[float]:
    """What a typical flip changes of each constraint."""
    return walker.unit.ledger.sizes.tolist()


def left_by(case: Case, sizes: list[float], x: list[int], j: int) -> float:
    """All that a flip of j leaves violated, each in typical flips."""
    far = naive.violation(case.constraints, naive.flipped(x, [j]))
    return sum(float(each) / size for each, size in zip(far, sizes))


def walk_chains(case: Case, walker: Any, steps: int) -> list[list[int]]:
    """Go on through some steps of an anneal, and check each link; the chains."""
    unit, clock = walker.unit, walker.unit.clock
    passed: list[list[int]] = []
    chain: list[int] = []
    begun = unit.state.x.tolist()
    for _ in range(steps):
        x = unit.state.x.tolist()
        j = next_chosen(unit)
        if j != NO_MOVE:  # on the way back
            assert clock.links == 0
            _step(walker.ground, unit, j)
            chain.remove(j)
            if not chain:
                assert unit.state.x.tolist() == begun
            continue
        if clock.phase not in (CHAINING, BRANCHING):
            break
        j = _choose_anew(walker.ground, unit, unit.ledger)
        offer(unit)
        if j == NO_MOVE:
            continue
        if clock.links == 1:
            assert not any(naive.violation(case.constraints, x))
            passed.append([])
            begun, chain = x, []
        else:
            check_link(case, walker, x, int(j), chain)
        assert unit.mixed.chain[: clock.links].tolist() == [*chain, j]
        chain.append(int(j))
        passed[-1].append(int(j))
        assert len(chain) <= LONGEST
        _step(walker.ground, unit, j)
    return passed


def check_link(case: Case, walker: Any, x: list[int], j: int, chain: list[int]) -> None:
    """A link mends a violated constraint; of what mends that it leaves the least."""
    sizes, far = sizes_of(walker), naive.violation(case.constraints, x)
    assert j not in chain
    able = []
    for c, (terms, _, bound) in enumerate(case.constraints):
        above = naive.total(terms, x) - bound
        rivals = [
            k
            for k in range(case.landscape.n)
            if k not in chain and naive.changes(case.constraints, x, k)[c] * above < 0
        ]
        if far[c] and j in rivals:
            able.append(min(left_by(case, sizes, x, k) for k in rivals))
    assert able
    assert left_by(case, sizes, x, j) <= max(able) + 1e-9


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3])
def test_each_link_mends_best_and_chains_are_taken_back_or_end_feasible(d):
    several = 0
    for number in range(25):
        rng = np.random.default_rng([number, d])
        case = random_case(rng, d, max_n=8)
        walker = chained(case, rng)
        if walker is None:
            continue
        go_until(walker, CHAINING)
        unit = walker.unit
        unit.clock.tried = PROBES - 2  # so that some may be accepted
        numbers = unit.heat.numbers
        numbers.given, numbers.change, numbers.ended = 1e9, 5.0, 1.0
        passed = walk_chains(case, walker, 300)
        several += sum(len(chain) > 1 for chain in passed)
    assert several > 30


@pytest.mark.plain
def test_first_chains_only_tell_what_a_chain_changes():
    _, walker = assignment(4)
    unit, clock = walker.unit, walker.unit.clock
    go_until(walker, CHAINING)
    start = unit.state.x.copy()
    unit.heat.numbers.given = 1e9
    while clock.tried <= PROBES:
        j = next_chosen(unit)
        if j == NO_MOVE:
            if clock.links == 0:
                assert (unit.state.x == start).all()
            if clock.tried == PROBES and clock.links == 0:
                break
            assert unit.heat.numbers.now_t == 0.0
            j = _choose_anew(walker.ground, unit, unit.ledger)
        if j != NO_MOVE:
            _step(walker.ground, unit, j)
    assert 0 < unit.heat.numbers.ended <= PROBES
    mean = unit.heat.numbers.change / unit.heat.numbers.ended
    _choose_anew(walker.ground, unit, unit.ledger)
    numbers = unit.heat.numbers
    assert numbers.now_t <= chains.HOT * mean * (1 + 1e-9)
    assert numbers.now_t > 0.4 * chains.HOT * mean


def assignment(k: int) -> tuple[Case, Any]:
    """k workers and k jobs, with two costs; a unit by chains at a feasible solution."""
    rng = np.random.default_rng(k)
    n, grid = k * k, np.arange(k * k).reshape(k, k)
    costs = rng.integers(1, 100, (2, n)).tolist()
    constraints = [
        ([((int(j),), [0, 1]) for j in line], "==", 1) for line in [*grid, *grid.T]
    ]
    landscape = pb.Landscape.from_subfunctions(
        n,
        [[((j,), [0, c]) for j, c in enumerate(one)] for one in costs],
        sense="min",
        constraints=constraints,
    )
    task = task_of(landscape, PATH, [np.eye(k).ravel()])._replace(is_chained=True)
    return Case(landscape, constraints), walker_of(landscape, task=task)


@pytest.mark.plain
def test_metropolis_rule_accepts_what_is_better_and_seldom_what_is_much_worse():
    _, walker = assignment(4)
    go_until(walker, CHAINING)
    unit, clock, numbers = walker.unit, walker.unit.clock, walker.unit.heat.numbers
    clock.tried = PROBES + 1
    numbers.given, numbers.done = 1e9, 1e9 - 1.0
    changes = {True: [], False: []}
    for _ in range(4000):
        numbers.done = 1e9 - 1.0  # cold, but for what is set here
        j = next_chosen(unit)
        if j == NO_MOVE:
            before = unit.mixed.before.copy()
            is_end = clock.links > 0 and is_feasible(unit.ledger)
            fx = unit.state.fx.copy()
            numbers.now_t = 5.0
            j = _choose_anew(walker.ground, unit, unit.ledger)
            if is_end:
                gain = float(unit.heat.shares @ (fx - before))
                changes[j == NO_MOVE and clock.next == clock.chosen].append(gain)
        if j != NO_MOVE:
            _step(walker.ground, unit, j)
    accepted, refused = np.array(changes[True]), np.array(changes[False])
    assert len(accepted) > 20
    assert len(refused) > 20
    assert refused.max() < 0.0
    assert -60.0 < accepted.min() < 0.0


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3])
def test_fillings_try_a_chain_from_each_variable_and_come_back(d):
    visits = 0
    for number in range(25):
        rng = np.random.default_rng([number, d, 7])
        case = random_case(rng, d, max_n=7)
        walker = chained(case, rng, FILL)
        if walker is None:
            continue
        unit, clock = walker.unit, walker.unit.clock
        assert clock.phase == SEEKING
        go_until(walker, BRANCHING)
        x = unit.state.x.tolist()
        assert x == unit.known.rows[0].tolist()
        passed = walk_chains(case, walker, 3000)
        assert clock.phase == MATING
        assert [chain[0] for chain in passed] == list(range(len(x)))
        assert unit.state.x.tolist() == x
        visits += 1
    assert visits > 5


@pytest.mark.plain
def test_unit_by_chains_begins_by_repairs_and_climbs_after_an_anneal():
    _, walker = assignment(3)
    unit, clock = walker.unit, walker.unit.clock
    go_until(walker, CHAINING)
    unit.heat.numbers.given = 500.0
    go_until(walker, CLIMBING)
    assert is_feasible(unit.ledger)
    assert clock.links == 0


def annealing(landscape: pb.Landscape, x: list[int]) -> Any:
    """A unit whose anneal of chains begins at x."""
    task = task_of(landscape, PATH, [x])._replace(is_chained=True)
    walker = walker_of(landscape, task=task)
    go_until(walker, CHAINING)
    return walker


@pytest.mark.plain
def test_chains_that_get_too_long_are_taken_back():
    # all of twelve variables need the last one, and it needs all of them
    terms = [((j,), [0, 1]) for j in range(12)] + [((12,), [0, -12])]
    landscape = pb.Landscape.from_subfunctions(
        13, [terms[:1], terms[1:2]], constraints=[(terms, "==", 0)]
    )
    walker = annealing(landscape, [0] * 13)
    walker.unit.heat.numbers.given = 1e9
    passed = walk_chains(Case(landscape, [(terms, "==", 0)]), walker, 500)
    assert max(map(len, passed)) == LONGEST


@pytest.mark.plain
def test_anneals_end_where_all_solutions_are_worth_the_same():
    one = [((j,), [0, 1]) for j in range(4)]
    landscape = pb.Landscape.from_subfunctions(4, [one], constraints=[(one, "==", 2)])
    walker = annealing(landscape, [1, 0, 1, 0])
    walker.unit.heat.numbers.given = 3000.0
    assert PROBES < len(go_until(walker, CLIMBING)) < 4000
    assert walker.unit.clock.tried > PROBES


@pytest.mark.plain
def test_nothing_is_tried_again_where_no_chain_ends_feasible():
    # x0 + 2 x1 + 4 x2 + 8 x3 == 5 has one solution
    terms = [((j,), [0, 1 << j]) for j in range(4)]
    landscape = pb.Landscape.from_subfunctions(
        4, [[((0,), [0, 1])], [((1,), [0, 1])]], constraints=[(terms, "==", 5)]
    )
    walker = annealing(landscape, [1, 0, 1, 0])
    walker.unit.heat.numbers.given = 1e9
    go_until(walker, CLIMBING)
    assert walker.unit.clock.tried == PROBES
    assert walker.unit.state.x.tolist() == [1, 0, 1, 0]


def test_chains_find_whole_fronts_and_only_what_is_feasible():
    found = 0
    for number in range(30):
        case = random_case(np.random.default_rng([number, 5]), 2, max_n=9)
        if not case.constraints:
            continue
        result = pb.solve(case.landscape, method="path", max_climbs=24, seed=number)
        assert wrong_of(case, result) == ""
        front = {tuple(row) for row in result.F.tolist()}
        found += front == set(feasible_front(case))
    assert found >= 20


@pytest.mark.plain
def test_nothing_is_due_on_the_way_back():
    _, walker = assignment(3)
    go_until(walker, CHAINING)
    unit, clock = at_phase(walker, CHAINING, NOTHING)
    clock.links = 0
    _step(walker.ground, unit, 0)
    assert clock.due == NOTHING
