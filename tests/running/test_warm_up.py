"""Warming up: afterwards, no search has anything left to compile."""

import os
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import product
from types import SimpleNamespace

import numba
import pytest

import paretoball as pb
from layouts import used_layout
from paretoball._needed import listing
from paretoball.archive.nd_tree import new_tree
from paretoball.climber import BY_CLIQUES, BY_ROWS, BY_STENCILS, layouts_of
from paretoball.running.kinds import Kind, _set_up

warm_up = import_module("paretoball.running.warm_up")

COMPILED = not numba.config.DISABLE_JIT

LEFT = """
import sys
import numpy as np
import paretoball as pb
from paretoball._jit import announced
from paretoball.running import compile_search

def compiled():
    modules = [sys.modules[name] for name in sys.modules if "paretoball." in name]
    values = [value for module in modules for value in vars(module).values()]
    kernels = {id(value): value for value in values if hasattr(value, "py_func")}
    return {
        (kernel.py_func.__name__, types)
        for kernel in kernels.values()
        for types in kernel.signatures
    }

rng = np.random.default_rng(1)
dense = rng.integers(-9, 10, (2, 30, 30))
mixed = dense.copy()
mixed[:, 20:] = mixed[:, :, 20:] = 0
ring = [((j, (j + 401) % 1024), [0, 1, 1, 0]) for j in range(1024)]
triples = [((j, (j + 1) % 90, (j + 2) % 90), [*range(7), j]) for j in range(90)]
apart = [((j, (j + 7) % 90, (j + 29) % 90), [*range(7), j]) for j in range(90)]
few = [([((j,), [0, 1]) for j in range(14)], "<=", 7)]
pairs = [((j, j + 1), [0, 0, 0, 1]) for j in range(13)]
made = pb.Landscape.from_subfunctions
LANDSCAPES = {
    "ring": lambda: pb.mnk(n=60, K=2, d=2, q=100, seed=1),
    "random": lambda: pb.mnk(n=60, K=2, d=2, q=100, model="random", seed=1),
    "dense": lambda: pb.qubo(dense),
    "mixed": lambda: pb.qubo(mixed),
    "maxcut": lambda: pb.random_maxcut(n=30, degree=3, d=2, seed=1),
    "far": lambda: made(1024, [ring, ring]),  # climbed on its twin
    "knapsack": lambda: pb.random_knapsack(n=14, d=2, seed=1),
    "covering": lambda: pb.random_covering(n=14, d=2, seed=1),
    "pairs": lambda: made(14, [pairs] * 2, constraints=[(pairs, "==", 3)]),
    "square": lambda: pb.qubo(dense[:, :14, :14], constraints=few),
    "triples": lambda: made(90, [triples] * 2, constraints=few),
    "apart": lambda: made(90, [apart] * 2, constraints=few),
}
name, radius, *methods = sys.argv[1:]
landscape, radius = LANDSCAPES[name](), int(radius)
for method in methods:
    compile_search(landscape, radius, method, is_bounded=method == "path")
before = compiled()
assert before
how = {"seed": 1, "radius": radius, "progress": False}
for method in methods:
    if method == "path":
        pb.solve(landscape, "pls", max_climbs=20, breadth=2, **how)
        pb.solve(landscape, method, max_climbs=6, max_archive=3, **how)
    result = pb.solve(landscape, method, max_climbs=6, workers=2, **how)
    pb.solve(landscape, method, max_climbs=6, selection="uniform", **how)
print(*compiled() - before)
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize(
    "case",
    [
        "ring 2 path multistart",
        "random 1 path",
        "dense 1 path",
        "knapsack 1 path multistart",
        *(
            pytest.param(case, marks=pytest.mark.long)
            for case in (
                "ring 1 path",
                "ring 3 path",
                "ring 4 path",
                "mixed 1 path",
                "dense 2 path",
                "maxcut 1 path multistart",
                "far 1 path",
                "covering 1 path",
                "pairs 1 path",
                "square 1 path",
                "triples 1 path",
                "apart 1 path multistart",
            )
        ),
    ],
)
def test_a_search_compiles_and_loads_nothing_on_its_clock(case):
    done = subprocess.run(
        [sys.executable, "-c", LEFT, *case.split()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.long
def test_after_compiling_ahead_objects_load_nothing():
    code = (
        LEFT.split("rng = ")[0]
        + """
landscape = pb.random_knapsack(n=14, d=2, seed=1)
pb.warm_up(landscape, progress=False)
pb.warm_up(landscape.unconstrained, radius=1, progress=False)
before = compiled()
climb = pb.Climber(landscape.unconstrained, 1).start([0] * 14).run()
landscape.violation(climb.x)
landscape.is_feasible(climb.x)
pb.exact_front(landscape, progress=False)
pb.pareto_crossover(landscape, [0] * 14, [1] * 14)
print(*compiled() - before)
"""
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")


LISTED = """
from paretoball._needed import listing
from paretoball.running.kinds import Kind, search_tiny
import sys

for arguments in sys.argv[1:]:
    with listing() as found:
        search_tiny(eval(arguments), "path")
    assert len({one[:3] for one in found}) == len(found)
    print(*(one.name for one in found))
"""
OWN = {  # what is listed for each kind, and what is for others
    "Kind(2, True)": ("_write_some _grow", "_fill_rows _write_records"),
    "Kind(2, True, radius=3)": ("_close_triangles _grow", "_fill_rows"),
    "Kind(2, True, layout=2, radius=1)": ("_fill_rows", "_write_some _write_records"),
    "Kind(2, True, layout=1, radius=1)": ("_write_records", "_fill_rows _grow"),
    "Kind(2, True, layout=0, radius=1)": ("_write_some", "_fill_rows _write_records"),
    "Kind(2, True, layout=0, is_large=True)": ("_number_some", "_add_factors"),
    "Kind(2, True, layout=2, radius=1, square=32)": ("_add_factors", "_fill_rows"),
}


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_nothing_of_other_layouts_is_compiled(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LISTED, *OWN],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
    )
    for (kind, (own, others)), line in zip(OWN.items(), done.stdout.splitlines()):
        listed = set(line.split())
        assert {"go_on", "report_rows", *own.split()} <= listed, kind
        others += " _thin_out" + " _number_some" * ("large" not in kind)
        assert not listed & set(others.split()), kind
    assert list(tmp_path.rglob("*.nbc")) == []


def test_all_kinds_are_compiled_ahead(monkeypatch):
    kinds = []

    def steps(kind, method, crew):
        kinds.append(kind)
        return []

    monkeypatch.setattr(warm_up, "_steps", steps)
    pb.warm_up(d=[1, 3])
    assert list(dict.fromkeys(map(str, kinds))) == [
        f"{d}{more}, {bits} bits, by {layout}"
        for d in ("1 objective", "3 objectives")
        for bits in (32, 64)
        for more in ("", " with constraints")
        for layout in ("stencils", "records", "rows")
    ]
    assert {kind.square for kind in kinds} == {0, 32, 64}
    for kind in kinds:
        assert kind.is_large == (not kind.is_constrained and not kind.square)
        assert kind.radius == (
            3 if kind.layout == BY_STENCILS and not kind.is_constrained else 1
        )


def test_without_a_number_up_to_four_objectives_are_compiled_for(monkeypatch):
    kinds = []
    monkeypatch.setattr(warm_up, "_steps", lambda kind, *_: kinds.append(kind) or [])
    pb.warm_up()
    assert list(dict.fromkeys(kind.d for kind in kinds)) == [1, 2, 3, 4]
    for d, counts in ((3, [3]), ([2, 2, 1], [2, 1]), ([15, 16, 17, 99], [15, 16])):
        assert warm_up._checked_counts(d) == counts


def test_steps_compile_what_was_asked_for():
    every = ["path", "pls", "multistart"]
    for d, hulls in ((1, True), (2, True), (3, False)):
        kind = Kind(d, True)
        names = [name for name, _ in warm_up._steps(kind, None, warm_up._Crew())]
        assert names == [
            *(f"{method} for {kind}" for method in every),
            f"archives for {kind}",
            f"climbs and crossover for {kind}",
            *([f"hulls for {kind}"] if hulls else []),
            "exact fronts",
        ]
        for method in every:
            crew = warm_up._Crew()
            steps = [name for name, _ in warm_up._steps(kind, method, crew)]
            assert steps == [f"{method} for {kind}", f"archives for {kind}"]


def test_what_is_on_disk_is_not_compiled_again(figure_1):
    pb.warm_up(figure_1, method="path")
    done = pb.warm_up(figure_1, method="path")
    assert (done.kernels, done.unkept) == (0, "")


KINDS = [
    Kind(d, is_narrow, is_constrained, layout, radius)
    for d, is_narrow, is_constrained in product(
        (1, 2, 3, 15, 16), (False, True), (False, True)
    )
    for layout, radius in ((0, 1), (0, 2), (0, 4), (1, 1), (2, 1))
]
KINDS += [
    kind._replace(square=bits)
    for kind in KINDS
    for bits in (32, 64)
    if bits == 32 or not kind.is_narrow
    if kind.layout == BY_ROWS or kind.radius > 1
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_tiny_landscape_is_of_its_kind(kind):
    with listing():  # so that nothing is compiled
        tiny = kind.tiny()
        assert Kind.of(tiny, kind.radius, kind.layout) == kind
        assert used_layout(_set_up(kind)) == kind.layout
        assert kind.layout in layouts_of(tiny, kind.radius)


def test_a_tiny_square_has_rows_of_both_forms():
    for kind in KINDS:
        if kind.layout == BY_ROWS and kind.square:
            with listing():
                climber = _set_up(kind)
            assert set(climber.move_set.affected.is_whole) == {True, False}


def test_a_kind_tells_what_other_kernels_it_takes():
    assert Kind.of(pb.mnk(n=999, K=1, seed=1), 9, 0).radius == 4
    for n, is_large in ((999, False), (1000, True)):
        assert Kind.of(pb.mnk(n=n, K=1, seed=1), 2, 0).is_large == is_large


@pytest.mark.parametrize(
    ("landscape", "radius", "layouts"),
    [
        (lambda: pb.mnk(n=60, K=2, seed=1), 2, [BY_STENCILS]),
        (lambda: pb.mnk(n=60, K=1, seed=1), 1, [BY_ROWS]),
        (lambda: pb.mnk(n=60, K=1, seed=1), 2, [BY_STENCILS]),
        (lambda: pb.mnk(n=60, K=2, seed=1), 1, [BY_STENCILS]),
        (lambda: pb.mnk(n=60, K=2, model="random", seed=1), 1, [BY_CLIQUES]),
    ],
)
def test_kernels_are_compiled_for_the_layout_of_the_run(
    monkeypatch, landscape, radius, layouts
):
    compiled = []
    monkeypatch.setattr(warm_up, "COMPILES", True)
    monkeypatch.setattr(
        warm_up._Crew, "compile_once", lambda _, use, kind, *more: compiled.append(kind)
    )
    landscape = landscape()
    warm_up.compile_search(landscape, radius, "path")
    assert [compiled[-1].layout] == layouts
    assert [used_layout(pb.Climber(landscape, radius))] == layouts
    ahead = [kind.layout for kind in compiled[:-1]]  # the set-up tells
    assert ahead == ([BY_CLIQUES] if len(layouts_of(landscape, radius)) > 1 else [])
    monkeypatch.setattr(warm_up, "MOST_PLANNED", 1)
    compiled.clear()
    warm_up.compile_search(landscape, radius, "path")
    assert tuple(kind.layout for kind in compiled) == layouts_of(landscape, radius)


def test_selections_and_bounds_are_compiled_for_if_they_are_asked_for(monkeypatch):
    compiled = []
    monkeypatch.setattr(warm_up, "COMPILES", True)
    monkeypatch.setattr(
        warm_up._Crew,
        "compile_once",
        lambda _, use, kind, *more: compiled.append((kind.is_by_gain, *more)),
    )
    ring = pb.mnk(n=60, K=2, seed=1)
    for how in ({}, {"selection": "uniform"}, {"selection": "best"}):
        warm_up.compile_search(ring, 2, "path", **how)
    warm_up.compile_search(ring, 2, "path", is_bounded=True)
    assert compiled == [
        (False, "path"),
        (False, "path"),
        (True, "path"),
        (False, "path"),
        (False,),
    ]


@pytest.mark.parametrize(
    ("change", "may"),
    [
        (lambda patch: None, True),
        (lambda patch: patch.setattr(warm_up, "cores", lambda: 1), False),
        (lambda patch: patch.setattr(warm_up, "can_keep", lambda: False), False),
        (lambda patch: patch.setattr(warm_up.sys, "executable", ""), False),
        (lambda patch: patch.setattr(sys, "frozen", True, raising=False), False),
        (
            lambda patch: patch.setattr(
                warm_up.multiprocessing, "parent_process", lambda: "a pool"
            ),
            False,
        ),
    ],
    ids=["", "one core", "no disk", "embedded", "frozen", "worker"],
)
def test_another_process_compiles_only_where_it_can(monkeypatch, change, may):
    monkeypatch.setattr(warm_up, "cores", lambda: 2)
    monkeypatch.setattr(warm_up, "can_keep", lambda: True)
    change(monkeypatch)
    assert warm_up._may_share() == may


def test_where_nothing_is_compiled_nothing_is_searched(monkeypatch):
    monkeypatch.setattr(warm_up, "COMPILES", False)
    monkeypatch.setattr(warm_up._Crew, "compile_once", None)
    warm_up.compile_search(pb.mnk(n=6, K=1, seed=1), 1, "path")


class Screen:
    """A display that keeps what it shows."""

    def __init__(self, is_terminal):
        self.is_terminal = is_terminal
        self.lines = []

    def announce(self, text):
        self.lines.append(("announced", text))

    def say(self, text):
        self.lines.append(("said", text))


@pytest.mark.parametrize("is_terminal", [True, False])
def test_the_screen_says_what_is_compiled_and_how_far_it_is(is_terminal):
    screen = Screen(is_terminal)
    crew = warm_up._Crew(screen)
    tell = crew.about(Kind(2, True, is_constrained=True).in_short())
    tell(0, 9, 31.4)
    tell(3, 9, 8.2)
    crew.show_once("something else")
    what = "Compiling for 2 objectives with constraints, once: "
    assert screen.lines[0] == ("announced", what + "9 kernels, about 31 s")
    later = [("said", what + "3 of 9 kernels, about 8 s")]
    assert screen.lines[1:] == (later if is_terminal else [])


def test_what_is_not_on_the_list_is_announced_as_well():
    screen = Screen(False)
    crew = warm_up._Crew(screen)
    crew.show_once("Compiling ...")
    crew.show_once("Compiling ...")
    assert screen.lines == [("announced", "Compiling ...")]
    warm_up._Crew().show_once("Compiling ...")


def test_what_is_missing_is_listed_compiled_and_used(monkeypatch):
    monkeypatch.setattr(warm_up, "_compiled", set())
    used, listed, given = [], {}, []

    @contextmanager
    def listing():
        yield listed

    def compile_listed(found, other, tell):
        given.append(dict(found))
        return 2

    monkeypatch.setattr(warm_up, "listing", listing)
    monkeypatch.setattr(warm_up, "compile_listed", compile_listed)
    crew = warm_up._Crew()
    once = partial(crew.compile_once, lambda: used.append(1), Kind(1, 1))
    assert (once("a"), used, given) == (0, [1], [])  # all is on disk
    listed["kernel"] = "a kernel"
    assert (once("a"), used) == (0, [1])  # and in memory
    assert (once("b"), used, given) == (2, [1, 1, 1], [listed])
    assert (once("b"), used) == (0, [1, 1, 1])


def test_all_large_numbers_of_objectives_are_one_kind():
    kinds = {Kind.of(pb.mnk(n=6, K=1, d=d, seed=1), 2, 0) for d in (16, 17, 40)}
    assert [kind.in_short() for kind in kinds] == ["16 or more objectives"]
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
        return 3 if kernels else None  # compiled by another process

    monkeypatch.setattr(warm_up, "perf_counter", lambda: now[0])
    monkeypatch.setattr(warm_up, "Display", Display)
    monkeypatch.setattr(warm_up, "announced", announced)
    monkeypatch.setattr(warm_up, "_steps", lambda *_: [(name, step) for name in "abcd"])
    done = pb.warm_up(pb.mnk(n=6, K=1, seed=1), progress=False)
    assert done == (7 * kernels, 10.0, str(warm_up.kernel_folder()), "no room")
    lines = [(f"Compiling {name} ...", at / 4) for at, name in enumerate("abcd")]
    assert shown == [False, *([warm_up.AHEAD, *lines] if kernels else [])]
