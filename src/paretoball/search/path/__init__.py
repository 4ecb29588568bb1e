"""Following the front: paths that anneal and turn, and fillings in between.

A path anneals in one direction, and then turns its weights to both sides, little by
little, with mild heat: no score is computed when weights turn. At every turn it keeps
the better side of each component, and recombines what it has with what is known nearby.
A filling visits solutions of the front and reports what is new around them.

- `effort`: how much work units are given
- `clock`: the counters of a unit
- `journal`: what a unit notes: flips, and reports
- `heat`: escapes from local optima
- `acceptance`: of two solutions, the better side of each component
- `offspring`: what two solutions have between them, reported
- `legs`: one path as kernels see it
- `sums`: all non-dominated offspring of two solutions
- `filling`: one filling as kernels see it
- `directions`: where paths go
- `windows`: what fillings visit
- `wholeness`: whether anything is left to find
- `tasks`: what units start from
- `planning`: rounds of tasks
- `units`: units, run one after the other, and their trails
- `searcher`: paths and fillings as units
- `following`: `METHOD` and `PLS`
"""

from paretoball.search.path.following import METHOD, PLS

__all__ = ["METHOD", "PLS"]
