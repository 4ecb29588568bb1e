"""Figures of fronts: any number of objectives, either sense, every format."""

import re
import sys
from dataclasses import dataclass
from itertools import product
from typing import Any

import matplotlib
import numpy as np
import pytest

from landscapes import ring
from paretoball import solve
from paretoball.report.front_plot import SUFFIXES, new_figure, plot_front, save_figure

matplotlib.use("Agg")

FRONTS = {
    1: [[7]],
    2: [[0, 5], [2, 3], [4, 1]],
    3: [[0, 5, 1], [2, 3, 9], [4, 1, 2]],
    5: [[0, 5, 1, 2, 3], [2, 3, 9, 2, 1], [4, 1, 2, 2, 0]],
}


@dataclass
class Bare:
    """A front with nothing behind it."""

    F: np.ndarray
    sense: tuple[str, ...]
    n: int = 3

    @property
    def d(self) -> int:
        return self.F.shape[1]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"f{i}" for i in range(self.d))

    @property
    def X(self) -> np.ndarray:
        raise AssertionError("a figure needs no solutions")


def made_up(F: Any, sense: tuple[str, ...]) -> Bare:
    """A front with these objectives."""
    return Bare(np.array(F), sense)


@pytest.mark.parametrize("d", FRONTS)
@pytest.mark.parametrize("sense", ["max", "min"])
def test_fronts_of_any_number_of_objectives_are_drawn(d, sense):
    ax = plot_front(made_up(FRONTS[d], (sense,) * d))
    words = [ax.get_xlabel(), ax.get_ylabel(), *(t.get_text() for t in ax.texts)]
    words += [tick.get_text() for tick in ax.get_xticklabels()]
    words += [other.get_ylabel() for other in ax.figure.axes]
    for i in range(d):
        assert f"f{i} ({sense})" in words
    assert "solution" in ax.get_title(loc="left")
    matplotlib.pyplot.close(ax.figure)


def test_of_many_parallel_axes_only_some_have_labels():
    front = made_up(np.random.default_rng(1).random((3, 1000)), ("max",) * 1000)
    ax = plot_front(front)
    labels = [tick.get_text() for tick in ax.get_xticklabels()]
    assert labels[0] == "f0 (max)"
    assert 6 <= len(labels) <= 12
    assert len(ax.texts) == 2 * len(labels)


@pytest.mark.parametrize("d", [*range(4, 40), 121])
def test_as_many_axes_have_labels_as_there_is_room_for(d):
    ax = new_figure(4, 3).subplots()
    plot_front(made_up([range(d), range(d, 0, -1)], ("max",) * d), ax)
    step = next(step for step in range(1, d) if len(range(0, d, step)) <= 12)
    labels = [tick.get_text() for tick in ax.get_xticklabels()]
    assert labels == [f"f{i} (max)" for i in range(0, d, step)]
    for (low, high), last in ((ax.get_xlim(), d - 1), (ax.get_ylim(), 1)):
        assert low < 0 < last < high < last + 1  # all axes are in sight, to their ends


def test_on_parallel_axes_up_is_better():
    F, sense = np.array(FRONTS[5]), ("max", "min", "min", "max", "max")
    ax = new_figure(4, 3).subplots()
    plot_front(made_up(F, sense), ax)
    best = [F[:, i].max() if s == "max" else F[:, i].min() for i, s in enumerate(sense)]
    worst = [
        F[:, i].min() if s == "max" else F[:, i].max() for i, s in enumerate(sense)
    ]
    segments = ax.collections[0].get_segments()
    assert len(segments) == len(F)
    for row, segment in zip(F, segments):
        assert segment[:, 0].tolist() == [0, 1, 2, 3, 4]
        for i in (0, 1, 2, 4):  # all have the same fourth objective
            share = (row[i] - worst[i]) / (best[i] - worst[i])
            assert segment[i, 1] == pytest.approx(share)
    ends = {(*text.xy,): text.get_text() for text in ax.texts}
    assert ends == {
        (i, end): f"{values[i]}"
        for end, values in ((1, best), (0, worst))
        for i in range(5)
    }


@pytest.mark.parametrize("sense", [("max",) * 4, ("min", "max", "min", "max")])
def test_lines_have_the_colour_of_their_first_objective(sense):
    F = np.array([[0, 9, 1, 5], [3, 4, 7, 5], [8, 0, 2, 5], [10, 1, 3, 5]])
    ax = new_figure(4, 3).subplots()
    plot_front(made_up(F, sense), ax)
    shares = F[:, 0] / 10 if sense[0] == "max" else 1 - F[:, 0] / 10
    right = matplotlib.colormaps["viridis"](shares)
    right[:, 3] = 1  # few lines hide nothing
    assert ax.collections[0].get_colors() == pytest.approx(right)


def test_more_lines_are_fainter_but_never_invisible():
    seen = []
    for count in (1, 50, 300, 10_000):
        ax = new_figure(4, 3).subplots()
        F = np.random.default_rng(1).random((count, 4))
        plot_front(made_up(F, ("max",) * 4), ax)
        seen.append(ax.collections[0].get_alpha())
    assert seen == sorted(seen, reverse=True)
    assert seen[0] == seen[1] == 1 > seen[2]
    assert seen[-1] > 0.1


def test_more_points_are_smaller_but_never_invisible():
    seen = []
    for count in (1, 50, 1_000, 20_000):
        F = np.column_stack([np.arange(count), -np.arange(count)] * 2)
        plane, colours = (new_figure(4, 3).subplots() for _ in range(2))
        plot_front(made_up(F[:, :2], ("max",) * 2), plane)
        plot_front(made_up(F[:, :3], ("max",) * 3), colours)
        size = plane.lines[1].get_markersize()
        assert colours.collections[0].get_sizes() == pytest.approx([size**2])
        seen.append(size)
    assert seen == sorted(seen, reverse=True)
    assert seen[0] > seen[2] > 1 < seen[3]


def test_ends_of_parallel_axes_have_six_digits():
    ax = new_figure(4, 3).subplots()
    F = np.array([[0.1234564, 1_234.5649, 5, -7.654321], [12.34567, -0.5, 5, 0]])
    plot_front(made_up(F, ("max", "min", "max", "min")), ax)
    ends = {(*text.xy,): text.get_text() for text in ax.texts}
    best = ["12.3457", "-0.5", "5", "-7.65432"]
    worst = ["0.123456", "1,234.56", "5", "0"]
    assert ends == {(i, 1): text for i, text in enumerate(best)} | {
        (i, 0): text for i, text in enumerate(worst)
    }


def test_three_objectives_are_two_places_and_a_colour():
    F = np.array(FRONTS[3])
    ax = new_figure(4, 3).subplots()
    plot_front(made_up(F, ("max", "min", "max")), ax)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("f0 (max)", "f1 (min)")
    assert ax.figure.axes[-1].get_ylabel() == "f2 (max)"
    points = ax.collections[0]
    assert points.get_offsets().tolist() == F[:, :2].tolist()
    assert points.get_array().tolist() == F[:, 2].tolist()


def test_one_objective_is_told_as_a_number():
    ax = new_figure(4, 3).subplots()
    plot_front(made_up([[1234567]], ("min",)), ax)
    assert [text.get_text() for text in ax.texts] == ["1,234,567"]
    assert ax.get_title(loc="left") == "1 non-dominated solution"


def test_a_dollar_sign_in_a_name_is_no_formula():
    class Named(Bare):
        names = ("cost in $", "$x^2$")

    ax = new_figure(4, 3).subplots()
    plot_front(Named(np.array(FRONTS[2]), ("min", "max")), ax)
    assert ax.get_xlabel() == r"cost in \$ (min)"
    assert ax.get_ylabel() == r"\$x^2\$ (max)"


@pytest.mark.parametrize("senses", [*product(["max", "min"], repeat=2)])
def test_the_curve_stays_within_what_the_front_dominates(senses):
    """Each of its corners is attained by some point; all points are corners."""
    signs = np.where(np.array(senses) == "max", 1, -1)
    F = np.array([[0, 5], [2, 3], [4, 1]]) * signs
    F = F[np.argsort(F[:, 0])]
    ax = plot_front(made_up(F, senses))
    corners = ax.lines[0].get_path().vertices
    assert len(corners) == 5
    assert {tuple(row) for row in F} < {tuple(corner) for corner in corners}
    for corner in corners:
        assert (F * signs >= corner * signs).all(axis=1).any()
    matplotlib.pyplot.close(ax.figure)


def test_axes_that_are_given_are_drawn_on():
    figure, ax = matplotlib.pyplot.subplots()
    assert plot_front(made_up(FRONTS[2], ("max", "max")), ax) is ax
    matplotlib.pyplot.close(figure)


def test_a_result_draws_its_own_front():
    result = solve(ring(n=30, K=2, seed=1), max_climbs=5, seed=1)
    ax = result.plot()
    x, y = ax.lines[1].get_data()
    assert np.column_stack([x, y]).tolist() == result.F.tolist()
    assert f"{len(result):,} non-dominated" in ax.get_title(loc="left")
    matplotlib.pyplot.close(ax.figure)


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".PNG"])
def test_figures_are_saved_by_their_suffix(tmp_path, suffix):
    path = tmp_path / f"front{suffix}"
    save_figure(made_up(FRONTS[3], ("max",) * 3), path)
    start = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix.lower()]
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["front.gif", "front", "front.", "png", "f.png.zip"])
def test_other_suffixes_of_figures_are_refused(tmp_path, name):
    words = re.escape(f"{name}: a figure is saved as .png, .svg or .pdf")
    with pytest.raises(ValueError, match=words):
        save_figure(made_up(FRONTS[1], ("max",)), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_figures_without_matplotlib_name_the_extra(tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.setitem(sys.modules, name, None)
    front = made_up(FRONTS[1], ("max",))
    with pytest.raises(ImportError, match=r"pip install paretoball\[plot\]"):
        plot_front(front)
    with pytest.raises(ImportError, match=r"pip install paretoball\[plot\]"):
        save_figure(front, tmp_path / "front.png")
