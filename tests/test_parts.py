"""Parts of kernels: compiled in few passes, they do what they do as plain Python."""

from copy import deepcopy
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.errors import TypingError
from numpy.testing import assert_array_equal

from paretoball._footprint import footprint
from paretoball._jit import by_type, inlined, kernel

compiled = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="nothing is compiled"
)
checked = pytest.mark.skipif(
    not numba.config.DISABLE_JIT and not numba.config.BOUNDSCHECK,
    reason="nobody checks bounds",
)
pytestmark = [pytest.mark.plain, pytest.mark.bounds]


def assert_same(one: Any, other: Any) -> None:
    """Numbers and arrays are equal, in whatever tuples."""
    if isinstance(one, tuple):
        assert len(one) == len(other)
        for each, its in zip(one, other):
            assert_same(each, its)
    elif isinstance(one, np.ndarray):
        assert_array_equal(one, other, strict=True)
    else:
        assert one == other or (one != one and other != other)


def both(function: Any, *arguments: Any) -> Any:
    """What a kernel returns; as plain Python it returns and writes the same."""
    here, there = deepcopy(arguments), deepcopy(arguments)
    found = function(*here)
    assert_same(found, getattr(function, "py_func", function)(*there))
    assert_same(here, there)
    return found


# --- Tuples of arrays, through two levels of parts.


class Inner(NamedTuple):
    factor: int
    values: np.ndarray
    scale: float
    is_odd: bool


class Outer(NamedTuple):
    left: Inner
    weight: float
    right: Inner
    grid: np.ndarray
    pair: tuple


def new_outer(n: int = 4) -> Outer:
    """One in which no two numbers are equal."""
    left = Inner(3, np.arange(n), 0.5, True)
    right = Inner(7, 10 + np.arange(n, dtype=np.int32), 0.25, False)
    grid = 100.0 + np.arange(2.0 * n).reshape(2, n)
    return Outer(left, 1.5, right, grid, (11, (13.5, np.arange(n, 2 * n))))


@inlined
def told(inner, at):
    total = inner.factor * inner.values[at] + inner.scale
    if inner.is_odd:
        total += 1000
    return total


@inlined
def mixed(outer, at):
    outer.left.values[at] += outer.right.values[-1 - at]
    outer.grid[1, at] -= told(outer.right, at)
    first, (second, third) = outer.pair
    return told(outer.left, at) + outer.weight * first + second * third[at]


@kernel
def mix(outer):
    total = 0.0
    for at in range(len(outer.left.values)):
        total += mixed(outer, at) * (at + 1)
    return total


@inlined
def all_of(inner):
    total = 0.0
    for at in range(len(inner.values)):
        total += told(inner, at)
    return total


@kernel
def rebuilt(outer):
    """Tuples are built of parts of others, and passed on."""
    crossed = Inner(outer.right.factor, outer.left.values, outer.weight, True)
    swapped = Outer(outer.right, 2.5, crossed, outer.grid, (5, (0.5, crossed.values)))
    return all_of(crossed) + 3 * all_of(swapped.left) + mixed(swapped, 1)


@pytest.mark.parametrize("function", [mix, rebuilt])
def test_tuples_of_arrays_reach_parts_of_parts(function):
    for n in (2, 4, 5):
        both(function, new_outer(n))


class One(NamedTuple):
    a: int
    b: np.ndarray
    c: float


class Other(NamedTuple):
    c: float
    a: int
    b: np.ndarray


class Third(NamedTuple):
    b: np.ndarray


@inlined
def by_name(of):
    return of.a + 10 * of.b[1] + 100 * of.c


class Twins(NamedTuple):
    first: np.ndarray
    a: int
    b: int
    last: np.ndarray


@inlined
def twin_of(twins):
    return twins.first[0] + 10 * twins.a + 100 * twins.b + 1000 * twins.last[0]


@kernel
def names(one, other):
    return by_name(one), by_name(other)


@kernel
def twins_of(twins):
    return twin_of(twins), twin_of(Twins(twins.last, twins.b, twins.a, twins.first))


def test_fields_are_found_by_name_in_whatever_order():
    values = np.array([2, 3])
    found = both(names, One(1, values, 0.5), Other(1.5, 4, values + 5))
    assert found == (81.0, 234.0)
    twins = Twins(np.array([1]), 2, 3, np.array([4]))
    assert both(twins_of, twins) == (4321, 1234)


# --- Items.


class Indices(NamedTuple):
    """A row and a column, of each kind."""

    i8: np.ndarray
    i4: np.ndarray
    i1: np.ndarray
    u8: np.ndarray
    u4: np.ndarray
    u1: np.ndarray


@inlined
def read_line(line, at, out):
    out[0] = line[at.i8[0]]
    out[1] = line[at.i4[0]]
    out[2] = line[at.i1[0]]
    out[3] = line[at.u8[0]]
    out[4] = line[at.u4[0]]
    out[5] = line[at.u1[0]]
    out[6] = line[-1]
    out[7] = line[0]


@inlined
def read_grid(grid, at, out):
    out[8] = grid[at.i8[0], at.i8[1]]
    out[9] = grid[at.i4[0], at.i1[1]]
    out[10] = grid[at.u8[0], at.u8[1]]
    out[11] = grid[at.u1[0], at.i8[1]]
    out[12] = grid[at.i8[0], at.u4[1]]
    out[13] = grid[-1, at.i4[1]]
    out[14] = grid[at.i1[0], 0]
    place = (at.i8[0], at.i8[1])
    out[15] = grid[place]


@inlined
def write(line, grid, at, values):
    line[at.i8[0]] = values[0]
    line[at.i4[0]] += values[1]
    line[at.u1[0]] ^= values[2]
    line[-1] -= values[3]
    grid[at.i8[0], at.i8[1]] = values[4]
    grid[at.i4[0], at.u4[1]] += values[5]
    grid[at.u8[0], -1] ^= values[6]
    grid[at.i1[0], at.i1[1]] -= values[7]


@kernel
def items(line, grid, at, values, out):
    read_line(line, at, out)
    read_grid(grid, at, out)
    write(line, grid, at, values)


@st.composite
def placed(draw: Any) -> tuple[Any, ...]:
    """A line and a grid, with places in both: signed ones may count from the end."""
    shape = draw(st.integers(1, 5) | st.just(300)), draw(st.integers(1, 5))

    def place(kind: str) -> np.ndarray:
        limits, least = np.iinfo(kind), 0 if kind[0] == "u" else -1
        ends = [(max(least * n, limits.min), min(n - 1, limits.max)) for n in shape]
        return np.array([draw(st.integers(*end)) for end in ends], kind)

    at = Indices(*map(place, Indices._fields))
    grid = 10 + np.arange(shape[0] * shape[1]).reshape(shape)
    values = np.array(draw(st.lists(st.integers(-99, 99), min_size=8, max_size=8)))
    return 50 + np.arange(shape[0]), grid, at, values, np.zeros(16, np.int64)


@given(placed())
def test_items_are_where_python_finds_them(drawn):
    both(items, *drawn)


class Kinds(NamedTuple):
    bools: np.ndarray
    f4: np.ndarray
    f8: np.ndarray
    i1: np.ndarray
    i4: np.ndarray
    u1: np.ndarray
    i8: np.ndarray


@inlined
def convert(kinds, at):
    """Store whatever there is as another kind."""
    kinds.i4[at] = kinds.i8[at]
    kinds.u1[at] = np.abs(kinds.i8[at]) % 256
    kinds.i1[at] = kinds.i8[at] % 256 - 128
    kinds.bools[at] = kinds.i8[at]
    kinds.f4[at] = kinds.f8[at]
    kinds.f8[at] = kinds.f4[at] * kinds.f4[0]
    kinds.u1[at] ^= 1
    kinds.bools[at] |= kinds.i8[at] > 3


@inlined
def count(kinds, at):
    """Read all kinds."""
    total = 0.0
    if kinds.bools[at]:
        total += kinds.f4[at]
    total += np.int64(kinds.bools[-1]) + kinds.i1[at] * kinds.f8[at]
    return total + kinds.i4[at] - np.int64(kinds.u1[at]), kinds.f4[at] > kinds.f8[at]


@kernel
def convert_all(kinds):
    total, over = 0.0, False
    for at in range(len(kinds.i8)):
        convert(kinds, at)
        more, is_over = count(kinds, at)
        total += more
        over |= is_over
    return total, over


def test_items_of_every_kind_are_stored_as_numpy_stores_them():
    """Integers that fit; floats are rounded."""
    i8 = np.array([0, 1, -1, 200, 2**31 - 1, -(2**31), 127, 256])
    f8 = np.array([0.1, 1 / 3, 2.0**-140, 3.0, 1e30, -0.2, 16777217.0, 7.0])
    blank = [np.zeros(8, kind) for kind in ("?", "f4", "i1", "i4", "u1")]
    bools, f4, i1, i4, u1 = blank
    both(convert_all, Kinds(bools, f4, f8, i1, i4, u1, i8))


# --- Rows and slices.


@inlined
def weighed(values):
    total = 0
    for at in range(len(values)):
        total += (at + 1) * values[at]
    return total + 100 * values[-1]


@inlined
def raised(values, by):
    for at in range(values.shape[0]):
        values[at] += by
    for value in values:
        by += value
    return by


@kernel
def cut(line, grid, cube, first, last):
    """Rows, columns and slices are arrays of their own."""
    total = weighed(grid[first]) + 3 * weighed(grid[-1, 1:])
    total += 5 * weighed(line[first:last]) + 7 * weighed(line[-last:])
    total += 9 * weighed(line[::2]) + 11 * weighed(grid[:, 1])
    total += 13 * weighed(grid[first:last][0]) + 15 * weighed(cube[1, first])
    total += raised(line[first:last], 17) + raised(grid[1], 19) + raised(cube[0, 1], 23)
    total += raised(grid[:, 0], 29) + cube[1, -1, 1] + len(grid) + grid.size
    cube[0, 0, -1] = total
    return total + cube.shape[2]


@pytest.mark.parametrize(("first", "last"), [(0, 2), (1, 3), (0, 3)])
def test_rows_and_slices_are_passed_on(first, last):
    cube = np.arange(18).reshape(2, 3, 3)
    both(cut, np.arange(5) ** 2, 50 + np.arange(12).reshape(3, 4), cube, first, last)


# --- Tuples, returned and taken apart.


@inlined
def ends(values):
    low = high = values[0]
    for value in values:
        low, high = min(low, value), max(high, value)
    return low, high


@inlined
def nested(values, scale):
    return ends(values), (scale, values, len(values) > 2), 7


@inlined
def difference(pair):
    low, high = pair
    return high - low


@kernel
def unpacked(values, other, pair):
    low, high = ends(values)
    (least, most), (scale, same, is_long), seven = nested(other, 0.5)
    same[0] += seven
    whole = nested(values, pair[1])
    inner = whole[1]
    inner[1][-1] -= 1000
    several, total = (high, low, least, most), 0
    for at in range(4):
        total = 10 * total + several[at]
    for each in several[1:]:
        total = 3 * total + each
    total += len(several) + several[-1] * pair[-1] + whole[-3][0] + whole[-1]
    return total * scale, difference(whole[0]) + difference(pair), is_long, pair[0]


def test_tuples_are_returned_unpacked_built_and_indexed():
    for values in ([5, 3, 9], [2, 8]):
        both(unpacked, np.array(values), np.array([4, 1, 6]), (2, 5))


# --- Names with several values.


@inlined
def alternating(one, other, steps):
    """The arrays change places; so do the tuples of them."""
    best, pair, total = one, (one, 1), 0
    for step in range(steps):
        one, other = other, one
        if one[0] > step:
            best = other
            pair = (other, step)
        elif step % 3 == 0:
            pair = (best, -step)
        else:
            best = one
        best[-1] += step
        total = 2 * total + best[0] + pair[0][-1] * pair[1]
    return total, best


@inlined
def first_above(values, first, last, bound):
    """Arguments are assigned to."""
    while first < last:
        middle = (first + last) // 2
        if values[middle] < bound:
            first = middle + 1
        else:
            last = middle
    values = values[first:]
    bound = len(values)
    return first, bound


@inlined
def chosen_row(outer, flag):
    inner = outer.left
    if flag:
        inner = Inner(outer.left.factor + 1, outer.left.values[1:], 0.125, False)
    at = 0
    while told(inner, at) < 1010 and at + 1 < len(inner.values):
        at += 1
        if inner.values[at] == 2:
            continue
        inner.values[at] += 1
    return told(inner, at)


@kernel
def assigned(one, other, outer, steps):
    total, best = alternating(one, other, steps)
    best[0] -= 1
    for bound in range(steps):
        first, rest = first_above(outer.left.values, 0, 4, bound)
        total += bound * first + rest
    return total, chosen_row(outer, steps % 2 == 0), chosen_row(outer, steps > 3)


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 8])
def test_names_are_assigned_in_branches_and_loops(steps):
    both(assigned, np.array([4, 2]), np.array([3, 1, 5]), new_outer(), steps)


# --- Parts that share parts; kernels that call kernels.


@inlined
def leaf(values, at):
    values[at] += 1
    return values[at]


@inlined
def left(values):
    return 3 * leaf(values, 0) + leaf(values, -1)


@inlined
def right(values):
    return left(values) - 5 * leaf(values, 1)


@inlined
def silent(values):
    """Nothing is returned."""
    if leaf(values, 0) > 2:
        return
    leaf(values, 1)


@kernel
def diamond(values):
    total = leaf(values, 1) + right(values)
    silent(values)
    return total - left(values) + right(values)


@kernel
def above(values, outer):
    """Kernels call kernels, which have parts of their own."""
    return diamond(values) + mix(outer) + left(values) + diamond(outer.left.values)


@kernel
def shared(ints, floats, outer):
    """One part, with several types in one kernel."""
    return left(ints) + left(floats), right(outer.grid[0]) + right(outer.right.values)


def test_parts_that_share_parts_are_linked_in_any_order():
    assert both(diamond, np.array([0, 0])) == -40


def test_kernels_call_kernels():
    both(above, np.array([2, 0, 1]), new_outer())


def test_a_part_is_compiled_for_each_list_of_types():
    both(shared, np.array([1, 2]), np.array([0.5, 0.25]), new_outer())
    for kind in ("i8", "i4", "f8", "f4"):
        values = np.array([1, 2, 3], kind)
        both(diamond, values)
        both(diamond, np.append(values, values))


@inlined
def scaled(value, by):
    return value * by


@kernel
def with_keyword(value):
    return scaled(value, by=2)


@compiled
def test_a_call_with_keywords_is_refused():
    with pytest.raises(TypingError, match=r"scaled.* is called with keywords"):
        with_keyword(3)


# --- Errors.


@inlined
def divided(one, other):
    return one // other


@inlined
def remaining(values, one, other):
    values[0] += 1
    rest = one - other * divided(one, other)
    values[0] += 10
    return rest


@kernel
def remainder(values, one, other):
    rest = remaining(values, one, other)
    values[0] += 100
    return rest


@inlined
def checked_root(value):
    if value < 0:
        raise ValueError("it is below 0")
    return value**0.5


@kernel
def roots(values):
    for at in range(len(values)):
        values[at] = checked_root(values[at])


def test_an_error_in_a_part_ends_the_kernel_at_once():
    values = np.zeros(1, np.int64)
    with pytest.raises(ZeroDivisionError):
        remainder(values, 7, 0)
    assert values.tolist() == [1]
    assert both(remainder, values, 7, 4) == 3
    squares = np.array([4.0, 9.0, -1.0, 16.0])
    with pytest.raises(ValueError, match="it is below 0"):
        roots(squares)
    assert squares.tolist() == [2.0, 3.0, -1.0, 16.0]


@inlined
def item(line, grid, at, column):
    return line[at] + grid[at, column]


@kernel
def looked_up(line, grid, at, column):
    return item(line, grid, at, column)


@checked
@pytest.mark.parametrize(
    ("at", "column"), [(3, 0), (-4, 0), (0, 2), (0, -3), (2**40, 1), (2, 0)]
)
def test_with_bounds_checks_an_item_that_is_not_there_is_an_error(at, column):
    line, grid = np.arange(3), np.zeros((2, 2))
    assert both(looked_up, line, grid, -2, -1) == 1
    with pytest.raises(IndexError):
        looked_up(line, grid, at, column)


# --- One of several, by type.


@inlined
def of_one(before, of, by):
    return before + by * of.a


@inlined
def of_other(before, of, by):
    return before - by * of.b[-1] + of.c


@inlined
def of_third(before, of, by):
    of.b[0] = before
    return by


second = by_type("of", {One: of_one, Other: of_other, Third: of_third})


@inlined
def only_c(of):
    return of.c


@inlined
def c_and_more(of):
    return second(1, of, 2) + of.c


first_of = by_type("of", {One: only_c, Other: c_and_more})


@inlined
def through(of, by):
    """A choice in a part, and one in what was chosen."""
    return first_of(of) + second(by, of, 10)


@kernel
def choose(of, by):
    return through(of, by)


@kernel
def choose_all(one, other, third):
    return second(1, one, 2), second(3, other, 4), second(5, third, 6)


ONE, OTHER = One(3, np.array([4]), 0.5), Other(1.25, 7, np.array([8, 9]))
THIRD = Third(np.array([1, 2]))


def test_the_type_of_an_argument_chooses_in_kernels_and_in_python():
    assert both(choose, ONE, 6) == 36.5
    assert both(choose, OTHER, 6) == 1 - 18 + 1.25 + 1.25 + 6 - 90 + 1.25
    both(choose_all, ONE, OTHER, THIRD)
    third = deepcopy(THIRD)
    assert (second(1, ONE, 2), second(3, OTHER, 4)) == (7, 3 - 36 + 1.25)
    assert (second(5, third, 6), third.b.tolist()) == (6, [5, 2])


def test_a_choice_has_one_place_for_its_argument():
    with pytest.raises(ValueError, match="too many values"):
        by_type("of", {One: of_one, Other: only_c})
    with pytest.raises(ValueError, match="not in list"):
        by_type("of", {One: leaf})


@compiled
def test_a_type_that_is_no_choice_is_refused():
    with pytest.raises(Exception, match="Third"):
        choose(THIRD, 1)


@pytest.mark.parametrize("edited", [of_one, of_other, of_third, only_c, c_and_more])
def test_an_edit_of_any_choice_is_noticed_where_it_is_reached(monkeypatch, edited):
    before = {each: footprint(each) for each in (choose, choose_all, diamond)}
    monkeypatch.setattr(edited, "__code__", (lambda *_: 1).__code__)
    changed = {each for each in before if footprint(each) != before[each]}
    is_first = edited in (only_c, c_and_more)
    assert changed == ({choose} if is_first else {choose, choose_all})
