"""Notices: warnings that point to the user's own line."""

import sys
import warnings


def notice(text: str) -> None:
    """Warn of something, at the line outside of the package that led to it."""
    package, level = __name__.partition(".")[0], 1
    frame = sys._getframe()
    while frame.f_back and frame.f_globals["__name__"].startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)
