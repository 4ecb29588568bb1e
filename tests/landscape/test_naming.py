"""Names: any labels that differ, texts for objectives, and errors that tell them."""

import numpy as np
import pytest

from paretoball import Landscape
from paretoball.landscape.naming import (
    checked_labels,
    checked_names,
    in_order,
    shown_name,
    some_labels,
    telling_names,
)


def test_labels_that_are_the_numbers_of_variables_are_none():
    for labels in (
        None,
        range(3),
        {0: 1, 1: 2, 2: 3}.keys(),
        [0, 1, 2],
        np.arange(3),
        iter([0, 1, 2]),
    ):
        assert checked_labels(labels, 3) is None
    assert checked_labels([0.0, 1.0, 2.0], 3) == (0.0, 1.0, 2.0)
    assert checked_labels([2, 1, 0], 3) == (2, 1, 0)
    assert checked_labels([False, True], 2) == (False, True)


def test_labels_of_numpy_become_those_of_python():
    found = checked_labels([np.int32(5), np.str_("a"), np.float64(0.5), np.True_], 4)
    assert found == (5, "a", 0.5, True)
    assert [type(label) for label in found] == [int, str, float, bool]


BAD_LABELS = [
    ("ab", TypeError, "labels is 'ab', not a list of labels"),
    (7, TypeError, "labels is 7, not a list"),
    ({"b", "a"}, TypeError, "labels is {'a', 'b'}, not a list"),
    ({"a": 0, "b": 1}, TypeError, "labels is {'a': 0, 'b': 1}, not a list"),
    (["a"], ValueError, "labels has 1 label, but the landscape has n = 2"),
    (["a", "a"], ValueError, "label 'a' is given twice, for variables 0 and 1"),
    ([1, True], ValueError, "label 1 is given twice"),
    (["a", ["b"]], TypeError, r"label \['b'\] is not hashable"),
    (["a", ("b", ["c"])], TypeError, r"label \('b', \['c'\]\) is not hashable"),
]


@pytest.mark.parametrize(("labels", "kind", "text"), BAD_LABELS)
def test_other_labels_are_refused(labels, kind, text):
    with pytest.raises(kind, match=text):
        checked_labels(labels, 2)


BAD_NAMES = [
    ("ab", TypeError, "names is 'ab', not a list of texts"),
    ({"b", "a"}, TypeError, "names is {'a', 'b'}, not a list"),
    (["a"], ValueError, "1 name given for 2 objectives"),
    (["a", "a"], ValueError, "two objectives have the name 'a'"),
    (["a", 1], TypeError, "the name of objective 1 is 1, which is no text"),
    ([" ", "a"], TypeError, "the name of objective 0 is ' ', which is no text"),
]


@pytest.mark.parametrize(("names", "kind", "text"), BAD_NAMES)
def test_other_names_are_refused(names, kind, text):
    with pytest.raises(kind, match=text):
        checked_names(names, 2)


def test_a_hundred_thousand_names_take_no_time():
    names = tuple(f"name {i}" for i in range(100_000))
    assert checked_names(names, len(names)) == names


def test_names_are_shown_on_one_line_of_few_characters():
    assert shown_name("cost of all") == "cost of all"
    assert shown_name("a\x1b[31m\n") == r"a\x1b[31m\n"
    assert shown_name("a" * 99) == "a" * 37 + "..."
    assert some_labels(["\x1b", 1, None]) == r"'\x1b', 1, None"
    assert some_labels(range(5), 5) == "0, 1, 2, 3, 4"
    assert some_labels(range(4)) == "0, 1, 2, 3"
    assert some_labels(range(5)) == "0, 1, 2, 3, ..."
    assert shown_name("a" * 40) == "a" * 40
    assert shown_name("a" * 41) == "a" * 37 + "..."


def test_labels_are_put_in_order_if_all_are_whole_numbers():
    assert in_order([3, np.int8(1), 3, 2]) == [1, 2, 3]
    assert in_order([3, "a", 1, "a"]) == [3, "a", 1]
    assert in_order([2.0, 1]) == [2.0, 1]
    assert in_order([True, 0]) == [True, 0]
    assert in_order([]) == []


def test_errors_about_an_objective_tell_its_name():
    for kind in (ValueError, TypeError, OverflowError):
        with (
            pytest.raises(kind, match=r"^objective 1 \('risk'\), subf") as one,
            telling_names(["f0", "risk"]),
        ):
            raise kind("objective 1, subfunction 0 is objective 1")
        assert str(one.value).endswith("is objective 1")


@pytest.mark.parametrize(
    "text",
    ["objective 0 is", "objective 2", "objectives 1", "the scale of objective 1 is 0"],
)
def test_other_errors_stay_as_they_are(text):
    with pytest.raises(ValueError, match=f"^{text}$"), telling_names(["f0", "risk"]):
        raise ValueError(text)


WRONG = [
    ([((0, 9), [0] * 4)], r"objective 1 \('risk'\), subfunction 0 reads variable 9"),
    ([((0,), [0])], r"objective 1 \('risk'\), subfunction 0 reads 1 variable, so"),
    ([((0,), [0, None])], r"objective 1 \('risk'\), subfunction 0 has None in its"),
    ([((0,), [0.5, np.nan])], r"objective 1 \('risk'\), subfunction 0 has nan at"),
    ([((0,), [0, 2**62]), ((), [1])], r"objective 1 \('risk'\) can reach 2\*\*62 \+ 1"),
    (7, r"objective 1 is 7, not a list"),
]


@pytest.mark.parametrize(("objective", "text"), WRONG)
def test_a_landscape_that_is_refused_is_told_by_name(objective, text):
    with pytest.raises((ValueError, TypeError, OverflowError), match=f"^{text}"):
        Landscape.from_subfunctions(2, [[], objective], names=["cost", "risk"])


def test_a_repr_stays_short():
    labels = [f"a long label of variable {j}" for j in range(1000)]
    landscape = Landscape.from_subfunctions(
        1000, [[(labels[:1], [0, 1])]], labels=labels, names=["a very long name" * 9]
    )
    assert repr(landscape) == "Landscape(n=1,000, d=1 (max), k=1, c=1, m=1)"


@pytest.mark.parametrize(
    "label", [float("nan"), np.float64("nan"), ("a", float("nan"))]
)
def test_a_label_that_is_not_equal_to_itself_is_refused(label):
    for labels in ([label, float("nan")], ["a", label]):
        with pytest.raises(ValueError, match=r"^label .*nan.* is not equal to itself"):
            checked_labels(labels, 2)
