"""Qubist's files of Ising models, `.qh`: minimise Σ h_i s_i + Σ J_ij s_i s_j.

A header, then a line `i i h` or `i j J` per term, as many as the second number in the
header says. The first one is no number of variables: variables are the indices that
occur, which become their labels. A spin s is 2x - 1.
"""

from paretoball.formats.source import Source
from paretoball.formats.triplets import is_plain, listing, quadratic_form
from paretoball.landscape import Landscape

NAME = "qubist"
TITLE = "Qubist's Ising model"
SUFFIXES = (".qh",)


def sniff(source: Source) -> bool:
    """Whether it is a list with diagonal entries, or has the suffix."""
    if not is_plain(source):
        return False
    return listing(source).has_diagonal or source.suffix in SUFFIXES


def read(source: Source) -> Landscape:
    """The landscape of an Ising model."""
    entries, labels = listing(source).labelled()
    return quadratic_form(entries, "min", spins=True, labels=labels)
