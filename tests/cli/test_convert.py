"""`convert` writes what it read, in another format, or says why not."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from command_line import assert_refused, run
from paretoball import Landscape, read_landscape, write_landscape


@pytest.mark.parametrize("name", ["a.json", "a.npz"])
def test_an_instance_is_written_in_another_format(folder, tmp_path, capsys, name):
    assert run(f"convert mnk.npz {tmp_path / name}", folder) == 0
    assert f"{tmp_path / name}: Landscape(n=40" in capsys.readouterr().out
    X = np.random.default_rng(1).integers(2, size=(20, 40))
    before = read_landscape(folder / "mnk.npz").evaluate(X)
    assert_array_equal(read_landscape(tmp_path / name).evaluate(X), before)


@pytest.mark.parametrize("files", [["mnk.npz", "other.json"], ["mnk.npz"] * 3])
def test_several_files_make_one_landscape(folder, tmp_path, files):
    assert run(f"convert {' '.join(files)} {tmp_path / 'all.npz'}", folder) == 0
    found = read_landscape(tmp_path / "all.npz")
    parts = [read_landscape(folder / name) for name in files]
    names = tuple(f"f{i}" for i in range(2 * len(files)))
    assert (found.n, found.d, found.names) == (40, 2 * len(files), names)
    X = np.random.default_rng(1).integers(2, size=(20, 40))
    assert_array_equal(
        found.evaluate(X), np.hstack([part.evaluate(X) for part in parts])
    )


def test_higher_degrees_become_quadratic_with_more_variables(tmp_path, capsys):
    pytest.importorskip("dimod")
    tables = [3, 0, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 9, 7, 9]
    cubic = list(zip([(0, 1, 2), (1, 2, 3)], tables))
    landscape = Landscape.from_subfunctions(4, [cubic], "min")
    write_landscape(landscape, tmp_path / "cubic.json")
    assert run("convert cubic.json form.bqpjson", tmp_path) == 0
    out = capsys.readouterr().out
    form = read_landscape(tmp_path / "form.bqpjson")
    added = form.n - 4
    assert f"made quadratic: {added} variable" in out
    for x in product((0, 1), repeat=4):
        every = [[*x, *more] for more in product((0, 1), repeat=added)]
        assert form.evaluate(every).min() == landscape.evaluate(x)[0]


def test_the_format_to_write_is_the_one_that_is_named(tmp_path, capsys):
    pytest.importorskip("dimod")
    cubic = [((0, 1, 2), [3, 0, 1, 4, 1, 5, 9, 2])]
    for objective, to in (([((0, 1), [0, 1, 2, 4])], "json"), (cubic, "bqpjson")):
        landscape = Landscape.from_subfunctions(3, [objective], "min")
        write_landscape(landscape, tmp_path / "a.json")
        assert run(f"convert a.json b.dat --to {to}", tmp_path) == 0
        added = "made quadratic: 1 variable added, for products of others\n"
        out = capsys.readouterr().out
        assert out.startswith(added) == (to == "bqpjson")
        found = read_landscape(tmp_path / "b.dat", format=to)
        assert f"{tmp_path / 'b.dat'}: {found}\n" in out
        assert found.n == (4 if to == "bqpjson" else 3)


BAD = [
    ("convert mnk.npz", "the following arguments are required: OUT"),
    ("convert mnk.npz out.toy", "out.toy: a landscape is written to a file named"),
    ("convert mnk.npz out.toy --to toy", "format = 'toy' is none of json, npz"),
    ("convert mnk.npz out.npz --format toy", "mnk.npz: format = 'toy' is none of json"),
    ("convert missing.npz out.npz", "missing.npz: No such file"),
    ("convert mnk.npz few.json out.npz", "few.json has 4 variables, but"),
    ("convert mnk.npz mnk.npz", "mnk.npz: it is the instance, which would be lost"),
    ("convert mnk.npz other.json other.json", "other.json: it is the instance, which"),
    ("convert mnk.npz none/out.npz", "there is no folder"),
    ("convert cut.json out.npz", "it is not JSON"),
    ("convert mnk.npz out.qubo", "has one: .json and .npz files hold several"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[each for each, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(command, text, folder, capsys):
    assert_refused(command, folder, text, capsys)
