"""JSON landscapes: as specified, or refused by place."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from landscape_files import BAD_SCALES, REAL, WHOLE, assert_same, document_of, refused
from paretoball import Landscape, read_landscape, write_landscape


def test_json_has_one_line_per_subfunction(tmp_path):
    path = tmp_path / "a.json"
    write_landscape(WHOLE, path)
    lines = path.read_text().splitlines()
    assert '      {"variables": [2, 0], "table": [0, -1, 2, 3]},' in lines
    assert '      {"variables": [], "table": [7]}' in lines
    assert sum("variables" in line for line in lines) == WHOLE.m
    write_landscape(REAL, path)
    assert '"table": [0.1, -1.0, 2.0, 3.0]' in path.read_text()


def test_a_file_by_hand_needs_neither_digest_nor_scale(tmp_path):
    path = tmp_path / "a.json"
    document = {
        "objectives": [[{"table": [0, 0.5], "variables": [1]}]],
        "sense": ["min"],
        "n": 2,
        "version": 1,
        "format": "paretoball landscape",
    }
    path.write_text(json.dumps(document))
    expected = Landscape.from_subfunctions(2, [[([1], [0, 0.5])]], "min")
    assert_same(read_landscape(path), expected)


@pytest.mark.parametrize("scale", [[2.0], [2.0**40], [1000.0], [4.0, 10.0]])
def test_scales_that_tables_do_not_tell_come_back(tmp_path, scale):
    d = len(scale)
    places, at = list(range(d)), list(range(d + 1))
    tables, table_at = [0.5, 1.5] * d, [2 * each for each in at]
    given = places, at, [0] * d, table_at, tables
    landscape = Landscape.from_arrays(2, d, *given, scale=scale)
    for name in ("a.json", "a.npz"):
        write_landscape(landscape, tmp_path / name)
        again = read_landscape(tmp_path / name)
        assert_same(again, landscape)
        assert again.scale.tolist() == scale


def test_the_example_in_the_documentation_is_read(tmp_path):
    documentation = Path(__file__).parents[2] / "docs" / "formats.md"
    text = documentation.read_text().split("```json\n")[1].split("```")[0]
    (tmp_path / "a.json").write_text(text)
    landscape = read_landscape(tmp_path / "a.json")
    assert landscape.evaluate([[0, 1, 1], [1, 0, 1]]).tolist() == [[11, 3], [14, 0]]
    assert landscape.sense == ("max", "min")


def at(document: Any, *place: Any) -> Any:
    """The value at a place in a document."""
    for key in place:
        document = document[key]
    return document


FIRST = ("objectives", 0, 0)


BAD_VALUES = [
    # where in WHOLE's document, what stands there instead, what the refusal says
    (("format",), "pareto landscape", "format is 'pareto landscape', not 'paretoball"),
    (("format",), None, "format is None, not 'paretoball landscape'"),
    (("version",), 2, "the file lacks 'constraints'"),
    (("version",), 3, "version 3 .* only versions 1 and 2 are known"),
    (("version",), True, "version True"),
    (("version",), 1.0, "version 1.0"),
    (("version",), "1", "version '1'"),
    (("n",), 0, "n = 0"),
    (("n",), -5, "n = -5"),
    (("n",), 3.0, "n = 3.0 is not a whole number"),
    (("n",), True, "n = True"),
    (("n",), "3", "n = '3'"),
    (("n",), None, "n = None"),
    (("n",), 2, "subfunction 0 reads variable 2, but .* 0 to 1"),
    (("sense",), "max", "sense is 'max', not a list"),
    (("sense",), ["max"], "1 sense given for 3 objectives"),
    (("sense", 1), "least", "sense of objective 1 is 'least'"),
    (("sense", 1), ["max"], r"sense of objective 1 is \['max'\]"),
    (("sense", 1), 0, "sense of objective 1 is 0"),
    (("scale",), 1, "scale is 1, not a list"),
    (("scale",), None, "scale is None, not a list"),
    (("scale",), [1, 1], r"scale is \[1, 1\], not a list of d = 3"),
    (("scale",), [1, 1, 10], "scale of objective 2 is 10, not 1"),
    (("scale",), [1, 1, True], "scale of objective 2 is True, not 1"),
    (("digest",), "0" * 64, "digest is '0000.*damaged"),
    (("digest",), None, "digest is None"),
    (("comment",), "hello", "the file has 'comment', which is none of"),
    (("objectives",), {}, "objectives is {}, not a list"),
    (("objectives",), [], "d = 0"),
    (("objectives", 1), None, "objective 1 is None, not a list"),
    (("objectives", 1), {"variables": []}, "objective 1 is {.*}, not a list"),
    (FIRST, [[0], [0, 1]], r"objective 0, subfunction 0 is \[\[0\], \[0, 1\]\], not"),
    (FIRST, {}, "objective 0, subfunction 0 lacks 'table'"),
    (FIRST, {"table": [1]}, "objective 0, subfunction 0 lacks 'variables'"),
    (("objectives", 0, 1), {}, "objective 0, subfunction 1 lacks 'table'"),
    (("objectives", 2, 0), 5, "objective 2, subfunction 0 is 5, not a JSON object"),
    ((*FIRST, "name"), "f", "objective 0, subfunction 0 has 'name', which is none of"),
    ((*FIRST, "variables"), [2, 3], "subfunction 0 reads variable 3, but"),
    ((*FIRST, "variables"), [2, -1], "subfunction 0 reads variable -1, but"),
    ((*FIRST, "variables"), [2, 2], "subfunction 0 reads variable 2 twice"),
    ((*FIRST, "variables"), [2, 0.0], "subfunction 0 has 0.0 in its variables"),
    ((*FIRST, "variables"), [2, False], "subfunction 0 has False in its variables"),
    ((*FIRST, "variables"), [2, "0"], "subfunction 0 has '0' in its variables"),
    ((*FIRST, "variables"), "20", "subfunction 0 has '20' for its variables"),
    ((*FIRST, "variables"), None, "subfunction 0 has None for its variables"),
    ((*FIRST, "variables"), {"2": 0}, "subfunction 0 has .* for its variables"),
    ((*FIRST, "variables"), [2, 10**40], "subfunction 0 has a number of 133 bits"),
    ((*FIRST, "variables"), list(range(30)), "reads variable 3"),
    ((*FIRST, "table"), [0, 1, 2], "subfunction 0 reads 2 .* 4 entries, not 3"),
    ((*FIRST, "table"), [], "subfunction 0 reads 2 .* 4 entries, not 0"),
    ((*FIRST, "table"), [0, 1, 2, True], "subfunction 0 has True in its table"),
    ((*FIRST, "table"), [0, 1, 2, "3"], "subfunction 0 has '3' in its table"),
    ((*FIRST, "table"), [0, 1, 2, None], "subfunction 0 has None in its table"),
    ((*FIRST, "table"), [0, 1, 2, [3]], r"subfunction 0 has \[3\] in its table"),
    ((*FIRST, "table"), [0, 1, 2, 10**40], "subfunction 0 has a number of 133 bits"),
    ((*FIRST, "table"), [0, 1, 2, float("nan")], "has nan at entry 3 of its table"),
    ((*FIRST, "table"), [0, float("inf"), 2, 3], "has inf at entry 1 of its table"),
    ((*FIRST, "table"), [0, float("-inf"), 2, 3], "has -inf at entry 1 of its table"),
    ((*FIRST, "table"), [0, 1, 2, 2**62 + 2**40], "objective 0 can reach 4.61e"),
]


@pytest.mark.parametrize(("place", "value", "text"), BAD_VALUES)
def test_a_wrong_value_in_json_is_refused_by_place(tmp_path, place, value, text):
    document = document_of(WHOLE, tmp_path)
    at(document, *place[:-1])[place[-1]] = value
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    refused(path, text)


@pytest.mark.parametrize("key", ["format", "version", "n", "sense", "objectives"])
def test_json_without_a_needed_key_is_refused(tmp_path, key):
    document = document_of(WHOLE, tmp_path)
    del document[key]
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    refused(path, {"format": "format is None", "version": "version None"}.get(key, key))


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        *BAD_SCALES,
        ([1, 2**47], "objective 0, subfunction 0 has 0.1 at entry 0 .* per unit: 1[)]"),
        ([10, 2**20], "objective 1, subfunction 0 has 0.33.* per unit: 1.04858e[+]06"),
        ([10**15, 2**47], "objective 0 can reach 1e[+]16 steps .* 2[*][*]51"),
    ],
)
def test_a_scale_that_does_not_fit_the_tables_is_refused(tmp_path, scale, text):
    document = document_of(REAL, tmp_path)
    document["scale"] = scale
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    refused(path, text)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "it is empty"),
        (b"\nn = 5", ":2: it is not JSON: .* \\(column 1\\)"),
        (b"\x00\x01", ":1: here is a zero byte"),
        (b"\xff\xfe{}", "UTF-16"),
        (b"\xef\xbb\xbf{}", "its format is None"),
        (b"[]", "holds \\[\\], not a JSON object"),
        (b"null", "holds None, not a JSON object"),
        (b"NaN", "holds nan, not a JSON object"),
        (b"{} {}", "not JSON: Extra data"),
        (b'{"n": 1, "n": 2}', "not JSON: .* the key 'n' twice"),
        (b'{"format": "a\\nb\\nc"}', "format is 'a"),
        (b'{"n": ' + b"9" * 5000 + b"}", "it has a whole number of too many digits"),
        (b'{"n": 1_000}', "not JSON"),
        ('{"n": ١٢}'.encode(), "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"n":' * 100_000, "nested too deeply"),
        (b"[" * 800 + b"]" * 800, "not a JSON object|nested too deeply"),
        (pickle.dumps({"n": 3}), "here is a zero byte"),
        (b"PK\x03\x04", "not an npz archive"),
    ],
)
def test_what_is_no_landscape_in_json_is_refused(tmp_path, content, text):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    refused(path, text)


def test_numbers_beyond_floats_are_refused_by_place(tmp_path):
    document = document_of(WHOLE, tmp_path)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document).replace("[7]", "[1e999]"))
    refused(path, "objective 0, subfunction 1 has inf at entry 0 of its table")


def test_deep_nesting_where_a_number_belongs_is_refused(tmp_path):
    document = document_of(WHOLE, tmp_path)
    path = tmp_path / "bad.json"
    deep = "[" * 900 + "]" * 900
    path.write_text(json.dumps(document).replace("[7]", f"[{deep}]"))
    refused(path, "subfunction 1 has .* in its table|nested too deeply")
