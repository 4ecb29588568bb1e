"""QPLIB: unconstrained binary problems by their definition, others by name."""

from itertools import product

import pytest

from paretoball import read_landscape
from paretoball.formats import triplets

FILE = """My problem # is not a comment
QBN # problem type
maximize
3 # number of variables
3 # number of quadratic terms in objective
1 1 5
2 1 -4
3 2 7
2.5 # default value for linear coefficients in objective
1 # number of non-default linear coefficients in objective
3 -1
10 # objective constant
1e30 # value of infinity
0.0 # default starting point
1
2 1.0
0.0
0
2 # names
1 left
3 right
0
"""


def value(x) -> float:
    """½ x'Qx + b'x + the constant, with the whole of Q."""
    Q = [[5, -4, 0], [-4, 0, 7], [0, 7, 0]]
    b = [2.5, 2.5, -1]
    square = sum(Q[i][j] * x[i] * x[j] for i in range(3) for j in range(3))
    return square / 2 + sum(b[i] * x[i] for i in range(3)) + 10


def lines(count: int | None = None, **changed: str) -> str:
    """The first lines of the file, some changed: `l3="..."` is the third."""
    found = FILE.splitlines()[:count]
    for key, text in changed.items():
        found[int(key[1:]) - 1] = text
    return "\n".join(found)


@pytest.mark.parametrize("count", [12, 13, 16, 18, 21, 22])
@pytest.mark.parametrize("name", ["a.qplib", "a.txt"])
def test_values_are_halves_of_the_whole_form(tmp_path, count, name):
    (tmp_path / name).write_text(lines(count))
    landscape = read_landscape(tmp_path / name)
    assert landscape.sense == ("max",)
    for x in product((0, 1), repeat=3):
        assert landscape.evaluate(x).tolist() == [value(x)]
    named = ("left", "2", "right") if count > 18 else (0, 1, 2)
    assert landscape.labels == named


def test_even_squares_stay_whole(tmp_path):
    text = "even\nCBB\nMINIMIZE\n2\n2\n1 1 8\n2 1 -3\n1\n0\n-5\n"
    (tmp_path / "a.txt").write_text(text)
    landscape = read_landscape(tmp_path / "a.txt")
    assert landscape.sense == ("min",)
    assert not landscape.real
    assert landscape.evaluate([[0, 0], [1, 0], [1, 1]]).tolist() == [[-5], [0], [-2]]


@pytest.mark.parametrize("default", ["2", "2.5"])
@pytest.mark.parametrize("exception", ["1", "1.5"])
def test_defaults_and_exceptions_may_be_whole_or_real(tmp_path, default, exception):
    text = f"line\nLBN\nminimize\n2\n{default}\n1\n2 {exception}\n0\n"
    (tmp_path / "a.txt").write_text(text)
    values = read_landscape(tmp_path / "a.txt").evaluate([[1, 0], [0, 1]])
    assert values.tolist() == [[float(default)], [float(exception)]]


def test_linear_problems_have_no_entries(tmp_path):
    (tmp_path / "a.txt").write_text("line\nLBN\nminimize\n2\n1\n1\n2 -3\n0\n")
    landscape = read_landscape(tmp_path / "a.txt")
    assert landscape.evaluate([[1, 0], [0, 1]]).tolist() == [[1], [-3]]


@pytest.mark.parametrize("mark", ["#", "!", "%"])
@pytest.mark.parametrize("kind", ["DBN", "CBB", "QBN", "LBN"])
def test_types_with_entries_and_remarks_of_any_kind_are_read(tmp_path, mark, kind):
    entries = [] if kind[0] == "L" else ["1", "1 1 6"]
    rows = ["minimize", "2", *entries, "5", "1", "2 7", "11"]
    text = "".join(f"{row} {mark} a remark # ! %\n{mark} another\n" for row in rows)
    (tmp_path / "a").write_text(f"{mark}name{mark}\n{kind}{mark}\n{text}")
    landscape = read_landscape(tmp_path / "a", format="qplib")
    first = 5 + 3 * bool(entries)
    assert landscape.evaluate([[0, 0], [1, 0], [0, 1]]).tolist() == [
        [11],
        [11 + first],
        [18],
    ]


def test_variables_are_not_far_more_than_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(triplets, "MOST_UNREAD", 0)
    text = "line\nLBN\nminimize\n{}\n1\n0\n0\n"
    (tmp_path / "a").write_text(text.format(14))
    assert read_landscape(tmp_path / "a").n == 14
    (tmp_path / "a").write_text(text.format(15))
    with pytest.raises(ValueError, match=r":4: the header says 15 variables, but"):
        read_landscape(tmp_path / "a")


@pytest.mark.parametrize(
    "squares", [[4, 6], [5, 6], [6, 5], [5, 7], [-5, -6], [4.0, 5.0], [0, 2**53 + 2]]
)
def test_squares_are_halved_whether_odd_or_even(tmp_path, squares):
    text = "mix\nQBN\nminimize\n2\n2\n1 1 {}\n2 2 {}\n0\n0\n0\n"
    (tmp_path / "a").write_text(text.format(*squares))
    landscape = read_landscape(tmp_path / "a")
    found = landscape.evaluate([[1, 0], [0, 1]])[:, 0].tolist()
    assert found == [each / 2 for each in squares]


@pytest.mark.parametrize("sign", [1, -1])
def test_halves_of_odd_numbers_are_exact_or_refused(tmp_path, sign):
    text, path = "odd\nQBN\nminimize\n2\n2\n1 1 {}\n2 2 1\n0\n0\n0\n", tmp_path / "a"
    large, odd = sign * (2**40 + 1), sign * (2**53 + 1)
    path.write_text(text.format(large))
    assert read_landscape(path).evaluate([1, 0]).tolist() == [large / 2]
    path.write_text(text.format(odd))
    with pytest.raises(ValueError, match=f"Q has {abs(odd)} and odd numbers: their"):
        read_landscape(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            lines(l2="QCL"),
            ":2: the type is 'QCL', not one without constraints, all bin",
        ),
        (lines(l2="QBL"), ":2: the type is 'QBL', not one without constraints"),
        (lines(l2="words"), ":2: the type is 'words', not three letters such as QBN"),
        (lines(l3="best"), ":3: the sense is 'best', not minimize or maximize"),
        (lines(l4="0"), ":4: the header says 0 variables"),
        (lines(l4="-3"), ":4: the number of variables is -3"),
        (lines(l4="1000000000"), ":4: the header says 1000000000 variables"),
        (
            lines(l5="99"),
            ":5: 99 entries are announced, but 17 lines follow: it is cut",
        ),
        (lines(l5="2"), ":8: the line has 3 words, not 1"),
        (lines(l5="4"), ":9: the line has 1 word, not 3"),
        (lines(l6="0 1 5"), ":6: '0' at column 1 is not one of the variables 1 to 3"),
        (lines(l7="2 4 5"), ":7: '4' at column 3 is not one of the variables 1 to 3"),
        (lines(l8="3 2 nan"), ":8: 'nan' at column 5 is not a number"),
        (lines(l10="2", l11="3 -1\n3 4"), ":12: '3' at column 1 has a value already"),
        (lines(l8="1 2 -4"), ":8: the entry is in line 7 already: the list is one tri"),
        (lines(l8="1 1 5"), ":8: the entry is in line 6 already"),
        (lines(11), "it is cut short: the constant is missing"),
        (lines(9), "it is cut short: the number of entries is missing"),
        (lines(14), "it is cut short: the number of entries is missing"),
        (
            lines(l20="5 left"),
            ":20: '5' at column 1 is not one of the variables 1 to 3",
        ),
        (lines(l20="1 right"), "label 'right' is given twice"),
        (lines(l6=f"1 1 {2**60 + 1}"), "their halves end at"),
        (lines() + "\n0\n", ":23: '0' is one line too many"),
    ],
)
def test_damaged_files_are_refused_at_their_line(tmp_path, text, said):
    path = tmp_path / "a.qplib"
    path.write_text(text)
    with pytest.raises(ValueError, match=said) as refusal:
        read_landscape(path)
    assert str(refusal.value).startswith(f"{path}:")
