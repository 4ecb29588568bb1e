"""`solve` does what its options say, and saves where it is told to."""

import pytest

import paretoball as pb
from command_line import assert_refused, run, words
from paretoball import load
from paretoball.cli.main import main
from paretoball.landscape import solutions
from paretoball.system import cores


def test_solve_prints_and_saves(folder, tmp_path, capsys):
    path = tmp_path / "new.npz"
    command = f"solve mnk.npz --radius 3 --climbs 5 --seed 4 --workers 2 -o {path}"
    assert run(command, folder) == 0
    out, err = capsys.readouterr()
    result = load(path)
    assert f"{len(result)} non-dominated solution" in out
    assert "radius 3, seed 4" in out
    assert f"saved as {path}" in out
    assert err == ""
    assert (result.climbs, result.config["radius"], result.config["seed"]) == (5, 3, 4)


@pytest.mark.parametrize(
    ("options", "config"),
    [
        ("--time 0.1 --method path", {"time_limit": 0.1}),
        ("--time 1e-1 --quiet --method path", {"time_limit": 0.1}),
        ("--moves 50", {"max_moves": 50}),
        ("--climbs 2 --weights 1,2.5", {"weights": [1.0, 2.5]}),
        ("--climbs 2 --weights independent", {"weights": "independent"}),
        ("--climbs 2 --weights simplex", {"weights": "simplex"}),
        ("--climbs 2 --selection best", {"selection": "best"}),
        ("--climbs 2 --selection uniform", {"selection": "uniform"}),
        ("--climbs 2 --climb strong-only", {"climb": "strong-only"}),
        ("--climbs 2 --start run.npz", {"max_climbs": 2}),
    ],
)
def test_options_of_solve_arrive(folder, tmp_path, options, config):
    path = tmp_path / "new.npz"
    assert run(f"solve mnk.npz {options} -o {path}", folder) == 0
    assert config.items() <= load(path).config.items()


def test_every_option_of_solve_is_passed_on(folder, capsys, monkeypatch):
    asked = []

    def fake(landscape, **how):
        asked.append(how)
        raise ValueError(f"n = {landscape.n}")

    monkeypatch.setattr(pb, "solve", fake, raising=False)
    words = """--method path --radius 3 --seed 4 --time 1.5 --climbs 6 --moves 7
        --weights 1,2 --breadth 8 --selection best --climb strong-only --max-archive 9
        --checkpoint new.npz --checkpoint-every 10 --workers 2 --memory-limit 8GB
        --quiet"""
    assert_refused(f"solve mnk.npz {words}", folder, "n = 40", capsys)
    assert_refused("solve few.json --time 2", folder, "n = 4", capsys)
    full = {
        "method": "path",
        "radius": 3,
        "seed": 4,
        "time_limit": 1.5,
        "max_climbs": 6,
        "max_moves": 7,
        "weights": [1.0, 2.0],
        "breadth": 8,
        "selection": "best",
        "climb": "strong-only",
        "max_archive": 9,
        "checkpoint": str(folder / "new.npz"),
        "checkpoint_every": 10.0,
        "workers": 2,
        "memory_limit": "8GB",
        "progress": False,
        "start": None,
        "executor": None,
    }
    bare = dict.fromkeys(full) | {
        "method": "auto",
        "time_limit": 2.0,
        "selection": "next",
        "climb": "full",
        "checkpoint_every": 60.0,
        "progress": True,
    }
    assert asked == [full, bare]


def test_solve_starts_from_a_run(folder, tmp_path):
    path = tmp_path / "new.npz"
    rows = len(load(folder / "run.npz"))
    assert run(f"solve mnk.npz --climbs {rows} --start run.npz -o {path}", folder) == 0
    assert load(path).config["starts"] == rows
    volumes = [load(each).hypervolume() for each in (path, folder / "run.npz")]
    assert volumes[0] >= volumes[1]


def test_minus_one_worker_is_all_cores(folder, tmp_path):
    path = tmp_path / "new.npz"
    assert run(f"solve mnk.npz --climbs 2 --workers -1 -o {path}", folder) == 0
    assert load(path).config["workers"] == cores()


def test_a_run_to_start_from_beyond_memory_is_one_line(folder, capsys, monkeypatch):
    def refuse(needs: str, needed: int, advice: str = "") -> None:
        raise MemoryError(f"{needs} too much: {advice}")

    monkeypatch.setattr(solutions, "check_memory", refuse)
    text = "start from some of them, start=result.solutions(rows)"
    assert_refused("solve mnk.npz --climbs 1 --start run.npz", folder, text, capsys)


def test_solve_saves_nothing_without_a_name(folder, capsys):
    before = sorted(folder.rglob("*"))
    assert run("solve mnk.npz --climbs 1", folder) == 0
    assert "not saved" in capsys.readouterr().out
    assert sorted(folder.rglob("*")) == before


def test_a_folder_is_no_output(folder, capsys):
    (folder / "inner" / "run.npz").mkdir(exist_ok=True)
    assert run("solve mnk.npz --climbs 1 -o inner/run.npz", folder) == 2
    assert "it is a folder" in capsys.readouterr().err


def test_an_output_that_cannot_be_written_ends_a_run_before_it_begins(folder, capsys):
    arguments = words("solve mnk.npz --time 60 -o", folder)
    assert main([*arguments, "/proc/run.npz"]) == 2
    assert main([*arguments, f"{folder}/{'long' * 100}.npz"]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_run_of_fewer_or_more_bits_is_no_start(folder, tmp_path, capsys):
    path = tmp_path / "few.npz"
    assert run(f"solve few.json --climbs 1 -o {path}", folder) == 0
    pb.write_landscape(pb.mnk(n=1_200, K=0, seed=1), tmp_path / "many.json")
    capsys.readouterr()
    for instance, start, bits, n in (
        ("mnk.npz", path, "4 bits", 40),
        ("few.json", "run.npz", "40 bits", 4),
        (tmp_path / "many.json", "run.npz", "40 bits", "1,200"),
    ):
        text = f"its solutions have {bits}, but the instance has n = {n}\n"
        command = f"solve {instance} --climbs 1 --start {start}"
        assert_refused(command, folder, text, capsys)


BAD = [
    ("solve mnk.npz", "no budget: give --time, --climbs or --moves"),
    ("solve missing.npz --time 1", "missing.npz: No such file"),
    ("solve mnk.npz --time 0", "--time: 0 seconds"),
    ("solve mnk.npz --time -1", "--time: -1 seconds"),
    ("solve mnk.npz --time NaN", "'NaN' is not a number"),
    ("solve mnk.npz --time inf", "'inf' is not a number"),
    ("solve mnk.npz --time 1e999", "'1e999' is not a number"),
    ("solve mnk.npz --time 1_0", "'1_0' is not a number"),
    ("solve mnk.npz --climbs 0", "--climbs: 0 is not"),
    ("solve mnk.npz --climbs 1.5", "'1.5' is not a whole number"),
    ("solve mnk.npz --moves -3", "--moves: -3 is not"),
    ("solve mnk.npz --climbs 1 --radius 0", "--radius: 0 is not"),
    ("solve mnk.npz --climbs 1 --radius -1", "--radius: -1 is not"),
    ("solve mnk.npz --climbs 1 --radius 99", "radius = 99"),
    ("solve mnk.npz --climbs 1 --workers 0", "--workers: 0 is not at least 1, nor -1"),
    ("solve mnk.npz --climbs 1 --workers -2", "--workers: -2 is not at least 1, nor"),
    ("solve mnk.npz --climbs 1 --seed -1", "seed = -1"),
    ("solve mnk.npz --climbs 1 --seed x", "'x' is not a whole number"),
    ("solve mnk.npz --climbs 1 --weights 1", "1 weight given for 2"),
    ("solve mnk.npz --climbs 1 --weights 0,1", "weight 0 is 0"),
    ("solve mnk.npz --climbs 1 --weights 1,nan", "'nan' is not a number"),
    ("solve mnk.npz --climbs 1 --weights heavy", "'heavy' is not a number"),
    ("solve mnk.npz --climbs 1 --selection any", "invalid choice: 'any'"),
    ("solve mnk.npz --climbs 1 --start mnk.npz", "its format is"),
    ("solve few.json --climbs 1 --start run.npz", "solutions have 40 bits, but"),
    ("solve mnk.npz --climbs 1 -o run.json", "should end in .npz"),
    ("solve mnk.npz --climbs 1 -o missing/run.npz", "there is no folder"),
    ("solve mnk.npz --climbs 1 -o mnk.npz", "it is the instance"),
    ("solve other.json mnk.npz --climbs 1 -o mnk.npz", "mnk.npz: it is the instance"),
    ("solve mnk.npz --climbs 1 --checkpoint mnk.npz", "mnk.npz: it is the instance"),
    ("solve mnk.npz --climbs 1 --checkpoint a.json", "should end in .npz"),
    ("solve mnk.npz --climbs 1 --checkpoint a.npz -o a.npz", "it is the checkpoint"),
    ("solve mnk.npz --climbs 1 --checkpoint a.npz --checkpoint-every 0", "0 seconds"),
    ("solve mnk.npz --climbs 1 --breadth 0", "--breadth: 0 is not"),
    ("solve mnk.npz --climbs 1 --max-archive 0", "--max-archive: 0 is not"),
    ("solve mnk.npz --climbs 1 --nonsense", "unrecognized arguments"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)
