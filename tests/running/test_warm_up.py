"""Warming up: afterwards, no search has anything left to compile."""

import subprocess
import sys
from contextlib import contextmanager
from importlib import import_module
from types import SimpleNamespace

import numba
import numpy as np
import pytest

import paretoball as pb
from paretoball.archive.nd_tree import new_tree
from paretoball.running.warm_up import _Kind

warm_up = import_module("paretoball.running.warm_up")

COMPILED = not numba.config.DISABLE_JIT

LEFT = """
import sys
import numpy as np
import paretoball as pb

def compiled():
    modules = [sys.modules[name] for name in sys.modules if "paretoball." in name]
    values = [value for module in modules for value in vars(module).values()]
    kernels = {id(value): value for value in values if hasattr(value, "py_func")}
    return {
        (kernel.py_func.__name__, types)
        for kernel in kernels.values()
        for types in kernel.signatures
    }

landscape = pb.mnk(n=60, K=2, d=2, q=100, seed=1)
pb.warm_up(landscape, method="path", progress=False)
before = compiled()
assert before
result = pb.solve(landscape, max_climbs=6, seed=1, radius=3, max_archive=3)
pb.solve(landscape, max_climbs=6, seed=1, workers=2, selection="best")
_ = result.X
rng = np.random.default_rng(1)
dense = rng.integers(-9, 10, (2, 30, 30))
mixed = dense.copy()
mixed[:, 20:] = mixed[:, :, 20:] = 0
for other in (
    pb.qubo(dense),
    pb.qubo(mixed),
    pb.random_maxcut(n=30, degree=3, d=2, seed=1),
    pb.mnk(n=60, K=2, d=2, q=100, model="random", seed=1),
):
    for radius in (1, 2):
        pb.solve(other, max_climbs=6, seed=1, radius=radius)
ring = [((j, (j + 401) % 1024), [0, 1, 1, 0]) for j in range(1024)]
far_apart = pb.Landscape.from_subfunctions(1024, [ring, ring])
pb.solve(far_apart, max_climbs=1, seed=1, radius=1)  # on its twin
print(*compiled() - before)
"""

LEFT_OF_CONSTRAINED = (
    LEFT.split("landscape = ")[0]
    + """
knapsack = pb.random_knapsack(n=14, d=2, seed=1)
pb.warm_up(knapsack, progress=False)
before = compiled()
pairs = [((j, j + 1), [0, 0, 0, 1]) for j in range(13)]
for landscape in (
    knapsack,
    pb.random_covering(n=14, d=2, seed=1),
    pb.Landscape.from_subfunctions(14, [pairs] * 2, constraints=[(pairs, "==", 3)]),
):
    for method in ("path", "pls", "multistart"):
        result = pb.solve(landscape, method, max_climbs=6, seed=1, max_archive=3)
    landscape.violation(result.X)
    landscape.is_feasible(result.X[0])
    pb.exact_front(landscape, progress=False)
    pb.pareto_crossover(landscape, result.X[0], result.X[-1])
print(*compiled() - before)
"""
)


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize("script", [LEFT, LEFT_OF_CONSTRAINED], ids=["", "constraints"])
def test_a_search_after_a_warm_up_compiles_and_loads_nothing(script):
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_all_kinds_are_compiled_ahead(monkeypatch):
    kinds = []

    def steps(kind, method):
        kinds.append(str(kind))
        return []

    monkeypatch.setattr(warm_up, "_steps", steps)
    pb.warm_up(d=[1, 3])
    assert kinds == [
        f"{d}, {bits} bits{more}"
        for d in ("1 objective", "3 objectives")
        for bits in (32, 64)
        for more in ("", ", constraints")
    ]


def test_without_a_number_up_to_four_objectives_are_compiled_for(monkeypatch):
    kinds = []
    monkeypatch.setattr(warm_up, "_steps", lambda kind, _: kinds.append(kind) or [])
    pb.warm_up()
    assert [kind.d for kind in kinds] == [d for d in (1, 2, 3, 4) for _ in range(4)]
    for d, counts in ((3, [3]), ([2, 2, 1], [2, 1]), ([15, 16, 17, 99], [15, 16])):
        assert warm_up._checked_counts(d) == counts


def test_steps_compile_what_was_asked_for():
    every = ["path", "pls", "multistart"]
    for d, hulls in ((1, True), (2, True), (3, False)):
        kind = _Kind(d, True)
        names = [name for name, _ in warm_up._steps(kind, None)]
        assert names == [
            *(f"{method} for {kind}" for method in every),
            f"climbs and crossover for {kind}",
            *([f"hulls for {kind}"] if hulls else []),
            "exact fronts",
        ]
        for method in every:
            steps = [name for name, _ in warm_up._steps(kind, method)]
            assert steps == [f"{method} for {kind}"]


def test_what_is_on_disk_is_not_compiled_again(figure_1):
    pb.warm_up(figure_1, method="path")
    done = pb.warm_up(figure_1, method="path")
    assert (done.kernels, done.unkept) == (0, "")


@pytest.mark.parametrize("has_constraints", [True, False])
@pytest.mark.parametrize("is_narrow", [True, False])
@pytest.mark.parametrize("d", [1, 2, 3, 15, 16])
def test_a_tiny_landscape_is_of_its_kind(d, is_narrow, has_constraints):
    kind = _Kind(d, is_narrow, has_constraints)
    for radius in (1, 3):
        assert _Kind.of(kind.tiny(), radius) == kind


@pytest.mark.parametrize("is_narrow", [True, False])
def test_tiny_squares_are_of_their_kind_with_rows_of_both_forms(is_narrow):
    kind = _Kind(2, is_narrow)
    squares = list(kind.squares())
    widths = [square.square.pairs.dtype for square in squares]
    assert widths == ([np.int32] if is_narrow else [np.int32, np.int64])
    for square in squares:
        assert _Kind.of(square, 1) == kind
        assert set(pb.Climber(square, 1).move_set.affected.is_whole) == {True, False}


def test_all_large_numbers_of_objectives_are_one_kind():
    kinds = {_Kind.of(pb.mnk(n=6, K=1, d=d, seed=1), 2) for d in (16, 17, 40)}
    assert [str(kind) for kind in kinds] == ["16 or more objectives, 32 bits"]
    types = {numba.typeof(new_tree(d, 64)) for d in (16, 17, 40)}
    assert len(types) == 1


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ({"d": 0}, "d = 0"),
        ({"d": [2, 1.5]}, "d = 1.5"),
        ({"d": "2"}, "d = '2'"),
        ({"method": "magic"}, "method = 'magic'"),
        ({"landscape": 2}, "2 is not a Landscape"),
        ({"landscape": 2, "d": 2}, "d = 2"),
    ],
    ids=str,
)
def test_nonsense_is_refused_before_anything_is_compiled(how, text):
    with pytest.raises((TypeError, ValueError), match=text.replace("[", "")):
        pb.warm_up(**how)


@pytest.mark.parametrize("kernels", [0, 2])
def test_a_warm_up_tells_what_it_did_and_how_far_it_is(monkeypatch, kernels):
    now, shown = [100.0], []

    class Display:
        def __init__(self, progress):
            shown.append(progress)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def announce(self, text):
            shown.append(text)

        def say(self, text, share):
            shown.append((text, share))

    @contextmanager
    def announced(say):
        if kernels:
            say("compiling")
        yield SimpleNamespace(kernels=kernels, unkept="no room")

    def step():
        now[0] += 2.5

    monkeypatch.setattr(warm_up, "perf_counter", lambda: now[0])
    monkeypatch.setattr(warm_up, "Display", Display)
    monkeypatch.setattr(warm_up, "announced", announced)
    monkeypatch.setattr(warm_up, "_steps", lambda *_: [(name, step) for name in "abcd"])
    done = pb.warm_up(pb.mnk(n=6, K=1, seed=1), progress=False)
    assert done == (kernels, 10.0, str(warm_up.kernel_folder()), "no room")
    lines = [(f"Compiling {name} ...", at / 4) for at, name in enumerate("abcd")]
    assert shown == [False, *([warm_up.AHEAD, *lines] if kernels else [])]
