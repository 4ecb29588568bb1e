"""Figures of fronts: any number of objectives, either sense, every format."""

import sys
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
import pytest

from landscapes import ring
from paretoball import solve
from paretoball.report.front_plot import SUFFIXES, plot_front, save_figure

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


@pytest.mark.parametrize("sense", ["max", "min"])
def test_the_curve_stays_within_what_the_front_dominates(sense):
    F = np.array(FRONTS[2])
    ax = plot_front(made_up(F, (sense, sense)))
    line = ax.lines[0]
    path = line.get_path().vertices
    corners = {tuple(corner) for corner in path.tolist()} - {tuple(row) for row in F}
    right = {(0, 3), (2, 1)} if sense == "max" else {(2, 5), (4, 3)}
    assert corners == right
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


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_figures_are_saved_by_their_suffix(tmp_path, suffix):
    path = tmp_path / f"front{suffix}"
    save_figure(made_up(FRONTS[3], ("max",) * 3), path)
    start = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix]
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]


def test_other_suffixes_of_figures_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"front\.gif: a figure is saved as"):
        save_figure(made_up(FRONTS[1], ("max",)), tmp_path / "front.gif")


def test_figures_without_matplotlib_name_the_extra(tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.setitem(sys.modules, name, None)
    front = made_up(FRONTS[1], ("max",))
    with pytest.raises(ImportError, match=r"pip install paretoball\[plot\]"):
        plot_front(front)
    with pytest.raises(ImportError, match=r"pip install paretoball\[plot\]"):
        save_figure(front, tmp_path / "front.png")
