"""Exact fronts under constraints are those of all feasible solutions."""

import re
from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import random_plain
from naive import Plain
from paretoball.cli.main import main
from paretoball.exact.constraint_columns import width_of
from paretoball.report import result_lines
from paretoball.running import INFEASIBLE
from shares import first

BANDS = import_module("paretoball.exact.front_bands")
COLUMNS = import_module("paretoball.exact.constraint_columns")
MULTIPLIERS = import_module("paretoball.exact.lagrange_multipliers")


@pytest.fixture(params=["whole", "in bands"])
def in_bands(monkeypatch, request):
    """Fronts are found by one pass, or else within bands."""
    for name in ("FEW", "FEW_OF_MORE", "FEW_EACH"):
        monkeypatch.setattr(BANDS, name, 2**62 if request.param == "whole" else 0)
    return request.param == "in bands"


def random_terms(rng, n, count, arity):
    """Some tables over a few variables each."""
    terms = []
    for _ in range(count):
        k = int(rng.integers(1, min(arity, n) + 1))
        mask = tuple(rng.permutation(n)[:k].tolist())
        terms.append((mask, tuple(rng.integers(-9, 10, 1 << k).tolist())))
    return tuple(terms)


def random_constraint(rng, n):
    """A capacity, some tables, a clause of any length, or many tables."""
    kind = rng.choice(["capacity", "tables", "clause", "long"])
    if kind == "capacity":
        terms = [((j,), (0, int(rng.integers(1, 20)))) for j in range(n)]
    elif kind == "clause":
        some = rng.permutation(n)[: rng.integers(1, n + 1)].tolist()
        signs = rng.integers(0, 2, len(some)).tolist()
        terms = [((j,), (b, 1 - b)) for j, b in zip(some, signs)]
    elif kind == "tables":
        terms = random_terms(rng, n, int(rng.integers(1, 4)), 3)
    else:
        terms = random_terms(rng, n, int(rng.integers(n, 2 * n)), 2)
    low = sum(min(table) for _, table in terms)
    high = sum(max(table) for _, table in terms)
    share = rng.beta(2, 2)
    relation = str(rng.choice(["<=", ">=", "=="]))
    return terms, relation, int(low + share * (high - low))


def random_problem(rng, max_n):
    """A landscape of up to 4 objectives, and up to 4 constraints."""
    plain = random_plain(rng, max_n)
    d = int(rng.integers(1, 5))
    plain = plain._replace(objectives=plain.objectives[:d], sense=plain.sense[:d])
    count = int(rng.integers(5))
    return plain, [random_constraint(rng, plain.n) for _ in range(count)]


def built(plain: Plain, constraints) -> pb.Landscape:
    """The landscape of both."""
    return pb.Landscape.from_subfunctions(*plain, constraints=constraints)


def assert_exact(plain: Plain, constraints, **how) -> int:
    """The front is that of the definition; how many points it has."""
    landscape = built(plain, constraints)
    front = pb.exact_front(landscape, **how)
    exact = naive.feasible_front(plain, constraints)
    assert list(map(tuple, front.F.tolist())) == exact
    if len(front):
        assert_array_equal(landscape.evaluate(front.X), front.F)
        assert landscape.is_feasible(front.X).all()
    return len(front)


@pytest.mark.parametrize("seed", first(1, range(3)))
def test_fronts_under_random_constraints_are_exact(in_bands, seed):
    rng = np.random.default_rng(seed)
    sizes = [assert_exact(*random_problem(rng, 11)) for _ in range(40)]
    assert 0 in sizes
    assert max(sizes) > 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_fronts_of_many_larger_landscapes_are_exact(in_bands, seed):
    rng = np.random.default_rng(1000 + seed)
    for _ in range(100):
        assert_exact(*random_problem(rng, 14))


@pytest.mark.plain
def test_fronts_are_exact_as_plain_python(in_bands, monkeypatch):
    monkeypatch.setattr(BANDS, "MOST_WEIGHTS", 8)
    rng = np.random.default_rng(77)
    for _ in range(8):
        assert_exact(*random_problem(rng, 5))


@pytest.mark.bounds
def test_fronts_are_exact_within_bounds(in_bands):
    rng = np.random.default_rng(78)
    for _ in range(60):
        assert_exact(*random_problem(rng, 9))


@pytest.mark.parametrize("few", first(2, [0, 8, 2]))
def test_any_constraint_may_be_a_table_or_a_column(monkeypatch, in_bands, few):
    monkeypatch.setattr(COLUMNS, "FEW_VARIABLES", (few,))
    rng = np.random.default_rng(few)
    for _ in range(30):
        assert_exact(*random_problem(rng, 9))


@pytest.mark.parametrize("memory", ["1MB", None])
def test_little_memory_changes_nothing(in_bands, memory):
    rng = np.random.default_rng(5)
    for _ in range(10):
        assert_exact(*random_problem(rng, 9), memory_limit=memory)


def random_knapsack(n, d, m, seed):
    """Items with d profits and m weights, of which half fits."""
    rng = np.random.default_rng(seed)
    profits, weights = rng.integers(10, 100, (d, n)), rng.integers(10, 100, (m, n))

    def sum_of(values):
        return tuple(((j,), (0, value)) for j, value in enumerate(values.tolist()))

    plain = Plain(n, tuple(map(sum_of, profits)), ("max",) * d)
    return plain, [(sum_of(each), "<=", int(each.sum() // 2)) for each in weights]


@pytest.mark.parametrize(("d", "m"), [(1, 1), (2, 1), (2, 2), (3, 1), (2, 3)])
def test_fronts_of_knapsacks_are_exact(in_bands, d, m):
    for seed in range(3):
        assert assert_exact(*random_knapsack(13, d, m, seed)) >= 1


def test_bands_under_constraints_make_far_fewer_vectors(monkeypatch):
    monkeypatch.setattr(BANDS, "FEW_OF_MORE", 0)
    landscape = built(*random_knapsack(60, 2, 2, 1))
    bounded = pb.exact_front(landscape)
    monkeypatch.setattr(BANDS, "FEW_OF_MORE", 2**62)
    plain = pb.exact_front(landscape)
    assert_array_equal(bounded.F, plain.F)
    assert 4 * bounded.vectors < plain.vectors


def test_a_long_constraint_adds_nothing_to_the_width():
    ring = pb.mnk(40, K=2, seed=1)
    n, objectives, sense = naive.plain(ring)
    long = [((j,), (0, 1)) for j in range(n)]
    near = [((3, 4, 5), (0, 1, 1, 1, 1, 1, 1, 0))]
    landscape = built(Plain(n, objectives, sense), [(long, "<=", 11), (near, ">=", 1)])
    assert width_of(landscape) == width_of(ring) == 4
    front = pb.exact_front(landscape)
    assert landscape.is_feasible(front.X).all()
    assert (front.X.sum(axis=1) <= 11).all()
    few = [((j,), (0, 1)) for j in range(0, n, 5)]
    assert width_of(built(Plain(n, objectives, sense), [(few, "==", 1)])) >= 7


def test_real_constraints_are_exact():
    ones = [((j,), (0, 1)) for j in range(8)]
    pairs = [((j, j + 1), (3, 1, 2, 0)) for j in range(7)]
    weights = [((j,), (0.0, 0.1 * (j + 1))) for j in range(8)]
    landscape = pb.Landscape.from_subfunctions(
        8, [ones, pairs], constraints=[(weights, "<=", 0.6)]
    )
    front = pb.exact_front(landscape)
    assert front.F[:, 0].max() == 3  # 0.1 + 0.2 + 0.3 are 0.6
    assert landscape.is_feasible(front.X).all()


# No solution


@pytest.fixture
def hopeless():
    """Of three variables, each two shall differ."""
    differ = (0, 1, 1, 0)
    pairs = [([(pair, differ)], "==", 1) for pair in ((0, 1), (1, 2), (0, 2))]
    ones = [((j,), (0, 1)) for j in range(4)]
    return pb.Landscape.from_subfunctions(4, [ones, ones], constraints=pairs)


def test_what_is_infeasible_is_proven_to_be(hopeless, tmp_path):
    front = pb.exact_front(hopeless)
    assert front.F.shape == (0, 2)
    assert front.X.shape == (0, 4)
    assert repr(front).startswith("ExactFront: no solution is feasible; n = 4")
    for method in ("exact", "auto"):
        result = pb.solve(hopeless, method=method)
        assert result.status == INFEASIBLE
        assert len(result) == 0
        assert INFEASIBLE in repr(result)
    result.save(tmp_path / "run.npz")
    loaded = pb.load(tmp_path / "run.npz")
    assert (loaded.status, len(loaded)) == (INFEASIBLE, 0)
    assert not pb.verify(hopeless, tmp_path / "run.npz").failures
    assert list(result_lines(loaded))[-1].endswith(INFEASIBLE)


def test_a_column_out_of_reach_is_infeasible(in_bands, monkeypatch):
    monkeypatch.setattr(COLUMNS, "FEW_VARIABLES", (0,))
    sums = [((j,), (0, 2)) for j in range(12)]
    landscape = pb.Landscape.from_subfunctions(
        12, [sums, sums], constraints=[(sums, "==", 11)]
    )
    assert len(pb.exact_front(landscape)) == 0


@pytest.mark.plain
@pytest.mark.parametrize("few", [0, 8])
@pytest.mark.parametrize("relation", ["<=", ">=", "=="])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_bounds_are_exact_from_the_least_sum_to_the_largest(
    monkeypatch, few, relation, d
):
    """With 4 variables, in two tables of one and one of two, and a constant."""
    monkeypatch.setattr(COLUMNS, "FEW_VARIABLES", (few,))
    monkeypatch.setattr(MULTIPLIERS, "STEPS", 3)
    rng = np.random.default_rng(d)
    terms = [((0,), (0, 2)), ((1,), (0, -3)), ((3, 2), (0, 1, 0, 1)), ((), (1,))]
    objectives = tuple(
        tuple(((j,), tuple(rng.integers(-9, 10, 2).tolist())) for j in range(4))
        for _ in range(d)
    )
    plain = Plain(4, objectives, ("min", "max", "min")[:d])
    for bound in range(-2, 5):
        assert assert_exact(plain, [(terms, relation, bound)]) > 0


@pytest.mark.plain
@pytest.mark.parametrize("few", [0, 8])
def test_constraints_of_different_units_are_all_held(monkeypatch, few):
    monkeypatch.setattr(COLUMNS, "FEW_VARIABLES", (few,))
    monkeypatch.setattr(MULTIPLIERS, "STEPS", 3)
    rng = np.random.default_rng(few)
    objectives = [[((j,), (0, a)) for j, a in enumerate((3, -4, 5, 1))]] * 2
    for _ in range(3):
        plain = Plain(4, tuple(map(tuple, objectives)), ("max", "min"))
        sizes = rng.integers(1, 9, (2, 4)) * np.array([[2**40], [1]])
        large, small = (
            [((j,), (0, a)) for j, a in enumerate(w)] for w in sizes.tolist()
        )
        half = [int(w.sum()) // 2 for w in sizes]
        pair = int(sizes[1, :2].sum())
        for constraints in (
            [(large, "<=", half[0]), (small, ">=", half[1])],
            [(small, "==", pair), (large, "<=", int(sizes[0, :2].sum()))],
            [(large, ">=", half[0]), (small, "<=", half[1])],
        ):
            assert_exact(plain, constraints)


def test_many_long_constraints_are_refused():
    sums = [((j,), (0, 1)) for j in range(30)]
    many = [(sums[a : a + 10], ">=", 1) for a in range(20)]
    landscape = pb.Landscape.from_subfunctions(30, [sums], "min", constraints=many)
    assert width_of(landscape) is None
    with pytest.raises(ValueError, match=r"20 columns of vectors.*16 columns are the"):
        pb.exact_front(landscape)


@pytest.mark.parametrize("of", [pb.supported_front, lambda one: pb.upper_bound(one, 0)])
def test_hulls_and_bounds_refuse_constraints(hopeless, of):
    with pytest.raises(ValueError, match="does not take constraints into account"):
        of(hopeless)


# What others found


@pytest.mark.parametrize("name", ["2KP50-11", "2KP50-50"])
def test_fronts_of_knapsacks_of_50_items_are_those_published(shared_folder, name):
    folder = shared_folder / "data" / "voptlib"
    landscape = pb.read_landscape(folder / f"{name}.dat")
    known = np.loadtxt(folder / f"{name}.Y", dtype=int)
    assert_array_equal(pb.exact_front(landscape).F, known[np.argsort(known[:, 0])])


@pytest.mark.long
def test_the_front_of_a_knapsack_of_100_items_is_that_published(shared_folder):
    folder = shared_folder / "data" / "knapsack"
    landscape = pb.read_landscape(folder / "knapsack.100.2.txt")
    known = np.loadtxt(folder / "knapsack.100.2.pareto.txt").astype(int)
    front = pb.exact_front(landscape)
    assert_array_equal(front.F, known[np.argsort(known[:, 0])])
    assert landscape.is_feasible(front.X).all()


@pytest.mark.parametrize(
    "name", ["small", "paper-example", "medium", "medium-weighted", "set-cover"]
)
def test_fronts_under_hard_clauses_are_those_published(shared_folder, name):
    path = shared_folder / "data" / "scuttle" / f"{name}.mcnf"
    known = re.findall(r"^c nd \((\d+), (\d+)\)", path.read_text(), re.MULTILINE)
    front = pb.exact_front(pb.read_landscape(path))
    assert sorted(map(tuple, front.F.tolist())) == sorted(
        (int(a), int(b)) for a, b in known
    )


def test_the_command_finds_fronts_under_constraints(shared_folder, tmp_path, capsys):
    path = shared_folder / "data" / "voptlib" / "2KP50-11.dat"
    run = tmp_path / "run.npz"
    assert main(["exact", str(path), "--quiet", "-o", str(run)]) == 0
    assert "43 non-dominated solutions" in capsys.readouterr().out
    assert main(["verify", str(path), str(run)]) == 0
