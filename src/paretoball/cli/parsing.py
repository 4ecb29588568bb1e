"""Parsing: arguments read strictly, and complaints of one line."""

import argparse
import math
import re
import sys
from contextlib import suppress
from typing import Any, NoReturn

from paretoball.system import printable

WHOLE = re.compile(r"-?[0-9]{1,50}")
REAL = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
CLIMB: dict[str, Any] = {
    "choices": ("full", "strong-only"),
    "help": "to local optima (default), or while there are strong moves",
}
SELECTIONS = ("next", "best", "uniform")
CLUSTER = re.compile(r"(tcp|tls)://[^\s/]+:[0-9]+")


def complain(text: str) -> None:
    """One line on standard error."""
    with suppress(OSError):
        line = printable(" ".join(text.split()))
        print(f"paretoball: {line}", file=sys.stderr, flush=True)


def tell(*lines: str) -> None:
    """Lines on standard output; names and texts of files cannot disturb a terminal."""
    for line in lines:
        print(printable(line), flush=True)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, and whose options have one name."""

    def __init__(self, **settings: Any):
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **settings)

    def parse_known_args(  # type: ignore[override]
        self, args: Any = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse; what a command does not know, it refuses itself, not its parent."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        """Complain and leave."""
        complain(f"{message.removeprefix('argument ')} (see {self.prog} --help)")
        raise SystemExit(2)


def add_command(commands: Any, name: str, text: str, *examples: str) -> Parser:
    """Add a command with its description and examples."""
    lines = "\n".join(f"  paretoball {example}" for example in examples)
    parser: Parser = commands.add_parser(
        name, help=text, description=f"{text}.", epilog=f"examples:\n{lines}"
    )
    return parser


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
    """A whole number of at least 1."""
    if whole(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return whole(text)


def worker_count(text: str) -> int:
    """The option workers: at least 1, or -1, which stands for all cores."""
    if whole(text) < 1 and whole(text) != -1:
        raise argparse.ArgumentTypeError(
            f"{text} is not at least 1, nor -1 for all cores"
        )
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
    return _word_or_whole(text, "adjacent", "random")


def couplings(text: str) -> str | int:
    """The option couplings: a name or the largest one."""
    return _word_or_whole(text, "pm", "gaussian")


def _word_or_whole(text: str, *words: str) -> str | int:
    """One of two words, or a whole number."""
    if text not in words and not WHOLE.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither {', '.join(words)} nor a whole number"
        )
    return text if text in words else int(text)


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
