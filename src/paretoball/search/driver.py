"""The driver: `solve` and `resume`, which check what they are given and run it."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from paretoball._jit import announced
from paretoball.climber import CLIMBS, SELECTIONS, checked_choice
from paretoball.landscape import Landscape, checked_solutions
from paretoball.memory import checked_bytes
from paretoball.moves import checked_radius
from paretoball.result import Result
from paretoball.search.budget import LIMITS, Budget, checked_count, checked_seconds
from paretoball.search.checkpoint import SAME, Saver, is_there, read_checkpoint
from paretoball.search.crew import capacity
from paretoball.search.progress import Progress
from paretoball.search.run import Run
from paretoball.search.units import METHODS
from paretoball.search.warm_up import warm_up
from paretoball.signals import nothing_to_lose, stopping_on_signals
from paretoball.storage import PathLike, refusing
from paretoball.streams import entropy_of
from paretoball.subfunctions import brief
from paretoball.weights import WeightSource, score_bounds

MOST_WORKERS = 1024
EVERY = 60.0  # seconds from one checkpoint to the next


def solve(
    landscape: Landscape,
    method: str = "path",
    radius: int = 2,
    seed: Any = None,
    time_limit: float | None = None,
    max_climbs: int | None = None,
    max_moves: int | None = None,
    start: Any = None,
    weights: Any = None,
    workers: int | None = None,
    callback: Callable[..., Any] | None = None,
    progress: bool | None = None,
    selection: str = "next",
    climb: str = "full",
    executor: Executor | None = None,
    checkpoint: PathLike | None = None,
    checkpoint_every: float = EVERY,
    max_archive: int | None = None,
    memory_limit: int | str | None = None,
) -> Result:
    """Search for the Pareto front of a landscape.

    Parameters
    ----------
    method
        `"path"` follows the front: climbs whose direction turns little by little, with
        escapes and offspring on the way; `docs/search.md` tells how. `"multistart"`,
        the paper's: climbs from random solutions in random directions.
    radius
        Climbs end where no solution within this Hamming distance dominates.
    seed
        An int, a SeedSequence or a Generator. Without one, the seed drawn is in
        `result.config`.
    time_limit, max_climbs, max_moves
        The budget: seconds, set-up included, compilation not; climbs; moves. At least
        one of them; the first to be used up ends the run. A path counts as one climb,
        and a flip of its escapes as a move.
    start
        Solutions to start the first climbs from, one or several; later climbs start at
        random. Paths report all of them, the first four begin at the first of them, and
        later ones where the front is.
    weights
        None draws directions uniformly on the simplex; `"independent"` draws each
        weight on its own, as the authors' code does; numbers are taken as they are, one
        vector for all climbs or a row for each in turn. A path without weights plans
        its own; with any, it stays in the direction that its number has.
    workers
        Threads; with an executor, how many blocks of climbs it is given at a time, by
        default as many as it has workers. The same climbs give the same archive,
        whoever runs them.
    executor
        Any `concurrent.futures.Executor` that is to run the climbs: a pool of processes
        or of threads, mpi4py's, or Dask's `client.get_executor()`.
    checkpoint, checkpoint_every
        An npz file that is written every so many seconds, between climbs or paths, and
        at the end. If it is there already, the run goes on from it, and its budget
        counts what was done before. Who runs it and how long may then differ;
        landscape, method, radius, seed, start, weights, selection, climb and
        max_archive may not.
    max_archive
        How many solutions to keep at most, the least crowded ones.
    memory_limit
        Bytes, or a text like `"8GB"`: refuse a climber that would take more.
    callback
        Called with the run's state after blocks of climbs, at most ten times a second;
        it stops the run by returning True.
    progress
        True shows a line on standard error, False does not; None does on a terminal.
    selection
        `"next"` or `"best"`, as for `Climber`.
    climb
        `"full"` or `"strong-only"`, as for `Climber`.

    Examples
    --------
    >>> ones = [((j,), [0, 1]) for j in range(8)]
    >>> zeros = [((j,), [1, 0]) for j in range(8)]
    >>> landscape = Landscape.from_subfunctions(8, [ones, zeros])
    >>> result = solve(landscape, radius=1, max_climbs=20, seed=1)
    >>> bool((result.F.sum(axis=1) == 8).all())
    True
    """
    if not isinstance(landscape, Landscape):
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    saved = None
    if checkpoint is not None and is_there(checkpoint):
        saved = read_checkpoint(checkpoint)
        saved.check_landscape(landscape)
        seed = saved.result.config.get("seed") if seed is None else seed
    budget = Budget(time_limit, max_climbs, max_moves)
    starts = checked_starts(start, landscape.n)
    config = checked_config(
        landscape,
        method=method,
        radius=radius,
        seed=seed,
        starts=len(starts),
        weights=weights,
        workers=checked_workers(workers, executor),
        selection=selection,
        climb=climb,
        max_archive=max_archive,
        memory_limit=memory_limit,
    )
    if saved is not None:
        saved.check_same(config, starts)
    saver = None
    if checkpoint is not None:
        saver = Saver(checkpoint, checkpoint_every, landscape, starts, saved)
    display = Progress(callback, progress)
    run = Run(landscape, config, starts, budget, display, saver, saved)
    return carried_out(run, workers, executor)


def resume(
    checkpoint: PathLike,
    landscape: Landscape | None = None,
    radius: int | None = None,
    seed: Any = None,
    time_limit: float | None = None,
    max_climbs: int | None = None,
    max_moves: int | None = None,
    workers: int | None = None,
    callback: Callable[..., Any] | None = None,
    progress: bool | None = None,
    executor: Executor | None = None,
    checkpoint_every: float | None = None,
    memory_limit: int | str | None = None,
) -> Result:
    """Go on with a run from its checkpoint, which is kept up to date.

    Parameters
    ----------
    landscape, radius, seed
        Not needed: the checkpoint has them. What is given must be the same.
    time_limit, max_climbs, max_moves
        A new budget: seconds from now on; climbs and moves in all, with those done
        before. Without any, what the run's own budget has left.
    workers, callback, progress, executor, checkpoint_every, memory_limit
        As for `solve`; only `checkpoint_every` is the run's own if left out.
    """
    saved = read_checkpoint(checkpoint)
    if landscape is not None:
        saved.check_landscape(landscape)
    before = saved.result.config
    limits: tuple = (time_limit, max_climbs, max_moves)
    if limits == (None, None, None):
        limits = tuple(before.get(name) for name in LIMITS)
    elif time_limit is not None:
        limits = (saved.seconds() + checked_seconds(time_limit), max_climbs, max_moves)
    with refusing(checkpoint):
        config = checked_config(
            saved.landscape,
            **{name: before.get(name) for name in SAME},
            starts=len(saved.starts),
            workers=checked_workers(workers, executor),
            memory_limit=memory_limit,
        )
        budget = Budget(*limits)
    asked = {"radius": radius, "seed": None if seed is None else entropy_of(seed)}
    given = {name: value for name, value in asked.items() if value is not None}
    saved.check_same(config | given, saved.starts)
    every = saved.every if checkpoint_every is None else checkpoint_every
    saver = Saver(checkpoint, every, saved.landscape, saved.starts, saved)
    display = Progress(callback, progress)
    run = Run(saved.landscape, config, saved.starts, budget, display, saver, saved)
    return carried_out(run, workers, executor)


def carried_out(run: Run, workers: int | None, executor: Executor | None) -> Result:
    """Compile what is needed, start the clock, search, and tell what came out."""
    with run.display as display:
        with announced(display.say), nothing_to_lose():
            warm_up(run.landscape, run.config["radius"], METHODS[run.config["method"]])
        run.budget.restart(0.0)
        with stopping_on_signals(run.budget.stop):
            run.search(workers, executor)
            return run.final_result()


def checked_config(landscape: Landscape, **given: Any) -> dict[str, Any]:
    """What makes a run, by name, as its files say it."""
    method, weights = given["method"], given["weights"]
    if method not in list(METHODS):
        raise ValueError(f"method = {method!r}, but there is {', '.join(METHODS)}")
    radius, seed = checked_radius(given["radius"]), entropy_of(given["seed"])
    WeightSource(weights, landscape, score_bounds(landscape, radius), seed)
    return {
        "method": method,
        "radius": radius,
        "seed": seed,
        "starts": given["starts"],
        "weights": weights if weights is None else np.asarray(weights).tolist(),
        "workers": given["workers"],
        "selection": checked_choice("selection", given["selection"], SELECTIONS),
        "climb": checked_choice("climb", given["climb"], CLIMBS),
        "max_archive": checked_bound(given["max_archive"]),
        "memory_limit": checked_bytes(given["memory_limit"]),
    }


def checked_workers(workers: Any, executor: Any) -> int:
    """How many blocks of climbs are to be run at a time."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor = {brief(executor)} has no method submit")
    if workers is None:
        return 1 if executor is None else capacity(executor)
    count = checked_count(workers, "workers")
    if count > MOST_WORKERS:
        raise ValueError(f"workers = {count}, but at most {MOST_WORKERS} make sense")
    return count


def checked_bound(size: Any) -> int | None:
    """How many solutions to keep at most; None is all."""
    return None if size is None else checked_count(size, "max_archive")


def checked_starts(start: Any, n: int) -> np.ndarray:
    """Given start solutions, (given, n) uint8."""
    if start is None:
        return np.empty((0, n), np.uint8)
    return np.atleast_2d(checked_solutions(start, n, "start"))
