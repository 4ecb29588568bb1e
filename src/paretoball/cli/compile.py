"""`paretoball compile`: compile ahead, for instance while a container is built."""

from argparse import Namespace
from typing import Any

from paretoball.cli.parsing import add_command, complain, whole_list
from paretoball.search import METHODS
from paretoball.system import counted


def add(commands: Any) -> None:
    """Add the command and its options."""
    parser = add_command(
        commands,
        "compile",
        "Compile ahead what later commands need, once for each machine",
        "compile",
        "compile --objectives 2,3 --method path",
    )
    option = parser.add_argument
    option(
        "--objectives",
        type=whole_list,
        metavar="D",
        help="for landscapes with these numbers of objectives (default: 1,2,3,4)",
    )
    option("--method", choices=tuple(METHODS), help="for this method (default: all)")
    option("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Compile, and print how long it took and where the kernels are."""
    from paretoball import warm_up

    chosen = {} if options.objectives is None else {"d": options.objectives}
    done = warm_up(**chosen, method=options.method, progress=not options.quiet)
    if done.kernels == 0:
        print(f"nothing to compile: all kernels are in {done.folder}")
        return 0
    print(f"compiled {counted(done.kernels, 'kernel')} in {done.seconds:.0f} s")
    if done.unkept:
        complain(f"not kept: {done.unkept}")
        return 1
    print(f"kept in {done.folder}")
    return 0
