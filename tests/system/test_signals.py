"""Signals: heard wherever they come, and only once by who is leaving."""

import os
import signal
import sys
import threading

import pytest

from paretoball.system import signals
from paretoball.system.signals import (
    EXIT_CODES,
    Leaving,
    deaf_to_interrupts,
    hearing_signals,
    leaving_at_once,
    leaving_on_signals,
    raise_again,
    stopping_on_signals,
)

PATIENCE = signals.PATIENCE


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


def test_what_else_is_lost_is_told_as_ever(capsys):
    class Broken:
        def __del__(self) -> None:
            raise ValueError("mine")

    with leaving_on_signals():
        Broken()
    assert "ValueError: mine" in capsys.readouterr().err


def test_whoever_is_woken_by_signals_is_so_again():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer)
    try:
        with leaving_on_signals():
            pass
    finally:
        after = signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)
    assert after == writer


def test_a_program_inside_another_leaves_it_one(monkeypatch):
    ended: list[int] = []
    monkeypatch.setattr(
        signals, "_leave_at_once", lambda number, _: ended.append(number)
    )
    with leaving_on_signals():
        with leaving_on_signals():
            pass
        with stopping_on_signals(lambda _: None), leaving_at_once():
            signal.raise_signal(signal.SIGTERM)
    assert ended == [signal.SIGTERM]


def test_a_program_leaves_no_pipe_open(monkeypatch):
    pipes: list[tuple[int, int]] = []
    pipe = os.pipe

    def noted() -> tuple[int, int]:
        pipes.append(pipe())
        return pipes[-1]

    monkeypatch.setattr(signals.os, "pipe", noted)
    with leaving_on_signals():
        os.fstat(pipes[0][1])
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(pipes[0][1])


# --- Searches, which a signal asks to stop.


def test_a_search_hears_each_kind_of_signal_and_handlers_come_back(handlers):
    why: list[str] = []
    with stopping_on_signals(why.append) as to_pass_on:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            signal.raise_signal(number)
        assert why == ["terminated", "interrupted", "terminated"]
        assert to_pass_on == []
    assert to_pass_on == why
    for number, handler in handlers.items():
        assert signal.getsignal(number) is handler


def test_a_second_control_c_is_an_interrupt_and_a_second_sigterm_is_not(handlers):
    def press() -> None:
        with stopping_on_signals(why.append) as to_pass_on:
            lists.append(to_pass_on)
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
            assert why == ["terminated", "terminated", "interrupted"]
            signal.raise_signal(signal.SIGINT)

    why: list[str] = []
    lists: list[list[str]] = []
    with pytest.raises(KeyboardInterrupt):
        press()
    assert lists == [["terminated", "terminated", "interrupted"]] == [why]
    for number, handler in handlers.items():
        assert signal.getsignal(number) is handler


def test_of_searches_inside_each_other_all_stop_and_the_outer_one_passes_on():
    outer: list[str] = []
    inner: list[str] = []
    late: list[str] = []
    with stopping_on_signals(outer.append) as to_pass_on:
        with stopping_on_signals(inner.append) as not_mine:
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
        assert outer == inner == ["terminated", "interrupted"]
        assert not_mine == to_pass_on == []
        with stopping_on_signals(late.append):  # begun too late: it stops at once
            assert late == ["terminated"]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert to_pass_on == ["terminated", "interrupted"]
    with stopping_on_signals(late.append) as to_pass_on:  # what was heard is forgotten
        signal.raise_signal(signal.SIGINT)
    assert late == ["terminated", "interrupted"]
    assert to_pass_on == ["interrupted"]


@pytest.mark.parametrize("ignored", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_is_ignored_stays_so_and_the_other_is_heard(ignored):
    why: list[str] = []
    signal.signal(ignored, signal.SIG_IGN)
    with stopping_on_signals(why.append):
        assert signal.getsignal(ignored) is signal.SIG_IGN
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
    assert len(why) == 1
    assert (why == ["interrupted"]) == (ignored == signal.SIGTERM)
    assert signal.getsignal(ignored) is signal.SIG_IGN


@pytest.mark.parametrize(
    ("number", "word", "code"),
    [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "terminated", 143)],
)
def test_a_signal_has_its_word_its_exit_code_and_is_raised_again(number, word, code):
    heard: list[int] = []
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda number, _: heard.append(number))
    raise_again(word)
    assert heard == [number]
    assert EXIT_CODES[word] == code


def test_before_a_search_has_found_anything_a_signal_ends_the_program(monkeypatch):
    ended: list[int] = []
    monkeypatch.setattr(
        signals, "_leave_at_once", lambda number, _: ended.append(number)
    )
    why: list[str] = []

    def fail() -> None:
        with leaving_at_once():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
            raise KeyError

    with leaving_at_once():  # in no program, and without a search
        assert signal.getsignal(signal.SIGINT) is not signals._leave_at_once
    with leaving_on_signals(), stopping_on_signals(why.append):
        with pytest.raises(KeyError):
            fail()
        assert (ended, why) == ([signal.SIGTERM, signal.SIGINT], [])
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
        assert why == ["terminated", "interrupted"]
        with pytest.raises(Leaving, match="terminated"), leaving_at_once():
            pytest.fail("a signal was heard before")
    with stopping_on_signals(why.append), leaving_at_once():  # no program any more
        signal.raise_signal(signal.SIGTERM)
    assert len(ended) == 2
    assert why[2:] == ["terminated"]


def test_who_leaves_at_once_says_why_and_has_the_code_of_the_signal(monkeypatch, capfd):
    codes: list[int] = []
    monkeypatch.setattr(signals.os, "_exit", codes.append)
    for number in (signal.SIGINT, signal.SIGTERM):
        signals._leave_at_once(number, None)
    assert codes == [130, 143]
    assert capfd.readouterr().err == "paretoball: interrupted\nparetoball: terminated\n"


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="there is no mask")
def test_a_control_c_among_deaf_ones_is_heard_afterwards():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    reached: list[str] = []

    def work() -> None:
        with deaf_to_interrupts():
            signal.raise_signal(signal.SIGINT)  # to this thread, not to any
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert reached == ["the end"]
    with pytest.raises(KeyError), deaf_to_interrupts():
        raise KeyError
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


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


# --- A process that does not leave by itself.


def insisted(
    monkeypatch: pytest.MonkeyPatch, numbers: list[int], is_here: bool = True
) -> tuple[list[float], list[int]]:
    """The waits and the exit codes, after these signals were heard."""
    waits: list[float] = []
    codes: list[int] = []
    here = threading.Event()
    if is_here:
        here.set()
    reader, writer = os.pipe()
    os.write(writer, bytes(numbers))
    os.close(writer)
    with monkeypatch.context() as patch:
        patch.setattr(signals.time, "sleep", waits.append)
        patch.setattr(signals.os, "_exit", codes.append)
        signals._insist(reader, here)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(reader)
    return waits, codes


@pytest.mark.parametrize("handler", [signals._leave, signals._leave_at_once])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_who_is_still_here_a_second_after_a_signal_is_ended(
    monkeypatch, handler, number, code
):
    assert PATIENCE == 1.0
    signal.signal(number, handler)
    waits = [signals.PATIENCE]
    assert insisted(monkeypatch, [number]) == (waits, [code])
    assert insisted(monkeypatch, [signal.SIGCHLD, number]) == (waits, [code])
    assert insisted(monkeypatch, [number], is_here=False) == (waits, [])
    assert insisted(monkeypatch, []) == ([], [])


@pytest.mark.parametrize("handler", [signals._heed, signal.SIG_IGN, signal.SIG_DFL])
def test_who_has_other_plans_for_a_signal_is_not_ended_by_it(monkeypatch, handler):
    signal.signal(signal.SIGTERM, handler)
    signal.signal(signal.SIGINT, signals._leave)
    for number in (signal.SIGTERM, signal.SIGCHLD):
        assert insisted(monkeypatch, [number]) == ([], [])
    both = insisted(monkeypatch, [signal.SIGTERM, signal.SIGINT])
    assert both == ([signals.PATIENCE], [130])


def test_on_other_threads_no_handler_is_touched(handlers):
    found: list[bool] = []

    def look() -> None:
        for context in (leaving_on_signals(), leaving_at_once()):
            with context, stopping_on_signals(lambda _: None) as heard:
                kept = [signal.getsignal(each) is handlers[each] for each in handlers]
                found.append(all(kept) and heard == [])

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [True, True]
