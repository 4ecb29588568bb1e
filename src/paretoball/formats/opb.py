"""OPB: pseudo-Boolean objectives, sums of coefficients times products of literals.

`min:` and `max:` open an objective, as often as there are objectives. A literal is a
variable or, after `~`, its negation, 1 - x. Variables x1, x2, ... have these numbers;
if there are other names, all names are labels. Statements end in `;`. Lines that start
with `*` are comments.
"""

import re
from collections.abc import Iterator
from itertools import compress
from typing import NamedTuple

import numpy as np

from paretoball.formats.clause_lines import MOST_OBJECTIVES, SEEN, check_named
from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.text import Text, Words, end_to_end, shown
from paretoball.landscape import Landscape, Terms
from paretoball.numerics import offsets
from paretoball.problems import Clauses, LongClause, clause_terms

NAME = "opb"
TITLE = "OPB: pseudo-Boolean objectives"
SUFFIXES = (".opb",)

COMMENT = b"*"
SIZES = re.compile(rb"\*\s*#variable=\s*([0-9]{1,18})\b")
HEAD = re.compile(rb"(min|max)[ \t]*:")
VARIABLE = rb"[A-Za-z_][!-),./0-9?-}]*+"  # what is printable, but none of ~:;<>=*+-
LITERAL = re.compile(rb"~?" + VARIABLE)
TERM = rb"[-+]?[0-9]+(?:\s+~?" + VARIABLE + rb")++"
CONSTRAINT = re.compile(
    TERM + rb"(?:\s+" + TERM + rb")*+\s*(?:>=|<=|!=|=|<|>)\s*[-+]?[0-9]+"
)
NUMBERED = re.compile(rb"x[1-9][0-9]{0,17}")
FIRST_LETTER = ord("A")  # numbers start with bytes below, names and ~ with others


class _Objective(NamedTuple):
    """One `min:` or `max:`: products of literals, laid end to end."""

    sense: str
    words: Words
    factors: np.ndarray  # (m,) int64
    starts: np.ndarray  # (m,) int64: the word of each factor
    at: np.ndarray  # (m + 1,) int64: where each product starts in `literals`
    literals: list[bytes]
    distinct: list[bytes]  # each literal once, in the order of appearance


def sniff(source: Source) -> bool:
    """Whether it says how many variables it has, or opens with a statement."""
    for line in source.text.lines[:SEEN]:
        bare = line.strip()
        if bare.startswith(COMMENT):
            if SIZES.match(bare):
                return True
        elif bare:
            statement = bare.split(b";")[0].strip()
            return bool(HEAD.match(bare) or CONSTRAINT.fullmatch(statement))
    return False


def read(source: Source) -> Landscape:
    """The landscape of an OPB file, if it has no constraints."""
    objectives, constraints = list[_Objective](), list[int]()
    for line, column, statement in _statements(source.text.without(COMMENT)):
        head = HEAD.match(statement)
        if head:
            if len(objectives) == MOST_OBJECTIVES:
                most = f"a file has at most {MOST_OBJECTIVES:,} objectives"
                raise Misplaced(line, f"here is one more, but {most}")
            lines = statement[head.end() :].split(b"\n")
            words = Words(lines, line, indent=column + head.end())
            objectives.append(_objective(head[1].decode(), words))
        elif CONSTRAINT.fullmatch(statement):
            constraints.append(line)
        else:
            what = (
                "is neither an objective, such as 'min: 2 x1 -3 x2;', nor a constraint"
            )
            raise Misplaced(line, f"{shown(statement)} {what}")
    if constraints:
        what = "a constraint: constraints are not supported yet"
        raise Misplaced(constraints[0], what)
    if not objectives:
        raise ValueError("it has no objective: 'min:' or 'max:'")
    return _landscape(objectives, _size(source.text))


def _statements(text: Text) -> Iterator[tuple[int, int, bytes]]:
    """Each statement without its `;`, and the line and the column where it starts."""
    whole = end_to_end(text.lines, b"\n")
    *statements, left = whole.split(b";")
    line = column = 0
    for statement in statements:
        bare = statement.lstrip()
        line, column = _after(statement[: len(statement) - len(bare)], line, column)
        if not bare:
            raise Misplaced(line, "a ';' ends no statement")
        yield line, column, bare.rstrip()
        line, column = _after(bare + b";", line, column)
    if left.strip():
        line += left[: len(left) - len(left.lstrip())].count(b"\n")
        raise Misplaced(line, f"{shown(left.strip())} does not end in ';'")


def _after(text: bytes, line: int, column: int) -> tuple[int, int]:
    """Where a text ends that starts at this line and column."""
    last = text.rfind(b"\n")
    if last < 0:
        return line, column + len(text)
    return line + text.count(b"\n"), len(text) - last - 1


def _objective(sense: str, words: Words) -> _Objective:
    """The products of one objective."""
    every = words.every
    is_factor = words.first_bytes < FIRST_LETTER
    starts = np.flatnonzero(is_factor)
    lengths = np.diff(np.append(starts, len(every))) - 1
    if len(every) and not is_factor[0]:
        raise words.refusal(0, "has no coefficient before it")
    only_factors = [w if is_ else b"0" for w, is_ in zip(every, is_factor.tolist())]
    factors = words.replaced(only_factors).wholes()[starts]
    if not lengths.all():
        at = int(starts[np.argmax(lengths == 0)])
        raise words.refusal(at, "is a coefficient without a variable")
    literals = list(compress(every, (~is_factor).tolist()))
    distinct = list(dict.fromkeys(literals))
    for word in distinct:
        if not LITERAL.fullmatch(word):
            raise words.refusal(every.index(word), "is neither a number nor a variable")
    product_at = offsets(lengths)
    return _Objective(sense, words, factors, starts, product_at, literals, distinct)


def _size(text: Text) -> tuple[int, int]:
    """The number of variables that a comment tells, 0 if none does, and its line."""
    comments = text.starting(COMMENT)
    for line in text.containing(b"#variable="):
        found = SIZES.match(text.lines[line].strip())
        if found and comments[line : line + 1] == [line]:  # only comments before it
            return int(found[1]), line
    return 0, 0


def _landscape(objectives: list[_Objective], size: tuple[int, int]) -> Landscape:
    """The landscape of these objectives."""
    literals = [word for objective in objectives for word in objective.distinct]
    names = list(dict.fromkeys(word.lstrip(b"~") for word in literals))
    count = sum(len(objective.literals) for objective in objectives)
    if all(map(NUMBERED.fullmatch, names)):
        labels = None
        number_of = {name: int(name[1:]) for name in names}
        n, line = size
        largest = max(number_of, key=number_of.__getitem__, default=b"")
        if largest and number_of[largest] > n:
            n, line = number_of[largest], _line_of(largest, objectives)
        check_named(n, count, line)
    else:
        number_of = {name: number for number, name in enumerate(names, 1)}
        labels, n = [name.decode() for name in names], len(names)
    if n == 0:
        raise ValueError("its objectives have no variables")
    signed = {name: -number for name, number in number_of.items()}
    signed |= {b"~" + name: number for name, number in number_of.items()}
    terms = [_terms(objective, signed) for objective in objectives]
    return Landscape.from_terms(n, terms, [each.sense for each in objectives], labels)


def _line_of(name: bytes, objectives: list[_Objective]) -> int:
    """The first line with a variable."""
    for objective in objectives:
        for at, word in enumerate(objective.words.every):
            if word.lstrip(b"~") == name:
                return objective.words.line_of(at)
    raise AssertionError("every name stands in an objective")


def _terms(objective: _Objective, signed: dict[bytes, int]) -> list[Terms]:
    """An objective as clauses of opposite literals, since these fail together."""
    every = objective.literals
    literals = np.fromiter(map(signed.__getitem__, every), np.int64, len(every))
    clauses = Clauses(literals, objective.at, objective.factors)
    try:
        return clause_terms(clauses, satisfied=False)
    except LongClause as error:
        start = int(objective.starts[error.clause])
        line = objective.words.line_of(start)
        raise Misplaced(line, f"a product {error}") from None
