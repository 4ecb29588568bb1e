"""Escapes: leave a local optimum, climb again, and keep whatever became better.

Heat flips variables one by one through Algorithm 1, by Metropolis' rule for w · S_j and
a temperature that falls, so most of its flips cost little. After the climb from
there, the variables that differ from before fall into components, each of which is kept
or flipped back by itself: one escape is many independent tries. Ties are kept, which
lets the search drift across plateaus.
"""

from math import log

import numpy as np

from paretoball._jit import inlined
from paretoball.climber import TIER, clear, file_tier, flip
from paretoball.crossover import (
    find_components,
    list_flipped,
    score_in_climb,
    weighted,
)
from paretoball.numerics import next_bits

FEWEST_SWEEPS, MOST_SWEEPS = 8, 256  # looks at every variable, in an escape
COOLEST = 0.2  # the last sweep's temperature, of the first one's
MILDEST, HOTTEST = 0.02, 0.5  # temperatures, in typical losses
FIRST_HEAT = 0.2
WARMER, COOLER = 1.1, 0.75  # factors for the next escape
GIANT = 1 / 16  # of all variables: a component that is too large to be undone often
DRAWS = 1024  # a power of two
EXPONENTIAL = np.array([-log((draw + 0.5) / DRAWS) for draw in range(DRAWS)])


def sweeps_of(number: int) -> int:
    """How often path `number` looks at every variable in an escape.

    Later paths cool more slowly: by then, quick escapes have found what they can find.
    """
    return min(FEWEST_SWEEPS + number // 2, MOST_SWEEPS)


@inlined
def flip_one(cliques, moves, state, j, flips, at):
    """x ← x ⊕ j with scores and objectives, noted as flip number `at`."""
    d = len(state.objectives)
    for i in range(d):
        state.fx[i] += state.scores[j * d + i]
    flip(cliques, moves, state, j)
    flips[at] = j


@inlined
def forget_large_moves(moves, state):
    """Drop the scores of all but single flips; the next climb works them out anew."""
    if state.clock[TIER] == 1:
        return
    state.clock[TIER] = 1
    if state.buckets.by_gain:
        clear(state.buckets)
        file_tier(moves, state, 1)
    else:
        state.buckets.bucket[moves.tier_at[2] :] = 0
        state.buckets.counts[:, 2:] = 0


@inlined
def typical_loss(state):
    """The mean of |w · S_j| over all variables j."""
    d, total = len(state.objectives), 0.0
    for j in range(len(state.x)):
        total += abs(float(weighted(state.w, state.scores, j * d)))
    return total / len(state.x)


@inlined
def flips_back(cliques, graph, moves, state, space, flips, first, last):
    """Flip back each component of flips first..last that was better before.

    Returns where the flips end now, and the size of the largest component undone.
    """
    d, largest = len(state.objectives), 0
    found = find_components(graph, space, list_flipped(space, flips, first, last))
    for p in range(found):
        score_in_climb(cliques, moves, state, space, p)
        if weighted(state.w, space.deltas, p * d) > 0:
            largest = max(largest, space.at[p + 1] - space.at[p])
            for j in space.variables[space.at[p] : space.at[p + 1]]:
                flip_one(cliques, moves, state, np.int64(j), flips, last)
                last += 1
    return last, largest


@inlined
def next_heat(heat, largest, n):
    """The temperature for the next escape: lower if a giant component was undone.

    A giant component is kept or undone as a whole, so the escape is hardly more than
    one try.
    """
    if largest > GIANT * n:
        return max(heat * COOLER, MILDEST)
    return min(heat * WARMER, HOTTEST)


@inlined
def is_taken(state, exponential, j, temperature):
    """Metropolis' rule: a flip that costs c is taken with probability exp(-c / T).

    Numbers are compared as they are on every machine, compiled or not.
    """
    gain = float(weighted(state.w, state.scores, j * len(state.objectives)))
    draw = next_bits(state.rng) & (DRAWS - 1)
    return gain >= -temperature * exponential[draw]
