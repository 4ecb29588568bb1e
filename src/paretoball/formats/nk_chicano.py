"""NK and Mk landscapes of the paper's authors, a mask and a table at a time.

`p NK n K`, `p NK n K q` or `p NK n K q m` starts an objective of m subfunctions, one
per variable where m is not said, of K + 1 variables each; `p MK n` starts one of any
subfunctions. Each subfunction is a line `m` with its variables, which count from 0, and
a line with its table. The first variable is the highest bit of an index. Lines that
start with `c` are comments. An objective is the sum of its subfunctions, maximised; a
file may have several.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.native import check_unread
from paretoball.formats.nk import (
    check_distinct,
    checked_arity,
    checked_objectives,
    first_highest,
)
from paretoball.formats.source import Source
from paretoball.formats.text import Text, shown
from paretoball.landscape import Landscape
from paretoball.numerics import offsets
from paretoball.system import counted

NAME = "nk-chicano"
TITLE = "NK or Mk landscape of Chicano, Whitley and Tinós"
SUFFIXES: tuple[str, ...] = ()
COMMENT = b"c"
KINDS = ([b"p", b"NK"], [b"p", b"MK"])


def sniff(source: Source) -> bool:
    """Whether its first line says so."""
    return source.text.opening(COMMENT)[:2] in KINDS


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text.without(COMMENT)
    headers, masks_in, tables_in = _sorted_lines(text)
    for line in masks_in:
        text.lines[line] = text.lines[line].replace(b"m", b" ", 1)
    arities = _checked_arities(text, masks_in, tables_in)
    owners = np.searchsorted(headers, masks_in) - 1
    n = _checked_headers(text, headers, owners, arities)
    words = text.only(masks_in)
    masks, mask_at = words.indices(n, 0), offsets(arities)
    check_distinct(words, np.arange(len(masks)), mask_at, masks)
    check_unread(n, len(masks), headers[0])
    tables = _whole_if_they_are(text.only(tables_in).reals())
    masks, table_at = first_highest(mask_at, masks), offsets(1 << arities)
    d = len(headers)
    return Landscape.from_arrays(n, d, owners, mask_at, masks, table_at, tables)


def _sorted_lines(text: Text) -> tuple[list[int], list[int], list[int]]:
    """The lines with headers, with masks, and with tables."""
    headers, masks, tables = list[int](), list[int](), list[int]()
    for line in text.filled:
        first = text.lines[line].lstrip()[:1]
        if len(masks) > len(tables) and first not in (b"p", b"m"):
            tables.append(line)
        elif len(masks) > len(tables):
            break
        elif first == b"p":
            headers.append(line)
        elif first == b"m" and headers:
            masks.append(line)
        else:
            found = shown(text.lines[line].strip())
            right = "'m' and a mask" if headers else "'p NK' or 'p MK'"
            raise Misplaced(line, f"the line {found} does not start with {right}")
    if len(masks) > len(tables):
        raise Misplaced(masks[-1], "no table follows this mask")
    if not headers:
        raise ValueError("there is no line 'p NK' or 'p MK'")
    checked_objectives(len(headers), headers[-1])
    return headers, masks, tables


def _checked_arities(text: Text, masks: list[int], tables: list[int]) -> np.ndarray:
    """How many variables each mask has, if its table is as long as that needs."""
    arities = [len(text.lines[line].split()) for line in masks]
    sizes = [len(text.lines[line].split()) for line in tables]
    for arity, size, line in zip(arities, sizes, tables):
        if size != 1 << checked_arity(arity, line - 1):
            found, right = counted(size, "number"), 1 << arity
            raise Misplaced(line, f"a table of {found}, but its mask needs {right}")
    return np.array(arities, np.int64)


def _checked_headers(
    text: Text, headers: list[int], owners: np.ndarray, arities: np.ndarray
) -> int:
    """n, if all headers agree on it and the subfunctions are as they say."""
    known = 0
    for i, line in enumerate(headers):
        words = text.words(line, line + 1)
        is_nk = words.every[:2] == KINDS[0]
        if words.every[:2] not in KINDS or len(words) not in (
            (4, 5, 6) if is_nk else (3,)
        ):
            found = shown(text.lines[line].strip())
            raise Misplaced(
                line, f"the header is {found}, not 'p NK n K q m' or 'p MK n'"
            )
        n, *others = words.wholes(2).tolist()
        known = known or n
        if n < 1 or n != known:
            raise Misplaced(line, f"n = {n}, but it must be {max(1, known)}")
        own = arities[owners == i]
        if is_nk:
            m = others[2] if len(others) == 3 else n
            if len(own) != m:
                found = counted(len(own), "subfunction")
                raise Misplaced(line, f"after this header come {found}, not {m:,}")
            if (own != others[0] + 1).any():
                wrong = own[own != others[0] + 1][0]
                raise Misplaced(
                    line, f"K = {others[0]}, but a mask has {wrong} variables"
                )
    return int(known)


def _whole_if_they_are(numbers: np.ndarray) -> np.ndarray:
    """Numbers without fractions as whole ones; Java writes those as 12.0, too."""
    is_whole = numbers.dtype.kind == "i" or np.array_equal(np.rint(numbers), numbers)
    return numbers.astype(np.int64) if is_whole else numbers
