"""Landscapes as clauses: what WCNF and MCNF files hold, exactly or not at all.

Each entry of a table is the cost of one assignment. One clause is falsified by that
assignment only, and gets the cost as its weight. What all entries of a table have in
common is left out, and becomes the weight of two clauses `1 0` and `-1 0`: one of them
is falsified, always. A clause `1 -1 0` is always satisfied: it stands for an objective
that is always 0, and names the last variable where no other clause does.

Constraints are hard clauses, if they say that some literal holds.
"""

from typing import NamedTuple

import numpy as np

from paretoball.formats.units import whole_units
from paretoball.landscape import EXACT, Landscape
from paretoball.problems import clauses_of


class _Costs(NamedTuple):
    """The clauses of one objective that read k variables each."""

    weights: np.ndarray  # (m,) ints of Python: above 0
    literals: np.ndarray  # (m, k) int64


def hard_lines(landscape: Landscape, title: str) -> list[str]:
    """The constraints as hard clauses, a line each."""
    try:
        return [
            " ".join(map(str, ["h", *each, "0\n"])) for each in clauses_of(landscape)
        ]
    except ValueError as error:
        raise ValueError(f"{title} has hard clauses only, but {error}") from None


def soft_clauses(landscape: Landscape, i: int, title: str) -> list[str]:
    """The clauses of objective i as lines: a weight, literals, and a 0.

    `title` is what errors call the format.
    """
    if landscape.sense[i] != "min":
        raise ValueError(
            f"{title} minimises, but objective {i} is maximised: the file could hold "
            "its negative, minimised, if that is never below 0; .json and .npz files "
            "hold the landscape as it is"
        )
    n, (found, constant) = landscape.n, _costs(landscape, i, title)
    if constant < 0:
        raise ValueError(
            f"{title} has no weights below 0, but objective {i} is {constant} plus "
            f"tables that are 0 or more: add {-constant} to it"
        )
    total = 2 * constant + sum(int(each.weights.sum()) for each in found)
    if total > EXACT:
        raise ValueError(
            f"the weights of objective {i} add up to {total}, but they end at "
            "2**62 = 4.6e18"
        )
    lines = [f"{constant} 1 0\n", f"{constant} -1 0\n"] if constant else []
    for weights, literals in found:
        form = "%d " * (1 + literals.shape[1]) + "0\n"
        columns = [weights.tolist(), *literals.T.tolist()]
        lines += [form % row for row in zip(*columns)]
    largest = max((int(np.abs(each.literals).max()) for each in found), default=0)
    if largest < n:
        lines.append(f"1 {n} -{n} 0\n")
    return lines


def _costs(landscape: Landscape, i: int, title: str) -> tuple[list[_Costs], int]:
    """The clauses of objective i by arity, and the constant beside them."""
    cliques, found = landscape.cliques, list[_Costs]()
    column = -cliques.tables[:, i].astype(np.int64)
    constant = -int(cliques.constant[i])
    arities = np.diff(cliques.mask_at)
    for k in np.unique(arities).tolist():
        at = np.flatnonzero(arities == k)
        masks = cliques.masks[cliques.mask_at[at, None] + np.arange(k)].astype(np.int64)
        costs = column[cliques.table_at[at, None] + np.arange(1 << k)]
        lowest = costs.min(axis=1)
        constant += int(lowest.astype(object).sum())
        above = costs.astype(np.uint64) - lowest.astype(np.uint64)[:, None]
        row, index = np.nonzero(above)  # up to 2**63: without signs, it fits
        if len(row):
            signs = 1 - 2 * (index[:, None] >> np.arange(k) & 1)
            literals = (masks[row] + 1) * signs
            found.append(_Costs(above[row, index].astype(object), literals))
    in_units = [
        _Costs(whole_units(landscape, i, each.weights, title), each.literals)
        for each in found
    ]
    constants = np.array([constant], object)
    return in_units, int(whole_units(landscape, i, constants, title)[0])
