"""Repeats: a variable named twice is noticed, whatever the arity and its place."""

import numpy as np
import pytest

from paretoball import Landscape
from paretoball.landscape import Terms

SHAPES = [(k, a, b) for k in (2, 3, 6, 7, 9) for a, b in ((0, k - 1), (0, 1))]


@pytest.mark.parametrize(("k", "a", "b"), SHAPES)
def test_a_variable_named_twice_in_one_of_many_masks_is_refused(k, a, b):
    masks = np.array([np.roll(np.arange(20), s)[:k] for s in range(9)])
    masks[6, b] = masks[6, a]
    terms = Terms(masks, np.zeros((9, 1 << k), np.int64))
    wrong = rf"objective 0, subfunction 6 reads variable {masks[6, a]} twice"
    with pytest.raises(ValueError, match=wrong):
        Landscape.from_terms(20, [[terms]])


@pytest.mark.parametrize("j", [-1, 20])
def test_a_variable_that_is_not_there_is_refused(j):
    masks = np.array([[3, 4], [5, j], [7, 8], [j, 9]])
    terms = Terms(masks, np.zeros((4, 4), np.int64))
    with pytest.raises(ValueError, match=f"subfunction 1 reads variable {j}, but"):
        Landscape.from_terms(20, [[terms]])
