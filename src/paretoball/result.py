"""Results: what a search leaves behind, in memory and on disk."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.archive import Archive, Trail, replayed
from paretoball.boxes import points_of
from paretoball.cliques import offsets
from paretoball.files import landscape_digest
from paretoball.landscape import Landscape
from paretoball.quality import hypervolume, ranges
from paretoball.runs import read_run, stamped, write_run
from paretoball.signals import INTERRUPTED, TERMINATED
from paretoball.storage import PathLike, packed_npz
from paretoball.subfunctions import brief

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

UNDER_WAY = "under way"  # of a run that did not end yet, in its checkpoints
TIME, CLIMBS, MOVES = "time is up", "climbs done", "moves done"
BY_CALLBACK = "stopped by the callback"
UNITS = {"path": "paths"}  # what climbs are called, by method
STOPPED = (INTERRUPTED, TERMINATED, BY_CALLBACK)  # of a run that ended early
ENDINGS = {UNDER_WAY, TIME, CLIMBS, MOVES, *STOPPED}  # others are failures

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
LACKING: dict[str, Any] = {
    "archive_seconds": np.nan,
    "bounded": False,
}  # for files without them


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
    bounded: bool = False  # whether some had to go, the most crowded, for `max_archive`
    unsaved: str = ""  # why the last checkpoint could not be written, if it could not
    trails: dict[int, Trail] = field(default_factory=dict)

    @classmethod
    def of_run(cls, landscape: Landscape, archive: Archive, **facts: Any) -> "Result":
        """The result of a run that ended with this archive, in inside units."""
        fx, tags = points_of(archive.tree)
        F = landscape.shown(fx)
        order = np.lexsort(F.T[::-1])
        tags = tags[order]
        return cls(
            F=F[order],
            climb=tags[:, 0],
            step=tags[:, 1],
            optimum=tags[:, 2].astype(np.bool_),
            n=landscape.n,
            sense=landscape.sense,
            reference=landscape.mean,
            source=landscape,
            trails=archive.trails,
            **facts,
        )

    def __len__(self) -> int:
        return len(self.F)

    @property
    def d(self) -> int:
        """The number of objectives."""
        return self.F.shape[1]

    @property
    def landscape(self) -> str:
        """The digest of the landscape."""
        if isinstance(self.source, str):
            return self.source
        return landscape_digest(self.source)

    @property
    def unit(self) -> str:
        """What `climbs` counts: paths, or single climbs."""
        return UNITS.get(str(self.config.get("method")), "climbs")

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
        reference = self.reference if ref is None else ref
        return hypervolume(self.F, reference, self.sense)

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per solution: objectives f0, f1, ..., climb, step, local optimum."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe needs pandas: pip install pandas") from None
        columns = {f"f{i}": self.F[:, i] for i in range(self.d)}
        columns |= {"climb": self.climb, "step": self.step, "optimum": self.optimum}
        return pandas.DataFrame(columns)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the front; needs matplotlib (`pip install paretoball[plot]`)."""
        from paretoball.plots import plot_front

        return plot_front(self, ax)

    def save(self, path: PathLike) -> None:
        """Write the result to an npz file, whole or not at all."""
        write_run(path, self.header(), packed(self))

    def to_bytes(self) -> bytes:
        """The content of the npz file that `save` writes."""
        return packed_npz(stamped(self.header()), packed(self))

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

    def __repr__(self) -> str:
        rate = self.moves / self.seconds if self.seconds > 0 else 0.0
        noun = "solution" if len(self) == 1 else "solutions"
        return (
            f"Result: {len(self):,} non-dominated {noun} ({ranges(self.F)}); "
            f"{self.status} after {self.seconds:.1f} s, {self.climbs:,} {self.unit}, "
            f"{self.moves:,} moves ({rate:,.0f}/s); "
            f"radius {brief(self.config.get('radius'))}, "
            f"seed {brief(self.config.get('seed'))}"
        )


def packed(result: Result) -> dict[str, np.ndarray]:
    """The arrays of a run file, with rows in the order of (climb, step)."""
    order = np.lexsort((result.step, result.climb))
    climbs, first = np.unique(result.climb[order], return_index=True)
    bases, flips, counts = [], [], np.zeros(len(order), np.int64)
    for number, rows in zip(climbs.tolist(), np.split(order, first[1:])):
        trail = result.trails[number]
        places = np.searchsorted(trail.steps, result.step[rows])
        ends = trail.flip_at[places + 1]
        bases.append(trail.unpacked(result.step[rows[:1]], result.n)[0])
        flips.append(trail.flips[ends[0] : ends[-1]])
        at = first[np.searchsorted(climbs, number)]
        counts[at : at + len(rows)] = np.diff(ends, prepend=ends[0])
    return {
        "F": result.F[order],
        "climb": result.climb[order],
        "step": result.step[order],
        "optimum": result.optimum[order],
        "base": np.packbits(
            np.array(bases, np.uint8).reshape(-1, result.n), axis=1, bitorder="little"
        ),
        "flip_at": offsets(counts),
        "flips": np.concatenate(flips) if flips else np.zeros(0, np.int32),
        "trace": result.trace,
    }


def load(path: PathLike) -> Result:
    """The result in a run file or a checkpoint."""
    return from_file(*read_run(path))


def from_file(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Result:
    """The result that a run file says."""
    firsts = np.flatnonzero(np.diff(arrays["climb"], prepend=-1))
    trails = {}
    for at, rows in enumerate(np.split(np.arange(len(arrays["F"])), firsts[1:])):
        flip_at = arrays["flip_at"][rows[0] : rows[-1] + 2]
        trails[int(arrays["climb"][rows[0]])] = Trail(
            steps=arrays["step"][rows],
            base=arrays["base"][at],
            flip_at=flip_at - flip_at[0],
            flips=arrays["flips"][flip_at[0] : flip_at[-1]],
        )
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
        trails=trails,
        **facts,
    )
