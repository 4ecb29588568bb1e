"""The command line: arguments in, one call, text out.

Nothing heavy is imported before the arguments are known to be right, so that help and
complaints come at once. Exit codes: 0 all is well, 1 a check failed, 2 bad input, 130
and 143 after Ctrl-C and SIGTERM, with what was found until then.
"""

import io
import os
import secrets
import sys
import warnings
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paretoball.arguments import complain, parsed
from paretoball.signals import (
    EXIT_CODES,
    INTERRUPTED,
    Leaving,
    leaving_on_signals,
    stopping_on_signals,
)

if TYPE_CHECKING:
    import numpy as np

    from paretoball.result import Result

BAD_INPUT = (ValueError, TypeError, OverflowError, MemoryError, OSError, ImportError)
BROKEN_PIPE = 141
DEMO_SECONDS = 7.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        is_program = arguments is None
        with leaving_on_signals(is_program), warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: complain(str(message))
            code = run(arguments)
            flush()
    except BrokenPipeError:
        code = BROKEN_PIPE
    except (Leaving, KeyboardInterrupt) as left:
        why = str(left) or INTERRUPTED
        complain(why)
        code = EXIT_CODES[why]
    except BAD_INPUT as error:
        complain(in_words(error))
        code = 2
    try:
        flush()
    except OSError:  # let nothing be left to complain about at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def run(arguments: Sequence[str] | None) -> int:
    """Parse the arguments and carry out the command."""
    try:
        options = parsed(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    return COMMANDS[options.command](options)


def flush() -> None:
    """See that all output is out."""
    if sys.stdout is not None:
        sys.stdout.flush()


def in_words(error: BaseException) -> str:
    """An error in one line."""
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror}"
    return str(error) or type(error).__name__


def demo(_: Namespace) -> int:
    """Solve an example and show its front."""
    from paretoball import mnk
    from paretoball import solve as search
    from paretoball.overview import drawn_front, result_lines

    print("An adjacent MNK landscape: 2 objectives, 10,000 variables, K = 3, q = 100.")
    print(f"Searching for {DEMO_SECONDS:g} seconds, after compilation ...", flush=True)
    landscape = mnk(n=10_000, K=3, d=2, q=100, model="adjacent", seed=1)
    with noting_signals() as noted:
        result = search(landscape, radius=2, time_limit=DEMO_SECONDS, seed=1)
        print("", *drawn_front(result), "", *result_lines(result), sep="\n")
    print(
        """
Next, a run of your own, checked and drawn:
  paretoball generate mnk --n 10000 --K 3 --seed 1 -o mnk.npz
  paretoball solve mnk.npz --radius 3 --time 30 -o run.npz
  paretoball verify mnk.npz run.npz
  paretoball plot run.npz -o front.png"""
    )
    return exit_code(result, noted)


def generate(options: Namespace) -> int:
    """Write an MNK landscape to a file."""
    check_output(options.o, ".json", ".npz")
    from paretoball import mnk, mnk_java, write_landscape

    sizes = (options.n, options.K, options.d, options.q, options.model)
    if options.pseed is not None:
        landscape = mnk_java(*sizes, pseed=options.pseed)
        seed = f"pseed {options.pseed}"
    else:
        number = secrets.randbits(32) if options.seed is None else options.seed
        landscape = mnk(*sizes, seed=number)
        seed = f"seed {number}"
    write_landscape(landscape, options.o)
    print(f"{options.o}: {landscape}, {seed}")
    return 0


def info(options: Namespace) -> int:
    """Print what an instance is, and what climbers of it take."""
    from paretoball import read_landscape
    from paretoball.overview import landscape_lines

    for line in landscape_lines(read_landscape(options.instance)):
        print(line, flush=True)
    return 0


def solve(options: Namespace) -> int:
    """Search, print what was found, and save it."""
    if options.time is options.climbs is options.moves is None:
        raise ValueError("no budget: give --time, --climbs or --moves")
    for path in filter(None, (options.o, options.checkpoint)):
        check_output(path, ".npz")
        check_apart(options.instance, path)
    from paretoball import read_landscape
    from paretoball import solve as search
    from paretoball.search.driver import EVERY

    landscape = read_landscape(options.instance)
    start = None if options.start is None else solutions(options.start, landscape.n)
    return searched(
        options,
        options.checkpoint,
        lambda **how: search(
            landscape,
            method=options.method,
            radius=options.radius,
            seed=options.seed,
            start=start,
            weights=options.weights,
            selection=options.selection,
            climb=options.climb,
            checkpoint=options.checkpoint,
            checkpoint_every=options.checkpoint_every or EVERY,
            max_archive=options.max_archive,
            **how,
        ),
    )


def resume(options: Namespace) -> int:
    """Go on with a run from its checkpoint."""
    check_output(options.checkpoint, ".npz")
    if options.o is not None:
        check_output(options.o, ".npz")
    from paretoball import resume as search

    return searched(
        options,
        options.checkpoint,
        lambda **how: search(
            options.checkpoint, checkpoint_every=options.checkpoint_every, **how
        ),
    )


def searched(
    options: Namespace, checkpoint: str | None, search: "Callable[..., Result]"
) -> int:
    """Carry a search out, print and save what comes of it, whatever happens."""
    if (
        options.o
        and checkpoint
        and os.path.realpath(options.o) == os.path.realpath(checkpoint)
    ):
        raise ValueError(f"{options.o}: it is the checkpoint; -o is not needed then")
    from paretoball.overview import result_lines

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
        print(*result_lines(result), sep="\n", flush=True)
        where = options.o or checkpoint
        if failures:
            complain(f"not saved: {failures[-1]}")
        elif where is None:
            print("not saved: no -o was given")
        else:
            print(f"saved as {where}", flush=True)
    return exit_code(result, noted) or (1 if failures else 0)


@contextmanager
def executor(options: Namespace) -> Iterator[tuple[Any, int | None]]:
    """Who does the work, and how many at a time: this program, or a cluster."""
    if options.dask is None:
        yield None, options.workers
        return
    from paretoball.search.cluster import dask_executor

    with dask_executor(options.dask, options.workers) as pool:
        yield pool, options.workers


@contextmanager
def noting_signals() -> Iterator[list[str]]:
    """Note signals that come here, for the exit code."""
    noted: list[str] = []
    with stopping_on_signals(noted.append):
        yield noted


def exit_code(result: "Result", noted: list[str]) -> int:
    """What a search ends with: 1 if its workers failed."""
    if noted:
        return EXIT_CODES[noted[0]]
    return 1 if result.failed else 0


def solutions(path: str, n: int) -> "np.ndarray":
    """The solutions of a run to start from, rebuilt if they have n bits."""
    from paretoball import load

    run = load(path)
    if run.n != n:
        raise ValueError(
            f"{path}: its solutions have {run.n:,} bits, but the instance has n = {n:,}"
        )
    return run.X


def verify(options: Namespace) -> int:
    """Check a run; print each failure on a line, then the verdict."""
    from paretoball import read_landscape
    from paretoball.verify import verify as check

    def note(text: str) -> None:
        print(f"checking: {text}", file=sys.stderr, flush=True)

    landscape = read_landscape(options.instance)
    report = check(landscape, options.run, options.local, note)
    for remark in report.remarks:
        print(f"note: {remark}")
    for failure in report.failures:
        print(f"failed: {failure}")
    balls = "" if options.local is None else f", {report.optima:,} of them as optima"
    failures = len(report.failures)
    noun = "failure" if failures == 1 else "failures"
    verdict = f"{failures:,} {noun}" if failures else "all is well"
    print(f"{options.run}: {report.rows:,} rows checked{balls}: {verdict}")
    return 1 if failures else 0


def plot(options: Namespace) -> int:
    """Draw the front of a run into a file, or a campaign into several."""
    if not os.path.exists(options.what):
        raise ValueError(f"{options.what}: there is no such run or campaign")
    if Path(options.what).is_dir():
        from paretoball.paper.figures import draw_campaign

        for path in draw_campaign(options.what, options.o or options.what):
            print(f"drawn as {path}")
        return 0
    if options.o is None:
        raise ValueError(f"{options.what}: where to? Give -o, .png, .svg or .pdf")
    check_output(options.o, ".png", ".svg", ".pdf")
    from paretoball import load
    from paretoball.plots import save_figure

    save_figure(load(options.what), options.o)
    print(f"drawn as {options.o}")
    return 0


def paper(options: Namespace) -> int:
    """Begin a campaign or go on with it; print what came out once it is finished."""
    from paretoball.paper import quality, runtime
    from paretoball.paper.conduct import conduct, outlook
    from paretoball.paper.folder import Campaign
    from paretoball.paper.plan import asked_plan

    plan = asked_plan(options.experiment, options.quick, vars(options))
    folder = options.o or plan.default_folder(options.quick)
    campaign = Campaign.begin_or_go_on(folder, plan)
    if options.dry_run:
        print(*outlook(campaign, options.workers or 1), sep="\n")
        return 0
    with executor(options) as (pool, workers):
        stopped = conduct(campaign, workers, not options.quiet, pool)
    finished = f"{len(campaign.rows):,} of {plan.size:,} runs are finished"
    if stopped is not None:
        why = f"{stopped}: {finished}; the same command goes on with the others"
        tell = print if stopped in EXIT_CODES else complain
        tell(why)
        return EXIT_CODES.get(stopped, 1)
    if plan.experiment == "runtime":
        lines = runtime.report(campaign)
    else:
        lines = quality.report(campaign, progress=False if options.quiet else None)
    for line in lines:
        print(line, flush=True)
    print(f"{folder}: {finished}; for figures: paretoball plot {folder}")
    return 0


def check_output(path: str, *suffixes: str) -> None:
    """Refuse now, and not after the work, a file that could not be written."""
    if Path(path).suffix not in suffixes:
        raise ValueError(f"{path}: its name should end in {' or '.join(suffixes)}")
    from paretoball.storage import check_writable

    check_writable(path)


def check_apart(instance: str, output: str) -> None:
    """The result does not take the place of the instance."""
    if os.path.exists(output) and os.path.samefile(instance, output):
        raise ValueError(f"{output}: it is the instance, which would be lost")


COMMANDS = {
    "demo": demo,
    "generate": generate,
    "info": info,
    "solve": solve,
    "resume": resume,
    "verify": verify,
    "plot": plot,
    "paper": paper,
}
