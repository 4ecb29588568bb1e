"""Signals: Ctrl-C and SIGTERM, heard at any moment.

A search that has results runs inside `stopping_on_signals`: a signal asks it to stop,
and a second Ctrl-C is a KeyboardInterrupt. After the search, `raise_again` lets the
program hear the signal. A program with no results yet runs inside
`leaving_on_signals`: a signal ends the process, at once, or after one second if
compiled code does not return.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

INTERRUPTED, TERMINATED = "interrupted", "terminated"
WORDS = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
EXIT_CODES = {INTERRUPTED: 130, TERMINATED: 143}
PATIENCE = 1.0  # seconds from a signal to the end of the process
LISTEN_EVERY = 0.1  # seconds: how long a signal waits while another thread works

Stop = Callable[[str], object]
Answer = TypeVar("Answer")


class _State:
    """The signals that this process has heard, and the listeners to call."""

    def __init__(self) -> None:
        # the `stop` of each `stopping_on_signals`, innermost last
        self.listeners: list[Stop] = []
        # INTERRUPTED or TERMINATED for each signal since the outermost listener began
        self.heard: list[str] = []
        self.is_program = False  # whether this process is inside `leaving_on_signals`
        self.left = ""  # the signal that raised `Leaving`, if one did


_state = _State()


def forget_signals() -> None:
    """Forget all signals and listeners; for tests."""
    _state.listeners.clear()
    _state.heard.clear()
    _state.is_program, _state.left = False, ""


class Leaving(BaseException):
    """A signal ends the program; the argument is INTERRUPTED or TERMINATED."""


@contextmanager
def stopping_on_signals(stop: Stop) -> Iterator[list[str]]:
    """Inside this context, Ctrl-C and SIGTERM call `stop(why)`.

    It yields a list of the signals heard, for `raise_again` after the context; inside
    of another one it stays empty, because passing them on is left to the outer one. If
    that has heard a signal already, `stop` is called at once. Only the main thread
    hears signals; elsewhere this does nothing. Nor does anybody hear a signal that the
    program ignores.
    """
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    before = {}
    to_pass_on: list[str] = []
    if not _state.listeners:
        _state.heard.clear()
        handlers = {number: signal.getsignal(number) for number in WORDS}
        before = {
            number: handler
            for number, handler in handlers.items()
            if handler not in (None, signal.SIG_IGN)  # None: not installed by Python
        }
        for number in before:
            signal.signal(number, _heed)
    _state.listeners.append(stop)
    for why in _state.heard[:1]:
        stop(why)
    try:
        yield to_pass_on
    finally:
        _state.listeners.remove(stop)
        for number, handler in before.items():
            signal.signal(number, handler)
        if not _state.listeners:
            to_pass_on += _state.heard


def raise_again(why: str) -> None:
    """Let this process hear a signal, INTERRUPTED or TERMINATED, as any other would."""
    for number, word in WORDS.items():
        if word == why:
            signal.raise_signal(number)


def _heed(number: int, frame: FrameType | None) -> None:
    """Call all listeners; a second Ctrl-C raises KeyboardInterrupt."""
    why = WORDS[signal.Signals(number)]
    if why == INTERRUPTED and INTERRUPTED in _state.heard:
        raise KeyboardInterrupt
    _state.heard.append(why)
    for stop in _state.listeners:
        stop(why)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Threads and processes started inside this context never hear Ctrl-C.

    A Ctrl-C in the meantime is heard when the context ends.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it unblocks signals, so it starts first
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def hearing_signals(work: Callable[[], Answer]) -> Answer:
    """The answer of compiled code that hears no signal until it returns.

    It works on a thread of its own while this one waits and hears signals, so it has to
    release the interpreter's lock. If a signal raises an exception here, that thread is
    left to itself and ends with the process at the latest.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def answer() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)

    worker = threading.Thread(target=answer, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(LISTEN_EVERY)
    for error in errors:
        raise error
    return answers[0]


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Inside this context, a signal ends a program even if a search is listening.

    It is for compilation before a search has found anything: there is no result to
    save, and compilation cannot be stopped. A compiler that is interrupted may crash
    later, so the process ends without unwinding.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_main and _state.is_program and _state.listeners):
        yield
        return
    for number in WORDS:
        signal.signal(number, _leave_at_once)
    try:
        for why in _state.heard[:1]:
            raise Leaving(why)
        yield
    finally:
        for number in WORDS:
            signal.signal(number, _heed)


def _leave_at_once(number: int, frame: FrameType | None) -> None:
    """End the process now, without unwinding."""
    why = WORDS[signal.Signals(number)]
    os.write(2, f"paretoball: {why}\n".encode())
    os._exit(EXIT_CODES[why])


def _leave(number: int, frame: FrameType | None) -> None:
    """Raise `Leaving`, which unwinds the program and removes temporary files."""
    if not _state.left:
        _state.left = WORDS[signal.Signals(number)]
        raise Leaving(_state.left)


@contextmanager
def leaving_on_signals(for_good: bool = False) -> Iterator[None]:
    """Inside this context, Ctrl-C and SIGTERM raise `Leaving`.

    If the process is still here a second later, it ends without unwinding. Python
    handles signals only between two of its own instructions, so a thread waits at the
    end of a pipe for signal numbers: it hears them during compilation, too. Compilers
    and imports in C may replace the exception raised in them by another one; this
    context raises `Leaving` in its place.

    Parameters
    ----------
    for_good
        Whether the process ends after this context; further signals are then ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _state.left = ""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = {number: signal.signal(number, _leave) for number in WORDS}
    woken = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    here = threading.Event()
    here.set()
    was_program, _state.is_program = _state.is_program, True
    threading.Thread(target=_insist, args=(reader, here), daemon=True).start()
    hook, sys.unraisablehook = sys.unraisablehook, _hush
    try:
        yield
    except BaseException:
        if _state.left:
            raise Leaving(_state.left) from None
        raise
    finally:
        for number, handler in before.items():
            if for_good or handler is not None:
                signal.signal(number, signal.SIG_IGN if for_good else handler)
        here.clear()
        _state.is_program = was_program
        signal.set_wakeup_fd(woken)
        os.close(writer)
        sys.unraisablehook = hook


def _hush(lost: "sys.UnraisableHookArgs") -> None:
    """Print no warning for a signal's exception that Python could not raise."""
    if not issubclass(lost.exc_type, (Leaving, KeyboardInterrupt)):
        sys.__unraisablehook__(lost)


def _insist(reader: int, here: threading.Event) -> None:
    """End the process if it is still here PATIENCE seconds after a signal to leave."""
    with os.fdopen(reader, "rb", buffering=0) as numbers:
        while number := numbers.read(1):
            heard = signal.Signals(number[0])
            if heard in WORDS and signal.getsignal(heard) in (_leave, _leave_at_once):
                time.sleep(PATIENCE)
                if here.is_set():
                    _leave_at_once(heard, None)
