"""Foresight: a block stops early enough to be done when the time is up."""

import pytest

from paretoball.running.foresight import FORGOTTEN, HANDING_OVER, LONGEST, Foresight


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def pauses(*seconds: float) -> Foresight:
    """Foresight after looks with these pauses between them, at second 100."""
    clock = Clock()
    clock.now -= sum(seconds)
    foresight = Foresight(clock)
    for pause in seconds:
        clock.now += pause
        foresight.is_late(float("inf"), 0)
    return foresight


def ahead(foresight: Foresight, moves: int = 0) -> float:
    """How many seconds before the end it is too late to go on."""
    low, high = 0.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        if foresight.is_late(100 + middle, moves):
            low = middle
        else:
            high = middle
    return low


def test_without_pauses_only_the_end_counts():
    assert ahead(pauses()) == pytest.approx(0)
    assert pauses().is_late(100.0, 0)
    assert not pauses().is_late(100.001, 0)


def test_half_a_pause_is_looked_ahead_and_then_forgotten():
    foresight = pauses(0.1)
    assert not foresight.is_late(100.06, 0)
    assert pauses(0.1).is_late(100.04, 0)
    assert ahead(pauses(0.1, *[0.0] * 200)) == pytest.approx(0, abs=1e-4)


def test_a_long_pause_is_remembered_for_some_looks():
    after = pauses(0.1, 0.01, 0.01)
    assert after.pause == pytest.approx(0.1 * FORGOTTEN**2)
    assert after.is_late(100.04, 0)


def test_no_pause_makes_a_run_end_much_too_early():
    assert not pauses(30.0).is_late(100.0 + 2 * LONGEST, 0)
    for pause in (0.3, 30.0):  # at most a tenth of a second is looked ahead
        assert pauses(pause).is_late(100.099, 0)
        assert not pauses(pause).is_late(100.101, 0)


def test_many_moves_take_a_while_to_hand_over():
    assert pauses().is_late(100 + 0.9 * HANDING_OVER * 10**7, 10**7)
    assert not pauses().is_late(100 + 1.1 * HANDING_OVER * 10**7, 10**7)
    assert ahead(pauses(), moves=10**7) == pytest.approx(0.4)
    assert pauses(0.1).is_late(100.447, 10**7)
    assert not pauses(0.1).is_late(100.448, 10**7)
