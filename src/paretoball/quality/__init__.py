"""How good fronts are: indicators and attainment surfaces, by moocore.

- `points`: checks of fronts
- `volume`: the hypervolume, exact or estimated
- `indicators`: epsilon, IGD+ and coverage
- `attainment`: attainment surfaces of several runs
"""

from paretoball.quality.attainment import MOST_ATTAINED, attainment_surface
from paretoball.quality.indicators import coverage, epsilon, igd_plus
from paretoball.quality.points import checked_reference, ranges
from paretoball.quality.volume import EASY, Estimate, hypervolume

__all__ = [
    "EASY",
    "MOST_ATTAINED",
    "Estimate",
    "attainment_surface",
    "checked_reference",
    "coverage",
    "epsilon",
    "hypervolume",
    "igd_plus",
    "ranges",
]
