"""Files of qbsolv, read and written."""

import pytest

from paretoball import Landscape, read_landscape, write_landscape

FAR = 10**9
FILE = """c id : 1
p qubo 0 7 2 1
c linear terms
2 2 3
4 4 0
6 6 -7
c offset : 5
6 2 4
"""


def test_an_entry_counts_once_and_comments_never(tmp_path):
    (tmp_path / "a.qubo").write_text(FILE)
    landscape = read_landscape(tmp_path / "a.qubo")
    assert landscape.sense == ("min",)
    assert landscape.labels == (2, 4, 6)
    X = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
    assert landscape.evaluate(X).tolist() == [[0], [3], [0], [-7], [0]]


@pytest.mark.parametrize("name", ["a.txt", "a"])
@pytest.mark.parametrize("third", ["0", "unconstrained"])
def test_the_header_tells_the_format(tmp_path, name, third):
    text = f"  c\n\np qubo {third} 2 2 1\r\n0 0 1\r\n1 1 1\r\n0 1 -3.5"
    (tmp_path / name).write_text(text)
    landscape = read_landscape(tmp_path / name)
    assert landscape.evaluate([[1, 1], [1, 0]]).tolist() == [[-1.5], [1.0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p qubo 0 2 2 1|0 0 1|0 0 2|0 1 5|", "3: the entry is in line 2 already$"),
        ("p qubo 0 2 1 2|0 0 1|0 1 5|1 0 5|", "4: the entry is in line 3 already$"),
        ("p qubo 0 7 1 0|0 0 1|1 1 1|", "1: .* 1 diagonal entries, but 2 follow"),
        (
            "p qubo 0 7 3 0|0 0 1|1 1 1|",
            "1: .* 3 diagonal entries, but 2 follow: it is",
        ),
        ("p qubo 0 7 1 1|0 0 1|", "1: .* announces 1 couplers, but 0 follow"),
        (
            "p qubo 0 1 1 1|0 0 1|0 1 1|",
            "3: '1' at column 3 is not .* variables 0 to 0",
        ),
        ("p qubo 0 9 1 0|-1 -1 1|", "2: '-1' at column 1 is not one of the variables"),
        (
            "p qubo 0 7 1|0 0 1|",
            "1: the header is not `p qubo 0 end diagonals couplers`",
        ),
        ("p qubo 0 x 1 0|0 0 1|", "1: 'x' at column 10 is not a whole number"),
        ("c only|", "1: the header is not `p qubo"),
        ("p qubo 0 1000000000 0 0|", "it has no entries, so no variables"),
        ("p qubo 0 2 1 0|0 0|", "2: the line has 2 words, not 3"),
        ("p qubo 0 2 1 0|0 0 inf|", "2: 'inf' at column 5 is not a number"),
        ("p cnf 2 1|1 2 0|", "1: the header is not `p qubo"),
    ],
)
def test_damaged_files_are_refused_at_their_line(tmp_path, text, said):
    path = tmp_path / "a.qubo"
    path.write_text(text.replace("|", "\n"))
    with pytest.raises(ValueError, match=said) as refusal:
        read_landscape(path, format="qubo")
    assert str(refusal.value).startswith(f"{path}:")


@pytest.mark.parametrize(
    ("diagonals", "is_read"), [(1, False), (2, True), (3, True), (4, False)]
)
def test_diagonals_of_0_are_counted_or_not(tmp_path, diagonals, is_read):
    path = tmp_path / "a.qubo"
    path.write_text(f"p qubo 0 3 {diagonals} 1\n0 0 1\n1 1 0\n2 2 -5\n0 1 0\n")
    if is_read:
        assert read_landscape(path).evaluate([1, 1, 1]).tolist() == [-4]
        return
    with pytest.raises(ValueError, match=f"{diagonals} diagonal entries, but 3 follow"):
        read_landscape(path)


def test_a_far_index_makes_no_large_landscape(tmp_path):
    (tmp_path / "a.qubo").write_text(f"p qubo 0 {FAR + 1} 1 0\n{FAR} {FAR} 1\n")
    landscape = read_landscape(tmp_path / "a.qubo")
    assert landscape.labels == (FAR,)


def test_all_variables_are_written_and_labels_are_told(tmp_path):
    one = [((0, 2), [0, 0, 0, 5]), ((2,), [0, -1])]
    path = tmp_path / "a.qubo"
    write_landscape(Landscape.from_subfunctions(3, [one], "min"), path)
    assert path.read_text() == "p qubo 0 3 3 1\n0 0 0\n1 1 0\n2 2 -1\n0 2 5\n"
    named = Landscape.from_subfunctions(3, [one], "min", labels=["a", 7, ("b", "c")])
    write_landscape(named, path)
    assert path.read_text().startswith(
        "c 0 is 'a'\nc 1 is 7\nc 2 is ('b', 'c')\np qubo"
    )
    assert read_landscape(path).evaluate([1, 0, 1]).tolist() == [4]
    numbered = Landscape.from_subfunctions(3, [one], "min", labels=[9, 4, 5])
    write_landscape(numbered, path)
    assert path.read_text() == "p qubo 0 10 3 1\n9 9 0\n4 4 0\n5 5 -1\n9 5 5\n"


@pytest.mark.parametrize("value", [0.5, -0.5, 3, -3])
def test_a_constant_has_no_place(tmp_path, value):
    xor = Landscape.from_subfunctions(2, [[((0, 1), [value, 1, 1, value])]], "min")
    told = rf"the constant {value}, but a \.qubo file has no place"
    with pytest.raises(ValueError, match=told):
        write_landscape(xor, tmp_path / "a.qubo")
    assert list(tmp_path.iterdir()) == []
