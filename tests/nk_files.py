"""Files of others' formats for tests: small sound ones, written and read by hand."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from paretoball import Landscape, read_landscape


def written(path: Path, content: str | bytes) -> Path:
    """The path, with this content."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def assert_values(landscape: Landscape, f: Callable[[tuple], Any]) -> None:
    """The landscape has the values of f at every solution."""
    X = list(product((0, 1), repeat=landscape.n))
    assert_array_equal(landscape.evaluate(X), [f(x) for x in X])


def refused(
    path: Path, content: str | bytes, format: str, line: int, text: str
) -> None:
    """Reading fails with one line that names the path, the line and `text`."""
    written(path, content)
    with pytest.raises(ValueError, match=text) as refusal:
        read_landscape(path, format=format)
    where = f"{path}:{line}: " if line else f"{path}: "
    assert str(refusal.value).startswith(where), str(refusal.value)
    assert "\n" not in str(refusal.value)


def is_read(path: Path, content: bytes, format: str | None) -> bool:
    """Whether a file is read; if not, it is refused in one line."""
    written(path, content)
    try:
        read_landscape(path, format=format)
        return True
    except (ValueError, MemoryError) as refusal:
        text = str(refusal)
    assert text.startswith(f"{path}:")
    assert "\n" not in text
    return False


def bits_of(rng: np.random.Generator, n: int, count: int) -> np.ndarray:
    """Some random solutions."""
    return rng.integers(0, 2, (count, n))


RMNK = """\
c made by hand
p rMNK 0.5 2 3 1
p links
0  0
1  2
1  1
2  0
2  2
0  1
p tables
0.5  0.25
0.125  -1
3  0.1
0  0.7
1e-3  0.000000001
2  0.2
0.9  .5
0.3  7.
0.1  0.2
0.2  0.4
0.3  0.6
0.4  0.8
"""

MUBQP = """\
c made by hand
p MUBQP 0 2 3 0.8
p matrices
5 -1
2 0
0 3
-7 4
1 0
6 6
0 -2
-3 8
4 9
"""

BARE = "".join(f"{line}\n" for line in MUBQP.splitlines()[3:])

CHICANO = """\
c NK-landscape instance
c The next line contains N, K, Q and m
p NK 4 1 8 3
m 1 0
0.0 1.0 2.0 3.0
c between
m 3 1
4.0 0.0 7.0 5.0
m 0 2
6.0 1.0 1.0 2.5
"""

MALEO = """\
c Function 1 (separate in a different file)
p MK 3
m 2 0 1
1 2 3 4 5 6 7 9
m
10
c ----->
c Function 2 (separate in a different file)
p MK 3
m 1
0 -4
"""

GOMEA = """\
4 3
2 0 3
"00" 0.5
"01" 0.25
"10" 0
"11" 1.5
1 2
"1" 4
"0" 3
3 3 1 0
"000" 1
"001" 2
"010" 3
"011" 4
"100" 5
"101" 6
"110" 7
"111" 9
"""

TINOS = """\
Parameters
4 1
F_el
0.1 0.2 0.3 0.5
1 2 3 5
0 0 7 0
4 3 2 0
M_out
1 1 0 0
0 1 0 1
1 0 1 0
1 0 0 1
"""

GOLDMAN_NK = """\
0.5 0101
9 1100
0.1 0.2 0.3 0.5
1 2 3 5
0 0 7 0
4 3 2 0
"""

DSMGA2_NK = """\
5 2 2
1 2 3 4 5 6 7 9 0.5 0 0 1 2 3 1 7 4 8 16 32 64 128 256 512
100.25
3 0 4 1 2
"""

GOLDMAN_SPIN = """\
-6 1010
5
0 1 -1
1 2 -1
2 3 -1
3 0 -1
0 2 2
"""

DSMGA2_SPIN = """\
4
-1.25
1 2           -1
2 3           -1
3 4           1
4 1           2
"""

SOUND = {
    "rmnk": [RMNK],
    "mubqp": [MUBQP],
    "mubqp-bare": [BARE],
    "nk-chicano": [CHICANO, MALEO],
    "nk-gomea": [GOMEA],
    "nk-tinos": [TINOS],
    "nk-goldman": [GOLDMAN_NK],
    "nk-dsmga2": [DSMGA2_NK],
    "spin-goldman": [GOLDMAN_SPIN, GOLDMAN_SPIN.replace("\n5\n", "\n")],
    "spin-dsmga2": [DSMGA2_SPIN],
}
PAIRS = [(name, text) for name, texts in SOUND.items() for text in texts]
