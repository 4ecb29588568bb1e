"""Results: what a search leaves behind, in memory and on disk."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.archive import Archive, Trail
from paretoball.boxes import points_of
from paretoball.cliques import offsets
from paretoball.files import landscape_digest
from paretoball.landscape import Landscape
from paretoball.quality import hypervolume
from paretoball.storage import PathLike, check_keys, read_npz, refusing, write_npz

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

FORMAT = "paretoball run"
VERSION = 1
TRACE = ("seconds", "moves", "climbs", "size", "hypervolume")


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """What a search leaves behind."""

    F: np.ndarray  # (size, d): mutually non-dominated objective vectors, ascending
    climb: np.ndarray  # (size,) int64: the climb that reported each
    step: np.ndarray  # (size,) int64: after how many moves
    optimum: np.ndarray  # (size,) bool: whether that climb ended there
    n: int
    sense: tuple[str, ...]
    moves: int
    climbs: int  # finished ones
    seconds: float  # of search, without set-up
    setup_seconds: float
    status: str
    config: dict[str, Any]
    trace: np.ndarray  # (rows, 5): seconds, moves, climbs, size, hypervolume
    reference: np.ndarray  # (d,): where hypervolumes of the trace start: the mean of f
    landscape: str  # the digest of the landscape
    trails: dict[int, Trail] = field(default_factory=dict)

    @classmethod
    def of_run(cls, landscape: Landscape, archive: Archive, **facts: Any) -> "Result":
        """The result of a run that ended with this archive, in inside units."""
        points = points_of(archive.tree)
        F = landscape.shown(archive.tree.low[points])
        order = np.lexsort(F.T[::-1])
        tags = archive.tree.tags[points[order]]
        return cls(
            F=F[order],
            climb=tags[:, 0],
            step=tags[:, 1],
            optimum=tags[:, 2].astype(np.bool_),
            n=landscape.n,
            sense=landscape.sense,
            reference=landscape.mean,
            landscape=landscape_digest(landscape),
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
    def X(self) -> np.ndarray:
        """The solutions, rebuilt on access: (size, n) bool, rows as in F."""
        X = np.empty((len(self), self.n), np.bool_)
        for number, trail in self.trails.items():
            rows = np.flatnonzero(self.climb == number)
            rows = rows[np.argsort(self.step[rows])]
            if len(rows):
                X[rows] = trail.unpacked(self.step[rows], self.n)
        return X

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
        if not str(path).endswith(".npz"):
            raise ValueError(f"{path}: a run is saved in a file named .npz")
        header = {
            "format": FORMAT,
            "version": VERSION,
            "n": self.n,
            "sense": list(self.sense),
            "moves": self.moves,
            "climbs": self.climbs,
            "seconds": self.seconds,
            "setup_seconds": self.setup_seconds,
            "status": self.status,
            "config": self.config,
            "reference": self.reference.tolist(),
            "landscape": self.landscape,
        }
        write_npz(path, header, packed(self))

    def __repr__(self) -> str:
        rate = self.moves / self.seconds if self.seconds > 0 else 0.0
        ranges = ", ".join(
            f"f{i} {low:,.6g} to {high:,.6g}"
            for i, (low, high) in enumerate(zip(self.F.min(axis=0), self.F.max(axis=0)))
        )
        return (
            f"Result: {len(self):,} non-dominated solutions ({ranges}); "
            f"{self.status} after {self.seconds:.1f} s, {self.climbs:,} climbs, "
            f"{self.moves:,} moves ({rate:,.0f}/s); radius {self.config.get('radius')}, "
            f"seed {self.config.get('seed')}"
        )


def packed(result: Result) -> dict[str, np.ndarray]:
    """The arrays of a run file: rows by (climb, step), solutions as flips of the last."""
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
    """The result in a file that `Result.save` wrote."""
    header, arrays = read_npz(path, FORMAT, VERSION)
    with refusing(path):
        return unpacked(header, arrays)


def unpacked(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Result:
    """The result that a run file says."""
    keys = {"format", "version", "n", "sense", "moves", "climbs", "seconds"}
    keys |= {"setup_seconds", "status", "config", "reference", "landscape"}
    check_keys(header, "the header", keys)
    names = {"F", "climb", "step", "optimum", "base", "flip_at", "flips", "trace"}
    check_keys(arrays, "the archive", names)
    check_shapes(header["n"], arrays)
    climbs, first = np.unique(arrays["climb"], return_index=True)
    trails = {}
    for at, (number, rows) in enumerate(
        zip(climbs.tolist(), np.split(np.arange(len(arrays["F"])), first[1:]))
    ):
        flip_at = arrays["flip_at"][rows[0] : rows[-1] + 2]
        trails[number] = Trail(
            steps=arrays["step"][rows],
            base=arrays["base"][at],
            flip_at=flip_at - flip_at[0],
            flips=arrays["flips"][flip_at[0] : flip_at[-1]],
        )
    F = arrays["F"]
    order = np.lexsort(F.T[::-1])
    return Result(
        F=F[order],
        climb=arrays["climb"][order],
        step=arrays["step"][order],
        optimum=arrays["optimum"][order].astype(np.bool_),
        n=header["n"],
        sense=tuple(header["sense"]),
        moves=header["moves"],
        climbs=header["climbs"],
        seconds=header["seconds"],
        setup_seconds=header["setup_seconds"],
        status=header["status"],
        config=header["config"],
        trace=arrays["trace"],
        reference=np.array(header["reference"], float),
        landscape=header["landscape"],
        trails=trails,
    )


def check_shapes(n: int, arrays: dict[str, np.ndarray]) -> None:
    """The arrays of a run file fit together."""
    F, flip_at, flips = arrays["F"], arrays["flip_at"], arrays["flips"]
    rows = len(F) if F.ndim == 2 else -1
    climbs = len(np.unique(arrays["climb"]))
    wanted: dict[str, Sequence[int]] = {
        "climb": (rows,),
        "step": (rows,),
        "optimum": (rows,),
        "base": (climbs, -(-n // 8)),
        "flip_at": (rows + 1,),
        "trace": (len(arrays["trace"]), len(TRACE)),
    }
    for name, shape in wanted.items():
        if arrays[name].shape != tuple(shape):
            raise ValueError(
                f"{name} has shape {arrays[name].shape}, but {tuple(shape)} fits F"
            )
    order = np.lexsort((arrays["step"], arrays["climb"]))
    if not np.array_equal(order, np.arange(rows)):
        raise ValueError("rows are not in the order of (climb, step)")
    if flip_at[0] != 0 or (np.diff(flip_at) < 0).any() or flip_at[-1] != len(flips):
        raise ValueError(f"flip_at does not divide {len(flips)} flips into rows")
    if len(flips) and not 0 <= flips.min() <= flips.max() < n:
        raise ValueError(f"flips hold a variable that is not one of 0 to {n - 1}")
