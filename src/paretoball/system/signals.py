"""Signals: Ctrl-C and SIGTERM, heard at any moment.

Where there is something to lose, `stopping_on_signals` turns them into a wish to stop,
and a second Ctrl-C into a KeyboardInterrupt. Where there is nothing, a program that is
`leaving_on_signals` leaves: at once, or after a second if compiled code holds it up.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

INTERRUPTED, TERMINATED = "interrupted", "terminated"
WORDS = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
EXIT_CODES = {INTERRUPTED: 130, TERMINATED: 143}
PATIENCE = 1.0  # seconds that leaving may take

Stop = Callable[[str], object]


@dataclass
class _State:
    """What this process has heard, and who listens."""

    listeners: list[Stop] = field(default_factory=list)  # innermost last
    heard: list[str] = field(default_factory=list)  # since the outermost listens
    is_program: bool = False  # whether this process is a program that leaves
    left: str = ""  # why it leaves, once it does


_state = _State()


def forget_signals() -> None:
    """Forget what was heard; for tests."""
    _state.listeners.clear()
    _state.heard.clear()
    _state.is_program, _state.left = False, ""


class Leaving(BaseException):
    """A signal came when there was nothing to lose; its argument says which."""


@contextmanager
def stopping_on_signals(stop: Stop) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM call `stop(why)`, also one that a listener around heard.

    Only the main thread hears signals; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {}
    if not _state.listeners:
        _state.heard.clear()
        before = {number: signal.signal(number, _heed) for number in WORDS}
    _state.listeners.append(stop)
    for why in _state.heard[:1]:
        stop(why)
    try:
        yield
    finally:
        _state.listeners.remove(stop)
        for number, handler in before.items():
            if handler is not None:  # as it is for those not of Python
                signal.signal(number, handler)


def _heed(number: int, frame: FrameType | None) -> None:
    """Tell all who listen; a second Ctrl-C is a Ctrl-C."""
    why = WORDS[signal.Signals(number)]
    if why == INTERRUPTED and INTERRUPTED in _state.heard:
        raise KeyboardInterrupt
    _state.heard.append(why)
    for stop in _state.listeners:
        stop(why)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Threads and processes started here never hear of Ctrl-C.

    One that comes meanwhile is heard at the end.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # whoever starts it hears signals afterwards
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def nothing_to_lose() -> Iterator[None]:
    """Where a program leaves on signals, do so although somebody around is listening.

    It is for compilation, which nobody can stop, before a search has found anything. A
    compiler that is left half-way may crash later, so the process ends where it stands.
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
    """End the process as it is."""
    why = WORDS[signal.Signals(number)]
    os.write(2, f"paretoball: {why}\n".encode())
    os._exit(EXIT_CODES[why])


def _leave(number: int, frame: FrameType | None) -> None:
    """Unwind the program, so that nothing half-written stays."""
    if not _state.left:
        _state.left = WORDS[signal.Signals(number)]
        raise Leaving(_state.left)


@contextmanager
def leaving_on_signals(for_good: bool = False) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM raise `Leaving`, and end the process if that takes long.

    Python hears signals between two of its own instructions. A thread that waits for
    their numbers at the end of a pipe hears them during compilation, too. Compilers and
    imports in C may lose what is raised in them, or make something else of it; it is
    `Leaving` all the same.

    Parameters
    ----------
    for_good
        The process ends after this, deaf to further signals.
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
    """Say nothing of a signal's exception that was raised where none can be."""
    if not issubclass(lost.exc_type, (Leaving, KeyboardInterrupt)):
        sys.__unraisablehook__(lost)


def _insist(reader: int, here: threading.Event) -> None:
    """After a signal to leave, end the process if it is still here a second later."""
    with os.fdopen(reader, "rb", buffering=0) as numbers:
        while number := numbers.read(1):
            heard = signal.Signals(number[0])
            if heard in WORDS and signal.getsignal(heard) in (_leave, _leave_at_once):
                time.sleep(PATIENCE)
                if here.is_set():
                    _leave_at_once(heard, None)
