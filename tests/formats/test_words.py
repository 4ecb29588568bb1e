"""Texts as numbers: the quick way and the careful way agree."""

import random

import pytest

from paretoball.formats.disk import Misplaced
from paretoball.formats.text import Text


@pytest.mark.parametrize(
    "text",
    [
        b"1 -2 +3\n\n 004\t5\r\n-0 6",
        b"7",
        b"  8  \n",
        b"1\v2\f3",
        b"123456789012345678 -123456789012345678",
        b"1234567890123456789",
        str(2**62).encode(),
        b"",
        b" \n ",
    ],
)
def test_numbers_are_those_of_the_words(text):
    words = Text(text).words()
    assert words.numbers().tolist() == words.wholes().tolist()
    assert words.numbers().tolist() == [int(word) for word in text.split()]


@pytest.mark.parametrize("word", ["1-2", "1+", "-", "+-1", "--1", "1.5", "x", "1_0"])
@pytest.mark.parametrize("place", ["{} 5", "5 {}", "5\n{}\n6", "{}"])
def test_other_words_are_refused_by_place(word, place):
    with pytest.raises(Misplaced, match="is not a whole number") as refusal:
        Text(place.format(word).encode()).words().numbers()
    assert refusal.value.line == place[: place.index("{")].count("\n")


def test_random_texts_are_read_the_same_way_or_refused_by_both():
    rng = random.Random(1)
    for _ in range(500):
        text = "".join(rng.choices("0123456789+- \n", k=rng.randint(1, 12))).encode()
        outcomes = []
        for read in (Text(text).words().numbers, Text(text).words().wholes):
            try:
                outcomes.append(read().tolist())
            except Misplaced as error:
                outcomes.append((error.line, str(error)))
        assert outcomes[0] == outcomes[1]


def test_the_last_of_many_words_is_named():
    words = Text(b"1 " * 1000 + b"x").words()
    with pytest.raises(Misplaced, match="'x' at column 2001 is not"):
        words.numbers()
