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


def test_without_a_callback_nothing_stops():
    assert not Progress(None, Display(False)).update(SimpleNamespace(seconds=1.0))
