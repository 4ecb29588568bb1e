"""The clock of a unit: the counters that paths, fillings and constrained units keep."""

FLIPPED = 0  # flips noted in the journal
STAGE = 1  # legs of a path, or visits of a filling, that are done
PHASE = 2  # of a stage
TAKEN = 3  # moves taken
AT = 4  # the variable, move or offspring to go on with
WORK = 5  # since the kernel was called
# Of a path.
MOVE = 6  # the move under way, or NO_MOVE
PART = 7  # how many of its variables were flipped
MET = 8  # known solutions met on this leg
LUMPY = 9  # whether the first leg changed most variables in one giant component
CHOSEN = 10  # variables chosen to be flipped, one after the other
NEXT = 11  # how many of these were flipped
# Of a filling.
PARTNER = 6  # partners met on this visit
LIST = 7  # of sums
COUNT = 8  # of sums
MASK = 9  # the components that are flipped in the journal, but not in x
# Of a unit under constraints.
PENDING = 6  # variables whose flips the journal may lack
STEPS = 7  # of a phase, so far
DRAW = 8  # the next draw
ROUND = 9  # cores or partners of this stage, so far
SIZE = 10  # of the core
TOTAL = 11  # what the combination at hand gains
MOST = 12  # what the best one gains
BEST = 13  # the best one; once all are tried, what is left to flip of it
NEAREST = 14  # the fewest constraints that a repaired solution violated
HAS_MIDDLE = 15  # whether the first stage of a path ended at a feasible solution
DUE = 16  # what x is to be offered as: NOTHING, FOUND or OPTIMUM
DECIDED = 17  # 1 plus the variable that a climb flips once x is offered, or 0
CLOCK = 18  # counters in all
