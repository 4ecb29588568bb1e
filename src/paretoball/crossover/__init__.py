"""Crossover: the components in which two solutions differ, and the best offspring.

- `components`: the components, for kernels
- `crossover`: partition crossover and Pareto crossover
"""

from paretoball.crossover.components import (
    FINE,
    ComponentSpace,
    find_components,
    line_up,
    list_differing,
    new_component_space,
    score_in_climb,
    side,
    weighted,
)
from paretoball.crossover.crossover import (
    Child,
    Components,
    Offspring,
    components,
    pareto_crossover,
    partition_crossover,
)

__all__ = [
    "FINE",
    "Child",
    "ComponentSpace",
    "Components",
    "Offspring",
    "components",
    "find_components",
    "line_up",
    "list_differing",
    "new_component_space",
    "pareto_crossover",
    "partition_crossover",
    "score_in_climb",
    "side",
    "weighted",
]
