"""`resume` goes on with a checkpoint, and with nothing else."""

from pathlib import Path

import pytest

import paretoball as pb
from command_line import assert_refused, run
from paretoball import load


@pytest.fixture
def checkpoint(folder, tmp_path) -> Path:
    """The checkpoint of a run of five climbs."""
    path = tmp_path / "checkpoint.npz"
    solving = "solve mnk.npz --method multistart --climbs 5 --seed 3 --quiet"
    assert run(f"{solving} --checkpoint {path}", folder) == 0
    return path


def test_resume_goes_on_to_a_new_budget(folder, checkpoint, capsys):
    assert run(f"resume {checkpoint} --climbs 9", folder) == 0
    assert f"saved as {checkpoint}" in capsys.readouterr().out
    resumed = load(checkpoint)
    assert (resumed.climbs, resumed.config["seed"]) == (9, 3)
    assert run(f"verify mnk.npz {checkpoint} --local 2", folder) == 0


def test_resume_saves_where_it_is_told_to(folder, checkpoint, tmp_path, capsys):
    out = tmp_path / "longer.npz"
    assert run(f"resume {checkpoint} --climbs 7 --workers 2 -o {out}", folder) == 0
    assert f"saved as {out}" in capsys.readouterr().out
    assert load(out).climbs == load(checkpoint).climbs == 7


def test_the_checkpoint_is_no_output_of_its_own(folder, checkpoint, capsys):
    assert run(f"resume {checkpoint} --climbs 7 -o {checkpoint}", folder) == 2
    assert "it is the checkpoint" in capsys.readouterr().err
    assert load(checkpoint).climbs == 5


def test_the_checkpoint_is_no_output_by_another_name(
    folder, checkpoint, tmp_path, capsys
):
    (tmp_path / "link.npz").symlink_to(checkpoint)
    before = checkpoint.read_bytes()
    assert run(f"resume {checkpoint} --climbs 7 -o {tmp_path}/link.npz", folder) == 2
    assert "it is the checkpoint" in capsys.readouterr().err
    assert checkpoint.read_bytes() == before


def test_every_option_of_resume_is_passed_on(folder, capsys, monkeypatch):
    asked = []

    def fake(checkpoint, **how):
        asked.append((checkpoint, how))
        raise ValueError("enough")

    monkeypatch.setattr(pb, "resume", fake, raising=False)
    words = """--time 3 --climbs 4 --moves 5 --workers 2 --checkpoint-every 7
        --memory-limit 1GB --quiet"""
    assert_refused(f"resume run.npz {words}", folder, "enough", capsys)
    assert_refused("resume run.npz", folder, "enough", capsys)
    full = {
        "time_limit": 3.0,
        "max_climbs": 4,
        "max_moves": 5,
        "workers": 2,
        "checkpoint_every": 7.0,
        "memory_limit": "1GB",
        "progress": False,
        "executor": None,
    }
    path = str(folder / "run.npz")
    assert asked == [(path, full), (path, dict.fromkeys(full) | {"progress": True})]


BAD = [
    ("resume", "RUN"),
    ("resume missing.npz", "missing.npz: "),
    ("resume mnk.npz", "its format is 'paretoball landscape'"),
    ("resume run.npz", "run.npz: "),
    ("resume other.json", "should end in .npz"),
    ("resume run.npz --climbs 0", "--climbs: 0 is not"),
    ("resume run.npz --time 0", "--time: 0 seconds"),
    ("resume run.npz --dask nowhere", "'nowhere' is neither local nor like"),
    ("resume run.npz -o missing/run.npz", "there is no folder"),
    ("resume run.npz -o longer.json", "longer.json: its name should end in .npz"),
    ("resume run.npz --moves 0", "--moves: 0 is not"),
    ("resume run.npz --workers 0", "--workers: 0 is not at least 1, nor -1"),
    ("resume run.npz --checkpoint-every 0", "--checkpoint-every: 0 seconds"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)
