"""Side by side: listed kernels, compiled by this process and another one.

This process compiles the largest kernel that is left, again and again; large kernels
have most parts in common, which a process compiles once. The other process compiles the
smallest that is left, one at a time, so they meet in between. What it has compiled is
then on disk. If it fails, this process compiles the rest. It ends as soon as this
process does, however that ends: it listens to a pipe that the system then closes.
"""

import logging
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from os import _exit
from queue import SimpleQueue
from time import perf_counter
from typing import IO, Any

from paretoball._jit import compile_needed, kernel_folder
from paretoball._needed import Kernel, Needed, sized

SPEED = 25_000.0  # the size of what is compiled in a second, before any is
START = 35_000  # of what takes as long as to start another process
TICK = 0.5  # seconds between two reports
READY = b"ready\n"  # what the other process writes for each kernel
OTHER = (  # first of all, it looks for modules where this process does
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from paretoball._side_by_side import serve; serve()"
)

Tell = Callable[[int, int, float], object]  # kernels done, of how many, seconds left

_log = logging.getLogger(__name__)


def compile_listed(
    found: dict[Needed, Kernel], other: "Other | None" = None, tell: Tell | None = None
) -> int:
    """Compile these kernels; how many of them the other process has compiled.

    It takes part if there is one and it pays; `tell` is called now and then.
    """
    kernels = sized(found)
    work = _Work(list(kernels))
    taking_part = nullcontext() if other is None else other.taking_part(work)
    with _telling(work, tell), taking_part:
        while (one := work.next_large()) is not None:
            began = perf_counter()
            kernels[one].compile(one.kinds)
            work.finish(one, perf_counter() - began)
    return work.elsewhere


class _Work:
    """What is to be compiled, and what is done; for several threads."""

    def __init__(self, kernels: list[Needed]) -> None:
        self.changed = threading.Condition()
        self.waiting = kernels  # the largest first
        self.lent: Needed | None = None  # what the other process is compiling
        self.processes = 1
        self.total = len(kernels)
        self.size = sum(one.size for one in kernels)
        self.largest = max((one.size for one in kernels), default=0)
        self.done = self.elsewhere = 0
        self.done_size, self.spent = SPEED, 1.0  # as if a second had passed
        self.began = perf_counter()

    def next_large(self) -> Needed | None:
        """The largest that is left; None once all are done, wherever that is."""
        with self.changed:
            while not self.waiting and self.lent is not None:
                self.changed.wait(TICK)  # by and by, so that signals are heard
            return self.waiting.pop(0) if self.waiting else None

    def pays(self) -> bool:
        """Whether there is enough work for a process that has to start."""
        return self.size - self.largest > START

    def next_small(self) -> Needed | None:
        """The smallest that is left, for the other process."""
        with self.changed:
            self.lent = self.waiting.pop() if self.waiting else None
            return self.lent

    def take_back(self) -> None:
        """The other process does no more."""
        with self.changed:
            if self.lent is not None:
                self.waiting.append(self.lent)
                self.lent, self.processes = None, 1
            self.changed.notify()

    def finish(self, one: Needed, seconds: float) -> None:
        """One is compiled."""
        with self.changed:
            self.done += 1
            self.done_size += one.size
            self.spent += seconds
            if one is self.lent:
                self.elsewhere += 1
                self.lent = None
                self.changed.notify()

    def seconds_left(self) -> float:
        """How long the rest takes, as it seems now."""
        pace = self.spent / self.done_size
        longest = max(self.size / self.processes, self.largest)
        return max(1.0, pace * longest - (perf_counter() - self.began))


@contextmanager
def _telling(work: _Work, tell: Tell | None) -> Iterator[None]:
    """Inside this context, tell how far the work is, now and twice a second."""
    if tell is None:
        yield
        return
    is_over = threading.Event()

    def go_on() -> None:
        while not is_over.wait(TICK):
            tell(work.done, work.total, work.seconds_left())

    tell(work.done, work.total, work.seconds_left())
    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


class Other:
    """Another process that compiles: started once it pays, ended with the context."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Other":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.process.kill()
            with suppress(BrokenPipeError), self.process:  # an order may wait there
                pass

    @contextmanager
    def taking_part(self, work: _Work) -> Iterator[None]:
        """Inside this context, it takes part in the work, if that pays."""
        if self.process is None and work.pays():
            self._start()
        process = self.process
        if process is None or process.poll() is not None:
            yield
            return
        work.processes = 2
        thread = threading.Thread(target=_lend, args=(process, work), daemon=True)
        thread.start()
        try:
            yield
        except BaseException:
            process.kill()  # nobody waits for what it is at
            raise
        finally:
            thread.join()

    def _start(self) -> None:
        """Start it, or tell why not."""
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", OTHER, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            _log.info("kernels are compiled by one process: %s", error)


def _lend(process: subprocess.Popen[bytes], work: _Work) -> None:
    """Have the other process compile one kernel after the other."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        while (one := work.next_small()) is not None:
            began = perf_counter()
            pickle.dump(str(kernel_folder()), process.stdin)
            pickle.dump(one, process.stdin)
            process.stdin.flush()
            if process.stdout.readline() != READY:
                raise EOFError("the other process has ended")
            work.finish(one, perf_counter() - began)
            _log.info("another process compiled %s", one.name)
    except Exception as error:
        _log.info("kernels are compiled by one process from now on: %s", error)
        process.kill()
        process.wait()
        work.take_back()


def serve() -> None:
    """In the other process: compile what comes in, until nothing does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the first process that leaves
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    orders: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_hear, args=(sys.stdin.buffer, orders), daemon=True).start()
    try:
        while orders.get() == str(kernel_folder()):  # each order names it
            compile_needed(orders.get())
            answers.write(READY)
            answers.flush()
    finally:
        _exit(1)


def _hear(orders: IO[bytes], queue: SimpleQueue[Any]) -> None:
    """Put orders into a queue; end the process when there is nobody who gives any."""
    with suppress(Exception):
        while True:
            queue.put(pickle.load(orders))
    _exit(0)
