"""The command line: right arguments do what they say, wrong ones get one line."""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paretoball
from paretoball import Landscape, load, mnk, mnk_java, read_landscape, write_landscape
from paretoball.cli.main import main
from paretoball.landscape.digest import landscape_digest

COMMANDS = ["demo", "generate", "info", "solve", "verify", "plot", "paper"]
PARETOBALL = [sys.executable, "-m", "paretoball"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with an instance, a run of it, and files that are neither."""
    folder = tmp_path_factory.mktemp("files")
    write_landscape(mnk(n=40, K=2, seed=1), folder / "mnk.npz")
    solving = ["solve", folder / "mnk.npz", "--climbs", 20, "--seed", 1]
    assert main([str(word) for word in (*solving, "-o", folder / "run.npz")]) == 0
    write_landscape(mnk(n=40, K=2, seed=2), folder / "other.json")
    write_landscape(mnk(n=4, K=2, seed=2), folder / "few.json")
    text = (folder / "other.json").read_text()
    (folder / "cut.json").write_text(text[:-20])
    (folder / "cut.npz").write_bytes((folder / "mnk.npz").read_bytes()[:-20])
    (folder / "text.json").write_text("not JSON")
    (folder / "pickle.npz").write_bytes(pickle.dumps([1, 2, 3]))
    np.savez(folder / "objects.npz", header=np.array([None], object))
    document = json.loads(text)
    (folder / "huge.json").write_text(json.dumps(document | {"n": 10**12}))
    (folder / "none.json").write_text(json.dumps(document | {"n": 0}))
    (folder / "inner").mkdir()
    return folder


def words(command: str, folder: Path) -> list[str]:
    """A command line as words; names with a suffix are files in the folder."""
    return [
        str(folder / word) if re.fullmatch(r"[\w/]+\.[a-z]+", word) else word
        for word in command.split()
    ]


def run(command: str, folder: Path) -> int:
    """Run a command in this process; the exit code."""
    return main(words(command, folder))


# --- Help.


@pytest.mark.parametrize(
    "command", ["", *COMMANDS, "generate mnk", "paper runtime", "paper quality"]
)
def test_help_has_examples(command, capsys):
    assert main([*command.split(), "--help"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("usage: paretoball")
    assert f"  paretoball {command}" in out or not command
    assert err == ""


def test_help_lists_every_command(capsys):
    main(["--help"])
    out = capsys.readouterr().out
    assert all(re.search(rf"^    {name} ", out, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize(
    "command", [*COMMANDS, "generate mnk", "paper runtime", "paper quality"]
)
def test_examples_in_help_parse(command, capsys, monkeypatch):
    from paretoball.cli.main import main as cli

    for name in cli.COMMANDS:
        monkeypatch.setitem(cli.COMMANDS, name, lambda options: 0)
    main([*command.split(), "--help"])
    examples = capsys.readouterr().out.split("examples:\n")[1].splitlines()
    assert examples
    for line in examples:
        program, *arguments = line.split()
        assert program == "paretoball"
        assert main(arguments) == 0, line


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"{paretoball.__version__}\n"


def test_help_and_complaints_come_at_once():
    for arguments, code in ((["--help"], 0), (["solve", "--radius", "x"], 2)):
        times = []
        for _ in range(3):
            began = time.perf_counter()
            done = subprocess.run([*PARETOBALL, *arguments], capture_output=True)
            times.append(time.perf_counter() - began)
            assert done.returncode == code
        assert min(times) < 0.25


# --- Commands that work.


@pytest.mark.parametrize("suffix", ["json", "npz"])
def test_generate_writes_what_mnk_makes(suffix, tmp_path, capsys):
    path = tmp_path / f"made.{suffix}"
    arguments = f"--n 30 --K 2 --d 3 --q 7 --model 5 --seed 9 -o {path}"
    assert main(["generate", "mnk", *arguments.split()]) == 0
    right = mnk(n=30, K=2, d=3, q=7, model=5, seed=9)
    assert landscape_digest(read_landscape(path)) == landscape_digest(right)
    assert "seed 9" in capsys.readouterr().out


def test_generate_makes_the_authors_instances(tmp_path):
    path = tmp_path / "authors.npz"
    arguments = f"--n 20 --K 2 --model random --pseed -5 -o {path}"
    assert main(["generate", "mnk", *arguments.split()]) == 0
    right = mnk_java(n=20, K=2, model="random", pseed=-5)
    assert landscape_digest(read_landscape(path)) == landscape_digest(right)


def test_generate_makes_real_tables(tmp_path):
    path = tmp_path / "real.json"
    arguments = f"--n 20 --K 2 --q real --seed 1 -o {path}"
    assert main(["generate", "mnk", *arguments.split()]) == 0
    assert read_landscape(path).real


def test_generate_tells_the_seed_it_drew(tmp_path, capsys):
    path = tmp_path / "drawn.npz"
    main(["generate", "mnk", *f"--n 20 --K 2 -o {path}".split()])
    seed = int(capsys.readouterr().out.split("seed ")[1])
    right = mnk(n=20, K=2, seed=seed)
    assert landscape_digest(read_landscape(path)) == landscape_digest(right)


def test_info_tells_sizes_moves_and_memory(folder, capsys):
    assert run("info mnk.npz", folder) == 0
    out = capsys.readouterr().out
    for line in (
        r"variables n +40",
        r"objectives d +2 \(max, max\)",
        r"subfunctions m +80, merged into 40 cliques",
        r"arity k +3",
        r"occurrence c +6",
        r" 1 +40 +[\d.]+ KiB",
        r" 2 +120 +[\d.]+ KiB",
        r" 3 +280 +[\d.]+ KiB",
        r" 4 +600 +[\d.]+ KiB",
    ):
        assert re.search(line, out), line


def star(leaves: int) -> Landscape:
    """One variable that goes with all others."""
    pairs = [((0, leaf), [0, 1, 1, 0]) for leaf in range(1, leaves + 1)]
    return Landscape.from_subfunctions(leaves + 1, [pairs, pairs])


@pytest.mark.parametrize("leaves", [1_500, 200_000])
def test_info_neither_hangs_nor_crashes_on_a_hub(leaves, tmp_path, capsys):
    write_landscape(star(leaves), tmp_path / "star.npz")
    began = time.perf_counter()
    assert main(["info", str(tmp_path / "star.npz")]) == 0
    assert time.perf_counter() - began < 20
    out = capsys.readouterr().out
    assert f" {1 + leaves + leaves + leaves * (leaves - 1) // 2:,} " in out
    assert re.search(r" 4 +more than [\d,]+ +too much to tell", out)


def test_info_survives_scores_that_are_refused(tmp_path, capsys):
    large = [((j,), [0, 2**60]) for j in range(3)]
    landscape = Landscape.from_subfunctions(3, [large, large])
    write_landscape(landscape, tmp_path / "large.npz")
    assert main(["info", str(tmp_path / "large.npz")]) == 0
    assert "it is refused" in capsys.readouterr().out


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
        ("--time 0.1", {"time_limit": 0.1}),
        ("--time 1e-1 --quiet", {"time_limit": 0.1}),
        ("--moves 50", {"max_moves": 50}),
        ("--climbs 2 --weights 1,2.5", {"weights": [1.0, 2.5]}),
        ("--climbs 2 --weights independent", {"weights": "independent"}),
        ("--climbs 2 --weights simplex", {"weights": "simplex"}),
        ("--climbs 2 --selection best", {"selection": "best"}),
        ("--climbs 2 --climb strong-only", {"climb": "strong-only"}),
        ("--climbs 2 --start run.npz", {"max_climbs": 2}),
    ],
)
def test_options_of_solve_arrive(folder, tmp_path, options, config):
    path = tmp_path / "new.npz"
    assert run(f"solve mnk.npz {options} -o {path}", folder) == 0
    assert config.items() <= load(path).config.items()


def test_solve_starts_from_a_run(folder, tmp_path):
    path = tmp_path / "new.npz"
    rows = len(load(folder / "run.npz"))
    assert run(f"solve mnk.npz --climbs {rows} --start run.npz -o {path}", folder) == 0
    assert load(path).config["starts"] == rows
    volumes = [load(each).hypervolume() for each in (path, folder / "run.npz")]
    assert volumes[0] >= volumes[1]


def test_solve_saves_nothing_without_a_name(folder, capsys):
    before = sorted(folder.rglob("*"))
    assert run("solve mnk.npz --climbs 1", folder) == 0
    assert "not saved" in capsys.readouterr().out
    assert sorted(folder.rglob("*")) == before


def test_verify_says_all_is_well(folder, capsys):
    assert run("verify mnk.npz run.npz --local 2", folder) == 0
    out, err = capsys.readouterr()
    assert out.endswith("all is well\n")
    assert len(out.splitlines()) == 1
    assert err == ""


def test_verify_says_what_failed(folder, capsys):
    assert run("verify other.json run.npz", folder) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("failed: the run belongs to a landscape")
    assert lines[-1].endswith("1 failure")


def test_verify_notes_what_was_not_promised(folder, capsys):
    assert run("verify mnk.npz run.npz --local 3", folder) in (0, 1)
    assert "note: climbs of radius 2 promise nothing" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_plot_draws(folder, tmp_path, suffix, capsys):
    path = tmp_path / f"front.{suffix}"
    assert run(f"plot run.npz -o {path}", folder) == 0
    assert path.stat().st_size > 1000
    assert capsys.readouterr().out == f"drawn as {path}\n"


def test_demo_draws_a_front_and_tells_what_is_next(capsys, monkeypatch):
    monkeypatch.setattr("paretoball.cli.DEMO_SECONDS", 0.5)
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    assert out.count("*") > 20
    assert "non-dominated solutions" in out
    assert "paretoball solve" in out
    assert out.isascii()
    assert max(map(len, out.splitlines())) <= 79


# --- Bad input.

BAD = [
    ("", "COMMAND"),
    ("nonsense", "invalid choice"),
    ("generate", "FAMILY"),
    ("generate mnk --n 10 --K 2", "-o"),
    ("generate mnk --n 1_000 --K 2 -o x.npz", "'1_000' is not a whole number"),
    ("generate mnk --n ١٢ --K 2 -o x.npz", "is not a whole number"),
    ("generate mnk --n 1e3 --K 2 -o x.npz", "'1e3' is not a whole number"),
    ("generate mnk --n 0x10 --K 2 -o x.npz", "'0x10' is not a whole number"),
    ("generate mnk --n 0 --K 0 -o x.npz", "n = 0"),
    ("generate mnk --n -5 --K 0 -o x.npz", "n = -5"),
    ("generate mnk --n 1000000000000 --K 2 -o x.npz", "n = 1,000,000,000,000"),
    ("generate mnk --n 10 --K 10 -o x.npz", "K = 10"),
    ("generate mnk --n 10 --K 2 --d 0 -o x.npz", "d = 0"),
    ("generate mnk --n 10 --K 2 --q 0 -o x.npz", "q = 0"),
    ("generate mnk --n 10 --K 2 --q 2.5 -o x.npz", "'2.5' is not a whole number"),
    ("generate mnk --n 10 --K 2 --model near -o x.npz", "'near'"),
    ("generate mnk --n 10 --K 2 --model 1 -o x.npz", "model = 1"),
    ("generate mnk --n 10 --K 2 --seed -1 -o x.npz", "seed = -1"),
    ("generate mnk --n 10 --K 2 --seed 1 --pseed 1 -o x.npz", "not allowed with"),
    ("generate mnk --n 10 --K 2 --see 1 -o x.npz", "--see"),
    ("generate mnk --n 10 --K 2 -o x.txt", "should end in .json or .npz"),
    ("generate mnk --n 10 --K 2 -o missing/x.npz", "there is no folder"),
    ("info missing.npz", "missing.npz: No such file"),
    ("info inner", "named .json or .npz"),
    ("info cut.json", "cut.json: it is not JSON"),
    ("info cut.npz", "cut.npz: "),
    ("info text.json", "text.json: it is not JSON"),
    ("info pickle.npz", "pickle.npz: it is not an npz archive"),
    ("info objects.npz", "objects.npz: its member 'header.npy' holds object"),
    ("info huge.json", "huge.json: n = 1000000000000"),
    ("info none.json", "none.json: n = 0"),
    ("info run.npz", "run.npz: its format is 'paretoball run'"),
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
    ("solve mnk.npz --climbs 1 --workers 0", "--workers: 0 is not"),
    ("solve mnk.npz --climbs 1 --seed -1", "seed = -1"),
    ("solve mnk.npz --climbs 1 --seed x", "'x' is not a whole number"),
    ("solve mnk.npz --climbs 1 --weights 1", "1 weights given for 2"),
    ("solve mnk.npz --climbs 1 --weights 0,1", "weight 0 is 0"),
    ("solve mnk.npz --climbs 1 --weights 1,nan", "'nan' is not a number"),
    ("solve mnk.npz --climbs 1 --weights heavy", "'heavy' is not a number"),
    ("solve mnk.npz --climbs 1 --selection any", "invalid choice: 'any'"),
    ("solve mnk.npz --climbs 1 --start mnk.npz", "its format is"),
    ("solve few.json --climbs 1 --start run.npz", "solutions have 40 bits, but"),
    ("solve mnk.npz --climbs 1 -o run.json", "should end in .npz"),
    ("solve mnk.npz --climbs 1 -o missing/run.npz", "there is no folder"),
    ("solve mnk.npz --climbs 1 -o mnk.npz", "it is the instance"),
    ("solve mnk.npz --climbs 1 --nonsense", "unrecognized arguments"),
    ("verify mnk.npz", "RUN"),
    ("verify mnk.npz missing.npz", "missing.npz: No such file"),
    ("verify mnk.npz mnk.npz", "its format is 'paretoball landscape'"),
    ("verify run.npz run.npz", "its format is 'paretoball run'"),
    ("verify mnk.npz run.npz --local 0", "radius = 0"),
    ("verify mnk.npz run.npz --local two", "'two' is not a whole number"),
    ("plot run.npz", "-o"),
    ("plot run.npz -o front.gif", "should end in .png or .svg or .pdf"),
    ("plot run.npz -o missing/front.png", "there is no folder"),
    ("plot mnk.npz -o front.png", "its format is"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    before = sorted(folder.rglob("*"))
    assert run(command, folder) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("paretoball: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert text in err
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


def test_a_missing_extra_is_named(folder, tmp_path, capsys, monkeypatch):
    loaded = [name for name in sys.modules if name.startswith("matplotlib.")]
    for name in ["matplotlib", *loaded]:
        monkeypatch.setitem(sys.modules, name, None)
    assert run(f"plot run.npz -o {tmp_path}/front.png", folder) == 2
    assert "paretoball[plot]" in capsys.readouterr().err


def test_the_result_is_shown_even_if_saving_fails(
    folder, tmp_path, capsys, monkeypatch
):
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device", "run.npz")

    monkeypatch.setattr("paretoball.result.write_run", full)
    assert run(f"solve mnk.npz --climbs 1 -o {tmp_path}/run.npz", folder) == 1
    out, err = capsys.readouterr()
    assert "non-dominated" in out
    assert "saved" not in out
    assert err == "paretoball: not saved: run.npz: No space left on device\n"


# --- Interruptions.


def test_an_interruption_outside_the_search_is_one_line(folder, capsys, monkeypatch):
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("paretoball.files.read_landscape", interrupt)
    assert run("info mnk.npz", folder) == 130
    assert capsys.readouterr() == ("", "paretoball: interrupted\n")


def wait_for(path: Path) -> None:
    """Wait until there is such a file."""
    for _ in range(3000):
        if path.exists():
            return
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("number", "code", "status"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_a_signal_ends_a_run_with_what_was_found(
    folder, tmp_path, number, code, status
):
    path, checkpoint = tmp_path / "run.npz", tmp_path / "checkpoint.npz"
    command = ["solve", folder / "mnk.npz", "--time", "60", "--checkpoint", checkpoint]
    process = subprocess.Popen(
        [*PARETOBALL, *command, "-o", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(checkpoint)
    began = time.perf_counter()
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert time.perf_counter() - began < 2
    assert process.returncode == code, err
    assert f"ended as     {status}" in out
    assert err == ""
    assert load(path).status == status
    assert run(f"verify mnk.npz {path} --local 1", folder) == 0
    assert run(f"verify mnk.npz {checkpoint}", folder) == 0


def test_a_reader_that_leaves_is_no_reason_to_complain(folder):
    done = subprocess.run(
        f"{sys.executable} -m paretoball info {folder / 'mnk.npz'} | head -n 1;"
        ' exit "${PIPESTATUS[0]}"',
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.returncode in (0, 141)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_output_that_goes_nowhere_is_told(folder):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PARETOBALL, "info", folder / "mnk.npz"], stdout=full, stderr=-1, text=True
        )
    assert done.stderr == "paretoball: No space left on device\n"
    assert done.returncode == 2


def test_a_complaint_in_a_process_of_its_own(folder):
    done = subprocess.run(
        [*PARETOBALL, "info", folder / "cut.json"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"paretoball: \S+cut\.json: it is not JSON: .*\n", done.stderr)
