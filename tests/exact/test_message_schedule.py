"""Schedules: in slices or at once, and only what fits in memory."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from hulls import assert_exact, two_objectives
from landscapes import built, ring
from paretoball.exact import message_schedule
from paretoball.system import memory


def test_slices_change_nothing(monkeypatch):
    for seed in range(12):
        landscape = built(two_objectives(np.random.default_rng(seed)))
        whole = pb.supported_front(landscape)
        monkeypatch.setattr(message_schedule, "SLICE", 1 + seed)
        sliced = assert_exact(landscape)
        monkeypatch.undo()
        assert_array_equal(sliced.X, whole.X)


def test_tables_that_do_not_fit_are_refused_with_their_size(monkeypatch):
    landscape = ring(20, K=3, seed=1)
    monkeypatch.setattr(memory, "available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"width 6 .* KiB, but 1000 B are free"):
        pb.supported_front(landscape)
