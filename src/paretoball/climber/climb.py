"""Algorithm 2: climb to a local optimum, strong moves first."""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.buckets import NO_MOVE, STRONG, W_IMPROVING, pick
from paretoball.climber.scores import LOGGED, STEP, TIER, add_tier, flip, report


@inlined
def climb(cliques, moves, state, budget):
    """Algorithm 2, for at most `budget` moves; True once the climb is over.

    Comments are the paper's line numbers. Line 1 is `start_climb`, called before. Line
    2 comes last: a strong move is w-improving, so the loop ends if both selections find
    no move. Then the report of line 7 is that of line 12.
    """
    for _ in range(budget):
        t = select_strong(cliques, moves, state)  # 3, 4
        if t == NO_MOVE:  # 5
            t = select_w_improving(moves, state)  # 6
            report(state, t == NO_MOVE)  # 7; 12 if the loop ends here
        if t == NO_MOVE:  # 2: there is no v in M^r with w · S_v > 0
            return True
        take(cliques, moves, state, t)  # 9, 10
    return False


@inlined
def select_strong(cliques, moves, state):
    """selectStrongImprovingMove: one of the smallest, or NO_MOVE if there is none.

    Scores of larger moves are computed when no smaller strong move is left. Best
    improvement does not compare sizes, so it needs the scores of all moves.
    """
    while True:
        is_last = state.clock[TIER] == moves.flips.shape[1]
        if is_last or state.buckets.choice:
            t = pick(state.buckets, moves.tier_at, STRONG, state.rng)
            if is_last or t != NO_MOVE:
                return t
        add_tier(cliques, moves, state)


@inlined
def select_w_improving(moves, state):
    """selectWImprovingMove: one of the smallest, or NO_MOVE if there is none.

    It is NO_MOVE in a climb that takes strong moves only, which is not in the paper.
    """
    t = pick(state.buckets, moves.tier_at, W_IMPROVING, state.rng)
    return NO_MOVE if state.buckets.strong_only else t


@inlined
def take(cliques, moves, state, t):
    """updateScores(S, x, t) and x ← x ⊕ t, one variable of t after the other.

    f(x) ← f(x) + S_t comes first, while S_t is the score at x.
    """
    d = len(state.objectives)
    for i in range(d):
        state.fx[i] += state.scores[t * d + i]
    for j in moves.flips[t]:
        if j >= 0:
            flip(cliques, moves, state, np.int64(j), True)
    state.journal[state.clock[LOGGED]] = t
    state.clock[LOGGED] += 1
    state.clock[STEP] += 1


climb_now, take_now = kernel(climb), kernel(take)
