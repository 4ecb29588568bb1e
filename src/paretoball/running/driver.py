"""The driver: `solve` and `resume`, which check what they are given and run it."""

import logging
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from paretoball.formats import PathLike, packed_landscape, refusing
from paretoball.landscape import Landscape
from paretoball.numerics import entropy_of, one_seed
from paretoball.running.alone import search_alone
from paretoball.running.auto import exact_if_cheap
from paretoball.running.budget import Budget
from paretoball.running.checkpoint import (
    Saved,
    Saver,
    alone_with,
    is_there,
    read_checkpoint,
)
from paretoball.running.dispatcher import capacity
from paretoball.running.exact_run import solved_exactly
from paretoball.running.interruption import RAISE, RETURN, pass_on
from paretoball.running.options import IDENTITY, LIMITS, Options, checked_options
from paretoball.running.progress import Progress
from paretoball.running.result import Result
from paretoball.running.run import Run
from paretoball.running.starts import checked_starts
from paretoball.running.together import search_together
from paretoball.running.warm_up import compile_search
from paretoball.search import AUTO, DEFAULT_METHOD, EXACT, METHODS
from paretoball.system import (
    Display,
    brief,
    checked_choice,
    checked_seconds,
    checked_whole,
    cores,
    is_whole,
    leaving_at_once,
    stopping_on_signals,
)

MOST_WORKERS = 1024
ALL_CORES = -1  # as a number of workers
EVERY = 60.0  # seconds from one checkpoint to the next

_log = logging.getLogger(__name__)


def solve(
    landscape: Landscape,
    method: str = DEFAULT_METHOD,
    radius: int | None = None,
    seed: Any = None,
    time_limit: float | None = None,
    max_climbs: int | None = None,
    max_moves: int | None = None,
    start: Any = None,
    weights: Any = None,
    breadth: int | None = None,
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
    rng: Any = None,
    on_interrupt: str = RAISE,
) -> Result:
    """Search for the Pareto front of a landscape.

    Parameters
    ----------
    method
        `"auto"` finds the whole front, as `"exact"` does, if that takes few vectors,
        and searches as `"path"` does if not, in the time that is left; `seconds` counts
        both. It does so only where nothing is asked of the search but a time limit and
        a seed. It decides by the landscape and the time limit, not by the clock, which
        only ends an attempt that takes half of the time limit; `result.config` has what
        it chose.
        `"path"` follows the front: climbs whose direction turns little by little, with
        escapes and offspring on the way; `docs/search.md` tells how. `"multistart"` is
        the paper's search: climbs from random solutions in random directions.
        `"exact"` is no search: it finds the whole front by elimination, as
        `exact_front` does, or refuses. It takes a `time_limit`, a `memory_limit` and
        `progress`; it has no use for any other argument.
    radius
        Climbs end where no solution within this Hamming distance dominates. If none is
        given, it is 2, or 1 where each flip would affect very many moves, or where
        set-up would take much of `time_limit` or more than `memory_limit`;
        `result.config` has it.
    seed, rng
        Two names of one argument: an int, a SeedSequence, a Generator or a
        BitGenerator. If none is given, a seed is drawn; `result.config` has it.
    time_limit, max_climbs, max_moves
        The budget in seconds (with set-up, without compilation), climbs and moves. Give
        at least one; the first to be used up ends the run. A path counts as one climb,
        and a flip of its escapes as a move. Later paths are longer: their work doubles
        every 16 paths (8 from 1,000 variables on, 256 for three objectives and more),
        up to about a minute each, or less below 100 variables. So 200 paths may take
        far more than twice the time of 100. With up to 16 variables, paths end before
        the budget does if nothing is left to find; `result.status` says so.
    start
        Solutions to start the first climbs from, one or several: bits, dicts by label,
        `result[i]`, or a whole result or archive. Later climbs start at random. With
        paths, all given solutions are reported, the first four paths start from the
        first one, and later paths from solutions of the front.
    weights
        None draws directions uniformly on the simplex; `"independent"` draws each
        weight on its own, as the authors' code does; numbers are taken as they are, one
        vector for all climbs or a row for each in turn. Paths plan their own directions
        if this is None; otherwise each path keeps one direction from start to end.
    breadth
        How many workers the run may ever use: paths are planned in rounds of so many,
        and two rounds are under way at a time. It is part of what makes the result, so
        the number of workers is not. If none is given, it follows from the landscape;
        `result.config` has it. Climbs of `"multistart"` do without.
    workers
        The number of threads, -1 for as many as there are cores; with an executor, how
        many blocks of climbs it can run at a time, by default, and for -1, as many as
        it has workers. The same climbs give the same
        archive with any number and kind of workers.
    executor
        Any `concurrent.futures.Executor` that is to run the climbs: a pool of processes
        or of threads, mpi4py's, or Dask's `client.get_executor()`.
    checkpoint, checkpoint_every
        An npz file that is written every `checkpoint_every` seconds, between climbs or
        paths, and at the end. If the file exists, the run goes on from it, and its
        budget counts what was done before. Workers and budget may then differ;
        landscape, method, radius, seed, start, weights, selection, climb and
        max_archive must be the same. A run that ends by its budget in climbs or moves
        has exactly what these found, however often it was stopped and resumed. While a
        run has a checkpoint, another one that asks for it is refused.
    max_archive
        How many solutions to keep at most, the least crowded ones.
    memory_limit
        Bytes, or a text like `"8GB"`: refuse a climber that would take more.
    callback
        Called with a snapshot of the run after blocks of climbs, at most ten times a
        second: `seconds`, `moves`, `climbs`, `size`, `hypervolume` (nan for more than
        three objectives), `workers`, `archive` and `climber`. It stops the run by
        returning True.
    progress
        True shows a line on standard error, False does not; None does on a terminal,
        and says anywhere, in one line, that kernels have to be compiled.
    selection
        `"next"`, `"uniform"` or `"best"`, as for `Climber`.
    climb
        `"full"` or `"strong-only"`, as for `Climber`.
    on_interrupt
        Ctrl-C ends the run, which writes its checkpoint; then `"raise"` raises a
        KeyboardInterrupt whose attribute `result` has what was found, and `"return"`
        returns it. After SIGTERM, too, the run ends so; then the program hears the
        signal, which ends it unless it has a handler of its own.

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
    checked_choice("method", method, (AUTO, EXACT, *METHODS))
    if method == EXACT:
        with leaving_at_once():
            return solved_exactly(landscape, progress, time_limit, None, memory_limit)
    spent = 0.0
    if method == AUTO:
        limits = radius, breadth, max_climbs, max_moves, max_archive
        others = start, weights, callback, executor, checkpoint
        is_free = all(one is None for one in (*limits, *others))
        if is_free and (selection, climb) == ("next", "full"):
            with leaving_at_once():
                found, spent = exact_if_cheap(
                    landscape, progress, time_limit, memory_limit
                )
            if found is not None:
                return found
        method = next(iter(METHODS))
    seed = one_seed(seed, rng)
    with alone_with(checkpoint):
        saved = None
        if checkpoint is not None and is_there(checkpoint):
            saved = read_checkpoint(checkpoint)
            saved.check_landscape(landscape)
            before = saved.result.config
            seed = before.get("seed") if seed is None else seed
            radius = before.get("radius") if radius is None else radius
            breadth = before.get("breadth") if breadth is None else breadth
        starts = checked_starts(start, landscape)
        options = checked_options(
            landscape,
            method=method,
            radius=radius,
            seed=seed,
            starts=len(starts),
            weights=weights,
            breadth=breadth,
            workers=checked_workers(workers, executor),
            selection=selection,
            climb=climb,
            max_archive=max_archive,
            memory_limit=memory_limit,
            time_limit=time_limit,
            max_climbs=max_climbs,
            max_moves=max_moves,
        )
        saver = None
        if saved is not None:
            saved.check_same(options, starts)
        if checkpoint is not None:
            saver = Saver(checkpoint, checkpoint_every, landscape, starts, saved)
        with Display(progress) as display:
            run = _new_run(
                landscape, options, starts, callback, display, saver, saved, spent
            )
            return _carry_out(run, workers, executor, on_interrupt)


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
    rng: Any = None,
    on_interrupt: str = RAISE,
) -> Result:
    """Go on with a run from its checkpoint, which is kept up to date.

    Parameters
    ----------
    landscape, radius, seed, rng
        Not needed: the checkpoint has them. If one is given, it must be the same; of a
        landscape, labels and names may be others, and are those of the result.
    time_limit, max_climbs, max_moves
        A new budget, as for `solve`: seconds from now on; climbs and moves in all, with
        those done before. If none is given, the run uses up what is left of its own.
    workers, callback, progress, executor, checkpoint_every, memory_limit, on_interrupt
        As for `solve`; if `checkpoint_every` is left out, it is that of the run.
    """
    with alone_with(checkpoint):
        saved = read_checkpoint(checkpoint)
        if landscape is None:
            landscape = saved.landscape
        saved.check_landscape(landscape)
        before = saved.result.config
        limits = dict(zip(LIMITS, (time_limit, max_climbs, max_moves)))
        if all(limit is None for limit in limits.values()):
            limits = {name: before.get(name) for name in LIMITS}
        elif time_limit is not None:
            more = checked_seconds("time_limit", time_limit)
            limits["time_limit"] = saved.seconds + more
        with refusing(checkpoint):
            options = checked_options(
                landscape,
                **{name: before.get(name) for name in IDENTITY},
                starts=len(saved.starts),
                workers=checked_workers(workers, executor),
                memory_limit=memory_limit,
                **limits,
            )
        seed = one_seed(seed, rng)
        asked = replace(
            options,
            radius=options.radius if radius is None else radius,
            seed=options.seed if seed is None else entropy_of(seed),
        )
        saved.check_same(asked, saved.starts)
        every = saved.every if checkpoint_every is None else checkpoint_every
        saver = Saver(checkpoint, every, landscape, saved.starts, saved)
        with Display(progress) as display:
            starts = saved.starts
            run = _new_run(landscape, options, starts, callback, display, saver, saved)
            return _carry_out(run, workers, executor, on_interrupt)


def _new_run(
    landscape: Landscape,
    options: Options,
    starts: np.ndarray,
    callback: Callable[..., Any] | None,
    display: Display,
    saver: Saver | None,
    saved: Saved | None,
    spent: float = 0.0,
) -> Run:
    """A run that begins after `spent` seconds, or goes on where its checkpoint is."""
    if saved is None:
        progress = Progress(callback, display, spent, spent)
    else:
        spent = saved.seconds
        progress = Progress(callback, display, spent, saved.result.seconds, saved.moves)
    budget = Budget(options, spent)
    return Run(landscape, options, starts, budget, progress, saver, saved)


def _carry_out(
    run: Run, workers: int | None, executor: Executor | None, on_interrupt: str
) -> Result:
    """Compile what is needed, start the clock, search, and return the result."""
    checked_choice("on_interrupt", on_interrupt, (RAISE, RETURN))
    display, options = run.progress.display, run.options
    with leaving_at_once():
        compile_search(
            run.landscape,
            options.radius,
            options.method,
            options.selection,
            is_bounded=options.max_archive is not None,
            memory_limit=options.memory_limit,
            display=display,
        )
    display.restart()
    run.budget.restart(0.0)
    _log.info("run begins: %r, %r", run.landscape, options)
    with stopping_on_signals(run.budget.stop) as heard:
        run.plan_on()
        if run.is_done():
            pass
        elif executor is not None:
            packed = packed_landscape(run.landscape, named=False)
            asked = None if workers == ALL_CORES else workers
            search_together(run, executor, asked, packed)
        elif options.workers == 1:
            search_alone(run)
        else:
            with ThreadPoolExecutor(options.workers) as threads:
                search_together(run, threads, options.workers, run.landscape)
        run.finish()
        result = run.result()
    _log.info("run ended: %r", result)
    pass_on(heard, result, on_interrupt)
    return result


def checked_workers(workers: Any, executor: Any) -> int:
    """How many blocks of units are to be run at a time; -1 is all there is room for."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor = {brief(executor)} has no method submit")
    every = is_whole(workers) and workers == ALL_CORES
    if executor is not None and (workers is None or every):
        return capacity(executor)
    if workers is None or every:
        return min(cores(), MOST_WORKERS) if every else 1
    or_all = f"or {ALL_CORES} for all cores"
    return checked_whole("workers", workers, 1, MOST_WORKERS, or_all)
