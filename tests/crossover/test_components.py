"""Components: those of the definition, and lined up as weights turn."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from couples import couples, weights_of
from landscapes import built, random_pairs, random_plain
from layouts import every_climber
from paretoball._jit import kernel
from paretoball.crossover.components import (
    FINE,
    find_components,
    line_up,
    list_differing,
    new_component_space,
    score_component,
    score_in_climb,
)
from paretoball.crossover.crossover import _read, _split


@kernel
def components_between(cliques, graph, space, x, y, here):
    count = list_differing(space, x, y)
    found = find_components(graph, space, count)
    for p in range(found):
        score_component(cliques, space, here, p, len(cliques.constant))
    return found


@pytest.mark.plain
@pytest.mark.bounds
@given(couples())
def test_what_differs_falls_into_components_and_leaves_scratch_as_it_was(couple):
    landscape, x, y = couple
    cliques = landscape.cliques
    cliques = cliques._replace(tables=cliques.tables.ravel())
    space, fx = new_component_space(cliques), np.zeros(landscape.d, np.int64)
    here = np.zeros(len(cliques.mask_at) - 1, np.uint32)
    start = np.array(x, np.uint8)
    _read(cliques, start, here, fx)
    assert_array_equal(landscape.shown(fx), naive.evaluate(landscape, x))
    for _ in range(2):
        found = components_between(
            cliques, landscape.cooccurrence, space, start, np.array(y, np.uint8), here
        )
        expected = naive.components(landscape, x, y)
        rows = {
            tuple(sorted(space.variables[space.at[p] : space.at[p + 1]].tolist())): p
            for p in range(found)
        }
        assert sorted(rows) == sorted(expected)
        deltas = landscape.shown(space.deltas.reshape(-1, landscape.d))
        for part, p in rows.items():
            assert_array_equal(deltas[p], naive.score(landscape, part, x))
        parents = np.array([x, y], np.uint8)
        found = _split(cliques, landscape.cooccurrence, space, parents, here)
        assert found == len(naive.components(landscape, x, y))
        assert not space.marks.any()
        assert not space.patterns.any()


@kernel
def components_in_climb(cliques, graph, moves, state, space, y):
    found = find_components(graph, space, list_differing(space, state.x, y))
    for p in range(found):
        score_in_climb(cliques, moves, state, space, p)
    return found


@pytest.mark.plain
@pytest.mark.parametrize("number", range(8))
def test_components_have_the_same_deltas_in_climbs_of_every_layout(number):
    rng = np.random.default_rng([7, number])
    draw = random_plain if number % 4 == 3 else random_pairs
    plain = draw(rng, max_n=20)
    landscape = built(plain)
    graph = landscape.cooccurrence
    for climber in every_climber(landscape):
        climb = climber.start(seed=number).run(max_moves=4)
        space = new_component_space(climber.cliques)
        for share in (0.1, 0.3, 0.6, 1.0):
            y = climb._state.x ^ (rng.random(plain.n) < share)
            found = components_in_climb(
                climber.cliques, graph, climber.move_set, climb._state, space, y
            )
            deltas = landscape.shown(space.deltas.reshape(-1, landscape.d))
            for p in range(found):
                part = space.variables[space.at[p] : space.at[p + 1]].tolist()
                assert_array_equal(deltas[p], naive.score(plain, part, climb.x))
            assert not space.marks.any()
            climb.flip(rng.permutation(plain.n)[:2])


line_up_now = kernel(line_up)


@given(couples(), st.data())
def test_components_line_up_as_weights_turn(couple, data):
    landscape, x, y = couple
    between = pb.components(landscape, x, y)
    gains = between.gains.tolist()
    space = new_component_space(landscape.cliques)
    space.deltas[: between.gains.size] = between.gains.ravel()
    near, far = (data.draw(weights_of)[: landscape.d] for _ in "nf")
    turns = np.zeros(len(between), np.int64)
    count = line_up_now(space, len(between), np.array(near), np.array(far), turns)

    def worth(w, p):
        return Fraction(sum(a * b for a, b in zip(w, gains[p])))

    turning = [
        p for p in range(len(gains)) if (worth(near, p) > 0) != (worth(far, p) > 0)
    ]
    assert sorted((turns[:count] % FINE).tolist()) == turning
    assert_array_equal(turns[:count], np.sort(turns[:count]))
    for turn in turns[:count].tolist():
        when, p = divmod(turn, FINE)
        exact = worth(near, p) / (worth(near, p) - worth(far, p))
        assert abs(when - exact * (FINE - 1)) <= 1
