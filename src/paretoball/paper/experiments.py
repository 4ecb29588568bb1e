"""What came out of an experiment, in lines of text and in tables."""

from collections.abc import Iterator

from paretoball.paper import quality, runtime
from paretoball.paper.folder import Campaign


def report_lines(campaign: Campaign, progress: bool | None = None) -> Iterator[str]:
    """Write the tables of a campaign, and tell what is in them."""
    if campaign.plan.experiment == "runtime":
        return runtime.report(campaign)
    return quality.report(campaign, progress)
