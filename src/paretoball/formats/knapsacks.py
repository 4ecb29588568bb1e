"""What readers of knapsacks have in common."""

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

import numpy as np

from paretoball.formats.text import Words
from paretoball.landscape import Landscape
from paretoball.problems import knapsack


class Knapsack(NamedTuple):
    """Which words of a file are one knapsack."""

    capacity: int
    weights: slice
    profits: slice


def from_knapsacks(words: Words, knapsacks: Sequence[Knapsack]) -> Landscape:
    """The landscape whose objective and constraint i are those of knapsack i."""
    profits = [_wholes(words, each.profits) for each in knapsacks]
    weights = [checked_weights(words, each.weights) for each in knapsacks]
    capacities = [checked_capacity(words, each.capacity) for each in knapsacks]
    return knapsack(profits, weights, capacities)


def checked_weights(words: Words, places: slice) -> np.ndarray:
    """Some of the words as weights, whole numbers of 0 or more."""
    weights = _wholes(words, places)
    if (weights < 0).any():
        at = places.start + (places.step or 1) * int(np.argmax(weights < 0))
        raise words.refusal(at, "is not a weight of 0 or more")
    return weights


def checked_capacity(words: Words, at: int) -> int:
    """One of the words as a capacity; half a unit is of no use to whole weights."""
    capacity = floor(words.reals(at, at + 1)[0])
    if capacity < 0:
        raise words.refusal(at, "is not a capacity of 0 or more")
    return capacity


def _wholes(words: Words, places: slice) -> np.ndarray:
    return words.wholes(places.start, places.stop, places.step or 1)
