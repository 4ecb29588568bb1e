"""Vector Mk Landscapes: what a user gives, checked, and made exact.

Everything that enters the package is checked here, once. Tables become integers: real
ones are put on a grid fine enough for every decimal given, or as fine as exact
arithmetic allows. Inside, all objectives are maximised integers; whatever a user sees
is in the problem's own units and sense.
"""

import reprlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball import cliques as merged
from paretoball.cliques import Cliques, Graph, Subfunctions, offsets
from paretoball.memory import available_memory, readable_bytes

if TYPE_CHECKING:
    import networkx

MAX_ARITY = 24  # a table of 2**24 entries is 128 MiB
EXACT = 2**62  # no sum inside ever passes this
EXACT_DECIMALS = 2**51  # up to here, a float tells which decimal it stands for
GRID = 2**47  # how far reals that are no short decimals may reach, in steps
SMALLEST = 2.0**-900  # reals that reach less have no steps that a float can tell

Objective = Iterable[tuple[Sequence[int], Sequence[float]]]


@dataclass(frozen=True, eq=False, repr=False)
class Landscape:
    """A vector Mk Landscape: d objectives over n bits, each a sum of subfunctions.

    Make one with `Landscape.from_subfunctions`, `mnk` or `read_landscape`.
    """

    n: int
    subfunctions: Subfunctions
    signs: np.ndarray  # (d,) int64: 1 for a maximised objective, -1 for a minimised one
    scale: np.ndarray  # (d,) float64: steps per unit; 1 where tables are integers
    real: bool  # whether objectives are shown as floats

    @classmethod
    def from_subfunctions(
        cls,
        n: int,
        objectives: Iterable[Objective],
        sense: str | Sequence[str] = "max",
    ) -> "Landscape":
        """The landscape whose objective i is the sum of `objectives[i]`.

        Parameters
        ----------
        objectives
            For each objective its subfunctions, as pairs `(variables, table)`; bit j of
            an index into the table is the value of `variables[j]`. Arities may differ,
            a constant reads no variables and has a table of one entry.
        sense
            `"max"` or `"min"`, for all objectives or one by one.

        Examples
        --------
        >>> parabola = [((0, 1), [0, 1, 1, 4])]
        >>> ones = [((0,), [0, 1]), ((1,), [0, 1])]
        >>> landscape = Landscape.from_subfunctions(2, [parabola, ones], ["max", "min"])
        >>> landscape.evaluate([1, 1]).tolist()
        [4, 2]
        """
        n = checked_n(n)
        lists = listed_objectives(objectives)
        d = len(lists)
        objective = np.repeat(np.arange(d), [len(each) for each in lists])
        given = list(chain.from_iterable(lists))
        for s, pair in enumerate(given):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise TypeError(
                    f"{place(objective, s)} is {brief(pair)}, not (variables, table)"
                )
        mask_at, masks = laid_end_to_end(
            [pair[0] for pair in given], "variables", objective
        )
        table_at, tables = laid_end_to_end(
            [pair[1] for pair in given], "table", objective
        )
        return cls.from_arrays(n, d, objective, mask_at, masks, table_at, tables, sense)

    @classmethod
    def from_arrays(
        cls,
        n: int,
        d: int,
        objective: np.ndarray,
        mask_at: np.ndarray,
        masks: np.ndarray,
        table_at: np.ndarray,
        tables: np.ndarray,
        sense: str | Sequence[str] = "max",
    ) -> "Landscape":
        """The same from flat arrays, laid out as in `Subfunctions`: fast for millions.

        `tables` may be real.
        """
        n = checked_n(n)
        signs = checked_sense(sense, d)
        check_layout(d, objective, mask_at, masks, table_at, tables)
        check_masks(n, objective, mask_at, masks)
        check_tables(objective, mask_at, table_at, tables)
        real = tables.dtype.kind == "f" and len(tables) > 0
        scale, steps = on_grid(d, objective, table_at, tables)
        whole = (
            each.astype(np.int64) for each in (objective, mask_at, masks, table_at)
        )
        return cls(n, Subfunctions(*whole, steps), signs, scale, real)

    @cached_property
    def cliques(self) -> Cliques:
        """The subfunctions merged by mask, maximised: what kernels work on."""
        return merged.merge(self.n, self.d, self.signs, self.subfunctions)

    @cached_property
    def cooccurrence(self) -> Graph:
        """The co-occurrence graph, as CSR arrays `at` and `neighbours`."""
        return merged.cooccurrence(self.cliques)

    def to_networkx(self) -> "networkx.Graph":
        """The co-occurrence graph, for networkx."""
        try:
            import networkx
        except ImportError:
            raise ImportError(
                "to_networkx needs networkx: pip install networkx"
            ) from None
        at, neighbours = self.cooccurrence
        graph = networkx.Graph()
        graph.add_nodes_from(range(self.n))
        ends = np.column_stack([np.repeat(np.arange(self.n), np.diff(at)), neighbours])
        graph.add_edges_from(ends[ends[:, 0] < ends[:, 1]].tolist())
        return graph

    @property
    def d(self) -> int:
        """The number of objectives."""
        return len(self.signs)

    @property
    def m(self) -> int:
        """The number of subfunctions, all objectives together."""
        return len(self.subfunctions.objective)

    @property
    def k(self) -> int:
        """The most variables that one subfunction reads."""
        return int(np.diff(self.subfunctions.mask_at).max(initial=0))

    @cached_property
    def max_occurrence(self) -> int:
        """The most subfunctions that read one variable; the paper's c."""
        return int(np.bincount(self.subfunctions.masks, minlength=self.n).max())

    @property
    def c(self) -> int:
        """The most subfunctions that read one variable."""
        return self.max_occurrence

    @property
    def sense(self) -> tuple[str, ...]:
        """`"max"` or `"min"` for each objective."""
        return tuple("max" if sign > 0 else "min" for sign in self.signs)

    @property
    def resolution(self) -> tuple[float, ...]:
        """The step of each objective's grid: 1 where all its tables are integers."""
        return tuple((1 / self.scale).tolist())

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean of f over all solutions: (d,) float64."""
        sizes = np.diff(self.subfunctions.table_at)
        per_entry = np.repeat(1 / sizes, sizes)
        owner = np.repeat(self.subfunctions.objective, sizes)
        weights = self.subfunctions.tables * per_entry
        return np.bincount(owner, weights, self.d) / self.scale

    def evaluate(self, x: Any) -> np.ndarray:
        """f(x) for one solution, (d,), or for a batch of them, (b, d)."""
        x = checked_solutions(x, self.n, "x")
        F = np.empty((x.size // self.n, self.d), np.int64)
        merged.evaluate(self.cliques, x.reshape(-1, self.n), F)
        return self.shown(F.reshape(x.shape[:-1] + (self.d,)))

    def shown(self, F: np.ndarray) -> np.ndarray:
        """Inside objectives or scores, in the problem's own units and sense."""
        own = F.astype(np.int64) * self.signs
        return own / self.scale if self.real else own

    def inside(self, F: np.ndarray) -> np.ndarray:
        """The inverse of `shown`."""
        steps = np.rint(np.asarray(F) * self.scale) if self.real else np.asarray(F)
        return steps.astype(np.int64) * self.signs

    def __repr__(self) -> str:
        senses = "/".join(self.sense)
        return (
            f"Landscape(n={self.n:,}, d={self.d} ({senses}), k={self.k}, "
            f"c={self.c}, m={self.m:,})"
        )


def place(objective: np.ndarray, s: int) -> str:
    """Where subfunction s stands, in words: `objective 0, subfunction 3`."""
    i = int(objective[s])
    return f"objective {i}, subfunction {s - int(np.searchsorted(objective, i))}"


def brief(value: object) -> str:
    """A value in a few characters on one line, for an error message."""
    return " ".join(reprlib.repr(value).split())


def listed_objectives(objectives: Iterable[Objective]) -> list[list[Any]]:
    """The subfunctions of each objective as a list."""
    if not isinstance(objectives, Iterable):
        raise TypeError(f"objectives is {brief(objectives)}, not a list of objectives")
    lists = []
    for i, objective in enumerate(objectives):
        if not isinstance(objective, Iterable):
            raise TypeError(
                f"objective {i} is {brief(objective)}, not a list of subfunctions"
            )
        lists.append(list(objective))
    return lists


def laid_end_to_end(
    rows: list[Any], what: str, objective: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where each row starts, and all rows of numbers as one array.

    `what` is "variables", which are whole numbers, or "table", whose entries may be
    real.
    """
    lists = listed_rows(rows, what, objective)
    at = offsets(np.fromiter(map(len, lists), np.int64, len(lists)))
    flat = list(chain.from_iterable(lists))
    kinds = set(map(type, flat))
    whole = {kind for kind in kinds if issubclass(kind, int | np.integer)} - {bool}
    real = {kind for kind in kinds if issubclass(kind, float | np.floating)}
    right = whole if what == "variables" else whole | real
    for e, value in enumerate(flat if kinds - right else ()):
        if type(value) not in right:
            s = int(np.searchsorted(at, e, side="right")) - 1
            raise TypeError(
                f"{place(objective, s)} has {brief(value)} in its {what}, "
                f"which is not a {'whole ' * (what == 'variables')}number"
            )
    try:
        return at, np.array(flat, np.float64 if right & real else np.int64)
    except OverflowError:
        e = max(range(len(flat)), key=lambda e: abs(flat[e]))
        s = int(np.searchsorted(at, e, side="right")) - 1
        raise OverflowError(
            f"{place(objective, s)} has a number of {int(flat[e]).bit_length()} bits "
            f"in its {what}, but exact arithmetic ends at 2**62 = 4.6e18"
        ) from None


def listed_rows(
    rows: list[Any], what: str, objective: np.ndarray
) -> list[list[Any] | tuple[Any, ...]]:
    """Each row as a list or tuple, whatever ordered collection it was."""
    lists = []
    for s, row in enumerate(rows):
        if isinstance(row, np.ndarray):
            row = row.tolist()
        elif not isinstance(row, list | tuple | str | bytes | Mapping | Set):
            row = list(row) if isinstance(row, Iterable) else row
        if not isinstance(row, list | tuple):
            raise TypeError(
                f"{place(objective, s)} has {brief(row)} for its {what}, "
                "which is not a sequence of numbers"
            )
        lists.append(row)
    return lists


def checked_n(n: Any) -> int:
    """n as an int, if a landscape of that many variables fits this machine."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer):
        raise TypeError(f"n = {brief(n)} is not a whole number of variables")
    if n < 1:
        raise ValueError(f"n = {n}, but a landscape has at least one variable")
    needed = 100 * int(n)
    if n > np.iinfo(np.int32).max or needed > available_memory():
        raise MemoryError(
            f"n = {n:,} variables need {readable_bytes(needed)} before any "
            f"subfunction, but {readable_bytes(available_memory())} are free"
        )
    return int(n)


def checked_sense(sense: str | Sequence[str], d: int) -> np.ndarray:
    """One sign per objective."""
    if isinstance(d, bool) or not isinstance(d, int | np.integer):
        raise TypeError(f"d = {brief(d)} is not a whole number of objectives")
    if d < 1:
        raise ValueError(f"d = {d}, but a landscape has at least one objective")
    if not isinstance(sense, Iterable):
        raise TypeError(f"sense is {brief(sense)}, not 'max', 'min' or a list of them")
    senses = [sense] * d if isinstance(sense, str) else list(sense)
    if len(senses) != d:
        raise ValueError(f"{len(senses)} senses given for {d} objectives")
    for i, one in enumerate(senses):
        if not isinstance(one, str) or one not in ("max", "min"):
            raise ValueError(
                f"the sense of objective {i} is {brief(one)}, neither 'max' nor 'min'"
            )
    return np.array([1 if one == "max" else -1 for one in senses], np.int64)


def check_layout(
    d: int,
    objective: np.ndarray,
    mask_at: np.ndarray,
    masks: np.ndarray,
    table_at: np.ndarray,
    tables: np.ndarray,
) -> None:
    """The arrays are laid out as in `Subfunctions`."""
    whole = {"objective": objective, "mask_at": mask_at, "masks": masks,
             "table_at": table_at}  # fmt: skip
    for name, array in (whole | {"tables": tables}).items():
        kinds = "iu" if name in whole else "iuf"
        if array.ndim != 1 or array.dtype.kind not in kinds:
            raise TypeError(
                f"{name} is {array.ndim}-dimensional of {array.dtype}, not a vector of "
                f"{'whole ' * (name in whole)}numbers"
            )
    m = len(objective)
    if m and (objective[0] < 0 or objective[-1] >= d or not is_rising(objective)):
        raise ValueError(
            f"objective does not rise from 0 to at most {d - 1}, one per subfunction"
        )
    for name, at, flat in ("mask_at", mask_at, masks), ("table_at", table_at, tables):
        if len(at) != m + 1:
            raise ValueError(
                f"{name} has {len(at)} entries, but {m} subfunctions need {m + 1}"
            )
        if at[0] != 0 or at[-1] != len(flat) or not is_rising(at):
            raise ValueError(f"{name} does not rise from 0 to {len(flat)}")


def is_rising(array: np.ndarray) -> bool:
    """Whether no entry is below the one before."""
    return bool((array[1:] >= array[:-1]).all())


def check_masks(
    n: int, objective: np.ndarray, mask_at: np.ndarray, masks: np.ndarray
) -> None:
    """Every variable exists, and none is twice in a mask."""
    owner = np.repeat(np.arange(len(objective)), np.diff(mask_at))
    outside = np.flatnonzero((masks < 0) | (masks >= n))
    if len(outside):
        raise ValueError(
            f"{place(objective, owner[outside[0]])} reads variable "
            f"{masks[outside[0]]}, but a landscape of n = {n} has variables "
            f"0 to {n - 1}"
        )
    order = np.lexsort((masks, owner))
    same = (np.diff(owner[order]) == 0) & (np.diff(masks[order]) == 0)
    if same.any():
        at = order[np.flatnonzero(same)[0]]
        raise ValueError(
            f"{place(objective, owner[at])} reads variable {masks[at]} twice"
        )


def check_tables(
    objective: np.ndarray, mask_at: np.ndarray, table_at: np.ndarray, tables: np.ndarray
) -> None:
    """Every table has one finite number for each assignment of its variables."""
    arities = np.diff(mask_at)
    if arities.max(initial=0) > MAX_ARITY:
        s = int(np.argmax(arities > MAX_ARITY))
        raise ValueError(
            f"{place(objective, s)} reads {arities[s]} variables, but a table holds "
            f"at most 2**{MAX_ARITY} entries: {MAX_ARITY} variables"
        )
    wrong = np.flatnonzero(np.diff(table_at) != 1 << arities)
    if len(wrong):
        s = int(wrong[0])
        raise ValueError(
            f"{place(objective, s)} reads {arities[s]} variables, so its table needs "
            f"{1 << int(arities[s])} entries, but it has {table_at[s + 1] - table_at[s]}"
        )
    strange = np.flatnonzero(~np.isfinite(tables))
    if len(strange):
        s = int(np.searchsorted(table_at, strange[0], side="right")) - 1
        raise ValueError(
            f"{place(objective, s)} has {tables[strange[0]]} at entry "
            f"{strange[0] - table_at[s]} of its table, which is not a finite number"
        )


def on_grid(
    d: int, objective: np.ndarray, table_at: np.ndarray, tables: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Steps per unit of each objective, and all tables in those steps.

    The grid of values already on their grid is that grid, so that a landscape shown
    to a file and read back is the same one.
    """
    reach = reaches(d, objective, table_at, tables)
    if tables.dtype.kind != "f":
        return np.ones(d), tables.astype(np.int64)
    owner = np.repeat(objective, np.diff(table_at))
    values = tables.astype(np.float64)
    while True:
        scale = np.ones(d)
        for i in range(d):
            scale[i] = finest_scale(values[owner == i], reach[i])
        steps = np.rint(values * scale[owner])
        snapped = steps / scale[owner]
        if np.array_equal(snapped, values):
            return scale, steps.astype(np.int64)
        values, reach = snapped, reaches(d, objective, table_at, snapped)


def reaches(
    d: int, objective: np.ndarray, table_at: np.ndarray, tables: np.ndarray
) -> np.ndarray:
    """A bound on the size of each objective: (d,) float64."""
    reach = np.zeros(d)
    if len(tables):
        sizes = np.abs(tables.astype(np.float64))
        np.add.at(reach, objective, np.maximum.reduceat(sizes, table_at[:-1]))
    for i in np.flatnonzero(reach > EXACT):
        raise OverflowError(
            f"objective {i} can reach {reach[i]:.3g} in size, but exact 64-bit "
            "arithmetic ends at 2**62 = 4.6e18: divide its tables by a common factor"
        )
    for i in np.flatnonzero((reach > 0) & (reach < SMALLEST)):
        raise ValueError(
            f"objective {i} reaches {reach[i]:.3g} at most, but floats that small "
            "have no exact steps: multiply its tables by a common factor"
        )
    return reach


def finest_scale(values: np.ndarray, reach: float) -> float:
    """Steps per unit that hold the values exactly as decimals, or else very nearly.

    >>> finest_scale(np.array([0.25, 1.1]), 1.35)
    100.0
    """
    for digits in range(16):
        power = 10.0**digits
        if reach * power > EXACT_DECIMALS:
            break
        if np.array_equal(np.rint(values * power) / power, values):
            return power
    return float(2.0 ** np.floor(np.log2(GRID / reach)))


def checked_solutions(x: Any, n: int, name: str) -> np.ndarray:
    """x as contiguous uint8, if it is one solution or a batch of them."""
    try:
        array = np.asarray(x)
    except ValueError:  # rows of different lengths
        array = np.empty(0, object)
    if array.dtype.kind not in "biuf" or array.ndim not in (1, 2):
        raise TypeError(
            f"{name} is {brief(x)}, not a vector of {n} bits or a matrix with such rows"
        )
    if array.shape[-1] != n:
        raise ValueError(
            f"{name} has {array.shape[-1]} bits, but the landscape has n = {n}"
        )
    strange = (array != 0) & (array != 1)
    if strange.any():
        at = np.argwhere(strange)[0]
        raise ValueError(
            f"{name} has {array[tuple(at)]} at bit {at[-1]}, which is not 0 or 1"
        )
    return np.ascontiguousarray(array, np.uint8)
