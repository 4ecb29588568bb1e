"""Mutants: the bytes of a sound file, or what its JSON says, spoiled at random.

A mutant is a pure function of the file and a random stream. `npz_mutants` does the same
to the members of archives.
"""

import json
import re
from copy import deepcopy
from typing import Any

import numpy as np

Stream = np.random.Generator

DEEP = (list, dict)
PLACE = "\N{WHITE SQUARE}"  # where in a document something strange goes

WHOLES = [0, 1, -1, 2, 3, 7, 8, 255, 256, 10**6, 10**7, 2**31 - 1, 2**31, 2**32, 2**40]
WHOLES += [2**53 + 1, 2**62, 2**62 + 1, 2**63 - 1, -(2**63), -(2**31)]
REALS = [0.5, -0.0, 1e-300, 5e-324, 1e15, 1e18, 1e300, 1e308, -1e308]
STRANGE = [str(value) for value in WHOLES + REALS]
STRANGE += ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-999", "01", "+1"]
STRANGE += [str(2**64), "9" * 400, "-" + "9" * 4300, "9" * 5000, "1." + "3" * 5000]
STRANGE += ["null", "true", "false", '""', '"max"', '"min"', '"nan"', '"1"', '"a\\nb"']
STRANGE += ["[]", "{}", "[[]]", "[null]", "[0]", "[true]", "[0.5, 1]", '["max"]']
STRANGE += ['"\\ud800"', '"\\u0000"', "'1'", "١٢", '"١٢"', "𝟙", '"\u2028"', '"é"']
STRANGE += ["[" * deep + "]" * deep for deep in (5, 100, 900, 960, 990, 100_000)]
STRANGE += ['{"a":' * deep + "1" + "}" * deep for deep in (5, 900, 100_000)]
STRANGE += ['"' + "x" * 10**5 + '"', "[" + "0, " * 10**5 + "0]", "[" + "[], " * 10**4]
STRANGE += ['{"variables": [], "table": [1]}', '{"variables": [0], "table": [1, 2]}']


def one_of(rng: Stream, things: Any) -> Any:
    """Any of some things."""
    return things[int(rng.integers(len(things)))]


def spoiled_bytes(content: bytes, rng: Stream) -> bytes:
    """A few flips, cuts, copies, zeros and insertions, anywhere."""
    for _ in range(int(rng.integers(1, 4))):
        first = int(rng.integers(len(content) + 1))
        last = first + int(rng.integers(1, one_of(rng, [2, 5, 40, 400, 10**6])))
        before, middle, after = content[:first], content[first:last], content[last:]
        noise = rng.bytes(min(last - first, 100))
        ways = [
            bytes(byte ^ 1 << int(rng.integers(8)) for byte in middle) + after,
            bytes(len(middle)) + after,
            noise + middle + after,
            noise + content[first + len(noise) :],
            middle + middle + after,
            after,
            b"",
            with_another_number(middle, rng) + after,
        ]
        content = before + one_of(rng, ways)
    return content


def with_another_number(text: bytes, rng: Stream) -> bytes:
    """The text with something strange in place of the first number in it."""
    strange = one_of(rng, STRANGE).encode()
    return re.sub(rb"[0-9]+", lambda _: strange, text, count=1)


def spoiled_json(document: dict[str, Any], rng: Stream) -> bytes:
    """The text of a document after a few changes to its structure."""
    document = deepcopy(document)
    if rng.random() < 0.8:
        document.pop("digest", None)  # or else it would tell
    for _ in range(one_of(rng, [1, 1, 1, 2, 3])):
        ways = [spoil_value, spoil_value, spoil_place, spoil_place, resize]
        one_of(rng, ways)(document, rng)
    text = json.dumps(document)
    for _ in range(text.count(json.dumps(PLACE))):
        text = text.replace(json.dumps(PLACE), one_of(rng, STRANGE), 1)
    if rng.random() < 0.1:
        text = with_a_key_twice(text, rng)
    return text.encode()


def any_place(document: Any, rng: Stream) -> tuple[Any, Any]:
    """A list or object within the document, and an index or key of it."""
    while True:
        keys = list(document) if isinstance(document, dict) else range(len(document))
        deep = [key for key in keys if document[key] and type(document[key]) in DEEP]
        if not deep or rng.random() < 0.25:
            return document, one_of(rng, keys)
        document = document[one_of(rng, deep)]


def spoil_value(document: dict[str, Any], rng: Stream) -> None:
    """Put something strange, empty or nearly right in place of a value."""
    within, key = any_place(document, rng)
    value, number = within[key], type(within[key]) in (int, float)
    near = [value + 1, -value, 2 * value] if number else [type(value)()]
    within[key] = one_of(rng, [PLACE] * 3 + near)


def spoil_place(document: dict[str, Any], rng: Stream) -> None:
    """Remove, repeat, swap or rename something in a list or an object."""
    within, key = any_place(document, rng)
    listed = isinstance(within, list)
    other = int(rng.integers(len(within))) if listed else one_of(rng, list(within))
    way = one_of(rng, ["remove", "swap", "repeat", "multiply"])
    if way == "remove" and len(document) > 1:
        del within[key]
    elif way == "swap":
        within[key], within[other] = within[other], within[key]
    elif listed and way == "repeat":
        within.insert(other, deepcopy(within[key]))
    elif listed:
        within *= int(rng.integers(2, 30))
    else:
        name = one_of(rng, [key.upper(), key + " ", "", "é\n", other])
        within[name] = within.pop(key)


def resize(document: dict[str, Any], rng: Stream) -> None:
    """Say another n, or that there are many more objectives, all consistently."""
    if rng.random() < 0.5:
        document["n"] = one_of(rng, WHOLES)
        return
    more = one_of(rng, [1, 2, 10, 100, 1000])
    added = {"sense": "max", "scale": 1, "objectives": [], "reference": 0.0}
    for key, one in added.items():
        if isinstance(document.get(key), list):
            document[key] = document[key] + [one] * more
    if isinstance(document.get("d"), int):
        document["d"] += more


def with_a_key_twice(text: str, rng: Stream) -> str:
    """The text of a document in which some object has a key twice."""
    found = list(re.finditer(r'\{("\w+": )', text))
    if not found:
        return text
    key = one_of(rng, found)
    return f"{text[: key.end()]}1, {key[1]}{text[key.end() :]}"
