"""Spin glasses of Goldman's P3.

`energy bits`, the best solution, which also tells n; the number of couplings, which
older files leave out; then a line `i j J` for each of them, with spins from 0 on. The
objective is the energy -sum J_ij s_i s_j, minimised, with s = 2x - 1.
"""

from paretoball.formats.disk import Misplaced
from paretoball.formats.nk import check_bits
from paretoball.formats.source import Source
from paretoball.formats.spin import spin_glass
from paretoball.formats.text import REAL, WHOLE
from paretoball.landscape import Landscape
from paretoball.system import counted

NAME = "spin-goldman"
TITLE = "spin glass of Goldman"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether a negative energy and bits come first, and then couplings of these bits.

    Lists of edges may start so, too, but then say how many lines follow.
    """
    head = source.text.head(3)
    if len(head) < 3 or len(head[0]) != 2:
        return False
    (energy, bits), second, third = head
    is_solution = (
        energy[:1] == b"-" and REAL.fullmatch(energy) and bits.strip(b"01") == b""
    )
    first = third if len(second) == 1 else second
    if not is_solution or len(first) != 3 or not all(map(WHOLE.fullmatch, first[:2])):
        return False
    is_list = len(second) == 3 and bits == b"%d" % (len(source.text.filled) - 1)
    return not is_list and max(int(first[0]), int(first[1])) < len(bits)


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text
    first = text.filled[0]
    solution = text.rows(2, first, first + 1)
    solution.reals(0, 1)
    n = len(solution.every[1])
    check_bits(solution, 1, n)
    is_counted = len(text.filled) > 1 and len(text.head(2)[1]) == 1
    couplings = text.rows(3, text.filled[1] + 1 if is_counted else first + 1)
    if is_counted:
        line = text.filled[1]
        m = int(text.words(line, line + 1).wholes()[0])
        if len(couplings) != 3 * m:
            found = counted(len(couplings) // 3, "coupling")
            raise Misplaced(line, f"it says {m} couplings, but there are {found}")
    return spin_glass(n, first, couplings, base=0)
