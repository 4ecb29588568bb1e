"""Files of bands are refused unless every point is that of a feasible solution."""

from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.exact import band_file
from paretoball.exact.band_file import (
    FORMAT,
    VERSION,
    Known,
    check_bands,
    read_bands,
    write_bands,
)
from paretoball.formats import content_digest, write_npz
from paretoball.landscape import landscape_digest, packed_bits

BANDS = import_module("paretoball.exact.front_bands")


def known_of(landscape, X):
    """A file that knows some solutions, and the lowest values."""
    F = landscape.inside(landscape.evaluate(X))
    _, rows = np.unique(F, axis=0, return_index=True)
    lowest = tuple((F.min(axis=0) - 3).tolist())
    points, bits = F[rows[::-1]] - lowest, packed_bits(X[rows[::-1]])
    return Known(points, bits, np.array([1.0, -1.0]), np.ones((2, 2))), lowest


def random_solutions(n, size):
    """Some solutions."""
    return np.random.default_rng(n).integers(0, 2, (size, n)).astype(np.uint8)


@pytest.mark.parametrize("bits", [1, 12 * 5, 1 << 24])
def test_every_point_is_compared_however_many_are_at_a_time(monkeypatch, bits):
    monkeypatch.setattr(band_file, "AT_ONCE", bits)
    landscape = ring(12, K=2, seed=1)
    known, lowest = known_of(landscape, random_solutions(12, 17))
    check_bands(known, known, landscape, lowest)
    for row in range(len(known.points)):
        wrong = known.bits.copy()
        wrong[row] ^= np.uint8(4)
        words = f"point {row} is not that of its solution"
        with pytest.raises(ValueError, match=words):
            check_bands(known._replace(bits=wrong), known, landscape, lowest)
    with pytest.raises(ValueError, match="point 0 is not"):
        check_bands(known, known, landscape, (lowest[0] + 1, lowest[1]))


def limited(most):
    """The ring of 12 variables, with so many ones at most."""
    rng = np.random.default_rng(1)
    masks = [(j, (j + 1) % 12) for j in range(12)]
    objectives = [
        [(mask, rng.integers(0, 99, 4).tolist()) for mask in masks] for _ in range(2)
    ]
    ones = [((j,), (0, 1)) for j in range(12)]
    return pb.Landscape.from_subfunctions(
        12, objectives, constraints=[(ones, "<=", most)]
    )


def test_points_of_solutions_that_are_not_feasible_are_refused():
    X = random_solutions(12, 9)
    ones = X.sum(axis=1)
    known, lowest = known_of(limited(12), X)
    check_bands(known, known, limited(int(ones.max())), lowest)
    with pytest.raises(ValueError, match="or that is not feasible"):
        check_bands(known, known, limited(int(ones.max()) - 1), lowest)


@pytest.mark.parametrize(
    ("field", "spoil", "words"),
    [
        ("covered", lambda each: each + np.inf, "finite ones are needed"),
        ("covered", lambda each: np.append(each, 1.0), "3 numbers, but 2 finite"),
        ("points", lambda each: each[[0, *range(len(each) - 1)]], "do not descend"),
        ("points", lambda each: each.astype(np.int32), "rows of int32"),
        ("bits", lambda each: each[:-1], r"\d points, but \d solutions"),
        ("weights", lambda each: each[:1], "weights are not those"),
    ],
)
def test_what_does_not_fit_is_refused(field, spoil, words):
    landscape = ring(12, K=2, seed=1)
    known, lowest = known_of(landscape, random_solutions(12, 8))
    wrong = known._replace(**{field: spoil(getattr(known, field))})
    with pytest.raises(ValueError, match=words):
        check_bands(wrong, known, landscape, lowest)


def test_files_are_read_as_they_were_written(tmp_path):
    landscape, path = ring(12, K=2, seed=1), tmp_path / "bands.npz"
    known, _ = known_of(landscape, random_solutions(12, 8))
    assert read_bands(path, landscape) is None
    write_bands(path, landscape, known)
    for found, right in zip(read_bands(path, landscape), known, strict=True):
        assert found.dtype == right.dtype
        assert_array_equal(found, right)


@pytest.mark.plain
def test_refusals_tell_what_was_read_before_what_is_needed():
    landscape = ring(12, K=2, seed=1)
    known, lowest = known_of(landscape, random_solutions(12, 8))
    size = len(known.points)
    for field, wrong, words in (
        ("bits", known.bits[:-1], f"it has {size} points, but {size - 1} solutions"),
        (
            "points",
            known.points[:, :1],
            r"points has rows of int64 and shape \(1,\), but this landscape has "
            r"rows of int64 and \(2,\)",
        ),
        ("covered", known.covered[:1], "covered has 1 numbers, but 2 finite ones"),
        ("weights", known.weights * [1, 1 + 2**-52], "its weights are not those of"),
    ):
        with pytest.raises(ValueError, match=f"^{words}"):
            check_bands(known._replace(**{field: wrong}), known, landscape, lowest)


def written(path, landscape, known, header=(), arrays=(), without=()):
    """Write a file whose header and arrays differ from what its checksum is of."""
    whole = {"format": FORMAT, "version": VERSION}
    whole["landscape"] = landscape_digest(landscape)
    whole["checksum"] = content_digest(whole, known._asdict())
    whole |= dict(header)
    content = known._asdict() | dict(arrays)
    for name in without:
        whole.pop(name, None)
        content.pop(name, None)
    write_npz(path, whole, content)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        *(
            (
                {"arrays": {name: np.full((2, 2), 3.0)}},
                "checksum is not that of its content",
            )
            for name in Known._fields
        ),
        ({"header": {"landscape": "0" * 64}}, "checksum is not that of its content"),
        ({"header": {"version": VERSION + 1}}, "version"),
        ({"header": {"version": VERSION - 1}}, "version"),
        ({"header": {"format": "paretoball run"}}, "paretoball run"),
        ({"header": {"more": 1}}, "the header"),
        ({"arrays": {"more": np.ones(1)}}, "the archive"),
        *(({"without": [name]}, "the archive") for name in Known._fields),
        ({"without": ["landscape"]}, "the header"),
        ({"without": ["checksum"]}, "the header"),
    ],
)
def test_files_that_were_changed_are_refused(tmp_path, changes, words):
    landscape, path = ring(12, K=2, seed=1), tmp_path / "bands.npz"
    known, _ = known_of(landscape, random_solutions(12, 8))
    written(path, landscape, known)
    assert read_bands(path, landscape) is not None
    with pytest.raises(ValueError, match=r"bands.npz: it belongs to another"):
        read_bands(path, ring(12, K=2, seed=2))
    written(path, landscape, known, **changes)
    with pytest.raises(ValueError, match=f"bands.npz: .*{words}"):
        read_bands(path, landscape)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_bands_under_constraints_go_on_from_their_file(monkeypatch, tmp_path, d):
    for name in ("FEW_OF_MORE", "FEW_EACH"):
        monkeypatch.setattr(BANDS, name, 0)
    rng = np.random.default_rng(d)
    items = rng.integers(10, 99, (d + 1, 20)).tolist()
    *sums, weights = ([((j,), (0, a)) for j, a in enumerate(row)] for row in items)
    capacity = (weights, "<=", sum(items[-1]) // 2)
    landscape = pb.Landscape.from_subfunctions(20, sums, constraints=[capacity])
    whole, path = pb.exact_front(landscape), tmp_path / "bands.npz"
    first = pb.exact_front(landscape, checkpoint=path)
    again = pb.exact_front(landscape, checkpoint=path)
    for front in first, again:
        assert_array_equal(front.F, whole.F)
        assert_array_equal(landscape.evaluate(front.X), front.F)
    assert again.vectors < first.vectors == whole.vectors
