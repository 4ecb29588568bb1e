"""`paretoball exact`: the whole Pareto front of an instance, proven."""

from argparse import Namespace
from typing import Any

from paretoball.cli.instances import add_instances, landscape_of
from paretoball.cli.outcome import check_apart, check_output
from paretoball.cli.parsing import add_command, at_least_one, seconds, tell


def add(commands: Any) -> None:
    """Add the command and its options."""
    parser = add_command(
        commands,
        "exact",
        "Find the whole Pareto front of an instance, where its width is small",
        "exact mnk.npz -o run.npz",
        "exact cut0.json cut1.json cut2.json --time 600 -o run.npz",
    )
    option = parser.add_argument
    add_instances(parser)
    option("--time", type=seconds, metavar="SECONDS", help="give up after this time")
    option(
        "--max-points",
        type=at_least_one,
        help="give up once tables have had so many vectors, all steps together",
    )
    option("--memory-limit", metavar="SIZE", help="what tables may take, as in 8GB")
    option("--quiet", action="store_true", help="show no progress")
    option("-o", metavar="RUN", help="save the result here, an .npz file")
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Find the front, print what it is, and save it."""
    if options.o is not None:
        check_output(options.o, ".npz")
        for instance in options.instances:
            check_apart(instance, options.o)
    from paretoball.report import result_lines
    from paretoball.running import solved_exactly

    result = solved_exactly(
        landscape_of(options),
        progress=not options.quiet,
        time_limit=options.time,
        max_points=options.max_points,
        memory_limit=options.memory_limit,
    )
    tell(*result_lines(result))
    if options.o is None:
        tell("not saved: no -o was given")
    else:
        result.save(options.o)
        tell(f"saved as {options.o}")
    return 0
