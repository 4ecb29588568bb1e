"""pandas: matrices with labels have the values of matrices without."""

import sys

import numpy as np
import pytest

from paretoball.adapters.pandas import from_dataframe

pandas = pytest.importorskip("pandas")


def frame(Q: np.ndarray, labels: list, columns: list | None = None):
    return pandas.DataFrame(Q, index=labels, columns=columns or labels)


def test_all_entries_count_whatever_their_order():
    rng = np.random.default_rng(1)
    for trial in range(20):
        n = int(rng.integers(1, 8))
        labels = ["a", True, 3, ("d", 4), "e", False, "g"][:n]
        Q = rng.integers(-9, 10, (n, n))
        rows, columns = rng.permutation(n), rng.permutation(n)
        given = frame(Q, labels).iloc[rows, columns]
        landscape = from_dataframe(given * (0.5 if trial % 2 else 1))
        X = rng.integers(0, 2, (50, n))
        expected = np.einsum("ri,ij,rj->r", X, Q, X)
        order = [labels.index(label) for label in landscape.labels]
        found = landscape.evaluate(X[:, order])[:, 0]
        assert (found * (2 if trial % 2 else 1)).tolist() == expected.tolist()


def test_several_frames_share_labels():
    cost, risk = frame([[1, 2], [0, 3]], ["a", "b"]), frame([[5.0]], ["b"])
    landscape = from_dataframe([cost, risk], ["min", "max"], ["cost", "risk"])
    assert landscape.labels == ("a", "b")
    assert landscape.evaluate([1, 1]).tolist() == [6, 5]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: [[1]], "this is a list"),
        (
            lambda: frame([[1, 2]], ["a"], ["a", "b"]),
            "1 row and 2 columns.* 'b' is",
        ),
        (lambda: frame([[1, 2], [3, 4]], ["a", "b"], ["a", "c"]), "is not in both"),
        (lambda: frame([[1, 2], [3, 4]], ["a", "a"]), "two rows have the label 'a'"),
        (
            lambda: frame([[1, 2], [3, 4]], ["a", "b"], ["a", "a"]),
            "two columns have the label 'a'",
        ),
        (
            lambda: frame([[1], [2]], ["a", "b"], ["a"]),
            "2 rows and 1 column.* 'b' is",
        ),
        (lambda: frame([["1"]], ["a"]), "not numbers"),
        (lambda: frame([[True]], ["a"]), "the frame holds bool, not numbers"),
        (lambda: frame([[1j]], ["a"]), "the frame holds complex128, not numbers"),
        (lambda: frame([[np.nan]], ["a"]), "nan"),
        (lambda: frame(np.zeros((0, 0)), []), "no variables"),
    ],
)
def test_what_is_no_square_of_numbers_is_refused(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        from_dataframe([wrong()])


def test_without_pandas_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install 'paretoball\[pandas\]'$"):
        from_dataframe([])


def test_whole_numbers_beyond_64_bits_are_refused():
    """As int64, 2**64 - 1 would be -1."""
    Q = pandas.DataFrame(np.array([[2**64 - 1]], np.uint64), ["a"], ["a"])
    with pytest.raises(OverflowError, match="arithmetic ends at 2"):
        from_dataframe(Q)
