"""The clock of a unit: its counters, and the phases that it passes through.

- A path: CLIMBING -> HEATING -> SETTLING -> (LINING) -> MENDING -> (LINING) -> MEETING
  (-> LINING -> MEETING) -> JOINING -> CLIMBING, which is the next leg, or RETURNING
  before that. Cool legs go from CLIMBING to MEETING.
- A filling: SEEKING -> GOING -> LOOKING -> PAIRING -> MATING <-> TELLING -> SEEKING.
- A path under constraints: HEATING -> REPAIRING -> CLIMBING -> CHOOSING -> COMBINING ->
  CLIMBING if that found a better combination, or else GOING -> HEATING, the next leg.
- A filling under constraints: HEATING -> SEEKING -> GOING -> FLIPPING -> CHOOSING ->
  COMBINING -> MATING -> SEEKING.
"""

# The counters.
FLIPPED = 0  # flips noted in the journal
STAGE = 1  # legs of a path, or visits of a filling, that are done
PHASE = 2  # of a stage
TAKEN = 3  # moves taken
WORK = 4  # since the kernel was called
AT = 5  # the variable, move, offspring or combination to go on with
CHOSEN = 6  # variables chosen to be flipped, one after the other
NEXT = 7  # how many of these were flipped
PENDING = 8  # variables whose flips the journal may lack
DUE = 9  # what is to be offered, by the names below
DRAW = 10  # the number of the last draw of an escape
ROUND = 11  # solutions met, partners or cores of this stage, so far
STEPS = 12  # of a phase, so far; or the other variable of a pair
LUMPY = 13  # whether the first leg changed most variables in one giant component
FROM = 14  # the phase that compared x with another solution
PARTS = 15  # components in which these differ
LIST, COUNT = 16, 17  # of offspring: which list has them, and how many
MASK = 18  # the components that are flipped in the journal, but not in x
SIZE = 19  # variables of the core
TOTAL = 20  # what the combination at hand gains
MOST = 21  # what the best one gains; of a climb, the most that a flip gains
BEST = 22  # the best combination
NEAREST = 23  # the fewest constraints that a repaired solution violated
HAS_MIDDLE = 24  # whether the first leg ended at a feasible solution
CLOCK = 25  # counters in all

ENOUGH = 1 << 22  # work between two returns to Python

# What is due.
NOTHING = 0
SEEN = 1  # x, if nothing known hides it
FOUND = 2  # x: line 7 of Algorithm 2
OPTIMUM = 3  # x, a local optimum
ASIDE = 4  # what the journal has led to while x stayed where it is

# The phases. Moves are not filed in the first three.
HEATING = 0  # flipping variables by Metropolis' rule
RETURNING = 1  # to where the first leg ended
GOING = 2  # to a known solution
CLIMBING = 3  # to the first local optimum of a leg; by flips that stay feasible
SETTLING = 4  # climbing; then components that were better before are flipped back
MENDING = 5  # climbing once more, to the end of the escape
MEETING = 6  # comparing with what is known
JOINING = 7  # climbing from there
LINING = 8  # offering the offspring of x and what it was compared with
SEEKING = 9  # the next solution to visit
LOOKING = 10  # at the neighbours in M^r
PAIRING = 11  # single flips
MATING = 12  # with a solution nearby
TELLING = 13  # which offspring these have
REPAIRING = 14  # to a feasible solution
CHOOSING = 15  # the variables of a core: nothing is flipped
COMBINING = 16  # all combinations of these
FLIPPING = 17  # single flips, and pairs with each
