"""The archive: never a dominated vector, never a lost or an invented one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from paretoball import Archive
from paretoball.archive.archive import FEW
from paretoball.archive.nd_tree import ALIVE, FANOUT, NONE, ROOT, USED, points_of
from paretoball.archive.trails import Trail


def brute_force(vectors):
    """The distinct vectors that no other one dominates, ascending."""
    kept = {
        tuple(p)
        for p in vectors
        if not any(all(a >= b for a, b in zip(q, p)) and q != p for q in vectors)
    }
    return sorted(map(list, kept))


@given(
    st.integers(1, 4).flatmap(
        lambda d: st.lists(
            st.lists(st.integers(-6, 6), min_size=d, max_size=d), min_size=1
        )
    )
)
def test_the_front_is_that_of_brute_force(vectors):
    archive = Archive(len(vectors[0]))
    for at, vector in enumerate(vectors):
        archive.report(vector, [at >> b & 1 for b in range(8)])
    assert archive.F.tolist() == brute_force(vectors)
    assert len(archive) == len(archive.F)


def check_boxes(tree):
    """Every box is around what is inside, and all points are within reach."""
    d = len(tree.hint)
    high, low = tree.high.reshape(-1, d), tree.low.reshape(-1, d)
    points, nodes, todo = 0, 0, [(int(tree.counts[ROOT]), None)]
    while todo:
        node, box = todo.pop()
        nodes += 1
        for entry in range(node * FANOUT, node * FANOUT + int(tree.size[node])):
            inner = int(tree.inside[entry])
            if box is not None:
                assert (high[box] >= high[entry]).all()
                assert (low[box] <= (low if inner != NONE else high)[entry]).all()
            if inner == NONE:
                points += 1
            else:
                assert tree.parent[inner] == node
                assert 0 < tree.size[inner] <= FANOUT
                todo.append((inner, entry))
    assert points == tree.counts[ALIVE]
    assert nodes < tree.counts[USED]


HUGE = [-(2**62), 1 - 2**62, -1, 0, 1, 2**62 - 1, 2**62]
VALUES = [st.integers(-6, 6), st.integers(0, 1), st.integers(0, 200)]
VALUES += [st.sampled_from(HUGE), st.integers(-(2**62), 2**62)]


@given(st.data(), st.integers(1, 5), st.sampled_from(VALUES))
def test_any_reports_leave_their_front_in_sound_boxes(data, d, values):
    vectors = data.draw(st.lists(st.tuples(*[values] * d), min_size=1, max_size=120))
    if data.draw(st.booleans()) and d > 1:  # most of them non-dominated
        vectors = [(*v[:-1], -sum(v[:-1]) // d) for v in vectors]
    vectors += vectors[:3]
    archive = Archive(d)
    tags = np.column_stack(
        [np.arange(len(vectors)), *[np.zeros(len(vectors), int)] * 2]
    )
    archive.take_in(np.array(vectors, np.int64), tags)
    check_boxes(archive.tree)
    F, tags = points_of(archive.tree)
    assert sorted(F.tolist()) == brute_force(vectors)
    assert [vectors.index(tuple(row)) for row in F.tolist()] == tags[:, 0].tolist()


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_chain_in_which_each_removes_the_last_leaves_one(d):
    chain = np.arange(1000)[:, None].repeat(d, axis=1)
    archive = Archive(d)
    archive.take_in(chain, np.zeros((1000, 3), np.int64))
    assert archive.F.tolist() == [[999] * d]
    check_boxes(archive.tree)


def test_one_vector_can_remove_a_large_front_and_another_grow_in_its_place():
    rising = np.arange(2000)
    front = np.column_stack([rising, 2000 - rising])
    archive = Archive(2)
    for lift in (0, 5000, 10000):
        archive.take_in(front + lift, np.zeros((2000, 3), np.int64))
        assert archive.F.tolist() == (front + lift).tolist()
        archive.take_in(front[:1] + lift + 3000, np.zeros((1, 3), np.int64))
        assert len(archive) == 1
        check_boxes(archive.tree)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_order_of_reports_does_not_matter(d):
    rng = np.random.default_rng(d)
    F = rng.integers(0, 9, (800, d))
    tags = np.column_stack([rng.permutation(800), rng.integers(0, 9, (800, 1)),
                            np.zeros(800, int)])  # fmt: skip
    seen = set()
    for _ in range(4):
        order = rng.permutation(800)
        archive = Archive(d)
        archive.take_in(F[order], tags[order])
        seen.add(repr([part.tolist() for part in archive._rows()]))
    assert len(seen) == 1


@pytest.mark.parametrize("d", [2, 3, 5])
def test_large_fronts_equal_brute_force(d):
    rng = np.random.default_rng(d)
    F = rng.integers(0, 60, (3000, d))
    F[:, 0] = 60 * d - F[:, 1:].sum(axis=1) + rng.integers(0, 4, 3000)
    archive = Archive(d)
    for vector in F:
        archive.report(vector, [0])
    better = (F[:, None] >= F[None]).all(axis=2) & (F[:, None] > F[None]).any(axis=2)
    assert archive.F.tolist() == np.unique(F[~better.any(axis=0)], axis=0).tolist()


@pytest.mark.parametrize("start", [0, 2**53 - 5, *range(2**60 + 56, 2**60 + 2000, 64)])
def test_neighbours_that_floats_cannot_tell_apart_stay_apart(start):
    archive = Archive(2)
    vectors = [[start + i, start - i] for i in range(5 * FANOUT)]
    for vector in vectors:
        assert archive.report(vector, [0, 1])
    assert archive.F.tolist() == vectors
    assert len(points_of(archive.tree)[0]) == len(archive) == len(vectors)


def test_reals_one_step_apart_stay_apart():
    archive = Archive(2)
    step = 2.0**-52
    vectors = [[1.0 + (760 + i) * step, 1.3 - i * step] for i in range(3 * FANOUT)]
    for vector in vectors:
        archive.report(vector, [1])
    assert archive.F.tolist() == vectors


def test_solutions_belong_to_their_vectors_after_drops_and_merges():
    rng = np.random.default_rng(0)
    archives = [Archive(2, ["max", "min"]) for _ in range(3)]
    for archive in archives:
        for _ in range(400):
            x = rng.integers(0, 2, 12)
            archive.report([int(x[:8].sum()), int(x[4:].sum())], x)
    merged = archives[0].merge(archives[1]).merge(archives[2])
    X = merged.X.astype(int)
    assert merged.F.tolist() == [[x[:8].sum(), x[4:].sum()] for x in X]
    assert len(merged.trails) <= 2 * max(FEW, len(merged))


def test_of_equal_vectors_the_first_stays():
    archive = Archive(2)
    assert archive.report([1, 2], [0, 1])
    assert not archive.report([1, 2], [1, 0])
    assert archive.X.tolist() == [[False, True]]


@pytest.mark.parametrize(
    ("fx", "x", "error"),
    [
        ([1], [0], TypeError),
        (["a", "b"], [0], TypeError),
        ([1.0, float("nan")], [0], ValueError),
        ([-(2**63), 1], [0], OverflowError),
        ([1, 2], [2], ValueError),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(fx, x, error):
    archive = Archive(2, "min")
    with pytest.raises(error):
        archive.report(fx, x)
    assert len(archive) == 0


def test_trails_of_one_climb_join_to_one_with_steps_of_both():
    rng = np.random.default_rng(4)
    for _ in range(200):
        n, length = int(rng.integers(1, 40)), int(rng.integers(1, 30))
        X = rng.integers(2, size=(length, n)).astype(np.uint8)
        sizes = rng.integers(1, length + 1, size=2)
        some = [np.sort(rng.permutation(length)[:size]) for size in sizes]
        one, other = (trail_of(X, steps) for steps in some)
        steps = np.union1d(one.steps, other.steps)
        steps = steps[rng.random(len(steps)) < 0.8]
        if not len(steps):
            continue
        both = one.joined(other, steps, n)
        assert_array_equal(both.steps, steps)
        assert_array_equal(both.unpacked(steps, n), X[steps])


def trail_of(X: np.ndarray, steps: np.ndarray) -> Trail:
    """The trail of these steps of a climb."""
    rows, flips = np.nonzero(np.diff(X[steps], axis=0))
    flip_at = np.append(0, np.searchsorted(rows, np.arange(len(steps))))
    base = np.packbits(X[steps[0]], bitorder="little")
    return Trail(steps, base, flip_at, flips.astype(np.int32))
