"""Quadratic forms: matrices, sparse matrices, dicts and graphs, one or several."""

from collections.abc import Iterable, Mapping, Sequence, Set
from numbers import Number
from typing import Any, NoReturn

import numpy as np

from paretoball.problems.factors import are_short, checked_factors, exact_sums_of_two
from paretoball.problems.labelled import (
    Objective,
    check_degrees,
    from_graph,
    from_mapping,
    labelled,
)
from paretoball.problems.products import (
    Dense,
    Products,
    listed_products,
    matrix_products,
    without_zeros,
)
from paretoball.problems.vartypes import vartype_of
from paretoball.system import brief, counted

KINDS = "a matrix, a sparse matrix, a dict or a graph"


def listed(given: Any, kinds: str = KINDS) -> list[Any]:
    """Several objectives as a list; one by itself becomes a list of one."""
    if _is_frame(given):
        return [given]
    if _is_array(given):
        array = np.asanyarray(given)
        return list(array) if array.ndim == 3 else [array]
    if isinstance(given, Mapping) or _is_sparse(given) or _is_graph(given):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, str | bytes | Set):
        raise TypeError(f"{brief(given)} is neither {kinds}, nor a list of these")
    several = list(given)
    if not several:
        raise ValueError("an empty list has no objective: give one or more")
    return [several] if _is_row(several[0]) else several


def one_each(value: Any, d: int, noun: str) -> list[Any]:
    """A list of d values as it is, and any other value d times."""
    if not isinstance(value, list | tuple) and np.ndim(value) == 0:
        return [value] * d
    if len(value) != d:
        raise ValueError(
            f"{counted(len(value), noun)} given for {counted(d, 'objective')}"
        )
    return list(value)


def quadratic_form(
    given: Any, weight: Any, where: str, vartype: str | None, once: bool = False
) -> Objective:
    """The sum of entry times x_i x_j over all entries of a matrix, dict or graph.

    With `once`, a matrix tells each pair once: by one of its two entries, or by both,
    which are equal then. Without it, both count. A mapping that says another `vartype`
    of itself is refused.
    """
    if _is_sparse(given):  # first, since some of these are mappings as well
        return _from_sparse(given, where, once)
    if isinstance(given, Mapping):
        vartype_of(given, where, vartype)
        some = from_mapping(given, where)
        check_degrees(some, 2 if once else 0, where)
        return Objective(None, [some])
    if _is_graph(given):
        return Objective(None, [from_graph(given, weight, where)])
    if _is_frame(given):
        return _from_frame(given, where, once)
    if isinstance(given, list | tuple) or _is_array(given):
        return _from_dense(given, where, once)
    raise TypeError(f"{where} is {brief(given)}, not {KINDS}")


def _is_array(given: Any) -> bool:
    return hasattr(given, "__array__") and not _is_sparse(given)


def _is_sparse(given: Any) -> bool:
    """Whether this is a matrix of scipy.sparse, or like one."""
    return hasattr(given, "tocoo")


def _is_frame(given: Any) -> bool:
    """Whether this is a data frame of pandas, or like one, with labels of its own."""
    if not all(hasattr(given, name) for name in ("index", "columns", "to_numpy")):
        return False
    rows, columns = list(given.index), list(given.columns)
    return not rows == columns == list(range(len(rows)))


def _is_graph(given: Any) -> bool:
    """Whether this is a graph of networkx, or like one."""
    return all(hasattr(given, name) for name in ("nodes", "edges", "is_multigraph"))


def _is_row(given: Any) -> bool:
    """Whether this is a row of numbers."""
    if isinstance(given, np.ndarray):
        return given.ndim == 1
    if not isinstance(given, list | tuple):
        return False
    if not given or isinstance(given[-1], str):  # a text is refused by its place
        return True
    return isinstance(given[0], Number) and not np.iterable(given[-1])


def _from_dense(given: Any, where: str, once: bool) -> Objective:
    """The quadratic form of a square matrix; one of whole numbers is kept as it is."""
    check_unmasked(given, where)
    rows = np.asarray(given) if _is_array(given) else _checked_rows(given, where)
    n = len(rows)

    def place(e: int) -> str:
        return f"{where}, row {e // n}, column {e % n}"

    flat: Any
    if isinstance(rows, np.ndarray):
        _check_square(rows.shape, where)
        if not once and are_short(rows):
            return Objective(n, [Dense(rows)])
        flat = rows.ravel()
    else:
        flat = [entry for row in rows for entry in row]
    square = checked_factors(flat, place).reshape(n, n)
    if once:
        return Objective(n, [_edges_of(square, where)])
    if are_short(square):
        return Objective(n, [Dense(square)])
    return Objective(n, matrix_products(square))


def _edges_of(square: np.ndarray, where: str) -> Products:
    """The edges that a matrix tells, each once."""
    is_above = np.triu(np.ones(square.shape, np.bool_), 1)
    masks = np.argwhere(is_above)
    above, below = square[is_above], square.T[is_above]
    is_wrong = np.asarray((above != below) & (above != 0) & (below != 0), np.bool_)
    if is_wrong.any():
        e = int(np.argmax(is_wrong))
        _refuse_asymmetry(masks[e], above[e], below[e], where)
    edges = np.where(np.asarray(above != 0, np.bool_), above, below)
    return Products(masks, edges)


def _from_frame(frame: Any, where: str, once: bool) -> Objective:
    """The quadratic form of a data frame, whose rows and columns have labels."""
    rows, columns = list(frame.index), list(frame.columns)
    place_of = {label: j for j, label in enumerate(columns)}
    if not len(set(rows)) == len(rows) == len(columns) or set(rows) != set(place_of):
        raise ValueError(
            f"{where} is a data frame whose rows and columns do not have the same "
            "labels, each once"
        )
    square = frame.to_numpy()[:, [place_of[label] for label in rows]]
    parts = _from_dense(square, where, once).parts
    plain = listed_products(
        part for part in parts if isinstance(part, Products | Dense)
    )
    return Objective(None, [labelled(part, rows) for part in plain])


def _checked_rows(rows: Sequence[Any], where: str) -> Sequence[Any]:
    """A list of rows that is a square matrix."""
    for j, row in enumerate(rows):
        if not _is_row(row):
            raise TypeError(
                f"{where} has {brief(row)} for row {j}, not a row of numbers"
            )
        if len(row) != len(rows):
            raise ValueError(
                f"{where} has {counted(len(rows), 'row')}, and "
                f"{counted(len(row), 'entry', 'entries')} in row {j}, but a quadratic "
                "form has a square matrix"
            )
    return rows


def _from_sparse(given: Any, where: str, once: bool) -> Objective:
    """The quadratic form of a sparse matrix; entries of one place are added."""
    _check_square(tuple(given.shape), where)
    found = given.tocoo()
    masks = np.column_stack([found.row, found.col]).astype(np.int64)

    def place(e: int) -> str:
        return f"{where}, row {masks[e, 0]}, column {masks[e, 1]}"

    some = Products(masks, checked_factors(np.asarray(found.data), place))
    n = int(given.shape[0])
    return Objective(n, [_edges(some, n, where) if once else _pairs_added(some)])


def check_unmasked(given: Any, where: str) -> None:
    """Refuse an array with masked entries: they have a number, but none that counts."""
    if np.ma.is_masked(given):
        raise ValueError(f"{where} has masked entries: give filled(0), or numbers")


def _check_square(shape: tuple[int, ...], where: str) -> None:
    """Refuse what is not a square matrix."""
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(
            f"{where} is an array of shape {shape}, but a quadratic form has a square "
            "matrix"
        )


def _pairs_added(some: Products) -> Products:
    """The same products; two of the same variables are added, if that is exact."""
    masks = np.sort(some.masks, axis=1)
    order = np.lexsort((masks[:, 1], masks[:, 0]))
    masks, factors = masks[order], some.factors[order]
    is_again = np.zeros(len(masks) + 1, np.bool_)
    is_again[1:-1] = (masks[1:] == masks[:-1]).all(axis=1)
    seconds = np.flatnonzero(is_again[1:-1] & ~is_again[:-2]) + 1
    total, is_exact = exact_sums_of_two(factors[seconds - 1], factors[seconds])
    factors[seconds - 1] = total
    kept = np.ones(len(masks), np.bool_)
    kept[seconds[is_exact]] = False
    return Products(masks[kept], factors[kept])


def _edges(some: Products, n: int, where: str) -> Products:
    """The edges that a sparse matrix tells, each once."""
    some = without_zeros(some)
    row, column = some.masks.T
    above, below = np.flatnonzero(row < column), np.flatnonzero(row > column)
    keys = np.minimum(row, column) * n + np.maximum(row, column)
    for half in above, below:
        _, firsts = np.unique(keys[half], return_index=True)
        if len(firsts) < len(half):
            i, j = some.masks[np.delete(half, firsts)[0]].tolist()
            raise ValueError(
                f"{where} has row {i}, column {j} twice: add such entries, with "
                "sum_duplicates()"
            )
    _, ours, theirs = np.intersect1d(
        keys[above], keys[below], assume_unique=True, return_indices=True
    )
    is_same = some.factors[above[ours]] == some.factors[below[theirs]]
    if not is_same.all():
        e = int(np.argmin(is_same))
        a, b = above[ours[e]], below[theirs[e]]
        _refuse_asymmetry(some.masks[a], some.factors[a], some.factors[b], where)
    kept = np.concatenate([above, np.delete(below, theirs)])
    return Products(some.masks[kept], some.factors[kept])


def _refuse_asymmetry(mask: np.ndarray, above: Any, below: Any, where: str) -> NoReturn:
    i, j = mask.tolist()
    raise ValueError(
        f"{where} has {above} at row {i}, column {j}, but {below} at row {j}, column "
        f"{i}: a pair has one weight, told by one of them or by both"
    )
