"""MNK landscapes: our own, and the authors', bit for bit."""

import json
import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from conftest import SHARED
from paretoball import Landscape, mnk, mnk_java
from paretoball.problems.java_random import JavaRandom
from paretoball.problems.mnk import _java_masks, _java_streams, _java_tables

# One file per instance: the same instance is there for r = 1, 2 and 3.
INSTANCES = sorted((SHARED / "reference" / "crosscheck").glob("*_r1_*.json"))


def masks_and_tables(landscape: Landscape, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Both as arrays of shape (d, n, ...); every subfunction must read k variables."""
    given = landscape.subfunctions
    shape = (landscape.d, landscape.n, -1)
    assert_array_equal(np.diff(given.mask_at), k)
    assert_array_equal(given.objective, np.repeat(range(landscape.d), landscape.n))
    return given.masks.reshape(shape), given.tables.reshape(shape)


def recorded(path):
    """The instance in a file of the authors' results: arguments, masks and tables."""
    found = json.loads(path.read_text())
    name = re.fullmatch(r"n\d+_K\d+_q\w+_d\d_([a-z]+)(\d*)_r1_p\d+_a\d+", found["name"])
    arguments = {
        "n": found["n"],
        "K": found["K"],
        "d": found["d"],
        "q": None if found["q"] == "." else int(found["q"]),
        "model": int(name[2]) if name[2] else name[1],
        "pseed": found["pseed"],
    }
    masks = np.array([objective["masks"] for objective in found["objectives"]])
    tables = np.array([objective["tables"] for objective in found["objectives"]])
    return arguments, masks, tables


def test_the_authors_instances_are_there():
    if not SHARED.is_dir():
        pytest.skip(f"no reference data: {SHARED} does not exist")
    assert len(INSTANCES) == 12


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_the_authors_instances_are_reproduced(path):
    arguments, masks, tables = recorded(path)
    landscape = mnk_java(**arguments)
    found_masks, found_tables = masks_and_tables(landscape, arguments["K"] + 1)
    assert_array_equal(found_masks, masks)
    if arguments["q"] is not None:
        assert_array_equal(found_tables, tables)
        return
    in_units = found_tables / landscape.scale[:, None, None]
    half_steps = np.array(landscape.resolution)[:, None, None] / 2
    assert (np.abs(in_units - tables) <= half_steps).all()
    for stream, objective in zip(
        _java_streams(arguments["d"], arguments["pseed"]), tables
    ):
        drawn = _java_tables(arguments["n"], arguments["K"], None, stream)
        assert_array_equal(drawn, objective)


def test_the_authors_first_starts_have_the_values_they_saw():
    landscape = mnk_java(n=10_000, K=3, d=2, q=100, model="adjacent", pseed=1)
    stream = _java_streams(2, 1)[0]
    _java_tables(10_000, 3, 100, stream)
    assert landscape.evaluate(stream.next_ints(2, 10_000)).tolist() == [496711, 489751]
    assert landscape.evaluate(stream.next_ints(2, 10_000)).tolist() == [497770, 491918]


# --- Our own instances.


def test_adjacent_reads_what_follows_and_wraps():
    masks, _ = masks_and_tables(mnk(n=5, K=2, d=3, model="adjacent", seed=0), 3)
    expected = [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 0], [4, 0, 1]]
    assert_array_equal(masks, [expected] * 3)


@pytest.mark.parametrize("model", ["random", 7, 3])
def test_masks_have_their_own_variable_and_others_from_the_window(model):
    n, K = 40, 3
    masks, _ = masks_and_tables(mnk(n, K, d=2, model=model, seed=5), K + 1)
    assert_array_equal(masks[:, :, 0], [range(n)] * 2)
    distances = np.sort((masks[:, :, 1:] - masks[:, :, :1]) % n, axis=2)
    window = n - 1 if model == "random" else model
    assert distances.min() == 1
    assert distances.max() == window
    assert (np.diff(distances, axis=2) > 0).all()
    assert (masks[0] != masks[1]).any() or model == K


@pytest.mark.parametrize(("model", "window"), [("random", 5), (4, 4)])
def test_every_choice_of_others_is_equally_likely(model, window):
    n, K = 6, 2
    counts: dict = {}
    rng = np.random.default_rng(3)
    for _ in range(400):
        masks, _ = masks_and_tables(mnk(n, K, 1, q=2, model=model, seed=rng), K + 1)
        for row in np.sort((masks[0, :, 1:] - masks[0, :, :1]) % n, axis=1).tolist():
            counts[tuple(row)] = counts.get(tuple(row), 0) + 1
    choices = window * (window - 1) // 2
    expected = 400 * n / choices
    assert len(counts) == choices
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values())


def test_tables_hold_every_whole_number_below_q():
    landscape = mnk(n=1000, K=1, d=2, q=7, seed=2)
    assert np.unique(landscape.subfunctions.tables).tolist() == list(range(7))
    assert not landscape.real
    _, tables = masks_and_tables(landscape, 2)
    assert (tables[0] != tables[1]).any()


def test_without_q_tables_are_reals_below_one():
    landscape = mnk(n=1000, K=1, d=2, q=None, seed=2)
    values = landscape.subfunctions.tables / landscape.scale[0]
    assert landscape.real
    assert 0 <= values.min() < 0.01
    assert 0.99 < values.max() < 1
    assert landscape.evaluate(np.zeros(1000)).dtype == np.float64


@pytest.mark.parametrize("model", ["adjacent", "random", 9])
@pytest.mark.parametrize("q", [100, None])
def test_the_same_seed_gives_the_same_landscape(model, q):
    seeds = [3, np.int64(3), np.random.SeedSequence(3), np.random.default_rng(3)]
    landscapes = [mnk(30, 2, d=3, q=q, model=model, seed=seed) for seed in seeds]
    other = mnk(30, 2, d=3, q=q, model=model, seed=4)
    for landscape in landscapes[1:]:
        for one, same in zip(landscape.subfunctions, landscapes[0].subfunctions):
            assert_array_equal(one, same)
        assert (landscape.subfunctions.tables != other.subfunctions.tables).any()


@pytest.mark.parametrize("model", ["adjacent", "random", 9])
def test_a_seed_is_the_same_under_either_of_its_names(model):
    for new in (int, np.random.SeedSequence, np.random.default_rng, np.random.PCG64):
        one, other = (
            mnk(30, 2, model=model, seed=new(3)),
            mnk(30, 2, model=model, rng=new(3)),
        )
        for mine, same in zip(one.subfunctions, other.subfunctions):
            assert_array_equal(mine, same)


def test_a_seed_is_given_under_one_of_its_names_only():
    with pytest.raises(TypeError, match=r"^seed = 3 and rng = 3: they are two names"):
        mnk(30, 2, seed=3, rng=3)


def test_without_a_seed_every_landscape_is_new():
    one, other = mnk(30, 2), mnk(30, 2)
    assert (one.subfunctions.tables != other.subfunctions.tables).any()


def test_a_generator_goes_on_where_it_stopped():
    rng = np.random.default_rng(0)
    one, other = mnk(30, 2, seed=rng), mnk(30, 2, seed=rng)
    assert (one.subfunctions.tables != other.subfunctions.tables).any()


@pytest.mark.parametrize("make", [mnk, mnk_java])
@pytest.mark.parametrize("model", ["adjacent", "random"])
def test_the_smallest_and_the_widest_landscapes_are_made(make, model):
    assert make(1, 0, d=1, q=1, model=model).evaluate([1]).tolist() == [0]
    masks, _ = masks_and_tables(make(5, 4, d=2, model=model), 5)
    assert_array_equal(np.sort(masks, axis=2), np.broadcast_to(range(5), (2, 5, 5)))


BAD_CALLS = [
    ({"n": 0}, ValueError, "n = 0"),
    ({"n": 10.0}, TypeError, "n = 10.0 is not a whole number"),
    ({"n": 10**12}, MemoryError, "n = 1,000,000,000,000"),
    ({"K": -1}, ValueError, "K = -1, but it must be from 0 to 9 where n = 10"),
    ({"K": 10}, ValueError, "K = 10, but it must be from 0 to 9 where n = 10"),
    ({"n": 100, "K": 24}, ValueError, "K = 24, but it must be from 0 to 23"),
    ({"K": 1.5}, TypeError, "K = 1.5 is not a whole number"),
    ({"K": None}, TypeError, "K = None"),
    ({"n": 10**6, "K": 23}, MemoryError, "2 × 1,000,000 tables of 16,777,216 entries"),
    ({"d": 0}, ValueError, "d = 0, but it must be at least 1"),
    ({"d": True}, TypeError, "d = True"),
    ({"d": 10**400}, MemoryError, "tables of 8 entries need"),
    ({"q": 0}, ValueError, "q = 0, but it must be from 1 to 4611686018427387904"),
    ({"q": 0.5}, TypeError, "q = 0.5"),
    ({"q": 2**63}, ValueError, "q = 9223372036854775808, but"),
    ({"model": "ring"}, ValueError, "model 'ring' is not 'adjacent', 'random' or"),
    ({"model": 1}, ValueError, "model = 1, but it must be from 2 to 9"),
    ({"model": 10}, ValueError, "model = 10, but .* where K = 2 and n = 10"),
    ({"model": None}, TypeError, "model = None"),
    ({"model": True}, TypeError, "model = True"),
]


@pytest.mark.parametrize("make", [mnk, mnk_java])
@pytest.mark.parametrize(("changed", "kind", "text"), BAD_CALLS)
def test_what_makes_no_landscape_is_refused(make, changed, kind, text):
    with pytest.raises(kind, match=text) as refusal:
        make(**{"n": 10, "K": 2} | changed)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("seed", "kind"), [(-1, ValueError), (1.5, TypeError), (True, TypeError)]
)
@pytest.mark.parametrize("name", ["seed", "rng"])
def test_what_is_no_seed_is_refused(name, seed, kind):
    with pytest.raises(kind, match=f"^{name} = {seed}"):
        mnk(10, 2, **{name: seed})


@pytest.mark.parametrize(
    ("changed", "kind", "text"),
    [
        ({"q": 2**31}, ValueError, "q = 2147483648, but .* in Java"),
        ({"q": 0}, ValueError, "q = 0, but it must be from 1 to"),
        ({"pseed": 2**63}, ValueError, "pseed = 9223372036854775808"),
        ({"pseed": -(2**63) - 1}, ValueError, "pseed = -9223372036854775809"),
        ({"pseed": 1.0}, TypeError, "pseed = 1.0"),
        ({"pseed": None}, TypeError, "pseed = None"),
    ],
)
def test_what_java_cannot_hold_is_refused(changed, kind, text):
    with pytest.raises(kind, match=text):
        mnk_java(**{"n": 10, "K": 2} | changed)


@pytest.mark.parametrize("pseed", [2**63 - 1, -(2**63), 0, -1])
def test_java_takes_all_that_its_numbers_hold(pseed):
    tables = mnk_java(20, 1, d=1, q=2**31 - 1, pseed=pseed).subfunctions.tables
    assert 2**30 < tables.max() < 2**31 - 1
    assert tables.min() >= 0


def test_the_largest_q_is_that_of_exact_arithmetic():
    tables = mnk(1, 0, d=1, q=2**62, seed=1).subfunctions.tables
    assert 2**58 < tables.max() < 2**62
    with pytest.raises(ValueError, match="q = 4611686018427387905, but it must be"):
        mnk(1, 0, d=1, q=2**62 + 1)


def test_window_masks_are_those_of_a_shuffled_list():
    stream = JavaRandom(1)
    masks = _java_masks(12, 2, 4, 4, stream)
    replay = JavaRandom(1)
    shuffled = [0, 1, 2, 3]
    for own, row in enumerate(masks.tolist()):
        for i in range(2):
            j = i + replay.next_int(4 - i)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        assert row == [own, (own + 1 + shuffled[0]) % 12, (own + 1 + shuffled[1]) % 12]
