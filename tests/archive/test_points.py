"""Points: named columns that stay together."""

import numpy as np
from numpy.testing import assert_array_equal

from paretoball.archive.points import Points

FX = np.array([[1, 9], [5, 5], [7, 3], [2, 8]])
TAGS = np.array([[3, 10, 0], [1, 20, 1], [3, 5, 0], [2, 0, 1]])


def rows_of(points):
    """The points as rows: objectives, unit, step, optimum."""
    return np.column_stack([*points]).tolist()


def test_columns_of_tags_get_their_names():
    points = Points.tagged(FX, TAGS)
    assert points.unit.tolist() == [3, 1, 3, 2]
    assert points.step.tolist() == [10, 20, 5, 0]
    assert points.optimum.tolist() == [0, 1, 0, 1]
    assert points.size == 4
    assert all(column.flags.c_contiguous for column in points)


def test_tagged_points_do_not_change_with_the_tags():
    tags = TAGS.copy()
    points = Points.tagged(FX, tags)
    tags[:] = -1
    assert_array_equal(np.column_stack([*points[1:]]), TAGS)


def test_some_rows_are_chosen_by_number_or_by_mask():
    points = Points.tagged(FX, TAGS)
    assert rows_of(points.some(np.array([2, 0]))) == [[7, 3, 3, 5, 0], [1, 9, 3, 10, 0]]
    mask = np.array([True, False, True, False])
    assert rows_of(points.some(mask)) == [[1, 9, 3, 10, 0], [7, 3, 3, 5, 0]]
    assert points.some(np.zeros(4, bool)).fx.shape == (0, 2)


def test_units_are_taken_from_the_first_to_below_the_last():
    points = Points.tagged(FX, TAGS)
    assert points.of_units(1, 2).unit.tolist() == [1, 2]
    assert points.of_units(3, 1).fx.tolist() == [[1, 9], [7, 3]]
    assert points.of_units(4, 9).size == 0


def test_every_unit_has_its_steps_ascending():
    steps = Points.tagged(FX, TAGS).steps_by_unit()
    assert {unit: each.tolist() for unit, each in steps.items()} == {
        1: [20],
        2: [0],
        3: [5, 10],
    }
    assert Points.tagged(FX[:0], TAGS[:0]).steps_by_unit() == {}
