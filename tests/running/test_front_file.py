"""Any front in a run file: what is said of it, and nothing that nobody did."""

import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from paretoball.landscape.digest import landscape_digest

ONES = [((j,), [0, 1]) for j in range(4)]
TWOS = [((j,), [0, 2.5]) for j in range(4)]
LIMITED = pb.Landscape.from_subfunctions(
    4,
    [ONES, TWOS],
    ["max", "min"],
    constraints=[(ONES, ">=", 1), (TWOS, "<=", 7.5), (ONES, "<=", 4)],
    labels=[*"abcd"],
    names=["count", "cost"],
)


@pytest.mark.parametrize("has_constraints", [True, False])
def test_a_saved_front_says_what_is_known_and_that_nobody_searched(
    tmp_path, has_constraints
):
    landscape = LIMITED if has_constraints else LIMITED.unconstrained
    archive = pb.Archive(2, landscape.sense)
    for x in ([1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 1]):
        archive.report(landscape.evaluate(x), x)
    pb.save_front(archive, landscape, tmp_path / "front.npz")
    loaded = pb.load(tmp_path / "front.npz")
    assert loaded.landscape == landscape_digest(landscape)
    assert loaded.constraints == 3 * has_constraints
    assert (loaded.labels, loaded.names) == (tuple("abcd"), ("count", "cost"))
    assert_array_equal(loaded.reference, landscape.mean)
    assert (loaded.moves, loaded.climbs, loaded.config) == (0, 0, {})
    assert loaded.seconds == loaded.setup_seconds == loaded.archive_seconds == 0
    assert (loaded.bounded, loaded.failed, loaded.nearest) == (False, False, None)
    assert not loaded.optimum.any()
    assert sorted(loaded.climb.tolist()) == [0, 1, 2]
    assert not loaded.step.any()
    assert loaded.trace.shape == (0, 5)
    assert_array_equal(landscape.evaluate(loaded.X), loaded.F)
    assert pb.verify(landscape, tmp_path / "front.npz").failures == []
