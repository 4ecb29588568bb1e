"""`paper exact`: found once, and told again."""

import paretoball as pb
from command_line import run


def test_the_whole_front_is_found_once_and_told_again(tmp_path, capsys):
    command = f"paper exact --n 30 --K 2 --quiet -o {tmp_path}/whole"
    assert run(command, tmp_path) == 0
    first = capsys.readouterr().out
    front = pb.exact_front(pb.mnk_java(30, K=2, pseed=1))
    assert first.startswith(f"{len(front)} points in ")
    assert run(command, tmp_path) == 0
    assert capsys.readouterr().out == first
    assert len(pb.load(tmp_path / "whole" / "exact.npz")) == len(front)
    assert run(command.replace("--K 2", "--K 1"), tmp_path) == 2
    assert "belongs to another landscape" in capsys.readouterr().err
