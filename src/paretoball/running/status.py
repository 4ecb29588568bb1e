"""Why runs end, in a word or two."""

from paretoball.system import INTERRUPTED, TERMINATED

UNDER_WAY = "under way"  # in checkpoints of a run that has not ended
TIME, CLIMBS, MOVES = "time is up", "climbs done", "moves done"
FEW_MOVES = "climbs take few moves"  # as many climbs as moves were allowed
BY_CALLBACK = "stopped by the callback"
STOPPED = (INTERRUPTED, TERMINATED, BY_CALLBACK)  # of a run that ended early
NOT_SEARCHED = "saved without a search"  # in files that `save_front` writes
WHOLE = "exact: the whole front"  # of a front that was found by elimination
INFEASIBLE = "exact: no solution is feasible"  # the same, of an empty front
PROVEN = (WHOLE, INFEASIBLE)
ALL_SEEN = "the front is whole: all solutions were looked at"  # by a search
NONE_FEASIBLE = "no solution is feasible: all were looked at"  # the same
NOTHING_LEFT = (ALL_SEEN, NONE_FEASIBLE)
BY_COUNT = (CLIMBS, MOVES, FEW_MOVES, *NOTHING_LEFT)  # of a run that ended by numbers
ENDINGS = {
    UNDER_WAY,
    TIME,
    *BY_COUNT,
    NOT_SEARCHED,
    *PROVEN,
    *STOPPED,
}  # others: failures
