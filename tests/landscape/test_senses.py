"""Senses: max or min, and what else people call them."""

import json

import pytest

import paretoball as pb
from landscape_files import WHOLE, document_of, npz_of, refused
from paretoball.formats.npz import read_npz, write_npz
from paretoball.landscape.naming import checked_sense, senses_in_words

LONG = ["max", "Max", "MAX", "maximize", "maximise", "Maximum", "MAXIMIZE"]


@pytest.mark.parametrize("word", LONG)
def test_longer_words_will_do(word):
    opposite = word.lower().replace("max", "min").title()
    assert checked_sense(word, 2).tolist() == [1, 1]
    assert checked_sense([word, opposite], 2).tolist() == [1, -1]
    objective = [((0,), [0, 1])]
    landscape = pb.Landscape.from_subfunctions(1, [objective] * 2, [word, opposite])
    assert landscape.sense == ("max", "min")
    assert pb.Archive(2, sense=[word, opposite]).sense == ("max", "min")


@pytest.mark.parametrize(
    "word", ["", "maxi", "mini", "minim", "maximal", "m", "up", " max", 1]
)
def test_other_words_are_refused_as_they_were_given(word):
    with pytest.raises(ValueError, match=f"objective 1 is {word!r}, neither 'max' nor"):
        checked_sense(["max", word], 2)


@pytest.mark.parametrize("word", LONG[1:])
def test_files_hold_the_short_words_only(tmp_path, word):
    path = tmp_path / "a.npz"
    header, arrays = npz_of(WHOLE, path)
    text = f"the sense of objective 1 is {word!r}, neither 'max' nor 'min'"
    write_npz(path, header | {"sense": ["max", word, "max"]}, arrays)
    refused(path, text)
    document = document_of(WHOLE, tmp_path) | {"sense": ["max", word, "max"]}
    (tmp_path / "a.json").write_text(json.dumps(document))
    refused(tmp_path / "a.json", text)
    result = pb.solve(WHOLE, "multistart", radius=1, max_climbs=1, seed=1)
    result.save(path)
    header, arrays = read_npz(path, "paretoball run")
    write_npz(path, header | {"sense": ["max", word, "max"]}, arrays)
    with pytest.raises(ValueError, match=text):
        pb.load(path)


def test_senses_are_listed_up_to_eight_and_counted_beyond():
    assert senses_in_words(("max", "min")) == "max, min"
    assert senses_in_words(("min",) * 8, "/") == "/".join(["min"] * 8)
    assert senses_in_words(("min",) * 9) == "9 min"
    assert senses_in_words(("min", "max") * 1000 + ("max",)) == "1,001 max, 1,000 min"
    objectives = [[((0,), [0, 1])]] * 9
    landscape = pb.Landscape.from_subfunctions(1, objectives, ["min"] + ["max"] * 8)
    assert "d=9 (8 max, 1 min)" in repr(landscape)
