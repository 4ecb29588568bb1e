"""dimod: quadratic models with constraints and without, sample sets, and a sampler.

dimod minimises. Spins are s = 2x - 1.
"""

from collections.abc import Sequence
from keyword import iskeyword
from typing import Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.adapters.quadratic import (
    Bounded,
    Labelled,
    constraint_form,
    form_of,
    objective_number,
    quadratic_landscape,
)
from paretoball.landscape import (
    Landscape,
    Quadratic,
    check_unconstrained,
    default_names,
)
from paretoball.numerics import entropy_of
from paretoball.running import Result, solve
from paretoball.system import brief, checked_seconds, checked_whole

try:
    import dimod
except ImportError:
    raise missing("paretoball.adapters.dimod", "dimod") from None

TAKEN = {  # columns of every sample set, and other keywords of `from_samples`
    *("sample", "energy", "num_occurrences"),
    *("cls", "samples_like", "vartype", "info", "aggregate_samples", "sort_labels"),
}
CLIMBS = 32  # of a read, if nobody says: the first ones are short
PARAMETERS = ("num_reads", "seed", "time_limit", "max_climbs", "radius")


def from_bqm(
    bqm: "dimod.BinaryQuadraticModel | Sequence[dimod.BinaryQuadraticModel]",
    sense: str | Sequence[str] = "min",
    names: Sequence[str] | None = None,
) -> Landscape:
    """The landscape whose objectives are the energies of one or several models.

    Models may be of spins or of bits, and variables with equal labels are the same one.
    Where all biases and the offset of a model are whole, so are the values.

    Examples
    --------
    >>> cost = dimod.BinaryQuadraticModel({"a": 2.0}, {"ab": -3.0}, 0.0, "BINARY")
    >>> risk = dimod.BinaryQuadraticModel({}, {"ab": 1.0}, 0.0, "SPIN")
    >>> landscape = from_bqm([cost, risk], names=["cost", "risk"])
    >>> landscape.labels, landscape.evaluate([1, 1]).tolist()
    (('a', 'b'), [-1, 1])
    """
    models = list(bqm) if isinstance(bqm, list | tuple) else [bqm]
    return quadratic_landscape([_labelled(model) for model in models], sense, names)


def _labelled(bqm: Any) -> Labelled:
    """A model as a quadratic form of its spins or bits."""
    _check_model(bqm)
    labels = list(bqm.variables)
    linear, (rows, columns, factors), offset = bqm.to_numpy_vectors(labels)
    pairs = np.column_stack([rows, columns])
    spins = bqm.vartype is dimod.SPIN
    return Labelled(labels, Quadratic(offset, linear, pairs, factors), spins)


def _check_model(bqm: Any) -> None:
    """Refuse all but binary quadratic models."""
    if not isinstance(bqm, dimod.BinaryQuadraticModel):
        raise TypeError(
            "a model is a dimod.BinaryQuadraticModel, and several are a list of them, "
            f"but this is a {type(bqm).__name__}"
        )


def from_cqm(
    cqm: "dimod.ConstrainedQuadraticModel | Sequence[dimod.ConstrainedQuadraticModel]",
    sense: str | Sequence[str] = "min",
    names: Sequence[str] | None = None,
) -> Landscape:
    """The landscape of one or several constrained models of bits or spins.

    Each has one objective; the constraints of all are constraints of the landscape, and
    their labels its names. One that a model before has, too, with the same terms and
    bound, is not added again. Variables with equal labels are the same one. Integers,
    real variables and soft constraints are refused.

    Examples
    --------
    >>> cqm = dimod.ConstrainedQuadraticModel()
    >>> a, b = dimod.Binary("a"), dimod.Binary("b")
    >>> cqm.set_objective(2 * a * b - 3 * b)
    >>> _ = cqm.add_constraint(a + b == 1, label="one")
    >>> landscape = from_cqm(cqm)
    >>> landscape.evaluate([0, 1]).tolist(), landscape.is_feasible([0, 1])
    ([-3], True)
    >>> landscape.constraints.names
    ('one',)
    """
    models = list(cqm) if isinstance(cqm, list | tuple) else [cqm]
    parts, rows, known = list[Labelled](), list[Bounded](), set[Any]()
    for model in models:
        if not isinstance(model, dimod.ConstrainedQuadraticModel):
            raise TypeError(
                "a model is a dimod.ConstrainedQuadraticModel, and several are a list "
                f"of them, but this is a {type(model).__name__}"
            )
        _check_variables(model)
        parts.append(_form(model, model.objective))
        here = set()
        for label, each in model.constraints.items():
            if each.lhs.is_soft():
                raise ValueError(f"constraint {brief(label)} is soft, with a weight")
            content = _content(model, each)
            here.add(content)
            if content not in known:
                left = _form(model, each.lhs)
                row = Bounded(left, each.sense.value, float(each.rhs), str(label))
                rows.append(row)
        known |= here
    return quadratic_landscape(parts, sense, names, rows)


def _check_variables(cqm: Any) -> None:
    """Refuse variables that are neither bits nor spins."""
    for label in cqm.variables:
        kind = cqm.vartype(label)
        if kind not in (dimod.BINARY, dimod.SPIN):
            raise ValueError(
                f"variable {brief(label)} is {kind.name.lower()}, but a landscape has "
                "binary variables only"
            )


def _content(cqm: Any, constraint: Any) -> Any:
    """What a constraint says, whatever its label and the order of its terms."""
    left = constraint.lhs
    terms: list[Any] = [((v,), bias) for v, bias in left.linear.items()]
    terms += [((u, v), bias) for u, v, bias in left.iter_quadratic()]
    own = {
        (frozenset((v, cqm.vartype(v)) for v in product), bias)
        for product, bias in terms
        if bias
    }
    return frozenset(own), float(left.offset), constraint.sense, float(constraint.rhs)


def _form(cqm: Any, model: Any) -> Labelled:
    """The objective or the left side of a constraint, over all variables."""
    labels = list(cqm.variables)
    place_of = {label: j for j, label in enumerate(labels)}
    linear = np.zeros(len(labels))
    for label, bias in model.linear.items():
        linear[place_of[label]] = bias
    found = [(place_of[u], place_of[v], q) for u, v, q in model.iter_quadratic()]
    pairs = np.array([each[:2] for each in found], np.int64).reshape(-1, 2)
    factors = np.array([each[2] for each in found], float)
    spins = np.array([cqm.vartype(label) is dimod.SPIN for label in labels], np.bool_)
    form = Quadratic(float(model.offset), linear, pairs, factors)
    return Labelled(labels, form, spins)


def to_cqm(
    landscape: Landscape, objective: int | str = 0
) -> "dimod.ConstrainedQuadraticModel":
    """The model of an objective, given by its number or its name, and all constraints.

    A maximised objective is negated. What has degree 3 or more is refused.

    Examples
    --------
    >>> xor, ones = [((0, 1), [0, 1, 1, 0])], [((0,), [0, 1]), ((1,), [0, 1])]
    >>> landscape = Landscape.from_subfunctions(
    ...     2, [xor], "min", constraints=[(ones, ">=", 1, "some")]
    ... )
    >>> to_cqm(landscape).check_feasible({0: 1, 1: 0})
    True
    """
    cqm = dimod.ConstrainedQuadraticModel()
    labels = list(landscape.labels)
    for label in labels:
        cqm.add_variable("BINARY", label)
    cqm.set_objective(to_bqm(landscape.unconstrained, objective))
    for c, relation in enumerate(landscape.constraints.relations):
        factors, bound = constraint_form(landscape, c)
        terms = [
            (*(labels[j] for j in product), factor)
            for product, factor in factors.items()
        ]
        name = landscape.constraints.names[c]
        cqm.add_constraint_from_iterable(terms, relation, rhs=bound, label=name)
    return cqm


def to_bqm(
    landscape: Landscape, objective: int | str = 0
) -> "dimod.BinaryQuadraticModel":
    """The model whose energy is an objective, given by its number or its name.

    A maximised objective is negated. One of degree 3 or more is refused, and so are
    constraints, for which `to_cqm` has a place.

    Examples
    --------
    >>> xor = Landscape.from_subfunctions(2, [[((0, 1), [0, 1, 1, 0])]], "min")
    >>> float(to_bqm(xor).energy({0: 1, 1: 0}))
    1.0
    """
    check_unconstrained(landscape.constraints, "a binary quadratic model")
    form = form_of(landscape, objective)
    sign = -landscape.signs[objective_number(landscape.names, objective)]
    return dimod.BinaryQuadraticModel.from_numpy_vectors(
        sign * form.linear.astype(float),
        (*form.pairs.T, sign * form.factors.astype(float)),
        float(sign * form.constant),
        "BINARY",
        variable_order=list(landscape.labels),
    )


def to_sampleset(result: Result, objective: int | str = 0) -> "dimod.SampleSet":
    """The solutions of a result, with the labels of the landscape.

    The energy is one of the objectives, negated if it is maximised. There is also a
    column for each objective, as it is, with its name; if one of the names is not a
    Python identifier, or is one that dimod has a use for, they are f0, f1, ...
    """
    chosen = objective_number(result.names, objective)
    sign = 1 if result.sense[chosen] == "min" else -1
    are_usable = all(_is_usable(name) for name in result.names)
    names = result.names if are_usable else default_names(result.d)
    return dimod.SampleSet.from_samples(
        (result.X.view(np.int8), list(result.labels)),
        "BINARY",
        energy=sign * result.F[:, chosen],
        sort_labels=False,
        **dict(zip(names, result.F.T)),
    )


def _is_usable(name: str) -> bool:
    """Whether a sample set can have a column of this name."""
    is_word = name.isidentifier() and not iskeyword(name)
    return is_word and not name.startswith("_") and name not in TAKEN


class ParetoballSampler(dimod.Sampler):
    """Searches for the lowest energy of a binary quadratic model.

    Examples
    --------
    >>> sampler = ParetoballSampler()
    >>> samples = sampler.sample_ising({}, {"ab": 1, "bc": 1}, num_reads=3, seed=1)
    >>> float(samples.first.energy)
    -2.0
    """

    def __init__(self) -> None:
        self._parameters: dict[str, list[str]] = {name: [] for name in PARAMETERS}
        self._properties: dict[str, Any] = {}

    @property
    def parameters(self) -> dict[str, list[str]]:
        """The keywords of `sample`; no property limits them."""
        return self._parameters

    @property
    def properties(self) -> dict[str, Any]:
        """None."""
        return self._properties

    def sample(
        self,
        bqm: "dimod.BinaryQuadraticModel",
        *,
        num_reads: int = 1,
        seed: Any = None,
        time_limit: float | None = None,
        max_climbs: int | None = None,
        radius: int | None = None,
        **unknown: Any,
    ) -> "dimod.SampleSet":
        """The best solution of each of `num_reads` independent searches.

        Parameters
        ----------
        seed
            The same seed gives the same samples, unless there is a time limit. If none
            is given, one is drawn; `sampleset.info` has it.
        time_limit
            Seconds for all reads together; each has an equal share.
        max_climbs
            Paths of each read, as for `solve`: 32, unless there is a time limit.
        radius
            As for `solve`.
        unknown
            Other keywords are left out, with a warning, as by dimod's own samplers.
        """
        self.remove_unknown_kwargs(**unknown)
        _check_model(bqm)
        reads = checked_whole("num_reads", num_reads, 1)
        share = None
        if time_limit is not None:
            share = checked_seconds("time_limit", time_limit) / reads
        elif max_climbs is None:
            max_climbs = CLIMBS
        entropy = entropy_of(seed)
        X = np.zeros((reads, bqm.num_variables), np.int8)
        if bqm.num_variables:
            landscape = from_bqm(bqm)
            for x, own in zip(X, np.random.SeedSequence(entropy).spawn(reads)):
                found = solve(
                    landscape,
                    radius=radius,
                    seed=own,
                    time_limit=share,
                    max_climbs=max_climbs,
                )
                x[:] = found.solutions(0)
        if bqm.vartype is dimod.SPIN:
            X = 2 * X - 1
        return dimod.SampleSet.from_samples_bqm(
            (X, list(bqm.variables)), bqm, info={"seed": entropy}
        )
