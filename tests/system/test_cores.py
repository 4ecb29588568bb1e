"""Cores: those that this process may use, not those of the machine."""

import os

from paretoball.system.cores import cores


def test_cores_are_those_that_the_system_lets_this_process_have(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 9}, raising=False)
    assert cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    assert cores() == 64
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1
