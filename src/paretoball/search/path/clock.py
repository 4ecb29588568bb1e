"""The clock of a unit: its counters, and the phases that it passes through.

- A path: CLIMBING -> HEATING -> SETTLING -> (LINING) -> MENDING -> (LINING) -> MEETING
  (-> LINING -> MEETING) -> JOINING -> CLIMBING, which is the next leg, or RETURNING
  before that. Cool legs go from CLIMBING to MEETING.
- A filling: SEEKING -> GOING -> LOOKING -> PAIRING -> MATING <-> TELLING -> SEEKING.
- A path under constraints: HEATING -> REPAIRING -> CLIMBING -> CHOOSING -> COMBINING ->
  CLIMBING if that found a better combination, or else GOING -> HEATING, the next leg.
- The same by chains: REPAIRING -> CHAINING -> CLIMBING -> GOING -> REPAIRING, which
  is the next leg.
- A filling under constraints: HEATING -> SEEKING -> GOING -> FLIPPING -> CHOOSING ->
  COMBINING -> MATING -> SEEKING.
- The same by chains: SEEKING -> GOING -> BRANCHING -> MATING -> SEEKING.
"""

import numpy as np


def record_type(kind: type, *names: str) -> np.dtype[np.void]:
    """Of records with a number for each name, which kernels read and write by it."""
    return np.dtype([(name, kind) for name in names], align=True)


def new_record(layout: np.dtype[np.void]) -> np.record:
    """A record of zeros."""
    record: np.record = np.zeros(1, layout).view(np.recarray)[0]
    return record


CLOCK = record_type(  # the counters
    np.int64,
    "flipped",  # flips noted in the journal
    "stage",  # legs of a path, or visits of a filling, that are done
    "phase",  # of a stage
    "taken",  # moves taken
    "work",  # since the kernel was called
    "at",  # the variable, move, offspring or combination to go on with
    "chosen",  # variables chosen to be flipped, one after the other
    "next",  # how many of these were flipped
    "pending",  # variables whose flips the journal may lack
    "due",  # what is to be offered, by the names below
    "draw",  # the number of the last draw of an escape
    "tried",  # solutions met, partners or cores of this stage, or chains, so far
    "steps",  # of a phase, so far; or the other variable of a pair
    "lumpy",  # whether the first leg changed most variables in one giant component
    "compared",  # the phase that compared x with another solution
    "parts",  # components in which these differ
    "list",  # which list has the sums of offspring
    "count",  # of offspring
    "mask",  # the components that are flipped in the journal, but not in x
    "core",  # variables of the core
    "total",  # what the combination at hand gains
    "most",  # what the best one gains; of a climb, the most that a flip gains
    "best",  # the best combination
    "nearest",  # the fewest constraints that a repaired solution violated
    "links",  # flips of the chain at hand
    "has_middle",  # whether the first leg ended at a feasible solution
)

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
CHAINING = 18  # chains of flips by Metropolis' rule
BRANCHING = 19  # chains from all variables, each of them taken back
