"""Notices: warnings that point to the user's own line."""

import sys
import warnings
from types import FrameType


def notice(text: str) -> None:
    """Warn of something, at the line outside of the package that led to it."""
    package, level = __name__.partition(".")[0], 1
    frame = sys._getframe()
    while frame.f_back and _module(frame).partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)


def _module(frame: FrameType) -> str:
    """The name of the module that a frame runs in; code by `exec` may have none."""
    return str(frame.f_globals.get("__name__", ""))
