"""Weights in JSON: none is rounded, and those that would be are told by number."""

import numpy as np
import pytest

from paretoball.formats.weights import checked_weights


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("beside", "power"), [(1, 62), (0.5, 53)])
def test_whole_numbers_of_either_sign_are_read_up_to_the_end(sign, beside, power):
    largest = sign * 2**power
    found = checked_weights([beside, largest], "edge")
    assert found.tolist() == [beside, largest]
    assert found.dtype == (np.int64 if beside == 1 else np.float64)
    told = rf"^edge 1 has the weight {largest + sign}, but numbers end at 2\*\*{power} "
    with pytest.raises(ValueError, match=told):
        checked_weights([beside, largest + sign, largest + sign], "edge")


@pytest.mark.parametrize("given", [[], [0], [-7, 3], [0.5, -1e300], [1, 0.5]])
def test_numbers_are_read_as_they_are(given):
    found = checked_weights(given, "edge")
    assert found.tolist() == given
    are_whole = all(type(each) is int for each in given)
    assert found.dtype == (np.int64 if are_whole else np.float64)


@pytest.mark.parametrize(
    "wrong", [None, True, "1", [1], float("nan"), float("inf"), -float("inf")]
)
@pytest.mark.parametrize("beside", [1, 0.5])
def test_what_is_no_number_is_told_by_its_place(wrong, beside):
    with pytest.raises(TypeError, match=r"^term 2 has the weight .*, not a number$"):
        checked_weights([beside, beside, wrong, beside], "term")
