"""Random streams: one per climb, spawned from (seed, number).

Inside kernels a stream is Marsaglia's multiply-with-carry generator (the one in his
KISS, multiplier 698769069), whose output mixes both halves of its state. Its products
fit into 63 bits, so it gives the same numbers compiled or not.
"""

from typing import Any

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.system import brief, checked_whole, is_whole

MULTIPLIER = 698769069
LOW = 0xFFFFFFFF


@inlined
def next_bits(rng):
    """32 random bits."""
    step = MULTIPLIER * rng[0] + rng[1]
    rng[0] = step & LOW
    rng[1] = step >> 32
    return rng[0] ^ rng[1]


@inlined
def below(rng, count):
    """A whole number from 0 to count - 1, all exactly equally likely."""
    product = next_bits(rng) * count
    if product & LOW < count:
        unfair = (LOW + 1 - count) % count
        while product & LOW < unfair:
            product = next_bits(rng) * count
    return product >> 32


@inlined
def random_bits(rng, x):
    """Fill x with fair coin tosses."""
    bits = 0
    for j in range(len(x)):
        if j % 32 == 0:
            bits = next_bits(rng)
        x[j] = bits & 1
        bits >>= 1


random_solution = kernel(random_bits)


def one_seed(seed: Any, rng: Any) -> Any:
    """The seed, given under one of its two names.

    `rng` is its name in SPEC 7 of Scientific Python.
    """
    if seed is not None and rng is not None:
        raise TypeError(
            f"seed = {brief(seed)} and rng = {brief(rng)}: they are two names of one "
            "argument, give one of them"
        )
    name, given = ("seed", seed) if rng is None else ("rng", rng)
    if given is None or isinstance(given, np.random.Generator | np.random.SeedSequence):
        return given
    if isinstance(given, np.random.BitGenerator):
        return np.random.Generator(given)
    if not is_whole(given):
        raise TypeError(
            f"{name} = {brief(given)} is not an int, a SeedSequence, a Generator or "
            "None"
        )
    return checked_whole(name, given, 0)


def entropy_of(seed: Any) -> int:
    """The whole number behind a seed: an int, a SeedSequence, a Generator, or None."""
    seed = one_seed(seed, None)
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, np.random.SeedSequence):
        return int.from_bytes(seed.generate_state(4).tobytes(), "little")
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return int(seed)


def spawn(entropy: int, numbers: np.ndarray, purpose: int) -> np.ndarray:
    """One random 64-bit word for each number: a hash of (entropy, purpose, number)."""
    key = np.random.SeedSequence(entropy, spawn_key=(purpose,))
    start, stride = key.generate_state(2, np.uint64)
    return mixed(start + numbers.astype(np.uint64) * (stride | np.uint64(1)))


def mixed(word: np.ndarray) -> np.ndarray:
    """Each 64-bit word turned into another, as SplitMix64 does.

    See Steele, Lea and Flood (2014).
    """
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = (word ^ (word >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(word ^ (word >> np.uint64(31)))


def spawn_streams(entropy: int, numbers: np.ndarray) -> np.ndarray:
    """The streams of climbs `numbers`: (count, 2) int64."""
    word = spawn(entropy, numbers, purpose=0)
    streams = np.empty((len(numbers), 2), np.int64)
    streams[:, 0] = word & np.uint64(LOW)
    streams[:, 1] = 1 + (word >> np.uint64(32)) % np.uint64(MULTIPLIER - 2)
    return streams
