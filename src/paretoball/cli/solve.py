"""`paretoball solve`: search for the Pareto front of an instance."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from paretoball.cli.instances import add_instances, landscape_of
from paretoball.cli.outcome import check_apart, check_output
from paretoball.cli.parsing import (
    CLIMB,
    SELECTIONS,
    add_command,
    at_least_one,
    directions,
    seconds,
    whole,
)
from paretoball.cli.searching import add_means, searched
from paretoball.search import AUTO, DEFAULT_METHOD, EXACT, METHODS
from paretoball.system import counted

if TYPE_CHECKING:
    from paretoball.running import Result


def add(commands: Any) -> None:
    """Add the command and its options."""
    parser = add_command(
        commands,
        "solve",
        "Search for the Pareto front of an instance",
        "solve mnk.npz --time 60 -o run.npz",
        "solve mnk.npz --radius 3 --climbs 100 --seed 7 --workers 2 -o run.npz",
        "solve mnk.npz --moves 1000000 --weights 1,2 --selection best",
        "solve mnk.npz --time 60 --start run.npz -o next.npz",
        "solve cost.qubo risk.qubo --time 60 -o run.npz",
        "solve mnk.npz --time 86400 --workers 8 --checkpoint run.npz",
    )
    option = parser.add_argument
    add_instances(parser)
    option(
        "--method",
        choices=(AUTO, *METHODS, EXACT),
        default=DEFAULT_METHOD,
        help=f"how to search (default: {DEFAULT_METHOD}: exact if cheap, else path)",
    )
    option(
        "--radius",
        type=at_least_one,
        help="of climbs (default: 2, or 1 where set-up or moves would cost too much)",
    )
    option("--seed", type=whole, help="the same seed and climbs, the same front")
    option("--time", type=seconds, metavar="SECONDS", help="budget, with set-up")
    option("--climbs", type=at_least_one, help="budget in paths; later ones are longer")
    option("--moves", type=at_least_one, help="budget")
    option(
        "--weights",
        type=directions,
        help="simplex (default), independent, or a number per objective: 1,2",
    )
    option(
        "--breadth",
        type=at_least_one,
        help="how many workers the run may ever use (default: by the landscape)",
    )
    option("--start", metavar="RUN", help="start first climbs from this run's front")
    option(
        "--selection",
        choices=SELECTIONS,
        default="next",
        help="any improving move (next, default; uniform, the paper's rule), or best: "
        "one of the largest gains",
    )
    option("--climb", default="full", **CLIMB)
    option("--max-archive", type=at_least_one, help="solutions kept, the least crowded")
    option(
        "--checkpoint",
        metavar="RUN",
        help="an .npz file to write now and then, and to go on from if it is there",
    )
    add_means(parser)
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Search, print what was found, and save it."""
    unlimited = options.time is options.climbs is options.moves is None
    if unlimited and options.method != EXACT:
        raise ValueError("no budget: give --time, --climbs or --moves")
    outputs = [path for path in (options.o, options.checkpoint) if path is not None]
    for path in outputs:
        check_output(path, ".npz")
        for instance in options.instances:
            check_apart(instance, path)
    from paretoball import solve as search
    from paretoball.running import EVERY

    landscape = landscape_of(options)
    start = None if options.start is None else _run_of(options.start, landscape.n)
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
            breadth=options.breadth,
            selection=options.selection,
            climb=options.climb,
            checkpoint=options.checkpoint,
            checkpoint_every=options.checkpoint_every or EVERY,
            max_archive=options.max_archive,
            **how,
        ),
    )


def _run_of(path: str, n: int) -> "Result":
    """A run to start from, if its solutions have n bits."""
    from paretoball import load

    run = load(path)
    if run.n != n:
        bits = counted(run.n, "bit")
        raise ValueError(
            f"{path}: its solutions have {bits}, but the instance has n = {n:,}"
        )
    return run
