"""Sorting inside kernels, against what Python does with the same numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paretoball._jit import kernel
from paretoball.numerics import sorting

sort, find_place = kernel(sorting.sort), kernel(sorting.find_place)


@given(st.lists(st.integers(-9, 9)), st.integers(0, 5), st.integers(0, 5))
def test_a_stretch_is_sorted_and_the_rest_left_alone(values, first, dropped):
    last = max(first, len(values) - dropped)
    array = np.array(values, np.int32)
    sort(array, min(first, len(values)), min(last, len(values)))
    assert array.tolist() == values[:first] + sorted(values[first:last]) + values[last:]


def test_ascending_runs_of_a_hub_are_sorted():
    runs = np.array([0, *range(5001, 10001), *range(1, 5001)], np.int32)
    sort(runs, 0, len(runs))
    assert runs.tolist() == list(range(10001))


@given(st.lists(st.integers(-9, 9)), st.data(), st.integers(-10, 10))
def test_a_place_is_found_within_a_stretch(values, data, value):
    first = data.draw(st.integers(0, len(values)))
    last = data.draw(st.integers(first, len(values)))
    array = np.array(sorted(values), np.int32)
    place = first + np.searchsorted(array[first:last], value)
    assert find_place(array, first, last, value) == place
