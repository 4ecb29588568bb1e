"""Why runs end, in a word or two."""

from paretoball.system import INTERRUPTED, TERMINATED

UNDER_WAY = "under way"  # of a run that did not end yet, in its checkpoints
TIME, CLIMBS, MOVES = "time is up", "climbs done", "moves done"
BY_CALLBACK = "stopped by the callback"
STOPPED = (INTERRUPTED, TERMINATED, BY_CALLBACK)  # of a run that ended early
NOT_SEARCHED = "saved without a search"  # of fronts from elsewhere
ENDINGS = {UNDER_WAY, TIME, CLIMBS, MOVES, NOT_SEARCHED, *STOPPED}  # others: failures
