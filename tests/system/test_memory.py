"""Memory: what needs more than there is is refused, with both told."""

import io

import pytest

from paretoball.system import memory
from paretoball.system.memory import (
    available_memory,
    capped,
    check_memory,
    checked_bytes,
    readable_bytes,
)


def test_what_fits_passes_and_what_does_not_is_refused_with_both_sizes(monkeypatch):
    monkeypatch.setattr(memory, "_machine_memory", lambda: 1 << 30)
    monkeypatch.setattr(memory, "_container_memory", lambda: 1 << 31)
    check_memory("3 tables need", 1 << 30)
    with pytest.raises(MemoryError) as caught:
        check_memory("3 tables need", 3 << 30)
    assert str(caught.value) == "3 tables need 3.0 GiB, but 1.0 GiB are free"


@pytest.mark.parametrize("least", ["machine", "container", "cap"])
def test_what_is_available_is_the_least_of_machine_container_and_cap(
    monkeypatch, least
):
    sizes = {"machine": 5000, "container": 5001, "cap": 5002, least: 4000}
    monkeypatch.setattr(memory, "_machine_memory", lambda: sizes["machine"])
    monkeypatch.setattr(memory, "_container_memory", lambda: sizes["container"])
    with capped(sizes["cap"]):
        assert available_memory() == 4000
        check_memory("it needs", 4000)
        state = "allowed" if least == "cap" else "free"
        with pytest.raises(MemoryError, match=rf"^it needs 3\.9 KiB, .* are {state}$"):
            check_memory("it needs", 4001)


def test_a_cap_below_nothing_leaves_nothing():
    for limit in (0, -1, -(10**9)):
        with capped(limit):
            assert available_memory() == 0
            check_memory("nothing needs", 0)
            with pytest.raises(MemoryError, match="needs 1 B, but 0 B are allowed"):
                check_memory("it needs", 1)


def test_a_cap_ends_with_what_is_raised_inside():
    with capped(2000):
        with pytest.raises(KeyError), capped(1000):
            raise KeyError
        assert available_memory() == 2000


@pytest.mark.parametrize("error", [OSError, ValueError])
def test_without_a_container_there_is_no_limit_of_one(monkeypatch, error):
    def fail(path):
        raise error

    monkeypatch.setattr(memory.Path, "read_text", fail)
    assert memory._container_memory() == memory.UNBOUNDED


@pytest.mark.parametrize("lines", [None, "MemTotal:  9 kB\nMemFree:  4 kB\n"])
def test_a_machine_that_does_not_tell_what_is_free_tells_what_it_has(
    monkeypatch, lines
):
    def opened(*_):
        if lines is None:
            raise FileNotFoundError
        return io.StringIO(lines)

    pages = {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr("builtins.open", opened)
    monkeypatch.setattr(memory.os, "sysconf", pages.__getitem__)
    assert memory._machine_memory() == 4_096_000
    monkeypatch.delattr(memory.os, "sysconf")
    assert memory._machine_memory() == 8 * 2**30


@pytest.mark.parametrize(
    ("most", "used", "free"),
    [("3000\n", "1000\n", 2000), ("1000", "3000", 0), ("max", "5", memory.UNBOUNDED)],
)
def test_a_container_leaves_what_is_not_used(monkeypatch, most, used, free):
    told = {"memory.max": most, "memory.current": used}
    monkeypatch.setattr(memory.Path, "read_text", lambda path: told[path.name])
    assert memory._container_memory() == free


def test_free_memory_of_the_machine_is_told_in_kib(monkeypatch):
    lines = "MemTotal:  9 kB\nMemFree:  4 kB\nMemAvailable:  7 kB\n"
    monkeypatch.setattr("builtins.open", lambda *_: io.StringIO(lines))
    assert memory._machine_memory() == 7 * 1024


def test_a_limit_is_told_from_what_is_free_and_ends_with_its_context():
    before = available_memory() > 1000
    with capped(1000):
        assert available_memory() == 1000
        with pytest.raises(MemoryError) as caught:
            check_memory("a table needs", 1001, "a smaller one would fit")
        with capped(None):
            assert available_memory() > 1000
        assert available_memory() == 1000
    assert before == (available_memory() > 1000)
    words = "a table needs 1001 B, but 1000 B are allowed: a smaller one would fit"
    assert str(caught.value) == words


@pytest.mark.parametrize("needed", [2**63, 10**30, 10**400])
def test_needs_beyond_all_numbers_are_refused_like_others(needed):
    with pytest.raises(MemoryError, match=r"^it needs .* TiB, but .* are free$"):
        check_memory("it needs", needed)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1024**2 - 1024, "1023.0 KiB"),
        (1024**2, "1.0 MiB"),
        (1536 * 1024, "1.5 MiB"),
        (1024**3, "1.0 GiB"),
        (1024**4, "1.0 TiB"),
        (3 * 2**30, "3.0 GiB"),
        (5000 * 2**40, "5,000.0 TiB"),
    ],
)
def test_bytes_are_told_for_people(count, text):
    assert readable_bytes(count) == text


@pytest.mark.parametrize(
    ("limit", "kind", "text"),
    [
        ("8 apples", ValueError, "memory_limit = '8 apples' is not like '8GB' or"),
        ("-1GB", ValueError, "memory_limit = '-1GB' is not like"),
        ("8i", ValueError, "memory_limit = '8i' is not like"),
        ("8iB", ValueError, "memory_limit = '8iB' is not like"),
        ("", ValueError, "memory_limit = '' is not like"),
        ("GB", ValueError, "memory_limit = 'GB' is not like"),
        ("1 GBs", ValueError, "memory_limit = '1 GBs' is not like"),
        ("8 PB", ValueError, "memory_limit = '8 PB' is not like"),
        (-1, ValueError, "memory_limit = -1, but it must be at least 1"),
        (0, ValueError, "memory_limit = 0, but it must be at least 1"),
        ("0GB", ValueError, "memory_limit = 0, but it must be at least 1"),
        (1.5, TypeError, "memory_limit = 1.5 is not a whole number"),
        (True, TypeError, "memory_limit = True is not a whole number"),
    ],
)
def test_what_is_no_limit_is_refused(limit, kind, text):
    with pytest.raises(kind, match=f"^{text}"):
        checked_bytes(limit)


def test_limits_are_numbers_or_text():
    assert checked_bytes(None) is None
    assert (
        checked_bytes(10**6) == checked_bytes("1MB") == checked_bytes("1 mb") == 10**6
    )
    assert checked_bytes("2GiB") == 2**31
    sizes = [checked_bytes(f"3{unit}") for unit in ("KiB", "MiB", "TiB", "kB", "TB")]
    assert sizes == [3 << 10, 3 << 20, 3 << 40, 3 * 10**3, 3 * 10**12]
    assert checked_bytes("1.5k") == 1500
    for power, letter in enumerate("kmgt", 1):
        for unit in (letter, letter.upper()):
            assert checked_bytes(f"7{unit}") == checked_bytes(f"7 {unit}B")
            assert checked_bytes(f" 7{unit}b ") == 7 * 1000**power
            assert checked_bytes(f"7{unit}i") == 7 * 1024**power
            assert checked_bytes(f"7.5 {unit}IB") == 15 * 1024**power // 2
    assert checked_bytes("7") == checked_bytes("7B") == checked_bytes("7.9") == 7
    assert checked_bytes(1) == checked_bytes("1") == 1
