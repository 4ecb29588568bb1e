"""Plans: which runs an experiment is made of; each gets its seed from the plan's."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import compress, product
from typing import Any, NamedTuple

import numpy as np

from paretoball.formats import check_keys, check_kind
from paretoball.problems import checked_for_java, checked_sizes
from paretoball.system import brief

MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class Plan:
    """An experiment of multi-start on MNK landscapes: its sizes, runs and budget."""

    experiment: str  # runtime, Section 5.1 of the paper, or quality, Section 5.2
    n: tuple[int, ...]
    d: tuple[int, ...]
    radius: tuple[int, ...]
    runs: int = 30  # of each n, d and radius
    time: float | None = 60.0  # seconds of a run, with set-up
    climbs: int | None = None  # further budgets
    moves: int | None = None
    K: int = 3
    q: int | None = 100  # None stands for real tables
    model: str | int = "adjacent"
    pseed: int = 1  # of the landscapes, as the authors' program makes them
    seed: int = 1  # of the campaign
    climb: str = "full"
    selection: str = "uniform"  # the paper's rule

    def check(self) -> "Plan":
        """Refuse wrong values, from the command line or from a file."""
        if self.experiment not in PLANS:
            raise ValueError(f"there is no experiment {brief(self.experiment)}")
        if self.seed < 0:
            raise ValueError(f"seed = {self.seed} is negative")
        if self.time is self.climbs is self.moves is None:
            raise ValueError("no budget: give time, climbs or moves")
        for name in ("n", "d", "radius"):
            values = getattr(self, name)
            for value in values:
                if values.count(value) > 1:
                    raise ValueError(f"{name} = {value} is there twice")
        if self.size > MOST_RUNS:
            raise ValueError(f"{self.size:,} runs are more than {MOST_RUNS:,}")
        return self

    def check_landscapes(self) -> "Plan":
        """Refuse landscapes that cannot be made, here and now."""
        for n, d in product(self.n, self.d):
            checked_sizes(n, self.K, d, self.q, self.model)
        checked_for_java(self.q, self.pseed)
        return self

    @property
    def size(self) -> int:
        """The number of runs in all."""
        return self.runs * len(self.n) * len(self.d) * len(self.radius)

    def trials(self) -> "list[Trial]":
        """Every run, numbered; each round has one of every case."""
        rounds = product(range(self.runs), self.d, self.n, self.radius)
        return [
            Trial(number, n, d, radius, repeat, self._seed_of(n, d, radius, repeat))
            for number, (repeat, d, n, radius) in enumerate(rounds)
        ]

    def default_folder(self, quick: bool) -> str:
        """The folder of the campaign if none is given."""
        parts = ["paper", self.experiment, "strong-only", "quick"]
        wanted = [True, True, self.climb == "strong-only", quick]
        return "-".join(compress(parts, wanted))

    def _seed_of(self, *case: int) -> int:
        state = np.random.SeedSequence([self.seed, *case]).generate_state(1, np.uint64)
        return int(state[0]) >> 1

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, found: Any) -> "Plan":
        """The plan that `to_json` wrote; refuses what it would not write."""
        if not isinstance(found, dict):
            raise TypeError(f"the plan is {brief(found)}, not a JSON object")
        found = EARLIER | found
        check_keys(found, "the plan", {field.name for field in fields(cls)})
        for key, value in RUNTIME.to_json().items():
            if key in SEVERAL_KINDS:
                if type(found[key]) not in SEVERAL_KINDS[key]:
                    raise TypeError(f"{key} is {brief(found[key])}")
            else:
                check_kind(found, key, type(value))
        for key in ("n", "d", "radius"):
            for value in found[key]:
                check_kind({key: value}, key, int)
            found = {**found, key: tuple(found[key])}
        return cls(**found).check()

    def differences(self, other: "Plan") -> str:
        """The fields in which another plan differs, in words."""
        here, there = self.to_json(), other.to_json()
        return ", ".join(
            f"{key} = {value}, not {there[key]}"
            for key, value in here.items()
            if value != there[key]
        )


class Trial(NamedTuple):
    """One run of a plan."""

    run: int
    n: int
    d: int
    radius: int
    repeat: int
    seed: int


EARLIER = {"selection": "next"}  # in plans that were written without it
SEVERAL_KINDS = {  # what fields that are not of one kind may be
    "time": (float, int, type(None)),
    "climbs": (int, type(None)),
    "moves": (int, type(None)),
    "q": (int, type(None)),
    "model": (str, int),
}

RUNTIME = Plan("runtime", tuple(range(10_000, 100_001, 10_000)), (2, 3), (1, 2, 3))
QUALITY = Plan("quality", (10_000,), (2,), (1, 2, 3))
PLANS = {"runtime": RUNTIME, "quality": QUALITY}
QUICK_PLANS = {  # to end within five minutes
    "runtime": replace(RUNTIME, n=(10_000, 50_000, 100_000), runs=2, time=3.0),
    "quality": replace(QUALITY, runs=5, time=5.0),
}


def asked_plan(experiment: str, quick: bool, options: Mapping[str, Any]) -> Plan:
    """The plan of an experiment, with every option that was given."""
    plan = (QUICK_PLANS if quick else PLANS)[experiment]
    names = {field.name for field in fields(Plan)}
    given = {name: value for name, value in options.items() if name in names}
    if given.keys() & {"climbs", "moves"}:
        plan = replace(plan, time=None)
    return replace(plan, **given).check().check_landscapes()
