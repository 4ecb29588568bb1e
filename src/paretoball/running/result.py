"""Results: what a search leaves behind, in memory and on disk."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from paretoball.archive import Archive, Trail, replayed
from paretoball.formats import (
    PathLike,
    labels_in,
    names_in,
    naming_header,
    packed_npz,
    write_table,
)
from paretoball.landscape import (
    Landscape,
    bit_names,
    check_solutions_fit,
    default_names,
    distinct_columns,
    landscape_digest,
    packed_bits,
)
from paretoball.quality import Estimate, hypervolume, ranges
from paretoball.running.nearest_file import nearest_header, nearest_in
from paretoball.running.rows import packed_rows, trails_of
from paretoball.running.run_file import NEAREST, Arrays, read_run, stamped, write_run
from paretoball.running.solution import Nearest, Solution, checked_rows
from paretoball.running.status import CLIMBS, ENDINGS, INFEASIBLE, PROVEN
from paretoball.search import METHODS, method_named
from paretoball.system import brief, counted, is_whole, printable

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

FACTS = (  # the fields that a run file holds as they are
    "n",
    "moves",
    "climbs",
    "seconds",
    "setup_seconds",
    "archive_seconds",
    "status",
    "config",
    "bounded",
)
LACKING: dict[str, Any] = {  # for files of earlier versions
    "archive_seconds": np.nan,
    "bounded": False,
}
FOUND = ("climb", "step", "optimum")  # columns of tables, after the objectives
NO_TRACE = np.zeros((0, 5))
LONGEST = 500  # characters of a status that are shown
CHUNK = 1 << 25  # bytes of solutions that are rebuilt at a time


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """What a search leaves behind.

    `result[i]` is the solution with the objectives `F[i]`, a slice gives a list of
    them, and a loop goes over all in the order of F, with little memory. `X` has all
    of them as one matrix, `solutions(rows)` some.
    """

    F: np.ndarray  # (size, d): mutually non-dominated objective vectors, ascending
    climb: np.ndarray  # (size,) int64: the climb or path that reported each
    step: np.ndarray  # (size,) int64: after how many moves; or where on its path
    optimum: np.ndarray  # (size,) bool: whether that climb ended there
    n: int
    sense: tuple[str, ...]
    names: tuple[str, ...]  # one per objective
    moves: int
    climbs: int  # finished ones, or paths
    seconds: float  # of search, without set-up
    setup_seconds: float
    archive_seconds: float  # of the search, for the archive; nan if a file lacks it
    status: str
    config: dict[str, Any]
    trace: np.ndarray  # (rows, 5): seconds, moves, climbs, size, hypervolume
    reference: np.ndarray  # (d,): where hypervolumes of the trace start: the mean of f
    source: Landscape | str  # the landscape searched, or its digest from a file
    bounded: bool = False  # whether the most crowded were dropped for `max_archive`
    unsaved: str = ""  # why the last checkpoint could not be written, if it could not
    trails: dict[int, Trail] = field(default_factory=dict)
    given_labels: tuple[Hashable, ...] | None = None  # None where they are 0 to n - 1
    constraints: int = 0  # how many the landscape has
    nearest: Nearest | None = None  # if no feasible solution was found

    @classmethod
    def of_run(cls, landscape: Landscape, archive: Archive, **facts: Any) -> "Result":
        """The result of a run that ended with this archive, in inside units."""
        points = archive.points()
        F = landscape.shown(points.fx)
        order = np.lexsort(F.T[::-1])
        return cls(
            F=F[order],
            climb=points.unit[order],
            step=points.step[order],
            optimum=points.optimum[order].astype(np.bool_),
            n=landscape.n,
            sense=landscape.sense,
            names=landscape.names,
            given_labels=landscape.given_labels,
            reference=landscape.mean,
            source=landscape,
            trails=dict(archive.trails),
            constraints=len(landscape.constraints),
            **facts,
        )

    def __len__(self) -> int:
        return len(self.F)

    @overload
    def __getitem__(self, row: int) -> Solution: ...

    @overload
    def __getitem__(self, row: slice) -> list[Solution]: ...

    def __getitem__(self, row: int | slice) -> Solution | list[Solution]:
        if isinstance(row, slice):
            return list(self._each(checked_rows(row, len(self))))
        if not is_whole(row):
            raise TypeError(
                f"result[{brief(row)}]: one solution has a whole number, a list of "
                "them a slice; result.solutions(rows) takes all kinds of rows"
            )
        return next(self._each(checked_rows([row], len(self))))

    def __iter__(self) -> Iterator[Solution]:
        return self._each(np.arange(len(self)))

    def _each(self, rows: np.ndarray) -> Iterator[Solution]:
        """The solutions in these rows, of which a few at a time are rebuilt."""
        few = max(1, CHUNK // self.n)
        for some in np.split(rows, range(few, len(rows), few)):
            for row, x in zip(some.tolist(), self.solutions(some)):
                yield Solution(
                    fx=self.F[row].copy(),
                    x=x.copy(),
                    climb=int(self.climb[row]),
                    step=int(self.step[row]),
                    optimum=bool(self.optimum[row]),
                    given_labels=self.given_labels,
                )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "X"}

    @property
    def d(self) -> int:
        """The number of objectives."""
        return self.F.shape[1]

    @property
    def labels(self) -> tuple[Hashable, ...]:
        """A label for each variable: 0 to n - 1 if none were given."""
        return tuple(range(self.n)) if self.given_labels is None else self.given_labels

    @property
    def landscape(self) -> str:
        """The digest of the landscape."""
        if isinstance(self.source, str):
            return self.source
        return landscape_digest(self.source)

    @property
    def unit(self) -> str:
        """What `climbs` counts: `"path"`, or `"climb"`."""
        method = self.config.get("method")
        return method_named(method).unit if method in list(METHODS) else "climb"

    @property
    def ending(self) -> str:
        """The status as it is shown; where climbs are paths, it says so."""
        if self.status == CLIMBS:
            return f"{self.unit}s done"
        return printable(self.status)[:LONGEST]

    @property
    def emptiness(self) -> str:
        """Of a result without solutions: that there are none, and what is nearest."""
        if self.status == INFEASIBLE:
            return "no solution is feasible"
        none = "no feasible solution was found"
        if self.nearest is None:
            return none
        return f"{none}; the nearest violates {self.nearest.in_words}"

    @property
    def failed(self) -> bool:
        """Whether the run ended because its workers could not go on."""
        return self.status not in ENDINGS

    @cached_property
    def X(self) -> np.ndarray:
        """All solutions, rebuilt once: (size, n) bool, rows as in F, read-only."""
        advice = "result[i] and result.solutions(rows) rebuild some of them"
        check_solutions_fit(len(self), self.n, advice)
        X = self.solutions(slice(None))
        X.flags.writeable = False
        return X

    def solution(self, row: int) -> dict[Hashable, int]:
        """The solution with the objectives `F[row]`: 0 or 1 for each label."""
        if isinstance(row, slice):
            raise TypeError(f"row is {brief(row)}, but one solution has a number")
        return self[row].by_label

    def solutions(self, rows: Any) -> np.ndarray:
        """What `X[rows]` would be, without rebuilding the others: (rows, n) bool.

        `rows` are whole numbers, a slice or a mask with a bool for each row of F.
        """
        at = checked_rows(rows, len(self))
        flat = at.ravel()
        X = replayed(self.trails, self.climb[flat], self.step[flat], self.n)
        return X.reshape(*at.shape, self.n)

    @overload
    def hypervolume(
        self,
        ref: Any = None,
        approximate: Literal[False] = False,
        seed: Any = None,
        rng: Any = None,
    ) -> float: ...

    @overload
    def hypervolume(
        self,
        ref: Any = None,
        *,
        approximate: Literal[True],
        seed: Any = None,
        rng: Any = None,
    ) -> Estimate: ...

    def hypervolume(
        self,
        ref: Any = None,
        approximate: bool = False,
        seed: Any = None,
        rng: Any = None,
    ) -> float | Estimate:
        """The volume that the front dominates, down to `ref`.

        Without one, the reference point is the mean of f over all solutions. With
        `approximate=True` it is an estimate with a `value` and an `error`, which is for
        many points with four objectives or more; the same seed gives the same estimate.
        """
        corner = self.reference if ref is None else ref
        if approximate:
            return hypervolume(self, corner, approximate=True, seed=seed, rng=rng)
        return hypervolume(self, corner, seed=seed, rng=rng)

    def columns(self) -> dict[Hashable, np.ndarray]:
        """What tables tell of each solution: objectives, climb, step, local optimum."""
        names = distinct_columns([*self.names, *FOUND])
        found = [*self.F.T, *(getattr(self, name) for name in FOUND)]
        return dict(zip(names, found))

    def to_dataframe(self, bits: bool = False) -> "pandas.DataFrame":
        """One row per solution: objectives by name, climb, step, local optimum.

        With `bits`, a column for each variable follows: its label, or x0, x1, ... if
        there are no labels. A column whose name an earlier one has, such as that of a
        variable labelled `"step"`, gets an underscore at its end.
        """
        from paretoball.adapters.pandas import to_dataframe

        return to_dataframe(self, bits)

    def to_csv(self, path: PathLike, bits: bool = False) -> None:
        """Write the columns of `to_dataframe` to a CSV file, whole or not at all.

        A bool is 0 or 1, a label that is no text is written as `str(label)`, and a name
        that a spreadsheet would take for a formula, such as `=A1`, gets a `'` before
        it. One row at a time is rebuilt, so any number of them fits.
        """
        columns = self.columns()
        facts = [
            column.astype(int) if column.dtype == bool else column
            for column in columns.values()
        ]
        rows: Iterator[Any] = zip(*(column.tolist() for column in facts))
        names = list(columns)
        if bits:
            labels = [str(label) for label in bit_names(self.n, self.given_labels)]
            names += distinct_columns(labels, columns)
            vectors = (solution.x.view(np.uint8).tolist() for solution in self)
            rows = ((*row, *vector) for row, vector in zip(rows, vectors))
        write_table(path, map(str, names), rows)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the front; needs matplotlib (`pip install paretoball[plot]`)."""
        from paretoball.report import plot_front

        return plot_front(self, ax)

    def save(self, path: PathLike) -> None:
        """Write the result to an npz file, whole or not at all."""
        write_run(path, self.header(), self.arrays())

    def to_bytes(self) -> bytes:
        """The content of the npz file that `save` writes."""
        return packed_npz(stamped(self.header()), self.arrays())

    def header(self) -> dict[str, Any]:
        """What a run file says besides its arrays."""
        header = {
            "sense": list(self.sense),
            "reference": self.reference.tolist(),
            "landscape": self.landscape,
            **{name: getattr(self, name) for name in FACTS},
            **naming_header(self.given_labels, self.names),
        }
        if np.isnan(self.archive_seconds):
            del header["archive_seconds"]
        if self.constraints:
            header["constraints"] = self.constraints
        if self.nearest is not None:
            header["nearest"] = nearest_header(self.nearest)
        return header

    def arrays(self) -> Arrays:
        """The arrays of a run file."""
        rows = packed_rows(
            self.F, self.climb, self.step, self.optimum, self.trails, self.n
        )
        if self.nearest is not None:
            rows[NEAREST] = packed_bits(self.nearest.x)
        return {**rows, "trace": self.trace}

    def __repr__(self) -> str:
        rate = self.moves / self.seconds if self.seconds > 0 else 0.0
        front = f"{counted(len(self), 'non-dominated solution')} ({ranges(self)})"
        if len(self) == 0:
            front = self.emptiness
        if self.status in PROVEN:
            return f"Result: {front}; {self.ending}, after {self.seconds:.1f} s"
        return (
            f"Result: {front}; {self.ending} after {self.seconds:.1f} s, "
            f"{counted(self.climbs, self.unit)}, "
            f"{counted(self.moves, 'move')} ({rate:,.0f}/s); "
            f"radius {brief(self.config.get('radius'))}, "
            f"seed {brief(self.config.get('seed'))}"
        )


def load(path: PathLike) -> Result:
    """The result in a run file or a checkpoint."""
    return result_in(*read_run(path))


def result_in(header: dict[str, Any], arrays: Arrays) -> Result:
    """The result in a run file."""
    order, d = np.lexsort(arrays["F"].T[::-1]), len(header["sense"])
    facts: dict[str, Any] = {name: (LACKING | header)[name] for name in FACTS}
    return Result(
        F=arrays["F"][order],
        climb=arrays["climb"][order],
        step=arrays["step"][order],
        optimum=arrays["optimum"][order],
        sense=tuple(header["sense"]),
        names=names_in(header, d) or default_names(d),
        given_labels=labels_in(header, header["n"]),
        reference=np.array(header["reference"], float),
        trace=arrays["trace"],
        source=header["landscape"],
        trails=trails_of(arrays),
        constraints=header.get("constraints", 0),
        nearest=nearest_in(header, arrays),
        **facts,
    )
