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
BY_COUNT = (CLIMBS, MOVES, FEW_MOVES)  # of a run that used up a budget in numbers
ENDINGS = {
    UNDER_WAY,
    TIME,
    *BY_COUNT,
    NOT_SEARCHED,
    *PROVEN,
    *STOPPED,
}  # others: failures
