"""Trials: one run of a campaign, a function of its plan and number alone."""

from functools import lru_cache
from statistics import median
from time import perf_counter
from typing import Any

from paretoball.climber import Climber, add_now, start_now
from paretoball.landscape import Landscape
from paretoball.numerics import random_solution
from paretoball.paper.folder import Row
from paretoball.paper.plan import Plan, Trial
from paretoball.problems import mnk_java
from paretoball.running import STOPPED, solve

METHOD = "multistart"  # the paper's
STARTS = 9  # to take the median of


def run_trial(plan: Plan, trial: Trial) -> tuple[Row, bytes] | None:
    """The row of a run, and the file of its front; None if a signal ended it early."""
    landscape = landscape_of(plan, trial.n, trial.d)
    climbers: list[Climber] = []

    def look(state: Any) -> None:
        climbers[:] = [state.climber]

    result = solve(
        landscape,
        method=METHOD,
        radius=trial.radius,
        seed=trial.seed,
        time_limit=plan.time,
        max_climbs=plan.climbs,
        max_moves=plan.moves,
        climb=plan.climb,
        selection=plan.selection,
        callback=look,
        progress=False,
    )
    if result.status in STOPPED:
        return None
    if not climbers:
        raise ValueError(f"{plan.time:g} s were over before the set-up was")
    climber = climbers[0]
    row = Row(
        *trial,
        climbs=result.climbs,
        moves=result.moves,
        size=len(result),
        hypervolume=float(result.trace[-1, -1]),
        stored_moves=len(climber.moves),
        seconds=result.seconds,
        setup_seconds=result.setup_seconds,
        start_seconds=start_seconds(climber),
        archive_seconds=result.archive_seconds,
    )
    return row, result.to_bytes()


@lru_cache(maxsize=1)
def landscape_of(plan: Plan, n: int, d: int) -> Landscape:
    """The landscape of some runs in a row."""
    return mnk_java(n, plan.K, d, plan.q, plan.model, plan.pseed)


def start_seconds(climber: Climber) -> float:
    """How long the start of a climb takes, with the scores of moves of every size."""
    state = climber.new_state(journal=1, reports=1)
    spent = []
    for _ in range(STARTS + 1):  # the first one may compile
        began = perf_counter()
        random_solution(state.rng, state.x)
        start_now(climber.cliques, climber.move_set, state)
        for _ in range(climber.radius - 1):
            add_now(climber.cliques, climber.move_set, state)
        spent.append(perf_counter() - began)
    return median(spent[1:])
