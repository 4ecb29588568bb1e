"""Buckets: which moves are picked, and how likely each is."""

from copy import deepcopy

import numpy as np
import pytest

from paretoball.climber.buckets import (
    BEST,
    LEVELS,
    NEXT,
    NO_MOVE,
    RECENT,
    STRONG,
    UNIFORM,
    W_IMPROVING,
    bucket_for,
    is_empty,
    new_buckets,
    pick,
    refile,
)
from paretoball.numerics.streams import spawn_streams

EARLY = 10  # moves filed before the last of those that next looks at
MOVES = RECENT + EARLY
TIER_AT = np.array([0, 0, MOVES])


def filed(selection, moves):
    """Buckets into which these moves were filed as strong ones, in this order."""
    buckets = new_buckets(MOVES, 1, selection)
    for v in moves:
        refile(buckets, TIER_AT, v, 1, LEVELS + 1)
    return buckets


def picked(buckets, count, kind=STRONG):
    """What so many picks take."""
    rng = spawn_streams(1, np.arange(1))[0]
    return [int(pick(buckets, TIER_AT, kind, rng)) for _ in range(count)]


def test_the_bucket_of_a_gain_is_its_number_of_bits():
    buckets = new_buckets(1, 1, BEST)
    for bits in range(1, 63):
        for gain in (1 << (bits - 1), (1 << bits) - 1):
            for union, kind in ((-1, 0), (gain, LEVELS)):
                assert bucket_for(buckets, gain, union) == kind + gain.bit_length()
    assert bucket_for(buckets, -(2**40), -1) == bucket_for(buckets, 0, -1) == 0


def test_a_pick_is_one_of_the_moves_filed_last():
    taken = set(picked(filed(NEXT, range(MOVES)), 20_000))
    assert taken <= set(range(EARLY, MOVES))
    assert len(taken) > 0.95 * RECENT


def test_a_uniform_pick_is_any_of_the_moves():
    assert set(picked(filed(UNIFORM, range(MOVES)), 60_000)) == set(range(MOVES))


@pytest.mark.parametrize("last", [1, 2, 100, RECENT])
def test_of_few_moves_both_pick_the_same(last):
    one, other = (filed(selection, range(last)) for selection in (NEXT, UNIFORM))
    assert picked(one, 500) == picked(other, 500)


def test_of_more_moves_they_do_not():
    one, other = (filed(selection, range(RECENT + 1)) for selection in (NEXT, UNIFORM))
    assert picked(one, 500) != picked(other, 500)


@pytest.mark.parametrize("selection", [NEXT, UNIFORM, BEST])
def test_where_there_is_no_move_of_a_kind_none_is_picked(selection):
    assert picked(new_buckets(MOVES, 1, selection), 1) == [NO_MOVE]
    assert picked(filed(selection, [3]), 1, W_IMPROVING) == [NO_MOVE]
    assert picked(filed(selection, [3]), 2) == [3, 3]


@pytest.mark.parametrize("selection", [NEXT, UNIFORM, BEST])
def test_a_move_that_was_filed_elsewhere_is_picked_no_more(selection):
    buckets = filed(selection, range(9))
    for v in (0, 8, 4):
        refile(buckets, TIER_AT, v, 1, 1)
    left = {7} if selection == BEST else {1, 2, 3, 5, 6, 7}
    assert set(picked(buckets, 200)) == left
    assert set(picked(buckets, 200, W_IMPROVING)) <= {0, 8, 4}


@pytest.mark.parametrize("selection", [NEXT, UNIFORM, BEST])
def test_a_copy_of_buckets_goes_its_own_way(selection):
    buckets = filed(selection, range(9))
    before = picked(buckets, 50)
    twin = deepcopy(buckets)
    options = ["choice", "strong_only"]
    fields = zip(buckets._fields, buckets)
    assert [n for n, field in fields if not isinstance(field, np.ndarray)] == options
    assert all(getattr(twin, n) == getattr(buckets, n) for n in options)
    for v in range(9):
        refile(twin, TIER_AT, v, 1, 0)
    assert picked(twin, 1) == [NO_MOVE]
    assert picked(buckets, 50) == before


@pytest.mark.parametrize("size", [1, 8, 9])
def test_words_of_buckets_are_the_same_bytes(size):
    buckets = new_buckets(size, 1, NEXT)
    buckets.bucket[-1] = 1
    assert np.shares_memory(buckets.bucket, buckets.words)
    assert buckets.words.view(np.int8).tolist().index(1) == size - 1
    assert len(buckets.bucket) == size


@pytest.mark.plain
@pytest.mark.parametrize("kind", [W_IMPROVING, STRONG])
def test_every_level_of_gain_holds_moves_and_the_highest_are_picked(kind):
    other = W_IMPROVING + STRONG - kind
    buckets = new_buckets(MOVES, 1, BEST)
    levels = range(1 + LEVELS * (kind - 1), 1 + LEVELS * kind)
    for v, bucket in enumerate(levels):
        assert is_empty(buckets, kind) == (v == 0)
        refile(buckets, TIER_AT, v, 1, bucket)
        assert not is_empty(buckets, kind)
        assert is_empty(buckets, other)
        assert picked(buckets, 1, kind) == [v]
        assert picked(buckets, 1, other) == [NO_MOVE]
        alone = new_buckets(MOVES, 1, BEST)
        refile(alone, TIER_AT, 9, 1, bucket)
        assert (is_empty(alone, kind), is_empty(alone, other)) == (False, True)
        assert picked(alone, 1, kind) == [9]
    for v in reversed(range(len(levels))):
        assert picked(buckets, 1, kind) == [v]
        refile(buckets, TIER_AT, v, 1, 0)
    assert is_empty(buckets, kind)
    largest = 2**62  # of all w-scores
    assert bucket_for(buckets, largest, -1) == LEVELS
    assert bucket_for(buckets, largest, largest) == 2 * LEVELS


@pytest.mark.plain
@pytest.mark.parametrize("selection", [NEXT, UNIFORM, BEST])
@pytest.mark.parametrize("seed", range(3))
def test_moves_filed_again_and_again_are_where_they_were_filed_last(selection, seed):
    rng = np.random.default_rng(seed)
    tier_at, sizes = np.array([0, 0, 5, 12]), [1] * 5 + [2] * 7
    buckets, last = new_buckets(12, 2, selection), [0] * 12
    levels = [0, 1, 2, 63, 64, 126] if selection == BEST else [0, 1, 64]
    for _ in range(150):
        v, bucket = int(rng.integers(12)), int(rng.choice(levels))
        if bucket != last[v]:
            refile(buckets, tier_at, v, sizes[v], bucket)
            last[v] = bucket
        for kind, low in ((W_IMPROVING, 0), (STRONG, LEVELS)):
            mine = [u for u in range(12) if low < last[u] <= low + LEVELS]
            assert is_empty(buckets, kind) == (not mine)
            stream = spawn_streams(seed, np.arange(1))[0]
            taken = {int(pick(buckets, tier_at, kind, stream)) for _ in range(20)}
            first = min((sizes[u] for u in mine), default=0)
            highest = max((last[u] for u in mine), default=0)
            right = [u for u in mine if selection == BEST or sizes[u] == first]
            right = [u for u in right if selection != BEST or last[u] == highest]
            assert taken <= set(right or [NO_MOVE])
            assert selection == BEST or len(taken) > len(right) // 2
    assert buckets.bucket.tolist() == last
