"""Commands on instances with constraints: nothing is lost without a word."""

from pathlib import Path

import numpy as np
import pytest

import paretoball as pb
from command_line import assert_refused, run
from paretoball.running.run_file import read_run, write_run

WEIGHTS = [((j,), [0, j + 1]) for j in range(4)]
ONES = [((j,), [0, 1]) for j in range(4)]
KNAPSACK = pb.Landscape.from_subfunctions(
    4, [ONES], names=["count"], constraints=[(WEIGHTS, "<=", 4, "load")]
)


@pytest.fixture
def instance(tmp_path) -> Path:
    """A folder with an instance, and a front of it."""
    pb.write_landscape(KNAPSACK, tmp_path / "sack.json")
    archive = pb.Archive(1)
    archive.report([2], [1, 0, 1, 0])
    pb.save_front(archive, KNAPSACK, tmp_path / "front.npz")
    return tmp_path


def test_info_tells_constraints(instance, capsys):
    assert run("info sack.json", instance) == 0
    assert "constraints       1 (1 <=), of at most 4 terms" in capsys.readouterr().out


def test_convert_keeps_constraints_or_refuses_them(instance, capsys):
    assert run("convert sack.json sack.npz", instance) == 0
    assert "m=4, constraints=1)" in capsys.readouterr().out
    assert run("convert sack.npz again.json", instance) == 0
    again = (instance / "again.json").read_bytes()
    assert again == (instance / "sack.json").read_bytes()
    capsys.readouterr()
    text = "the landscape has 1 constraint, which "
    assert_refused("convert sack.json sack.qubo", instance, text, capsys)


def test_verify_names_the_violated_constraint(instance, capsys):
    assert run("verify sack.json front.npz --local 1", instance) == 0
    assert "all is well" in capsys.readouterr().out
    header, arrays = read_run(instance / "front.npz")
    arrays["base"] = np.array([[0b1100]], np.uint8)
    whole = {k: v for k, v in header.items() if k not in ("format", "version")}
    write_run(instance / "front.npz", whole, arrays)
    assert run("verify sack.json front.npz", instance) == 1
    out = capsys.readouterr().out
    assert "violates constraint 0 ('load'), as 7 is not <= 4" in out
