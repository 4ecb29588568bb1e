"""Solutions are traced part by part, each as all at once."""

from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb

TRACING = import_module("paretoball.exact.front_tracing")


def conflicting(masks, d):
    """Nine variables, with a last objective that is nearly opposed to the first."""
    rng = np.random.default_rng(d)
    tables = rng.integers(0, 99, (d, len(masks), 4))
    tables[-1] = 99 - tables[0] + rng.integers(0, 9, tables[0].shape)
    objectives = [list(zip(masks, each)) for each in tables.tolist()]
    return pb.Landscape.from_subfunctions(9, objectives)


RING = [(a, (a + 1) % 9) for a in range(9)]
PARTS = [(a + b, a + b + 1) for a in (0, 3, 6) for b in (0, 1)]  # which are joined


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(("lookups", "turned"), [(1, 1), (5, 190), (8, 160)])
def test_solutions_are_found_part_by_part(monkeypatch, d, lookups, turned):
    for masks in RING, PARTS:
        landscape = conflicting(masks, d)
        whole = pb.exact_front(landscape)
        assert len(whole) > 24
        with monkeypatch.context() as patch:
            patch.setattr(TRACING, "LOOKUPS", lookups)
            patch.setattr(TRACING, "TURNED", turned)
            front = pb.exact_front(landscape)
        assert_array_equal(front.F, whole.F)
        assert_array_equal(front.bits, whole.bits)
        assert_array_equal(landscape.evaluate(front.X), front.F)
