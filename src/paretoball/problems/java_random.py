"""java.util.Random: the generator behind the authors' instances, bit for bit.

Its state s has 48 bits; the next state is A s + C mod 2^48. The state after k steps is
A^k s + (1 + A + ... + A^(k-1)) C, so numpy computes all states at once, modulo 2^64.
"""

import numpy as np

A = 0x5DEECE66D
C = 11
STATE_BITS = 48
STATE_MASK = (1 << STATE_BITS) - 1


class JavaRandom:
    """One stream of java.util.Random.

    >>> JavaRandom(42).next_ints(10, 5).tolist()
    [0, 3, 8, 4, 0]
    """

    def __init__(self, seed: int):
        self.state = (seed ^ A) & STATE_MASK

    def next_bits(self, bits: int, count: int) -> np.ndarray:
        """The top `bits` bits of the next `count` states: (count,) uint64."""
        factors = np.multiply.accumulate(np.full(count, A, np.uint64))
        shifts = np.ones(count, np.uint64)
        shifts[1:] += np.add.accumulate(factors[:-1])
        states = factors * np.uint64(self.state) + shifts * np.uint64(C)
        states &= np.uint64(STATE_MASK)
        if count:
            self.state = int(states[-1])
        return states >> np.uint64(STATE_BITS - bits)

    def next_int(self, bound: int) -> int:
        """nextInt(bound), for loops that change the bound."""
        while True:
            self.state = (self.state * A + C) & STATE_MASK
            bits = self.state >> (STATE_BITS - 31)
            if bound & (bound - 1) == 0:
                return bound * bits >> 31
            if bits - bits % bound + bound <= 1 << 31:
                return bits % bound

    def next_ints(self, bound: int, count: int) -> np.ndarray:
        """nextInt(bound), `count` times: (count,) int64.

        Unless the bound is a power of two, Java rejects the few draws beyond the last
        multiple of it. As many as were rejected are then drawn again, so the stream
        makes exactly the draws that Java makes.
        """
        if bound & (bound - 1) == 0:
            return self.next_bits(31, count).astype(np.int64) * bound >> 31
        kept = np.empty(0, np.int64)
        while len(kept) < count:
            drawn = self.next_bits(31, count - len(kept)).astype(np.int64)
            fair = drawn - drawn % bound + bound <= 1 << 31
            kept = np.append(kept, drawn[fair] % bound)
        return kept

    def next_doubles(self, count: int) -> np.ndarray:
        """nextDouble(), `count` times: (count,) float64 in [0, 1)."""
        states = self.next_bits(STATE_BITS, 2 * count)
        high, low = states[::2] >> np.uint64(22), states[1::2] >> np.uint64(21)
        return ((high << np.uint64(27)) + low) * 2.0**-53

    def next_long(self) -> int:
        """nextLong(): two signed halves, added."""
        high, low = self.next_bits(32, 2).astype(np.uint32).astype(np.int32).tolist()
        return ((high << 32) + low + 2**63) % 2**64 - 2**63
