"""java.util.Random, number by number."""

import pytest

from paretoball.problems.java_random import JavaRandom


def test_java_random_gives_the_numbers_that_java_prints():
    # new Random(42).nextInt() is -1170105035, and then 234785527.
    assert JavaRandom(42).next_long() == (-1170105035 << 32) + 234785527
    assert JavaRandom(42).next_bits(32, 1).tolist() == [2**32 - 1170105035]
    assert JavaRandom(42).next_ints(100, 2).tolist() == [30, 63]
    assert JavaRandom(42).next_doubles(1).tolist() == [0.7275636800328681]


@pytest.mark.parametrize("bound", [1, 2, 3, 100, 2**30, 2**30 + 1, 2**31 - 1])
def test_many_draws_at_once_are_the_draws_one_by_one(bound):
    many, single = JavaRandom(-7), JavaRandom(-7)
    for count in (0, 1, 2, 500):
        one_by_one = [single.next_int(bound) for _ in range(count)]
        assert many.next_ints(bound, count).tolist() == one_by_one
        assert many.state == single.state


def test_draws_that_would_be_unfair_are_passed_over():
    count, bound = 1000, 2**30 + 1
    drawing = JavaRandom(1)
    drawing.next_ints(bound, count)
    stepping = JavaRandom(1)
    steps = 0
    while stepping.state != drawing.state:
        stepping.next_bits(31, 1)
        steps += 1
    assert 1.8 * count < steps < 2.2 * count
