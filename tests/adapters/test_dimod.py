"""dimod: the same energies in both directions, and a sampler that passes its tests."""

import sys
import unittest
from fractions import Fraction
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest

import paretoball as pb
from landscapes import solutions_of
from paretoball import Landscape

dimod = pytest.importorskip("dimod")
dimod_testing = pytest.importorskip("dimod.testing")

from paretoball.adapters.dimod import (  # noqa: E402
    ParetoballSampler,
    from_bqm,
    from_cqm,
    to_bqm,
    to_cqm,
    to_sampleset,
)

LABELS = ["a", "b", 0, 7, ("x", 1), frozenset({2}), "", 2.5, "z z", -3, (), "é"]
KINDS = [dimod.Float64BQM, dimod.Float32BQM, dimod.DictBQM]


def random_bqm(rng: np.random.Generator, whole: bool = True) -> dimod.BQM:
    """A model of up to 12 variables with labels of all kinds."""
    labels = [LABELS[j] for j in rng.permutation(12)[: rng.integers(1, 13)]]
    vartype = "SPIN" if rng.random() < 0.5 else "BINARY"
    bqm = KINDS[rng.integers(3) if whole else 0](vartype)

    def bias() -> float:
        return float(rng.integers(-99, 100)) if whole else float(rng.normal())

    for label in labels:
        bqm.add_linear(label, bias())
    for i in range(len(labels)):
        for j in range(i):
            if rng.random() < 0.4:
                bqm.add_quadratic(labels[i], labels[j], bias())
    bqm.offset = bias()
    return bqm


def energies(bqm: dimod.BQM, X: np.ndarray, labels: list) -> np.ndarray:
    """What dimod says of solutions in bits; it asks for the model's own variables."""
    own = [labels.index(label) for label in bqm.variables]
    values = X[:, own].astype(np.int8)
    if bqm.vartype is dimod.SPIN:
        values = 2 * values - 1
    return bqm.energies((values, list(bqm.variables)))


def random_bits(rng: np.random.Generator, n: int, rows: int = 1000) -> np.ndarray:
    return rng.integers(0, 2, (rows, n), np.uint8)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_landscapes_have_the_energies_of_whole_models(d):
    rng = np.random.default_rng(d)
    for _ in range(20):
        models = [random_bqm(rng) for _ in range(d)]
        landscape = from_bqm(models if d > 1 else models[0])
        assert landscape.labels[: len(models[0])] == tuple(models[0].variables)
        X = random_bits(rng, landscape.n)
        F = landscape.evaluate(X)
        assert F.dtype == np.int64
        for model, column in zip(models, F.T):
            assert (
                energies(model, X, list(landscape.labels)).tolist() == column.tolist()
            )


def test_landscapes_have_the_energies_of_real_models():
    rng = np.random.default_rng(1)
    for _ in range(20):
        model = random_bqm(rng, whole=False)
        landscape = from_bqm(model)
        X = random_bits(rng, landscape.n)
        found = landscape.evaluate(X)[:, 0]
        np.testing.assert_allclose(
            found, energies(model, X, list(landscape.labels)), atol=1e-10
        )


def test_models_of_bits_and_of_spins_share_variables():
    bits = dimod.BQM({"b": 1.0}, {("b", "c"): 5.0}, 2.0, "BINARY")
    spins = dimod.BQM({"a": 1.0}, {("a", "b"): -3.0}, 0.5, "SPIN")
    landscape = from_bqm([bits, spins], ["min", "max"], ["one", "two"])
    assert landscape.labels == ("b", "c", "a")
    assert (landscape.sense, landscape.names) == (("min", "max"), ("one", "two"))
    assert landscape.evaluate([[1, 1, 0], [0, 1, 0]]).tolist() == [[8, 2.5], [2, -3.5]]


@pytest.mark.parametrize("size", [2**31, 2**40, 2**52])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("vartype", ["BINARY", "SPIN"])
def test_large_whole_biases_keep_all_digits(size, sign, vartype):
    far = sign * (size + 1)
    for linear, pairs, offset in ((far, 1, 1), (1, far, 1), (1, 1, far)):
        model = dimod.BQM({"a": linear, "b": 1}, {"ab": pairs}, offset, vartype)
        landscape = from_bqm([dimod.BQM({"a": 1.0}, {}, vartype), model])
        assert not landscape.real
        found = landscape.evaluate([[1, 1], [0, 1]])[:, 1].tolist()
        low = -1 if vartype == "SPIN" else 0
        right = linear + 1 + pairs + offset, low * linear + 1 + low * pairs + offset
        assert found == list(right)


def test_biases_that_are_fractions_stay_exact():
    model = dimod.DictBQM({"a": Fraction(1, 8)}, {("a", "b"): 3}, 0, "BINARY")
    assert from_bqm(model).evaluate([1, 1]).tolist() == [3.125]
    large = dimod.DictBQM({"a": 2**60 + 1}, {}, 0, "BINARY")
    assert from_bqm(large).evaluate([1]).tolist() == [2**60 + 1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: dimod.QuadraticModel(), "this is a QuadraticModel"),
        (lambda: [dimod.BQM({"a": 1.0}, {}, "SPIN"), 3], "this is a int"),
        (lambda: dimod.BQM("SPIN"), "no variables"),
        (lambda: [], "the list is empty"),
        (lambda: dimod.BQM({"a": np.nan}, {}, "SPIN"), "nan"),
        (lambda: dimod.BQM({"a": np.inf}, {}, "SPIN"), "inf"),
        (lambda: dimod.BQM({"a": 2.0**70}, {}, "SPIN"), r"can reach 1.18e\+21"),
        (lambda: dimod.BQM({"a": -(2.0**70)}, {}, "SPIN"), r"can reach 1.18e\+21"),
        (lambda: dimod.BQM({}, {"ab": -(2.0**70)}, "BINARY"), r"can reach 1.18e\+21"),
        (lambda: dimod.BQM({"a": 1.0}, {}, -(2.0**70), "BINARY"), "reach 1.18e"),
    ],
)
def test_what_is_no_model_is_refused(wrong, message):
    errors = (TypeError, ValueError, OverflowError)
    with pytest.raises(errors, match=message) as refusal:
        from_bqm(wrong())
    assert "\n" not in str(refusal.value)


def test_models_of_landscapes_have_the_same_energies():
    rng = np.random.default_rng(2)
    for _ in range(20):
        landscape = from_bqm([random_bqm(rng), random_bqm(rng)], ["min", "max"])
        X = random_bits(rng, landscape.n, 100)
        F = landscape.evaluate(X)
        lowest, highest = to_bqm(landscape), to_bqm(landscape, "f1")
        assert list(lowest.variables) == list(landscape.labels)
        assert energies(lowest, X, list(landscape.labels)).tolist() == F[:, 0].tolist()
        negated = energies(highest, X, list(landscape.labels))
        assert negated.tolist() == (-F[:, 1]).tolist()


def test_decimals_come_back_as_they_were():
    model = dimod.BQM({"a": 0.1, "b": -0.7}, {("a", "b"): 0.3}, 0.9, "BINARY")
    again = to_bqm(from_bqm(model))
    assert again.linear == model.linear
    assert again.quadratic == model.quadratic
    assert again.offset == model.offset


def test_every_objective_has_units_of_its_own():
    tables = [[0.5, 0.125], [0.1, 0.7], [3, -4]]
    landscape = Landscape.from_subfunctions(
        2,
        [[((0,), one), ((0, 1), [0, *one, 0])] for one in tables],
        ["min", "max", "min"],
    )
    for x in solutions_of(2).tolist():
        for i, value in enumerate(landscape.evaluate(x).tolist()):
            sign = -1 if i == 1 else 1
            found = to_bqm(landscape, i).energy(dict(enumerate(x)))
            assert sign * found == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("d", [1, 3, 4, 5, 9])
def test_up_to_four_names_of_objectives_are_told(d):
    names = [f"g{i}" for i in range(d)]
    landscape = Landscape.from_subfunctions(1, [[]] * d, "min", names=names)
    told = ", ".join(names[:4]) + (", ..." if d > 4 else "")
    with pytest.raises(ValueError, match=f"from 0 to {d - 1} nor a name: {told}$"):
        to_bqm(landscape, "cost")


def test_what_is_no_quadratic_form_is_refused():
    cubic = Landscape.from_subfunctions(
        3, [[((0, 1, 2), [0] * 7 + [1])]], labels=["a", "b", "c"]
    )
    with pytest.raises(ValueError, match=r"'a' \* 'b' \* 'c' of 3 variables"):
        to_bqm(cubic)
    with pytest.raises(ValueError, match="neither a number from 0 to 0 nor a name: f0"):
        to_bqm(cubic, 1)
    large = Landscape.from_subfunctions(1, [[((0,), [0, 2**53 + 1])]])
    with pytest.raises(OverflowError, match="9007199254740993 steps of 1"):
        to_bqm(large)


SUMS = {
    "constant": lambda size: [((), [size])],
    "linear": lambda size: [((0,), [0, 1]), ((1,), [0, size])],
    "pair": lambda size: [((0, 2), [0, 0, 0, 1]), ((1, 2), [0, 0, 0, size])],
}


@pytest.mark.parametrize("kind", SUMS)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("unit", [1, 0.25])
def test_factors_that_floats_would_round_are_refused(kind, sign, unit):
    """Where tables are real, landscapes end below that."""
    largest = sign * 2 ** (53 if unit == 1 else 50)
    exact = Landscape.from_subfunctions(3, [[], SUMS[kind](largest * unit)], "min")
    everything = dict.fromkeys(range(3), 1)
    right = exact.evaluate([1, 1, 1])[1]
    assert to_bqm(exact, 1).energy(everything) == right
    if unit == 1:
        given = SUMS[kind](largest + sign)
        beyond = Landscape.from_subfunctions(3, [[], given], "min")
        told = f"objective 1 has a factor of {largest + sign} steps of 1, but floats"
        with pytest.raises(OverflowError, match=told):
            to_bqm(beyond, 1)


LIMITS = {  # a sum and its bound, with a number of this size
    "bound": lambda size: ([((0,), [0, 1])], size),
    "constant": lambda size: ([((0,), [0, 1]), ((), [-size])], 0),
    "linear": lambda size: (SUMS["linear"](size), 0),
    "pair": lambda size: (SUMS["pair"](size), 0),
}


@pytest.mark.parametrize("where", LIMITS)
@pytest.mark.parametrize(("sign", "relation"), [(1, "<="), (-1, ">=")])
def test_constraints_that_floats_would_round_are_refused(where, sign, relation):
    def model_with(size: int) -> dimod.ConstrainedQuadraticModel:
        given, bound = LIMITS[where](size)
        rows = [([((0,), [0, 1])], "<=", 1), (given, relation, bound, "sum")]
        return to_cqm(Landscape.from_subfunctions(3, [[]], constraints=rows))

    largest = sign * 2**53
    limit = model_with(largest).constraints["sum"]
    assert limit.rhs == (largest if where in ("bound", "constant") else 0)
    with pytest.raises(
        OverflowError, match=r"constraint 1 \('sum'\) has a number of m"
    ):
        model_with(largest + sign)


@pytest.mark.parametrize("objective", [-1, 2, "f2", 0.5, None, True])
def test_an_objective_is_a_number_or_a_name(objective):
    landscape = Landscape.from_subfunctions(1, [[], [((0,), [0, 7])]], "min")
    for right in (1, "f1", np.int64(1)):
        assert to_bqm(landscape, right).linear[0] == 7
    with pytest.raises(ValueError, match="neither a number from 0 to 1 nor a name: f0"):
        to_bqm(landscape, objective)


def test_a_table_that_cancels_out_is_quadratic():
    """The degree counts, not the number of variables that are read."""
    linear = Landscape.from_subfunctions(3, [[((0, 1, 2), [0, 1, 2, 3, 3, 4, 5, 6])]])
    assert to_bqm(linear).num_interactions == 0


def test_results_become_sample_sets():
    rng = np.random.default_rng(3)
    models = [random_bqm(rng), random_bqm(rng)]
    landscape = from_bqm(models, ["min", "max"], ["cost", "gain"])
    result = pb.solve(landscape, max_climbs=3, seed=1)
    samples = to_sampleset(result)
    assert samples.vartype is dimod.BINARY
    assert list(samples.variables) == list(landscape.labels)
    assert len(samples) == len(result)
    assert samples.record.energy.tolist() == result.F[:, 0].tolist()
    for i, name in enumerate(result.names):
        assert samples.record[name].tolist() == result.F[:, i].tolist()
    assert (samples.record.sample == result.X).all()
    best = to_sampleset(result, "gain").first
    assert best.energy == -result.F[:, 1].max()
    assert landscape.evaluate([best.sample[v] for v in landscape.labels])[1] == (
        -best.energy
    )


def test_samples_have_the_order_of_the_landscape():
    labels = ["c", "a", "b"]
    model = dimod.BQM(dict.fromkeys(labels, -1.0), {}, "BINARY")
    landscape = from_bqm(model)
    result = pb.solve(landscape, max_climbs=1, seed=1)
    assert list(to_sampleset(result).variables) == labels


TAKEN = ["sample", "energy", "num_occurrences", "cls", "samples_like", "vartype"]
TAKEN += ["info", "aggregate_samples", "sort_labels"]


@pytest.mark.parametrize("name", [*TAKEN, "a b", "class", "_x"])
def test_names_that_dimod_cannot_have_are_replaced(name):
    landscape = from_bqm(dimod.BQM({"a": -1.0}, {}, "BINARY"), names=[name])
    samples = to_sampleset(pb.solve(landscape, max_climbs=1, seed=1))
    assert samples.record["f0"].tolist() == [-1]
    assert "f0" in str(samples)


@dimod_testing.load_sampler_bqm_tests(ParetoballSampler)
class TestSampler(unittest.TestCase):
    """dimod's own tests of samplers."""

    def test_api(self):
        dimod_testing.assert_sampler_api(ParetoballSampler())


def test_the_sampler_finds_the_lowest_energy():
    rng = np.random.default_rng(4)
    for _ in range(10):
        model = random_bqm(rng)
        found = ParetoballSampler().sample(model, seed=1)
        assert found.first.energy == dimod.ExactSolver().sample(model).first.energy
        dimod_testing.assert_sampleset_energies(found, model)


def test_the_same_seed_gives_the_same_samples():
    model = random_bqm(np.random.default_rng(5))
    sampler = ParetoballSampler()
    one, other = (sampler.sample(model, num_reads=5, seed=7) for _ in range(2))
    assert one == other
    assert len(one) == 5
    assert one.info == {"seed": 7}
    fewer = sampler.sample(model, num_reads=3, seed=7)
    assert (fewer.record.sample == one.record.sample[:3]).all()


@pytest.mark.parametrize("seed", [None, 0, np.random.SeedSequence(3)], ids=repr)
def test_the_seed_that_is_told_gives_the_same_samples(seed):
    flat = dimod.BQM(dict.fromkeys(range(30), 0.0), {}, "SPIN")
    sampler = ParetoballSampler()
    one = sampler.sample(flat, num_reads=2, seed=seed)
    again = sampler.sample(flat, num_reads=2, seed=one.info["seed"])
    assert one == again
    assert type(one.info["seed"]) is int


def test_reads_differ():
    flat = dimod.BQM(dict.fromkeys(range(30), 0.0), {}, "SPIN")
    found = ParetoballSampler().sample(flat, num_reads=5, seed=1)
    assert len(np.unique(found.record.sample, axis=0)) == 5


def test_reads_share_the_time(monkeypatch):
    given = []

    def solve(landscape, **options):
        given.append(options["time_limit"])
        return pb.solve(landscape, **options)

    monkeypatch.setattr(sys.modules[ParetoballSampler.__module__], "solve", solve)
    model = dimod.BQM({"a": 1.0}, {}, "SPIN")
    found = ParetoballSampler().sample(
        model, num_reads=4, time_limit=1e-6, max_climbs=1
    )
    assert (len(found), given) == (4, [1e-6 / 4] * 4)


@pytest.mark.parametrize(
    ("options", "right"),
    [
        ({}, (None, 32, None)),
        ({"max_climbs": 5, "radius": 2}, (None, 5, 2)),
        ({"time_limit": 1e-6}, (1e-6, None, None)),
        ({"time_limit": 1e-6, "max_climbs": 5}, (1e-6, 5, None)),
    ],
)
def test_reads_have_the_limits_that_are_given(monkeypatch, options, right):
    given = []

    def solve(landscape, time_limit, max_climbs, radius, seed):
        given.append((time_limit, max_climbs, radius))
        return pb.solve(landscape, max_climbs=1, seed=seed)

    monkeypatch.setattr(sys.modules[ParetoballSampler.__module__], "solve", solve)
    ParetoballSampler().sample(dimod.BQM({"a": 1.0}, {}, "SPIN"), **options)
    assert given == [right]


def test_options_are_checked():
    model, sampler = dimod.BQM({"a": 1.0}, {}, "SPIN"), ParetoballSampler()
    with pytest.warns(dimod.exceptions.SamplerUnknownArgWarning, match="beta"):
        assert len(sampler.sample(model, beta=3)) == 1
    with pytest.raises(ValueError, match="num_reads = 0"):
        sampler.sample(model, num_reads=0)
    with pytest.raises(ValueError, match="time_limit = -1"):
        sampler.sample(model, time_limit=-1)
    with pytest.raises(TypeError, match="this is a QuadraticModel"):
        sampler.sample(dimod.QuadraticModel())


def test_the_sampler_works_inside_composites():
    model = dimod.BQM({"a": 3.0, "c": -5.0}, {("a", "b"): 2.0}, 1.0, "SPIN")
    lowest = dimod.ExactSolver().sample(model).first.energy
    sampler = ParetoballSampler()
    for composite in (
        dimod.TrackingComposite(sampler),
        dimod.TruncateComposite(sampler, 1),
        dimod.StructureComposite(sampler, ["a", "b", "c"], [("a", "b")]),
    ):
        found = composite.sample(model, num_reads=2, seed=1)
        assert found.first.energy == lowest
    cubic = dimod.HigherOrderComposite(sampler)
    for poly in (cubic, dimod.PolyScaleComposite(cubic)):
        found = poly.sample_hubo({("a", "b", "c"): -1, ("a",): 0.5}, seed=1)
        assert found.first.energy == -0.5
    fixed = dimod.PolyFixedVariableComposite(cubic)
    found = fixed.sample_hubo({("a", "b"): -1}, fixed_variables={"a": 0}, seed=1)
    assert (found.first.sample["a"], found.first.energy) == (0, 0)


def test_without_dimod_one_line_names_the_extra(monkeypatch):
    name = "paretoball.adapters.dimod"
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "dimod", None)
    with pytest.raises(ImportError, match=r"pip install 'paretoball\[dimod\]'$"):
        import_module(name)


def random_cqm(rng: np.random.Generator) -> dimod.ConstrainedQuadraticModel:
    """A model of bits and spins with constraints of all senses, some quadratic."""
    cqm = dimod.ConstrainedQuadraticModel()
    bqm = random_bqm(rng)
    cqm.set_objective(bqm)
    for _ in range(int(rng.integers(4))):
        left = dimod.QuadraticModel()
        for label in bqm.variables:
            left.add_variable(bqm.vartype, label)
            left.add_linear(label, float(rng.integers(-3, 4)))
        for u, v in bqm.quadratic if rng.random() < 0.5 else ():
            left.add_quadratic(u, v, float(rng.integers(-3, 4)))
        left.offset = float(rng.integers(-3, 4))
        x = {
            v: rng.choice([-1, 1] if bqm.vartype is dimod.SPIN else [0, 1])
            for v in bqm.variables
        }
        relation = str(rng.choice(["<=", ">=", "=="]))
        cqm.add_constraint_from_model(left, relation, rhs=left.energy(x))
    return cqm


def bits_as_samples(cqm, X: np.ndarray, labels: list) -> list[dict]:
    """Solutions in bits with the values that a model has."""
    is_spin = {v: cqm.vartype(v) is dimod.SPIN for v in cqm.variables}
    return [
        {
            v: 2 * x[labels.index(v)] - 1 if is_spin[v] else x[labels.index(v)]
            for v in is_spin
        }
        for x in X.astype(int).tolist()
    ]


def test_constrained_models_go_there_and_back():
    rng = np.random.default_rng(7)
    for _ in range(30):
        cqm = random_cqm(rng)
        landscape = from_cqm(cqm)
        labels = list(landscape.labels)
        X = random_bits(rng, landscape.n, 40)
        again = to_cqm(landscape)
        F, kept = (
            landscape.evaluate(X)[:, 0].tolist(),
            landscape.is_feasible(X).tolist(),
        )
        assert landscape.constraints.names == tuple(cqm.constraints)
        assert [cqm.objective.energy(x) for x in bits_as_samples(cqm, X, labels)] == F
        assert [
            again.objective.energy(x) for x in bits_as_samples(again, X, labels)
        ] == F
        for model in (cqm, again):
            samples = bits_as_samples(model, X, labels)
            assert kept == [model.check_feasible(each) for each in samples]
        for c, (_, limit) in enumerate(cqm.constraints.items()):
            values = [limit.lhs.energy(x) for x in bits_as_samples(cqm, X, labels)]
            over = {"<=": 1, ">=": -1}.get(limit.sense.value, 0)
            away = [
                max(0, over * (v - limit.rhs)) if over else abs(v - limit.rhs)
                for v in values
            ]
            assert landscape.violation(X)[:, c].tolist() == away


def test_several_constrained_models_have_all_their_constraints():
    a, b = dimod.Binary("a"), dimod.Binary("b")
    one, other = dimod.CQM(), dimod.CQM()
    one.set_objective(a + b)
    one.add_constraint(a + b <= 1, label="roof")
    other.set_objective(-2 * a * b)
    other.add_constraint(0.5 * a - b >= -0.5, label="roof")
    landscape = from_cqm([one, other], names=["sum", "product"])
    assert (landscape.d, landscape.constraints.names) == (2, ("roof", "roof_2"))
    assert landscape.violation([1, 1]).tolist() == [1, 0]
    assert landscape.violation([0, 1]).tolist() == [0, 0.5]


def test_a_constrained_model_has_the_objective_that_is_asked_for():
    models = []
    for factor in (2, 3, 5):
        cqm = dimod.CQM()
        cqm.set_objective(factor * dimod.Binary("a") + factor)
        models.append(cqm)
    landscape = from_cqm(models, ["min", "max", "min"], ["cost", "gain", "risk"])
    for i, (name, energy) in enumerate({"cost": 4, "gain": -6, "risk": 10}.items()):
        for objective in (i, name):
            assert to_cqm(landscape, objective).objective.energy({"a": 1}) == energy


def test_constraints_of_one_name_get_numbers():
    a, names, models = dimod.Binary("a"), ["up", "up", "up_2", "up", "b"], []
    for bound, name in enumerate(names, 1):
        models.append(dimod.CQM())
        models[-1].set_objective(a)
        models[-1].add_constraint(a <= bound, label=name)
    found = from_cqm(models).constraints
    assert found.names == ("up", "up_3", "up_2", "up_4", "b")
    assert found.bounds == (1, 2, 3, 4, 5)


def test_a_constraint_that_any_model_before_has_is_not_added_again():
    models = []
    for bounds in ([1], [2], [1, 3], [2, 3, 4]):
        cqm = dimod.ConstrainedQuadraticModel()
        a, b, c, d = (dimod.Binary(label) for label in "abcd")
        for bound in bounds:
            cqm.add_constraint(a + b + c + d <= bound, label=f"most{bound}")
        models.append(cqm)
    constraints = from_cqm(models).constraints
    assert constraints.names == ("most1", "most2", "most3", "most4")


def test_a_constraint_that_models_share_is_there_once():
    a, b, s = dimod.Binary("a"), dimod.Binary("b"), dimod.Spin("s")
    one, other = dimod.CQM(), dimod.CQM()
    for cqm, terms in ((one, a + b + 2 * a * s), (other, 2 * s * a + b + a)):
        cqm.set_objective(a)
        cqm.add_constraint(terms <= 1, label="roof")
        cqm.add_constraint(a + b >= 1)  # its label is drawn at random
    other.add_constraint(terms <= 2, label="wide")
    other.add_constraint(terms >= 1, label="floor")
    one.add_constraint(a - s == 0, label="twin")
    one.add_constraint(a - s == 0, label="again")  # of one model, both are kept
    landscape = from_cqm([one, other])
    own = list(one.constraints)
    assert landscape.constraints.names == (*own, "wide", "floor")


@pytest.mark.parametrize("own", [False, True])
def test_a_term_of_factor_0_makes_no_other_constraint(own):
    models = []
    for zero in (own, not own):
        left = dimod.QuadraticModel()
        for label in "abc":
            left.add_variable("BINARY", label)
        left.add_linear("a", 2.0)
        if zero:
            left.add_quadratic("a", "b", 0.0)
        models.append(dimod.CQM())
        models[-1].add_constraint_from_model(left, "<=", rhs=1, label="roof")
    assert from_cqm(models).constraints.names == ("roof",)


@pytest.mark.parametrize("kind", ["offset", "linear", "pair", "vartype", "none"])
def test_constraints_that_differ_in_one_thing_are_two(kind):
    models = []
    for own in (False, kind != "none"):
        left = dimod.QuadraticModel()
        for label in "ab":
            is_spin = own and kind == "vartype"
            left.add_variable("SPIN" if is_spin else "BINARY", label)
        left.add_linear("a", 3.0 if own and kind == "linear" else 2.0)
        left.add_quadratic("a", "b", -1.0 if own and kind == "pair" else 1.0)
        left.offset = 1.0 if own and kind == "offset" else 0.5
        models.append(dimod.CQM())
        models[-1].add_constraint_from_model(left, "<=", rhs=9, label="roof")
    names = ("roof",) if kind == "none" else ("roof", "roof_2")
    assert from_cqm(models).constraints.names == names


def test_a_soft_constraint_beside_others_is_refused():
    a, b = dimod.Binary("a"), dimod.Binary("b")
    soft, real = dimod.CQM(), dimod.CQM()
    soft.add_constraint(a + b <= 1, label="roof")
    soft.add_constraint(a <= 0, label="wish", weight=2)
    with pytest.raises(ValueError, match="constraint 'wish' is soft"):
        from_cqm(soft)
    real.set_objective(a + dimod.Real("share"))
    with pytest.raises(ValueError, match="variable 'share' is real, but"):
        from_cqm([dimod.CQM.from_bqm(dimod.BQM({"a": 1.0}, {}, "BINARY")), real])


def test_spins_of_constrained_models_are_taken_exactly():
    spins = [dimod.Spin(f"s{j}") for j in range(4)]
    cqm = dimod.CQM()
    cqm.set_objective(dimod.quicksum(0.1 * s for s in spins))
    left = 4.7 * spins[0] + 5.2 * spins[1] + 4.6 * spins[2] + 8 * spins[3] - 1.8
    cqm.add_constraint(left == 20.7, label="sum")
    landscape = from_cqm(cqm)
    assert landscape.is_feasible([1, 1, 1, 1])
    assert landscape.is_feasible(solutions_of(4)).sum() == 1
    assert landscape.constraints[0].tolerance == 0
    assert landscape.resolution == (0.1,)
    assert landscape.evaluate([1, 1, 1, 0]).tolist() == [0.2]


def test_products_of_bits_and_spins_are_those_of_the_model():
    cqm, rng = dimod.CQM(), np.random.default_rng(1)
    kinds = {"a": "BINARY", "s": "SPIN", "b": "BINARY", "t": "SPIN"}
    model = dimod.QuadraticModel()
    for label, kind in kinds.items():
        model.add_variable(kind, label)
        model.add_linear(label, float(rng.integers(1, 9)) / 2)
    for u, v in combinations(kinds, 2):
        model.add_quadratic(u, v, float(rng.integers(1, 9)) / 2)
    cqm.set_objective(model)
    landscape = from_cqm(cqm)
    X = solutions_of(4)
    samples = bits_as_samples(cqm, X, list(landscape.labels))
    energies = [model.energy(sample) for sample in samples]
    assert landscape.evaluate(X)[:, 0].tolist() == energies


@pytest.mark.parametrize(
    ("relation", "bound", "right"),
    [("<=", 1.5, [1, 1, 1, 0]), ("==", 1.25, [0, 1, 1, 0]), (">=", 1.5, [0, 0, 0, 1])],
)
def test_a_constant_on_a_grid_goes_to_the_bound_of_a_model(relation, bound, right):
    given = [((0,), [0.5, 1.0]), ((1,), [0.25, 0.75])]
    limited = [(given, relation, bound, "sum")]
    landscape = Landscape.from_subfunctions(2, [[]], constraints=limited)
    cqm, X = to_cqm(landscape), solutions_of(2)
    samples = [dict(enumerate(x)) for x in X.tolist()]
    assert landscape.is_feasible(X).tolist() == right
    assert [cqm.check_feasible(each, atol=1e-12) for each in samples] == right
    (limit,) = cqm.constraints.values()
    assert limit.rhs == bound - 0.75
    assert [limit.lhs.get_linear(j) for j in (0, 1)] == [0.5, 0.5]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]])
def test_every_constraint_has_units_of_its_own(order):
    """Whole numbers, tenths, thousandths, and eighths beside each other."""
    units = [(2, 3, 4), (0.1, 0.2, 0.2), (0.125, 2.001, 1.5), (Fraction(1, 8), 2, 1)]
    rows = [
        ([((0,), [0, a]), ((0, 1), [0, 0, 0, b])], relation, bound, f"g{c}")
        for c, ((a, b, bound), relation) in enumerate(
            zip(units, ["<=", ">=", "<=", "<="])
        )
    ]
    limited = [rows[c] for c in order]
    landscape = Landscape.from_subfunctions(2, [[]], constraints=limited)
    assert len(set(landscape.constraints.scale.tolist())) > 2
    cqm = to_cqm(landscape)
    for c in order:
        limit = cqm.constraints[f"g{c}"]
        found = (limit.lhs.get_linear(0), limit.lhs.get_quadratic(0, 1), limit.rhs)
        assert found == tuple(map(float, units[c]))
    again = from_cqm(cqm).violation(solutions_of(2))
    assert again.tolist() == landscape.violation(solutions_of(2)).tolist()


def test_what_no_landscape_can_be_is_refused():
    with pytest.raises(TypeError, match="this is a BinaryQuadraticModel"):
        from_cqm(dimod.BQM("BINARY"))
    count = dimod.CQM()
    count.set_objective(dimod.Integer("count"))
    with pytest.raises(ValueError, match="variable 'count' is integer, but"):
        from_cqm(count)
    soft = dimod.CQM()
    soft.add_constraint(dimod.Binary("a") <= 0, label="wish", weight=2)
    with pytest.raises(ValueError, match="constraint 'wish' is soft"):
        from_cqm(soft)
    with pytest.raises(
        ValueError, match="a binary quadratic model does not take constr"
    ):
        to_bqm(pb.knapsack([1, 2], [1, 2], 2))
