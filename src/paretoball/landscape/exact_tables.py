"""Tables with a `Fraction` or a `Decimal`: taken exactly, or refused.

A float beside them counts as the decimal that it is printed as.
"""

from decimal import Decimal
from fractions import Fraction
from itertools import chain
from math import lcm, nan
from typing import Any

import numpy as np

from paretoball.landscape.subfunctions import EXACT, Subfunctions, entry_in_words
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief, is_whole

EXACT_DECIMALS = 2**51  # steps: up to here, each decimal has its own float
MOST_DIGITS = 15  # decimal places of a step
LEAST_BITS, MOST_BITS = -900, 959  # binary places of a step
LONGEST = 1000  # digits of a decimal, and its exponent: others are not looked at


def with_fractions(given: Subfunctions) -> Subfunctions:
    """Tables of ints, floats and fractions; without these, int64 or float64 arrays."""
    numbers = [exact_number(value) for value in given.tables.tolist()]
    largest = EXACT if all(isinstance(each, int) for each in numbers) else LARGEST_FLOAT
    for e, number in enumerate(numbers):
        if number is None:
            what = "which is not a number, or has more than 1,000 digits"
            raise TypeError(_refusal(given, e, what))
        if not isinstance(number, float) and not -EXACT <= number <= EXACT:
            what = "but exact arithmetic ends at 2**62 = 4.6e18"
            raise OverflowError(_refusal(given, e, what))
        if isinstance(number, int) and abs(number) > largest:
            what = "but where tables are real, whole numbers end at 2**53 = 9e15"
            raise ValueError(_refusal(given, e, what))
    is_exact = any(isinstance(each, Fraction) for each in numbers)
    return given._replace(tables=np.array(numbers, object if is_exact else None))


def exact_number(value: Any) -> int | float | Fraction | None:
    """A number of any kind that tables may hold, or None."""
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int):
            return nan if value.is_nan() else float(value)  # refused later
        is_short = len(digits) <= LONGEST and abs(exponent) <= LONGEST
        return Fraction(value) if is_short else None
    if isinstance(value, Fraction):
        return value
    if is_whole(value):
        return int(value)
    return float(value) if isinstance(value, float | np.floating) else None


def exact_scales(given: Subfunctions) -> dict[int, float]:
    """Steps per unit of each objective with a fraction among its table entries."""
    exact = [isinstance(value, Fraction) for value in given.tables.tolist()]
    owners = np.unique(given.owners()[exact]).tolist()
    return {i: _exact_scale(given, i) for i in owners}


def _exact_scale(given: Subfunctions, i: int) -> float:
    """Steps per unit of objective i that hold all its values exactly."""
    tables = [
        [Fraction(repr(v) if isinstance(v, float) else v) for v in table.tolist()]
        for _, table in given.of(i)
    ]
    values = list(chain.from_iterable(tables))
    reach = sum(max(map(abs, table)) for table in tables)
    start = int(given.table_at[np.searchsorted(given.objective, i)])
    for scale in _scales(values):
        if reach * scale <= EXACT_DECIMALS:
            return float(scale)
    sizes = [(value.denominator, abs(value.numerator)) for value in values]
    odd = [e for e, (b, _) in enumerate(sizes) if not (_is_decimal(b) or _is_binary(b))]
    worst = odd[0] if odd else sizes.index(max(sizes))
    what = (
        f"but no step of 10^-d or 2^-e holds objective {i} exactly in at most "
        f"2**51 = 2.3e15 steps: {_advice(values)}"
    )
    raise ValueError(_refusal(given, start + worst, what))


def check_whole_steps(given: Subfunctions, scale: np.ndarray) -> None:
    """Refuse a fraction that is not a whole number of steps."""
    per_unit = scale[given.owners()].tolist()
    for e, value in enumerate(given.tables.tolist()):
        if not isinstance(value, float) and (value * Fraction(per_unit[e])) % 1:
            what = f"not a whole number of steps (steps per unit: {per_unit[e]:g})"
            raise ValueError(_refusal(given, e, what))


def _scales(values: list[Fraction]) -> list[Fraction]:
    """The fewest steps per unit that hold all values: a power of 10, one of 2."""
    denominators = {value.denominator for value in values}
    found = []
    if all(map(_is_decimal, denominators)):
        common = lcm(*denominators)
        powers = (10**digits for digits in range(MOST_DIGITS + 1))
        found.append(Fraction(next(power for power in powers if power % common == 0)))
    if all(map(_is_binary, denominators)):
        bits = max(map(_fineness, filter(None, values)), default=0)
        if LEAST_BITS <= bits <= MOST_BITS:
            found.append(Fraction(2) ** bits)
    return found


def _is_decimal(denominator: int) -> bool:
    """Whether fractions with this denominator have few decimal places."""
    return 10**MOST_DIGITS % denominator == 0


def _is_binary(denominator: int) -> bool:
    """Whether it is a power of 2."""
    return denominator.bit_count() == 1


def _fineness(value: Fraction) -> int:
    """The e of the largest step 2^-e that may hold a value: negative for even ints."""
    top, bottom = abs(value.numerator), value.denominator
    return (bottom & -bottom).bit_length() - (top & -top).bit_length()


def _advice(values: list[Fraction]) -> str:
    """What would be right instead of values that no step holds."""
    common = 1
    for denominator in {value.denominator for value in values}:
        common = lcm(common, denominator)
        if common > EXACT:
            return "round its tables to fewer digits, or give them as floats"
    if common == 1:
        return "give whole numbers as ints, in all tables"
    return f"multiply its tables by {common}, their common denominator"


def _refusal(given: Subfunctions, e: int, what: str) -> str:
    """Where entry e of all tables stands, its value, and what is wrong with it."""
    return f"{entry_in_words(given, e, brief(given.tables[e]))}, {what}"
