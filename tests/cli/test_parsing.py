"""Parsing: what each kind of argument takes, up to its edges, and what it refuses."""

from argparse import ArgumentTypeError

import pytest

from paretoball.cli import parsing

TAKEN = [
    ("whole", "0", 0),
    ("whole", "-5", -5),
    ("whole", "007", 7),
    ("whole", "9" * 50, 10**50 - 1),
    ("whole", "-" + "9" * 50, 1 - 10**50),
    ("real", "1", 1.0),
    ("real", "-1.5", -1.5),
    ("real", ".5", 0.5),
    ("real", "5.", 5.0),
    ("real", "1e3", 1000.0),
    ("real", "1E+3", 1000.0),
    ("real", "25e-1", 2.5),
    ("real", "-0.25e2", -25.0),
    ("at_least_one", "1", 1),
    ("worker_count", "-1", -1),
    ("worker_count", "1", 1),
    ("worker_count", "64", 64),
    ("whole_list", "3", (3,)),
    ("whole_list", "1,20,3", (1, 20, 3)),
    ("seconds", "1e-9", 1e-9),
    ("seconds", "86400", 86400.0),
    ("entries", "real", None),
    ("entries", "100", 100),
    ("model", "adjacent", "adjacent"),
    ("model", "random", "random"),
    ("model", "5", 5),
    ("couplings", "pm", "pm"),
    ("couplings", "gaussian", "gaussian"),
    ("couplings", "9", 9),
    ("directions", "simplex", "simplex"),
    ("directions", "independent", "independent"),
    ("directions", "1,2.5,-3", [1.0, 2.5, -3.0]),
    ("cluster", "local", "local"),
    ("cluster", "tcp://host:8786", "tcp://host:8786"),
    ("cluster", "tls://10.0.0.1:1", "tls://10.0.0.1:1"),
]

REFUSED = {
    "whole": ["", "+5", "5.0", "1e3", " 5", "5\n", "--5", "9" * 51],
    "real": ["", ".", "+1", "1e", "e5", "nan", "inf", "-inf", "1e999", "1,5", "1 "],
    "at_least_one": ["0", "-1", "1.5"],
    "worker_count": ["0", "-2", "-10", "x"],
    "whole_list": ["", "0", "1,0", "1,,2", "1,", "1, 2", "-1"],
    "seconds": ["0", "0.0", "-1", "-1e-9", "nan"],
    "entries": ["", "Real", "1.5"],
    "model": ["", "near", "1.5"],
    "couplings": ["", "flat", "adjacent"],
    "directions": ["", "heavy", "1,", "1;2"],
    "cluster": [
        "",
        "host:8786",
        "tcp://host",
        "tcp://:8786",
        "tcp://host:",
        "tcp://host:x",
        "tcp://host:8786/path",
        "http://host:8786",
        "locally",
    ],
}


@pytest.mark.parametrize(("kind", "text", "value"), TAKEN)
def test_an_argument_is_read_as_people_write_it(kind, text, value):
    found = getattr(parsing, kind)(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("kind", REFUSED)
def test_other_arguments_are_refused(kind):
    for text in REFUSED[kind]:
        with pytest.raises(ArgumentTypeError):
            getattr(parsing, kind)(text)
