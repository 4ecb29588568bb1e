"""Squares: dense quadratic landscapes are the same as if they were spelled out."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import solutions_of
from memory import MORE, traced
from paretoball.formats import packed_landscape, unpacked_landscape
from paretoball.landscape import factors_above, landscape_digest, quadratic_form
from paretoball.landscape.square_tables import ROWS
from paretoball.system import capped
from quadratics import values

DTYPES = "?bBhHiIlL"
COUNTS = ("m", "k", "c", "max_occurrence", "spreads", "survey")
SAYINGS = ("n", "d", "sense", "names", "labels", "given_labels", "real", "resolution")


def spelled_out(*args: Any, **options: Any) -> pb.Landscape:
    """What `qubo` makes if it keeps no squares."""
    with pytest.MonkeyPatch.context() as patch:
        module = import_module("paretoball.problems.qubo")
        patch.setattr(module, "square_of", lambda *_: None)
        return pb.qubo(*args, **options)


def assert_same(square: pb.Landscape, general: pb.Landscape) -> None:
    """Two landscapes tell the same of themselves, whatever they keep."""
    assert repr(square) == repr(general)
    for name in SAYINGS + COUNTS:
        assert getattr(square, name) == getattr(general, name), name
    for name in ("mean", "scale", "signs"):
        assert_array_equal(getattr(square, name), getattr(general, name))
    assert landscape_digest(square) == landscape_digest(general)
    for name in ("cooccurrence", "subfunctions", "cliques"):
        ours, theirs = getattr(square, name), getattr(general, name)
        assert type(ours) is type(theirs)
        for own, other in zip(ours, theirs, strict=True):
            assert own.dtype == other.dtype
            assert_array_equal(own, other)


@st.composite
def matrices(draw: Any, max_n: int = 12, max_d: int = 4) -> np.ndarray:
    """Matrices of one dtype, full or sparse, of small numbers or large: (d, n, n)."""
    n, d = draw(st.integers(1, max_n)), draw(st.integers(1, max_d))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    most = 1 if dtype.kind == "b" else np.iinfo(dtype).max
    reach = min(int(most), draw(st.sampled_from([1, 3, 100, 2**20, 2**31, 2**53])))
    low = -reach if dtype.kind == "i" else 0
    entries = rng.integers(low, reach, (d, n, n), endpoint=True)
    for share in draw(st.tuples(*[st.sampled_from([1.0, 0.8, 0.5, 0.2, 0.0])] * 3)):
        entries[:, rng.random((n, n)) > max(share, 0.3)] = 0
        entries[int(rng.integers(d)), int(rng.integers(n))] *= share > 0
    if draw(st.booleans()):
        entries = np.triu(entries)
    return entries.astype(dtype)


@st.composite
def problems(draw: Any) -> tuple[np.ndarray, dict[str, Any]]:
    """Matrices, and what else `qubo` is told."""
    Q = draw(matrices())
    d, n = Q.shape[:2]
    sense = draw(st.lists(st.sampled_from(["max", "min"]), min_size=d, max_size=d))
    offset = draw(st.lists(st.integers(-9, 9), min_size=d, max_size=d))
    labels = draw(st.sampled_from([None, [f"x{j}" for j in range(n)]]))
    names = draw(st.sampled_from([None, [f"cost {i}" for i in range(d)]]))
    return Q, {"sense": sense, "offset": offset, "labels": labels, "names": names}


@pytest.mark.plain
@pytest.mark.bounds
@given(problems())
def test_a_square_is_the_same_landscape_as_its_subfunctions(problem):
    Q, options = problem
    square, general = pb.qubo(Q, **options), spelled_out(Q, **options)
    assert general.square is None
    assert_same(square, general)
    X = solutions_of(len(Q[0]))[:: max(1, 1 << len(Q[0]) >> 7)]
    fx = values(Q.astype(object), X.astype(object)) + options["offset"]
    assert_array_equal(square.evaluate(X), fx)
    assert_array_equal(general.evaluate(X), fx)


@given(matrices(max_d=2), st.integers(1, 5))
def test_how_much_is_done_at_a_time_changes_nothing(Q, size):
    at_once = (
        ("landscape.square", "AT_ONCE"),
        ("landscape.square_tables", "ROWS"),
        ("problems.squares", "TILE"),
    )
    X = solutions_of(min(len(Q[0]), 5))
    X = np.pad(X, [(0, 0), (0, len(Q[0]) - X.shape[1])])
    is_general = pb.qubo(Q).square is None
    with pytest.MonkeyPatch.context() as patch:
        for module, name in at_once:
            patch.setattr(import_module(f"paretoball.{module}"), name, size)
        landscape = pb.qubo(Q)
        assert (landscape.square is None) == is_general
        assert_same(landscape, spelled_out(Q))
        assert_array_equal(landscape.evaluate(X), spelled_out(Q).evaluate(X))


@given(problems())
def test_an_eighth_of_all_pairs_makes_a_square(problem):
    Q, options = problem
    landscape = pb.qubo(list(Q), **options)
    n = len(Q[0])
    total = Q.astype(object) + Q.astype(object).transpose(0, 2, 1)
    total[:, range(n), range(n)] = 0
    is_dense = 8 * np.count_nonzero(total) >= total[0].size * len(Q) - n * len(Q)
    assert (landscape.square is not None) == is_dense
    if is_dense:
        constant, linear, pairs = landscape.square
        signs = landscape.signs
        assert_array_equal(constant * signs, options["offset"])
        assert_array_equal(linear.T * signs[:, None], Q.diagonal(axis1=1, axis2=2))
        assert_array_equal(pairs.transpose(2, 0, 1) * signs[:, None, None], total)
        assert pairs.flags.c_contiguous
        is_narrow = max(map(abs, total.ravel())) < 2**31
        assert pairs.dtype == (np.int32 if is_narrow else np.int64)


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize(
    ("factor", "dtype"),
    [
        (2**31 - 1, np.int32),
        (1 - 2**31, np.int32),
        (2**31, np.int64),
        (-(2**31), np.int64),
    ],
)
def test_factors_have_32_bits_where_these_suffice(factor, dtype, sense):
    landscape = pb.qubo(np.array([[0, factor - 5], [5, 0]]), sense)
    assert landscape.square.pairs.dtype == dtype
    assert landscape.evaluate([1, 1]).tolist() == [factor]


def test_nothing_that_a_landscape_tells_builds_subfunctions_or_cliques():
    rng = np.random.default_rng(1)
    landscape = pb.qubo(rng.integers(-9, 10, (2, ROWS + 1, ROWS + 1)))
    for name in SAYINGS + COUNTS + ("mean", "cooccurrence", "place_of", "square"):
        getattr(landscape, name)
    repr(landscape)
    landscape.evaluate(np.ones((3, ROWS + 1)))
    landscape_digest(landscape)
    assert not {"subfunctions", "cliques"} & set(vars(landscape))


@pytest.mark.parametrize("n", [ROWS - 1, ROWS, 2 * ROWS + 1])
def test_blocks_of_rows_and_of_solutions_meet(n):
    rng = np.random.default_rng(n)
    Q = rng.integers(-99, 100, (2, n, n)) * (rng.random((n, n)) < 0.3)
    Q[:, n // 2] = Q[:, :, n // 2] = 0
    Q[:, n // 2, n // 2] = 7
    square, general = pb.qubo(Q), spelled_out(Q)
    assert square.square is not None
    assert_same(square, general)
    X = rng.integers(0, 2, (150, n))
    assert_array_equal(square.evaluate(X), values(Q, X))
    assert square.evaluate(X[:0]).shape == (0, 2)
    assert_array_equal(square.evaluate(X[7]), values(Q, X[7:8])[0])


@pytest.mark.parametrize("method", ["path", "multistart"])
@pytest.mark.parametrize("radius", [1, 2])
@pytest.mark.parametrize("reach", [9, 2**40])
def test_a_seed_finds_the_same_front(method, radius, reach):
    rng = np.random.default_rng(radius)
    Q = rng.integers(-reach, reach, (2, 20, 20))
    square = pb.qubo(Q, ["min", "max"], offset=[5, 0])
    assert square.square is not None
    options = {"method": method, "radius": radius, "max_climbs": 12, "seed": 3}
    found = pb.solve(square, **options)
    for other in (
        spelled_out(Q, ["min", "max"], offset=[5, 0]),
        unpacked_landscape(packed_landscape(square)),
    ):
        same = pb.solve(other, **options)
        assert_array_equal(found.F, same.F)
        assert_array_equal(found.X, same.X)
        assert (found.moves, found.landscape) == (same.moves, same.landscape)


@given(problems(), st.booleans(), st.sampled_from([1, 4]))
def test_a_square_stays_one_where_it_is_packed(problem, constrained, by):
    Q, options = problem
    Q, n = Q % 99, len(Q[0])
    limits = [(np.ones(n, int), "<=", n // 2, "half")] * constrained
    square = pb.qubo(Q, **options, constraints=limits).divided(by)
    assume(square.square is not None)
    for named in (True, False):
        again = unpacked_landscape(packed_landscape(square, named))
        for own, other in zip(square.square, again.square, strict=True):
            assert own.dtype == other.dtype
            assert_array_equal(own, other)
        assert not {"subfunctions", "cliques"} & set(vars(square) | vars(again))
        assert again.constraints.names == square.constraints.names
        assert (again.names == square.names) or not named
    assert_same(unpacked_landscape(packed_landscape(square)), square)


@pytest.mark.parametrize("largest", [127, 128, 2**15, 2**31 - 1, 2**31, 2**60])
def test_factors_are_stored_in_as_few_bytes_as_they_need(largest):
    square = pb.qubo(np.array([[5, -largest, 1], [0, 0, largest], [0, 0, 7]]), "min")
    above = factors_above(square.square, square.signs)
    assert above.tolist() == [[-largest], [1], [largest]]
    assert above.dtype.itemsize == 1 << (largest > 127) + (largest > 2**15 - 1) + (
        largest > 2**31 - 1
    )
    again = unpacked_landscape(packed_landscape(square))
    assert_array_equal(again.square.pairs, square.square.pairs)


def test_a_packed_square_takes_two_bytes_for_each_factor():
    """Not 72, as its subfunctions do; they have the size of a factor below 2^15."""
    n, d = 500, 2
    square = pb.random_qubo(n, d=d, seed=1)
    factors = d * n * (n - 1) // 2
    packed, peak = traced(packed_landscape, square, named=False)
    assert len(packed) <= 2 * factors + 9 * n * d
    assert peak <= 5 * 2 * factors + MORE  # copies, some of them of a part
    again, peak = traced(unpacked_landscape, packed)
    assert peak <= square.square.pairs.nbytes + 4 * 2 * factors + MORE
    assert_array_equal(again.square.pairs, square.square.pairs)


def test_a_digest_takes_memory_for_some_rows_only():
    square = pb.random_qubo(500, d=2, seed=1)
    computed = import_module("paretoball.landscape.digest")._computed
    _, peak = traced(computed, square)
    assert peak <= 100 * ROWS * 500 + MORE
    assert "subfunctions" not in vars(square)


@pytest.mark.parametrize("sense", ["min", "max"])
def test_the_form_of_a_square_is_in_its_own_sense_and_told_first(sense):
    square = pb.qubo(np.triu(np.arange(1, 17).reshape(4, 4)), sense, offset=5)
    form = quadratic_form(square, 0)
    assert (form.constant, form.linear.tolist()) == (5, [1, 6, 11, 16])
    assert form.factors.tolist() == [2, 3, 4, 7, 8, 12]
    words = "a quadratic form of 6 pairs needs 384 B, but"
    with capped(6 * 64 - 1), pytest.raises(MemoryError, match=words):
        quadratic_form(square, 0)


def test_each_landscape_has_a_digest_of_its_own():
    """One that is kept is not taken over by a landscape that is made of another."""
    Q = np.ones((3, 3), int)
    limited = pb.qubo(Q, constraints=[([1, 1, 1], "<=", 2)])
    others = [limited.unconstrained, limited.divided(2)]
    found = [landscape_digest(each) for each in (limited, *others)]
    assert len(set(found)) == 3
    again = pb.qubo(Q, constraints=[([1, 1, 1], "<=", 2)])
    landscape_digest(again)
    assert (
        landscape_digest(again.unconstrained)
        == found[1]
        == landscape_digest(pb.qubo(Q))
    )
    assert landscape_digest(again.divided(2)) == found[2]


def test_what_a_packed_square_takes_is_told_first():
    square = pb.qubo(np.ones((2, 40, 40), int))
    needed = 3 * 2 * 40 * 39 // 2  # bytes
    words = r"the factors of 40 variables, for 2 objectives, packed, need 4\.6 KiB, but"
    with capped(needed - 1), pytest.raises(MemoryError, match=words):
        packed_landscape(square, named=False)
    with capped(needed):
        packed_landscape(square, named=False)


def test_no_run_spells_a_square_out(tmp_path, monkeypatch):
    """Not its checkpoints, its workers, its file, or whoever verifies it."""

    def refuse(*_: Any) -> None:
        raise AssertionError("spelled out")

    for name in ("square_subfunctions", "square_cliques"):
        monkeypatch.setattr(
            import_module("paretoball.landscape.landscape"), name, refuse
        )
    digests = list[object]()
    module = import_module("paretoball.landscape.digest")
    computed = module._computed
    monkeypatch.setattr(
        module, "_computed", lambda one: digests.append(one) or computed(one)
    )
    rng = np.random.default_rng(1)
    square = pb.qubo(rng.integers(-9, 10, (2, 20, 20)), ["min", "max"])
    path = tmp_path / "run.npz"
    with ThreadPoolExecutor(1) as threads:
        pb.solve(square, max_climbs=2, seed=1, checkpoint=path, executor=threads)
    assert digests == [square]  # once, however often it is asked for
    found = pb.resume(path, max_climbs=4)
    assert len(digests) == 2  # of the landscape in the file
    assert pb.verify(square, path, local=1).failures == []
    found.save(tmp_path / "result.npz")
    assert pb.verify(square, tmp_path / "result.npz").failures == []
    pb.write_landscape(square, tmp_path / "square.npz")
    assert pb.read_landscape(tmp_path / "square.npz").square is not None


def test_lists_of_rows_and_whole_fractions_make_squares():
    rows = [[1, -2], [0, True]]
    assert pb.qubo(rows).square is not None
    assert_same(pb.qubo(rows), spelled_out(rows))


@pytest.mark.parametrize(
    "given_otherwise",
    [
        [[0.0, 1.0], [2.0, 3.0]],
        {(0, 1): 1, 0: 1},
        np.array([[0, 2**63], [1, 2**63]], np.uint64) // 4 * 4 // 2**60 * 0.5,
    ],
)
def test_what_is_real_or_no_matrix_makes_none(given_otherwise):
    whole = [[1, 2], [3, 4]]
    for matrices in (given_otherwise, [whole, given_otherwise]):
        landscape = pb.qubo(matrices)
        assert landscape.square is None
        assert_same(landscape, spelled_out(matrices))


@pytest.mark.parametrize("offset", [0.0, 0.5, [1, 0.25]])
def test_a_real_offset_makes_all_objectives_real(offset):
    Q = np.ones((2, 3, 3), np.int8)
    landscape = pb.qubo(Q, offset=offset)
    assert landscape.square is None
    assert landscape.real
    assert_same(landscape, spelled_out(Q, offset=offset))


LARGE = [
    np.array([[2**62, 1], [0, 0]]),
    np.array([[0, 2**62], [1, 0]]),
    np.array([[0, 2**62], [0, 2**62]]),
    np.array([[0, 2**61], [2**61 + 1, 0]]),
    np.array([[0, 2**63 - 1], [2**63 - 1, 0]]),
    np.array([[0, -(2**63)], [-(2**63), 0]]),
    np.array([[0, -(2**63)], [0, 0]]),
    np.array([[-(2**63), 1], [1, 0]]),
    np.array([[0, 2**63], [1, 0]], np.uint64),
    np.array([[0, 2**63 - 1], [1, 0]], np.uint64),
    np.full((3, 3), 2**60),
    np.full((3, 3), -(2**60)),
]


@pytest.mark.parametrize("Q", LARGE)
@pytest.mark.parametrize("offset", [0, -1, 2**62])
def test_what_is_too_large_is_refused_in_the_same_words(Q, offset):
    options = {"offset": [0, offset], "names": ["cost", "risk"]}
    small = np.ones(Q.shape, np.int8)
    with pytest.raises(OverflowError) as expected:
        spelled_out([small, Q], **options)
    with pytest.raises(OverflowError) as refused:
        pb.qubo([small, Q], **options)
    assert str(refused.value) == str(expected.value)
    assert "objective 1 ('risk')" in str(refused.value)


@pytest.mark.parametrize("offset", [0, 1, -1])
def test_the_largest_numbers_of_all_are_exact(offset):
    for Q in (
        np.array([[0, 2**62 - 1], [0, 0]]),
        np.array([[0, -(2**62) + 1], [0, 0]]),
        np.array([[-(2**61), 2**60], [2**60 - 1, 0]]),
        np.array([[2**61 - 1, 2**61], [0, 0]]),
    ):
        for sense in ("max", "min"):
            square = pb.qubo(Q, sense, offset)
            assert square.square is not None
            assert_same(square, spelled_out(Q, sense, offset))
            assert square.evaluate([1, 1]).tolist() == [int(Q.sum()) + offset]


@pytest.mark.parametrize(
    "options",
    [
        {"sense": "up"},
        {"sense": ["min"]},
        {"labels": ["a"]},
        {"labels": ["a", "a", "b"]},
        {"names": ["a"]},
        {"names": ["a", "a"]},
        {"offset": [1]},
        {"offset": np.nan},
        {"offset": "1"},
        {"weight": ["a"]},
    ],
)
def test_other_mistakes_are_refused_in_the_same_words(options):
    Q = np.ones((2, 3, 3), np.int16)
    with pytest.raises((ValueError, TypeError)) as expected:
        spelled_out(Q, **options)
    with pytest.raises(type(expected.value)) as refused:
        pb.qubo(Q, **options)
    assert str(refused.value) == str(expected.value)


def test_matrices_of_two_sizes_are_refused():
    with pytest.raises(ValueError, match="objective 1 has 2 variables, but"):
        pb.qubo([np.ones((3, 3), int), np.ones((2, 2), int)])


def test_the_matrices_of_the_user_stay_theirs():
    Q = np.arange(9).reshape(3, 3)
    before = Q.copy()
    landscape = pb.qubo(Q)
    assert_array_equal(Q, before)
    Q[:] = 0
    assert landscape.evaluate([1, 1, 1]).tolist() == [36]


def test_a_square_divided_is_the_same_as_what_it_stands_for():
    Q = np.arange(-8, 8).reshape(4, 4)
    square, general = pb.qubo(Q).divided(4), spelled_out(Q).divided(4)
    assert square.square is not None
    assert_same(square, general)
    assert square.evaluate([1, 1, 0, 1]).dtype == np.float64
    wide = np.full((2, 2), 2**50)
    for landscape in (pb.qubo(wide), spelled_out(wide)):
        with pytest.raises(ValueError, match=r"objective 0 can reach 4\.5e"):
            landscape.divided(2)


def test_a_landscape_is_divided_by_whole_numbers_from_1_on():
    for landscape in (pb.qubo(np.ones((2, 2), int)), pb.mnk(8, K=1, seed=1)):
        assert landscape.divided(1) is landscape
        for by in (0, -1, 1.5):
            with pytest.raises((ValueError, TypeError), match=f"by = {by}"):
                landscape.divided(by)


def test_a_square_with_a_scale_reaches_no_more_than_reals_do():
    for over in (0, 1):
        square = pb.qubo(np.array([[0, 2**51 + over], [0, 0]]), "max").square
        assert square is not None
        if over:
            with pytest.raises((ValueError, OverflowError), match="objective 0 can re"):
                pb.Landscape.from_square(square, scale=np.array([4.0]))
        else:
            landscape = pb.Landscape.from_square(square, scale=np.array([4.0]))
            assert landscape.evaluate([1, 1]).tolist() == [2**49]


def test_a_square_survives_a_pickle():
    square = pb.qubo(np.arange(16).reshape(4, 4))
    assert_same(pickle.loads(pickle.dumps(square)), square)


@pytest.mark.parametrize("name", ["subfunctions", "cliques", "cooccurrence"])
def test_what_does_not_fit_in_memory_is_refused(name):
    landscape = pb.qubo(np.ones((2, 40, 40), int))
    with capped(2000), pytest.raises(MemoryError, match=r"but 2\.0 KiB are allowed"):
        getattr(landscape, name)


def test_a_square_that_does_not_fit_in_memory_is_refused():
    Q = np.ones((2, 40, 40), int)
    words = r"the factors of 40 variables, for 2 objectives, need 12\.5 KiB"
    with capped(10_000), pytest.raises(MemoryError, match=words):
        pb.qubo(Q)


@pytest.mark.parametrize("density", [0.05, 0.124, 0.125, 0.5, 1])
@pytest.mark.parametrize("n", [1, 2, 3, 30])
def test_a_random_qubo_is_drawn_as_if_it_were_sparse(n, density):
    options = {"n": n, "d": 3, "density": density, "rho": -0.3}
    for seed in range(5):
        landscape = pb.random_qubo(**options, seed=seed)
        with pytest.MonkeyPatch.context() as patch:
            module = import_module("paretoball.problems.random_qubo")
            patch.setattr(module, "SHARE", 0)
            general = pb.random_qubo(**options, seed=seed)
        assert general.square is None
        assert_same(landscape, general)
        if n == 30:
            assert (landscape.square is not None) == (density >= 0.125)
