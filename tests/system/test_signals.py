"""Signals: heard wherever they come, and only once by who is leaving."""

import os
import signal
import sys
import threading

import pytest

from paretoball.system import signals
from paretoball.system.signals import (
    Leaving,
    hearing_signals,
    leaving_on_signals,
    stopping_on_signals,
)


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


# --- While compiled code works on another thread.


@pytest.mark.parametrize("leaving", [False, True])
def test_signals_are_heard_while_another_thread_works(handlers, leaving):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    is_enough, ended = threading.Event(), threading.Event()

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        is_enough.wait()
        ended.set()

    try:
        if leaving:
            with pytest.raises(Leaving, match="interrupted"), leaving_on_signals():
                hearing_signals(work)
        else:
            with pytest.raises(KeyboardInterrupt):
                hearing_signals(work)
        assert not ended.is_set()
    finally:
        is_enough.set()
        ended.wait()


def test_a_search_that_is_asked_to_stop_gets_its_answer_all_the_same():
    why: list[str] = []
    with stopping_on_signals(why.append):
        answer = hearing_signals(lambda: os.kill(os.getpid(), signal.SIGTERM) or 3)
    assert (answer, why) == (3, ["terminated"])


def test_the_answer_or_error_of_another_thread_is_passed_on():
    assert hearing_signals(lambda: 3) == 3
    with pytest.raises(ValueError, match="mine"):
        hearing_signals(lambda: int("mine"))


def test_who_hears_no_signals_anyway_needs_no_other_thread():
    threads: list[threading.Thread] = []
    caller = threading.Thread(
        target=lambda: threads.append(hearing_signals(threading.current_thread))
    )
    caller.start()
    caller.join()
    assert threads == [caller]
