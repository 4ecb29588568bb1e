"""`demo` shows a front."""

from paretoball.cli.main import main


def test_demo_draws_a_front_and_tells_what_is_next(capsys, monkeypatch):
    monkeypatch.setattr("paretoball.cli.demo.DEMO_SECONDS", 0.5)
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    assert out.count("*") > 20
    assert "non-dominated solutions" in out
    assert "paretoball solve" in out
    assert out.isascii()
    assert max(map(len, out.splitlines())) <= 79
