"""Checks of a run against its landscape, which share nothing with the search.

- `sums`, `volumes`: f and hypervolumes in plain integers
- `limits`: constraints in plain integers
- `here`: one solution at a time, and its ball
- `claims`: the header and the trace, as far as they can be checked
- `naming`: labels and names, compared with those of the landscape
- `verify`: every row rebuilt, summed up and compared
"""

from paretoball.verification.verify import Report, verify

__all__ = [
    "Report",
    "verify",
]
