"""The decorators `kernel` and `inlined`: the only place that calls Numba.

A kernel is a plain function over tuples of arrays. It is compiled when first called,
runs without the GIL, and is kept on disk. The functions that it calls are marked
`inlined` and become part of it. Numba's own cache does not notice an edit in another
file and may mix up two processes that write at once. The cache here names each file by
a digest of all that went into it, as `_footprint` tells. It treats a file that it
cannot read as absent. What it reads is code that is run, so it neither reads nor writes
where another user could have put something. What nobody has used for a month is
removed. A kernel that is not there may have come with the package, as `_shipped` tells.

What is compiled is logged under the name `paretoball._jit`.
"""

import hashlib
import logging
import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import cache, partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from time import perf_counter, time
from typing import Any, TypeVar

import numba
from llvmlite.binding import parse_assembly, parse_bitcode
from numba.core import caching, event
from numba.core.registry import cpu_target

from paretoball._footprint import fields_of, footprint
from paretoball._needed import Needed, listen
from paretoball._parts import KernelPipeline, make_choice, make_part
from paretoball._private import check_folders, check_ours, make_folders
from paretoball._shipped import shipment_for

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILES = not numba.config.DISABLE_JIT  # otherwise kernels are plain Python
DIGEST_BYTES = 32
DAY = 24 * 3600.0  # seconds
KEPT = 30 * DAY  # how long a kernel that nobody uses is kept
MAKING = ("_jit", "_parts", "_lowering", "_words")  # files that tell how to compile
MAKERS = [Path(__file__).with_name(f"{name}.py") for name in MAKING]
HOW = hashlib.sha256(b"".join(path.read_bytes() for path in MAKERS)).hexdigest()
COMPILING = "Compiling for this kind of landscape, once ..."

_log = logging.getLogger(__name__)
logging.getLogger("paretoball").addHandler(logging.NullHandler())


def _cache_folder() -> Path:
    """Where compiled kernels are kept: `NUMBA_CACHE_DIR`, or the user's cache."""
    named = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    root, name = named or os.path.expanduser("~/.cache"), "paretoball"
    if root.startswith("~"):  # a user without a home
        root = tempfile.gettempdir()
        name += f"-{os.geteuid()}" if hasattr(os, "geteuid") else ""
    return Path(root, name, "kernels")


_unkept: list[str] = []  # for each kernel that could not be written to disk, why


class _KernelFiles:
    """One file per compiled kernel, with a checksum; empty where the disk fails."""

    def __init__(self, folder: Path, function: Callable[..., Any]):
        self.folder = folder
        self.function = function

    def path(self, key: Any) -> Path:
        """The file of the kernel compiled for `key` (types, processor, bytecode)."""
        fields = [fields_of(kind) for kind in key[0]]
        made_of = numba.__version__, numba.config.BOUNDSCHECK, HOW, key, fields
        text = f"{made_of!r} {footprint(self.function, key[0])}"
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        digest = hashlib.sha256(text.encode()).hexdigest()
        return self.folder / f"{name}-{digest[:32]}.nbc"

    def has(self, key: object) -> bool:
        """Whether there is a file for `key`, good or bad, saved or shipped."""
        with suppress(LookupError, OSError):
            if self.path(key).is_file():
                return True
            shipment = shipment_for(key)
            return self.path(shipment.key(key)).name in shipment.digests
        return False

    def load(self, key: object) -> Any:
        """What was saved for `key`, or else came with the package for it, or None."""
        for find in (self._saved, self._shipped):
            try:
                name, content = find(key)
                body = content[DIGEST_BYTES:]
                if _checksum(name, body) == content[:DIGEST_BYTES]:
                    return pickle.loads(body)
            except Exception:  # an unreadable file is an absent one: compile again
                pass
        return None

    def _saved(self, key: object) -> tuple[str, bytes]:
        """The name and the content of the file that was saved for `key`."""
        path = self.path(key)
        check_folders(self.folder)
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            check_ours(found)
            content = file.read()
        if time() - found.st_mtime > DAY:
            with suppress(OSError):  # of a cache that is only read
                os.utime(path)  # it is in use
        return path.name, content

    def _shipped(self, key: object) -> tuple[str, bytes]:
        """The name and the content of the file that came with the package for `key`."""
        shipment = shipment_for(key)
        name = self.path(shipment.key(key)).name
        return name, shipment.content(name)

    def save(self, key: object, data: object) -> None:
        """Keep `data` for the next process, if the disk lets us."""
        path, body = self.path(key), caching.dumps(data)
        try:
            make_folders(self.folder)
            handle, temporary = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_checksum(path.name, body) + body)
                os.replace(temporary, path)
            except OSError:
                os.unlink(temporary)
                raise
            with suppress(OSError):
                _remove_unused(self.folder)
        except OSError as error:
            why = f"{error.filename or self.folder}: {error.strerror or error}"
            if not _unkept:
                _log.warning("kernels are not kept on disk: %s", why)
            _unkept.append(why)


@cache
def _remove_unused(folder: Path) -> None:
    """Remove kernels that nobody has used for a month, and folders of old versions."""
    for path in (*folder.glob("*.nbc"), *folder.parent.glob("*/*.nbc")):
        with suppress(OSError):
            if time() - path.stat().st_mtime > KEPT:
                path.unlink()
                if path.parent != folder:
                    path.parent.rmdir()  # if it is empty


def _checksum(name: str, body: bytes) -> bytes:
    """The bytes that a file of this name and body must begin with."""
    return hashlib.sha256(name.encode() + body).digest()


class _KernelCache(caching.FunctionCache):
    """Numba's cache of one function, with `_KernelFiles` in place of its index."""

    def __init__(self, function: Callable[..., Any], folder: Path):
        self._name = repr(function)
        self._py_func = function
        self._impl = _KernelImpl()
        self._cache_path = str(folder)
        self._cache_file = _KernelFiles(folder, function)
        self.enable()

    def is_there(self, kinds: tuple) -> bool:
        """Whether there is a file for arguments of these types, good or bad."""
        codegen = cpu_target.target_context.codegen()
        return self._cache_file.has(self._index_key(kinds, codegen))


class _KernelImpl(caching.CompileResultCacheImpl):
    """Packs and unpacks compiled code; `_KernelFiles` takes care of the folder.

    The types of a kernel as text, which Numba would keep, are left out: they name files
    of this machine, and take a fifth of the room. What LLVM reads of a kernel is parsed
    only if another one that calls it is compiled; it takes longer than all the rest.
    """

    def __init__(self) -> None:
        self._locator = self

    def reduce(self, compiled: Any) -> Any:
        """What is kept of a kernel."""
        *parts, _, starts, environments = super().reduce(compiled)
        return *parts, "", starts, environments

    def rebuild(self, target: Any, kept: Any) -> Any:
        """The kernel, from what was kept of it."""
        (name, form, (code, bitcode)), described, *parts = kept
        nothing = parse_assembly("").as_bitcode()
        names = {described.llvm_func_name, described.llvm_cpython_wrapper_name}
        target.codegen()._engine._defined_symbols |= names  # `nothing` has none of them
        library = name, form, (code, nothing)
        found = super().rebuild(target, (library, described, *parts))
        module = cache(partial(parse_bitcode, bitcode))
        found.library._get_module_for_linking = module
        return found

    def ensure_cache_path(self) -> None:
        """`_KernelFiles` makes its folder when it first saves."""


_FOLDER = _cache_folder()


class _Logging(event.Listener):
    """Logs which kernels are compiled, and keeps what Numba logs meanwhile out.

    Numba's logger, which has thousands of lines at level DEBUG, is kept at WARNING
    while a kernel is compiled, if nobody has set its level.
    """

    def __init__(self) -> None:
        self.began: dict[object, float] = {}  # by kernel
        self.quieted: object = None  # the kernel for which Numba's logger is quiet

    def on_start(self, happening: Any) -> None:
        """A compilation begins."""
        function = happening.data["dispatcher"]
        if not _is_kernel(function):
            return
        self.began[function] = perf_counter()
        _log.info("compiling %s", function.py_func.__name__)
        log = logging.getLogger("numba")
        if log.level == logging.NOTSET:
            log.setLevel(logging.WARNING)
            self.quieted = function

    def on_end(self, happening: Any) -> None:
        """A compilation ends, whether it failed or not."""
        function = happening.data["dispatcher"]
        if function not in self.began:
            return
        if self.quieted is function:
            logging.getLogger("numba").setLevel(logging.NOTSET)
            self.quieted = None
        seconds = perf_counter() - self.began.pop(function)
        _log.info("compiled %s in %.1f s", function.py_func.__name__, seconds)


event.register("numba:compile", _Logging())


class Compilation(event.Listener):
    """How many kernels were compiled inside a context, because they were not on disk.

    Parameters
    ----------
    say
        Called with COMPILING when the first of them is compiled.
    """

    def __init__(self, say: Callable[[str], object]):
        self.say = say
        self.kernels = 0
        self.unkept_before = len(_unkept)

    def on_start(self, happening: Any) -> None:
        """A kernel, or a part of one, is compiled."""
        if _is_kernel(happening.data["dispatcher"]):
            self.kernels += 1
            if self.kernels == 1:
                self.say(COMPILING)

    def on_end(self, _: Any) -> None:
        """It is compiled: nothing to say."""

    @property
    def unkept(self) -> str:
        """Why one of them is not on disk now; empty if all are."""
        return (_unkept[self.unkept_before :] or [""])[0]


def announced(
    say: Callable[[str], object],
) -> AbstractContextManager[Compilation]:
    """Inside this context, `say(COMPILING)` once if a kernel has to be compiled."""
    return event.install_listener("numba:compile", Compilation(say))


def _is_kernel(dispatcher: Any) -> bool:
    """Whether it is a kernel, not a part of one nor a function of somebody else."""
    return isinstance(getattr(dispatcher, "_cache", None), _KernelCache)


def kernel_folder() -> Path:
    """Where compiled kernels are kept."""
    return _FOLDER


def can_keep() -> bool:
    """Whether kernels can be written there, as far as one can tell."""
    try:
        make_folders(_FOLDER)
    except OSError:
        return False
    return not _unkept and os.access(_FOLDER, os.W_OK)


# Kernels may not allocate, so they need no reference counts. Counting references, for
# every array of every tuple that is passed on, makes a climb three times slower.
OPTIONS = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
PART = {**OPTIONS, "no_cpython_wrapper": True, "forceinline": True, "nopython": True}


def kernel(function: Function) -> Function:
    """Compile `function` on first use; under `NUMBA_DISABLE_JIT=1`, leave it alone."""
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = numba.njit(**OPTIONS, pipeline_class=KernelPipeline)(function)
    dispatcher._cache = files = _KernelCache(function, _FOLDER)
    listen(dispatcher, files.is_there)
    return dispatcher


def compile_needed(needed: Needed) -> None:
    """Compile a kernel that another process has listed, or load it from disk."""
    function = getattr(import_module(needed.module), needed.name)
    one = function if _is_kernel(function) else kernel(function)
    one.compile(needed.kinds)


def inlined(function: Function) -> Function:
    """Make `function` part of each kernel that calls it; in Python it stays Python.

    A call would pass every array of every tuple as seven words: at radius 1 that takes
    as long as all the rest of a move. `kernel(function)` makes a kernel of it.
    """
    if numba.config.DISABLE_JIT:
        return function
    make_part(function, PART)
    return function


def called(function: Function) -> Function:
    """As `inlined`, but left a function of its own: large code, seldom come to.

    A kernel with less in one function takes less time to compile.
    """
    if not numba.config.DISABLE_JIT:
        make_part(function, PART | {"forceinline": False})
    return function


def by_type(name: str, choices: dict[type, Callable[..., Any]]) -> Callable[..., Any]:
    """A function that is one of several inlined ones, by the type of one argument.

    A kernel has the one for its own type in it, and none of the others.

    Parameters
    ----------
    name
        That of the argument, which all of them have in the same place.
    choices
        The function for each tuple that the argument may be.
    """
    [at] = {list(signature(each).parameters).index(name) for each in choices.values()}

    def choose(*arguments: Any) -> Any:
        return choices[type(arguments[at])](*arguments)

    if not numba.config.DISABLE_JIT:
        make_choice(choose, at, choices)
    return choose
