"""Trials: a row is a function of its plan and number."""

from numpy.testing import assert_array_equal

import paretoball as pb
from campaigns import refused
from paretoball.paper.folder import Campaign


def test_a_row_is_what_its_seed_makes_of_the_landscape(runtime):
    campaign = Campaign.open(runtime)
    assert len(campaign.rows) == 8
    for row in campaign.rows.values():
        landscape = pb.mnk_java(row.n, 3, row.d, pseed=1)
        how = {"radius": row.radius, "max_climbs": 10, "seed": row.seed}
        how["selection"] = "uniform"
        again = pb.solve(landscape, "multistart", **how)
        assert (row.climbs, row.moves, row.size) == (10, again.moves, len(again))
        assert row.hypervolume == again.hypervolume()
        assert row.stored_moves == pb.count_moves(landscape, row.radius)
        saved = pb.load(campaign.front(row.run))
        assert_array_equal(saved.F, again.F)
        assert_array_equal(landscape.evaluate(saved.X), saved.F)
        assert row.start_seconds > 0
        assert 0 < row.archive_seconds < row.seconds


def test_a_time_that_ends_before_the_set_up_is_refused_with_its_case(tmp_path, capsys):
    options = "--n 3000 --d 2 --radius 3 --runs 1 --time 1e-9 --quiet"
    folder = str(tmp_path / "short")
    err = refused(capsys, "quality", *options.split(), "-o", folder)
    assert "n = 3,000, d = 2, r = 3: 1e-09 s were over before the set-up was" in err
