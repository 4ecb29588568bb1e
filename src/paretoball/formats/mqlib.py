"""MQLib's files of quadratic problems: maximise x'Qx.

A header `n m`, then a line `i j q` per entry of one triangle, indices from 1 on. Q is
symmetric, so entries beside the diagonal count twice. The files look like Biq Mac's.
"""

from paretoball.formats.source import Source
from paretoball.formats.triplets import is_plain, listing, quadratic_form
from paretoball.landscape import Landscape

NAME = "mqlib"
TITLE = "MQLib's quadratic form, maximised"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether it is a list with diagonal entries."""
    return is_plain(source) and listing(source).has_diagonal


def read(source: Source) -> Landscape:
    """The landscape of a quadratic form."""
    return quadratic_form(listing(source).entries(base=1), "max", twice=True)
