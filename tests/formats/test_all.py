"""Every format: recognised by its content, and the same after any detour."""

import gzip
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from format_samples import ASKED_BACK, SAMPLES
from paretoball import Landscape, qubo, read_landscape, write_landscape
from paretoball.formats.registry import FORMATS, WRITERS
from paretoball.formats.source import source_at

READERS = {each.NAME: each for each in FORMATS}
ENDS = {"crlf": ("\n", "\r\n"), "mac": ("\n", "\r"), "spaces": ("\n", " \t\n")}


def sample(name: str, folder: Path) -> Path:
    """A file of this format."""
    path = folder / SAMPLES[name][0]
    path.write_text(SAMPLES[name][1])
    return path


def read(path: Path) -> Landscape:
    """The landscape in a sample; the format is said where it must be."""
    name = next(name for name, (file, _) in SAMPLES.items() if file == path.name)
    if name not in ASKED_BACK:
        return read_landscape(path)
    with pytest.raises(ValueError, match=rf"it may be any of .*'{name}'.*give format="):
        read_landscape(path)
    return read_landscape(path, format=name)


def values(landscape: Landscape) -> np.ndarray:
    """Objectives and violations of some solutions; variables go by label."""
    X = np.random.default_rng(1).integers(2, size=(1000, landscape.n))
    return np.column_stack([landscape.evaluate(X), landscape.violation(X)])


def test_every_format_has_a_sample():
    assert sorted(SAMPLES) == sorted(READERS.keys() - {"json", "npz"})


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_recognised_by_content_or_suffix(name, tmp_path):
    path = sample(name, tmp_path)
    assert_array_equal(values(read_landscape(path, format=name)), values(read(path)))
    source = source_at(path)
    assert READERS[name].sniff(source)
    for other in READERS.values():
        if name != other.NAME and other.sniff(source):
            assert source.suffix not in other.SUFFIXES


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("content", [b"PK\3\4\0\1", b"PK\0\n\n", b"{}", b"#\n", b"c\n"])
def test_what_has_no_text_is_refused_where_the_format_is_given(name, content, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^{path}:") as refusal:
        read_landscape(path, format=name)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("way", [*ENDS, "no end", "mark", "gz"])
def test_ends_of_lines_marks_and_packing_do_not_matter(name, way, tmp_path):
    path = sample(name, tmp_path)
    found = values(read(path))
    content = SAMPLES[name][1]
    if way in ENDS:
        content = content.replace(*ENDS[way])
    elif way == "no end":
        content = content.rstrip()
    elif way == "mark":
        content = "\ufeff" + content
    packed = content.encode()
    path.write_bytes(gzip.compress(packed) if way == "gz" else packed)
    assert_array_equal(values(read(path)), found)


def written(landscape: Landscape, name: str, folder: Path) -> Path | None:
    """The landscape in this format, if it can hold it."""
    path = folder / f"{name}.out"
    path.unlink(missing_ok=True)
    try:
        write_landscape(landscape, path, format=name)
    except ValueError as error:
        refusal = str(error)
    else:
        return path
    assert refusal.startswith(f"{path}: ")
    assert not path.exists()
    return None


def checked_pairs(landscape: Landscape, folder: Path) -> set[tuple[str, str]]:
    """The pairs of formats that hold a landscape, after which its values are the same.

    A format and itself are such a pair, too. OPB has products in place of tables, which
    other formats may not hold.
    """
    found, holders, pairs = values(landscape), [], set()
    for each in WRITERS:
        path = written(landscape, each.NAME, folder)
        if path is not None:
            holders.append(each.NAME)
            assert_array_equal(values(read_landscape(path, format=each.NAME)), found)
    for first, second in product(holders, repeat=2):
        path = written(landscape, first, folder)
        again = written(read_landscape(path, format=first), second, folder)
        assert again is not None or first == "opb"
        if again is not None:
            assert_array_equal(values(read_landscape(again, format=second)), found)
            pairs.add((first, second))
    return pairs


@pytest.mark.parametrize("name", [*SAMPLES])
def test_values_are_the_same_after_any_two_formats(name, tmp_path):
    assert ("json", "npz") in checked_pairs(read(sample(name, tmp_path)), tmp_path)


def test_all_pairs_of_formats_hold_a_larger_problem(tmp_path):
    """All but those of a format that minimises and one that maximises."""
    draw = np.random.default_rng(1)
    costs = qubo(np.triu(draw.integers(0, 20, (14, 14))), sense="min")
    ring = [(j, (j + 1) % 14) for j in range(14)]
    factors = draw.integers(1, 20, (2, 14)).tolist()
    gains = qubo([dict(zip(ring, some)) for some in factors], sense="max")
    covered = checked_pairs(costs, tmp_path) | checked_pairs(gains, tmp_path)
    every = {each.NAME for each in WRITERS}
    lowest, highest = {"wcnf", "mcnf", "qubo", "bqpjson"}, {"rmnk", "mubqp"}
    apart = set(product(lowest, highest)) | set(product(highest, lowest))
    assert covered == set(product(every, repeat=2)) - apart


def test_every_writer_holds_some_sample(tmp_path):
    """Or else the test above would say nothing of it."""
    landscapes = [read(sample(name, tmp_path)) for name in SAMPLES]
    for each in WRITERS:
        held = [written(one, each.NAME, tmp_path) for one in landscapes]
        assert any(path is not None for path in held), each.NAME
