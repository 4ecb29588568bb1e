"""Files of set covering: costs, and the columns that cover each row."""

import numpy as np
import pytest

import paretoball as pb
from format_samples import SAMPLES
from fronts_of_files import feasible_front
from landscape_files import refused_at
from paretoball.formats import read_described, setcover
from paretoball.formats.source import Source

ONE = SAMPLES["setcover"][1]
TEXT = SAMPLES["setcover-voptlib"][1]


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and returns its path."""

    def write(content, name="a.dat"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


def test_costs_are_minimised_and_rows_covered(written):
    landscape, titles = read_described(written(TEXT))
    assert titles == ["set covering with two objectives, of vOptLib"]
    assert landscape.sense == ("min", "min")
    assert landscape.evaluate([1, 0, 0, 1, 0]).tolist() == [5, 3]
    assert landscape.violation([0, 1, 0, 0, 0]).tolist() == [1, 0, 1]
    assert feasible_front(landscape) == {(5, 3): 1}


def test_one_objective_is_read_as_well_as_two(written):
    landscape = pb.read_landscape(written(ONE))
    assert landscape.evaluate([1, 0, 0, 1, 0]).tolist() == [5]
    assert len(landscape.constraints) == 3


def test_what_fits_one_objective_and_two_is_asked_back(written):
    path = written("2 2\n1 3\n2 2 1\n2 1 2\n")
    either = r"any of 'setcover' \(.*\), 'setcover-voptlib' \(.*\): give format="
    with pytest.raises(ValueError, match=either):
        pb.read_landscape(path)
    one = pb.read_landscape(path, format="setcover")
    assert one.evaluate([[1, 0], [0, 1]]).tolist() == [[1], [3]]
    assert one.is_feasible([[1, 0], [0, 1], [0, 0]]).tolist() == [True, True, False]
    two = pb.read_landscape(path, format="setcover-voptlib")
    assert two.evaluate([[1, 0], [0, 1]]).tolist() == [[1, 2], [3, 2]]
    assert two.is_feasible([[1, 0], [0, 1]]).tolist() == [False, True]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("2 2\n1 3\n2 2 1\n2 1 2\n", [1, 2]),
        ("1 3\n3 4 5\n1 3\n", [1]),
        ("1 3\n3 4\n5\n1 3\n", [1]),
        ("1 4\n3 4 5 6\n1 3\n", [1]),
        ("1 4\n3\n4 5 6\n1 3\n", [1]),
        ("1 4\n3 4 5 6\n7 8 9 1\n1 3\n", [2]),
        ("1 4\n3 4 5\n6\n1 3\n", []),  # as edges with weights are
        ("1 4\n3 4\n5 6\n1 3\n", []),
        ("1 4 1\n3 4 5 6\n1 3\n", []),
        ("1 4\n3 4 5 x\n1 3\n", []),
        ("1 4\n3 4 5 6\n1 3.0\n", []),
        ("1.0 4\n3 4 5 6\n1 3\n", []),
        ("1 4\n3 4 5 6\n1 3\n1\n", []),
        ("1 4\n", []),
    ],
)
def test_rows_that_end_with_the_file_tell_the_number_of_objectives(content, found):
    assert setcover.coverings(Source("a.dat", content.encode())) == found


@pytest.mark.parametrize(
    ("content", "format", "said"),
    [
        (TEXT, "setcover", "of two: 'setcover-voptlib' is its format"),
        (ONE, "setcover-voptlib", "of one objective: 'setcover' is its format"),
    ],
)
def test_the_other_number_of_objectives_is_told(written, content, format, said):
    with pytest.raises(ValueError, match=said):
        pb.read_landscape(written(content), format=format)


WRONG = [
    (TEXT.replace("3 5", "4 5"), 9, "the file ends before the end of row 4 of m = 4"),
    (TEXT.replace("3 5", "2 5"), 8, "'2' at column 2 comes after the last row, m = 2"),
    (TEXT.replace("3 5", "0 5"), 1, "m = 0 and n = 5, but both are 1 or more"),
    (TEXT.replace("1 3\n 3", "1 3\n 0"), 6, "'0' at column 2 is not the number of col"),
    (TEXT.replace("2 4 5", "2 4 6"), 7, "'6' at column 6 is not one of the columns 1"),
    (TEXT.replace("2 4 5", "2 4 4"), 7, "row 2 of m = 3 has a column twice"),
    (TEXT.replace("7", "7.5"), 2, "'7.5' at column 12 is not a whole number"),
    ("3\n", 1, "the header is not m and n"),
]


@pytest.mark.parametrize(("content", "line", "text"), WRONG)
def test_what_is_no_covering_is_refused_by_line(written, content, line, text):
    refused_at(written(content), line, text, format="setcover-voptlib")


@pytest.mark.parametrize(
    ("content", "line", "text"),
    [
        ("1 2\n3 4\n1 0\n", 3, "'0' at column 3 is not one of the columns 1 to 2"),
        ("1 2\n3 4\n1 -1\n", 3, "'-1' at column 3 is not one of the columns 1 to 2"),
        ("1 2\n3 4\n3 1 2 1\n", 3, "'3' at column 1 is not the number of columns"),
        ("1 2\n3 4\n-1 1\n", 3, "'-1' at column 1 is not the number of columns"),
        ("1 2\n3 4\n2 1\n", 3, "the file ends before the end of row 1 of m = 1"),
        ("1 0\n1 1\n", 1, "m = 1 and n = 0, but both are 1 or more"),
        ("2 2\n3 4\n1 1\n1 2\n1\n", 5, "'1' at column 1 comes after the last row"),
    ],
)
def test_rows_of_one_objective_are_refused_by_line(written, content, line, text):
    refused_at(written(content), line, text, format="setcover")


def test_the_first_and_the_last_column_may_cover_all(written):
    landscape = pb.read_landscape(
        written("2 3\n3 4 5\n1 3\n3 1 2 3\n"), format="setcover"
    )
    assert landscape.violation([[0, 0, 0], [1, 0, 0], [0, 0, 1]]).tolist() == [
        [1, 1],
        [1, 0],
        [0, 0],
    ]


def test_a_sample_is_read(shared_folder):
    path = shared_folder / "data" / "setcover" / "2scp11A.dat"
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    landscape = pb.read_landscape(path)
    numbers = list(map(int, path.read_text().split()))
    assert (landscape.n, landscape.d, len(landscape.constraints)) == (100, 2, 10)
    costs = np.array(numbers[2:202]).reshape(2, 100)
    assert landscape.evaluate(np.eye(100, dtype=int)).tolist() == costs.T.tolist()
    first = np.zeros(100, int)
    first[numbers[203] - 1] = 1  # the first column of the first row
    assert landscape.violation(first)[0] == 0
    assert (landscape.violation(np.zeros(100, int)) == 1).all()
