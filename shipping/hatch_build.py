"""Puts kernels into the wheel, if `PARETOBALL_KERNELS` tells in which folder they are.

Hatchling runs this for every wheel. Without that variable, as when somebody installs
from source, the wheel is pure Python.
"""

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Kernels(BuildHookInterface):
    """Adds a folder of compiled kernels, and the tag of what they were compiled for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say what else belongs to the wheel."""
        folder = os.environ.get("PARETOBALL_KERNELS")
        if folder and version == "standard":  # not if installed as editable
            build_data["force_include"][folder] = "paretoball/_kernels"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
