"""Following the front: paths that turn their weights little by little.

A path climbs, then turns its weights a little, files its moves anew (no score is
computed), and climbs on. At every turn it tries to escape from the local optimum it has
reached, and recombines the solution with the one it had before.

- `escape`: leave a local optimum, and keep what became better
- `legs`: one path as kernels see it
- `planning`: where paths start and end
- `searcher`: paths, run one after the other
- `following`: `METHOD`
"""

from paretoball.search.path.following import METHOD, PLS

__all__ = ["METHOD", "PLS"]
