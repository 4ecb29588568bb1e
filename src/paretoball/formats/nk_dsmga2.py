"""NK landscapes of DSMGA-II, on a line of variables in any order.

`n K step`, then a table of 2^(K + 1) numbers for every position 0, step, 2 step, ...
below n, then the optimum and a permutation of the n variables. A table reads the
variables at its position and the K next ones, the first as the highest bit of an index.
The last tables end with the line: they read fewer variables, and the first entries of
the table only. So the stored optimum is right; it is not used here. The objective is
the sum, maximised.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.nk import checked_arity
from paretoball.formats.source import Source
from paretoball.formats.text import REAL, WHOLE
from paretoball.landscape import MAX_ARITY, Landscape, Terms

NAME = "nk-dsmga2"
TITLE = "NK landscape of DSMGA-II"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether three numbers come before a line of whole tables."""
    head = source.text.head(2)
    if len(head) < 2 or len(head[0]) != 3:
        return False
    if not all(WHOLE.fullmatch(word) for word in head[0]):
        return False
    n, K, step = (int(word) for word in head[0])
    size = len(head[1])
    are_tables = 0 <= K < MAX_ARITY and size > 3 and size % (2 << K) == 0
    return n >= 1 and step >= 1 and are_tables and bool(REAL.fullmatch(head[1][0]))


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    words, start = source.checked_text.words(), source.text.filled[0]
    if len(words) < 3:
        raise Misplaced(start, "the first line is not 'n K step', three numbers")
    n, K, step = words.wholes(0, 3).tolist()
    k = checked_arity(K + 1, start)
    if n < 1 or K < 0 or step < 1:
        raise Misplaced(start, f"n = {n}, K = {K} and step = {step} make no landscape")
    m = -(-n // step)
    last = 3 + (m << k)
    if len(words) != last + 1 + n:
        raise Misplaced(
            source.text.filled[-1],
            f"the file has {len(words):,} numbers, but n = {n}, K = {K} and "
            f"step = {step} need {last + 1 + n:,}",
        )
    tables = words.reals(3, last).reshape(m, 1 << k)
    words.reals(last, last + 1)
    order = words.indices(n, 0, last + 1)
    seen = np.bincount(order, minlength=n)
    if seen.max() > 1:
        at = int(np.argmax(seen[order] > 1))
        raise words.refusal(last + 1 + at, "is in the permutation twice")
    return Landscape.from_terms(n, [_terms(order, tables, step, k)])


def _terms(order: np.ndarray, tables: np.ndarray, step: int, k: int) -> list[Terms]:
    """The tables and what they read; those at the end of the line one by one."""
    n, positions = len(order), np.arange(0, len(order), step)
    whole = int(np.searchsorted(positions, n - k, side="right"))
    inside = positions[:whole, None] + np.arange(k)[::-1]
    terms = [Terms(order[inside], tables[:whole])]
    for e, position in enumerate(positions[whole:].tolist(), whole):
        rest = order[position:][::-1]
        terms.append(Terms(rest[None], tables[e : e + 1, : 1 << len(rest)]))
    return terms
