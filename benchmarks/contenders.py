"""Contenders: the methods that searches are compared by, and one run of each.

`multistart-2` is a method of `pb.solve` at radius 2; `nsga2` is pymoo's NSGA-II, which
is told nothing but values of f. As climbs report to an archive without bounds, so does
each of its evaluations.
"""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from pymoo.core.callback import Callback
from pymoo.optimize import minimize

import paretoball as pb
from bench_peers import BlackBox, nsga2
from instances import Instance

EVOLUTION = "nsga2"
POPULATION = 100
SPACING = 1.1  # from one row of NSGA-II's trace to the next, at least


class Method(NamedTuple):
    """A way to search."""

    name: str
    radius: int | None  # None for NSGA-II

    @classmethod
    def called(cls, text: str, radius: int) -> "Method":
        """The method of this name, at the radius after its dash or else at this one."""
        name, _, own = text.partition("-")
        return cls(name, None if name == EVOLUTION else int(own or radius))

    def __str__(self) -> str:
        return self.name if self.radius is None else f"{self.name}-{self.radius}"


class Outcome(NamedTuple):
    """What one run found, and how much it did."""

    seconds: float = 0.0  # set-up included
    setup: float = 0.0
    F: np.ndarray | None = None  # None where the run could not be made
    climbs: int = 0
    moves: int = 0
    evaluations: int = 0
    trace: Sequence[tuple[float, float]] = ()  # seconds, hypervolume
    whole: float | None = None  # seconds until the known front was there
    note: str = ""


class Looking:
    """A callback that stops a run once it has the known front, and tells when."""

    def __init__(self, instance: Instance):
        assert instance.front is not None
        self.landscape = instance.landscape
        self.wanted = points(instance.front)
        self.whole: float | None = None

    def __call__(self, state: Any) -> bool:
        self.look(self.landscape.shown(state.archive.F), state.seconds)
        return self.whole is not None

    def look(self, F: np.ndarray, seconds: float) -> None:
        """This was there after so many seconds."""
        if self.whole is None and self.wanted <= points(F):
            self.whole = seconds


class Tracing(Callback):
    """Notes the hypervolume of all that NSGA-II has evaluated, ever less often."""

    def __init__(self) -> None:
        super().__init__()
        self.began = time.perf_counter()
        self.rows: list[tuple[float, float]] = []

    def notify(self, algorithm: Any) -> None:
        """A generation is done."""
        seconds = time.perf_counter() - self.began
        if not self.rows or seconds >= SPACING * self.rows[-1][0]:
            problem = algorithm.problem
            F = problem.landscape.shown(problem.archive.F)
            self.rows.append((seconds, volume_of(F, problem.landscape)))


def points(F: np.ndarray) -> set[tuple[int, ...]]:
    """Objective vectors as a set."""
    return set(map(tuple, F.tolist()))


def volume_of(F: np.ndarray, landscape: pb.Landscape) -> float:
    """The hypervolume from the mean of f."""
    return pb.hypervolume(F, landscape.mean, landscape.sense)


def run(method: Method, instance: Instance, seconds: float, seed: int) -> Outcome:
    """One run; if there is not enough memory for it, what was said about that."""
    if method.radius is None:
        return evolved(instance, seconds, seed)
    try:
        return solved(method, instance, seconds, seed)
    except MemoryError as error:
        return Outcome(note=" ".join(str(error).split()) or "out of memory")


def solved(method: Method, instance: Instance, seconds: float, seed: int) -> Outcome:
    """A run of this package."""
    assert method.radius is not None
    looking = None if instance.front is None else Looking(instance)
    result = pb.solve(
        instance.landscape,
        method=method.name,
        radius=method.radius,
        seed=seed,
        time_limit=seconds,
        callback=looking,
        progress=False,
    )
    took = result.setup_seconds + result.seconds
    if looking is not None:
        looking.look(result.F, took)
    return Outcome(
        seconds=took,
        setup=result.setup_seconds,
        F=result.F,
        climbs=result.climbs,
        moves=result.moves,
        trace=[(row[0], row[4]) for row in result.trace.tolist()],
        whole=None if looking is None else looking.whole,
        note="" if result.moves else "no time left after the set-up",
    )


def evolved(instance: Instance, seconds: float, seed: int) -> Outcome:
    """A run of pymoo's NSGA-II."""
    problem, trace = BlackBox(instance.landscape), Tracing()
    limit = ("time", seconds)
    minimize(problem, nsga2(POPULATION), limit, seed=seed, callback=trace)
    took = time.perf_counter() - trace.began
    F = instance.landscape.shown(problem.archive.F)
    trace.rows.append((took, volume_of(F, instance.landscape)))
    told = f"population {POPULATION}"
    done = problem.evaluations
    return Outcome(took, F=F, evaluations=done, trace=trace.rows, note=told)
