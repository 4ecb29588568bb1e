"""The decorators `kernel` and `inlined`: the only place that calls Numba.

A kernel is a plain function over tuples of arrays. It is compiled when first called,
runs without the GIL, and is kept on disk. The functions that it calls are marked
`inlined` and become part of it. Numba's own cache does not notice an edit in another
file and may mix up two processes that write at once. The cache here names each file by
a digest of all that went into it, the source of every folder with compiled code
included. It treats a file that it cannot read as absent.
"""

import gc
import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import caching, event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.extending import register_jitable

Function = TypeVar("Function", bound=Callable[..., Any])

DIGEST_BYTES = 32
COMPILING = "Compiling for this kind of landscape, once ..."


def _source_digest() -> str:
    """A digest of how kernels are compiled, and of all folders that hold kernels.

    All files of such a folder count: kernels use constants and tuples of the files
    beside them, and import functions through `__init__.py` files.
    """
    digest = hashlib.sha256(str(numba.config.BOUNDSCHECK).encode())
    paths = sorted(Path(__file__).parent.rglob("*.py"))
    sources = {path: path.read_bytes() for path in paths}
    folders = {
        path.parent
        for path, source in sources.items()
        if b"@kernel" in source or b"@inlined" in source
    }
    for path, source in sources.items():
        if path.parent in folders:
            digest.update(source)
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """Where compiled kernels are kept: `NUMBA_CACHE_DIR`, or the user's cache."""
    named = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    root = named or os.path.expanduser("~/.cache")
    if root.startswith("~"):  # a user without a home
        root = tempfile.gettempdir()
    return Path(root, "paretoball", _source_digest())


class _KernelFiles:
    """One file per compiled kernel, with a checksum; empty where the disk fails."""

    def __init__(self, folder: Path, name: str):
        self.folder = folder
        self.name = name

    def path(self, key: object) -> Path:
        """The file of the kernel compiled for `key` (types, processor, bytecode)."""
        digest = hashlib.sha256(repr((numba.__version__, key)).encode()).hexdigest()
        return self.folder / f"{self.name}-{digest[:32]}.nbc"

    def load(self, key: object) -> Any:
        """What was saved for `key`, or None."""
        path = self.path(key)
        try:
            content = path.read_bytes()
            body = content[DIGEST_BYTES:]
            if _checksum(path, body) == content[:DIGEST_BYTES]:
                return pickle.loads(body)
        except Exception:  # an unreadable file is an absent one: compile again
            pass
        return None

    def save(self, key: object, data: object) -> None:
        """Keep `data` for the next process, if the disk lets us."""
        path, body = self.path(key), caching.dumps(data)
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_checksum(path, body) + body)
                os.replace(temporary, path)
            except OSError:
                os.unlink(temporary)


def _checksum(path: Path, body: bytes) -> bytes:
    """The bytes that a file of this name and body must begin with."""
    return hashlib.sha256(path.name.encode() + body).digest()


class _KernelCache(caching.FunctionCache):
    """Numba's cache of one function, with `_KernelFiles` in place of its index."""

    def __init__(self, function: Callable[..., Any], folder: Path):
        self._name = repr(function)
        self._py_func = function
        self._impl = _KernelImpl()
        self._cache_path = str(folder)
        name = f"{function.__module__}.{function.__qualname__}"
        self._cache_file = _KernelFiles(folder, name)
        self.enable()


class _KernelImpl(caching.CompileResultCacheImpl):
    """Packs and unpacks compiled code; `_KernelFiles` takes care of the folder."""

    def __init__(self) -> None:
        self._locator = self

    def ensure_cache_path(self) -> None:
        """`_KernelFiles` makes its folder when it first saves."""


_FOLDER = _cache_folder()


class _NoCollection(event.Listener):
    """Switches the garbage collector off while kernels are compiled.

    Compilation makes millions of objects that live until its end; looking through them
    again and again takes an eighth of its time.
    """

    def __init__(self) -> None:
        self.depth = 0  # compilations inside each other
        self.was_enabled = False

    def on_start(self, _: Any) -> None:
        """A compilation begins."""
        if self.depth == 0:
            self.was_enabled = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, _: Any) -> None:
        """A compilation ends, whether it failed or not."""
        self.depth -= 1
        if self.depth == 0 and self.was_enabled:
            gc.enable()


event.register("numba:compile", _NoCollection())


class _Announcer(event.Listener):
    """Says COMPILING when the first kernel is compiled, and only then."""

    def __init__(self, say: Callable[[str], object]):
        self.say = say
        self.said = False

    def on_start(self, _: Any) -> None:
        """A kernel is compiled, because it was not on disk."""
        if not self.said:
            self.said = True
            self.say(COMPILING)

    def on_end(self, _: Any) -> None:
        """The kernel is compiled: nothing to say."""


def announced(say: Callable[[str], object]) -> AbstractContextManager[Any]:
    """Inside this context, `say(COMPILING)` once if a kernel has to be compiled."""
    return event.install_listener("numba:compile", _Announcer(say))


# Kernels may not allocate, so they need no reference counts. Counting references, for
# every array of every tuple that is passed on, makes a climb three times slower.
OPTIONS = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Compile `function` on first use; under `NUMBA_DISABLE_JIT=1`, leave it alone."""
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = numba.njit(**OPTIONS)(function)
    dispatcher._cache = _KernelCache(function, _FOLDER)
    return dispatcher


class _PartLibrary(JITCodeLibrary):
    """The code of an inlined function: linked into kernels, and optimised there."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0, a null pointer: there is no machine code."""
        return 0

    @property
    def codegen(self) -> Any:
        """Stands in for the code generator, whose `set_env` is called."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: inlined functions raise no error that needs an environment."""


class _PartCompiler(Compiler):
    """Compiles inlined functions: only the kernel around them is machine code."""

    def define_pipelines(self) -> Any:
        """Numba's own passes, with a `_PartLibrary`."""
        state = self.state
        generator = state.targetctx.codegen()
        state.library = _PartLibrary(generator, state.func_id.func_qualname)
        return super().define_pipelines()


def inlined(function: Function) -> Function:
    """Make `function` part of each kernel that calls it; in Python it stays Python.

    A call would pass every array of every tuple as seven words: at radius 1 that takes
    as long as all the rest of a move. `kernel(function)` makes a kernel of it.
    """
    if numba.config.DISABLE_JIT:
        return function
    part = register_jitable(
        **OPTIONS,
        no_cpython_wrapper=True,
        forceinline=True,
        pipeline_class=_PartCompiler,
    )
    return part(function)
