"""MAX-SAT: weighted clauses, one formula per objective."""

from collections.abc import Hashable, Iterable, Sequence, Set
from itertools import chain
from typing import Any

import numpy as np

from paretoball.landscape import Landscape, checked_n, checked_sense
from paretoball.numerics import offsets
from paretoball.problems.clauses import Clauses, LongClause, clause_terms
from paretoball.problems.factors import checked_factors
from paretoball.system import brief, counted, is_whole


def maxsat(
    formulas: Any,
    sense: str | Sequence[str] = "max",
    labels: Iterable[Hashable] | None = None,
    names: Iterable[str] | None = None,
    n: int | None = None,
) -> Landscape:
    """The landscape of one formula or of several, an objective each.

    A maximised objective is the weight of all satisfied clauses; a minimised one is the
    weight of all falsified clauses.

    Parameters
    ----------
    formulas
        A formula is a list of clauses, or of pairs `(weight, clause)`; without weights,
        each clause counts 1. A clause is a list of literals: v for variable v, which
        counts from 1, and -v for its negation, so variable v is `x[v - 1]`. A clause
        without literals is never satisfied. A formula may also be an array with a row
        per clause, or a `CNF` or a `WCNF` of PySAT. Weights are ints, floats, `Decimal`
        or `Fraction`. Several formulas come in a list.
    sense, labels, names
        As in `Landscape.from_subfunctions`.
    n
        The number of variables; if None, the largest variable of all formulas.

    Examples
    --------
    >>> cost = [(3, [1, -2]), (5, [2])]
    >>> risk = [(1, [-1]), (1, [-2])]
    >>> maxsat([cost, risk]).evaluate([[0, 0], [0, 1], [1, 1]]).tolist()
    [[3, 2], [5, 1], [8, 0]]
    >>> maxsat([cost, risk], sense="min").evaluate([0, 1]).tolist()
    [3, 1]
    """
    given = [_clauses(formula, i) for i, formula in enumerate(_formulas(formulas))]
    signs = checked_sense(sense, len(given))
    n = _variables(n, given)
    objectives = []
    for i, (clauses, _) in enumerate(given):
        try:
            objectives.append(clause_terms(clauses, bool(signs[i] > 0)))
        except LongClause as error:
            raise ValueError(f"{_place(i, error.clause)} {error}") from None
    return Landscape.from_terms(n, objectives, sense, labels, names)


def _place(i: int, c: int) -> str:
    return f"objective {i}, clause {c}"


def _formulas(formulas: Any) -> list[Any]:
    """The formulas that the user gave, one or several."""
    if _is_object(formulas):
        return [formulas]
    if isinstance(formulas, np.ndarray):
        return list(formulas) if formulas.ndim == 3 else [formulas]
    if not _is_row(formulas):
        raise TypeError(f"formulas is {brief(formulas)}, not a list of clauses")
    first = next((each for each in formulas if not _is_row(each) or len(each)), None)
    return list(formulas) if _is_formula(first) else [formulas]


def _is_object(given: Any) -> bool:
    """Whether this is a formula of PySAT, or looks like one."""
    return hasattr(given, "clauses") or hasattr(given, "soft")


def _is_row(given: Any) -> bool:
    """Whether this may be a clause, a pair, a formula, or several."""
    is_text = isinstance(given, str | bytes)
    return isinstance(given, Sequence | Set | np.ndarray) and not is_text


def _is_formula(given: Any) -> bool:
    """Whether this is a formula, and neither a clause nor a pair."""
    return _is_object(given) or (_is_row(given) and _is_row(next(iter(given))))


def _clauses(formula: Any, i: int) -> tuple[Clauses, int]:
    """The clauses of formula i, and how many variables it says to have."""
    weights: Any = None
    nv = getattr(formula, "nv", 0)
    if _is_object(formula):
        _check_soft(formula, i)
        if hasattr(formula, "soft"):
            formula, weights = formula.soft, formula.wght
        else:
            formula = formula.clauses
    if not _is_row(formula):
        raise TypeError(f"objective {i} is {brief(formula)}, not a list of clauses")
    rows = formula if isinstance(formula, list | np.ndarray) else list(formula)
    first = next((row for row in rows if _is_row(row) and len(row) > 0), ())
    if weights is None and _is_pair(first):
        weights, rows = _parted(rows, i)
    literals, at = _laid_out(rows, i)
    m = len(at) - 1
    if weights is not None and len(weights) != m:
        raise ValueError(
            f"objective {i} has {counted(len(weights), 'weight')} "
            f"for {counted(m, 'clause')}"
        )
    if weights is None:
        return Clauses(literals, at, np.ones(m, np.int64)), nv
    own = checked_factors(weights, lambda c: f"{_place(i, c)}, weight")
    return Clauses(literals, at, own), nv


def _check_soft(formula: Any, i: int) -> None:
    """Refuse formulas of PySAT with hard clauses or bounds."""
    hard = getattr(formula, "hard", None)
    if hard:
        raise ValueError(
            f"objective {i} has {counted(len(hard), 'hard clause')}, the first is "
            f"{brief(hard[0])}: constraints are not supported yet"
        )
    bounds = getattr(formula, "atmosts", None) or getattr(formula, "atms", None)
    if bounds:
        raise ValueError(
            f"objective {i} has the bound {brief(bounds[0])} on a sum of literals: "
            "constraints are not supported yet"
        )


def _is_pair(row: Any) -> bool:
    """Whether this is a weight and a clause."""
    return isinstance(row, list | tuple) and len(row) == 2 and _is_row(row[1])


def _parted(rows: Iterable[Any], i: int) -> tuple[list[Any], list[Any]]:
    """The weights and the clauses of a formula of pairs."""
    for c, row in enumerate(rows):
        if not _is_pair(row):
            raise TypeError(
                f"{_place(i, c)} is {brief(row)}, not a pair (weight, clause) as others"
            )
    return [row[0] for row in rows], [row[1] for row in rows]


def _laid_out(rows: Any, i: int) -> tuple[np.ndarray, np.ndarray]:
    """The literals of all clauses, and where each clause starts."""
    if isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype.kind in "iu":
        literals, lengths = rows.ravel(), np.full(len(rows), rows.shape[1])
    else:
        for c, row in enumerate(rows):
            if type(row) is not list and not _is_row(row):
                raise TypeError(f"{_place(i, c)} is {brief(row)}, not a list of ints")
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        literals = _whole(list(chain.from_iterable(rows)), offsets(lengths), i)
    at = offsets(lengths)
    if (literals == 0).any():
        c = _owner(at, int(np.argmax(literals == 0)))
        raise ValueError(f"{_place(i, c)} has the literal 0, but variables start at 1")
    return literals.astype(np.int64), at


def _whole(flat: list[Any], at: np.ndarray, i: int) -> np.ndarray:
    """Literals as an array, if they are whole numbers."""
    if not set(map(type, flat)) <= {int}:
        for e, literal in enumerate(flat):
            if not is_whole(literal):
                raise TypeError(
                    f"{_place(i, _owner(at, e))} has {brief(literal)}, "
                    "but a literal is a whole number"
                )
    try:
        return np.array(flat, np.int64)
    except OverflowError:
        worst = max(flat, key=abs)
        raise ValueError(
            f"{_place(i, _owner(at, flat.index(worst)))} has a literal of "
            f"{int(worst).bit_length()} bits, but variables end at 2**31 - 1"
        ) from None


def _owner(at: np.ndarray, e: int) -> int:
    """The clause that literal e belongs to."""
    return int(np.searchsorted(at, e, side="right")) - 1


def _variables(n: int | None, given: list[tuple[Clauses, int]]) -> int:
    """The number of variables, if no literal is above it."""
    largest, where = 0, ""
    for i, (clauses, _) in enumerate(given):
        if len(clauses.literals):
            ends = int(clauses.literals.max()), -int(clauses.literals.min())
            if max(ends) > largest:
                largest = max(ends)
                literal = largest if ends[0] >= ends[1] else -largest
                e = int(np.argmax(clauses.literals == literal))
                where = f"{_place(i, _owner(clauses.at, e))} has the literal {literal}"
    if n is None:
        n = max([largest, *(nv for _, nv in given)])
        if n == 0:
            raise ValueError(
                "formulas have no literal: give n, the number of variables"
            )
    n = checked_n(n)
    if largest > n:
        raise ValueError(f"{where}, but n = {n}")
    return n
