"""Mutants of texts: words, lines and their ends, as editors and people spoil them."""

import re

from mutants import STRANGE, Stream, one_of

NUMBERS = ["0", "1", "2", "-1", "-0", "+3", "7.5", "1e3", "1e999", "1000000000000"]
NUMBERS += ["1_000", "1,5", "0x10", "01", "١٢", "NaN", "inf", "999999999", "2147483648"]
WORDS = ["c", "p", "h", "o1", "min:", "max:", "x1", "~x1", ";", "%", "#", "*", '"01"']
WORDS += [">=", "p cnf 3 2", "p wcnf 3 2 5", "p qubo 0 3 1 1", "MINIMIZE", "Parameters"]
WORDS += ["", "\x00", "\x1b[31m", "é", "\u2028", "\ufeff", "\N{WHITE SQUARE}" * 300]


def spoiled_text(content: bytes, rng: Stream) -> bytes:
    """A few other words, lines lost, repeated or moved, and other ends of lines."""
    lines = content.decode().split("\n")
    for _ in range(one_of(rng, [1, 1, 1, 2, 3])):
        way = one_of(
            rng, ["word"] * 6 + ["lose", "repeat", "move", "cut", "join", "many"]
        )
        at = int(rng.integers(len(lines)))
        if rng.random() < 0.4:
            at = min(at, int(rng.integers(6)))  # where the sizes are
        other = int(rng.integers(len(lines)))
        if way == "word":
            lines[at] = with_another_word(lines[at], rng)
        elif way == "lose":
            del lines[at : at + int(rng.integers(1, 4))]
        elif way == "repeat":
            lines.insert(other, lines[at])
        elif way == "move":
            lines[at], lines[other] = lines[other], lines[at]
        elif way == "cut":
            lines = lines[: at + 1]
            lines[-1] = lines[-1][: int(rng.integers(len(lines[-1]) + 1))]
        elif way == "join":
            lines[at : at + 2] = [" ".join(lines[at : at + 2])]
        else:
            lines[at:at] = [lines[at]] * int(rng.integers(2, 1000))
        lines = lines or [""]
    end = one_of(rng, ["\n"] * 8 + ["\r\n", "\r"])
    start = one_of(rng, [""] * 9 + ["\ufeff"])
    return (start + end.join(lines)).encode()


def with_another_word(line: str, rng: Stream) -> str:
    """A line with a word lost, doubled, replaced or put in."""
    words = list(re.finditer(r"\S+", line))
    if not words:
        return one_of(rng, NUMBERS + WORDS)
    word = one_of(rng, words)
    near = [word[0] * 2, word[0][:-1], "-" + word[0], word[0] + " " + word[0], ""]
    new = one_of(rng, [*NUMBERS, *one_of(rng, [WORDS, STRANGE, near, NUMBERS])])
    return line[: word.start()] + new + line[word.end() :]
