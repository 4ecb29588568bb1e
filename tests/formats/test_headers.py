"""Headers: JSON texts of the right format, version and kinds, or refused."""

import json
import sys

import pytest

from paretoball.formats.disk import Misplaced, OtherVersion
from paretoball.formats.headers import (
    JSON_COPIES,
    check_format,
    check_keys,
    check_kind,
    parsed_json,
)
from paretoball.system import capped


def test_json_is_refused_where_its_objects_would_not_fit():
    content = json.dumps([1] * 100).encode()
    with capped(JSON_COPIES * len(content)):
        assert parsed_json(content) == [1] * 100
    with (
        capped(JSON_COPIES * len(content) - 1),
        pytest.raises(MemoryError, match="to read JSON of 300 B takes"),
    ):
        parsed_json(content)


@pytest.mark.parametrize(
    ("content", "line", "column"),
    [(b"[1,", 0, 4), (b"x", 0, 1), (b'{\n"a": 1,\n  b}', 2, 3), (b"[]\n\n]", 2, 1)],
)
def test_what_is_no_json_is_told_by_line_and_column(content, line, column):
    with pytest.raises(Misplaced, match=rf"not JSON: .* \(column {column}\)$") as no:
        parsed_json(content)
    assert no.value.line == line


@pytest.mark.parametrize("content", [b'{"a": 1, "a": 1}', b'[{"b": {"a": 1, "a": 2}}]'])
def test_a_key_that_is_there_twice_is_told(content):
    with pytest.raises(ValueError, match="an object has the key 'a' twice"):
        parsed_json(content)


def test_numbers_of_too_many_digits_are_told():
    with pytest.raises(ValueError, match=r"^it has a whole number of too many digits$"):
        parsed_json(b"[" + b"9" * 9999 + b"]")


LAST = sys.float_info.max
KINDS = {
    bool: [True, False],
    int: [0, -3, 2**70],
    float: [0, -3, 0.5, LAST, -LAST, int(LAST), -int(LAST)],
    str: ["", "a"],
    list: [[], [1]],
    dict: [{}, {"a": 1}],
}
NEVER = [None, float("nan"), float("inf"), -float("inf"), 10**400, -(10**400)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_has_its_kind_and_no_other(kind):
    others = [each for other in KINDS if other is not kind for each in KINDS[other]]
    wrong = [
        each
        for each in (*others, *NEVER)
        if not (type(each) is int and kind in (int, float) and abs(each) <= LAST)
        and not (type(each) is int and kind is int)
    ]
    for value in KINDS[kind]:
        check_kind({"a": value}, "a", kind)
    for value in wrong:
        with pytest.raises(TypeError, match=r"^a is .*, not (a|an|true) "):
            check_kind({"a": value, "b": KINDS[kind][0]}, "a", kind)


@pytest.mark.parametrize("found", [0, 4, True, 1.0, "1", None])
def test_other_versions_are_told(found):
    with pytest.raises(OtherVersion, match="only versions 1, 2 and 3 are known"):
        check_format({"format": "a", "version": found}, "a", 1, 2, 3)
    with pytest.raises(OtherVersion, match="only version 7 is known"):
        check_format({"format": "a", "version": found}, "a", 7)
    for version in (1, 2, 3):
        check_format({"format": "a", "version": version}, "a", 1, 2, 3)


def test_other_formats_are_told():
    for header in ({"format": "b", "version": 1}, {"version": 1}):
        with pytest.raises(ValueError, match=r"its format is .*, not 'a'"):
            check_format(header, "a", 1)
    with pytest.raises(TypeError, match="not a JSON object"):
        check_format([], "a", 1)


def test_keys_are_those_required_and_perhaps_some_more():
    check_keys({"a": 1, "b": 2}, "it", {"a"}, {"b", "c"})
    check_keys({"a": 1}, "it", {"a"}, {"b"})
    with pytest.raises(ValueError, match=r"^it lacks 'a'$"):
        check_keys({"b": 2}, "it", {"a", "b"}, {"c"})
    with pytest.raises(ValueError, match=r"^it has 'c', which is none of a, b$"):
        check_keys({"a": 1, "c": 2}, "it", {"a"}, {"b"})
    with pytest.raises(TypeError, match=r"^it is 3, not a JSON object$"):
        check_keys(3, "it", {"a"})
