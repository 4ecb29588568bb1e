"""Kernels that come with the package, compiled when its wheel was built.

`_kernels`, which only wheels have, holds a folder for each kind of processor. In each
are files like those of the cache that `_jit` keeps, and a manifest: what the kernels
were compiled with, and a digest of each file. Kernels are code that is run. They count
only if the manifest fits this process, if the processor has every feature that they
use, and if nobody may write them who may not write this module. Others are treated as
absent, and the reason is logged at level DEBUG.
"""

import hashlib
import json
import logging
import os
import stat
import sys
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding
import numba

FOLDER = Path(__file__).with_name("_kernels")
MANIFEST = "manifest.json"

# The features that code for a portable processor uses, as LLVM names them. Two are left
# out, x87 and nopl: every 64-bit processor has them, and LLVM does not report them.
_THIRD_LEVEL = """
64bit avx avx2 bmi bmi2 cmov crc32 cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf
sse sse2 sse3 sse4.1 sse4.2 ssse3 xsave"""
_FOURTH_LEVEL = _THIRD_LEVEL + " avx512bw avx512cd avx512dq avx512f avx512vl"
PORTABLE = {  # the best one first
    "x86-64-v4": tuple(sorted(_FOURTH_LEVEL.split())),
    "x86-64-v3": tuple(sorted(_THIRD_LEVEL.split())),
}

_log = logging.getLogger(__name__)


class Shipment(NamedTuple):
    """Kernels that fit this process."""

    folder: Path
    processor: tuple[str, str, str]  # triple, name and features, as in Numba's keys
    digests: dict[str, str]  # of files, by name

    def key(self, key: Any) -> Any:
        """The key of Numba's cache as it was where the kernels were compiled."""
        kinds, _, *rest = key
        return (kinds, self.processor, *rest)

    def content(self, name: str) -> bytes:
        """What is in a file; an error says why it must not be used."""
        digest, path = self.digests[name], self.folder / name
        try:
            _check_safe(path)
            content = path.read_bytes()
            if hashlib.sha256(content).hexdigest() != digest:
                raise ValueError("its digest is not the one in the manifest")
        except Exception as error:
            _log.debug("kernel %s is left out: %s", name, error)
            raise
        return content


def shipment_for(key: Any) -> Shipment:
    """The kernels that fit a key of Numba's cache; LookupError if none do.

    None do if the user has told Numba which processor to compile for.
    """
    _, (_, _, features), *_ = key
    if numba.config.CPU_NAME is None and numba.config.CPU_FEATURES is None:
        found = _find_shipment(FOLDER, features)
        if found is not None:
            return found
    raise LookupError("no kernels came with the package that fit")


@cache
def _find_shipment(folder: Path, features: str) -> Shipment | None:
    """The kernels for the best portable processor whose features are all here."""
    if not folder.is_dir():
        return None
    for processor in PORTABLE:
        try:
            return _checked_shipment(folder / processor, processor, features)
        except Exception as error:
            _log.debug("kernels for %s are left out: %r", processor, error)
    return None


def _checked_shipment(folder: Path, processor: str, features: str) -> Shipment:
    """The kernels in a folder; an error says what does not fit this process."""
    needed, had = flags(processor), set(features.split(","))
    missing = [flag for flag in needed.split(",") if flag not in had]
    if missing:
        raise ValueError(f"this processor lacks {', '.join(missing)}")
    for path in (folder.parent, folder, folder / MANIFEST):
        _check_safe(path)
    manifest = json.loads((folder / MANIFEST).read_bytes())
    for what, value in _circumstances(processor).items():
        if manifest[what] != value:
            raise ValueError(f"{what} is {value}, they need {manifest[what]}")
    triple = llvmlite.binding.get_process_triple()
    return Shipment(folder, (triple, processor, needed), dict(manifest["files"]))


def flags(processor: str) -> str:
    """The features of a portable processor, as `NUMBA_CPU_FEATURES` takes them."""
    return ",".join(f"+{feature}" for feature in PORTABLE[processor])


def _circumstances(processor: str) -> dict[str, Any]:
    """What must be the same where kernels are compiled and where they run."""
    return {
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "python": sys.implementation.cache_tag,
        "extensions": EXTENSION_SUFFIXES[0],
        "triple": llvmlite.binding.get_process_triple(),
        "processor": processor,
        "features": list(PORTABLE[processor]),
    }


def write_manifest(folder: Path, processor: str) -> None:
    """Describe the kernels in a folder, compiled by this Python for a processor."""
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.glob("*.nbc"))
    }
    manifest = {**_circumstances(processor), "files": files}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")


def _check_safe(path: Path) -> None:
    """Refuse what somebody may write who may not write this module, and links."""
    if os.name != "posix":
        return
    found, module = os.lstat(path), os.stat(__file__)
    if found.st_uid not in (0, os.geteuid(), module.st_uid):
        raise PermissionError(f"another user owns {path}")
    of_same_group = found.st_gid == module.st_gid and module.st_mode & stat.S_IWGRP
    others = stat.S_IWOTH | (0 if of_same_group else stat.S_IWGRP)
    if found.st_mode & others:
        raise PermissionError(f"other users may write {path}")
