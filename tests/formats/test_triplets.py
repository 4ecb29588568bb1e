"""Lists of a header and lines `i j w`: eight formats, one shape, their own factors."""

from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paretoball import Landscape, read_landscape
from paretoball.formats import (
    beasley,
    biqmac,
    maxcut,
    mqlib,
    qbsolv,
    qoblib,
    qpbo,
    qplib,
    quantagonia,
    qubist,
)
from paretoball.formats.registry import read_described
from paretoball.formats.source import Source

LISTS = [
    *(beasley, biqmac, maxcut, mqlib, qbsolv),
    *(qoblib, qpbo, qplib, quantagonia, qubist),
]


class Kind(NamedTuple):
    """How a format writes Σ w_ii x_i + factor Σ w_ij x_i x_j."""

    suffix: str
    head: str
    base: int
    sense: str
    factor: int
    spins: bool = False
    offset: int = 0
    signs: tuple[int, int] = (1, 1)  # of n and m in the header


KINDS = {
    "biqmac": Kind(".bq", "", 1, "min", 2),
    "mqlib": Kind(".txt", "# a comment\n", 1, "max", 2),
    "beasley": Kind(".txt", "1\n", 1, "max", 2),
    "qs": Kind(".qs", "# ObjectiveOffset -3\n# Vars\n", 1, "min", 2, offset=-3),
    "qpbo": Kind(".qpbo", "", 1, "min", 2),
    "qpbo max": Kind(".qpbo", "", 1, "max", 2, signs=(1, -1)),
    "qpbo spins": Kind(".qpbo", "", 1, "min", 2, spins=True, signs=(-1, 1)),
    "qubist": Kind(".qh", "", 0, "min", 1, spins=True),
    "quantagonia min": Kind(".qubo", "MINIMIZE\n1\n1\n-7\n", 0, "min", 2, offset=-7),
    "quantagonia": Kind(".qubo", "MAXIMIZE\n1\n1.0\n2\n", 0, "max", 2, offset=2),
}


@st.composite
def forms(draw):
    """The size of a form, and its entries: decimals in words, or whole numbers."""
    n = draw(st.integers(1, 4))
    cells = [(i, j) for i in range(n) for j in range(i, n)]
    chosen = draw(st.lists(st.sampled_from(cells), unique=True))
    numbers = draw(st.sampled_from([["0", "-7", "+3", "12"], ["0.1", "-2.5", "1e1"]]))
    return n, [(cell, draw(st.sampled_from(numbers))) for cell in chosen]


def value(kind: Kind, entries, bits) -> Fraction:
    """The form by its definition."""
    x = [2 * bit - 1 if kind.spins else bit for bit in bits]
    total = Fraction(kind.offset)
    for (i, j), w in entries:
        total += Fraction(w) * (x[i] if i == j else kind.factor * x[i] * x[j])
    return total


def assert_values(landscape: Landscape, n: int, right) -> None:
    """The landscape has the value `right(bits)` for all bits."""
    every = list(product((0, 1), repeat=n))
    found = landscape.evaluate(np.array(every))[:, 0].tolist()
    assert found == [float(right(bits)) for bits in every]


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=15)
@given(form=forms(), end=st.sampled_from(["\n", "\r\n", "  \n\n"]))
def test_forms_have_their_factors_and_senses(tmp_path_factory, name, form, end):
    kind, (n, entries) = KINDS[name], form
    if name == "qpbo spins":
        entries = [each for each in entries if each[0][0] != each[0][1]]
    if name == "qubist":  # variables are those that occur
        missing = {(j, j) for j in range(n)} - dict(entries).keys()
        entries += [(cell, "0") for cell in sorted(missing)]
    lines = [f"{kind.signs[0] * n} {kind.signs[1] * len(entries)}"]
    lines += [f"{i + kind.base} {j + kind.base} {w}" for (i, j), w in entries]
    path = tmp_path_factory.getbasetemp() / f"form{kind.suffix}"
    text = kind.head.replace("\n", end) + end.join(lines)
    path.write_bytes(text.encode())
    if kind.signs[1] < 0 and not entries:
        kind = kind._replace(sense="min")  # -0 is no sign
    landscape = read_landscape(path, format=name.split()[0])
    assert landscape.n == n
    assert landscape.sense == (kind.sense,)
    assert_values(landscape, n, lambda bits: value(kind, entries, bits))


@pytest.mark.parametrize(
    "text",
    [
        "3 3\n1 2 5\n1 3 -2\n3 2 7\n",
        "3 3\r\n1 2 5\r\n1 3 -2\r\n3 2 7",
        "3 3 J \n 1\t2 5 \n\n1 3 -2\n3 2 7\n\n",
        "\ufeff# a graph\n3 3\n# edges\n1 2 5\n1 3 -2\n3 2 7\n",
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a", "a.mc"])
def test_cuts_of_graphs(tmp_path, text, name):
    path = tmp_path / name
    path.write_bytes(text.encode())
    landscape = read_landscape(path)
    assert landscape.sense == ("max",)
    assert not landscape.real
    weights = {(0, 1): 5, (0, 2): -2, (1, 2): 7}
    assert_values(
        landscape,
        3,
        lambda x: sum(w for (i, j), w in weights.items() if x[i] != x[j]),
    )


@pytest.mark.parametrize("again", ["1 2 1", "2 1 1"])
def test_weights_of_an_edge_that_is_there_twice_add_up_with_a_warning(tmp_path, again):
    (tmp_path / "a.txt").write_text(f"3 4\n2 3 7\n1 2 4\n1 3 -2\n{again}\n")
    with pytest.warns(UserWarning, match=r"a\.txt: the edge 1 2 is there twice"):
        landscape = read_landscape(tmp_path / "a.txt")
    assert landscape.evaluate([[1, 0, 0], [0, 0, 1]]).tolist() == [[3], [5]]


def test_edges_without_weights_have_weight_1(tmp_path):
    (tmp_path / "a.txt").write_text("4 3\n1 2\n2 3\n3 4\n")
    landscape = read_landscape(tmp_path / "a.txt")
    assert landscape.evaluate([[0, 1, 0, 1], [0, 0, 1, 1]]).tolist() == [[3], [1]]


GRAPH = "3 2\n1 2 5\n2 3 1\n"
FORM = "3 2\n1 1 5\n2 3 1\n"
ASKED = r"any of 'biqmac' \(.*\), 'mqlib' \(.*\), 'qubist' \(.*\): give format="


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        (GRAPH, "a.txt", "MaxCut"),
        (GRAPH, "a.rud", "MaxCut"),
        (GRAPH, "a.bq", "Biq Mac"),
        (GRAPH, "a.qs", "QOBLIB"),
        (GRAPH, "a.qpbo", "toulbar2"),
        (GRAPH, "a.qh", "Qubist"),
        (FORM, "a.bq", "Biq Mac"),
        (FORM, "a.sparse", "Biq Mac"),
        (FORM, "a.qs", "QOBLIB"),
        (FORM, "a.qpbo", "toulbar2"),
        (FORM, "a.qh", "Qubist"),
        ("# ObjectiveOffset 1\n" + GRAPH, "a.txt", "QOBLIB"),
        ("# ObjectiveOffset 1\n" + FORM, "a.txt", "QOBLIB"),
        ("#ObjectiveOffset 1.5\n" + FORM, "a.txt", "QOBLIB"),
        ("# no ObjectiveOffset\n" + GRAPH, "a.txt", "MaxCut"),
        ("-" + GRAPH, "a.txt", "toulbar2"),
        (GRAPH.replace("3 2", "3 -2", 1), "a.txt", "toulbar2"),
        (FORM.replace("3 2", "3 -2", 1), "a.txt", "toulbar2"),
        ("1\n" + GRAPH, "a.txt", "Beasley"),
        ("MINIMIZE\n1\n1.0\n0.0\n3 1\n0 2 5\n", "a.txt", "Quantagonia"),
        ("5 0\n", "a.txt", "MaxCut"),
    ],
)
def test_content_then_the_suffix_tell_the_format(tmp_path, text, name, found):
    (tmp_path / name).write_text(text)
    assert found in read_described(tmp_path / name)[1][0]


@pytest.mark.parametrize(
    "text", [FORM, "# a comment\n" + FORM, "3 3\n1 2 5\n2 2 1\n2 3\n"]
)
@pytest.mark.parametrize("name", ["a.txt", "a", "a.mc", "a.qubo"])
def test_a_form_that_may_have_several_factors_is_asked_back(tmp_path, text, name):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=ASKED):
        read_landscape(tmp_path / name)


@pytest.mark.parametrize(
    "text",
    [
        '4 2\n2 0 1\n"00" 1.5\n"01" 2\n',  # GOMEA
        "-3 0101\n4\n0 1 1\n1 2 -1\n",  # Goldman's spins
        "4\n-1.5\n1 2 1\n2 3 -1\n",  # DSMGA-II's spins
        "4 2 1\n0.5 0.25\n",
        "3 4\n1 -2\n-5 6\n0 2\n",  # rows of two matrices
        "p cnf 3 1\n1 2 0\n",
        "5 1 0\n3 -2 0\n",  # clauses
        "2 100\n\n500.5\n0 1 2\n",
        "words\n3 2\n1 2 5\n",
        "3 2\n1 2.5 5\n2 0.5 1\n",
        "3 2\n1 2 5\n2.5 1 1\n",
        "3 -3\n1 2 5\n2 3 1\n",  # fewer than it says
        "1.0\n3 2\n1 2 5\n",
        "1\n3.0 2\n1 2 5\n",
        "1\n3 2.0\n1 2 5\n",
        "1\n3 2\n1.0 2 5\n",
        "1\n3 2\n1 2.0 5\n",
        "1\n3 2\n1 2\n",
        "MINIMIZE 1\n1\n1\n0\n2 0\n",
        "minimize\n1\n1\n0\n2 0\n",
    ],
)
def test_other_lists_are_not_taken_for_these(text):
    source = Source("a.txt", text.encode())
    assert [each.NAME for each in LISTS if each.sniff(source)] == []


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("beyond", [0, 1, 2**60, 2**61])
def test_entries_that_count_twice_are_exact_or_refused(tmp_path, sign, beyond):
    path, entry = tmp_path / "a.bq", sign * (2**61 + beyond)
    path.write_text(f"3 2\n2 3 0\n1 2 {entry}\n")
    if not beyond:
        assert read_landscape(path).evaluate([1, 1, 0]).tolist() == [2 * entry]
        return
    with pytest.raises(ValueError, match=f" 1 has {2 * entry} at entry 3 of its table"):
        read_landscape(path)


INDEX = "is not one of the variables"
DAMAGED = [  # a bar ends a line
    ("a.mc", "3 3|1 2 5|2 3 1|", "1: .* announces 3 entries, but 2 follow: it is cut"),
    ("a.mc", "3 1|1 2 5|2 3 1|", "1: .* announces 1 entries, but 2 follow: the header"),
    ("a.mc", "3 2|1 2 5|2 3|", "3: the line has 2 words, not 3"),
    ("a.txt", "3 3|1 2 5|1 3 1|2 3|", "4: the line has 2 words, not 3"),
    ("a.qh", "3 2|1 2|2 3|", "2: the line has 2 words, not 3"),
    ("a.mc", "3 2|1 2 5|2 3 1 4|", "3: the line has 4 words, not 3"),
    ("a.mc", "3 2|0 1 5|1 2 1|", f"2: '0' at column 1 {INDEX} 1 to 3"),
    ("a.mc", "3 2|1 2 5|2 4 1|", f"3: '4' at column 3 {INDEX} 1 to 3"),
    ("a.mc", "3 2|1 2 NaN|2 3 1|", "2: 'NaN' at column 5 is not a number"),
    ("a.mc", "3 2|1 2 1_000|2 3 1|", "2: '1_000' at column 5 is not a"),
    ("a.mc", "3 2|1 2 ٣|2 3 1|", "2: .* is not a"),
    ("a.mc", "3 2|1 2 1e99|2 3 1|", "2: '1e99' at column 5 is too large"),
    ("a.mc", "3 2|1.0 2 1|2 3 1|", "2: '1.0' at column 1 is not a whole number"),
    ("a.mc", "3|1 2 5|", "1: the header is not n and m"),
    ("a.mc", "3 2 1|1 2 5|", "1: the header is not n and m"),
    ("a.mc", "0 0|", "1: the header says 0 variables"),
    (
        "a.mc",
        "1000000000 1|1 2 5|",
        "1: .* 1000000000 variables, but the file has 1 entry",
    ),
    (
        "a.mc",
        f"{10**99} 1|1 2 5|",
        "1: the header says 1000.* variables, but the file has 1",
    ),
    ("a.mc", f"3 {10**99}|1 2 5|", "1: the header announces 1000.* entries, but 1"),
    ("a.bq", "3 2|1 2 5|2 1 5|", "3: the entry is in line 2 already"),
    ("a.qh", "3 3|1 1 5|1 2 5|2 1 5|", "4: the entry is in line 3 already$"),
    ("a.bq", "9 4|7 8 5|1 2 5|8 7 5|2 1 5|", "4: the entry is in line 2 already: the"),
    ("a.bq", "9 4|7 8 5|1 2 5|2 1 5|8 7 5|", "4: the entry is in line 3 already: the"),
    ("a.bq", "3 2|1 2|2 3|", "2: the line has 2 words, not 3"),
    ("a.bq", "# nothing|", "it has no header: n and m"),
    ("a.bq", f"2 1|1 2 {2**62}|", r"exact arithmetic ends at 2\*\*62"),
    ("a.bq", f"2 1|1 2 {2**62 + 1}|", "2: .* is too large"),
    ("a.bq", "-3 1|1 2 5|", "toulbar2"),
    ("a.qs", "# ObjectiveOffset x|2 1|1 2 1|", "1: 'x' at column 19 is not a number"),
    ("a.qs", "# ObjectiveOffset|2 1|1 2 1|", "1: one number follows ObjectiveOffset"),
    ("a.qs", "# ObjectiveOffset 1|# ObjectiveOffset 2|2 0|", "2: one number .* once"),
    ("a.qs", "-2 1|1 2 1|", "1: a number in the header is negative"),
    ("a.qpbo", "-3 3|1 2 5|3 3 1|2 2 1|", "3: a diagonal entry has no agreed meaning"),
    ("a.qpbo", "-2 1|1 1 5|", "2: a diagonal entry has no agreed meaning in spins"),
    ("a.qh", "5 0|", "it has no entries, so no variables"),
    ("a.qh", "5 1|-1 2 3|", f"2: '-1' at column 1 {INDEX} 0 to"),
    ("a.txt", "2|2 1|1 2 1|2 1|1 1 3|", "1: the first line says 2 problems; a"),
    ("a.txt", "1|2 2|1 2 1|", "2: the header announces 2 entries, but 1 follow"),
    (
        "a.qubo",
        "MINIMIZE|2|1.0|0|2 1|0 1 1|",
        "2: the number of problems is '2', not",
    ),
    ("a.qubo", "MINIMIZE|1|2.0|0|2 1|0 1 1|", "3: the factor is '2.0', not 1"),
    ("a.qubo", "MINIMIZE|1|1.0|", "it is cut short: it has no constant"),
    ("a.qubo", "MINIMIZE|1|1.0|0|", "it has no header: n and m"),
    ("a.qubo", "MINIMIZE|1|1|0|2 1|0 1 1|f 0 1|", "7: a variable is fixed"),
    ("a.qubo", "MINIMIZE|1|1|0|2 1|1 2 1|", f"6: '2' at column 3 {INDEX} 0 to 1"),
]


@pytest.mark.parametrize(("name", "text", "said"), DAMAGED)
def test_damaged_lists_are_refused_at_their_line(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_bytes(text.replace("|", "\n").encode())
    if said == "toulbar2":  # a negative number makes it another format
        assert said in read_described(path)[1][0]
        return
    with pytest.raises(ValueError, match=said) as refusal:
        read_landscape(path)
    assert str(refusal.value).startswith(f"{path}:")
    assert "\n" not in str(refusal.value)


def test_a_loop_makes_a_list_no_graph(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("3 2\n1 2 5\n3 3 1\n")
    with pytest.raises(ValueError, match="3: the edge has one node at both ends"):
        read_landscape(path, format="maxcut")
    path.write_text("4 5\n1 2\n1 3\n3 3\n4 4\n1 4\n")
    with pytest.raises(ValueError, match="4: the edge has one node at both ends"):
        read_landscape(path, format="maxcut")


@pytest.mark.parametrize("name", ["maxcut", "biqmac", "mqlib", "qs"])
@pytest.mark.parametrize("header", ["-3 2", "3 -2", "-3 -2"])
def test_numbers_in_headers_are_not_negative_but_in_qpbo(tmp_path, name, header):
    path = tmp_path / "a.txt"
    path.write_text(f"{header}\n1 2 5\n2 3 1\n")
    with pytest.raises(ValueError, match="1: a number in the header is negative"):
        read_landscape(path, format=name)
    assert read_landscape(path).sense == (("max" if "-2" in header else "min"),)


def test_the_second_number_of_qubist_is_that_of_its_lines(tmp_path):
    path, far = tmp_path / "a.qh", 2**62 - 1
    path.write_text(f"-7 2\n0 {far} 3\n{far} {far} 1\n")
    landscape = read_landscape(path, format="qubist")
    assert landscape.labels == (0, far)
    assert landscape.evaluate([[0, 0], [0, 1]]).tolist() == [[2], [-2]]
    path.write_text("7 -2\n0 1 3\n1 1 1\n")
    with pytest.raises(ValueError, match=r"1: .* announces -2 entries, but 2 follow"):
        read_landscape(path, format="qubist")


@pytest.mark.parametrize("first", ["MINIMIZE 1", "minimize", "1", "0 MAXIMIZE"])
def test_the_first_line_of_quantagonia_is_one_of_two_words(tmp_path, first):
    path = tmp_path / "a.txt"
    path.write_text(f"{first}\n1\n1\n0\n2 0\n")
    with pytest.raises(ValueError, match="is neither MINIMIZE nor MAXIMIZE"):
        read_landscape(path, format="quantagonia")


@pytest.mark.parametrize("name", KINDS)
def test_lists_cut_short_anywhere_are_refused(tmp_path, name):
    kind, path = KINDS[name], tmp_path / "a"
    i, j = kind.base, kind.base + 1
    whole = f"{kind.head}3 3\n{i} {j} 12\n{i} {j + 1} -7\n{j} {j + 1} 5\n"
    for end in range(len(whole) - 2):
        path.write_text(whole[:end])
        with pytest.raises(ValueError, match=f"^{path}:"):
            read_landscape(path, format=name.split()[0])
