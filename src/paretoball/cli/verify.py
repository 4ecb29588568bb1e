"""`paretoball verify`: check a run against its instance."""

from argparse import Namespace
from typing import Any

from paretoball.cli.instances import add_instances, landscape_of
from paretoball.cli.parsing import add_command, tell, whole
from paretoball.system import Display, counted


def add(commands: Any) -> None:
    """Add the command and its options."""
    parser = add_command(
        commands,
        "verify",
        "Check a run against its instance, sharing nothing with the search",
        "verify mnk.npz run.npz",
        "verify mnk.npz run.npz --local 1",
    )
    option = parser.add_argument
    add_instances(parser)
    option("run", metavar="RUN", help="what solve saved")
    option(
        "--local",
        type=whole,
        metavar="R",
        help="search the balls of radius R around local optima, by brute force",
    )
    parser.set_defaults(run_command=run)


def run(options: Namespace) -> int:
    """Check a run; print each failure on a line, then the verdict."""
    from paretoball.verification import verify

    landscape = landscape_of(options)
    with Display(shown=True) as display:
        report = verify(landscape, options.run, options.local, display)
    for remark in report.remarks:
        tell(f"note: {remark}")
    for failure in report.failures:
        tell(f"failed: {failure}")
    optima = counted(report.optima, "optimum", "optima")
    balls = "" if options.local is None else f", {optima} among them"
    if report.unchecked:
        tell(f"not checked: {'; '.join(report.unchecked)}")
    failures = len(report.failures)
    verdict = counted(failures, "failure") if failures else "all is well"
    rows = counted(report.rows, "row")
    tell(f"{options.run}: {rows} checked{balls}: {verdict}")
    return 1 if failures else 0
