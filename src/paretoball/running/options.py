"""Options: what a run is asked for, checked once, from `solve` to the workers.

`result.config` and files have them as a dict with the same names.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from paretoball.climber import (
    CLIMBS,
    SELECTIONS,
    WeightSource,
    checked_radius,
    default_radius,
    score_bounds,
)
from paretoball.landscape import Landscape
from paretoball.numerics import entropy_of
from paretoball.search import UNLIMITED, Asked, method_named
from paretoball.system import (
    checked_bytes,
    checked_choice,
    checked_seconds,
    checked_whole,
)

# The options that a run keeps for good: they and the landscape make its result.
IDENTITY = (
    "method",
    "radius",
    "seed",
    "weights",
    "breadth",
    "selection",
    "climb",
    "max_archive",
)
MOST_BREADTH = 1 << 16
LIMITS = ("time_limit", "max_climbs", "max_moves")


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is asked for; None is no limit."""

    method: str
    radius: int
    seed: int
    starts: int  # how many start solutions were given
    weights: Any  # None, a rule, a vector or rows, as lists
    breadth: int  # how many workers the plan is to keep busy
    workers: int  # blocks of units that are run at a time
    selection: str
    climb: str
    max_archive: int | None
    memory_limit: int | None  # bytes
    time_limit: float | None  # seconds, set-up and earlier calls included
    max_climbs: int | None  # units, in all
    max_moves: int | None  # in all

    def asked(self) -> Asked:
        """What the method of the run is told."""
        return Asked(self.weights, self.seed, self.radius, self.breadth)

    def config(self) -> dict[str, Any]:
        """The options as results and files have them."""
        return asdict(self)

    def differences(self, config: dict[str, Any]) -> list[str]:
        """The options that are not those of the run in a file."""
        mine = self.config()
        return [name for name in IDENTITY if config.get(name) != mine[name]]


NAMES = tuple(field.name for field in fields(Options))


def checked_options(landscape: Landscape, **given: Any) -> Options:
    """The options of a run in this landscape; ValueError or TypeError if one is wrong.

    `given` has a value for each of `NAMES`; without a radius, one is chosen.
    """
    time_limit = _checked_time(given["time_limit"])
    memory_limit = checked_bytes(given["memory_limit"])
    radius = _radius(landscape, given["radius"], time_limit, memory_limit)
    seed, weights = entropy_of(given["seed"]), given["weights"]
    WeightSource(weights, landscape, score_bounds(landscape, radius), seed)
    method = method_named(given["method"])
    breadth = given["breadth"]
    if breadth is None:
        breadth = method.breadth(landscape)
    options = Options(
        method=method.name,
        radius=radius,
        seed=seed,
        starts=given["starts"],
        weights=weights if weights is None else np.asarray(weights).tolist(),
        breadth=checked_whole("breadth", breadth, 1, MOST_BREADTH),
        workers=given["workers"],
        selection=checked_choice("selection", given["selection"], SELECTIONS),
        climb=checked_choice("climb", given["climb"], CLIMBS),
        max_archive=_checked_count("max_archive", given["max_archive"]),
        memory_limit=memory_limit,
        time_limit=time_limit,
        max_climbs=_checked_count("max_climbs", given["max_climbs"]),
        max_moves=_checked_count("max_moves", given["max_moves"]),
    )
    if all(getattr(options, name) is None for name in LIMITS):
        raise ValueError("no budget: give time_limit, max_climbs or max_moves")
    return options


def _radius(
    landscape: Landscape,
    radius: Any,
    time_limit: float | None,
    memory_limit: int | None,
) -> int:
    """The radius of climbs: the one asked for, or one that suits the landscape."""
    if landscape.constraints:
        if radius is not None and checked_radius(radius) != 1:
            raise ValueError(
                f"radius = {radius}, but with constraints climbs look at single flips, "
                "radius 1: leave it out"
            )
        return 1
    if radius is None:
        return default_radius(landscape, time_limit, memory_limit)
    return checked_radius(radius)


def _checked_count(name: str, count: Any) -> int | None:
    """A limit of at least 1; None, or more than can be counted, is no limit."""
    whole = None if count is None else checked_whole(name, count, 1)
    return None if whole is None or whole >= UNLIMITED else whole


def _checked_time(seconds: Any) -> float | None:
    """A time limit; None or infinity is no limit."""
    limit = None if seconds is None else checked_seconds("time_limit", seconds)
    return None if limit == float("inf") else limit
