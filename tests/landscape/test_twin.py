"""Twins: the same landscape, whatever the numbers of its variables."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
from landscapes import built, graph_of, random_plain, ring, shuffled, solutions_of
from naive import Plain
from paretoball.landscape import Landscape, Numbering, in_good_order, twin

SEEDS = st.integers(0, 2**32 - 1)


def random_numbering(rng: np.random.Generator, n: int) -> Numbering:
    """Any numbers at all."""
    number = rng.permutation(n).astype(np.int32)
    return Numbering(number, np.argsort(number).astype(np.int32))


def random_twins(seed: int, max_n: int) -> tuple[Plain, Landscape, Landscape]:
    """A random landscape, plain and built, and its twin with random numbers."""
    rng = np.random.default_rng(seed)
    plain = random_plain(rng, max_n)
    landscape = built(plain)
    return plain, landscape, twin._twin_of(landscape, random_numbering(rng, plain.n))


@contextmanager
def chunks_of(rows: int) -> Iterator[None]:
    """Tables are moved in chunks of so many rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "CHUNK", rows)
        yield


@pytest.mark.plain
@given(SEEDS, st.sampled_from([1, 24, 1 << 16]))
def test_a_twin_has_the_same_objectives(seed, chunk):
    with chunks_of(chunk):
        plain, landscape, other = random_twins(seed, max_n=8)
    assert other.numbering is not None
    X = solutions_of(plain.n)
    F = other.evaluate(other.numbering.inward(X))
    assert_array_equal(F, landscape.evaluate(X))
    assert F.tolist() == [list(naive.evaluate(plain, x)) for x in X.tolist()]


@pytest.mark.plain
@given(SEEDS)
def test_a_twin_is_the_landscape_of_renumbered_subfunctions(seed):
    plain, landscape, other = random_twins(seed, max_n=14)
    number = other.numbering.number.tolist()
    same = built(
        plain._replace(
            objectives=tuple(
                tuple((tuple(number[j] for j in mask), table) for mask, table in each)
                for each in plain.objectives
            )
        )
    )
    for name in same.cliques._fields:
        if name != "tables":  # a small clique may be folded into another large one
            one, two = getattr(other.cliques, name), getattr(same.cliques, name)
            assert_array_equal(one, two)
            assert one.dtype == two.dtype
    assert graph_of(other) == graph_of(same)
    for one, two in zip(other.subfunctions, same.subfunctions):
        assert_array_equal(one, two)
    assert other.spreads == landscape.spreads
    assert other.labels == tuple(range(plain.n))


def test_the_numbers_of_a_twin_are_its_labels():
    landscape = Landscape.from_subfunctions(
        2, [[(("a", "b"), [0, 1, 2, 3])]], labels=["a", "b"]
    )
    other = twin._twin_of(landscape, random_numbering(np.random.default_rng(1), 2))
    assert other.labels == (0, 1)
    assert landscape.labels == ("a", "b")


def test_what_is_in_order_is_its_own_twin():
    landscape = ring(1200, K=3, seed=1)
    assert in_good_order(landscape) is landscape
    assert landscape.numbering is None
    assert in_good_order(shuffled(landscape, seed=1)).numbering is not None


def test_the_pulse_is_felt_while_tables_are_moved():
    calls: list[None] = []
    landscape = shuffled(ring(1200, K=3, seed=1), seed=1)
    in_good_order(landscape, lambda: calls.append(None))
    before = len(calls)
    with chunks_of(16 * 100):
        in_good_order(landscape, lambda: calls.append(None))
    assert len(calls) == 2 * before + 11
