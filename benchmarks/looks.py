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
from paretoball.climber import NO_MOVE, flip, start_now
from paretoball.numerics import random_solution, spawn_streams
from paretoball.search import Asked
from paretoball.search.path import Searcher
from paretoball.search.path.heat import begin_heat, choose_hot, is_hot

SWEEPS = 256  # of an escape, if it flipped nothing
HOT, COLD = 0.2, 0.04  # temperatures, in typical losses
FEW, MANY = 1, 10_000  # sweeps of the annealer: what FEW take is subtracted


@kernel
def _sweep(ground, unit):
    """Look and flip until the work is done; how many flips."""
    state = unit.state
    d, flips = len(state.objectives), 0
    while is_hot(unit):
        j = choose_hot(ground, unit)
        if j != NO_MOVE:
            for i in range(d):
                state.fx[i] += state.scores[j * d + i]
            flip(ground.cliques, ground.moves, state, j, False)
            flips += 1
    return flips


def escape_looks(landscape: pb.Landscape, r: int, escapes: int) -> Callable[[], float]:
    """What measures the looks per second of so many escapes, each from a random x."""
    climber = pb.Climber(landscape, r)
    asked, nobody = Asked(None, 1, r, 1), np.empty((0, landscape.n), np.uint8)
    searcher = Searcher(landscape, climber, asked, nobody, has_fillings=False)
    ground, unit, state = searcher.ground, searcher.unit, searcher.state
    numbers, work = unit.heat.numbers, float(SWEEPS * landscape.n)

    def sweep_all() -> int:
        return _sweep(ground, unit)

    def escape(number: int) -> tuple[float, float]:
        """The seconds of one escape, and its looks."""
        state.clock[:] = 0
        state.w[:] = 1
        state.rng[:] = spawn_streams(7, np.array([number]))[0]
        random_solution(state.rng, state.x)
        start_now(climber.cliques, climber.move_set, state)
        numbers.loss = np.abs(state.scores[: landscape.n * landscape.d]).mean()
        begin_heat(unit, HOT, COLD, work)
        seconds, flips = seconds_of(sweep_all)
        return seconds, numbers.done - flips * numbers.flip_work

    def measure() -> float:
        seconds, looks = zip(*map(escape, range(escapes)))
        return sum(looks) / sum(seconds)

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
