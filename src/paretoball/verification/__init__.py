"""Checks of a run against its landscape, which share nothing with the search.

- `sums`: f in plain integers
- `verify`: every row rebuilt, summed up and compared
"""

from paretoball.verification.verify import Report, verify

__all__ = [
    "Report",
    "verify",
]
