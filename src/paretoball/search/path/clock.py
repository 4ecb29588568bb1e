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
CLOCK = 12  # counters in all
