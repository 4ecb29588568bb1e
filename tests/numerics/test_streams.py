"""Random streams: the same numbers for the same seed, and fair ones."""

import numpy as np
import pytest

from paretoball._jit import kernel
from paretoball.numerics import streams
from paretoball.numerics.streams import (
    entropy_of,
    mixed,
    one_seed,
    random_solution,
    spawn,
    spawn_streams,
)

below, next_bits = map(kernel, (streams.below, streams.next_bits))


def test_random_bits_follow_the_recurrence():
    rng = spawn_streams(7, np.arange(1))[0]
    x, carry = rng.tolist()
    for _ in range(1000):
        step = 698769069 * x + carry
        x, carry = step % 2**32, step // 2**32
        assert next_bits(rng) == x ^ carry


def test_numbers_below_a_bound_are_equally_likely():
    rng = spawn_streams(1, np.arange(1))[0]
    counts = np.bincount([below(rng, 7) for _ in range(14_000)], minlength=7)
    assert len(counts) == 7
    assert ((counts - 2000) ** 2 / 2000).sum() < 22.5  # chi square, 6 degrees, 0.1 %


@pytest.mark.plain
@pytest.mark.parametrize("count", [1, 2, 3, 7, 1000, 3 << 29, 2**31 - 1])
def test_numbers_are_drawn_again_where_they_would_be_unfair(count):
    """A stream of (0, bits) gives these bits; as many of them make each number."""
    unfair = 2**32 % count
    inverse = pow(count, -1, 2**32) if count % 2 else 0
    edges = [(unfair + near) * inverse % 2**32 or 1 for near in (-2, -1, 0, 1)]
    for bits in [1, 2**31, 2**32 - 1, 1 << 30, 3 << 30, *edges]:
        rng, again = np.array([0, bits]), np.array([0, bits])
        is_fair = bits * count % 2**32 >= unfair
        drawn = int(next_bits(again))
        assert drawn == bits
        while not is_fair:
            drawn = int(next_bits(again))
            is_fair = drawn * count % 2**32 >= unfair
        assert below(rng, count) == drawn * count >> 32
        assert rng.tolist() == again.tolist()


def test_random_solutions_have_half_ones_and_differ_between_streams():
    X = np.empty((2, 10_000), np.uint8)
    for x, rng in zip(X, spawn_streams(1, np.arange(2))):
        random_solution(rng, x)
    assert (abs(X.mean(axis=1) - 0.5) < 0.02).all()
    assert abs((X[0] != X[1]).mean() - 0.5) < 0.02


def test_every_32_variables_take_the_bits_of_one_number():
    rng, other = (spawn_streams(1, np.arange(1))[0] for _ in range(2))
    x = np.empty(100, np.uint8)
    random_solution(rng, x)
    numbers = [int(next_bits(other)) for _ in range(4)]
    assert x.tolist() == [numbers[j // 32] >> j % 32 & 1 for j in range(100)]


def test_words_are_mixed_as_by_splitmix64():
    step = 0x9E3779B97F4A7C15
    states = np.array([step, 2 * step % 2**64], np.uint64)
    assert mixed(states).tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


def test_a_seed_has_the_words_and_streams_it_always_had():
    words = spawn(7, np.arange(2), purpose=3)
    assert words.tolist() == [11972680548064365358, 167139748046655227]
    streams = [[3730465562, 187095426], [2384622261, 265747334]]
    assert spawn_streams(7, np.arange(2)).tolist() == streams
    assert spawn_streams(10**40, np.array([5])).tolist() == [[2478575142, 98527109]]


@pytest.mark.parametrize("seed", range(4))  # two of these have an even stride
def test_no_two_numbers_have_the_same_word(seed):
    far = np.array([0, 1, 2**62, 2**63, 2**64 - 1], np.uint64)
    words = [spawn(seed, far, purpose).tolist() for purpose in (0, 1)]
    assert len({*words[0], *words[1]}) == 2 * len(far)


# Seeds


SEEDS = {
    "int": lambda: 7,
    "numpy": lambda: np.uint8(7),
    "huge": lambda: 10**40,
    "sequence": lambda: np.random.SeedSequence(7),
    "generator": lambda: np.random.default_rng(7),
    "bits": lambda: np.random.PCG64(7),
}


@pytest.mark.parametrize("new", SEEDS.values(), ids=SEEDS)
def test_a_seed_means_the_same_under_either_name(new):
    seeds = [one_seed(new(), None), one_seed(None, new())]
    draws = [np.random.default_rng(seed).integers(2**60, size=5) for seed in seeds]
    assert draws[0].tolist() == draws[1].tolist()
    seeds = [one_seed(new(), None), one_seed(None, new())]
    assert entropy_of(seeds[0]) == entropy_of(seeds[1])


def test_no_seed_under_either_name_is_no_seed():
    assert one_seed(None, None) is None
    assert entropy_of(None) != entropy_of(None)


@pytest.mark.parametrize("new", SEEDS.values(), ids=SEEDS)
def test_both_names_at_once_are_refused_even_if_they_agree(new):
    seed = new()
    with pytest.raises(TypeError, match="two names of one argument") as caught:
        one_seed(seed, seed)
    assert str(caught.value).startswith("seed = ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("seed", "rng"), [(0, 1), (1, 0), (0, 0)])
def test_0_is_a_seed_that_another_contradicts(seed, rng):
    with pytest.raises(TypeError, match="two names of one argument"):
        one_seed(seed, rng)
    assert one_seed(0, None) == one_seed(None, 0) == 0


@pytest.mark.parametrize(
    ("seed", "kind", "text"),
    [
        (-1, ValueError, "= -1, but it must be at least 0"),
        (1.5, TypeError, "= 1.5 is not an int, a SeedSequence, a Generator or None"),
        (True, TypeError, "= True is not an int"),
        ("7", TypeError, "= '7' is not an int"),
        ([1, 2], TypeError, r"= \[1, 2\] is not an int"),
    ],
)
def test_what_is_no_seed_is_refused_under_the_name_it_was_given(seed, kind, text):
    with pytest.raises(kind, match=f"^seed {text}"):
        one_seed(seed, None)
    with pytest.raises(kind, match=f"^rng {text}"):
        one_seed(None, seed)


def test_a_generator_is_taken_as_it_is_and_goes_on():
    rng = np.random.default_rng(1)
    assert one_seed(rng, None) is rng
    assert entropy_of(rng) != entropy_of(rng)


def test_the_number_behind_a_seed_has_all_its_bits():
    sequence = np.random.SeedSequence(7)
    state = sequence.generate_state(4).tolist()
    whole = sum(word << 32 * place for place, word in enumerate(state))
    assert entropy_of(sequence) == whole
    drawn = np.random.default_rng(7).integers(2**63)
    assert entropy_of(np.random.default_rng(7)) == drawn
    unknown = [entropy_of(None) for _ in range(40)]
    assert 2**60 < max(unknown) < 2**64
    assert entropy_of(0) == 0
