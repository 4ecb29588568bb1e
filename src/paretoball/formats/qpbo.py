"""Toulbar2's files of quadratic problems, `.qpbo`: x'Wx in bits or in spins.

A header `n m`, then a line `i j w` per entry of one triangle, indices from 1 on. W is
symmetric, so entries beside the diagonal count twice. A negative n means spins, -1 and
1, a negative m that the form is maximised. In spins, toulbar2's manual takes a diagonal
entry for a constant, its reader does not: such an entry is refused.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.triplets import Entries, listing, quadratic_form, tells_offset
from paretoball.landscape import Landscape

NAME = "qpbo"
TITLE = "toulbar2's quadratic form"
SUFFIXES = (".qpbo",)


def sniff(source: Source) -> bool:
    """Whether it is a list with a negative number in its header, or has the suffix."""
    found = listing(source)
    if not found.looks_right or tells_offset(source):
        return False
    is_signed = min(found.counts) < 0 and found.is_complete
    return is_signed or source.suffix in SUFFIXES


def read(source: Source) -> Landscape:
    """The landscape of a quadratic form."""
    entries = listing(source).entries(base=1, signed=True)
    n, m = listing(source).counts
    if n < 0:
        _check_no_diagonal(entries)
    return quadratic_form(entries, "max" if m < 0 else "min", twice=True, spins=n < 0)


def _check_no_diagonal(entries: Entries) -> None:
    """Refuse diagonal entries."""
    found = np.flatnonzero(entries.rows == entries.columns)
    if len(found):
        what = "a diagonal entry has no agreed meaning in spins, -1 and 1"
        raise Misplaced(
            entries.words.line_of(3 * int(found[0])), f"{what}: leave it out"
        )
