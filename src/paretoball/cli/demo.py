"""`paretoball demo`: solve an example and show its front."""

from argparse import Namespace
from typing import Any

from paretoball.cli.outcome import exit_code, noting_signals
from paretoball.cli.parsing import add_command, tell

DEMO_SECONDS = 7.0


def add(commands: Any) -> None:
    """Add the command and its options."""
    parser = add_command(
        commands, "demo", "Solve an example and show its front", "demo"
    )
    parser.set_defaults(run_command=run)


def run(_: Namespace) -> int:
    """Solve an example and show its front."""
    from paretoball import mnk
    from paretoball import solve as search
    from paretoball.report import drawn_front, result_lines

    print("An adjacent MNK landscape: 2 objectives, 10,000 variables, K = 3, q = 100.")
    print(f"Searching for {DEMO_SECONDS:g} seconds, after compilation ...", flush=True)
    landscape = mnk(n=10_000, K=3, d=2, q=100, model="adjacent", seed=1)
    with noting_signals() as noted:
        result = search(landscape, time_limit=DEMO_SECONDS, seed=1)
        tell("", *drawn_front(result), "", *result_lines(result))
    print(
        """
Next, a run of your own, checked and drawn:
  paretoball generate mnk --n 10000 --K 3 --seed 1 -o mnk.npz
  paretoball solve mnk.npz --radius 3 --time 30 -o run.npz
  paretoball verify mnk.npz run.npz
  paretoball plot run.npz -o front.png"""
    )
    return exit_code(result, noted)
