"""Results: what a search leaves behind, in memory and on disk."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.archive import Archive, Trail, replayed
from paretoball.formats import PathLike, packed_npz
from paretoball.landscape import Front, Landscape, default_names, landscape_digest
from paretoball.quality import hypervolume, ranges
from paretoball.running.rows import packed_rows, rows_of, trails_of
from paretoball.running.run_file import Arrays, read_run, stamped, write_run
from paretoball.running.status import ENDINGS, NOT_SEARCHED
from paretoball.search import METHODS, method_named
from paretoball.system import brief, printable

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
NO_TRACE = np.zeros((0, 5))


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """What a search leaves behind."""

    F: np.ndarray  # (size, d): mutually non-dominated objective vectors, ascending
    climb: np.ndarray  # (size,) int64: the climb or path that reported each
    step: np.ndarray  # (size,) int64: after how many moves; or where on its path
    optimum: np.ndarray  # (size,) bool: whether that climb ended there
    n: int
    sense: tuple[str, ...]
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
            reference=landscape.mean,
            source=landscape,
            trails=dict(archive.trails),
            **facts,
        )

    def __len__(self) -> int:
        return len(self.F)

    @property
    def d(self) -> int:
        """The number of objectives."""
        return self.F.shape[1]

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each objective."""
        return default_names(self.d)

    @property
    def landscape(self) -> str:
        """The digest of the landscape."""
        if isinstance(self.source, str):
            return self.source
        return landscape_digest(self.source)

    @property
    def unit(self) -> str:
        """What `climbs` counts: paths, or single climbs."""
        method = self.config.get("method")
        return method_named(method).unit if method in list(METHODS) else "climbs"

    @property
    def failed(self) -> bool:
        """Whether the run ended because its workers could not go on."""
        return self.status not in ENDINGS

    @property
    def X(self) -> np.ndarray:
        """The solutions, rebuilt on access: (size, n) bool, rows as in F."""
        return replayed(self.trails, self.climb, self.step, self.n)

    def hypervolume(self, ref: Any = None) -> float:
        """The volume that the front dominates, down to `ref`.

        Without one, the reference point is the mean of f over all solutions.
        """
        return hypervolume(self, self.reference if ref is None else ref)

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per solution: objectives by name, climb, step, local optimum."""
        from paretoball.adapters.pandas import to_dataframe

        return to_dataframe(self)

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
        }
        if np.isnan(self.archive_seconds):
            del header["archive_seconds"]
        return header

    def arrays(self) -> Arrays:
        """The arrays of a run file."""
        rows = packed_rows(
            self.F, self.climb, self.step, self.optimum, self.trails, self.n
        )
        return {**rows, "trace": self.trace}

    def __repr__(self) -> str:
        rate = self.moves / self.seconds if self.seconds > 0 else 0.0
        noun = "solution" if len(self) == 1 else "solutions"
        return (
            f"Result: {len(self):,} non-dominated {noun} ({ranges(self)}); "
            f"{printable(self.status):.500} after {self.seconds:.1f} s, "
            f"{self.climbs:,} {self.unit}, {self.moves:,} moves ({rate:,.0f}/s); "
            f"radius {brief(self.config.get('radius'))}, "
            f"seed {brief(self.config.get('seed'))}"
        )


def load(path: PathLike) -> Result:
    """The result in a run file or a checkpoint."""
    return result_in(*read_run(path))


def result_in(header: dict[str, Any], arrays: Arrays) -> Result:
    """The result in a run file."""
    order = np.lexsort(arrays["F"].T[::-1])
    facts: dict[str, Any] = {name: (LACKING | header)[name] for name in FACTS}
    return Result(
        F=arrays["F"][order],
        climb=arrays["climb"][order],
        step=arrays["step"][order],
        optimum=arrays["optimum"][order],
        sense=tuple(header["sense"]),
        reference=np.array(header["reference"], float),
        trace=arrays["trace"],
        source=header["landscape"],
        trails=trails_of(arrays),
        **facts,
    )


def save_front(front: Front, landscape: Landscape, path: PathLike) -> None:
    """Write any front of a landscape to a run file: an archive, a hull, offspring.

    `load`, `paretoball verify` and `paretoball plot` read it like the run of a search
    that took no time.

    Examples
    --------
    >>> ones = [((j,), [0, 1]) for j in range(3)]
    >>> landscape = Landscape.from_subfunctions(3, [ones])
    >>> archive = Archive(1)
    >>> archive.report([2], [0, 1, 1])
    True
    >>> save_front(archive, landscape, "archive.npz")  # doctest: +SKIP
    """
    if isinstance(front, Result):
        front.save(path)
        return
    rows = rows_of(front)
    if len(rows["F"]) == 0:
        raise ValueError("the front is empty, so there is nothing to save")
    if (front.n, front.sense) != (landscape.n, landscape.sense):
        raise ValueError(
            f"the front has n = {front.n} and senses {', '.join(front.sense)}, but the "
            f"landscape has n = {landscape.n} and {', '.join(landscape.sense)}"
        )
    header = {
        "sense": list(front.sense),
        "reference": landscape.mean.tolist(),
        "landscape": landscape_digest(landscape),
        "n": front.n,
        "moves": 0,
        "climbs": 0,
        "seconds": 0.0,
        "setup_seconds": 0.0,
        "archive_seconds": 0.0,
        "status": NOT_SEARCHED,
        "config": {},
        "bounded": False,
    }
    write_run(path, header, {**rows, "trace": NO_TRACE})
