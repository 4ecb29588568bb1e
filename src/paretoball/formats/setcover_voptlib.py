"""Set covering with two objectives, as in vOptLib's 2scp files.

The same as of the OR-library, but n more costs follow the n costs. A file may be either
of the two: then the format must be said.
"""

from paretoball.formats.setcover import covering, coverings
from paretoball.formats.source import Source
from paretoball.landscape import Landscape

NAME = "setcover-voptlib"
TITLE = "set covering with two objectives, of vOptLib"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether rows end where the file ends."""
    return 2 in coverings(source)


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    return covering(source, 2)
