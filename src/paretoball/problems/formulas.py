"""Formulas: lists of clauses, with weights or without, and those of PySAT."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from paretoball.numerics import offsets
from paretoball.problems.clauses import Clauses
from paretoball.problems.factors import checked_factors
from paretoball.system import brief, counted, is_whole

Place = Callable[[int], str]  # where clause c stands, in words


class Formula(NamedTuple):
    """Soft clauses, and what is hard beside them."""

    clauses: Clauses
    hard: Clauses  # their weights are 1
    at_most: Sequence[tuple[np.ndarray, int]]  # literals, and how many may hold
    nv: int  # the number of variables that it says to have
    place: Place
    hard_place: Place

    def every_literal(self) -> Iterator[tuple[np.ndarray, Place]]:
        """All literals, and where literal e of them stands."""
        for clauses, place in (self.clauses, self.place), (self.hard, self.hard_place):
            yield clauses.literals, _by_owner(clauses.at, place)
        for literals, _ in self.at_most:
            yield literals, lambda _: "a bound on a sum of literals"


def listed_formulas(formulas: Any) -> list[Formula]:
    """The formulas that the user gave, one or several."""
    return [_formula(each, i) for i, each in enumerate(_several(formulas))]


def hard_clauses(given: Any) -> Formula:
    """A formula whose clauses are all hard; soft ones beside them are left out."""

    def place(c: int) -> str:
        return f"hard clause {c}"

    found = given
    if _is_object(given):
        found = given.hard if hasattr(given, "soft") else given.clauses
    if not _is_row(found):
        raise TypeError(f"hard is {brief(given)}, not a list of clauses")
    rows = found if isinstance(found, list | np.ndarray) else list(found)
    bounds, nv = _at_most(given, "hard"), getattr(given, "nv", 0)
    return Formula(_none(), _unweighted(rows, place), bounds, nv, place, place)


def _several(formulas: Any) -> list[Any]:
    """One formula or several, as a list."""
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


def _formula(given: Any, i: int) -> Formula:
    """Formula i, with all that is hard in it."""

    def place(c: int) -> str:
        return f"objective {i}, clause {c}"

    def hard_place(c: int) -> str:
        return f"objective {i}, hard clause {c}"

    soft, weights = given, None
    if hasattr(given, "soft"):
        soft, weights = given.soft, given.wght
    elif _is_object(given):
        soft = given.clauses
    if not _is_row(soft):
        raise TypeError(f"objective {i} is {brief(soft)}, not a list of clauses")
    return Formula(
        _weighted(soft, weights, i, place),
        _unweighted(getattr(given, "hard", None) or [], hard_place),
        _at_most(given, f"objective {i}"),
        getattr(given, "nv", 0),
        place,
        hard_place,
    )


def _at_most(given: Any, where: str) -> list[tuple[np.ndarray, int]]:
    """The bounds on sums of literals that PySAT has beside clauses."""
    bounds = getattr(given, "atmosts", None) or getattr(given, "atms", None) or []
    found = []
    for literals, most in bounds:
        owner = f"{where}, the bound {brief([literals, most])}"
        flat, _ = _laid_out([literals], _always(owner))
        found.append((flat, int(most)))
    return found


def _always(where: str) -> Place:
    return lambda _: where


def _none() -> Clauses:
    """No clauses."""
    return Clauses(np.zeros(0, np.int64), np.zeros(1, np.int64), np.ones(0, np.int64))


def _unweighted(rows: Any, place: Place) -> Clauses:
    """Clauses of weight 1."""
    literals, at = _laid_out(rows, place)
    return Clauses(literals, at, np.ones(len(at) - 1, np.int64))


def _weighted(formula: Any, weights: Any, i: int, place: Place) -> Clauses:
    """The clauses of formula i, with their weights, if they have such."""
    rows = formula if isinstance(formula, list | np.ndarray) else list(formula)
    first = next((row for row in rows if _is_row(row) and len(row) > 0), ())
    if weights is None and _is_pair(first):
        weights, rows = _parted(rows, place)
    if weights is None:
        return _unweighted(rows, place)
    literals, at = _laid_out(rows, place)
    m = len(at) - 1
    if len(weights) != m:
        raise ValueError(
            f"objective {i} has {counted(len(weights), 'weight')} "
            f"for {counted(m, 'clause')}"
        )
    own = checked_factors(weights, lambda c: f"{place(c)}, weight")
    return Clauses(literals, at, own)


def _is_pair(row: Any) -> bool:
    """Whether this is a weight and a clause."""
    return isinstance(row, list | tuple) and len(row) == 2 and _is_row(row[1])


def _parted(rows: Iterable[Any], place: Place) -> tuple[list[Any], list[Any]]:
    """The weights and the clauses of a formula of pairs."""
    for c, row in enumerate(rows):
        if not _is_pair(row):
            raise TypeError(
                f"{place(c)} is {brief(row)}, not a pair (weight, clause) as others"
            )
    return [row[0] for row in rows], [row[1] for row in rows]


def _laid_out(rows: Any, place: Place) -> tuple[np.ndarray, np.ndarray]:
    """The literals of all clauses, and where each clause starts."""
    if isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype.kind in "iu":
        literals, lengths = rows.ravel(), np.full(len(rows), rows.shape[1])
    else:
        for c, row in enumerate(rows):
            if type(row) is not list and not _is_row(row):
                raise TypeError(f"{place(c)} is {brief(row)}, not a list of ints")
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        flat = list(chain.from_iterable(rows))
        literals = _whole(flat, _by_owner(offsets(lengths), place))
    at = offsets(lengths)
    if (literals == 0).any():
        where = _by_owner(at, place)(int(np.argmax(literals == 0)))
        raise ValueError(f"{where} has the literal 0, but variables start at 1")
    return literals.astype(np.int64), at


def _by_owner(at: np.ndarray, place: Place) -> Place:
    """Where the clause stands that has literal e."""
    return lambda e: place(int(np.searchsorted(at, e, side="right")) - 1)


def _whole(flat: list[Any], place: Place) -> np.ndarray:
    """Literals as an array, if they are whole numbers."""
    if not set(map(type, flat)) <= {int}:
        for e, literal in enumerate(flat):
            if not is_whole(literal):
                raise TypeError(
                    f"{place(e)} has {brief(literal)}, but a literal is a whole number"
                )
    try:
        return np.array(flat, np.int64)
    except OverflowError:
        worst = max(flat, key=abs)
        raise ValueError(
            f"{place(flat.index(worst))} has a literal of "
            f"{int(worst).bit_length()} bits, but variables end at 2**31 - 1"
        ) from None
