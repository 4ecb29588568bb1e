"""Filing: each move goes to the bucket that its scores belong to."""

import numpy as np

from paretoball._jit import inlined
from paretoball.climber.buckets import bucket_for, refile


@inlined
def bucket_of(state, v):
    """The bucket where the scores of move v belong."""
    d = len(state.objectives)
    w_score, union = 0, 0
    for i in range(d):
        w_score += state.w[i] * state.scores[v * d + i]
        union |= state.scores[v * d + i]
    return bucket_for(state.buckets, w_score, union)


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
