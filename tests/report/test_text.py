"""Texts: what they say of a result is what the result has."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from landscapes import ring
from paretoball import Landscape, Result, climber_memory, solve
from paretoball.report import text as room
from paretoball.report.text import (
    HEIGHT,
    WIDTH,
    drawn_front,
    landscape_lines,
    result_lines,
)
from paretoball.running import PROVEN
from paretoball.system import capped


@pytest.fixture(scope="module")
def result() -> Result:
    return solve(ring(n=60, K=2, seed=1), max_climbs=8, max_archive=20, seed=3)


def test_a_result_is_told_with_its_ranges_budget_and_seed(result):
    text = "\n".join(result_lines(result))
    assert f"{len(result):,} non-dominated solutions" in text
    for i, column in enumerate(result.F.T):
        assert f"f{i} (max)     {column.min():,} to {column.max():,}" in text
    mean = ", ".join(f"{value:,.10g}" for value in result.reference)
    assert f"hypervolume  {result.hypervolume():.6g} from the mean, ({mean})" in text
    assert f"8 paths, {result.moves:,} moves" in text
    assert "ended as     paths done; radius 2, seed 3" in text
    assert ("bounded      to 20" in text) == result.bounded


@pytest.mark.long
def test_many_objectives_are_told_in_few_lines():
    result = solve(ring(n=8, K=1, seed=1, d=40), max_climbs=1, seed=3)
    lines = list(result_lines(result))
    assert len(lines) < 15
    assert "  ...          and 32 more objectives" in lines
    assert "  hypervolume  left out, for more than 3 objectives" in lines
    assert len(repr(result)) < 500
    assert "and 32 more" in repr(result)
    landscape = ring(n=8, K=1, seed=1, d=40)
    assert "d=40 (40 max)" in repr(landscape)
    assert max(map(len, landscape_lines(landscape))) < 80


def test_a_radius_whose_climber_does_not_fit_is_told():
    landscape = ring(200, K=2, seed=1)
    free = list(landscape_lines(landscape))
    with capped(climber_memory(landscape, 2) - 1):
        told = list(landscape_lines(landscape))
    rows = [line for line in told if line.endswith(", does not fit")]
    assert [int(row.split()[0]) for row in rows][:1] == [2]
    assert not any("does not fit" in line for line in free)
    with capped(climber_memory(landscape, 2)):
        told = list(landscape_lines(landscape))
    rows = [line for line in told if line.endswith(", does not fit")]
    assert [int(row.split()[0]) for row in rows][:1] == [3]


@pytest.mark.parametrize(("free", "words"), [(3 << 19, "1.5 MiB"), (2000, "2.0 KiB")])
def test_what_is_free_is_told(free, words):
    landscape = ring(5, K=1, seed=1)
    with capped(free):
        assert f"free memory: {words}" in list(landscape_lines(landscape))


@pytest.mark.parametrize("d", [1, 8, 9])
def test_steps_and_names_are_told_of_the_first_eight_objectives(d):
    names = [f"name {i}" for i in range(d)]
    terms = [((0,), [0, 1])]
    landscape = Landscape.from_subfunctions(2, [terms] * d, names=names)
    lines = list(landscape_lines(landscape))
    more = ", ..." * (d > 8)
    assert f"names             {', '.join(names[:8])}{more}" in lines
    steps = ", ".join(["1"] * min(d, 8))
    assert f"resolution        whole numbers, steps of {steps}{more}" in lines


@pytest.mark.parametrize(
    ("radius", "seconds", "words"),
    [
        (1, 5.0, "1"),
        (2, 0.0994, "2"),
        (2, 0.1, "2, or 1 within less than 0.1 s"),
        (2, 12.34, "2, or 1 within less than 12 s"),
    ],
)
def test_the_default_radius_is_told_with_the_time_it_takes(
    monkeypatch, radius, seconds, words
):
    monkeypatch.setattr(room, "default_radius", lambda _: radius)
    monkeypatch.setattr(room, "seconds_for_radius_2", lambda _: seconds)
    *_, last = landscape_lines(ring(5, K=1, seed=1))
    assert last == f"default radius: {words}"


def test_a_width_beyond_elimination_is_told(monkeypatch):
    monkeypatch.setattr(room, "width_of", lambda _: None)
    text = f"width             more than {room.MAX_WIDTH}: no exact front"
    assert text in landscape_lines(ring(5, K=1, seed=1))


@pytest.mark.parametrize(
    ("radius", "below", "told"),
    [
        (4, 33_333_333, (777, True)),
        (4, 33_333_334, (33_333_334, False)),
        (3, 33_333_334, (777, True)),
    ],
)
def test_moves_of_four_are_counted_among_a_billion_candidates(
    monkeypatch, radius, below, told
):
    monkeypatch.setattr(room, "counted_moves", lambda *_: (777, True))
    landscape: Any = SimpleNamespace(degrees=np.array([3, 10, 5]))
    assert room._count_or_bound(landscape, radius, below) == told


def test_counting_is_given_up_after_five_seconds(monkeypatch):
    clock = iter([10.0, 15.0, 15.001])
    monkeypatch.setattr(room, "perf_counter", lambda: next(clock))
    pulse = room._alarm(room.PATIENCE)
    pulse()
    with pytest.raises(room._OutOfPatience):
        pulse()


@pytest.mark.parametrize("d", [1, 8, 9, 20])
def test_the_ranges_of_eight_objectives_are_told(result, d):
    F = np.random.default_rng(d).integers(-9_999, 10_000, (3, d))
    trace = np.array([[0, 0, 0, 3, np.nan]])
    names = {"sense": ("min",) * d, "names": tuple(f"f{i}" for i in range(d))}
    optimum = np.array([True, False, True])
    told = replace(result, F=F, trace=trace, optimum=optimum, bounded=False, **names)
    first, *lines = result_lines(told)
    assert first == "3 non-dominated solutions, 2 known local optima"
    ends = [f"{min(column):,} to {max(column):,}" for column in F.T.tolist()]
    expected = [f"  f{i} (min)     {each}" for i, each in enumerate(ends[:8])]
    if d > 8:
        more = "objective" if d == 9 else "objectives"
        expected.append(f"  ...          and {d - 8} more {more}")
    expected.append("  hypervolume  left out, for more than 3 objectives")
    assert lines[:-2] == expected


def test_the_time_of_search_and_set_up_is_told(result):
    told = replace(result, seconds=1.25, setup_seconds=3.5, moves=1_234, bounded=False)
    text = "8 paths, 1,234 moves in 1.2 s, after 3.5 s of set-up"
    lines = list(result_lines(told))
    assert f"  search       {text}" in lines
    assert not [line for line in lines if "no moves" in line or "bounded" in line]
    assert "  bounded      to 20: the most crowded had to go" in result_lines(
        replace(told, bounded=True)
    )


@pytest.mark.parametrize(
    ("moves", "setup", "radius", "words"),
    [
        (0, 2.1, 3, ["set-up took all the time: a smaller radius takes less"]),
        (0, 2.1, 2, ["set-up took all the time: a smaller radius takes less"]),
        (0, 2.1, 1, ["set-up took all the time"]),
        (0, 2.0, 2, []),
        (1, 2.1, 2, []),
    ],
)
def test_a_run_without_moves_is_explained(result, moves, setup, radius, words):
    config = result.config | {"radius": radius}
    told = replace(result, moves=moves, seconds=2.0, setup_seconds=setup, config=config)
    found = [line for line in result_lines(told) if line.startswith("  no moves")]
    assert found == [f"  no moves     {each}" for each in words]


def test_an_elimination_is_told_with_its_width_and_vectors(result):
    config = {"method": "exact", "width": 4, "vectors": 1_234}
    status = "exact: the whole front"
    told = replace(result, status=status, config=config, seconds=2.5, bounded=False)
    assert list(result_lines(told))[-2:] == [
        "  elimination  of width 4, 1,234 vectors in 2.5 s",
        "  ended as     exact: the whole front",
    ]


@pytest.mark.long
def test_a_hypervolume_that_is_not_known_is_not_told():
    four = solve(ring(n=12, K=1, seed=1, d=4), "multistart", max_climbs=2, seed=1)
    assert np.isnan(four.trace[-1, -1])
    text = "\n".join(result_lines(four))
    assert "f3 (max)" in text
    assert "hypervolume  left out" in text
    assert "nan" not in text


def test_a_front_is_drawn_with_a_star_at_either_end(result):
    lines = list(drawn_front(result))
    canvas = [line.split("|", 1)[1].ljust(WIDTH) for line in lines if "|" in line]
    assert len(canvas) == HEIGHT
    assert canvas[0][0] == canvas[-1][-1] == "*"
    stars = {
        (r, c) for r, line in enumerate(canvas) for c in range(WIDTH) if line[c] == "*"
    }
    assert 2 <= len(stars) <= len(result)
    low, high = result.F.min(axis=0), result.F.max(axis=0)
    numbers = set(re.findall(r"[\d,]*\d", "\n".join([lines[1], *lines[-3:]])))
    assert {f"{value:,}" for value in np.concatenate([low, high])} <= numbers


def test_a_front_is_drawn_to_scale(result):
    assert (WIDTH, HEIGHT) == (60, 16)
    F = np.array([[100, 2015], [110, 2007], [159, 2000]])
    first, *lines, axis, last = drawn_front(
        replace(result, F=F, sense=("max", "min"), names=("gain", "cost"))
    )
    assert first == "       cost (min)"
    canvas = [[" "] * WIDTH for _ in range(HEIGHT)]
    for x, y in F.tolist():
        canvas[2015 - y][x - 100] = "*"
    labels = ["2,015", *[""] * 14, "2,000"]
    assert lines == [
        f"{label:>5} |{''.join(line)}".rstrip() for label, line in zip(labels, canvas)
    ]
    assert axis == f"      +{'-' * 60}"
    assert last.split() == ["100", "gain", "(max)", "159"]
    assert len(last) == len(axis)
    assert last.index("100") == 7


@pytest.mark.parametrize(
    "F",
    [
        [[7, -12]],
        [[-2_000, 5], [3, -1_500]],
        [[0.25, 1e6], [0.5, 0.125]],
        [[1, 4], [3, 4]],
    ],
    ids=str,
)
def test_any_front_is_drawn_between_its_ends(result, F):
    points = np.array(F)
    _, *lines, axis, last = drawn_front(replace(result, F=points))
    (low, bottom), (high, top) = points.min(axis=0), points.max(axis=0)
    left = axis.index("+")
    canvas = [line[left + 1 :].ljust(WIDTH) for line in lines]
    assert {line[left] for line in lines} == {"|"}
    labels = [line[:left].strip() for line in lines]
    assert labels == [f"{top:,.6g}", *[""] * (HEIGHT - 2), f"{bottom:,.6g}"]
    assert last.split()[0] == f"{low:,.6g}"
    assert last.endswith(f" {high:,.6g}")
    stars = {
        (r, c) for r, line in enumerate(canvas) for c in range(WIDTH) if line[c] == "*"
    }
    ends = {low: 0, high: WIDTH - 1} | {low: 0}, {top: 0} | {bottom: HEIGHT - 1}
    assert stars == {(ends[1][y], ends[0][x]) for x, y in points}


def test_steps_of_reals_are_told_beside_whole_ones():
    steps = {"0.1": [-1.5, 2], "0.001": [0, 0.001], "1": [0, 1], "0.01": [0, 2.25]}
    objectives = [[((0,), table)] for table in steps.values()]
    landscape = Landscape.from_subfunctions(2, objectives)
    told = f"resolution        real numbers, in steps of {', '.join(steps)}"
    assert told in landscape_lines(landscape)


def test_the_longest_constraint_is_told_wherever_it_is():
    ones = [((j,), [0, 1]) for j in range(4)]
    for lengths in ((1, 4, 2), (1, 2, 3), (4, 1, 1), (1, 1, 1)):
        constraints = [(ones[:length], "<=", 1) for length in lengths]
        landscape = Landscape.from_subfunctions(4, [ones], constraints=constraints)
        most = "1 term" if max(lengths) == 1 else f"{max(lengths)} terms"
        told = f"constraints       3 (3 <=), of at most {most}"
        assert told in landscape_lines(landscape)


def test_a_radius_that_takes_too_long_to_count_has_the_moves_of_the_one_below(
    monkeypatch,
):
    def counted_moves(landscape: Landscape, radius: int, _: Any) -> tuple[int, bool]:
        if radius > patient:
            raise room._OutOfPatience
        return 1_000 * radius, True

    monkeypatch.setattr(room, "counted_moves", counted_moves)
    monkeypatch.setattr(room, "climber_memory", lambda *_: 3 << 19)
    for patient in (1, 2, 3, 4):
        lines = list(landscape_lines(ring(9, K=1, seed=1)))
        rows = [line.split(maxsplit=1) for line in lines if line[:6].strip().isdigit()]
        assert [int(radius) for radius, _ in rows] == [1, 2, 3, 4]
        for radius, (_, told) in enumerate(rows, 1):
            memory = "1.5 MiB" if radius <= patient else "too much to tell"
            most = f"more than {patient},000"
            moves = f"{radius},000" if radius <= patient else most
            assert told.split() == [*moves.split(), *memory.split()]


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (room._OutOfPatience, "too much to tell"),
        (OverflowError, "none: it is refused"),
        (MemoryError, "none: it is refused"),
    ],
)
def test_memory_that_cannot_be_told_is_told_so(monkeypatch, raised, words):
    def fail(*_: Any) -> int:
        raise raised

    monkeypatch.setattr(room, "climber_memory", fail)
    lines = list(landscape_lines(ring(9, K=1, seed=1)))
    assert [line for line in lines if line.endswith(f"  {words}")] == lines[-6:-2]


def test_constraints_of_each_relation_are_counted():
    one = [((0,), [0, 1])]
    relations = [">="] * 2 + ["=="] + ["<="] * 1_001
    constraints = [(one, each, 1) for each in relations]
    landscape = Landscape.from_subfunctions(1, [one], constraints=constraints)
    told = "constraints       1,004 (1,001 <=, 1 ==, 2 >=), of at most 1 term"
    assert told in landscape_lines(landscape)


@pytest.mark.parametrize("n", [1, 8, 9])
def test_the_first_eight_labels_are_told(n):
    labels = [f"x{j}" for j in range(n)]
    landscape = Landscape.from_subfunctions(n, [[((0,), [0, 1])]], labels=labels)
    (line,) = (each for each in landscape_lines(landscape) if each[:6] == "labels")
    assert re.findall(r"x\d+", line)[:8] == labels[:8]


def test_ranges_and_the_corner_of_reals_have_ten_digits(result):
    F = np.array([[-1_234.567891, 0.1234567891], [9_876.543211, 12.34567891]])
    reference = np.array([1_234_567.891, 0.9876543211])
    trace = np.array([[0, 0, 0, 0, np.nan], [1, 2, 3, 2, 1_234.5678]])
    optimum = np.array([True, False])
    facts = {"reference": reference, "trace": trace, "optimum": optimum}
    first, *lines = result_lines(replace(result, F=F, bounded=False, **facts))
    assert first == "2 non-dominated solutions, 1 known local optimum"
    assert lines[:3] == [
        "  f0 (max)     -1,234.567891 to 9,876.543211",
        "  f1 (max)     0.1234567891 to 12.34567891",
        "  hypervolume  1234.57 from the mean, (1,234,567.891, 0.9876543211)",
    ]


@pytest.mark.parametrize("d", [1, 2, 9])
@pytest.mark.parametrize("status", PROVEN)
def test_an_empty_front_has_no_ranges(result, status, d):
    names = {"sense": ("min",) * d, "names": tuple(f"f{i}" for i in range(d))}
    config = {"method": "exact", "width": 5, "vectors": 1}
    empty = replace(
        result,
        F=np.empty((0, d)),
        optimum=np.empty(0, bool),
        trace=np.empty((0, 5)),
        bounded=False,
        status=status,
        config=config,
        seconds=0.25,
        **names,
    )
    assert list(result_lines(empty)) == [
        empty.emptiness,
        "  elimination  of width 5, 1 vector in 0.2 s",
        f"  ended as     {empty.ending}",
    ]
    assert list(drawn_front(empty)) == []
