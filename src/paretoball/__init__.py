"""Pareto fronts of large multi-objective pseudo-Boolean problems.

The public names are listed, with their homes, in `__init__.pyi`, for editors and type
checkers as for `lazy_loader`, which imports what needs Numba when it is first used.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, _names = lazy_loader.attach_stub(__name__, __file__)
__all__ = ["__version__", *_names]
