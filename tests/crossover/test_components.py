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
    list_flipped,
    new_component_space,
    score_component,
    score_in_climb,
    shorten,
)
from paretoball.crossover.crossover import _read, _split


@kernel
def flipped_components(cliques, graph, space, flips, here):
    count = list_flipped(space, flips, 1, len(flips))
    found = find_components(graph, space, count)
    for p in range(found):
        score_component(cliques, space, here, p, len(cliques.constant))
    return found


@pytest.mark.plain
@pytest.mark.bounds
@given(couples(), st.data())
def test_flips_fall_into_components_and_leave_scratch_as_it_was(couple, data):
    landscape, x, y = couple
    variables = st.integers(0, landscape.n - 1)
    flips = np.array(data.draw(st.lists(variables, min_size=1, max_size=20)), np.int32)
    cliques = landscape.cliques
    cliques = cliques._replace(tables=cliques.tables.ravel())
    space, fx = new_component_space(cliques), np.zeros(landscape.d, np.int64)
    here = np.zeros(len(cliques.mask_at) - 1, np.uint32)
    start = np.array(x, np.uint8)
    _read(cliques, start, here, fx)
    assert_array_equal(landscape.shown(fx), naive.evaluate(landscape, x))
    for _ in range(2):
        found = flipped_components(cliques, landscape.cooccurrence, space, flips, here)
        expected = naive.components(landscape, x, naive.flipped(x, flips[1:]))
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
shorten_now = kernel(shorten)


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


@pytest.mark.plain
@pytest.mark.bounds
@given(st.lists(st.integers(0, 8), max_size=30), st.integers(0, 5))
def test_shortened_flips_come_to_the_same_and_keep_their_order(flips, first):
    landscape = pb.Landscape.from_subfunctions(9, [[((0, 8), [0, 1, 2, 3])]])
    space = new_component_space(landscape.cliques)
    first = min(first, len(flips))
    short = np.array([*flips, -1], np.int32)
    last = shorten_now(space, short, first, len(flips))
    kept = short[:last].tolist()
    assert kept[:first] == flips[:first]
    once = list(dict.fromkeys(flips[first:]))
    assert list(dict.fromkeys(kept[first:])) == once
    for j in once:
        times = 2 - flips[first:].count(j) % 2
        assert kept[first:].count(j) == times
    assert not space.marks.any()
