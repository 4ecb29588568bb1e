"""Progress: the callback is called after blocks, and not too often."""

from types import SimpleNamespace
from typing import Any

from paretoball.running import progress
from paretoball.running.progress import Progress
from paretoball.system.display import Display


def test_a_callback_is_called_after_blocks_and_not_too_often(monkeypatch):
    monkeypatch.setattr(progress, "CALL_EVERY", 4.0)
    called: list[float] = []

    def callback(snapshot: Any) -> bool:
        called.append(snapshot.seconds)
        return snapshot.seconds > 12

    run = Progress(callback, Display(False))
    seconds = [0.0, 1.0, 3.5, 4.0, 5.0, 8.5, 12.0, 12.5, 13.0]
    stops = [run.update(SimpleNamespace(seconds=each)) for each in seconds]
    assert called == [0.0, 4.0, 8.5, 12.5]
    assert stops == [each == 12.5 for each in seconds]


def test_a_callback_is_called_ten_times_a_second_at_most():
    called: list[float] = []
    run = Progress(lambda snapshot: called.append(snapshot.seconds), Display(False))
    for tick in range(80):
        run.update(SimpleNamespace(seconds=tick / 64))
    assert called == [tick / 64 for tick in range(0, 80, 7)]


def snapshot(**facts: Any) -> Any:
    """How a run is doing."""
    options = SimpleNamespace(time_limit=70.0, method="path")
    plain = {
        "seconds": 25.0,
        "moves": 9000,
        "climbs": 1200,
        "search_seconds": 12.0,
        "size": 3456,
        "hypervolume": 1234567.0,
        "workers": 1,
        "options": options,
    }
    return SimpleNamespace(**plain | facts)


def test_the_line_is_about_this_call(capsys):
    clock = [0.0]
    display = Display(True, lambda: clock[0])
    run = Progress(None, display, seconds=20.0, searched=10.0, moves=3000)

    def line(moves: int, **facts: Any) -> str:
        clock[0] += 10.0
        run.tick(lambda: snapshot(**facts), moves)
        return capsys.readouterr().err

    begin, end = "5 of 50 s  1,200 paths", "front 3,456  volume 1.2346e+06  1 worker\n"
    assert line(0) == f"{begin}  3k moves/s  {end}"
    assert line(6000) == f"{begin}  6k moves/s  {end}"
    assert line(6_000_000) == f"{begin}  3,003k moves/s  {end}"
    unknown = line(0, hypervolume=float("nan"), workers=2, climbs=1)
    assert unknown == "5 of 50 s  1 path  3k moves/s  front 3,456  2 workers\n"
    endless = SimpleNamespace(time_limit=None, method="multistart")
    assert line(0, options=endless).startswith("5 s  1,200 climbs  3k moves/s  front")


def test_without_a_callback_nothing_stops():
    assert not Progress(None, Display(False)).update(SimpleNamespace(seconds=1.0))
