"""Variables: as many as 32 bits number and memory holds."""

import pytest

from paretoball import Landscape
from paretoball.landscape import checked_n
from paretoball.system import capped, memory


def test_variables_are_numbered_with_32_bits(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1 << 50)
    assert checked_n(2**31 - 1) == 2**31 - 1
    with pytest.raises(ValueError, match="n = 2147483648, but it must be from 1 to 21"):
        checked_n(2**31)


@pytest.mark.parametrize("n", [0, -1])
def test_there_is_a_variable_at_least(n):
    assert checked_n(1) == 1
    with pytest.raises(ValueError, match=f"n = {n}, but it must be at least 1"):
        checked_n(n)


def test_each_variable_takes_100_bytes():
    with capped(100_000):
        assert checked_n(1000) == 1000
    words = r"^n = 1,001 variables, before any subfunction, takes 97\.8 KiB, but"
    with capped(100_000), pytest.raises(MemoryError, match=words):
        Landscape.from_subfunctions(1001, [[]])
