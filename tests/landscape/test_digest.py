"""The digest: as specified, and different for different landscapes."""

import hashlib
import struct

from hypothesis import given

from landscape_files import WHOLE
from landscapes import built, plains
from paretoball import Landscape
from paretoball.landscape.digest import landscape_digest


def test_the_digest_is_as_specified():
    numbers = [3, 3, 3, 0, 1, -1, 1]  # n, d, m, real; signs
    for array in WHOLE.subfunctions:
        numbers += array.tolist()
    content = b"paretoball landscape 1\n" + struct.pack(f"<{len(numbers)}q", *numbers)
    content += struct.pack("<3d", 1, 1, 1)  # scale
    assert landscape_digest(WHOLE) == hashlib.sha256(content).hexdigest()


def test_the_digest_of_reals_and_constraints_is_as_specified():
    landscape = Landscape.from_subfunctions(
        2,
        [[((0,), [0.5, 2])]],
        "min",
        constraints=[
            ([((1, 0), [0, 1, 1, 3])], "<=", 2),
            ([((0,), [0, 0.25])], ">=", 0.1),
        ],
    )
    numbers = [2, 1, 1, 1, -1]  # n, d, m, real; signs
    numbers += [0, 0, 1, 0, 0, 2, 5, 20]
    content = b"paretoball landscape 1\n" + struct.pack(f"<{len(numbers)}q", *numbers)
    content += struct.pack("<d", 10) + b"constraints\n"
    numbers = [2, 0, 1, 0, 2, 3, 1, 0, 0, 0, 4, 6, 0, 1, 1, 3, 0, 25]
    numbers += [-(2**62), 10, 2, 2**62, 0, 1]  # lower, upper; real
    content += struct.pack(f"<{len(numbers)}q", *numbers) + struct.pack("<2d", 1, 100)
    assert landscape_digest(landscape) == hashlib.sha256(content).hexdigest()


@given(plains(), plains())
def test_different_landscapes_have_different_digests(plain, other):
    assert (landscape_digest(built(plain)) == landscape_digest(built(other))) == (
        plain == other
    )
