"""Live workers: those that have answered lately, or are at a long block."""

from paretoball.running import live_workers
from paretoball.running.live_workers import HEARD, LiveWorkers


def test_a_worker_counts_until_it_has_been_silent_for_long(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(live_workers, "perf_counter", lambda: now[0])
    live = LiveWorkers()
    assert live.count() == 1  # the calling thread
    for worker in ("one", "two", "three", "two"):
        live.hear(worker, 0.0)
    assert live.count() == 3
    assert HEARD == 10
    now[0] += HEARD - 0.5
    live.hear("one", 0.0)
    assert live.count() == 3
    now[0] += 1.0
    assert live.count() == 1
    now[0] += HEARD
    assert live.count() == 1


def test_a_worker_with_long_blocks_is_not_missed_while_it_is_at_one(monkeypatch):
    """Three times as long as its last block took, and then as long as any other."""
    now = [100.0]
    monkeypatch.setattr(live_workers, "perf_counter", lambda: now[0])
    live = LiveWorkers()
    live.hear("quick", 0.0)
    live.hear("slow", 20.0)
    live.hear("slower", 30.0)
    now[0] = 100.0 + 3 * 20.0 + HEARD - 0.5
    assert live.count() == 2
    now[0] += 1.0
    assert live.count() == 1
