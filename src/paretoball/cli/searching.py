"""What `solve` and `resume` have in common."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from paretoball.cli.outcome import exit_code, in_words, noting_signals
from paretoball.cli.parsing import (
    Parser,
    cluster,
    complain,
    seconds,
    tell,
    worker_count,
)

if TYPE_CHECKING:
    from paretoball.running import Result


def add_means(parser: Parser) -> None:
    """Options of everything that searches."""
    option = parser.add_argument
    option(
        "--workers",
        type=worker_count,
        help="threads (default: 1), or processes of --dask local (default: all cores); "
        "-1 for all cores",
    )
    option(
        "--dask",
        type=cluster,
        metavar="CLUSTER",
        help="run climbs on a Dask cluster: local, or an address tcp://...",
    )
    option(
        "--checkpoint-every",
        type=seconds,
        metavar="SECONDS",
        help="from one checkpoint to the next (default: 60; of resume, as before)",
    )
    option("--memory-limit", metavar="SIZE", help="refuse what takes more, as in 8GB")
    option("--quiet", action="store_true", help="show no progress")
    option("-o", metavar="RUN", help="save the result here, an .npz file")


def searched(
    options: Namespace, checkpoint: str | None, search: "Callable[..., Result]"
) -> int:
    """Search, then print and save the result; returns the exit code."""
    if (
        options.o
        and checkpoint
        and os.path.realpath(options.o) == os.path.realpath(checkpoint)
    ):
        raise ValueError(f"{options.o}: it is the checkpoint; -o is not needed then")
    from paretoball.report import result_lines

    with executor(options) as (pool, workers), noting_signals() as noted:
        result = search(
            time_limit=options.time,
            max_climbs=options.climbs,
            max_moves=options.moves,
            workers=workers,
            executor=pool,
            memory_limit=options.memory_limit,
            progress=not options.quiet,
        )
        failures = [result.unsaved] if result.unsaved else []
        if options.o is not None:
            try:
                result.save(options.o)
            except OSError as error:
                failures.append(in_words(error))
        tell(*result_lines(result))
        where = options.o or checkpoint
        if failures:
            complain(f"not saved: {failures[-1]}")
        elif where is None:
            tell("not saved: no -o was given")
        else:
            tell(f"saved as {where}")
    return exit_code(result, noted) or (1 if failures else 0)


@contextmanager
def executor(options: Namespace) -> Iterator[tuple[Any, int | None]]:
    """The executor of a cluster, or None for threads; and the number of workers."""
    if options.dask is None:
        yield None, options.workers
        return
    from paretoball.running import dask_executor

    workers = None if options.workers == -1 else options.workers
    with dask_executor(options.dask, workers) as pool:
        yield pool, workers
