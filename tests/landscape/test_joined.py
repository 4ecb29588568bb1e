"""Several landscapes as one: the objectives of all, each with its own values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from landscapes import built, plains, solutions_of
from paretoball import Landscape
from paretoball.landscape import constraints_of_stored, joined, to_be_stored
from paretoball.landscape.naming import joined_names


@given(st.lists(plains(max_d=2), min_size=1, max_size=3))
def test_objectives_are_put_together_by_label(plain):
    """Parts of different sizes share variables by their labels."""
    parts = []
    for p, each in enumerate(plain):
        labels = [f"x{(j + p) % 7 if j < 7 else j}" for j in range(each.n)]
        names = [f"{p}.{i}" for i in range(len(each.objectives))]
        part = built(each)
        parts.append(
            Landscape.from_arrays(
                part.n,
                part.d,
                *part.subfunctions,
                part.sense,
                labels=labels,
                names=names,
            )
        )
    whole = joined(parts)
    assert whole.names == tuple(name for part in parts for name in part.names)
    assert whole.sense == tuple(one for part in parts for one in part.sense)
    assert set(whole.labels) == {label for part in parts for label in part.labels}
    for x in np.random.default_rng(1).integers(2, size=(4, whole.n)):
        own = [x[[whole.place_of[label] for label in part.labels]] for part in parts]
        values = [part.evaluate(y) for part, y in zip(parts, own)]
        assert_array_equal(whole.evaluate(x), np.concatenate(values))


def test_names_that_parts_share_are_made_distinct():
    one, two = ([((0,), [0, k])] for k in (1, 2))
    named = Landscape.from_subfunctions(1, [one, two], names=["cost", "cost_2"])
    plain = Landscape.from_subfunctions(1, [one])
    whole = joined([named, plain, named, plain])
    assert whole.names == ("cost", "cost_2", "f2", "cost_3", "cost_2_2", "f5")
    assert whole.evaluate([1]).tolist() == [1, 2, 1, 1, 2, 1]


def test_a_name_that_was_given_is_kept_where_a_number_would_be_the_same():
    assert joined_names([("c0", "c1"), ("c2",), ("c0",)], "c") == (
        *("c0", "c1", "c2"),
        "c3",
    )
    assert joined_names([("c1",), ("c0",)], "c") == ("c1", "c1_2")
    assert joined_names([("c0",), ("c0",), ("c1",)], "c") == ("c0", "c1_2", "c1")
    assert joined_names([("c0",), ("c0_2", "c0")], "c") == ("c0", "c0_2", "c0_3")


def test_whole_and_real_objectives_go_together():
    whole = Landscape.from_subfunctions(2, [[((0,), [0, 3])]], "min")
    real = Landscape.from_subfunctions(2, [[((1,), [0, 0.1]), ((0,), [0, 1 / 3])]])
    both = joined([whole, real], ["cost", "risk"])
    assert both.evaluate([1, 1]).tolist() == [3, *real.evaluate([1, 1]).tolist()]
    assert (both.names, both.sense) == (("cost", "risk"), ("min", "max"))
    assert both.scale.tolist() == [1, *real.scale.tolist()]


def test_whole_objectives_beside_real_ones_end_where_reals_end():
    real = Landscape.from_subfunctions(1, [[((0,), [0, 0.5])]])
    for sign in (1, -1):
        for over in (0, 1):
            most = sign * (2**51 + over)
            whole = Landscape.from_subfunctions(1, [[((0,), [0, most])]])
            assert joined([whole, whole]).evaluate([1]).tolist() == [most, most]
            if over:
                text = rf"tables has {most} at entry 1, .* steps end at 2\*\*51"
                with pytest.raises(ValueError, match=text):
                    joined([real, whole])
            else:
                assert joined([real, whole]).evaluate([1]).tolist() == [0.5, most]


def test_without_labels_sizes_must_agree():
    two, three = (Landscape.from_subfunctions(n, [[]]) for n in (2, 3))
    with pytest.raises(ValueError, match=r"b has 3 variables, but a has 2"):
        joined([two, three], None, ["a", "b"])
    with pytest.raises(ValueError, match=r"part 2 has 2 variables, but part 0 has 3"):
        joined([three, three, two])
    assert joined([three, two], by_label=True).n == 3


def test_numbers_and_texts_do_not_go_together():
    plain = Landscape.from_subfunctions(2, [[]])
    named = Landscape.from_subfunctions(2, [[]], labels=["x1", "x2"])
    ids = Landscape.from_subfunctions(2, [[]], labels=[1, 4])
    text = "a has no labels, but b has 'x1', 'x2': they share no variable"
    for by_label in (True, False):
        with pytest.raises(ValueError, match=text):
            joined([plain, named], None, ["a", "b"], by_label)
    assert joined([plain, ids]).labels == (0, 1, 4)
    assert joined([ids, named]).labels == (1, 4, "x1", "x2")
    three = Landscape.from_subfunctions(3, [[]], labels=[1, 4, 5])
    assert joined([plain, three]).labels == (0, 1, 4, 5)
    mixed = Landscape.from_subfunctions(2, [[]], labels=[1, "a"])
    assert joined([plain, mixed]).labels == (0, 1, "a")


# --- Constraints.


def limited(*kinds: tuple[list[float], float]) -> Landscape:
    """A landscape with a constraint of each relation for each kind of numbers."""
    constraints = [
        ([((0,), [0, factors[0]]), ((2, 1), [0, 0, 0, factors[1]])], relation, bound)
        for factors, bound in kinds
        for relation in ("<=", ">=", "==")
    ]
    return Landscape.from_subfunctions(3, [[]], constraints=constraints)


WHOLE, TENTHS, LONG = ([3, -2], 1), ([0.5, 0.2], 0.7), ([1 / 3, 1 / 7], 1 / 3)
PARTS = [limited(WHOLE), limited(LONG, WHOLE), limited(TENTHS, LONG)]


def test_constraints_of_every_kind_stay_as_they_are_beside_others():
    whole, every = joined(PARTS), [each for part in PARTS for each in part.constraints]
    assert [each[1:] for each in whole.constraints] == [each[1:] for each in every]
    assert any(each.tolerance for each in every)
    X = solutions_of(3)
    own = np.hstack([part.violation_in_steps(X) for part in PARTS])
    assert_array_equal(whole.violation_in_steps(X), own)


@pytest.mark.parametrize("landscape", [*PARTS, joined(PARTS)])
def test_constraints_of_every_kind_come_back_from_where_they_are_stored(landscape):
    before = landscape.constraints
    after = constraints_of_stored(3, to_be_stored(before))
    for name in ("lower", "upper"):
        own = getattr(before.arrays, name)
        assert_array_equal(getattr(after.arrays, name), own)
    for name in ("scale", "real", "rounded", "names", "relations"):
        assert_array_equal(getattr(after, name), getattr(before, name))
