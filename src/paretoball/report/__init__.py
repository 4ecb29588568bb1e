"""Figures and texts for people; the only user of matplotlib.

- `text`: landscapes, results and fronts in a few lines
- `front_plot`: figures of fronts
- `campaign_figures`: figures of the paper's experiments
"""

from paretoball.report.campaign_figures import draw_campaign
from paretoball.report.front_plot import plot_front, save_figure
from paretoball.report.text import drawn_front, landscape_lines, result_lines

__all__ = [
    "draw_campaign",
    "drawn_front",
    "landscape_lines",
    "plot_front",
    "result_lines",
    "save_figure",
]
