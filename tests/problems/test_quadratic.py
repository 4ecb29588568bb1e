"""One or several: how objectives are told apart."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sparse

from paretoball import ising, maxcut, qubo
from paretoball.problems.quadratic import _is_graph, listed, one_each

ROWS = [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("given", "d"),
    [
        (ROWS, 1),
        (tuple(map(tuple, ROWS)), 1),
        ([np.array(row) for row in ROWS], 1),
        ([ROWS], 1),
        ([ROWS, ROWS], 2),
        ((ROWS, ROWS, ROWS), 3),
        (np.array(ROWS), 1),
        (np.array([ROWS, ROWS]), 2),
        ([np.array(ROWS), ROWS], 2),
        (sparse.csr_array(ROWS), 1),
        ([sparse.csr_array(ROWS)] * 2, 2),
        ({(0, 1): 1}, 1),
        ([{(0, 1): 1}] * 2, 2),
        ((each for each in [ROWS, ROWS]), 2),
        (nx.path_graph(3), 1),
        ([nx.path_graph(3)] * 2, 2),
    ],
)
def test_one_objective_or_several(given, d):
    assert len(listed(given)) == d


def test_one_value_is_for_all_and_a_list_has_one_each():
    assert one_each(3, 2, "offset") == [3, 3]
    assert one_each([3, 4], 2, "offset") == [3, 4]
    assert one_each(np.array([3, 4]), 2, "offset") == [3, 4]
    assert one_each("weight", 2, "weight") == ["weight"] * 2
    with pytest.raises(ValueError, match="3 offsets given for 2 objectives"):
        one_each((1, 2, 3), 2, "offset")


def test_graphs_are_told_by_what_they_can():
    assert _is_graph(nx.MultiDiGraph())
    assert not _is_graph({})


@pytest.mark.parametrize("kind", [sparse.dok_array, sparse.dok_matrix])
def test_a_sparse_matrix_that_is_a_dict_as_well_is_a_matrix(kind):
    assert qubo(kind(np.array(ROWS))).evaluate([1, 1]).tolist() == [10]
    assert maxcut(kind(np.triu(ROWS, 1))).evaluate([0, 1]).tolist() == [2]


def test_a_data_frame_keeps_its_labels():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, index=["a", "b"], columns=["b", "a"])
    landscape = qubo([frame, {("a", "c"): 5}])
    assert landscape.labels == ("a", "b", "c")
    assert landscape.evaluate({"a": 1, "b": 0, "c": 1}).tolist() == [2, 5]
    assert landscape.evaluate({"a": 1, "b": 1, "c": 0}).tolist() == [10, 0]
    both = pandas.DataFrame([[0, 3], [3, 9]], index=["a", "b"], columns=["a", "b"])
    assert maxcut(both).evaluate({"a": 1, "b": 0}).tolist() == [3]
    plain = pandas.DataFrame(ROWS)
    assert qubo(plain, labels=["x", "y"]).evaluate([0, 1]).tolist() == [4]
    for wrong in frame.rename(columns={"a": "c"}), frame.iloc[:1], frame.iloc[:, :1]:
        with pytest.raises(ValueError, match="rows and columns do not have the same"):
            qubo(wrong)


def test_masked_entries_are_refused():
    masked = np.ma.masked_array(ROWS, mask=[[0, 1], [0, 0]])
    for wrong in masked, [ROWS, masked], np.ma.stack([masked, masked]):
        with pytest.raises(ValueError, match=r"objective \d has masked entries"):
            qubo(wrong)
    assert qubo(masked.filled(0)).evaluate([1, 1]).tolist() == [8]
    assert qubo(np.ma.masked_array(ROWS)).evaluate([1, 1]).tolist() == [10]
    with pytest.raises(ValueError, match="h of objective 0 has masked entries"):
        ising((masked[0], ROWS))


@pytest.mark.parametrize("shape", [(3, 2), (2, 3)])
def test_a_matrix_that_is_not_square_is_refused(shape):
    with pytest.raises(ValueError, match=r"array of shape \(\d, \d\), but a quadratic"):
        qubo(np.ones(shape, int))
