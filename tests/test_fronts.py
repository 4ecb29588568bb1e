"""Fronts of every kind: measured in their own senses, saved, loaded and verified.

Results, archives, exact fronts, offspring and the reports of a climb have the same
six things, and that is all it takes.
"""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import built, random_solution, ring

SENSES = [("max", "max"), ("max", "min"), ("min", "min")]
KINDS = ["whole", "real"]


def new_landscape(sense, kind):
    """A ring with small tables, of whole numbers or of quarters."""
    n, objectives, _ = naive.plain(ring(n=27, K=2, seed=2, q=5))
    if kind == "real":
        objectives = [
            [(mask, [value / 4 for value in table]) for mask, table in objective]
            for objective in objectives
        ]
    return built(naive.Plain(n, objectives, sense))


def result_of(landscape):
    """That of a short search."""
    return pb.solve(landscape, radius=2, max_climbs=9, seed=1)


def archive_of(landscape):
    """One that has seen some random solutions."""
    rng = np.random.default_rng(3)
    archive = pb.Archive(landscape.d, landscape.sense)
    for _ in range(200):
        x = random_solution(rng, landscape.n)
        archive.report(landscape.evaluate(x), x)
    return archive


def offspring_of(landscape):
    """Those of solutions that differ in every third variable of a ring."""
    x = np.arange(landscape.n) % 3 == 0
    return pb.pareto_crossover(landscape, np.zeros(landscape.n), x)


def reports_of(landscape):
    """The reports of a climb of which none dominates or equals another."""
    climber = pb.Climber(landscape, radius=1)
    for seed in range(1000):
        reports = climber.start(seed=seed).run().reports
        front = naive.pareto_front(reports.F, landscape.sense)
        if len(front) == len(reports.F) > 1:
            return reports
    raise AssertionError("no climb reports what it should")


FRONTS = {
    "Result": result_of,
    "Archive": archive_of,
    "SupportedFront": pb.supported_front,
    "ExactFront": pb.exact_front,
    "Offspring": offspring_of,
    "Reports": reports_of,
}


@pytest.fixture(params=SENSES, ids="/".join)
def sense(request):
    """What becomes of the two objectives."""
    return request.param


@pytest.fixture(params=KINDS)
def landscape(request, sense):
    """The landscape that all fronts are of."""
    return new_landscape(sense, request.param)


@pytest.fixture(params=FRONTS)
def front(request, landscape):
    """A front of each kind."""
    front = FRONTS[request.param](landscape)
    assert type(front).__name__ == request.param
    return front


def worst(front):
    """A reference point that all of a front is better than."""
    signs = np.array(naive.signs(front.sense))
    return ((front.F * signs).min(axis=0) - 1) * signs


def area(F, ref, sense):
    """The area that two objectives dominate, by steps from the best of the first."""
    turned = sorted((naive.gains(naive.lead(fx, ref), sense) for fx in F), reverse=True)
    total, height = 0, 0
    for width, other in turned:
        total += width * max(0, other - height)
        height = max(height, other)
    return total


def sorted_rows(front):
    """Objectives and solutions of a front, ascending."""
    rows = zip(front.F.tolist(), front.X.astype(int).tolist())
    return sorted(rows)


# What a front has


def test_a_front_has_vectors_solutions_sizes_senses_and_names(front, landscape):
    assert len(front.F) > 1
    assert front.F.shape == (len(front.F), landscape.d)
    assert front.X.shape == (len(front.F), landscape.n)
    assert front.X.dtype == bool
    assert_array_equal(landscape.evaluate(front.X), front.F)
    assert front.F.dtype == landscape.evaluate(front.X).dtype
    assert (front.n, front.d) == (landscape.n, landscape.d)
    assert front.sense == landscape.sense
    assert front.names == landscape.names == ("f0", "f1")


# What measures make of it


def test_the_hypervolume_of_a_front_is_in_its_own_senses(front, landscape):
    ref = worst(front)
    expected = area(front.F.tolist(), ref.tolist(), landscape.sense)
    assert pb.hypervolume(front, ref) == expected
    assert pb.hypervolume(front.F, ref, landscape.sense) == expected
    if "min" in landscape.sense:
        assert pb.hypervolume(front.F, ref) != expected


def test_senses_that_are_given_count_more_than_those_of_the_front(front):
    turned = ["min" if one == "max" else "max" for one in front.sense]
    ref = np.where(np.array(turned) == "max", front.F.min(axis=0), front.F.max(axis=0))
    expected = area(front.F.tolist(), ref.tolist(), turned)
    assert pb.hypervolume(front, ref, turned) == expected


def test_every_indicator_takes_a_front_for_its_vectors(front, landscape):
    other = pb.supported_front(landscape)
    sense = landscape.sense
    for measure in (pb.epsilon, pb.igd_plus, pb.coverage):
        assert measure(front, other) == measure(front.F, other.F, sense)
        assert measure(other, front) == measure(other.F, front.F, sense)
        assert measure(front, other.F) == measure(front.F, other.F, sense)
    assert pb.epsilon(front, front) == 0
    assert pb.coverage(front, front) == 1
    surface = pb.attainment_surface([front, other], level=1)
    expected = pb.attainment_surface([front.F, other.F], level=1, sense=sense)
    assert_array_equal(surface, expected)


# What files make of it


@pytest.mark.parametrize("as_text", [True, False])
def test_a_saved_front_is_loaded_as_it_was_and_found_right(
    front, landscape, tmp_path, as_text
):
    path = tmp_path / "front.npz"
    pb.save_front(front, landscape, str(path) if as_text else path)
    loaded = pb.load(path)
    assert sorted_rows(loaded) == sorted_rows(front)
    assert loaded.F.dtype == front.F.dtype
    assert loaded.F.tolist() == sorted(loaded.F.tolist())
    assert (loaded.n, loaded.d, loaded.sense) == (front.n, front.d, front.sense)
    assert not loaded.failed
    assert_array_equal(loaded.reference, landscape.mean)
    report = pb.verify(landscape, path)
    assert (report.rows, report.failures) == (len(front.F), [])
    again = tmp_path / "again.npz"
    pb.save_front(loaded, landscape, again)
    assert sorted_rows(pb.load(again)) == sorted_rows(front)


def test_a_front_is_verified_without_a_file(front, landscape):
    report = pb.verify(landscape, front)
    assert (report.rows, report.failures) == (len(front.F), [])


def test_a_front_saved_from_elsewhere_says_that_nobody_searched(tmp_path):
    landscape = new_landscape(("max", "min"), "whole")
    path = tmp_path / "archive.npz"
    pb.save_front(archive_of(landscape), landscape, path)
    loaded = pb.load(path)
    assert loaded.status == "saved without a search"
    assert (loaded.moves, loaded.climbs, loaded.seconds) == (0, 0, 0)
    assert "saved without a search" in repr(loaded)


def test_a_saved_result_keeps_how_it_was_found(tmp_path):
    landscape = new_landscape(("max", "min"), "whole")
    result, path = result_of(landscape), tmp_path / "run.npz"
    pb.save_front(result, landscape, path)
    loaded = pb.load(path)
    assert (loaded.status, loaded.climbs, loaded.moves) == (
        result.status,
        result.climbs,
        result.moves,
    )
    assert_array_equal(loaded.climb, result.climb)
    assert_array_equal(loaded.step, result.step)


def test_a_front_that_is_wrong_is_found_wrong(tmp_path):
    landscape = new_landscape(("max", "min"), "whole")
    archive, path = archive_of(landscape), tmp_path / "wrong.npz"
    archive.report([1000, -1000], [0] * landscape.n)
    pb.save_front(archive, landscape, path)
    right = landscape.evaluate([0] * landscape.n).tolist()
    says = f"says [1000, -1000], but its solution has {right}"
    for checked in (path, archive):
        (failure,) = pb.verify(landscape, checked).failures
        assert failure.endswith(says)


def test_reports_that_a_later_one_dominates_are_told():
    landscape = ring(n=40, K=2, seed=1)
    climber = pb.Climber(landscape, radius=1)
    climbs = [climber.start(seed=seed).run().reports for seed in range(20)]
    beaten = [len(reports.F) - len(naive.pareto_front(reports.F)) for reports in climbs]
    assert max(beaten) > 0
    for reports, count in zip(climbs, beaten):
        failures = pb.verify(landscape, reports).failures
        assert len(failures) == count
        assert all("is dominated by" in failure for failure in failures)


def test_a_front_without_a_point_is_not_saved(tmp_path):
    landscape = new_landscape(("max", "min"), "whole")
    path = tmp_path / "empty.npz"
    with pytest.raises(ValueError, match="the front is empty"):
        pb.save_front(pb.Archive(2, landscape.sense), landscape, path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("n", "sense"), [(28, ("max", "min")), (27, ("min", "max")), (27, ("max", "max"))]
)
def test_a_front_of_another_landscape_is_not_saved(tmp_path, n, sense):
    archive = archive_of(new_landscape(("max", "min"), "whole"))
    other = built(naive.plain(ring(n=n, K=2, seed=2, q=5))._replace(sense=sense))
    told = f"n = 27 and senses max, min, but the landscape has n = {n} and "
    with pytest.raises(ValueError, match=f"{told}{', '.join(sense)}"):
        pb.save_front(archive, other, tmp_path / "front.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_front_is_saved_in_a_file_named_npz(tmp_path):
    landscape = new_landscape(("max", "min"), "whole")
    with pytest.raises(ValueError, match=r"front\.json: a run is saved in a file nam"):
        pb.save_front(archive_of(landscape), landscape, tmp_path / "front.json")
