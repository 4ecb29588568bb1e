"""Parts of texts: how they start, and chosen lines."""

import pytest

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.text import Text


def test_the_opening_is_a_few_words_of_the_first_line_that_counts():
    text = Text(b"\n  c comment\nc\n p NK 3 1 \n4\n")
    assert text.opening(b"c") == [b"p", b"NK", b"3", b"1"]
    assert text.opening() == [b"c", b"comment"]
    assert text.opening(b"c", b"p") == [b"4"]
    assert text.opening(b"c", b"p", b"4") == []
    assert len(Text(b"1 " * 100).opening()) == 8


def test_heads_may_grow_and_shrink():
    text = Text(b"\n1 2\n\n3\n4 5 6\n")
    assert text.head(1) == [[b"1", b"2"]]
    assert text.head(9) == [[b"1", b"2"], [b"3"], [b"4", b"5", b"6"]]
    assert text.head(2) == [[b"1", b"2"], [b"3"]]


def test_words_of_chosen_lines_know_their_lines():
    words = Text(b"1 2\nx y\n3\n4 z\n").only([0, 2, 3])
    assert words.every == [b"1", b"2", b"3", b"4", b"z"]
    with pytest.raises(
        Misplaced, match="'z' at column 3 is not a whole number"
    ) as error:
        words.wholes()
    assert error.value.line == 3


def test_a_binary_file_has_no_text():
    with pytest.raises(ValueError, match="not a text, but a binary file"):
        _ = Source("a", b"1 2\n\0").checked_text
    assert Source("a", b"1 2\n").checked_text.filled.tolist() == [0]
