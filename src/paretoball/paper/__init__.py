"""The paper's two experiments, as campaigns to run, stop and go on with. Section 5.

- `plan`: which runs an experiment is made of
- `folder`: a campaign on disk
- `trial`, `conduct`: its runs, one by one and on workers
- `whole_front`: the exact front that Figure 3 approximates
- `tables`, `runtime`, `quality`, `experiments`: what came out
"""

from paretoball.paper.conduct import conduct, outlook
from paretoball.paper.experiments import report_lines
from paretoball.paper.folder import Campaign
from paretoball.paper.plan import asked_plan
from paretoball.paper.quality import LEVELS, MEDIAN, Group, exact_bound, groups
from paretoball.paper.runtime import summary
from paretoball.paper.whole_front import whole_front_lines

__all__ = [
    "LEVELS",
    "MEDIAN",
    "Campaign",
    "Group",
    "asked_plan",
    "conduct",
    "exact_bound",
    "groups",
    "outlook",
    "report_lines",
    "summary",
    "whole_front_lines",
]
