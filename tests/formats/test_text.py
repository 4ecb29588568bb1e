"""Words of texts as numbers: read as they are meant, or refused with their line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from paretoball.formats.disk import Misplaced, refusing
from paretoball.formats.text import BLOCK, COPIES, Text
from paretoball.system import capped

SPACES = st.sampled_from([" ", "\t", "  ", "\n", "\r\n", "\n\n", " \n "])


def joined(words: list[str], spaces: list[str]) -> bytes:
    """Words with spaces of many kinds between them, and perhaps around them."""
    pairs = zip(words, spaces * (len(words) // len(spaces) + 1))
    return "".join(word + space for word, space in pairs).encode()


@given(st.lists(st.integers(-(2**62), 2**62)), st.lists(SPACES, min_size=1))
def test_whole_numbers_are_read_exactly(numbers, spaces):
    words = Text(joined([str(each) for each in numbers], spaces)).words()
    for found in (words.wholes(), words.reals()):
        assert found.dtype == np.int64
        assert found.tolist() == numbers


REALS = st.floats(-(2**52), 2**52)


@given(st.lists(REALS, min_size=1), st.lists(SPACES, min_size=1))
def test_reals_are_read_exactly(numbers, spaces):
    words = Text(joined([repr(each) for each in numbers], spaces)).words()
    assert_array_equal(words.reals(), numbers)


def test_a_slice_of_words_is_read():
    words = Text(b"1 2 x\n3 4 y\n5 6 z\n").rows(3)
    assert words.wholes(0, None, 3).tolist() == [1, 3, 5]
    assert words.indices(6, 1, 1, None, 3).tolist() == [1, 3, 5]
    assert words.reals(3, 5).tolist() == [3, 4]


WRONG = ["1_000", "١٢", "𝟙", "NaN", "inf", "-Infinity", "1e999", "0x10", "1,5", "--1"]
WRONG += ["1-2", "+", "-", "e", "1e", ".", "e5", "1.2.3", "²", "1e+", "9" * 5000]
WRONG += [
    str(2**62 + 1),
    str(-(2**62) - 1),
    str(-(2**63)),
    "1e300",
    "nan",
    "None",
    "\x1b[31m",
    "'1'",
]


@pytest.mark.parametrize("word", WRONG)
@pytest.mark.parametrize("kind", ["wholes", "reals"])
def test_what_is_no_number_is_refused_with_its_place(word, kind):
    text = Text(f"\n 1 2\r\n3  {word} 5\n6 {word}".encode())
    with (
        pytest.raises(
            ValueError, match=r"^a\.txt:3: ['\"].*['\"] at column 4 is "
        ) as refusal,
        refusing("a.txt"),
    ):
        getattr(text.words(), kind)()
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 120


def test_letters_beyond_ascii_are_shown_as_they_are():
    with pytest.raises(ValueError, match=r"^'١٢' at column 3 is not a whole number"):
        Text("1 ١٢".encode()).words().wholes()


@pytest.mark.parametrize("word", ["1.0", "1e5", ".5", "5.", "-1E-3", "+2.5"])
def test_reals_are_no_whole_numbers(word):
    words = Text(f"1 {word}".encode()).words()
    with pytest.raises(Misplaced, match="is not a whole number"):
        words.wholes()
    assert words.reals().tolist() == [1, float(word)]


@pytest.mark.parametrize("kind", ["wholes", "reals"])
def test_numbers_before_a_wrong_word_are_not_taken_for_it(kind):
    right = b"0 +1 -2 003" + b" 1.0 .5 5. -.5E+3 1e5 +2.5e-7" * (kind == "reals")
    with pytest.raises(Misplaced, match=f"'x' at column {len(right) + 2} is not"):
        getattr(Text(right + b" x").words(), kind)()


def test_whole_numbers_that_floats_would_round_are_refused():
    words = Text(f"0.5\n{2**53 + 1}".encode()).words()
    with pytest.raises(Misplaced, match=r"is too large: numbers end at 2\*\*53 here"):
        words.reals()


@pytest.mark.parametrize("sign", ["", "+", "-"])
@pytest.mark.parametrize(
    ("kind", "beside", "power"), [("reals", "0.5", 53), ("wholes", "1", 62)]
)
def test_numbers_of_either_sign_are_read_up_to_the_end(sign, kind, beside, power):
    """Of reals, 2**53 is none: 2**53 + 1 would be read as this float, too."""
    largest = 2**power - (kind == "reals")
    words = Text(f"{beside} {sign}{largest} {beside}".encode()).words()
    assert getattr(words, kind)().tolist()[1] == int(f"{sign}{largest}")
    text = f"{sign}{largest} {beside} {sign}{largest + 1} {beside}"
    told = rf"is too large: numbers end at 2\*\*{power} here$"
    with pytest.raises(Misplaced, match=told) as refusal:
        getattr(Text(text.encode()).words(), kind)()
    assert f"column {text.rindex(sign + str(largest + 1)) + 1} " in str(refusal.value)


@pytest.mark.parametrize("kind", ["wholes", "reals", "numbers"])
@pytest.mark.parametrize("at", [0, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK])
def test_the_first_wrong_word_of_many_is_named(kind, at):
    words = [b"1"] * (2 * BLOCK + 5)
    words[at], words[-1] = b"x", b"y"
    with pytest.raises(Misplaced, match="'x' at column 1 is not a") as refusal:
        getattr(Text(b"\n".join(words)).words(), kind)()
    assert refusal.value.line == at


def test_a_text_is_refused_where_its_words_would_not_fit():
    content = b"1 2\n" * 100
    with capped(COPIES * len(content)):
        assert len(Text(content).words()) == 200
    with (
        capped(COPIES * len(content) - 1),
        pytest.raises(MemoryError, match="to read a text of 400 B takes"),
    ):
        Text(content)


@pytest.mark.parametrize(("index", "base"), [(0, 1), (4, 1), (3, 0), (-1, 0)])
def test_variables_that_do_not_exist_are_refused(index, base):
    words = Text(f"{base}\n{index}".encode()).words()
    right = f"'{index}' at column 1 is not one of the variables {base} to {base + 2}"
    with pytest.raises(Misplaced, match=right) as refusal:
        words.indices(3, base)
    assert refusal.value.line == 1


def test_lines_of_other_lengths_are_refused():
    text = Text(b"1 2 3\n\n4 5 6\n7 8\n9")
    assert len(text.rows(3, 0, 3)) == 6
    with pytest.raises(Misplaced, match="the line has 2 words, not 3") as refusal:
        text.rows(3)
    assert refusal.value.line == 3


def test_comments_are_left_out_and_lines_keep_their_numbers():
    text = Text(b"# a\n1 2\n  c b\n\n3 x").without(b"#", b"c")
    assert text.head(9) == [[b"1", b"2"], [b"3", b"x"]]
    assert list(text.filled) == [1, 4]
    with pytest.raises(Misplaced, match="'x' at column 3") as refusal:
        text.words(2).wholes()
    assert refusal.value.line == 4


def test_the_line_after_the_last_word_is_the_last_line():
    assert Text(b"1\n2\n").words().line_of(2) == 1
    assert Text(b"").words().line_of(0) == 0
