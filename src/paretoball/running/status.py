"""Why runs end, in a word or two."""

from paretoball.system import INTERRUPTED, TERMINATED

UNDER_WAY = "under way"  # in checkpoints of a run that has not ended
TIME, CLIMBS, MOVES = "time is up", "climbs done", "moves done"
BY_CALLBACK = "stopped by the callback"
STOPPED = (INTERRUPTED, TERMINATED, BY_CALLBACK)  # of a run that ended early
NOT_SEARCHED = "saved without a search"  # in files that `save_front` writes
ENDINGS = {UNDER_WAY, TIME, CLIMBS, MOVES, NOT_SEARCHED, *STOPPED}  # others: failures
