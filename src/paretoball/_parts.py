"""Parts of kernels: how Numba compiles functions that only kernels call.

A part is compiled once for each list of argument types, as far as the code that LLVM
reads; the kernel around it makes machine code of all its parts together. Numba's usual
way from one function to another does much that parts have no use for, and took a third
of the time. What is left out here:

- wrappers for Python, machine code, and files on disk, of what only kernels call;
- passes for closures, array expressions, parallel loops and object mode;
- looking an operator up again for the same types: `_Typing` remembers what it found;
- copies of a part in each part that calls it: the kernel links all of them once;
- symbols as long as the text of all argument types;
- the garbage collector, which finds nothing to collect.
"""

import gc
import hashlib
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

from numba.core import compiler, event, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.errors import TypingError
from numba.core.funcdesc import default_mangler
from numba.core.imputils import lower_constant
from numba.core.ir_utils import build_definitions
from numba.core.registry import cpu_target
from numba.core.rewrites.static_getitem import (
    RewriteConstGetitems,
    RewriteConstSetitems,
)
from numba.core.rewrites.static_raise import RewriteConstRaises
from numba.core.ssa import reconstruct_ssa
from numba.core.typed_passes import (
    AnnotateTypes,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.types.misc import unliteral
from numba.core.typing import signature
from numba.core.untyped_passes import (
    FixupArgs,
    IRProcessing,
    TranslateByteCode,
)
from numba.extending import models, register_model

from paretoball._lowering import PartType, PlainLowering
from paretoball._words import codes

_numbers = count()


@register_pass(mutates_CFG=True, analysis_only=False)
class _ConstantItems(FunctionPass):
    """Finds items with constant indices, such as those of tuples, and errors."""

    _name = "constant_items"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Rewrite these items, block by block."""
        blocks = state.func_ir.blocks
        for kind in (RewriteConstGetitems, RewriteConstSetitems, RewriteConstRaises):
            rewrite = kind(state)
            for key, block in list(blocks.items()):
                if rewrite.match(state.func_ir, block, None, None):
                    blocks[key] = rewrite.apply()
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _SingleAssignment(FunctionPass):
    """Gives each name one value, where that can be."""

    _name = "single_assignment"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Rename what has several values."""
        state.func_ir = reconstruct_ssa(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _NoPhis(FunctionPass):
    """Assigns a name in each block that a choice between several values comes from."""

    _name = "no_phis"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Replace these choices."""
        state.func_ir = PreLowerStripPhis()._strip_phi_nodes(state.func_ir)
        return True


FRONT = (TranslateByteCode, FixupArgs, IRProcessing, _ConstantItems, _SingleAssignment)
BACK = (NopythonTypeInference, _NoPhis, PlainLowering)


class _Typing(type(cpu_target.typing_context)):  # type: ignore[misc]
    """Numba's own context, with a memory of operators and attributes."""

    known: dict[Any, Any] = {}  # noqa: RUF012 (one for all)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        if kws or isinstance(func, str | PartType | types.Dispatcher):
            return super().resolve_function_type(func, args, kws)
        key = func, codes(args)
        found = self.known.get(key)
        if found is None:
            found = super().resolve_function_type(func, args, kws)
            if found is not None:
                self.known[key] = found
        return found

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        """The type of an attribute."""
        key = typ._code, attr
        found = self.known.get(key)
        if found is None:
            found = super().resolve_getattr(typ, attr)
            if found is not None:
                self.known[key] = found
        return found

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """The signature of an assignment to an item."""
        key = codes((target, index, value))
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = super().resolve_setitem(target, index, value)
        return found


@cache
def _typing_context() -> _Typing:
    """Numba's context itself, seen as `_Typing`."""
    context = _Typing.__new__(_Typing)
    context.__dict__ = cpu_target.typing_context.__dict__
    return context


class _PartLibrary(JITCodeLibrary):
    """The code of a part: linked into kernels, and optimised there."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Do nothing: there is no machine code, and kernels link what this calls."""
        self._finalized = True


class _KernelLibrary(JITCodeLibrary):
    """The code of a kernel, with all its parts."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link the parts of parts, too, each after all that call it; then as usual."""
        self._linking_libraries = _callers_first(self._linking_libraries)
        super().finalize()


def _callers_first(called: list[Any]) -> list[Any]:
    """These libraries and all that parts among them call, before what they call.

    LLVM links only what something that is there already calls.
    """
    order: dict[Any, None] = {}

    def visit(library: Any) -> None:
        if library not in order:
            if isinstance(library, _PartLibrary):
                for each in reversed(library._linking_libraries):
                    visit(each)
            order[library] = None

    for library in reversed(called):
        visit(library)
    return list(order)[::-1]


class _Pipeline(compiler.CompilerBase):
    """Compiles a function through few passes."""

    library_class: type[JITCodeLibrary]
    passes: tuple[Any, ...]

    def __init__(self, typingctx: Any, *rest: Any):
        super().__init__(_typing_context(), *rest)

    def _name(
        self, name: str, kinds: Any, *, abi_tags: Any = (), uid: Any = None
    ) -> str:
        """A symbol."""
        raise NotImplementedError

    def define_pipelines(self) -> list[PassManager]:
        """The one pipeline."""
        state = self.state
        state.targetctx.mangler = self._name
        name = state.func_id.func_qualname
        state.library = self.library_class(state.targetctx.codegen(), name)
        manager = PassManager(name)
        for each in self.passes:
            manager.add_pass(each, each.__name__)
        manager.finalize()
        return [manager]


class _PartPipeline(_Pipeline):
    """Compiles a part, for one list of argument types."""

    library_class = _PartLibrary
    passes = FRONT + BACK

    def _name(
        self, name: str, kinds: Any, *, abi_tags: Any = (), uid: Any = None
    ) -> str:
        return str(default_mangler(f"part{next(_numbers)}", ()))


class KernelPipeline(_Pipeline):
    """Compiles a kernel, for one list of argument types."""

    library_class = _KernelLibrary
    passes = (*FRONT, *BACK, AnnotateTypes, NoPythonBackend)

    def define_pipelines(self) -> list[PassManager]:
        """The one pipeline; its machine code is kept, to be written to disk."""
        found = super().define_pipelines()
        self.state.library.enable_object_caching()
        return found

    def _name(
        self, name: str, kinds: Any, *, abi_tags: Any = (), uid: Any = None
    ) -> str:
        """As Numba would call it, made short."""
        text = default_mangler(name, kinds, abi_tags=abi_tags)
        digest = hashlib.sha256(text.encode()).hexdigest()
        return str(default_mangler(f"kernel.{digest[:24]}", ()))


class _PartType(PartType):
    """The type that a part has where a kernel names it."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]):
        super().__init__(f"part({function.__module__}.{function.__qualname__})")
        self.function = function
        self.options = options
        self.compiled: dict[Any, Any] = {}  # signatures, by types of arguments
        self.code: dict[Any, Any] = {}  # descriptor and library, by the same

    @property
    def key(self) -> Any:
        """What makes it equal to another."""
        return self.function

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of a call, compiled if it is the first one with these types."""
        if kws:
            raise TypingError(f"{self.name} is called with keywords")
        kinds = tuple(unliteral(kind) for kind in args)
        if codes(kinds) not in self.compiled:
            self.compiled[codes(kinds)] = self._compile(kinds)
        return self.compiled[codes(kinds)]

    def _compile(self, kinds: Any) -> Any:
        """Compile the part for arguments of these types."""
        flags = compiler.Flags()
        cpu_target.options.parse_as_flags(flags, self.options)
        flags.no_compile = True
        target = cpu_target.target_context
        pipeline = _PartPipeline(None, target, None, kinds, None, flags, {})
        lowered = pipeline.compile_extra(self.function)
        self.code[codes(kinds)] = lowered.fndesc, pipeline.state.library
        return signature(lowered.fndesc.restype, *kinds)

    def descriptor(self, kinds: Any) -> Any:
        """What Numba knows of its code for arguments of these types."""
        return self.code[codes(kinds)][0]

    def library(self, kinds: Any) -> Any:
        """The code."""
        return self.code[codes(kinds)][1]

    def get_call_signatures(self) -> Any:
        """All signatures so far."""
        return list(self.compiled.values()), False

    def get_impl_key(self, sig: Any) -> Any:
        """Under what name lowering finds the code."""
        return self, sig.args


register_model(_PartType)(models.OpaqueModel)


@lower_constant(_PartType)
def _constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A part as a value: nothing."""
    return context.get_dummy_value()


class _ChoiceType(PartType):
    """The type of a function that is another for each type of one argument."""

    def __init__(self, choose: Any, at: int, choices: dict[type, Any]):
        super().__init__(f"choice({choose.__module__}, {id(choose)})")
        self.choose = choose
        self.at = at
        self.choices = choices

    @property
    def key(self) -> Any:
        """What makes it equal to another."""
        return self.choose

    def _chosen(self, kinds: Any) -> Any:
        """The part for arguments of these types."""
        kind = kinds[self.at].instance_class
        return cpu_target.typing_context._lookup_global(self.choices[kind])

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        return self._chosen(args).get_call_type(context, args, kws)

    def get_call_signatures(self) -> Any:
        """None is known before a type is."""
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        """Under what name lowering finds the code."""
        return self._chosen(sig.args).get_impl_key(sig)

    def descriptor(self, kinds: Any) -> Any:
        """What Numba knows of its code for arguments of these types."""
        return self._chosen(kinds).descriptor(kinds)

    def library(self, kinds: Any) -> Any:
        """The code."""
        return self._chosen(kinds).library(kinds)


register_model(_ChoiceType)(models.OpaqueModel)
lower_constant(_ChoiceType)(_constant)


class NoCollection(event.Listener):
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


event.register("numba:compile", NoCollection())


def make_choice(choose: Any, at: int, choices: dict[type, Any]) -> None:
    """Let kernels call `choose`, which is a part by the type of argument `at`."""
    kind = _ChoiceType(choose, at, choices)
    cpu_target.typing_context.insert_global(choose, kind)


def make_part(function: Callable[..., Any], options: dict[str, Any]) -> None:
    """Let kernels call `function`, which becomes a part of them."""
    cpu_target.typing_context.insert_global(function, _PartType(function, options))
