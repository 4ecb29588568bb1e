"""`demo` shows a front."""

import signal
from dataclasses import replace

import pytest

import paretoball as pb
from paretoball import mnk, solve
from paretoball.cli.main import main
from paretoball.landscape import landscape_digest


def test_demo_searches_what_it_says_and_tells_a_failure(capsys, monkeypatch):
    asked = []
    small = solve(mnk(n=10, K=2, seed=1), max_climbs=1, seed=1)

    def fake(landscape, **how):
        sizes = (landscape.n, landscape.d, landscape.k)
        asked.append((landscape_digest(landscape), sizes, how))
        return replace(small, status="no worker is left")

    monkeypatch.setattr(pb, "solve", fake, raising=False)
    assert main(["demo"]) == 1
    out = capsys.readouterr().out
    assert "2 objectives, 10,000 variables, K = 3, q = 100." in out
    assert "Searching for 7 seconds" in out
    right = landscape_digest(mnk(10_000, K=3, d=2, q=100, seed=1))
    assert asked == [(right, (10_000, 2, 4), {"time_limit": 7.0, "seed": 1})]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_a_signal_ends_the_demo_with_its_code(capsys, monkeypatch, number, code):
    small = solve(mnk(n=10, K=2, seed=1), max_climbs=1, seed=1)

    def fake(*_, **__):
        signal.raise_signal(number)
        return small

    monkeypatch.setattr(pb, "solve", fake, raising=False)
    assert main(["demo"]) == code
    assert "non-dominated" in capsys.readouterr().out


def test_demo_draws_a_front_and_tells_what_is_next(capsys, monkeypatch):
    monkeypatch.setattr("paretoball.cli.demo.DEMO_SECONDS", 0.5)
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    assert out.count("*") > 20
    assert "non-dominated solutions" in out
    assert "paretoball solve" in out
    assert out.isascii()
    assert max(map(len, out.splitlines())) <= 79
