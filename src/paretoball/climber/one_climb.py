"""One climb as an object: its solution, scores and moves, step by step."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.climber.buckets import LEVELS
from paretoball.climber.climb import climb_now, take_now
from paretoball.climber.filing import file_now
from paretoball.climber.scores import (
    REPORTS,
    STEP,
    TAG_STEP,
    TIER,
    ClimbState,
    Notes,
    add_now,
    start_now,
)
from paretoball.climber.weights import integer_weights
from paretoball.landscape import check_is_one
from paretoball.numerics import entropy_of, random_solution, spawn_streams, with_room
from paretoball.system import brief, checked_whole, counted

if TYPE_CHECKING:
    from paretoball.climber.climber import Climber

SLICE = 4096  # moves between two returns to Python


@dataclass(frozen=True, repr=False, eq=False)
class Reports:
    """The reports of a climb so far, in order."""

    F: np.ndarray  # (reports, d): objective vectors, in the problem's units and sense
    sense: tuple[str, ...]
    names: tuple[str, ...]  # one per objective
    steps: np.ndarray  # (reports,) int64: the moves taken before each report
    start: np.ndarray  # (n,) uint8: the solution where the climb began
    journal: np.ndarray  # int32: the moves that the climb took
    flips: np.ndarray  # (size, r) int32: the variables of each move

    def __iter__(self) -> Iterator[np.ndarray]:
        """F and X, so that `F, X = climb.reports` works."""
        return iter((self.F, self.X))

    @property
    def n(self) -> int:
        """The number of variables."""
        return len(self.start)

    @property
    def d(self) -> int:
        """The number of objectives."""
        return self.F.shape[1]

    @property
    def X(self) -> np.ndarray:
        """The solutions behind F, rebuilt on access: (reports, n) bool."""
        X = np.empty((len(self.F), self.n), np.uint8)
        x, at = self.start.copy(), 0
        for row, step in enumerate(self.steps.tolist()):
            flips = self.flips[self.journal[at:step]]
            np.bitwise_xor.at(x, flips[flips >= 0], 1)
            X[row], at = x, step
        return X.view(np.bool_)


class Climb:
    """One climb: a solution, its scores, and a direction. Made by `Climber.start`."""

    def __init__(self, climber: "Climber", x: Any, weights: Any, seed: Any):
        self.climber = climber
        landscape = climber.landscape
        self._problem = climber.cliques, climber.move_set
        self._state = climber.new_state(journal=SLICE, reports=SLICE)
        self._state.rng[:] = spawn_streams(entropy_of(seed), np.zeros(1, np.int64))[0]
        if x is None:
            random_solution(self._state.rng, self._state.x)
        else:
            start = landscape.bits_of(x, "x")
            check_is_one(start, "x", "start")
            self._state.x[:] = start
        self._start = self._state.x.copy()
        given = np.ones(landscape.d, np.int64) if weights is None else weights
        self._state.w[:] = integer_weights(given, landscape, climber.bounds)
        start_now(*self._problem, self._state)
        self._finished = False

    @property
    def x(self) -> np.ndarray:
        """The current solution: (n,) bool."""
        return self._state.x.astype(np.bool_)

    @property
    def fx(self) -> np.ndarray:
        """f(x), in the problem's units and sense."""
        return self.climber.landscape.shown(self._state.fx)

    @property
    def steps(self) -> int:
        """The moves taken so far."""
        return int(self._state.clock[STEP])

    @property
    def weights(self) -> np.ndarray:
        """The exact integers in use as weights, per step of each objective."""
        return self._state.w.copy()

    @property
    def scores(self) -> np.ndarray:
        """S_v(x) = f(x ⊕ v) - f(x) for every stored move v: (|M^r|, d)."""
        return self._shown_scores(0)

    def neighbours(self) -> np.ndarray:
        """f(x ⊕ v) for every stored move v, from f(x) and scores: (|M^r|, d)."""
        return self._shown_scores(self._state.fx)

    @property
    def strong(self) -> np.ndarray:
        """The numbers of the strong moves, ascending."""
        return np.flatnonzero(self._complete().buckets.bucket > LEVELS)

    @property
    def improving(self) -> np.ndarray:
        """The numbers of the w-improving moves that are not strong, ascending."""
        bucket = self._complete().buckets.bucket
        return np.flatnonzero((bucket > 0) & (bucket <= LEVELS))

    @property
    def is_local_optimum(self) -> bool:
        """Whether no stored move is w-improving.

        By Proposition 2 no solution in the whole ball of radius r then dominates x.
        """
        return not self._complete().buckets.bucket.any()

    @property
    def reports(self) -> Reports:
        """The objective vectors reported so far and the solutions behind them."""
        state, landscape = self._state, self.climber.landscape
        count = state.clock[REPORTS]
        return Reports(
            F=landscape.shown(state.notes.fx[:count]),
            steps=state.notes.tags[:count, TAG_STEP].copy(),
            sense=landscape.sense,
            names=landscape.names,
            start=self._start,
            journal=self._state.journal,
            flips=self.climber.move_set.flips,
        )

    def step(self) -> int | None:
        """Take one move of Algorithm 2 and return its number, or None at the end."""
        before = self.steps
        self.run(max_moves=1)
        return int(self._state.journal[before]) if self.steps > before else None

    def run(self, max_moves: int | None = None) -> "Climb":
        """Algorithm 2, to the local optimum or for at most `max_moves` moves."""
        left = np.inf if max_moves is None else checked_whole("max_moves", max_moves, 0)
        while left > 0 and not self._finished:
            budget = int(min(left, SLICE))
            self._make_room(budget + 1)
            before = self.steps
            self._finished = climb_now(*self._problem, self._state, budget)
            left -= self.steps - before
        return self

    def flip(self, variables: Iterable[int]) -> "Climb":
        """Flip any variables, connected or not, improving or not, by Algorithm 1."""
        chosen = _checked_variables(variables, self.climber.landscape.n)
        self._make_room(len(chosen) + 1)
        for j in chosen:
            take_now(*self._problem, self._state, j)
        self._finished = False
        return self

    def set_weights(self, weights: Any) -> "Climb":
        """Climb on in another direction: moves are refiled, no score is computed."""
        landscape, bounds = self.climber.landscape, self.climber.bounds
        self._state.w[:] = integer_weights(weights, landscape, bounds)
        for size in range(1, self._state.clock[TIER] + 1):
            file_now(self.climber.move_set, self._state, size)
        self._finished = False
        return self

    def _shown_scores(self, more: np.ndarray | int) -> np.ndarray:
        landscape = self.climber.landscape
        return landscape.shown(self._complete().scores.reshape(-1, landscape.d) + more)

    def _complete(self) -> ClimbState:
        """The state with scores of all sizes; a copy, if the climb has fewer."""
        state = self._state
        if state.clock[TIER] == self.climber.radius:
            return state
        state = deepcopy(state)
        while state.clock[TIER] < self.climber.radius:
            add_now(*self._problem, state)
        return state

    def _make_room(self, count: int) -> None:
        """Make room for `count` more moves in the journal, and `count` more reports."""
        journal = with_room(self._state.journal, self.steps + count)
        reports = int(self._state.clock[REPORTS]) + count
        notes = Notes(*(with_room(array, reports) for array in self._state.notes))
        self._state = self._state._replace(journal=journal, notes=notes)

    def __repr__(self) -> str:
        where = "under way"
        if self._finished:
            only = self._state.buckets.strong_only
            where = "without strong moves" if only else "at a local optimum"
        steps = counted(self.steps, "move")
        return f"Climb {where} after {steps}: f(x) = {self.fx.tolist()}"


def _checked_variables(variables: Any, n: int) -> list[int]:
    """The variables as ints, if they are distinct variables."""
    if not isinstance(variables, Iterable):
        raise TypeError(f"{brief(variables)} is not a list of variables")
    chosen = [checked_whole("variable", j, 0, n - 1) for j in variables]
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"{brief(chosen)} flips a variable twice")
    return chosen
