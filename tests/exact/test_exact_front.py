"""Exact fronts are those of the full table, and every solution has its objectives."""

import json
from importlib import import_module
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from clocks import Ticks
from hulls import pairwise
from landscapes import built, plains, random_plain, ring
from naive import Plain
from paretoball.exact.exact_front import ExactFront
from paretoball.exact.front_elimination import GivenUp
from paretoball.exact.front_merging import BLOCK
from paretoball.system import display
from shares import first

BANDS = import_module("paretoball.exact.front_bands")
TABLES = import_module("paretoball.exact.front_tables")
ELIMINATION = import_module("paretoball.exact.front_elimination")


@pytest.fixture
def in_bands(monkeypatch):
    """All fronts of two objectives or more are found within bands."""
    for name in ("FEW", "FEW_OF_MORE", "FEW_EACH"):
        monkeypatch.setattr(BANDS, name, 0)
    monkeypatch.setattr(BANDS, "FEWEST_WEIGHTS", 2)


def assert_exact(landscape: pb.Landscape, **how) -> ExactFront:
    """The front is that of the definition, and solutions have their objectives."""
    front = pb.exact_front(landscape, **how)
    exact = naive.pareto_front(naive.full_table(landscape), landscape.sense)
    assert list(map(tuple, front.F.tolist())) == exact
    assert front.X.shape == (len(front), landscape.n)
    assert front.X.dtype == bool
    assert_array_equal(landscape.evaluate(front.X), front.F)
    assert front.sense == landscape.sense
    return front


def random_shape(rng, max_n=14):
    """A landscape of 1 to 5 objectives: ragged, a tree, a ring, a grid, or in parts."""
    shape = rng.choice(["ragged", "tree", "ring", "grid", "parts"])
    if shape == "ragged":
        return random_plain(rng, max_n)
    n, d = int(rng.integers(2, max_n + 1)), int(rng.integers(1, 6))
    names = rng.permutation(n).tolist()
    if shape == "tree":
        edges = [(int(rng.integers(b)), b) for b in range(1, n)]
    elif shape == "grid":
        edges = [(b - a, b) for a in (1, 4) for b in range(a, n)]
    else:
        K = int(rng.integers(1, min(4, n)))
        edges = [tuple((a + b) % n for b in range(K + 1)) for a in range(n)]
    if shape == "parts":
        edges = [edge for edge in edges if rng.random() < 0.5]
    q = int(rng.choice([2, 5, 100, 2**40]))
    objectives = [
        [
            (
                tuple(names[j] for j in edge),
                rng.integers(-q, q, 1 << len(edge)).tolist(),
            )
            for edge in edges
        ]
        for _ in range(d)
    ]
    return Plain(n, objectives, tuple(rng.choice(["max", "min"], d).tolist()))


@pytest.mark.parametrize("seed", first(2, range(8)))
def test_fronts_of_random_landscapes_are_exact(seed):
    rng = np.random.default_rng(seed)
    for _ in range(50):
        assert_exact(built(random_shape(rng, max_n=11)))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_fronts_of_many_larger_landscapes_are_exact(seed):
    rng = np.random.default_rng(100 + seed)
    for _ in range(100):
        assert_exact(built(random_shape(rng)))


@pytest.mark.parametrize("seed", first(1, range(4)))
def test_fronts_within_bands_are_exact(in_bands, seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        plain = random_shape(rng, max_n=10)
        assert_exact(built(plain))
        two = plain._replace(objectives=plain.objectives[:2], sense=plain.sense[:2])
        assert_exact(built(two))


@given(plains(max_n=6, max_d=4), st.booleans())
def test_fronts_of_small_landscapes_are_exact(plain, is_tight):
    assert_exact(built(plain), memory_limit=1 << 16 if is_tight else None)


@pytest.mark.plain
def test_fronts_are_exact_as_plain_python(in_bands):
    rng = np.random.default_rng(100)
    for _ in range(25):
        assert_exact(built(random_shape(rng, max_n=6)))


@pytest.mark.bounds
def test_fronts_are_exact_within_bounds(in_bands):
    rng = np.random.default_rng(200)
    for _ in range(100):
        assert_exact(built(random_shape(rng, max_n=9)))
    for n, d in product((8, 12), (2, 3, 4)):
        assert_exact(ring(n, K=3, seed=n, d=d))


@pytest.mark.parametrize("d", [3, 4, 5])
def test_fronts_of_many_points_are_exact(d):
    rng = np.random.default_rng(d)
    terms = [((j,), (j, (j + 1) % 13)) for j in range(13)]
    objectives = [
        [
            subfunction
            for one, pair in terms
            for subfunction in (
                (one, rng.integers(0, 999, 2).tolist()),
                (pair, rng.integers(0, 99, 4).tolist()),
            )
        ]
        for _ in range(d)
    ]
    front = assert_exact(built(Plain(13, objectives, ("max",) * d)))
    assert len(front) > 2 * BLOCK


@pytest.mark.parametrize(("n", "d"), [(60, 2), (30, 3), (20, 4), (16, 5)])
def test_bands_change_nothing(in_bands, monkeypatch, n, d):
    landscape = ring(n, K=2, seed=3, d=d)
    narrow = pb.exact_front(landscape)
    monkeypatch.undo()
    plain = pb.exact_front(landscape)
    assert_array_equal(narrow.F, plain.F)
    assert_array_equal(landscape.evaluate(narrow.X), narrow.F)
    assert narrow.vectors != plain.vectors


@pytest.mark.parametrize(("n", "d"), [(300, 2), (60, 3)])
def test_bands_make_far_fewer_vectors(in_bands, monkeypatch, n, d):
    landscape = ring(n, K=2, seed=1, d=d)
    bounded = pb.exact_front(landscape)
    monkeypatch.setattr(BANDS, "FEW_EACH", 2**62)
    plain = pb.exact_front(landscape)
    assert_array_equal(bounded.F, plain.F)
    assert 3 * bounded.vectors < plain.vectors


@pytest.mark.parametrize("memory", [1, 5_000, 100_000, 10**9])
def test_little_memory_changes_no_solution(monkeypatch, memory):
    monkeypatch.setattr(BANDS, "available_memory", lambda: memory)
    for seed in range(3):
        landscape = ring(14, K=3, seed=seed, d=3)
        exact = assert_exact(landscape)
        monkeypatch.setattr(BANDS, "available_memory", lambda: 10**10)
        assert_array_equal(pb.exact_front(landscape).X, exact.X)


@pytest.mark.bounds
@pytest.mark.parametrize("d", [2, 3, 4])
def test_parts_of_all_sizes_are_joined_within_bounds(monkeypatch, d):
    monkeypatch.setattr(TABLES, "FIRST_ROOM", 8)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        ones = rng.permutation([1] * int(rng.integers(1, 9)) + [0] * 4).tolist()
        masks = [(j, j + one) if one else (j,) for j, one in enumerate(ones)]
        objectives = [
            [(mask, rng.integers(0, 99, 1 << len(mask)).tolist()) for mask in masks]
            for _ in range(d)
        ]
        assert_exact(built(Plain(len(ones) + 1, objectives, ("max",) * d)))


@pytest.mark.parametrize("room", [1, 5, 64])
def test_joins_that_lack_room_go_on(monkeypatch, room):
    monkeypatch.setattr(TABLES, "FIRST_ROOM", room)
    rng = np.random.default_rng(room)
    edges = [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (0, 8), (0, 9), (0, 10)]
    for _ in range(20):
        assert_exact(pairwise(rng, 12, edges))


def test_parts_are_added():
    ones = [((j,), [0, 1 << j]) for j in range(10)]
    zeros = [((j,), [1 << j, 0]) for j in range(10)]
    front = assert_exact(pb.Landscape.from_subfunctions(12, [ones, zeros]))
    assert len(front) == 1024
    assert front.width == 0


@pytest.mark.plain
def test_empty_landscapes_have_one_point():
    for n in 1, 5:
        landscape = pb.Landscape.from_subfunctions(n, [[], [], []])
        assert assert_exact(landscape).F.tolist() == [[0, 0, 0]]
        constants = [[((), [3])], [((), [4]), ((), [-9])]]
        landscape = pb.Landscape.from_subfunctions(n, constants, ["max", "min"])
        assert pb.exact_front(landscape).F.tolist() == [[3, -5]]


def test_reals_give_the_front_of_their_steps():
    for seed in range(10):
        landscape = pb.mnk(9, K=3, q=None, seed=seed)
        front = pb.exact_front(landscape)
        n, objectives, sense = naive.plain(landscape)
        steps = [
            [(mask, [int(t * scale) for t in table]) for mask, table in objective]
            for objective, scale in zip(objectives, landscape.scale.tolist())
        ]
        assert front.F.dtype == float
        exact = naive.pareto_front(naive.full_table(Plain(n, steps, sense)))
        assert list(map(tuple, landscape.inside(front.F).tolist())) == exact
        assert_array_equal(landscape.evaluate(front.X), front.F)


@pytest.mark.plain
@pytest.mark.parametrize("sense", list(product(["max", "min"], repeat=2)))
@pytest.mark.parametrize("scales", [(1, 4), (8, 1), (4, 1 / 1000)])
def test_objectives_of_different_units_and_senses_have_their_exact_fronts(
    sense, scales
):
    rng = np.random.default_rng(1)
    masks = [(j, (j + 1) % 5) for j in range(5)]
    objectives = [
        [(mask, (rng.integers(-9, 30, 4) / scale).tolist()) for mask in masks]
        for scale in scales
    ]
    landscape = pb.Landscape.from_subfunctions(5, objectives, sense)
    table = naive.full_table(Plain(5, objectives, sense))
    for front, right in (
        (pb.exact_front(landscape), naive.pareto_front(table, sense)),
        (pb.supported_front(landscape), sorted(naive.hull_corners(table, sense))),
    ):
        assert list(map(tuple, front.F.tolist())) == right
        assert_array_equal(landscape.evaluate(front.X), front.F)


def test_the_corners_of_the_hull_are_on_the_front():
    landscape = ring(300, K=3, seed=2)
    front = set(map(tuple, pb.exact_front(landscape).F.tolist()))
    hull = set(map(tuple, pb.supported_front(landscape).F.tolist()))
    assert hull < front


# Going on


class Killed(Exception):
    """The end of a run."""


@pytest.mark.parametrize(("n", "d"), [(80, 2), (30, 3)])
def test_bands_go_on_where_they_were_stopped(in_bands, monkeypatch, tmp_path, n, d):
    landscape = ring(n, K=2, seed=1, d=d)
    whole, path = pb.exact_front(landscape), tmp_path / "bands.npz"
    write = BANDS.write_bands

    def write_and_die(*what):
        write(*what)
        raise Killed

    monkeypatch.setattr(BANDS, "write_bands", write_and_die)
    kills = 0
    while kills < 50:
        try:
            front = pb.exact_front(landscape, checkpoint=path)
            break
        except Killed:
            kills += 1
    assert 0 < kills < 10
    assert_array_equal(front.F, whole.F)
    assert_array_equal(landscape.evaluate(front.X), front.F)
    with pytest.raises(ValueError, match=r"bands.npz: it belongs to another landscape"):
        pb.exact_front(ring(n, K=2, seed=2, d=d), checkpoint=path)
    content = bytearray(path.read_bytes())
    content[-400] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"bands.npz: "):
        pb.exact_front(landscape, checkpoint=path)


def kept_bands(landscape, path):
    """What a run leaves in its file of bands, with its header."""
    pb.exact_front(landscape, checkpoint=path)
    return BANDS.read_bands(path, landscape)


@pytest.mark.parametrize(
    ("field", "spoil", "words"),
    [
        ("covered", lambda covered: covered[:-1], "one for each weight"),
        ("covered", lambda covered: covered + np.nan, "one for each weight"),
        ("covered", lambda covered: covered.astype(int), "rows of int64"),
        ("weights", lambda w: w * 2, "weights are not those"),
        ("points", lambda points: points[::-1], "do not descend"),
        ("points", lambda points: points[1:], r"has \d+ points, but \d+ solutions"),
        (
            "points",
            lambda points: points + np.array([0, 1]),
            "is not that of its solution",
        ),
        ("bits", lambda bits: bits ^ np.uint8(1), "is not that of its solution"),
        ("bits", lambda bits: bits[:, 1:], "rows of uint8"),
    ],
)
def test_bands_that_do_not_fit_are_refused(in_bands, tmp_path, field, spoil, words):
    landscape, path = ring(40, K=2, seed=1), tmp_path / "bands.npz"
    known = kept_bands(landscape, path)
    wrong = known._replace(**{field: spoil(getattr(known, field))})
    BANDS.write_bands(path, landscape, wrong)
    with pytest.raises(ValueError, match=rf"bands.npz: .*{words}"):
        pb.exact_front(landscape, checkpoint=path)


def test_bands_of_other_weights_are_refused(in_bands, monkeypatch, tmp_path):
    landscape, path = ring(40, K=2, seed=1), tmp_path / "bands.npz"
    kept_bands(landscape, path)
    monkeypatch.setattr(BANDS, "MOST_WEIGHTS", 3)
    with pytest.raises(ValueError, match=r"bands.npz: .*remove the file to begin anew"):
        pb.exact_front(landscape, checkpoint=path)


def test_a_front_is_whole_after_any_number_of_bands(in_bands, monkeypatch):
    """Each band here is one step wider than the last, so more than 1,000 are needed."""
    bands = []
    monkeypatch.setattr(BANDS._Run, "front", lambda *_: bands.append(1))
    monkeypatch.setattr(BANDS, "_with_more", lambda known, *_: known)

    class Lines(NamedTuple):
        completions: object = None

        def gaps(self, known, run):
            return np.array([1.0 if len(bands) < 1500 else -1.0])

        def next_band(self, known, needed):
            return needed

    monkeypatch.setattr(BANDS, "bound_of", lambda *_: None)
    run = BANDS._Run.__new__(BANDS._Run)
    run.of = NamedTuple("Of", [("made", int)])(7)
    known = BANDS.Known(*(np.zeros((0, 2)) for _ in range(4)))
    found = BANDS._within_bands(run, Lines(), known, BANDS.Kept(None, None))
    assert len(bands) == 1500
    assert found.made == 7


# Refusals


def test_wide_landscapes_are_refused_with_their_width():
    with pytest.raises(ValueError, match=r"width \d+.* width 24 is the most"):
        pb.exact_front(pb.mnk(200, K=4, model="random", seed=1))


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3])
def test_all_vectors_made_may_be_as_many_as_allowed_and_no_more(d):
    landscape = ring(5, K=1, seed=1, d=d)
    made = pb.exact_front(landscape).vectors
    assert pb.exact_front(landscape, max_points=made).vectors == made
    with pytest.raises(ValueError, match=f"^max_points = {made - 1} is passed"):
        pb.exact_front(landscape, max_points=made - 1)


def test_too_many_vectors_are_refused():
    landscape = ring(60, K=3, seed=1)
    made = pb.exact_front(landscape).vectors
    with pytest.raises(GivenUp, match=r"max_points = 1,000 is passed.*width 6.*step"):
        pb.exact_front(landscape, max_points=1000)
    assert pb.exact_front(landscape, max_points=made).vectors == made
    with pytest.raises(GivenUp):
        pb.exact_front(landscape, max_points=made - 1)


@pytest.mark.parametrize("n", [60, 120])
def test_the_work_does_not_depend_on_the_memory(monkeypatch, n):
    landscape = ring(n, K=3, seed=1)
    made = pb.exact_front(landscape).vectors
    monkeypatch.setattr(BANDS, "available_memory", lambda: 10**6)
    assert pb.exact_front(landscape).vectors == made


def test_time_that_is_up_is_told():
    with pytest.raises(TimeoutError, match=r"time_limit = 1e-09 s is up: .* step 1 of"):
        pb.exact_front(ring(60, K=3, seed=1), time_limit=1e-9)


@pytest.mark.parametrize("value", [0, -1])
@pytest.mark.parametrize("name", ["max_points", "time_limit", "memory_limit"])
def test_limits_that_leave_nothing_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} = {value}.* must be"):
        pb.exact_front(ring(6, K=1, seed=1), **{name: value})


@pytest.mark.parametrize("name", ["max_points", "time_limit", "memory_limit"])
def test_limits_that_are_no_numbers_are_refused(name):
    with pytest.raises(TypeError, match=name):
        pb.exact_front(ring(6, K=1, seed=1), **{name: [1]})


def test_tables_that_do_not_fit_are_refused():
    with pytest.raises(MemoryError, match="elimination"):
        pb.exact_front(ring(60, K=3, seed=1), memory_limit=60_000)


def test_ranges_beyond_64_bits_are_refused():
    table = [-(2**62), 2**62]
    landscape = pb.Landscape.from_subfunctions(1, [[((0,), table)]])
    with pytest.raises(OverflowError, match="objective 0 can vary"):
        pb.exact_front(landscape)


def test_what_is_no_landscape_is_refused():
    with pytest.raises(TypeError, match="is not a Landscape"):
        pb.exact_front("landscape")


# What it says


def test_fronts_say_what_they_are():
    front = pb.exact_front(ring(40, K=3, seed=1))
    assert repr(front).startswith(f"ExactFront: {len(front)} points (f0 ")
    assert f"n = 40, width 6, {front.vectors:,} vectors made in" in repr(front)
    assert "\n" not in repr(front)


@pytest.mark.plain
@pytest.mark.parametrize("n", [1, 5])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_fronts_tell_their_seconds_points_and_vectors(monkeypatch, d, n):
    clock = import_module("paretoball.exact.exact_front")
    monkeypatch.setattr(clock, "perf_counter", Ticks(2.5))
    tables = [[((j,), [0, 1 + i]) for j in range(n)] for i in range(d)]
    front = pb.exact_front(pb.Landscape.from_subfunctions(n, tables))
    assert front.seconds == 2.5  # it looked at the clock at the start, and at the end
    assert front.F.tolist() == [[n * (1 + i) for i in range(d)]]
    assert (len(front), front.n, front.d, front.width) == (1, n, d, 0)
    made = f"{front.vectors} vector{'s' if front.vectors > 1 else ''} made in 2.5 s"
    assert repr(front).startswith("ExactFront: 1 point (f0 ")
    assert repr(front).endswith(f"; n = {n}, width 0, {made}")


@pytest.mark.plain
@pytest.mark.parametrize("limit", [0.5, 2, 30])
def test_time_is_up_after_the_limit_and_not_at_it(monkeypatch, limit):
    clock, landscape = import_module("paretoball.exact.exact_front"), ring(4, 1, 1)
    monkeypatch.setattr(clock, "perf_counter", lambda: times.pop(0))
    times = [7.0, *[7.0 + limit] * 1000]
    assert pb.exact_front(landscape, time_limit=limit).seconds == limit
    times = [7.0, *[7.125 + limit] * 1000]
    with pytest.raises(TimeoutError, match=f"^time_limit = {limit:g} s is up: "):
        pb.exact_front(landscape, time_limit=limit)


def test_progress_tells_steps_and_vectors(monkeypatch, capsys):
    monkeypatch.setattr(display, "PATIENCE", 0.0)
    monkeypatch.setattr(display, "PLAIN_EVERY", 0.0)
    pb.exact_front(ring(40, K=3, seed=1), progress=True)
    shown = capsys.readouterr()
    assert "eliminating: step 40 of 40 steps, " in shown.err
    assert shown.out == ""


# What others found


def test_the_front_of_three_cuts_of_42_nodes_is_that_published(shared_folder):
    folder = shared_folder / "data" / "momaxcut42"
    landscape = pb.read_landscape(*(folder / f"q42_3o_{i}.json" for i in range(3)))
    front = pb.exact_front(landscape)
    assert len(front) == 2067
    assert_array_equal(landscape.evaluate(front.X), front.F)
    lower = json.loads((folder / "q42_3o_lower_bounds.json").read_text())
    assert round(pb.hypervolume(front, lower), 4) == 43471.7037


@pytest.mark.parametrize(
    "n", [6, 12, pytest.param(25, marks=pytest.mark.long)]
)  # the last is a complete graph, with tables of 2**24 fronts
def test_fronts_of_two_cuts_are_those_published(shared_folder, n):
    folder = shared_folder / "data" / "maxcut"
    landscape = pb.read_landscape(
        *(folder / f"mc_instance_{n}_{i}.txt" for i in (0, 1))
    )
    known = np.loadtxt(folder / f"mc_pareto_front_{n}.txt", skiprows=1, ndmin=2)
    front = pb.exact_front(landscape)
    assert sorted(map(tuple, front.F.tolist())) == sorted(map(tuple, known.tolist()))


def test_the_front_of_25_variables_is_that_of_all_solutions(shared_folder):
    folder = shared_folder / "data" / "rmnk"
    landscape = pb.read_landscape(folder / "rmnk_0_2_25_1_0.dat")
    sums = np.loadtxt(folder / "rmnk_0_2_25_1_0.front.csv", delimiter=",")
    front = pb.exact_front(landscape)
    assert front.width == 2
    assert_array_equal(
        np.round(front.F * 25, 9), np.round(sums[np.argsort(sums[:, 0])], 9)
    )
