"""Buckets: strong moves, w-improving moves, and the rest. Section 4.

Next improvement has a list of moves for each kind and size, and `pick` takes a random
move of the smallest size: of the whole list where selection is uniform, as in the
paper; otherwise of its last RECENT moves, most of which lie close together in memory.
Approximate best improvement has a bucket for each kind and gain: bucket b holds
w-scores of b bits, and `pick` takes the move filed last in the highest one. It gains
more than half as much as the best move.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import by_type, inlined
from paretoball.numerics import below

W_IMPROVING, STRONG = 1, 2  # the rest is 0
NO_MOVE = -1
LEVELS = 63  # a w-score has at most 63 bits
WORD = 8  # buckets in a word
RECENT = 4096  # how many moves at the end of a list `pick` chooses from
ALL = 2**31 - 1  # the same where selection is uniform: all of them

NEXT, BEST, UNIFORM = "next", "best", "uniform"
SELECTIONS = (NEXT, BEST, UNIFORM)


class _ByKind(NamedTuple):
    """Next improvement: lists of moves by kind and size."""

    choice: int  # how many moves at the end of a list to choose from
    strong_only: bool  # whether a climb ends once no strong move is left
    bucket: np.ndarray  # (size,) int8: 1 if a move is w-improving, LEVELS + 1 if strong
    words: np.ndarray  # (size / 8,) int64: the same bytes, eight buckets at a time
    # Scratch space for the moves that one flip affects.
    changed: np.ndarray  # int32: moves whose bucket changed
    new_bucket: np.ndarray  # int8: the new bucket of each of them, or of all
    new_words: np.ndarray  # int64: the same bytes, eight at a time
    counts: np.ndarray  # (3, r + 1) int64: the length of each list
    members: np.ndarray  # (2, size) int32: by kind; the list of size s is at tier_at[s]
    places: np.ndarray  # (size,) int32: where in `members` each move stands


class _ByGain(NamedTuple):
    """Best improvement: a linked list of moves for each bucket."""

    choice: int  # 0: sizes do not count; those without a comment are as in `_ByKind`
    strong_only: bool
    bucket: np.ndarray  # the number of bits of its w-score, and LEVELS more if strong
    words: np.ndarray
    changed: np.ndarray
    new_bucket: np.ndarray
    new_words: np.ndarray
    heads: np.ndarray  # (2 * LEVELS,) int32: the first move of each bucket
    links: np.ndarray  # (2, size) int32: the moves before and after it in its bucket


Buckets = _ByKind | _ByGain


def new_buckets(
    size: int, r: int, selection: str, strong_only: bool = False, most: int = 1
) -> Buckets:
    """Buckets with every move among the rest; one flip affects `most` moves at most."""
    choice = {NEXT: RECENT, UNIFORM: ALL, BEST: 0}[selection]
    scratch = np.zeros(most, np.int32), *_bytes_and_words(most)
    shared = choice, strong_only, *_bytes_and_words(size), *scratch
    members = np.empty((2, size), np.int32)
    if selection == BEST:
        return _ByGain(*shared, np.full(2 * LEVELS, NO_MOVE, np.int32), members)
    counts, places = np.zeros((3, r + 1), np.int64), np.empty(size, np.int32)
    return _ByKind(*shared, counts, members, places)


def _bytes_and_words(size: int) -> tuple[np.ndarray, np.ndarray]:
    """`size` bytes of zeros as int8, and the same memory as int64."""
    words = np.zeros(-(-size // WORD), np.int64)
    return words.view(np.int8)[:size], words


@inlined
def _clear_kinds(buckets):
    """Put every move among the rest."""
    buckets.bucket[:] = 0
    buckets.counts[:] = 0


@inlined
def _clear_gains(buckets):
    """Put every move among the rest."""
    buckets.bucket[:] = 0
    buckets.heads[:] = NO_MOVE


clear = by_type("buckets", {_ByKind: _clear_kinds, _ByGain: _clear_gains})


@inlined
def _kind_of(bucket):
    """STRONG, W_IMPROVING, or 0 for the rest."""
    return np.int64(bucket > 0) + np.int64(bucket > LEVELS)


@inlined
def _kind_for(buckets, w_score, union):
    """The bucket for a w-score, and `union`, the bitwise or of all scores of a move.

    That is positive if none is negative and one is positive: then the move is strong.
    """
    return (w_score > 0) + LEVELS * (union > 0)


@inlined
def _gain_for(buckets, w_score, union):
    """The same, by gain."""
    level = _bit_length(w_score) if w_score > 0 else 0
    return level + LEVELS * (union > 0)


bucket_for = by_type("buckets", {_ByKind: _kind_for, _ByGain: _gain_for})


@inlined
def _bit_length(value):
    """The number of bits of a positive number."""
    bits = 1
    for shift in (32, 16, 8, 4, 2, 1):
        if value >> shift:
            value >>= shift
            bits += shift
    return bits


@inlined
def _refile_kind(buckets, tier_at, v, size, bucket):
    """Move v, of this size, to another bucket."""
    kind = _kind_of(buckets.bucket[v])
    buckets.bucket[v] = bucket
    if kind:
        buckets.counts[kind, size] -= 1
        last = buckets.members[kind - 1, tier_at[size] + buckets.counts[kind, size]]
        buckets.members[kind - 1, buckets.places[v]] = last
        buckets.places[last] = buckets.places[v]
    kind = _kind_of(bucket)
    if kind:
        place = tier_at[size] + buckets.counts[kind, size]
        buckets.members[kind - 1, place] = v
        buckets.places[v] = place
        buckets.counts[kind, size] += 1


@inlined
def _refile_gain(buckets, tier_at, v, size, bucket):
    """Move v to the head of another bucket; by gain, sizes do not count."""
    heads, links, old = buckets.heads, buckets.links, buckets.bucket[v]
    buckets.bucket[v] = bucket
    if old:
        before, after = links[0, v], links[1, v]
        if before == NO_MOVE:
            heads[old - 1] = after
        else:
            links[1, before] = after
        if after != NO_MOVE:
            links[0, after] = before
    if bucket:
        after = heads[bucket - 1]
        links[0, v] = NO_MOVE
        links[1, v] = after
        if after != NO_MOVE:
            links[0, after] = v
        heads[bucket - 1] = v


@inlined
def _is_no_kind(buckets, kind):
    """Whether there is no move of this kind."""
    for size in range(1, buckets.counts.shape[1]):
        if buckets.counts[kind, size]:
            return False
    return True


@inlined
def _is_no_gain(buckets, kind):
    """The same, by gain."""
    for bucket in range(LEVELS * (kind - 1), LEVELS * kind):
        if buckets.heads[bucket] != NO_MOVE:
            return False
    return True


@inlined
def _pick_smallest(buckets, tier_at, kind, rng):
    """One of the smallest moves of this kind, or NO_MOVE if there is none."""
    for size in range(1, buckets.counts.shape[1]):
        count = buckets.counts[kind, size]
        if count:
            last = tier_at[size] + count - 1
            at = last - below(rng, min(count, buckets.choice))
            return np.int64(buckets.members[kind - 1, at])
    return NO_MOVE


@inlined
def _pick_best(buckets, tier_at, kind, rng):
    """The move of this kind that was filed last in the bucket of the largest gains."""
    first = LEVELS * (kind - 1)
    for bucket in range(first + LEVELS - 1, first - 1, -1):
        if buckets.heads[bucket] != NO_MOVE:
            return np.int64(buckets.heads[bucket])
    return NO_MOVE


refile = by_type("buckets", {_ByKind: _refile_kind, _ByGain: _refile_gain})
is_empty = by_type("buckets", {_ByKind: _is_no_kind, _ByGain: _is_no_gain})
pick = by_type("buckets", {_ByKind: _pick_smallest, _ByGain: _pick_best})
