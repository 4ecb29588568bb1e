"""Interruptions: after a run, the program hears what ended it."""

from typing import Any

import pytest

from paretoball.running import interruption
from paretoball.running.interruption import NOTE, pass_on

RESULT: Any = object()


@pytest.mark.parametrize(
    ("heard", "after", "passed_on"),
    [
        ([], "raise", []),
        (["interrupted"], "raise", ["interrupted"]),
        (["interrupted"], "return", []),
        (["terminated"], "raise", ["terminated"]),
        (["terminated"], "return", ["terminated"]),
        (["interrupted", "terminated"], "return", ["terminated"]),
        (["terminated", "interrupted"], "raise", ["terminated", "interrupted"]),
    ],
)
def test_all_signals_are_passed_on_but_a_control_c_that_is_to_return(
    monkeypatch, heard, after, passed_on
):
    raised: list[str] = []
    monkeypatch.setattr(interruption, "raise_again", raised.append)
    pass_on(heard, RESULT, after)
    assert raised == passed_on


def test_an_interrupt_has_what_was_found_and_says_so(monkeypatch):
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(interruption, "raise_again", interrupt)
    with pytest.raises(KeyboardInterrupt) as caught:
        pass_on(["interrupted"], RESULT, "raise")
    assert caught.value.result is RESULT  # type: ignore[attr-defined]
    assert caught.value.__notes__ == [NOTE]
