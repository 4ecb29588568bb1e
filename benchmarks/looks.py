"""Looks at variables per second: of an escape by heat, and of an annealer.

Both look at one variable after the other and flip it by Metropolis' rule, at heat that
falls from sweep to sweep. A sweep is one look at each variable.
"""

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

import paretoball as pb
from measuring import seconds_of
from paretoball._jit import kernel
from paretoball.climber import start_now
from paretoball.numerics import random_solution, spawn_streams
from paretoball.search.path import legs
from paretoball.search.path.searcher import PathSearcher

SWEEPS = 256  # of an escape
HEAT = 0.2  # at its beginning, in typical losses
ROOM = 16  # flips for each variable; escapes shorten theirs long before
FEW, MANY = 1, 10_000  # sweeps of the annealer: what FEW take is subtracted

_heat = kernel(legs._heat)


def escape_looks(landscape: pb.Landscape, r: int, escapes: int) -> Callable[[], float]:
    """What measures the looks per second of so many escapes, each from a random x."""
    climber = pb.Climber(landscape, r)
    searcher = PathSearcher(climber, 1, np.empty((0, landscape.n), np.uint8))
    state, clock = searcher.state, searcher.path.clock
    flips = np.zeros(ROOM * landscape.n, np.int32)
    path = searcher.path._replace(sweeps=SWEEPS, flips=flips)
    given = climber.cliques, climber.move_set, state, searcher.space, path, 2**40

    def sweep_all() -> None:
        while clock[legs.PHASE] == legs.HEATING:
            _heat(*given)

    def escape(number: int) -> float:
        """The seconds of one escape."""
        state.clock[:], clock[:], path.heat[0] = 0, 0, HEAT
        clock[legs.PHASE] = legs.HEATING
        state.w[:] = 1
        state.rng[:] = spawn_streams(7, np.array([number]))[0]
        random_solution(state.rng, state.x)
        start_now(*given[:3])
        return seconds_of(sweep_all)[0]

    def measure() -> float:
        return escapes * SWEEPS * landscape.n / sum(map(escape, range(escapes)))

    escape(0)  # compile
    return measure


def has_annealer() -> bool:
    """Whether the annealer of dwave-samplers is installed."""
    return find_spec("dwave") is not None and find_spec("dwave.samplers") is not None


def annealer_looks(landscape: pb.Landscape) -> Callable[[], float]:
    """What measures the looks per second of the annealer, with its own schedule."""
    from dwave.samplers import SimulatedAnnealingSampler

    from paretoball.adapters.dimod import to_bqm

    model, sampler = to_bqm(landscape), SimulatedAnnealingSampler()

    def seconds(sweeps: int) -> float:
        def sample() -> None:
            sampler.sample(model, num_reads=1, num_sweeps=sweeps, seed=7)

        return seconds_of(sample)[0]

    def measure() -> float:
        spent = seconds(MANY) - seconds(FEW)
        return (MANY - FEW) * landscape.n / spent

    seconds(FEW)  # import what it needs
    return measure
