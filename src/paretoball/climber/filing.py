"""Filing: each move goes to the bucket that its scores belong to.

At radius 1 there is a list, for each variable, of all variables that its flip affects.
"""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.buckets import WORD, bucket_for, refile
from paretoball.landscape import Graph
from paretoball.numerics import offsets, sums_by_row


def with_itself(graph: Graph, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each chosen variable, its neighbours and itself, ascending; and where."""
    lengths, itself = np.diff(graph.at), np.arange(len(chosen), dtype=np.int32)
    lower = sums_by_row(graph.at, graph.neighbours < np.repeat(itself, lengths))
    variables = np.insert(graph.neighbours, graph.at[:-1] + lower, itself)
    kept = variables[np.repeat(chosen, lengths + 1)]
    return offsets(np.where(chosen, lengths + 1, 0)), kept.astype(np.uint32)


@inlined
def bucket_of(state, v):
    """The bucket where the scores of move v belong."""
    w_score, union = _sums(state.objectives, state.w, state.scores, v)
    return bucket_for(state.buckets, w_score, union)


@inlined
def _sums(objectives, w, scores, v):
    """The w-score of move v, and the bitwise or of all its scores."""
    d = len(objectives)
    w_score, union = 0, 0
    for i in range(d):
        w_score += w[i] * scores[v * d + i]
        union |= scores[v * d + i]
    return w_score, union


@inlined
def file_changed(moves, state, size, changes):
    """File the first moves in `changed`, all of one size, in their new buckets."""
    for e in range(changes):
        v = np.int64(state.buckets.changed[e])
        bucket = np.int64(state.buckets.new_bucket[e])
        refile(state.buckets, moves.tier_at, v, size, bucket)


@inlined
def file_tier(moves, state, size):
    """File the moves of one size by their scores."""
    for v in range(moves.tier_at[size], moves.tier_at[size + 1]):
        bucket = bucket_of(state, v)
        if bucket != state.buckets.bucket[v]:
            refile(state.buckets, moves.tier_at, v, size, bucket)


file_now = kernel(file_tier)


@inlined
def file_listed(moves, state, j):
    """File the single flips that a flip of j affects, if their bucket has changed."""
    affected, scored = moves.affected, (state.objectives, state.w, state.scores)
    variables = affected.variables[affected.at[j] : affected.at[j + 1]]
    file_changed(moves, state, 1, _list_some(scored, variables, state.buckets))


@inlined
def file_all(moves, state):
    """File all single flips whose bucket has changed, comparing a word at a time."""
    n, buckets, new_bucket = len(state.x), state.buckets, state.buckets.new_bucket
    # All new buckets come first: without a branch, the compiler uses vectors.
    for v in range(n):
        new_bucket[v] = bucket_of(state, v)
    for word in range(len(buckets.words)):
        if buckets.new_words[word] != buckets.words[word]:
            for v in range(WORD * word, min(WORD * word + WORD, n)):
                bucket = np.int64(new_bucket[v])
                if bucket != buckets.bucket[v]:
                    refile(buckets, moves.tier_at, v, 1, bucket)


@kernel
def _list_some(scored, variables, buckets):
    """List those of these variables whose bucket has changed, and their new buckets."""
    objectives, w, scores = scored  # it is not inlined, to be compiled once
    old, new, changed = buckets.bucket, buckets.new_bucket, buckets.changed
    changes = 0
    for e in range(len(variables)):
        w_score, union = _sums(objectives, w, scores, np.int64(variables[e]))
        new[e] = bucket_for(buckets, w_score, union)
    for e in range(len(variables)):
        v = np.int64(variables[e])
        changed[changes] = v
        new[changes] = new[e]
        changes += new[e] != old[v]
    return changes
