"""OPB: pseudo-Boolean objectives and constraints, of products of literals.

`min:` and `max:` open an objective, as often as there are objectives. Other statements
are constraints, sums with `>=`, `<=`, `=`, `<` or `>` and a bound. A sum has whole
coefficients times products of literals. A literal is a variable or, after `~`, its
negation, 1 - x. Variables x1, x2, ... have these numbers; if there are other names, all
names are labels. Statements end in `;`. Lines that start with `*` are comments; one
before all statements may tell `#variable= n #constraint= m`, which must be true then.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import IO, NamedTuple

import numpy as np

from paretoball.formats.clause_lines import MOST_OBJECTIVES, SEEN, check_named
from paretoball.formats.disk import Misplaced
from paretoball.formats.opb_statements import VARIABLE, statements
from paretoball.formats.source import Source
from paretoball.formats.text import Text, Words, end_to_end, shown
from paretoball.formats.triplets import check_count
from paretoball.landscape import EXACT, Landscape, Terms
from paretoball.numerics import offsets
from paretoball.problems import Clauses, LongClause, Row, clause_terms
from paretoball.system import counted

NAME = "opb"
TITLE = "OPB: pseudo-Boolean objectives and constraints"
SUFFIXES = (".opb",)

COMMENT = b"*"
TOLD = re.compile(rb"\*\s*#variable=")
SIZES = re.compile(
    TOLD.pattern + rb"\s*([0-9]{1,18})(?!\S)"
    rb"(?:\s*#constraint=\s*([0-9]{1,18})(?!\S)|(?!\s*#constraint))"
)
HEAD = re.compile(rb"(min|max)[ \t]*:")
LITERAL = re.compile(rb"~?" + VARIABLE)
TERM = rb"[-+]?[0-9]+(?:\s+~?" + VARIABLE + rb")++"
CONSTRAINT = re.compile(
    TERM + rb"(?:\s+" + TERM + rb")*+\s*(?:>=|<=|=|<|>)\s*[-+]?[0-9]+"
)
RELATION = re.compile(rb"\s*(>=|<=|=|<|>)\s*([-+]?[0-9]+)")
STRICT = {"<": ("<=", -1), ">": (">=", 1)}  # of whole numbers, what else they say
NUMBERED = re.compile(rb"x[1-9][0-9]{0,17}")
MOST_DIGITS = 400  # of a bound
SHORT = 18  # of a number with its sign that surely fits
FIRST_LETTER = ord("A")  # numbers start with bytes below, names and ~ with others


class _Sum(NamedTuple):
    """Factors times products of literals, laid end to end."""

    words: Words
    factors: np.ndarray  # (m,) int64
    starts: np.ndarray  # (m,) int64: the word of each factor
    at: np.ndarray  # (m + 1,) int64: where each product starts in `literals`
    literals: list[bytes]
    distinct: list[bytes]  # each literal once, in the order of appearance


class _Sizes(NamedTuple):
    """What a comment tells; None where it does not."""

    n: int | None
    m: int | None
    line: int


class _Bounded(NamedTuple):
    """A constraint, and the line where it begins."""

    sum: _Sum
    relation: str
    bound: int
    line: int


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
    """The landscape of an OPB file."""
    senses, objectives, constraints = list[str](), list[_Sum](), list[_Bounded]()
    for line, column, statement in _statements(source.text.without(COMMENT)):
        head = HEAD.match(statement)
        if head:
            if len(objectives) == MOST_OBJECTIVES:
                most = f"a file has at most {MOST_OBJECTIVES:,} objectives"
                raise Misplaced(line, f"here is one more, but {most}")
            senses.append(head[1].decode())
            lines = statement[head.end() :].split(b"\n")
            words = Words(lines, line, indent=column + head.end())
            objectives.append(_sum(words))
        elif CONSTRAINT.fullmatch(statement):
            constraints.append(_bounded(statement, line, column))
        else:
            what = (
                "is neither an objective, such as 'min: 2 x1 -3 x2;', nor a "
                "constraint, such as '1 x1 +1 x2 >= 1;'"
            )
            raise Misplaced(line, f"{shown(statement)} {what}")
    if not objectives:
        raise ValueError("it has no objective: 'min:' or 'max:'")
    sizes = _sizes(source.text)
    if sizes.m is not None:
        check_count("constraints", sizes.m, len(constraints), sizes.line)
    return _landscape(senses, objectives, constraints, sizes)


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write a landscape of whole numbers."""
    for statement in statements(landscape):
        file.write(statement.encode())


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


def _bounded(statement: bytes, line: int, column: int) -> _Bounded:
    """A constraint; of whole numbers, `< 3` says the same as `<= 2`."""
    found = RELATION.search(statement)
    assert found is not None
    words = Words(statement[: found.start()].split(b"\n"), line, indent=column)
    bound, relation = int(found[2][:MOST_DIGITS]), found[1].decode()
    if len(found[2]) > MOST_DIGITS or abs(bound) > EXACT:
        after = statement[: found.start(2)].count(b"\n")
        what = "is too large: numbers end at 2**62 here"
        raise Misplaced(line + after, f"the bound {shown(found[2])} {what}")
    relation, step = STRICT.get(relation, (relation, 0))
    left = _linear_sum(words) or _sum(words)
    return _Bounded(left, relation, bound + step, line)


def _linear_sum(words: Words) -> _Sum | None:
    """The same as `_sum`, but sooner, if each word of two is a factor, none too long.

    Files have constraints by the thousand, most of them short and linear.
    """
    every = words.every
    factors, literals = every[::2], every[1::2]
    is_plain = all(len(word) <= SHORT and word[0] < FIRST_LETTER for word in factors)
    if not is_plain or any(word[0] < FIRST_LETTER for word in literals):
        return None
    m = len(literals)
    numbers = np.fromiter(map(int, factors), np.int64, m)
    at, distinct = np.arange(m + 1), list(dict.fromkeys(literals))
    return _Sum(words, numbers, 2 * at[:-1], at, literals, distinct)


def _sum(words: Words) -> _Sum:
    """The products of one objective or constraint."""
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
    return _Sum(words, factors, starts, product_at, literals, distinct)


def _sizes(text: Text) -> _Sizes:
    """The numbers of variables and of constraints that a comment tells."""
    comments = text.starting(COMMENT)
    for line in text.containing(b"#variable="):
        bare = text.lines[line].strip()
        if TOLD.match(bare) and comments[line : line + 1] == [line]:  # none but these
            found = SIZES.match(bare)
            if found is None:
                right = "'* #variable= n #constraint= m', two whole numbers"
                raise Misplaced(line, f"{shown(bare)} is not {right}")
            return _Sizes(int(found[1]), int(found[2]) if found[2] else None, line)
    return _Sizes(None, None, 0)


def _landscape(
    senses: list[str],
    objectives: list[_Sum],
    constraints: list[_Bounded],
    sizes: _Sizes,
) -> Landscape:
    """The landscape of these objectives and constraints."""
    every = [*objectives, *(each.sum for each in constraints)]
    literals = [word for one in every for word in one.distinct]
    names = list(dict.fromkeys(word.lstrip(b"~") for word in literals))
    count = sum(len(one.literals) for one in every)
    if all(map(NUMBERED.fullmatch, names)):
        labels = None
        number_of = {name: int(name[1:]) for name in names}
    else:
        number_of = {name: number for number, name in enumerate(names, 1)}
        labels = [name.decode() for name in names]
    largest = max(number_of, key=number_of.__getitem__, default=b"")
    n = number_of.get(largest, 0)
    if sizes.n is not None and n > sizes.n:
        said = "but line {before} tells " + counted(sizes.n, "variable")
        what = f"{shown(largest)} is variable {n}, {said}"
        raise Misplaced(_line_of(largest, every), what, sizes.line)
    if labels is None and sizes.n is not None:
        n = sizes.n
        check_named(n, count, sizes.line)
    elif labels is None and largest:
        check_named(n, count, _line_of(largest, every))
    if n == 0:
        raise ValueError("its objectives have no variables")
    signed = {name: -number for name, number in number_of.items()}
    signed |= {b"~" + name: number for name, number in number_of.items()}
    terms = [_terms(one, signed) for one in objectives]
    rows = [_row(one, signed) for one in constraints]
    return Landscape.from_terms(n, terms, senses, labels, constraints=rows)


def _line_of(name: bytes, sums: Sequence[_Sum]) -> int:
    """The first line with a variable."""
    for one in sums:
        for at, word in enumerate(one.words.every):
            if word.lstrip(b"~") == name:
                return one.words.line_of(at)
    raise AssertionError("every name stands in a sum")


def _terms(one: _Sum, signed: dict[bytes, int]) -> list[Terms]:
    """A sum as clauses of opposite literals, since these fail together."""
    every = one.literals
    literals = np.fromiter(map(signed.__getitem__, every), np.int64, len(every))
    if len(literals) == len(one.factors):
        tables = np.zeros((len(literals), 2), np.int64)
        tables[np.arange(len(literals)), (literals < 0).astype(np.intp)] = one.factors
        return [Terms(np.abs(literals)[:, None] - 1, tables)]
    try:
        return clause_terms(Clauses(literals, one.at, one.factors), satisfied=False)
    except LongClause as error:
        line = one.words.line_of(int(one.starts[error.clause]))
        raise Misplaced(line, f"a product {error}") from None


def _row(given: _Bounded, signed: dict[bytes, int]) -> Row:
    """A constraint, if its sum can be within its bound."""
    terms, relation, bound = _terms(given.sum, signed), given.relation, given.bound
    lowest = sum(int(each.tables.min(axis=1).astype(object).sum()) for each in terms)
    highest = sum(int(each.tables.max(axis=1).astype(object).sum()) for each in terms)
    if (relation != ">=" and lowest > bound) or (relation != "<=" and highest < bound):
        reach = f"its sum is from {lowest} to {highest}, never {relation} {bound}"
        raise Misplaced(given.line, f"no solution satisfies the constraint: {reach}")
    return Row(terms, relation, bound)
