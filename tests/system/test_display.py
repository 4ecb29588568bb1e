"""The display: nothing in the first two seconds, then now and then a line."""

import io
import re
import sys
from itertools import pairwise

import pytest

from paretoball.system.display import PATIENCE, PLAIN_EVERY, TERMINAL_EVERY, Display


class Clock:
    """Tells the time that it was set to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """Looks like a terminal, and keeps what is written to it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock():
    """A clock that stands still."""
    return Clock()


def new_terminal(monkeypatch):
    """Let standard error be a terminal, of a known kind.

    This is no fixture, since pytest takes standard error back before a test begins.
    """
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    return terminal


def tell_each_tenth(display, clock, seconds, share=None):
    """Tell ten lines per second; the times at which a line was asked for."""
    asked = []
    for tenth in range(round(10 * seconds)):
        clock.now = 1000.0 + tenth / 10

        def line(at=tenth):
            asked.append(at / 10)
            return f"line {at}"

        display.tell(line, share)
    return asked


def shown_on(terminal):
    """The texts that came to a terminal, without what steers it.

    The last is there for sure; of those before, it depends on how fast they came.
    """
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())


@pytest.mark.parametrize("share", [None, 0.5])
def test_elsewhere_lines_come_after_two_seconds_and_every_ten(clock, capsys, share):
    display = Display(True, clock)
    assert not display.is_terminal
    asked = tell_each_tenth(display, clock, 35, share)
    assert asked == [2.0, 12.0, 22.0, 32.0]
    assert capsys.readouterr() == ("", "line 20\nline 120\nline 220\nline 320\n")


@pytest.mark.parametrize("share", [None, 0.0, 0.5, 1.0])
def test_on_a_terminal_lines_come_after_two_seconds_and_ten_a_second(
    clock, monkeypatch, share
):
    new_terminal(monkeypatch)
    with Display(None, clock) as display:
        for _ in range(3):  # at most one per interval, however often it is told
            asked = tell_each_tenth(display, clock, 1.9, share)
            assert asked == []
        asked = tell_each_tenth(display, clock, 4, share)
        clock.now += TERMINAL_EVERY / 2
        display.tell(lambda: pytest.fail("too early"), share)
    assert asked[0] == 2.0
    assert 1 < len(asked) <= 20
    assert min(b - a for a, b in pairwise(asked)) >= TERMINAL_EVERY - 1e-9


def test_a_line_is_only_made_when_it_is_shown(clock):
    display = Display(True, clock)
    clock.now += PATIENCE - 0.001
    display.tell(lambda: pytest.fail("nothing is due yet"))
    display = Display(False, clock)
    clock.now += 1000
    display.tell(lambda: pytest.fail("nobody wants to see it"))
    assert not display.is_due()


def test_a_bar_shows_the_share_and_the_line(clock, monkeypatch):
    terminal = new_terminal(monkeypatch)
    with Display(None, clock) as display:
        clock.now += PATIENCE
        display.tell(lambda: "begun", 0.1)
        clock.now += TERMINAL_EVERY
        display.tell(lambda: "[red]half[/red] of it", 0.5)
    shown = shown_on(terminal)
    assert "━" in shown
    assert "[red]half[/red] of it" in shown  # no markup


def test_a_spinner_turns_where_no_share_is_known(clock, monkeypatch):
    terminal = new_terminal(monkeypatch)
    with Display(None, clock) as display:
        clock.now += PATIENCE
        display.tell(lambda: "1,000 moves")
        clock.now += TERMINAL_EVERY
        display.tell(lambda: "2,000 moves")
    shown = shown_on(terminal)
    assert "━" not in shown
    assert "2,000 moves" in shown


@pytest.mark.parametrize("first", [None, 0.25])
@pytest.mark.parametrize("second", [None, 0.75])
def test_shares_may_come_and_go(clock, monkeypatch, first, second):
    terminal = new_terminal(monkeypatch)
    with Display(None, clock) as display:
        display.say("first", first)
        display.say("second", second)
    assert "second" in shown_on(terminal)


def test_a_line_too_long_for_the_terminal_is_cut(clock, monkeypatch):
    terminal = new_terminal(monkeypatch)
    with Display(None, clock) as display:
        display.say("long " * 100, 0.1)
    lines = re.split(r"[\r\n]", shown_on(terminal))
    assert max(map(len, lines)) <= 60
    assert all(line.endswith("…") for line in lines if "long" in line)


def test_the_terminal_is_left_clean(clock, monkeypatch):
    terminal = new_terminal(monkeypatch)
    with Display(None, clock) as display:
        display.say("something", 0.5)
    assert terminal.getvalue().count("\x1b[?25l") == 1  # the cursor goes
    assert terminal.getvalue().count("\x1b[?25h") == 1  # and comes back


def test_without_a_line_nothing_is_written(clock, monkeypatch, capsys):
    terminal = new_terminal(monkeypatch)
    with Display(None, clock) as display:
        tell_each_tenth(display, clock, 1.9)
    assert terminal.getvalue() == ""
    with Display(True, clock):
        pass
    assert capsys.readouterr() == ("", "")


def test_by_default_only_terminals_show_anything(clock, capsys):
    display = Display(None, clock)
    assert not display.shown
    assert tell_each_tenth(display, clock, 30) == []
    display.say("now")
    assert capsys.readouterr() == ("", "")


def test_who_wants_to_see_nothing_sees_nothing_on_a_terminal(clock, monkeypatch):
    terminal = new_terminal(monkeypatch)
    with Display(False, clock) as display:
        assert tell_each_tenth(display, clock, 30) == []
        display.say("now")
    assert terminal.getvalue() == ""


def test_what_is_said_is_shown_at_once(clock, capsys):
    display = Display(True, clock)
    display.say("compiling")
    assert capsys.readouterr().err == "compiling\n"
    display.say("compiling \x1b[2J")
    assert capsys.readouterr().err == "compiling \\x1b[2J\n"


@pytest.mark.parametrize(
    ("shown", "said"), [(None, "compiling\n"), (True, "compiling\n"), (False, "")]
)
def test_what_is_announced_is_shown_unless_nothing_is_wanted(
    clock, capsys, shown, said
):
    Display(shown, clock).announce("compiling")
    assert capsys.readouterr() == ("", said)


def test_on_a_terminal_an_announcement_is_a_line_like_others(clock, monkeypatch):
    terminal = new_terminal(monkeypatch)
    with Display(None, clock) as display:
        display.announce("compiling")
    assert "compiling" in shown_on(terminal)


def test_a_restart_begins_the_two_seconds_anew(clock, capsys):
    display = Display(True, clock)
    clock.now += PATIENCE - 0.5
    display.restart()
    clock.now += 1.0
    assert not display.is_due()
    clock.now += PATIENCE
    assert display.is_due()
    display.tell(lambda: "line")
    assert not display.is_due()
    clock.now += PLAIN_EVERY
    assert display.is_due()


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_bar_is_as_full_as_the_share_says(clock, monkeypatch, share):
    new_terminal(monkeypatch)
    with Display(None, clock) as display:
        for before in (None, 0.1):
            display.say("so far", before)
        display.say("now", share)
        display.say("and a word about it")
        assert display._bar is not None
        (task,) = display._bar.tasks
        assert task.percentage == 100 * share
        assert task.description == "and a word about it"


@pytest.mark.parametrize("share", [None, 0.5])
def test_no_line_is_left_on_the_terminal(clock, monkeypatch, share):
    terminal = new_terminal(monkeypatch)
    with Display(None, clock) as display:
        display.say("something", share)
    last = terminal.getvalue().rpartition("\x1b[2K")  # which erases the line
    assert "something" in last[0]
    assert "something" not in last[2]
