"""Memory of tables is told by how many there are, and by all their entries."""

from importlib import import_module
from typing import Any

import pytest

import paretoball as pb

FAMILIES: dict[str, Any] = {
    "mnk": lambda: pb.mnk(12, 3, d=3, seed=1),
    "random_sat": lambda: pb.random_sat(12, k=4, d=3, seed=1),
    "clauses": lambda: pb.maxsat([[[1], [2, -3], [1, 2, 3]], [[1, 2, 3, 4]]]),
    "products": lambda: pb.from_polynomials(
        [{(0, 1, 2): 1, (0, 3): 2, (1, 3): 5, (2,): 3}, {(0, 1, 2, 3): 4}]
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_all_tables_and_their_entries_are_told(monkeypatch, family):
    told: list[tuple[int, int]] = []
    module = import_module(f"paretoball.problems.{family}")
    monkeypatch.setattr(module, "check_tables", lambda _, *sizes: told.append(sizes))
    landscape = FAMILIES[family]()
    tables, entries = map(sum, zip(*told))
    assert (tables, entries) == (landscape.m, len(landscape.subfunctions.tables))


@pytest.mark.parametrize("family", FAMILIES)
def test_tables_without_memory_are_refused_before_they_are_made(monkeypatch, family):
    class Refused(Exception):
        pass

    def refuse(*_: Any) -> None:
        raise Refused

    module = import_module(f"paretoball.problems.{family}")
    monkeypatch.setattr(module, "check_tables", refuse)
    monkeypatch.delattr(pb.Landscape, "from_terms")
    monkeypatch.delattr(pb.Landscape, "from_arrays")
    with pytest.raises(Refused):
        FAMILIES[family]()
