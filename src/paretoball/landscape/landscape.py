"""Vector Mk Landscapes: d objectives over n bits, each a sum of subfunctions.

A problem is checked once, when its `Landscape` is made. Inside, all objectives are
maximised integers; whatever a user sees is in the problem's own units and sense.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.landscape.cliques import (
    Cliques,
    Graph,
    Survey,
    cooccurrence_graph,
    evaluate_rows,
    surveyed,
)
from paretoball.landscape.constraint_rows import (
    ConstraintRows,
    all_constraint_values,
    constraint_rows,
)
from paretoball.landscape.constraints import NO_CONSTRAINTS, Constraints
from paretoball.landscape.fields import fields_of
from paretoball.landscape.fixed_point import check_real_reaches, reaches
from paretoball.landscape.given_constraints import GivenConstraint, TermsConstraint
from paretoball.landscape.merging import merged_cliques
from paretoball.landscape.naming import places, senses_in_words, senses_of
from paretoball.landscape.numbering import Numbering
from paretoball.landscape.solutions import bits_of
from paretoball.landscape.spelled_out import Objective, listed_objectives
from paretoball.landscape.square import Square
from paretoball.landscape.square_tables import square_cliques, square_subfunctions
from paretoball.landscape.subfunctions import Subfunctions, Terms, stacked
from paretoball.system import checked_whole

if TYPE_CHECKING:
    import networkx


# What is cached of a landscape and does not depend on its constraints.
SHARED = ("subfunctions", "cliques", "cooccurrence", "degrees", "survey", "place_of")


@dataclass(frozen=True, eq=False, repr=False)
class Landscape:
    """A vector Mk Landscape: d objectives over n bits, each a sum of subfunctions.

    Make one with `Landscape.from_subfunctions`, with a family such as `qubo`, or with
    `read_landscape`.
    """

    n: int
    content: Subfunctions | Square  # what the problem is kept as
    signs: np.ndarray  # (d,) int64: 1 for a maximised objective, -1 for a minimised one
    scale: np.ndarray  # (d,) float64: steps per unit; 1 where tables are integers
    real: bool  # whether objectives are shown as floats
    names: tuple[str, ...]  # one per objective
    given_labels: tuple[Hashable, ...] | None = None  # None where they are 0 to n - 1
    constraints: Constraints = NO_CONSTRAINTS  # what a feasible solution satisfies
    numbering: Numbering | None = None  # of a twin: what its variables are elsewhere

    @classmethod
    def from_subfunctions(
        cls,
        n: int,
        objectives: Iterable[Objective],
        sense: str | Sequence[str] = "max",
        labels: Iterable[Hashable] | None = None,
        names: Iterable[str] | None = None,
        constraints: Iterable[GivenConstraint] = (),
    ) -> "Landscape":
        """The landscape whose objective i is the sum of `objectives[i]`.

        Parameters
        ----------
        objectives
            For each objective its subfunctions, as pairs `(variables, table)`; bit j of
            an index into the table is the value of `variables[j]`. Arities may differ.
            A constant reads no variables and has a table of one entry. A variable may
            be named twice; entries where its two bits differ are never read. Entries
            are ints, floats, `Fraction` or `Decimal`; these two are taken exactly, or
            refused. In place of a table there may be a function, which is called with a
            bit for each of `variables`.
        sense
            `"max"` or `"min"`, for all objectives or one by one. The whole words,
            `"maximise"` or `"minimize"`, will do, too.
        labels
            One label per variable, whatever is hashable; 0 to n - 1 if there are none.
            If labels are given, `variables` are labels. They may also be numbers from 0
            to n - 1, where none of these is a label.
        names
            One name per objective; f0, f1, ... if there are none.
        constraints
            What a feasible solution satisfies, as triples `(subfunctions, relation,
            bound)`: their sum is `"<="`, `">="` or `"=="` the bound. A fourth entry is
            the constraint's name; c0, c1, ... if there is none.

        Examples
        --------
        >>> parabola = [((0, 1), [0, 1, 1, 4])]
        >>> ones = [((0,), [0, 1]), ((1,), [0, 1])]
        >>> landscape = Landscape.from_subfunctions(2, [parabola, ones], ["max", "min"])
        >>> landscape.evaluate([1, 1]).tolist()
        [4, 2]
        >>> differ = [(("a", "b"), lambda a, b: a != b)]
        >>> landscape = Landscape.from_subfunctions(2, [differ], labels=["a", "b"])
        >>> landscape.evaluate({"a": 1, "b": 0}).tolist()
        [1]
        >>> light = ([((0,), [0, 2]), ((1,), [0, 3])], "<=", 4)
        >>> landscape = Landscape.from_subfunctions(2, [ones], constraints=[light])
        >>> landscape.is_feasible([1, 0]), landscape.violation([1, 1]).tolist()
        (True, [1])
        """
        lists = listed_objectives(objectives)
        fields = fields_of(n, len(lists), lists, sense, labels, names, constraints)
        return cls(*fields)._prepared()

    @classmethod
    def from_terms(
        cls,
        n: int,
        objectives: Sequence[Sequence[Terms]],
        sense: str | Sequence[str] = "max",
        labels: Iterable[Hashable] | None = None,
        names: Iterable[str] | None = None,
        constraints: Iterable[GivenConstraint | TermsConstraint] = (),
    ) -> "Landscape":
        """The landscape whose objective i is the sum of all terms in `objectives[i]`.

        Masks have numbers from 0 to n - 1, whatever the labels. None may name a
        variable twice. The terms of a constraint are of that kind, too, or pairs as in
        `from_subfunctions`.
        """
        d, given = len(objectives), stacked(objectives)
        fields = fields_of(n, d, given, sense, labels, names, constraints)
        return cls(*fields)._prepared()

    @classmethod
    def from_square(
        cls,
        square: Square,
        sense: str | Sequence[str] = "max",
        labels: Iterable[Hashable] | None = None,
        names: Iterable[str] | None = None,
        constraints: Iterable[GivenConstraint | TermsConstraint] | Constraints = (),
        scale: np.ndarray | None = None,
    ) -> "Landscape":
        """The landscape of a square in the objectives' own senses, changed in place.

        No factor of a pair is larger than 2^62 in size; `scale` is steps per unit.
        """
        n, d = square.linear.shape
        fields = fields_of(n, d, square, sense, labels, names, constraints, scale)
        return cls(*fields)._prepared()

    @classmethod
    def from_arrays(
        cls,
        n: int,
        d: int,
        objective: np.ndarray,
        mask_at: np.ndarray,
        masks: np.ndarray,
        table_at: np.ndarray,
        tables: np.ndarray,
        sense: str | Sequence[str] = "max",
        scale: Sequence[float] | None = None,
        labels: Iterable[Hashable] | None = None,
        names: Iterable[str] | None = None,
        constraints: Constraints = NO_CONSTRAINTS,
    ) -> "Landscape":
        """The landscape of flat arrays, as in `Subfunctions`: fast for millions.

        `tables` may be real; `scale` is the number of steps per unit of each objective,
        if that is known already.
        """
        arrays = objective, mask_at, masks, table_at, tables
        given = Subfunctions(*map(np.array, arrays))
        fields = fields_of(n, d, given, sense, labels, names, constraints, scale)
        return cls(*fields)._prepared()

    def divided(self, by: int) -> "Landscape":
        """The same landscape, every objective divided by a whole number, exactly.

        A unit has `by` times as many steps then.
        """
        by = checked_whole("by", by, 1)
        if by == 1:
            return self
        own = self.square
        steps = own.reaches() if own else reaches(self.d, self.subfunctions)
        check_real_reaches(steps)
        return replace(self, scale=self.scale * by, real=True)._prepared()

    def _prepared(self) -> "Landscape":
        """Compute now what every search needs, so that no search waits for it."""
        _ = self.survey
        if self.square is None:
            _ = self.cooccurrence
        else:
            self.evaluate(np.zeros(self.n, np.uint8))  # compiled now, at no cost later
        return self

    @cached_property
    def unconstrained(self) -> "Landscape":
        """The same landscape without constraints."""
        if not self.constraints:
            return self
        bare = replace(self, constraints=NO_CONSTRAINTS)
        cached = vars(self).items()  # not computed again
        vars(bare).update((name, each) for name, each in cached if name in SHARED)
        return bare

    @cached_property
    def constraint_rows(self) -> ConstraintRows:
        """The constraints by constraint and by variable: what kernels work on."""
        return constraint_rows(self.n, self.constraints.arrays)

    @property
    def square(self) -> Square | None:
        """The factors of dense matrices; None if the problem was given otherwise."""
        return self.content if isinstance(self.content, Square) else None

    @cached_property
    def subfunctions(self) -> Subfunctions:
        """The subfunctions, in steps; made of the square if that is what is kept."""
        if isinstance(self.content, Subfunctions):
            return self.content
        return square_subfunctions(self.content, self.signs, self.survey)

    @cached_property
    def cliques(self) -> Cliques:
        """The subfunctions merged by mask, maximised: what kernels work on."""
        if self.square is not None:
            return square_cliques(self.square, self.survey)
        return merged_cliques(self.n, self.d, self.signs, self.subfunctions)

    @cached_property
    def cooccurrence(self) -> Graph:
        """The co-occurrence graph, as CSR arrays `at` and `neighbours`."""
        own = self.square
        return own.graph() if own else cooccurrence_graph(self.cliques)

    @cached_property
    def degrees(self) -> np.ndarray:
        """How many variables each one is read together with: (n,) int64."""
        own = self.square
        return own.degrees() if own else np.diff(self.cooccurrence.at)

    @cached_property
    def survey(self) -> Survey:
        """What is counted and bounded of all tables, once."""
        if self.square is not None:
            return self.square.survey(self.signs)
        return surveyed(self.n, self.d, self.subfunctions, self.cliques)

    def to_networkx(self) -> "networkx.Graph":
        """The co-occurrence graph, for networkx."""
        from paretoball.adapters.networkx import to_networkx

        return to_networkx(self)

    @property
    def d(self) -> int:
        """The number of objectives."""
        return len(self.signs)

    @property
    def m(self) -> int:
        """The number of subfunctions, all objectives together."""
        return self.survey.m

    @property
    def k(self) -> int:
        """The most variables that one subfunction reads."""
        return self.survey.k

    @property
    def max_occurrence(self) -> int:
        """The most subfunctions that read one variable; the paper's c."""
        return self.survey.max_occurrence

    c = max_occurrence

    @property
    def sense(self) -> tuple[str, ...]:
        """`"max"` or `"min"` for each objective."""
        return senses_of(self.signs)

    @cached_property
    def labels(self) -> tuple[Hashable, ...]:
        """A label for each variable: 0 to n - 1 if none were given."""
        return tuple(range(self.n)) if self.given_labels is None else self.given_labels

    @cached_property
    def place_of(self) -> dict[Hashable, int]:
        """The variable that each label belongs to."""
        return places(self.labels)

    @property
    def resolution(self) -> tuple[float, ...]:
        """The step of each objective: 1 where all its tables are integers."""
        return tuple((1 / self.scale).tolist())

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean of f over all solutions: (d,) float64, the nearest to the exact."""
        scales = map(Fraction, self.scale.tolist())
        return np.array([float(m / one) for m, one in zip(self.survey.means, scales)])

    @property
    def spreads(self) -> tuple[list[int], list[int]]:
        """Sums over tables of highest minus lowest entry, for each objective.

        The first list is over the tables that read one variable, for the variable where
        that is largest; the second list is over all tables.
        """
        return self.survey.spreads_of_one, self.survey.spreads_of_all

    def evaluate(self, x: Any) -> np.ndarray:
        """f(x) for one solution, (d,), or for a batch of them, (b, d).

        A solution is n bits, or a dict with 0 or 1 for each label. A batch is a matrix,
        or a list of solutions.
        """
        x = self.bits_of(x, "x")
        X, F = x.reshape(-1, self.n), np.empty((x.size // self.n, self.d), np.int64)
        if self.square is not None:
            self.square.evaluate(X, F)
        else:
            evaluate_rows(self.cliques, X, F)
        return self.shown(F.reshape((*x.shape[:-1], self.d)))

    def violation(self, x: Any) -> np.ndarray:
        """How far each constraint is from being satisfied: 0 where it is.

        It is (constraints,) for one solution and (b, constraints) for a batch, exact,
        in the constraints' own units: floats if one of them is real.
        """
        return self.constraints.shown(self.violation_in_steps(x))

    def is_feasible(self, X: Any) -> Any:
        """Whether a solution satisfies all constraints; for a batch, (b,) bool."""
        feasible = (self.violation_in_steps(X) == 0).all(axis=-1)
        return feasible if feasible.ndim else bool(feasible)

    def violation_in_steps(self, x: Any) -> np.ndarray:
        """How far each constraint is from being satisfied, in its steps."""
        x = self.bits_of(x, "x")
        G = np.empty((x.size // self.n, len(self.constraints)), np.int64)
        all_constraint_values(self.constraint_rows, x.reshape(-1, self.n), G)
        return self.constraints.violation(G).reshape((*x.shape[:-1], G.shape[1]))

    def bits_of(self, x: Any, name: str) -> np.ndarray:
        """x as uint8, if it is a solution or a batch of them, as bits or by label."""
        return bits_of(x, self.n, name, lambda: self.place_of)

    def shown(self, F: np.ndarray) -> np.ndarray:
        """Objectives or scores, from steps to the problem's own units and sense."""
        own = F.astype(np.int64) * self.signs
        return own / self.scale if self.real else own

    def inside(self, F: np.ndarray) -> np.ndarray:
        """The inverse of `shown`."""
        steps = np.rint(np.asarray(F) * self.scale) if self.real else np.asarray(F)
        return steps.astype(np.int64) * self.signs

    def __repr__(self) -> str:
        senses = senses_in_words(self.sense, "/")
        limits = f", constraints={len(self.constraints):,}" * bool(self.constraints)
        return (
            f"Landscape(n={self.n:,}, d={self.d} ({senses}), k={self.k}, "
            f"c={self.c}, m={self.m:,}{limits})"
        )
