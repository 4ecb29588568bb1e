"""How good fronts are: indicators and attainment surfaces, by moocore.

- `points`: checks of fronts
- `indicators`: hypervolume, epsilon, IGD+ and coverage
- `attainment`: attainment surfaces of several runs
"""

from paretoball.quality.attainment import MOST_ATTAINED, attainment_surface
from paretoball.quality.indicators import coverage, epsilon, hypervolume, igd_plus
from paretoball.quality.points import checked_reference, ranges

__all__ = [
    "MOST_ATTAINED",
    "attainment_surface",
    "checked_reference",
    "coverage",
    "epsilon",
    "hypervolume",
    "igd_plus",
    "ranges",
]
