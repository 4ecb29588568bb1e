"""Counts go with their nouns."""

from paretoball.system import counted


def test_one_is_singular_and_all_other_counts_are_plural():
    assert counted(1, "path") == "1 path"
    assert [counted(n, "path") for n in (0, 2, 1000)] == [
        "0 paths",
        "2 paths",
        "1,000 paths",
    ]
    assert counted(1, "optimum", "optima") == "1 optimum"
    assert counted(2, "optimum", "optima") == "2 optima"
