"""Contenders: the methods that searches are compared by, and one run of each.

`path` is that method of `pb.solve` with its own choice of radius, `multistart-2` one at
radius 2. `nsga2` is pymoo's NSGA-II, which is told nothing but values of f. As
climbs report to an archive without bounds, so does each of its evaluations. `dwave` is
the annealer of dwave-samplers, for one objective. `anneal`, `tabu` and `front` are the
yardsticks of rivals.py.
"""

import time
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from pymoo.core.callback import Callback
from pymoo.optimize import minimize

import paretoball as pb
from bench_peers import BlackBox, nsga2
from instances import Instance
from rivals import RIVALS, rival

PATH = "path"
EVOLUTION = "nsga2"
ANNEALER = "dwave"
POPULATION = 100
SPACING = 1.1  # from one row of NSGA-II's trace to the next, at least
SWEEPS = 4_000  # of the annealer from one start
EASY = 3  # objectives up to which hypervolumes are computed


class Method(NamedTuple):
    """A way to search."""

    name: str
    radius: int | None = None  # None where the package chooses, or has no part in it

    @classmethod
    def called(cls, text: str, radius: int | None) -> "Method":
        """The method of this name, at the radius after its dash or else at this one."""
        name, _, own = text.partition("-")
        if own:
            return cls(name, int(own))
        return (
            cls(name) if name in (EVOLUTION, ANNEALER, *RIVALS) else cls(name, radius)
        )

    def __str__(self) -> str:
        return self.name if self.radius is None else f"{self.name}-{self.radius}"


class Outcome(NamedTuple):
    """What one run found, and how much it did."""

    seconds: float = 0.0  # set-up included
    cpu: float = 0.0  # seconds of the core in these
    setup: float = 0.0
    F: np.ndarray | None = None  # None where the run could not be made, or does not say
    volume: float | None = None  # above the mean of f, where it is known
    size: int = 0
    climbs: int = 0
    moves: int = 0
    evaluations: int = 0
    trace: Sequence[tuple[float, int, float]] = ()  # seconds, size, hypervolume
    whole: float | None = None  # seconds until the known front was there
    note: str = ""


class Looking:
    """A callback that stops a run once it has the known front, and tells when."""

    def __init__(self, instance: Instance):
        self.instance = instance
        self.wanted = None if instance.front is None else points(instance.front)
        self.whole: float | None = None

    def __call__(self, state: Any) -> bool:
        self.look(self.instance.landscape.shown(state.archive.F), state.seconds)
        return self.whole is not None

    def look(self, F: np.ndarray, seconds: float) -> None:
        """This was there after so many seconds."""
        if self.whole is None and self.is_whole(F):
            self.whole = seconds

    def is_whole(self, F: np.ndarray) -> bool:
        """Whether these points, none of which dominates another, are the front."""
        if self.instance.known is not None:
            return self.instance.known.is_whole(F, self.instance.landscape.sense)
        return len(F) == len(self.wanted or ()) and points(F) == self.wanted


class Tracing(Callback):
    """Notes the hypervolume of all that NSGA-II has evaluated, ever less often."""

    def __init__(self) -> None:
        super().__init__()
        self.began = time.perf_counter()
        self.rows: list[tuple[float, int, float]] = []

    def notify(self, algorithm: Any) -> None:
        """A generation is done."""
        seconds = time.perf_counter() - self.began
        if not self.rows or seconds >= SPACING * self.rows[-1][0]:
            problem = algorithm.problem
            F = problem.landscape.shown(problem.archive.F)
            volume = volume_of(F, problem.landscape)
            self.rows.append(
                (seconds, len(F), float("nan") if volume is None else volume)
            )


def points(F: np.ndarray) -> set[tuple[float, ...]]:
    """Objective vectors as a set."""
    return set(map(tuple, F.tolist()))


def volume_of(F: np.ndarray, landscape: pb.Landscape) -> float | None:
    """The hypervolume from the mean of f, where it can be computed."""
    if landscape.d > EASY:
        return None
    return pb.hypervolume(F, landscape.mean, landscape.sense)


def run(method: Method, instance: Instance, seconds: float, seed: int) -> Outcome:
    """One run; if there is not enough memory for it, what was said about that."""
    if method.name in RIVALS:
        return beside(method, instance, seconds, seed)
    if method.name == EVOLUTION:
        return evolved(instance, seconds, seed)
    if method.name == ANNEALER:
        return annealed(instance, seconds, seed)
    try:
        return solved(method, instance, seconds, seed)
    except MemoryError as error:
        return Outcome(note=" ".join(str(error).split()) or "out of memory")


def solved(method: Method, instance: Instance, seconds: float, seed: int) -> Outcome:
    """A run of this package."""
    has_end = instance.front is not None or instance.known is not None
    looking = Looking(instance) if has_end else None
    began = time.process_time()
    result = pb.solve(
        instance.landscape,
        method=method.name,
        radius=method.radius,
        seed=seed,
        time_limit=seconds,
        callback=looking,
        progress=False,
    )
    cpu = time.process_time() - began
    took = result.setup_seconds + result.seconds
    if looking is not None:
        looking.look(result.F, took)
    return Outcome(
        seconds=took,
        cpu=cpu,
        setup=result.setup_seconds,
        F=result.F,
        volume=volume_of(result.F, instance.landscape),
        size=len(result),
        climbs=result.climbs,
        moves=result.moves,
        trace=[(row[0], int(row[3]), row[4]) for row in result.trace.tolist()],
        whole=None if looking is None else looking.whole,
        note="" if result.moves else "no time left after the set-up",
    )


def beside(method: Method, instance: Instance, seconds: float, seed: int) -> Outcome:
    """A run of a yardstick."""
    reached = rival(method.name, instance.name, instance.landscape, seconds, seed)
    if reached is None:
        return Outcome(note="no yardstick")
    return Outcome(**reached._asdict())


def evolved(instance: Instance, seconds: float, seed: int) -> Outcome:
    """A run of pymoo's NSGA-II."""
    problem, trace = BlackBox(instance.landscape), Tracing()
    limit = ("time", seconds)
    minimize(problem, nsga2(POPULATION), limit, seed=seed, callback=trace)
    took = time.perf_counter() - trace.began
    F = instance.landscape.shown(problem.archive.F)
    volume = volume_of(F, instance.landscape)
    trace.rows.append((took, len(F), volume or 0.0))
    return Outcome(
        seconds=took,
        F=F,
        volume=volume,
        size=len(F),
        evaluations=problem.evaluations,
        trace=trace.rows,
        note=f"population {POPULATION}",
    )


def annealed(instance: Instance, seconds: float, seed: int) -> Outcome:
    """Runs of the annealer of dwave-samplers, as many as begin in time."""
    if find_spec("dwave") is None or find_spec("dwave.samplers") is None:
        return Outcome(note="not installed")
    from dwave.samplers import SimulatedAnnealingSampler

    from paretoball.adapters.dimod import to_bqm

    landscape, sampler = instance.landscape, SimulatedAnnealingSampler()
    model = to_bqm(landscape)
    samples: list[Any] = []
    began, took = time.perf_counter(), 0.0
    while took < seconds:
        number = seed + 1_000 * len(samples)
        found = sampler.sample(model, num_reads=1, num_sweeps=SWEEPS, seed=number)
        samples.append(found.first)
        took = time.perf_counter() - began
    best = min(samples, key=lambda sample: sample.energy)
    x = [best.sample[label] for label in landscape.labels]
    F = landscape.evaluate(np.array([x]))
    told = f"{len(samples)} times {SWEEPS:,} sweeps"
    return Outcome(took, F=F, volume=volume_of(F, landscape), size=1, note=told)
