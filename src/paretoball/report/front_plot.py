"""Figures of fronts, and how figures are written to files."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.formats import PathLike, atomic_write
from paretoball.landscape import Front, shown_name
from paretoball.system import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
COLOUR = "#0072B2"  # blue, for all kinds of colour vision
COLOURS = "viridis"  # also for all kinds of colour vision, and in grey
MISSING = "figures need matplotlib: pip install paretoball[plot]"
MOST_LABELS = 12  # of parallel axes; of more axes, only some have one
OFFSET: dict[str, Any] = {"textcoords": "offset points", "va": "center"}


def plot_front(front: Front, ax: "Axes | None" = None) -> "Axes":
    """Draw the front of any kind.

    Two objectives are drawn against each other, with the edge of what the front
    dominates; a third one as colour; four or more as a line per solution across
    parallel axes, where up is better.
    """
    if len(front.F) == 0:
        raise ValueError("the front is empty, so there is nothing to draw")
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError(MISSING) from None
        ax = pyplot.subplots(layout="constrained")[1]
    draw = {1: _draw_value, 2: _draw_curve, 3: _draw_colours}.get(front.d, _draw_lines)
    draw(front, ax)
    title = counted(len(front.F), "non-dominated solution")
    ax.set_title(title, loc="left", fontsize=10)
    return ax


def save_figure(front: Front, path: PathLike) -> None:
    """Draw the front into a file: png, svg or pdf, by its suffix; needs no display."""
    figure = new_figure(6.4, 4.8)
    plot_front(front, figure.subplots())
    write_figure(figure, path)


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure of this size in inches, for a file."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(MISSING) from None
    return Figure(figsize=(width, height), layout="constrained")


def write_figure(figure: "Figure", path: PathLike) -> None:
    """Write a figure to a file, whole or not at all."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: a figure is saved as .png, .svg or .pdf")
    picture = BytesIO()
    figure.savefig(picture, format=suffix[1:], dpi=150)
    atomic_write(path, lambda file: file.write(picture.getvalue()))


def _label(front: Front, i: int) -> str:
    """The name and the sense of an objective; a dollar sign is no formula."""
    name = shown_name(front.names[i]).replace("$", r"\$")
    return f"{name} ({front.sense[i]})"


def _draw_value(front: Front, ax: Any) -> None:
    """One objective has one best value."""
    ax.plot([0], front.F[:1, 0], "o", color=COLOUR)
    ax.annotate(f"{front.F[0, 0]:,.10g}", (0, front.F[0, 0]), (8, 0), **OFFSET)
    ax.set_xticks([])
    ax.set_ylabel(_label(front, 0))


def _draw_curve(front: Front, ax: Any) -> None:
    """Two objectives, and the edge of the region that the front dominates.

    Rows ascend in the first objective. From one to the next the edge keeps the value of
    the worse one: at the next row's second objective where the first is maximised.
    """
    x, y = front.F.T
    where = "pre" if front.sense[0] == "max" else "post"
    ax.step(x, y, where=where, color=COLOUR, linewidth=0.8, alpha=0.6)
    ax.plot(x, y, "o", color=COLOUR, markersize=_marker_size(len(x)))
    ax.set_xlabel(_label(front, 0))
    ax.set_ylabel(_label(front, 1))


def _draw_colours(front: Front, ax: Any) -> None:
    """Two objectives against each other, the third as colour."""
    x, y, z = front.F.T
    size = _marker_size(len(x)) ** 2
    points = ax.scatter(x, y, s=size, c=z.astype(float), cmap=COLOURS)
    ax.figure.colorbar(points, ax=ax, label=_label(front, 2))
    ax.set_xlabel(_label(front, 0))
    ax.set_ylabel(_label(front, 1))


def _draw_lines(front: Front, ax: Any) -> None:
    """One line per solution across parallel axes, the better end of each on top."""
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

    low, high = front.F.min(axis=0), front.F.max(axis=0)
    share = (front.F - low) / np.where(high > low, high - low, 1)
    upright = np.array([sense == "max" for sense in front.sense])
    heights = np.where(upright, share, 1 - share)
    across = np.broadcast_to(np.arange(front.d), heights.shape)
    lines = LineCollection(
        list(np.stack([across, heights], axis=2)),
        colors=colormaps[COLOURS](heights[:, 0]),
        linewidths=0.8,
        alpha=float(np.clip(100 / len(front.F), 0.15, 1.0)),
    )
    ax.add_collection(lines)
    ax.vlines(range(front.d), 0, 1, color="black", linewidth=0.8)
    best, worst = np.where(upright, (high, low), (low, high))
    labelled = range(0, front.d, -(-front.d // MOST_LABELS))
    for i in labelled:
        ax.annotate(f"{best[i]:,.6g}", (i, 1), (0, 8), ha="center", **OFFSET)
        ax.annotate(f"{worst[i]:,.6g}", (i, 0), (0, -8), ha="center", **OFFSET)
    ax.set_xticks(labelled, [_label(front, i) for i in labelled])
    ax.set_yticks([])
    ax.set_xlim(-0.3, front.d - 0.7)
    ax.set_ylim(-0.12, 1.12)
    ax.tick_params(axis="x", length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _marker_size(count: int) -> float:
    """Smaller markers for more points."""
    return float(np.clip(60 / np.sqrt(count), 1.5, 6))
