"""Arguments: every command of the command line and its options, strictly parsed."""

import argparse
import math
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

from paretoball import __version__

WHOLE = re.compile(r"-?[0-9]{1,50}")
REAL = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
CLUSTER = re.compile(r"(tcp|tls)://[^\s/]+:[0-9]+")
CLIMB: dict[str, Any] = {
    "choices": ("full", "strong-only"),
    "help": "to local optima (default), or while there are strong moves",
}


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the arguments say; leaves once help is given or a complaint made."""
    return new_parser().parse_args(arguments)


def complain(text: str) -> None:
    """One line on standard error."""
    with suppress(OSError):
        print(f"paretoball: {' '.join(text.split())}", file=sys.stderr, flush=True)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, and whose options have one name."""

    def __init__(self, **settings: Any):
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Complain and leave."""
        complain(f"{message.removeprefix('argument ')} (see {self.prog} --help)")
        raise SystemExit(2)


def whole(text: str) -> int:
    """A whole number as people write it, not all that `int` takes."""
    if not WHOLE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def real(text: str) -> float:
    """A number as people write it, not all that `float` takes."""
    if not REAL.fullmatch(text) or not math.isfinite(float(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return float(text)


def at_least_one(text: str) -> int:
    """A whole number of things of which there must be some."""
    if whole(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return whole(text)


def whole_list(text: str) -> tuple[int, ...]:
    """One or several whole numbers above 0, with commas between them."""
    return tuple(at_least_one(part) for part in text.split(","))


def seconds(text: str) -> float:
    """A time above 0."""
    if not real(text) > 0:
        raise argparse.ArgumentTypeError(f"{text} seconds are not above 0")
    return real(text)


def entries(text: str) -> int | None:
    """The option q: None stands for real tables."""
    return None if text == "real" else whole(text)


def model(text: str) -> str | int:
    """The option model: a name or a window."""
    return text if text in ("adjacent", "random") else whole(text)


def directions(text: str) -> str | list[float]:
    """The option weights: a rule or numbers."""
    rules = ("simplex", "independent")
    return text if text in rules else [real(number) for number in text.split(",")]


def cluster(text: str) -> str:
    """The option dask: local or an address."""
    if text != "local" and not CLUSTER.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither local nor like tcp://host:8786"
        )
    return text


def new_parser() -> Parser:
    """All commands and their options."""
    parser = Parser(
        prog="paretoball",
        description="Pareto fronts of large multi-objective pseudo-Boolean problems.",
        epilog="Begin with:        paretoball demo\n"
        "Help on a command: paretoball solve --help",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    add_demo(commands)
    add_generate(commands)
    add_info(commands)
    add_solve(commands)
    add_resume(commands)
    add_verify(commands)
    add_plot(commands)
    add_paper(commands)
    return parser


def add(commands: Any, name: str, text: str, *examples: str) -> Parser:
    """A command with its description and examples."""
    lines = "\n".join(f"  paretoball {example}" for example in examples)
    parser: Parser = commands.add_parser(
        name, help=text, description=f"{text}.", epilog=f"examples:\n{lines}"
    )
    return parser


def add_demo(commands: Any) -> None:
    parser = add(commands, "demo", "Solve an example and show its front", "demo")
    parser.set_defaults(command="demo")


def add_generate(commands: Any) -> None:
    example = "generate mnk --n 10000 --K 3 --seed 1 -o mnk.npz"
    parser = add(commands, "generate", "Make an instance", example)
    families = parser.add_subparsers(metavar="FAMILY", required=True)
    parser = add(
        families,
        "mnk",
        "Make an MNK landscape: n tables per objective, each on K + 1 variables",
        example,
        "generate mnk --n 500 --K 2 --d 3 --q real --model random --seed 1 -o m.json",
        "generate mnk --n 10000 --K 3 --pseed 1 -o authors.npz",
    )
    option = parser.add_argument
    option("--n", type=whole, required=True, help="variables")
    option("--K", type=whole, required=True, help="other variables in each table")
    option("--d", type=whole, default=2, help="objectives (default: 2)")
    option(
        "--q",
        type=entries,
        default=100,
        help="entries are whole numbers below q; or: real (default: 100)",
    )
    option(
        "--model",
        type=model,
        default="adjacent",
        help="adjacent, random, or the window that others are from, a number",
    )
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument("--seed", type=whole, help="the same seed, the same landscape")
    seeds.add_argument(
        "--pseed", type=whole, help="make what the authors' program makes of this seed"
    )
    option("-o", metavar="FILE", required=True, help="to write: .json or .npz")
    parser.set_defaults(command="generate")


def add_info(commands: Any) -> None:
    text = "Tell sizes of an instance, and what climbers of it take"
    parser = add(commands, "info", text, "info mnk.npz")
    parser.add_argument("instance", metavar="INSTANCE", help="a .json or .npz file")
    parser.set_defaults(command="info")


def add_solve(commands: Any) -> None:
    parser = add(
        commands,
        "solve",
        "Search for the Pareto front of an instance",
        "solve mnk.npz --time 60 -o run.npz",
        "solve mnk.npz --radius 3 --climbs 100 --seed 7 --workers 2 -o run.npz",
        "solve mnk.npz --moves 1000000 --weights 1,2 --selection best",
        "solve mnk.npz --time 60 --start run.npz -o next.npz",
        "solve mnk.npz --time 86400 --workers 8 --checkpoint run.npz",
    )
    option = parser.add_argument
    option("instance", metavar="INSTANCE", help="a .json or .npz file")
    option(
        "--method",
        choices=("path", "multistart"),
        default="path",
        help="follow the front (default), or climb from random starts as the paper",
    )
    option("--radius", type=at_least_one, default=2, help="of climbs (default: 2)")
    option("--seed", type=whole, help="the same seed and climbs, the same front")
    option("--time", type=seconds, metavar="SECONDS", help="budget, with set-up")
    option("--climbs", type=at_least_one, help="budget; a path is one of them")
    option("--moves", type=at_least_one, help="budget")
    option(
        "--weights",
        type=directions,
        help="simplex (default), independent, or a number per objective: 1,2",
    )
    option("--start", metavar="RUN", help="start first climbs from this run's front")
    option(
        "--selection",
        choices=("next", "best"),
        default="next",
        help="any improving move (default), or one of the largest gains",
    )
    option("--climb", default="full", **CLIMB)
    option("--max-archive", type=at_least_one, help="solutions kept, the least crowded")
    option(
        "--checkpoint",
        metavar="RUN",
        help="an .npz file to write now and then, and to go on from if it is there",
    )
    add_means(parser)
    parser.set_defaults(command="solve")


def add_resume(commands: Any) -> None:
    parser = add(
        commands,
        "resume",
        "Go on with a run from its checkpoint",
        "resume run.npz",
        "resume run.npz --time 3600 --workers 2 -o longer.npz",
    )
    option = parser.add_argument
    option("checkpoint", metavar="RUN", help="what solve --checkpoint wrote")
    option(
        "--time",
        type=seconds,
        metavar="SECONDS",
        help="budget from now on (default: what is left of the run's own)",
    )
    option("--climbs", type=at_least_one, help="budget, with those done before")
    option("--moves", type=at_least_one, help="budget, with those done before")
    add_means(parser)
    parser.set_defaults(command="resume")


def add_means(parser: Parser) -> None:
    """Options of everything that searches."""
    option = parser.add_argument
    option(
        "--workers",
        type=at_least_one,
        help="threads (default: 1), or processes of --dask local (default: all cores)",
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


def add_verify(commands: Any) -> None:
    parser = add(
        commands,
        "verify",
        "Check a run against its instance, sharing nothing with the search",
        "verify mnk.npz run.npz",
        "verify mnk.npz run.npz --local 1",
    )
    option = parser.add_argument
    option("instance", metavar="INSTANCE", help="a .json or .npz file")
    option("run", metavar="RUN", help="what solve saved")
    option(
        "--local",
        type=whole,
        metavar="R",
        help="search the balls of radius R around local optima, by brute force",
    )
    parser.set_defaults(command="verify")


def add_plot(commands: Any) -> None:
    parser = add(
        commands,
        "plot",
        "Draw the front of a run, or the figures of a campaign",
        "plot run.npz -o front.png",
        "plot run.npz -o front.pdf",
        "plot paper-quality",
    )
    option = parser.add_argument
    option("what", metavar="RUN|CAMPAIGN", help="a file of solve, a folder of paper")
    option(
        "-o",
        metavar="FIGURE",
        help="to write: .png, .svg or .pdf; of a campaign, which has several figures "
        "and is drawn in all three formats, a folder (default: its own)",
    )
    parser.set_defaults(command="plot")


def add_paper(commands: Any) -> None:
    text = "Repeat an experiment of the paper"
    example = "paper runtime --quick"
    parser = add(commands, "paper", text, example, "paper quality --quick")
    experiments = parser.add_subparsers(metavar="EXPERIMENT", required=True)
    add_experiment(
        experiments,
        "runtime",
        "How long a move takes as problems grow (Section 5.1, Figure 2)",
        sizes="10000,20000,...,100000",
        objectives="2,3",
        quick="n = 10000, 50000 and 100000, 2 runs of 3 s each",
    )
    add_experiment(
        experiments,
        "quality",
        "How good the fronts of each radius are (Section 5.2, Figure 3)",
        sizes="10000",
        objectives="2",
        quick="5 runs of 5 s each",
    )


def add_experiment(
    commands: Any, name: str, text: str, sizes: str, objectives: str, quick: str
) -> None:
    parser = add(
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
    option("--runs", type=at_least_one, help="of each n, d and radius (default: 30)")
    option("--time", type=seconds, metavar="SECONDS", help="of a run (default: 60)")
    option("--climbs", type=at_least_one, help="budget of a run, instead of a time")
    option("--moves", type=at_least_one, help="budget of a run, instead of a time")
    option("--K", type=whole, help="other variables in each table (default: 3)")
    option("--q", type=entries, help="as for generate (default: 100)")
    option("--model", type=model, help="as for generate (default: adjacent)")
    option("--pseed", type=whole, help="of the landscapes, the authors' (default: 1)")
    option("--seed", type=whole, help="of the campaign, for all runs (default: 1)")
    option("--climb", **CLIMB)
    one = partial(option, default=None)
    one("--workers", type=at_least_one, help="processes (default: 1)")
    text = "make runs on a Dask cluster: local, or an address tcp://..."
    one("--dask", type=cluster, metavar="CLUSTER", help=text)
    where = f"default: paper-{name}, then -strong-only and -quick if it is"
    one("-o", metavar="FOLDER", help=where)
    flag = partial(option, action="store_true", default=False)
    flag("--quick", help=f"within five minutes: {quick}")
    flag("--dry-run", help="tell how many runs and hours it takes, and do nothing")
    flag("--quiet", help="show no progress")
    parser.set_defaults(command="paper", experiment=name)
