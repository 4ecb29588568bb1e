"""A small share of `make audit`."""

import re
from pathlib import Path

import audit
import faults
import pytest
from counts import tell

import naive
from landscapes import shuffled
from layouts import climber_by, every_climber
from paretoball.climber import BY_CLIQUES
from shares import first


@pytest.mark.parametrize("begin", first(3, range(0, 60, 10)))
def test_every_stored_score_is_the_change_in_f(begin):
    for number in range(begin, begin + 10):
        assert audit.audit_scores(number, moves=60).mismatches == []


@pytest.mark.parametrize("begin", first(1, range(0, 36, 12)))
def test_all_layouts_take_the_same_moves_by_exact_scores(begin):
    for number in range(begin, begin + 12):
        assert audit.audit_layouts(number, moves=30).mismatches == []


@pytest.mark.parametrize("begin", first(2, range(0, 40, 10)))
def test_finished_climbs_are_local_optima_and_w_rises(begin):
    for number in range(begin, begin + 10):
        assert audit.audit_climbs(number, climbs=10).mismatches == []


def test_moves_equal_brute_force():
    for number in range(60):
        assert audit.audit_moves(number).mismatches == []


@pytest.mark.parametrize("begin", first(1, range(0, 60, 20)))
def test_crossovers_equal_brute_force(begin):
    for number in range(begin, begin + 20):
        assert audit.audit_crossovers(number).mismatches == []


@pytest.mark.long
def test_paths_equal_brute_force():
    for number in range(16):
        assert audit.audit_paths(number).mismatches == []


@pytest.mark.long
def test_searches_and_exact_fronts_under_constraints_equal_brute_force():
    tallies = [audit.audit_constrained(number) for number in range(30)]
    assert [wrong for tally in tallies for wrong in tally.mismatches] == []
    assert sum(tally.whole for tally in tallies) >= 27


@pytest.mark.long
def test_the_audit_notices_a_wrong_score(monkeypatch):
    right = naive.full_table

    def wrong(plain):
        table = right(plain)
        table[::3] += 1
        return table

    monkeypatch.setattr(naive, "full_table", wrong)
    assert audit.audit_scores(3, moves=60).mismatches
    assert any(audit.audit_climbs(number, 10).mismatches for number in range(10))
    assert audit.audit_crossovers(3).mismatches
    assert any(audit.audit_paths(number).mismatches for number in range(10))


def test_the_audit_notices_a_layout_that_parts_from_others(monkeypatch):
    def one_astray(landscape, selection):
        first, *others = every_climber(landscape, selection)
        odd = [climber_by(BY_CLIQUES, shuffled(landscape, seed=1), selection)]
        return [first, *others, *odd]

    monkeypatch.setattr(audit, "every_climber", one_astray)
    for kind in range(3):
        numbers = range(kind, 30, 3)
        assert any(audit.audit_layouts(number).mismatches for number in numbers)


def test_the_audit_notices_a_missing_move(monkeypatch):
    monkeypatch.setattr(naive, "connected_moves", lambda plain, radius: [])
    assert len(audit.audit_moves(0).mismatches) == 2


def test_the_audit_notices_a_missing_corner(monkeypatch):
    monkeypatch.setattr(naive, "is_only_best", lambda fx, front: True)
    assert any(audit.audit_crossovers(number).mismatches for number in range(20))


def test_an_exception_counts_as_a_mismatch():
    def fails(number):
        raise ZeroDivisionError

    assert len(audit.attempted(fails, 0).mismatches) == 1


def test_make_runs_every_part_and_every_row():
    makefile = (Path(__file__).parents[2] / "Makefile").read_text()
    parts = dict(re.findall(r"^(DEFINED|FAULTS) := (.*)$", makefile, re.MULTILINE))
    assert sorted(parts["DEFINED"].split()) == sorted(audit.PARTS)
    assert sorted(parts["FAULTS"].split()) == sorted((*faults.COUNTS, *faults.FIXED))


def test_counts_are_told_one_in_a_line(capsys):
    tell("kills", {"trials": 1200, "worst seconds": 1.0549})
    assert (
        capsys.readouterr().out == "kills: trials: 1,200\nkills: worst seconds: 1.05\n"
    )
