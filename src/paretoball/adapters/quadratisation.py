"""Quadratisation: a landscape of any degree as a quadratic one with more variables.

dimod chooses the pairs of variables whose products become variables of their own. How
much it costs if such a variable is not the product is worked out here, in exact
numbers: enough, and not more than it takes.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.landscape import (
    Landscape,
    Monomials,
    Terms,
    check_unconstrained,
    monomials,
    products,
)
from paretoball.system import check_memory

BYTES = 1000  # for each pair of variables in a product, at most, while dimod works

Polynomial = Counter[tuple[int, ...]]  # the factor of each product of variables
Pair = tuple[int, ...]  # two variables that one is added for


def quadratised(landscape: Landscape) -> Landscape:
    """A quadratic landscape g whose minimum over the added variables is f, for every x.

    The first n variables are those of the landscape. The others come after them, with
    labels like `"a*b"`, and where each has the value of that product, g equals f. So a
    minimum of g is one of f, and its first n bits are a minimum of f. A landscape of
    degree 2 or less is returned as it is. One objective is taken, which is minimised,
    and no constraints. What does not fit in exact arithmetic is refused.

    Why this is exact: the products u v in some terms c u v r of a polynomial F, where c
    is a factor and r other variables, become a variable p, and M (u v - 2 u p - 2 v p +
    3 p) is added. If p = u v, that is 0, and nothing changes. If p = 0 and u v = 1, the
    terms lose at most the sum of all c > 0, and M is added. If p = 1 and u v = 0, they
    lose at most the sum of all -c > 0, and M or 3 M is added. With M the larger of the
    two sums, the minimum over p is F, for any values of the others. What is added is
    quadratic, so the next steps leave it alone, and by induction the minimum over all
    added variables is f.

    Which products dimod chooses may differ from one process to the next.

    Examples
    --------
    >>> cubic = Landscape.from_subfunctions(3, [[((0, 1, 2), [0] * 7 + [-5])]], "min")
    >>> quadratic = quadratised(cubic)
    >>> quadratic.n, int(quadratic.evaluate([1, 1, 1, 1])[0])
    (4, -5)
    """
    if landscape.sense != ("min",):
        raise ValueError(
            "quadratised takes one objective, which is minimised, but this landscape "
            f"has {', '.join(landscape.sense)}"
        )
    check_unconstrained(landscape.constraints, "quadratised")
    found = monomials(landscape)
    if not any(len(each.masks) for each in found[3:]):
        return landscape
    form, pairs = _reduced(found, landscape.n)
    _add_penalties(form, pairs, landscape.n)
    labels = [*landscape.labels, *_new_labels(landscape.labels, pairs)]
    terms = _terms(form, landscape)
    n, names = len(labels), landscape.names
    try:
        return Landscape.from_terms(n, [terms], "min", labels, names)
    except (OverflowError, ValueError):
        reach = sum(map(abs, form.values()))
        raise OverflowError(
            f"with variables for products, the objective can reach {reach:.3g} steps "
            f"of {landscape.resolution[0]:g}, but exact arithmetic ends at 2**62 = "
            "4.6e18, and where tables are real, at 2**51 = 2.3e15"
        ) from None


def _reduced(found: list[Monomials], n: int) -> tuple[Polynomial, list[Pair]]:
    """A quadratic polynomial, and the pairs that variables n, n + 1, ... stand for.

    Each pair is of variables before its own.
    """
    try:
        import dimod
    except ImportError:
        raise missing("quadratised", "dimod") from None
    pairs = sum(len(each.masks) * comb(k, 2) for k, each in enumerate(found))
    check_memory("the products of pairs in a landscape take", BYTES * pairs)
    polynomial = {
        tuple(mask): int(factor)
        for masks, factors in found
        for mask, factor in zip(masks.tolist(), factors[:, 0].tolist())
    }
    terms, added = dimod.reduce_binary_polynomial(
        dimod.BinaryPolynomial(polynomial, "BINARY")
    )
    place_of = {product: n + i for i, (_, product) in enumerate(added)}

    def in_places(variables: frozenset[Any]) -> tuple[int, ...]:
        return tuple(sorted(place_of.get(v, v) for v in variables))

    form = Counter({in_places(product): factor for product, factor in terms})
    return form, [in_places(pair) for pair, _ in added]


def _add_penalties(form: Polynomial, pairs: list[Pair], n: int) -> None:
    """Let it never pay that an added variable is not the product of its pair."""
    rises, falls = [0] * (n + len(pairs)), [0] * (n + len(pairs))
    for product, factor in form.items():
        for v in product:
            rises[v] += max(factor, 0)
            falls[v] += max(-factor, 0)
    for p in reversed(range(n, n + len(pairs))):
        u, v = pairs[p - n]
        M = max(rises[p], falls[p])
        form.update({(u, v): M, (u, p): -2 * M, (v, p): -2 * M, (p,): 3 * M})
        for each in (u, v):  # the terms that p is in are terms of both
            rises[each] += rises[p]
            falls[each] += falls[p]


def _terms(form: Polynomial, landscape: Landscape) -> list[Terms]:
    """The products of each degree, with factors in the units of the landscape."""
    step = Fraction(1) / Fraction(landscape.scale[0]) if landscape.real else 1
    terms = []
    for k in range(3):
        masks = sorted(mask for mask in form if len(mask) == k and form[mask])
        factors = np.array([form[mask] * step for mask in masks], object)
        places = np.array(masks, np.int64).reshape(len(masks), k)
        terms.append(products(places, factors))
    return terms


def _new_labels(labels: Sequence[Hashable], pairs: list[Pair]) -> list[str]:
    """A label for each added variable: the labels of its factors, with stars between.

    >>> _new_labels(["a", "b", "c"], [(0, 1), (2, 3)])
    ['a*b', 'a*b*c']
    """
    taken, factors = set(labels), [[j] for j in range(len(labels))]
    new = []
    for u, v in pairs:
        factors.append(sorted(factors[u] + factors[v]))
        label = "*".join(str(labels[j]) for j in factors[-1])
        while label in taken:
            label = f"_{label}"
        taken.add(label)
        new.append(label)
    return new
