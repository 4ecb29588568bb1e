"""Lowering: from Numba's typed statements to the code that LLVM reads, with few words.

Numba's own lowering is made for functions that may do anything. Kernels read and write
numbers in arrays, of tuples with dozens of them. For these, it copies whole tuples to
the stack and back for every field, unpacks each array to its seven words for every
item, and passes tuples on by packing them anew. LLVM removes all of it again, after it
was written as text, and read. Here

- a tuple or an array that is an argument stays a `Bundle`, the list of its words;
- a name that gets its value once is that value, without a place on the stack;
- an item of an array is one address, with the wrap-around of negative indices;
- a call of a part hands on words, and the place where its caller puts errors.

All else is Numba's own lowering. What the machine code does is the same.
"""

import operator
from functools import cache
from typing import Any

from llvmlite import ir as llvm
from numba.core import ir, types
from numba.core.cgutils import alloca_once, do_boundscheck, get_or_insert_function
from numba.core.compiler_machinery import register_pass
from numba.core.controlflow import CFGraph
from numba.core.lowering import Lower
from numba.core.registry import cpu_target
from numba.core.typed_passes import BaseNativeLowering
from numba.core.types.containers import BaseTuple

from paretoball._words import (
    DATA,
    SHAPE,
    Bundle,
    all_words,
    fields,
    flat,
    is_bundled,
    is_lean,
    layout,
    made_lean,
    model,
    nested,
    part_type,
    size,
)

STATUS = llvm.IntType(32)(0)  # what a function returns if all went well
PLAIN = (types.Integer, types.Float, types.Boolean)


class PartType(types.Callable, types.Opaque):
    """The type of a function that becomes a part of the kernels that call it."""

    def descriptor(self, kinds: Any) -> Any:
        """What Numba knows of its code for arguments of these types."""
        raise NotImplementedError

    def library(self, kinds: Any) -> Any:
        """The code."""
        raise NotImplementedError


@cache
def _operation(op: Any, kinds: Any) -> Any:
    """The function of an operator, and its signature for these types."""
    context = cpu_target.typing_context
    function = context.resolve_value_type(op)
    return function, function.get_call_type(context, kinds, {})


class _Lower(Lower):
    """Lowers one function, a kernel or a part of one."""

    def setup_function(self, fndesc: Any) -> None:
        """Begin the function; a part, which has no machine code, takes our words."""
        if not self.flags.no_compile:
            super().setup_function(fndesc)
            return
        code = part_type(self.call_conv, fndesc.restype, fndesc.argtypes)
        name = fndesc.mangled_name
        self.function = get_or_insert_function(self.module, code, name)
        for place in self.function.args[:2]:
            place.add_attribute("captures(none)")
            place.add_attribute("noalias")
        if fndesc.inline:
            self.function.attributes.add("alwaysinline")
        self.entry_block = self.function.append_basic_block("entry")
        self.builder = llvm.IRBuilder(self.entry_block)
        self.call_helper = self.call_conv.init_call_helper(self.builder)

    def init(self) -> None:
        """Find the names that get a value once."""
        self._blk_local_varmap: dict[str, Any] = {}
        times: dict[str, int] = {}
        for block in self.func_ir.blocks.values():
            for inst in block.body:
                if isinstance(inst, ir.Assign):
                    name = inst.target.name
                    times[name] = times.get(name, 0) + 1
        self._singly_assigned_vars = {name for name, n in times.items() if n == 1}

    def lower_function_body(self) -> Any:
        """Lower all blocks, each after those that every way to it goes through."""
        for offset in self.blocks:
            self.blkmap[offset] = self.function.append_basic_block(f"B{offset}")
        self.pre_lower()
        tail = self.builder.basic_block
        for offset in self._order():
            block = self.blocks[offset]
            self.builder.position_at_end(self.blkmap[offset])
            self._cur_ir_block = block
            for inst in block.body:
                self.loc = inst.loc
                self.lower_inst(inst)
        self.post_lower()
        return tail

    def _order(self) -> list[int]:
        """The blocks in reverse postorder, and what is never reached at the end."""
        graph = CFGraph()
        for offset in self.blocks:
            graph.add_node(offset)
        for offset, block in self.blocks.items():
            for target in block.terminator.get_targets():
                graph.add_edge(offset, target)
        graph.set_entry_point(min(self.blocks))
        graph.process()
        order = list(graph.topo_order())
        return order + [offset for offset in self.blocks if offset not in order]

    # Values.

    def extract_function_arguments(self) -> Any:
        """The arguments; tuples and arrays as bundles."""
        given = iter(self.call_conv.get_arguments(self.function))
        kinds = self.fndesc.argtypes
        words = given
        if not self.flags.no_compile:
            words = iter([word for kind in kinds for word in made_lean(kind, given)])
        self.fnargs = [self._taken(kind, words) for kind in kinds]
        return self.fnargs

    def _taken(self, kind: Any, words: Any) -> Any:
        """A value from the words of an iterator."""
        if is_bundled(kind):
            return Bundle(kind, tuple(next(words) for _ in range(size(kind))))
        return model(kind).from_argument(self.builder, nested(layout(kind), words))

    def _words(self, value: Any, kind: Any) -> list[Any]:
        """The words of a value."""
        if isinstance(value, Bundle):
            return list(value.words)
        given = flat(model(kind).as_argument(self.builder, value))
        return made_lean(kind, iter(given))

    def _raw(self, name: str) -> Any:
        """The value of a name; maybe a bundle."""
        if name in self._blk_local_varmap:
            return self._blk_local_varmap[name]
        return super().loadvar(name)

    def _whole(self, value: Any) -> Any:
        """The value as LLVM has it."""
        if not isinstance(value, Bundle):
            return value
        kind, words = value
        if is_lean(kind):
            words = all_words(self.context, self.builder, kind, words)
        if isinstance(kind, types.Array):
            parts = nested(layout(kind), iter(words))
            return model(kind).from_argument(self.builder, parts)
        rest = iter(words)
        parts = [self._whole(self._taken(part, rest)) for part in kind]
        return self.context.make_tuple(self.builder, kind, parts)

    def loadvar(self, name: str) -> Any:
        """The value of a name, as LLVM has it."""
        return self._whole(self._raw(name))

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        """Give a name a value."""
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
            return
        self._alloca_var(name, self.typeof(name))
        self.builder.store(self._whole(value), self.varmap[name])

    def delvar(self, name: str) -> None:
        """Do nothing: kernels count no references."""

    # Statements.

    def lower_inst(self, inst: Any) -> None:
        """Lower one statement."""
        if isinstance(inst, ir.Assign):
            kind = self.typeof(inst.target.name)
            self.storevar(self.lower_assign(kind, inst), inst.target.name)
        elif not isinstance(inst, ir.Del):
            super().lower_inst(inst)

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """The value of a statement."""
        value = inst.value
        if isinstance(value, ir.Arg) and self.typeof("arg." + value.name) is ty:
            return self.fnargs[value.index]
        if isinstance(value, ir.Var) and self.typeof(value.name) is ty:
            return self._raw(value.name)
        if isinstance(value, ir.Arg):
            self.fnargs[value.index] = self._whole(self.fnargs[value.index])
        return super().lower_assign(ty, inst)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """The value of an expression."""
        if expr.op == "getattr":
            value = self._raw(expr.value.name)
            is_named = isinstance(value, Bundle) and hasattr(value.kind, "fields")
            if is_named and expr.attr in value.kind.fields:
                kind, first = fields(value.kind)[expr.attr]
                if kind is resty:
                    return self._taken(kind, iter(value.words[first:]))
        elif expr.op == "build_tuple" and is_bundled(resty):
            names = [item.name for item in expr.items]
            if all(self.typeof(name) is kind for name, kind in zip(names, resty)):
                each = (self._words(self._raw(n), k) for n, k in zip(names, resty))
                return Bundle(resty, tuple(word for words in each for word in words))
        elif expr.op == "exhaust_iter" and self.typeof(expr.value.name) is resty:
            return self._raw(expr.value.name)
        elif expr.op == "static_getitem":
            value = self._raw(expr.value.name)
            kind, at = self.typeof(expr.value.name), expr.index
            is_item = isinstance(kind, BaseTuple) and isinstance(at, int)
            if isinstance(value, Bundle) and is_item and kind[at] is resty:
                first = sum(size(kind[i]) for i in range(at % len(kind)))
                return self._taken(resty, iter(value.words[first:]))
        return super().lower_expr(resty, expr)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """An operation on two numbers; powers and others are left to Numba."""
        wanted = self.fndesc.calltypes[expr]
        kinds = self.typeof(expr.lhs.name), self.typeof(expr.rhs.name)
        if op in (operator.pow, operator.ipow) or not (
            all(isinstance(kind, PLAIN) for kind in (*kinds, *wanted.args))
        ):
            return super().lower_binop(resty, expr, op)
        function, found = _operation(op, wanted.args)
        values = [
            self._cast(self.loadvar(each.name), kind, to)
            for each, kind, to in zip((expr.lhs, expr.rhs), kinds, wanted.args)
        ]
        value = self.context.get_function(function, found)(self.builder, values)
        return self._cast(value, found.return_type, resty)

    def _cast(self, value: Any, kind: Any, to: Any) -> Any:
        """The value as another type."""
        if kind is to:
            return value
        return self.context.cast(self.builder, value, kind, to)

    # Items of arrays.

    def lower_getitem(
        self, resty: Any, expr: Any, value: Any, index: Any, signature: Any
    ) -> Any:
        """An item of an array; whatever else has items is left to Numba."""
        kind = self.typeof(value.name)
        place = self._place(value, index, signature.args[1])
        if place is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        align = None if kind.aligned else 1
        found = self.context.unpack_value(self.builder, kind.dtype, place, align)
        return self._cast(found, kind.dtype, resty)

    def lower_setitem(
        self, target_var: Any, index_var: Any, value_var: Any, signature: Any
    ) -> Any:
        """Write an item of an array."""
        kind = self.typeof(target_var.name)
        place = self._place(target_var, index_var, signature.args[1])
        if place is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        value = self.loadvar(value_var.name)
        value = self._cast(value, self.typeof(value_var.name), kind.dtype)
        align = None if kind.aligned else 1
        self.context.pack_value(self.builder, kind.dtype, value, place, align)
        return None

    def _place(self, array: Any, index: Any, wanted: Any) -> Any:
        """The address of an item, or None where Numba knows better."""
        kind, given = self.typeof(array.name), self.typeof(index.name)
        if not isinstance(kind, types.Array) or kind.layout != "C":
            return None
        if not isinstance(kind.dtype, PLAIN):
            return None
        many = isinstance(wanted, BaseTuple)
        if many and given is not wanted:
            return None
        kinds = tuple(wanted) if many else (wanted,)
        if len(kinds) != kind.ndim or kind.ndim > 2:
            return None
        if not all(isinstance(each, types.Integer) for each in kinds):
            return None
        if many:
            indices = self._words(self._raw(index.name), given)
        else:
            indices = [self._cast(self.loadvar(index.name), given, wanted)]
        data, lengths = self._data_of(self._raw(array.name), kind.ndim)
        places = [
            self._wrapped(each, of, length)
            for each, of, length in zip(indices, kinds, lengths)
        ]
        if self.context.enable_boundscheck:
            for axis, (each, length) in enumerate(zip(places, lengths)):
                do_boundscheck(self.context, self.builder, each, length, axis)
        place = places[0]
        if kind.ndim == 2:
            place = self.builder.add(self.builder.mul(place, lengths[1]), places[1])
        return self.builder.gep(data, [place])

    def _data_of(self, array: Any, ndim: int) -> tuple[Any, list[Any]]:
        """Where the items of an array are, and its lengths."""
        if isinstance(array, Bundle):
            return array.words[0], list(array.words[1:])
        lengths = [self.builder.extract_value(array, (SHAPE, i)) for i in range(ndim)]
        return self.builder.extract_value(array, DATA), lengths

    def _wrapped(self, index: Any, kind: Any, length: Any) -> Any:
        """An index from 0 on; if negative, it counts from the end."""
        if not kind.signed:
            return self._cast(index, kind, types.uintp)
        index = self._cast(index, kind, types.intp)
        if isinstance(index, llvm.Constant) and index.constant >= 0:
            return index
        is_negative = self.builder.icmp_signed("<", index, index.type(0))
        wrapped = self.builder.add(index, length)
        return self.builder.select(is_negative, wrapped, index)

    # Calls.

    def lower_call(self, resty: Any, expr: Any) -> Any:
        """A call of a part, or of `len`; others are left to Numba."""
        function, wanted = self.typeof(expr.func.name), self.fndesc.calltypes[expr]
        if isinstance(function, PartType):
            return self._cast(
                self._call_part(function, wanted, expr), wanted.return_type, resty
            )
        if getattr(function, "typing_key", None) is len:
            array = self._raw(expr.args[0].name)
            if isinstance(array, Bundle) and is_lean(array.kind):
                return self._cast(array.words[1], types.intp, resty)
        return super().lower_call(resty, expr)

    def _call_part(self, function: PartType, wanted: Any, expr: Any) -> Any:
        """Call a part, and return at once if it has raised an error."""
        builder, words = self.builder, []
        for var, kind in zip(expr.args, wanted.args):
            value, given = self._raw(var.name), self.typeof(var.name)
            if given is not kind:
                value = self.context.cast(builder, self._whole(value), given, kind)
            words += self._words(value, kind)
        self.library.add_linking_library(function.library(wanted.args))
        described = function.descriptor(wanted.args)
        code = get_or_insert_function(
            builder.module,
            part_type(self.call_conv, described.restype, wanted.args),
            described.mangled_name,
        )
        place = alloca_once(builder, code.args[0].type.pointee)
        status = builder.call(code, [place, self.function.args[1], *words])
        failed = builder.icmp_signed("!=", status, STATUS)
        with builder.if_then(failed, likely=False):
            builder.ret(status)
        kind = wanted.return_type
        return self.context.get_returned_value(builder, kind, builder.load(place))


@register_pass(mutates_CFG=True, analysis_only=False)
class PlainLowering(BaseNativeLowering):
    """The pass of a pipeline that lowers."""

    _name = "plain_lowering"

    @property
    def lowering_class(self) -> type[_Lower]:
        """What lowers a function."""
        return _Lower
