"""Filing: each move goes to the bucket that its scores belong to."""

import numpy as np

from paretoball._jit import inlined
from paretoball.climber.buckets import LEVELS, WORD, bucket_for, refile


@inlined
def bucket_of(state, v):
    """The bucket where the scores of move v belong."""
    w_score, union = _sums(state, v)
    return bucket_for(state.buckets, w_score, union)


@inlined
def _sums(state, v):
    """The w-score of move v, and the bitwise or of all its scores."""
    d = len(state.objectives)
    w_score, union = 0, 0
    for i in range(d):
        w_score += state.w[i] * state.scores[v * d + i]
        union |= state.scores[v * d + i]
    return w_score, union


@inlined
def file_changed(moves, state, size, changes):
    """File the first moves in `changed`, all of one size, in their new buckets."""
    for e in range(changes):
        v, bucket = np.int64(state.changed[e]), np.int64(state.new_bucket[e])
        refile(state.buckets, moves.tier_at, v, size, bucket)


@inlined
def file_tier(moves, state, size):
    """File the moves of one size by their scores."""
    for v in range(moves.tier_at[size], moves.tier_at[size + 1]):
        bucket = bucket_of(state, v)
        if bucket != state.buckets.bucket[v]:
            refile(state.buckets, moves.tier_at, v, size, bucket)


@inlined
def file_listed(moves, state, variables):
    """File single flips of these variables, where their bucket has changed.

    All new buckets come first: without a branch, the compiler uses vectors.
    """
    buckets, new_bucket, changes = state.buckets, state.new_bucket, 0
    if buckets.by_gain:
        for e in range(len(variables)):
            new_bucket[e] = bucket_of(state, np.int64(variables[e]))
    else:
        for e in range(len(variables)):
            w_score, union = _sums(state, np.int64(variables[e]))
            new_bucket[e] = (w_score > 0) + LEVELS * (union > 0)
    for e in range(len(variables)):
        v = np.int64(variables[e])
        state.changed[changes] = v
        new_bucket[changes] = new_bucket[e]
        changes += new_bucket[e] != buckets.bucket[v]
    file_changed(moves, state, 1, changes)


@inlined
def file_all(moves, state):
    """File all single flips whose bucket has changed; new buckets come first, too."""
    n, buckets, new_bucket = len(state.x), state.buckets, state.new_bucket
    if buckets.by_gain:
        for v in range(n):
            new_bucket[v] = bucket_of(state, v)
    else:
        for v in range(n):
            w_score, union = _sums(state, v)
            new_bucket[v] = (w_score > 0) + LEVELS * (union > 0)
    for word in range(len(buckets.words)):
        if state.new_words[word] != buckets.words[word]:
            for v in range(WORD * word, min(WORD * word + WORD, n)):
                bucket = np.int64(new_bucket[v])
                if bucket != buckets.bucket[v]:
                    refile(buckets, moves.tier_at, v, 1, bucket)
