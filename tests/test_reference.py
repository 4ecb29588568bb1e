"""Agreement with the authors' own implementation, on all that was recorded of it."""

import json
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import naive
import paretoball as pb
from conftest import SHARED
from landscapes import graph_of

FRONTS = SHARED / "reference" / "fronts"
CROSSCHECK = SHARED / "reference" / "crosscheck"
FILES = sorted(path.stem for path in CROSSCHECK.glob("*.json"))
KINDS = {
    "STRONGLY_IMPROVING": "strong",
    "W_IMPROVING": "w-improving",
    "DISIMPROVING": "rest",
}

pytestmark = pytest.mark.skipif(not FILES, reason=f"no reference data in {CROSSCHECK}")


@pytest.fixture(params=FILES or ["none"])
def recorded(request):
    """One recorded climb of the authors' code."""
    return json.loads((CROSSCHECK / f"{request.param}.json").read_text())


@pytest.fixture
def landscape(recorded):
    """The landscape that it climbed."""
    objectives = [
        list(zip(each["masks"], each["tables"])) for each in recorded["objectives"]
    ]
    return pb.Landscape.from_subfunctions(recorded["n"], objectives)


@pytest.fixture
def climb(recorded, landscape):
    """A climb of ours at the start of theirs."""
    climber = pb.Climber(landscape, radius=recorded["r"])
    return climber.start(bits(recorded["x0"]), weights=recorded["weights"])


def bits(string):
    """A solution from a string of 0 and 1 that starts with variable 0."""
    return [int(character) for character in string]


def assert_same(ours, theirs, recorded):
    """Equal, for integers; where tables are real the recorded sums drift by 1e-15."""
    assert_allclose(ours, theirs, rtol=0, atol=1e-9 if recorded["q"] == "." else 0)


def kinds(climb):
    """The class of every move."""
    every = ["rest"] * len(climb.scores)
    for v in climb.strong.tolist():
        every[v] = "strong"
    for v in climb.improving.tolist():
        every[v] = "w-improving"
    return every


def assert_same_scores(climb, moves, entries, recorded):
    """All recorded scores and classes, move by move, and none beside them."""
    numbers = [moves.index(entry["v"]) for entry in entries]
    assert sorted(numbers) == list(range(len(moves)))
    assert_same(climb.scores[numbers], [entry["s"] for entry in entries], recorded)
    ours = kinds(climb)
    assert [ours[v] for v in numbers] == [KINDS[entry["kind"]] for entry in entries]


@cache
def enumerated_front(plain):
    """The exact front, once for all radii."""
    return naive.pareto_front(naive.full_table(plain))


def test_all_36_files_are_there():
    assert len(FILES) == 36


def test_moves_and_graph_agree(recorded, landscape):
    moves = pb.Climber(landscape, radius=recorded["r"]).moves
    assert len(moves) == recorded["M_r_size"] == len(recorded["start_scores"])
    assert pb.count_moves(landscape, recorded["r"]) == recorded["M_r_size"]
    assert graph_of(landscape) == [set(each) for each in recorded["interactions"]]
    ours = sorted(moves, key=lambda v: (len(v), v))
    assert ours == [tuple(entry["v"]) for entry in recorded["start_scores"]]


def test_the_replayed_climb_agrees_at_every_step(recorded, landscape, climb):
    moves = pb.Climber(landscape, radius=recorded["r"]).moves
    reported = pb.Archive(recorded["d"])
    assert_same(climb.fx, recorded["f0"], recorded)
    assert_same_scores(climb, moves, recorded["start_scores"], recorded)
    for step in recorded["trajectory"]:
        t = moves.index(step["v"])
        kind = KINDS[step["kind"]]
        candidates = climb.strong if len(climb.strong) else climb.improving
        assert kind == ("strong" if len(climb.strong) else "w-improving")
        assert t in candidates
        assert len(moves[t]) == min(len(moves[v]) for v in candidates)
        assert_same(climb.fx, step["f_before"], recorded)
        assert_same(climb.scores[t], step["s"], recorded)
        assert step["reported"] == (kind == "w-improving")
        if step["reported"]:
            reported.report(climb.fx, climb.x)
        climb.flip(step["v"])
    reported.report(climb.fx, climb.x)
    assert climb.is_local_optimum
    assert climb.x.astype(int).tolist() == bits(recorded["x_final"])
    assert_same(climb.fx, recorded["f_final_evaluated"], recorded)
    assert_same_scores(climb, moves, recorded["final_scores"], recorded)
    assert_same(reported.F, sorted(recorded["archive_after_climb"]), recorded)
    assert_same(landscape.evaluate(reported.X), reported.F, recorded)


@pytest.mark.parametrize(
    "recorded", [name for name in FILES if name.startswith("n20_")], indirect=True
)
def test_exact_fronts_of_20_variables_agree_and_bound_our_climbs(recorded, landscape):
    front = enumerated_front(naive.subfunctions_of(landscape))
    assert front == sorted(map(tuple, recorded["exact_pareto_front"]))
    climber = pb.Climber(landscape, radius=recorded["r"])
    for seed in range(20):
        fx = climber.start(seed=seed).run().fx.tolist()
        assert tuple(fx) in front or any(
            naive.dominates(best, fx, landscape.sense) for best in front
        )


SHARES = {  # what docs/paper.md tells, of the fixed version and of that of the paper
    "java_master": ("61.3", "83.6", "89.9"),
    "java_paperversion213036e": ("23.2", "39.8", "48.2"),
}


@pytest.mark.long
def test_recorded_fronts_lie_below_the_hull_and_reach_the_shares_told():
    landscape = pb.mnk_java(10_000, 3, 2, 100, "adjacent", pseed=1)
    hull = pb.supported_front(landscape)
    bound = hull.bound(landscape.mean)
    for version, shares in SHARES.items():
        for r, share in enumerate(shares, 1):
            name = f"{version}_n10000_d2_r{r}_a*_20s.txt"
            fronts = [np.loadtxt(path) for path in FRONTS.glob(name)]
            assert len(fronts) == 5
            for F in fronts:
                inside = np.interp(F[:, 0], *hull.F.T) - F[:, 1]
                assert (inside >= 0).all()
            volumes = [pb.hypervolume(F, landscape.mean) for F in fronts]
            assert f"{100 * np.mean(volumes) / bound:.1f}" == share
