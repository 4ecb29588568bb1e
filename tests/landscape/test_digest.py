"""The digest: as specified, and different for different landscapes."""

import hashlib
import struct

from hypothesis import given

from landscape_files import WHOLE
from landscapes import built, plains
from paretoball.landscape.digest import landscape_digest


def test_the_digest_is_as_specified():
    numbers = [3, 3, 3, 0, 1, -1, 1]  # n, d, m, real; signs
    for array in WHOLE.subfunctions:
        numbers += array.tolist()
    content = b"paretoball landscape 1\n" + struct.pack(f"<{len(numbers)}q", *numbers)
    content += struct.pack("<3d", 1, 1, 1)  # scale
    assert landscape_digest(WHOLE) == hashlib.sha256(content).hexdigest()


@given(plains(), plains())
def test_different_landscapes_have_different_digests(plain, other):
    assert (landscape_digest(built(plain)) == landscape_digest(built(other))) == (
        plain == other
    )
