"""A small share of `make audit`."""

import audit
import pytest

import naive


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_every_stored_score_is_the_change_in_f(first):
    for number in range(first, first + 10):
        assert audit.audit_scores(number, moves=60).mismatches == []


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_finished_climbs_are_local_optima_and_w_rises(first):
    for number in range(first, first + 10):
        assert audit.audit_climbs(number, climbs=10).mismatches == []


def test_moves_equal_brute_force():
    for number in range(60):
        assert audit.audit_moves(number).mismatches == []


def test_crossovers_equal_brute_force():
    for number in range(60):
        assert audit.audit_crossovers(number).mismatches == []


@pytest.mark.long
def test_paths_equal_brute_force():
    for number in range(16):
        assert audit.audit_paths(number).mismatches == []


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
