"""MaxCut: the weight of the edges between two sides of a graph."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from paretoball.landscape import Landscape, Terms, cuts
from paretoball.problems.constraining import (
    Constraint,
    constraint_terms,
    listed_constraints,
    polynomials_of,
)
from paretoball.problems.labelled import numbered
from paretoball.problems.products import Products, listed_products, without_zeros
from paretoball.problems.quadratic import listed, one_each, quadratic_form


def maxcut(
    graphs: Any,
    sense: str | Sequence[str] = "max",
    weight: Any = "weight",
    labels: Iterable[Hashable] | None = None,
    names: Iterable[str] | None = None,
    constraints: Iterable[Constraint] = (),
) -> Landscape:
    """The landscape of f(x) = Σ w_ij over all edges {i, j} with x_i ≠ x_j.

    Each edge counts once, and edges between the same two ends are added. No edge from a
    variable to itself is ever cut, so it counts for nothing.

    Parameters
    ----------
    graphs
        One graph or a list of them, one per objective. A graph of networkx may have
        directions, which say nothing here, and parallel edges. A matrix, dense or
        sparse, has w_ij at (i, j), at (j, i), or at both, which are equal then; two
        different weights of a pair are refused. In a dict `{(i, j): w}` each item is an
        edge.
    weight
        The attribute of edges that is their weight, 1 where it is missing; None takes 1
        for all; a list has one attribute for each objective.
    sense, labels, names, constraints
        As in `qubo`.

    Examples
    --------
    >>> triangle = {("a", "b"): 1, ("b", "c"): 2, ("c", "a"): 3}
    >>> landscape = maxcut(triangle)
    >>> landscape.labels, landscape.evaluate([0, 0, 1]).tolist()
    (('a', 'b', 'c'), [5])
    """
    given = listed(graphs)
    weights = one_each(weight, len(given), "weight")
    read = [
        quadratic_form(one, weights[i], f"objective {i}", None, once=True)
        for i, one in enumerate(given)
    ]
    rows = listed_constraints(constraints)
    found = numbered(read, labels, polynomials_of(rows))
    objectives = [
        [_cut(each) for each in listed_products(some)] for some in found.objectives
    ]
    return Landscape.from_terms(
        found.n, objectives, sense, found.labels, names, constraint_terms(rows, found)
    )


def _cut(edges: Products) -> Terms:
    """What each edge adds if its ends are on different sides."""
    masks, factors = without_zeros(edges)
    kept = masks[:, 0] != masks[:, 1]
    return cuts(masks[kept], factors[kept])
