"""MaxCut graphs as rudy writes them: the G-set, Biq Mac's `mac` files and `.mc`.

A header `n m`, then a line `i j w` per edge, nodes from 1 on. Lines may lack w, which
is 1 then. Copies of the G-set have more words in the header. An edge that is there
twice has the sum of its weights, with a warning. The objective is the weight of the
cut, maximised.
"""

import warnings

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.triplets import first_repeat, is_plain, listing
from paretoball.landscape import Landscape, cuts

NAME = "maxcut"
TITLE = "a MaxCut graph, as in the G-set"
SUFFIXES = (".mc", ".rud", ".rudy")


def sniff(source: Source) -> bool:
    """Whether it is a list without diagonal entries."""
    return is_plain(source) and not listing(source).has_diagonal


def read(source: Source) -> Landscape:
    """The landscape of a graph."""
    edges = listing(source).entries(base=1, width=2)
    loops = np.flatnonzero(edges.rows == edges.columns)
    if len(loops):
        what = "the edge has one node at both ends: a list with such lines is no graph"
        raise Misplaced(edges.words.line_of(edges.width * int(loops[0])), what)
    again = first_repeat(edges.rows, edges.columns)
    if again is not None:
        nodes = f"{edges.rows[again[0]] + 1} {edges.columns[again[0]] + 1}"
        said = f"the edge {nodes} is there twice: its weights add up"
        warnings.warn(f"{source.path}: {said}", stacklevel=2)
    terms = cuts(np.stack([edges.rows, edges.columns], axis=1), edges.values)
    return Landscape.from_terms(edges.n, [[terms]], "max")
