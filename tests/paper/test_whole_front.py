"""`paper exact`: found once, and told again."""

import re

import pytest

import paretoball as pb
from command_line import run
from paretoball.landscape import landscape_digest
from paretoball.paper import whole_front as room
from paretoball.paper.whole_front import whole_front_lines


@pytest.mark.parametrize("sizes", [(9, 2, 7, 1), (9, 1, 100, -8), (8, 3, 5, 0)])
def test_the_front_is_that_of_the_landscape_asked_for(tmp_path, sizes):
    n, K, q, pseed = sizes
    lines = list(whole_front_lines(str(tmp_path), *sizes, progress=False))
    landscape = pb.mnk_java(n, K=K, d=2, q=q, pseed=pseed)
    found = pb.load(tmp_path / "exact.npz")
    assert found.landscape == landscape_digest(landscape)
    assert pb.verify(landscape, tmp_path / "exact.npz").failures == []
    assert f"hypervolume {pb.hypervolume(found, landscape.mean):,.1f}, " in lines[1]


def test_what_bands_found_is_kept_until_the_front_is(tmp_path, monkeypatch):
    class Stopped(Exception):
        pass

    def fake(landscape, progress, time_limit, checkpoint):
        checkpoint.write_text("bands")
        assert (progress, time_limit) == (False, None)
        raise Stopped

    asked = (str(tmp_path / "a" / "b"), 9, 2, 7, 1)
    with monkeypatch.context() as patch:
        patch.setattr(room, "solved_exactly", fake)
        with pytest.raises(Stopped):
            list(whole_front_lines(*asked, progress=False))
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["bands.npz"]
    (tmp_path / "a" / "b" / "bands.npz").unlink()
    first, _, last = whole_front_lines(*asked, progress=False)
    assert re.fullmatch(r"\d+ points in \d+\.\d s, all of the front", first)
    path = tmp_path / "a" / "b" / "exact.npz"
    assert last == f"{path}: for a figure: paretoball plot {path} -o front.png"


def test_what_bands_found_is_gone_once_the_front_is_saved_and_not_before(
    tmp_path, monkeypatch
):
    solved = room.solved_exactly

    def fake(landscape, progress, time_limit, checkpoint):
        checkpoint.write_text("bands")
        return solved(landscape, progress, time_limit)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(room, "solved_exactly", fake)
    asked = (str(tmp_path), 9, 2, 7, 1)
    with monkeypatch.context() as patch:
        patch.setattr("paretoball.running.result.write_run", full)
        with pytest.raises(OSError, match="No space left"):
            list(whole_front_lines(*asked, progress=False))
    assert [path.name for path in tmp_path.iterdir()] == ["bands.npz"]
    assert len(list(whole_front_lines(*asked, progress=False))) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["exact.npz"]


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
