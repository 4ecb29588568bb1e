"""Texts of many lines: words are counted and found without splitting each line."""

import gc
import random
import re

import pytest

from paretoball.formats.disk import Misplaced
from paretoball.formats.headers import parsed_json
from paretoball.formats.text import BLOCK, Text, end_to_end
from paretoball.formats.wcnf import CLAUSE


def random_texts():
    """Texts of few letters, with spaces of all kinds."""
    rng = random.Random(1)
    for _ in range(400):
        yield bytes(rng.choices(b"ab#1 \t\n\n\r\v\f", k=rng.randint(0, 30)))


def test_lines_start_with_a_byte_after_spaces():
    for content in random_texts():
        text = Text(content)
        for marks in ((b"#",), (b"a", b"1"), ()):
            right = [
                e
                for e, line in enumerate(content.splitlines())
                if marks and line.lstrip().startswith(marks)
            ]
            assert text.starting(*marks) == right
            bare = text.without(*marks)
            assert [
                b"" if e in right else line for e, line in enumerate(text.lines)
            ] == bare.lines


def test_every_word_is_found_in_its_line_and_column():
    for content in random_texts():
        words = Text(content).words()
        at = 0
        for number, line in enumerate(content.splitlines()):
            column = 0
            for word in line.split():
                column = line.index(word, column)
                error = words.refusal(at, "is here")
                assert error.line == number
                assert f"{word.decode()!r} at column {column + 1} is here" == str(error)
                assert words.line_of(at) == number
                at, column = at + 1, column + len(word)
        assert len(words) == at


def test_rows_are_counted_as_they_are_split():
    for content in random_texts():
        sizes = {len(line.split()) for line in content.splitlines()} - {0}
        if sizes <= {1}:
            assert len(Text(content).rows(1)) == len(content.split())
        else:
            with pytest.raises(Misplaced, match=r"the line has \d+ words, not 1$"):
                Text(content).rows(1)


@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
def test_parts_are_joined_by_the_block(count):
    parts = [b"%d" % e for e in range(count)]
    assert end_to_end(parts) == b"".join(parts)
    assert end_to_end(parts, b"\n") == b"\n".join(parts)


def test_clauses_of_any_length_are_told_from_other_lines():
    assert CLAUSE.fullmatch(b"1 " * 100_000 + b"0")
    assert not CLAUSE.fullmatch(b"1 " * 100_000 + b"x")


@pytest.mark.parametrize("text", [b"[[], {}]", b"[", b'{"a": 1, "a": 2}'])
def test_json_leaves_the_search_for_garbage_as_it_was(text):
    assert gc.isenabled()
    try:
        parsed_json(text)
    except ValueError:
        assert text != b"[[], {}]"
    assert gc.isenabled()


def test_json_does_not_start_a_search_for_garbage_that_was_off():
    gc.disable()
    try:
        parsed_json(b"[]")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_lines_that_contain_bytes_are_found():
    for content in random_texts():
        lines = content.splitlines()
        for part in (b"a", b"ab", b"1#"):
            right = [e for e, line in enumerate(lines) if part in line]
            assert Text(content).containing(part) == right


def test_words_are_told_by_their_first_letter():
    for content in random_texts():
        words, every = Text(content).words(), content.split()
        assert bytes(words.first_bytes.tolist()) == b"".join(w[:1] for w in every)
        found = words.opened_by(b"ab", re.compile(rb"[ab]1*")).tolist()
        assert found == [bool(re.fullmatch(rb"[ab]1*", word)) for word in every]


def test_empty_lines_are_left_out():
    for content in random_texts():
        text = Text(content)
        lines = [line for line in content.splitlines() if line.strip()]
        assert text.without_blanks().lines == lines
        assert [text.lines[line] for line in text.filled] == lines
