"""Columns of tables: all different, and as they are given wherever that is possible."""

from itertools import product

import pytest

from paretoball.landscape.front import bit_names, distinct_columns

pytestmark = pytest.mark.plain


def test_columns_are_distinct_and_none_is_taken():
    some = ["a", "a_", "a__", 7]
    for names in product(some, repeat=3):
        for taken in ([], ["a"], ["a_", "a"], ["a", "b"], [7]):
            found = distinct_columns(names, taken)
            assert len(set(found)) == len(found) == 3
            assert not set(found) & set(taken)
            for place, (name, own) in enumerate(zip(names, found)):
                is_free = name not in taken and name not in names[:place]
                assert (own == name) == is_free
                assert str(own).rstrip("_") == str(name).rstrip("_")


def test_variables_without_labels_are_numbered():
    assert bit_names(3) == ["x0", "x1", "x2"]
    assert bit_names(2, iter(["b", 7])) == ["b", 7]
