"""Pareto fronts of large multi-objective pseudo-Boolean problems."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Archive": "archive",
    "Climber": "climber",
    "Landscape": "landscape",
    "Result": "result",
    "attainment_surface": "quality",
    "climber_memory": "footprint",
    "components": "crossover",
    "count_moves": "moves",
    "coverage": "quality",
    "epsilon": "quality",
    "hypervolume": "quality",
    "igd_plus": "quality",
    "load": "result",
    "mnk": "problems",
    "mnk_java": "problems",
    "pareto_crossover": "crossover",
    "partition_crossover": "crossover",
    "read_landscape": "files",
    "resume": "search",
    "solve": "search",
    "supported_front": "supported",
    "write_landscape": "files",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    """Import what needs Numba when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'paretoball' has no attribute {name!r}")
    return getattr(import_module(f"paretoball.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
