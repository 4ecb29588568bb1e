"""`exact` saves the whole front, which other commands take like any run."""

import pytest

import paretoball as pb
from command_line import assert_refused, run


def test_exact_fronts_are_saved_verified_and_drawn(folder, capsys, tmp_path):
    run_file, figure = tmp_path / "exact.npz", tmp_path / "front.png"
    assert run(f"exact mnk.npz --quiet -o {run_file}", folder) == 0
    out, err = capsys.readouterr()
    assert "elimination  of width 4, " in out
    assert "ended as     exact: the whole front\n" in out
    assert out.endswith(f"saved as {run_file}\n")
    assert err == ""
    assert len(pb.load(run_file)) > 9
    assert run(f"verify mnk.npz {run_file} --local 1", folder) == 0
    assert capsys.readouterr().out.endswith("all is well\n")
    assert run(f"plot {run_file} -o {figure}", folder) == 0
    assert figure.stat().st_size > 0


def test_solve_takes_exact_as_a_method_without_a_budget(folder, capsys):
    assert run("solve few.json --method exact --quiet", folder) == 0
    out = capsys.readouterr().out
    assert "exact: the whole front" in out
    assert out.endswith("not saved: no -o was given\n")


def test_the_front_is_told_even_if_saving_fails(folder, tmp_path, capsys, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "run.npz")

    monkeypatch.setattr("paretoball.running.result.write_run", full)
    assert run(f"exact few.json --quiet -o {tmp_path}/run.npz", folder) == 2
    out, err = capsys.readouterr()
    assert "exact: the whole front" in out
    assert "saved" not in out
    assert err == "paretoball: run.npz: No space left on device\n"


def test_every_option_of_exact_is_passed_on(folder, capsys, monkeypatch):
    asked = []

    def fake(landscape, **how):
        asked.append(how)
        raise ValueError(f"n = {landscape.n}")

    monkeypatch.setattr("paretoball.running.solved_exactly", fake)
    words = "--time 3.5 --max-points 7 --memory-limit 8GB --quiet"
    assert_refused(f"exact mnk.npz {words}", folder, "n = 40", capsys)
    assert_refused("exact few.json", folder, "n = 4", capsys)
    limits = {"time_limit": 3.5, "max_points": 7, "memory_limit": "8GB"}
    assert asked == [
        {"progress": False, **limits},
        {"progress": True, **dict.fromkeys(limits)},
    ]


BAD = [
    ("exact", "INSTANCE"),
    ("exact missing.npz", "missing.npz: No such file"),
    ("exact mnk.npz -o run.txt", "its name should end in .npz"),
    ("exact mnk.npz -o mnk.npz", "mnk.npz: it is the instance, which would be lost"),
    ("exact other.json mnk.npz -o mnk.npz", "mnk.npz: it is the instance, which"),
    ("exact mnk.npz --quiet --max-points 5", "max_points = 5 is passed"),
    ("exact mnk.npz --quiet --time 0.000000001", "is up: eliminating: step 1 of 40"),
    ("exact mnk.npz --memory-limit two", "memory_limit = 'two'"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)
