"""`paretoball paper`: repeat an experiment of the paper."""

import argparse
from argparse import Namespace
from functools import partial
from typing import Any

from paretoball.cli.parsing import (
    CLIMB,
    SELECTIONS,
    add_command,
    at_least_one,
    cluster,
    complain,
    entries,
    model,
    seconds,
    tell,
    whole,
    whole_list,
    worker_count,
)
from paretoball.cli.searching import executor
from paretoball.system import EXIT_CODES, counted


def add(commands: Any) -> None:
    """Add the command and its options."""
    text = "Repeat an experiment of the paper"
    example = "paper runtime --quick"
    parser = add_command(commands, "paper", text, example, "paper quality --quick")
    experiments = parser.add_subparsers(metavar="EXPERIMENT", required=True)
    _add_experiment(
        experiments,
        "runtime",
        "How long a move takes as problems grow (Section 5.1, Figure 2)",
        sizes="10000,20000,...,100000",
        objectives="2,3",
        quick="n = 10000, 50000 and 100000, 2 runs of 3 s each",
    )
    _add_experiment(
        experiments,
        "quality",
        "How good the fronts of each radius are (Section 5.2, Figure 3)",
        sizes="10000",
        objectives="2",
        quick="5 runs of 5 s each",
    )
    _add_exact(experiments)


def _add_exact(commands: Any) -> None:
    """Add the exact front and its options."""
    text = "The whole exact front of the paper's instance (under Figure 3)"
    parser = add_command(commands, "exact", text, "paper exact", "paper exact --n 1000")
    parser.description = f"""{text}.

Takes some minutes. Writes a folder with the run file. The same command goes on after
the last band that was finished."""
    option = parser.add_argument
    option("--n", type=at_least_one, default=10_000, help="variables (default: 10000)")
    option("--K", type=whole, default=3, help="as for the others (default: 3)")
    option("--q", type=at_least_one, default=100, help="likewise (default: 100)")
    option("--pseed", type=whole, default=1, help="likewise (default: 1)")
    option("-o", metavar="FOLDER", default="paper-exact", help="(default: paper-exact)")
    option("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run_command=_run_exact)


def _run_exact(options: Namespace) -> int:
    """Find the whole front, and print what it is."""
    from paretoball.paper import whole_front_lines

    sizes = options.n, options.K, options.q, options.pseed
    tell(*whole_front_lines(options.o, *sizes, progress=not options.quiet))
    return 0


def _add_experiment(
    commands: Any, name: str, text: str, sizes: str, objectives: str, quick: str
) -> None:
    """Add an experiment and its options."""
    parser = add_command(
        commands,
        name,
        text,
        f"paper {name} --quick",
        f"paper {name} --runs 10 --time 20 --dry-run",
        f"paper {name} --workers 2 -o results",
    )
    parser.description = f"""{text}.

Writes a folder with the plan, a row for each finished run, and their fronts.
The same command goes on where it was stopped."""
    parser.argument_default = argparse.SUPPRESS  # the plan has the defaults
    option = parser.add_argument
    several = partial(option, type=whole_list)
    several("--n", metavar="N,...", help=f"variables (default: {sizes})")
    several("--d", metavar="D,...", help=f"objectives (default: {objectives})")
    several("--radius", metavar="R,...", help="of climbs (default: 1,2,3)")
    option("--runs", type=at_least_one, help="for each n, d and radius (default: 30)")
    option("--time", type=seconds, metavar="SECONDS", help="of a run (default: 60)")
    option("--climbs", type=at_least_one, help="budget of a run, instead of a time")
    option("--moves", type=at_least_one, help="budget of a run, instead of a time")
    option("--K", type=whole, help="other variables in each table (default: 3)")
    option("--q", type=entries, help="as for generate (default: 100)")
    option("--model", type=model, help="as for generate (default: adjacent)")
    option("--pseed", type=whole, help="of the landscapes, the authors' (default: 1)")
    option("--seed", type=whole, help="of the campaign, for all runs (default: 1)")
    option("--climb", **CLIMB)
    option(
        "--selection",
        choices=SELECTIONS,
        help="of moves (default: uniform, the paper's rule)",
    )
    one = partial(option, default=None)
    one("--workers", type=worker_count, help="processes (default: 1; -1: all cores)")
    text = "make runs on a Dask cluster: local, or an address tcp://..."
    one("--dask", type=cluster, metavar="CLUSTER", help=text)
    where = f"default: paper-{name}, with -strong-only and -quick where they apply"
    one("-o", metavar="FOLDER", help=where)
    flag = partial(option, action="store_true", default=False)
    flag("--quick", help=f"within five minutes: {quick}")
    flag("--dry-run", help="print how many runs and hours it takes; run nothing")
    flag("--quiet", help="show no progress")
    parser.set_defaults(run_command=run, experiment=name)


def run(options: Namespace) -> int:
    """Begin a campaign or go on with it; print what came out once it is finished."""
    from paretoball.paper import Campaign, asked_plan, conduct, outlook, report_lines
    from paretoball.running import checked_workers

    plan = asked_plan(options.experiment, options.quick, vars(options))
    folder = options.o or plan.default_folder(options.quick)
    campaign = Campaign.begin_or_go_on(folder, plan)
    if options.dry_run:
        processes = checked_workers(options.workers, None)
        tell(*outlook(campaign, processes))
        return 0
    with executor(options) as (pool, workers):
        stopped = conduct(campaign, workers, not options.quiet, pool)
    finished = f"{len(campaign.rows):,} of {counted(plan.size, 'run')} finished"
    if stopped is not None:
        why = f"{stopped}: {finished}; the same command goes on with the others"
        (tell if stopped in EXIT_CODES else complain)(why)
        return EXIT_CODES.get(stopped, 1)
    for line in report_lines(campaign, progress=False if options.quiet else None):
        tell(line)
    tell(f"{folder}: {finished}; for figures: paretoball plot {folder}")
    return 0
