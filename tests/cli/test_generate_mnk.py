"""`generate mnk` writes what `mnk` and `mnk_java` make."""

import pytest

from command_line import assert_refused
from paretoball import mnk, mnk_java, read_landscape
from paretoball.cli.main import main
from paretoball.landscape.digest import landscape_digest


@pytest.mark.parametrize("suffix", ["json", "npz"])
def test_generate_writes_what_mnk_makes(suffix, tmp_path, capsys):
    path = tmp_path / f"made.{suffix}"
    arguments = f"--n 30 --K 2 --d 3 --q 7 --model 5 --seed 9 -o {path}"
    assert main(["generate", "mnk", *arguments.split()]) == 0
    right = mnk(n=30, K=2, d=3, q=7, model=5, seed=9)
    assert landscape_digest(read_landscape(path)) == landscape_digest(right)
    assert "seed 9" in capsys.readouterr().out


def test_generate_makes_the_authors_instances(tmp_path, capsys):
    path = tmp_path / "authors.npz"
    arguments = f"--n 20 --K 2 --model random --pseed -5 -o {path}"
    assert main(["generate", "mnk", *arguments.split()]) == 0
    right = mnk_java(n=20, K=2, model="random", pseed=-5)
    assert landscape_digest(read_landscape(path)) == landscape_digest(right)
    assert capsys.readouterr().out == f"{path}: {right}, pseed -5\n"


def test_generate_makes_correlated_objectives(tmp_path):
    path = tmp_path / "rho.json"
    arguments = f"--n 20 --K 2 --model random --rho -0.7 --seed 3 -o {path}"
    assert main(["generate", "mnk", *arguments.split()]) == 0
    right = mnk(n=20, K=2, model="random", rho=-0.7, seed=3)
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


BAD = [
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
    (
        "generate mnk --n 10 --K 2 --model near -o x.npz",
        "'near' is neither adjacent, random nor",
    ),
    ("generate mnk --n 10 --K 2 --model 1 -o x.npz", "model = 1"),
    ("generate mnk --n 10 --K 2 --seed -1 -o x.npz", "seed = -1"),
    ("generate mnk --n 10 --K 2 --seed 1 --pseed 1 -o x.npz", "not allowed with"),
    ("generate mnk --n 10 --K 2 --see 1 -o x.npz", "--see"),
    (
        "generate mnk --n 10 --K 2 -o x.txt",
        "a landscape is written to a file named",
    ),
    ("generate mnk --n 10 --K 2 --to nonsense -o x.npz", "'nonsense' is none of"),
    ("generate mnk --n 10 --K 2 --rho -1 -o x.npz", "rho = -1.0, but it must be"),
    ("generate mnk --n 10 --K 2 --rho nan -o x.npz", "'nan' is not a number"),
    ("generate mnk --n 10 --K 2 --rho 0.5 --pseed 1 -o x.npz", "--rho is for --seed"),
    ("generate mnk --n 10 --K 2 --rho 0 --pseed 1 -o x.npz", "--rho is for --seed"),
    ("generate mnk --n 10 --K 2 -o missing/x.npz", "there is no folder"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)
