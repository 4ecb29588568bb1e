"""Signals: heard wherever they come, and only once by who is leaving."""

import signal
import sys

import pytest

from paretoball.system import signals
from paretoball.system.signals import Leaving, leaving_on_signals


@pytest.fixture(autouse=True)
def handlers(monkeypatch):
    """Leave the handlers of this process as they were, and end it for no delay."""
    monkeypatch.setattr(signals, "PATIENCE", 3600.0)
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    yield before
    for number, handler in before.items():
        signal.signal(number, handler)


class Foreign:
    """Something that a signal meets in a place that can raise nothing."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


def interrupted_import() -> None:
    """Like modules in C, which make something else of what is raised in them."""
    try:
        signal.raise_signal(signal.SIGTERM)
    except Leaving:
        raise ImportError("numpy failed to import") from None


def lost_signal() -> None:
    """Like callbacks of compilers, which lose it and leave something unfinished."""
    Foreign()
    raise RuntimeError("no compiled object yet")


def test_a_signal_is_one_whatever_becomes_of_it_on_the_way():
    with pytest.raises(Leaving, match="terminated"), leaving_on_signals():
        interrupted_import()


def test_a_signal_that_gets_lost_says_nothing_and_is_found_in_what_follows(capsys):
    hook = sys.unraisablehook
    with pytest.raises(Leaving, match="terminated"), leaving_on_signals():
        lost_signal()
    assert capsys.readouterr() == ("", "")
    assert sys.unraisablehook is hook


def test_errors_without_a_signal_stay_what_they_are():
    for _ in range(2):
        with pytest.raises(RuntimeError, match="mine"), leaving_on_signals():
            raise RuntimeError("mine")
        with pytest.raises(Leaving), leaving_on_signals():
            signal.raise_signal(signal.SIGINT)


def test_who_is_leaving_is_not_disturbed_again():
    done = []

    def work() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
            done.append("cleaned up")

    with pytest.raises(Leaving, match="interrupted"), leaving_on_signals():
        work()
    assert done == ["cleaned up"]


def test_a_program_that_is_done_hears_no_more(handlers):
    with leaving_on_signals(for_good=True):
        pass
    for number in handlers:
        assert signal.getsignal(number) is signal.SIG_IGN


def test_others_hear_as_before(handlers):
    with leaving_on_signals():
        assert signal.getsignal(signal.SIGTERM) is not handlers[signal.SIGTERM]
    for number, handler in handlers.items():
        assert signal.getsignal(number) is handler
