"""`paper exact`: found once, and told again."""

import paretoball as pb
from command_line import run


def test_the_whole_front_is_found_once_and_told_again(tmp_path, capsys):
    command = f"paper exact --n 30 --K 2 --quiet -o {tmp_path}/whole"
    assert run(command, tmp_path) == 0
    first = capsys.readouterr().out
    front = pb.exact_front(pb.mnk_java(30, K=2, pseed=1))
    assert first.startswith(f"{len(front)} points in ")
    landscape = pb.mnk_java(30, K=2, pseed=1)
    volume = pb.hypervolume(front, landscape.mean)
    share = volume / pb.supported_front(landscape).bound(landscape.mean)
    assert 0.5 < share < 1
    told = f"hypervolume {volume:,.1f}, {share:.5%} of that below the hull"
    assert first.splitlines()[1] == told
    assert [path.name for path in (tmp_path / "whole").iterdir()] == ["exact.npz"]
    assert run(command, tmp_path) == 0
    assert capsys.readouterr().out == first
    assert len(pb.load(tmp_path / "whole" / "exact.npz")) == len(front)
    assert run(command.replace("--K 2", "--K 1"), tmp_path) == 2
    assert "belongs to another landscape" in capsys.readouterr().err
