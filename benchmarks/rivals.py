"""Rivals: runs of the yardsticks that search instead of the package, two objectives.

- `anneal`: anneal.cpp, weighted sums annealed one after the other. What counts is the
  area under the hull of its points, which flatters it: points that it never found
  count, too.
- `tabu`: tabu.cpp, a tabu search of weighted sums of dense QUBO, with all that it
  passes in an archive. What counts is its hypervolume.
- `front`: front.cpp, a prototype of anneals with fills between them; its hypervolume.

All of them start from the mean of f. Programs are kept in the cache, by the digest of
their source.
"""

import hashlib
import resource
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import paretoball as pb
from bounds import area_under_hull
from measuring import seconds_of
from yardsticks import build, found_source, with_compiler

KEPT = Path(__file__).parent.parent / ".cache" / "yardsticks"
DIRECTIONS = 16  # of anneal.cpp in one run


class Reached(NamedTuple):
    """What one run of a yardstick reached."""

    seconds: float
    cpu: float  # seconds of the core in these
    volume: float  # above the mean of f
    size: int  # points


class Tuning(NamedTuple):
    """How the yardsticks do well on a landscape."""

    hot: float = 40  # the first temperature of anneal.cpp, the last is a 20th of it
    directions: int = 32  # of tabu.cpp in one run


class Task(NamedTuple):
    """What a yardstick is to do."""

    program: str
    path: str  # of the instance
    landscape: pb.Landscape
    seconds: float
    seed: int  # only `front` takes one


# Each is the best of a few: 20 s of `anneal` at 30, 40 and 60 on regular-10k, at 80,
# 110 and 160 on cube-20, at 15, 20 and 30 on sat-5k; 1 and 10 s of `tabu` with 8, 16
# and 32 directions. Those of the random model are given.
TUNED = {
    "random-1k-K5": Tuning(hot=30),
    "regular-10k": Tuning(hot=60),
    "cube-20": Tuning(hot=160),
    "sat-5k": Tuning(hot=20),
}


def rival(
    name: str, where: str, landscape: pb.Landscape, seconds: float, seed: int
) -> Reached | None:
    """A run of the yardstick of this name; None where it cannot be had."""
    program = program_of(f"{name}.cpp")
    if program is None:
        return None
    write = write_square if name == "tabu" else write_tables
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/instance"
        write(landscape, path)
        given = Task(program, path, landscape, seconds, seed)
        return RIVALS[name](given, TUNED.get(where, Tuning()))


@cache
def program_of(name: str) -> str | None:
    """The compiled yardstick, if its source and a compiler are there."""
    ready = with_compiler(found_source(name), name)
    if ready is None:
        return None
    source, compiler = ready
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    program = KEPT / f"{source.stem}-{digest}"
    if not program.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        build(compiler, source, str(program))
    return str(program)


def write_tables(landscape: pb.Landscape, path: str) -> None:
    """Write a landscape in the format of anneal.cpp and front.cpp.

    All masks there are of one length: shorter ones read further variables in vain.
    """
    cliques = landscape.cliques
    arities = np.diff(cliques.mask_at)
    k = int(arities.max())
    with open(path, "wb") as file:
        np.array([landscape.n, len(arities), k], "<i4").tofile(file)
        tables = []
        for arity in np.unique(arities)[::-1]:  # as they are sorted
            chosen = arities == arity
            masks = cliques.masks[np.repeat(chosen, arities)].reshape(-1, arity)
            spare = [_others(mask, k - arity) for mask in masks.tolist()]
            np.hstack([masks, np.reshape(spare, (len(masks), -1))]).astype(
                "<i4"
            ).tofile(file)
            rows = cliques.tables[np.repeat(chosen, 1 << arities)]
            rows = rows.reshape(len(masks), 1, 1 << arity, -1)
            tables.append(rows.repeat(1 << (k - arity), axis=1))
        for rows in tables:
            rows.astype("<i4").tofile(file)


def _others(mask: list[int], count: int) -> list[int]:
    """The first variables that a mask does not read."""
    return [j for j in range(len(mask) + count) if j not in mask][:count]


def write_square(landscape: pb.Landscape, path: str) -> None:
    """Write a landscape of two maximised objectives in the format of tabu.cpp."""
    square, n = landscape.square, landscape.n
    assert square is not None
    assert landscape.sense == ("max", "max")
    with open(path, "wb") as file:
        np.array(n, "<i4").tofile(file)
        for i in range(2):
            matrix = square.pairs[:, :, i].astype("<i4")
            matrix[np.arange(n), np.arange(n)] = square.linear[:, i]
            matrix.tofile(file)
        np.array(landscape.mean, "<f8").tofile(file)


def _output(*command: object) -> tuple[tuple[float, float], str]:
    """The seconds that a program took, those of the core, and what it printed."""
    words = [str(word) for word in command]
    before = _children()
    run = partial(subprocess.run, words, check=True, capture_output=True, text=True)
    seconds, done = seconds_of(run)
    return (seconds, _children() - before), done.stdout


def _children() -> float:
    """The seconds of the core that all ended programs took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _annealed(task: Task, tuning: Tuning) -> Reached:
    command = (task.program, task.path, DIRECTIONS, task.seconds, tuning.hot)
    took, lines = _output(*command)
    inside = [list(map(int, line.split()[2:4])) for line in lines.splitlines()]
    F = task.landscape.shown(np.array(inside) + task.landscape.cliques.constant)
    return Reached(*took, area_under_hull(F, task.landscape), len(F))


def _tabu(task: Task, tuning: Tuning) -> Reached:
    took, line = _output(task.program, task.path, task.seconds, tuning.directions)
    told = dict(word.split("=") for word in line.split())
    return Reached(*took, float(told["hypervolume"]), int(told["points"]))


def _fronted(task: Task, tuning: Tuning) -> Reached:
    given = (f"sec={task.seconds}", f"seed={task.seed}", "snap=1")
    took, lines = _output(task.program, task.path, *given)
    words = lines.splitlines()[-1].split()
    volume, points = (words[words.index(key) + 1] for key in ("HV", "pts"))
    return Reached(*took, float(volume) / task.landscape.scale.prod(), int(points))


RIVALS: dict[str, Callable[[Task, Tuning], Reached]] = {
    "anneal": _annealed,
    "tabu": _tabu,
    "front": _fronted,
}
