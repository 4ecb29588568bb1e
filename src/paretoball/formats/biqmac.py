"""Biq Mac's files of quadratic problems, `.bq` and `.sparse`: minimise x'Qx.

A header `n m`, then a line `i j q` per entry of one triangle, indices from 1 on. Q is
symmetric, so entries beside the diagonal count twice.
"""

from paretoball.formats.source import Source
from paretoball.formats.triplets import is_plain, listing, quadratic_form
from paretoball.landscape import Landscape

NAME = "biqmac"
TITLE = "Biq Mac's quadratic form, minimised"
SUFFIXES = (".bq", ".sparse")


def sniff(source: Source) -> bool:
    """Whether it is a list with diagonal entries, or has the suffix."""
    if not is_plain(source):
        return False
    return listing(source).has_diagonal or source.suffix in SUFFIXES


def read(source: Source) -> Landscape:
    """The landscape of a quadratic form."""
    return quadratic_form(listing(source).entries(base=1), "min", twice=True)
