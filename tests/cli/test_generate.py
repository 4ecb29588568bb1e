"""`generate` writes what each family makes, or refuses in one line."""

from argparse import Namespace
from inspect import signature
from typing import Any

import pytest

import paretoball as pb
from command_line import assert_refused
from paretoball.cli.generating import generate, write
from paretoball.cli.main import main
from paretoball.landscape import landscape_digest

QUBO = {"n": 12, "d": 3, "density": 0.4, "rho": -0.3}
MAXCUT = {"n": 12, "d": 3, "density": 0.4, "weights": (-2, 5)}
SPINS = {"shape": (5,), "couplings": 9}
GAUSSIAN = {"shape": (2, 3), "couplings": "gaussian", "d": 3}
CLAUSES = {"n": 12, "clauses": 9, "k": 2}
KNAPSACK = {"n": 12, "d": 3, "constraints": 1}
COVER = {"n": 30, "rows": 5, "density": 0.3, "d": 1}
RATIO = {"n": 12, "ratio": 2, "d": 1}

MADE = [
    ("qubo --n 12", "random_qubo", {"n": 12}),
    ("qubo --n 12 --d 3 --density .4 --rho -0.3", "random_qubo", QUBO),
    ("maxcut --n 12", "random_maxcut", {"n": 12}),
    ("maxcut --n 12 --degree 3 --d 1", "random_maxcut", {"n": 12, "degree": 3, "d": 1}),
    ("maxcut --n 12 --density .4 --weights -2 5 --d 3", "random_maxcut", MAXCUT),
    ("spin-glass --shape 3,4", "spin_glass", {"shape": (3, 4)}),
    ("spin-glass --shape 5 --couplings 9", "spin_glass", SPINS),
    ("spin-glass --shape 2,3 --couplings gaussian --d 3", "spin_glass", GAUSSIAN),
    ("sat --n 12", "random_sat", {"n": 12}),
    ("sat --n 12 --clauses 9 --k 2", "random_sat", CLAUSES),
    ("sat --n 12 --ratio 2 --d 1", "random_sat", RATIO),
    ("sat --n 12 --weights 7", "random_sat", {"n": 12, "weights": 7}),
    ("knapsack --n 12", "random_knapsack", {"n": 12}),
    ("knapsack --n 12 --d 3 --constraints 1", "random_knapsack", KNAPSACK),
    ("setcover --n 30", "random_covering", {"n": 30}),
    ("setcover --n 30 --rows 5 --density .3 --d 1", "random_covering", COVER),
]


@pytest.mark.parametrize(("arguments", "name", "settings"), MADE)
def test_generate_writes_what_the_family_makes(
    arguments, name, settings, tmp_path, capsys
):
    if not hasattr(pb, name):
        pytest.skip(f"there is no {name}")
    path = tmp_path / "made.json"
    words = ["generate", *arguments.split(), "--seed", "5", "-o", str(path)]
    assert main(words) == 0
    right = getattr(pb, name)(**settings, seed=5)
    assert landscape_digest(pb.read_landscape(path)) == landscape_digest(right)
    assert capsys.readouterr().out == f"{path}: {right}, seed 5\n"


FUNCTIONS = {
    "mnk --n 9 --K 1": "mnk",
    "mnk --n 9 --K 1 --pseed 1": "mnk_java",
    "qubo --n 9": "random_qubo",
    "maxcut --n 9": "random_maxcut",
    "spin-glass --shape 9": "spin_glass",
    "sat --n 9": "random_sat",
    "knapsack --n 9": "random_knapsack",
    "setcover --n 9": "random_covering",
}
NUMBERS = {
    "mnk": ["n", "K", "d", "q", "model", "seed", "rho"],
    "mnk_java": ["n", "K", "d", "q", "model", "pseed"],
    "random_qubo": ["n", "d", "density", "rho", "seed"],
    "random_maxcut": ["n", "density", "degree", "d", "seed"],
    "spin_glass": ["couplings", "d", "seed"],
    "random_sat": ["n", "clauses", "ratio", "k", "d", "weights", "seed"],
    "random_knapsack": ["n", "d", "constraints", "seed"],
    "random_covering": ["n", "rows", "d", "density", "seed"],
}


@pytest.mark.parametrize(("command", "name"), FUNCTIONS.items())
def test_an_option_is_passed_on_as_given_also_0_and_a_default_is_the_functions(
    command, name, tmp_path, capsys, monkeypatch
):
    asked: list[dict[str, Any]] = []
    shape = signature(getattr(pb, name))

    def fake(*sizes, **named):
        bound = shape.bind(*sizes, **named)
        bound.apply_defaults()
        asked.append(bound.arguments)
        raise ValueError("enough")

    monkeypatch.setattr(pb, name, fake, raising=False)
    line = f"generate {command} -o {tmp_path}/a.npz"
    own = [] if name == "mnk_java" else ["--seed", "5"]
    assert_refused(" ".join([line, *own]), tmp_path, "enough", capsys)
    for key, each in shape.parameters.items():
        if each.default is not each.empty and key not in ("seed", "rng", "pseed"):
            assert asked[0][key] == each.default, key
    for option in NUMBERS[name]:
        for number in (0, 7, -7):
            words = f"{line} --{option} {number}"
            assert_refused(
                " ".join([words, *own * (option != "seed")]), tmp_path, "enough", capsys
            )
            assert asked[-1] == asked[0] | {option: number}


def test_generate_writes_the_format_that_is_named(tmp_path):
    path = tmp_path / "made.txt"
    words = f"generate qubo --n 5 --seed 1 --to json -o {path}"
    assert main(words.split()) == 0
    found = pb.read_landscape(path, format="json")
    assert landscape_digest(found) == landscape_digest(pb.random_qubo(5, seed=1))


def test_0_is_a_seed_like_any_other(tmp_path, capsys):
    """Of landscapes, of the authors' landscapes, and of searches."""
    path, run = tmp_path / "a.npz", tmp_path / "run.npz"
    for words, right in [
        ("mnk --n 9 --K 1 --seed 0", pb.mnk(9, 1, seed=0)),
        ("mnk --n 9 --K 1 --pseed 0", pb.mnk_java(9, 1, pseed=0)),
    ]:
        assert main(f"generate {words} -o {path}".split()) == 0
        found = pb.read_landscape(path)
        assert landscape_digest(found) == landscape_digest(right)
    path.unlink()
    pb.write_landscape(pb.mnk(40, 3, seed=1), path)
    how = f"--climbs 2 --method multistart --seed 0 -o {run}"
    assert main(f"solve {path} {how}".split()) == 0
    assert pb.load(run).config["seed"] == 0
    capsys.readouterr()


def test_generate_tells_the_seed_it_drew(tmp_path, capsys):
    path = tmp_path / "drawn.npz"
    main(["generate", "spin-glass", "--shape", "4,4", "-o", str(path)])
    seed = int(capsys.readouterr().out.split("seed ")[1])
    right = pb.spin_glass((4, 4), seed=seed)
    assert landscape_digest(pb.read_landscape(path)) == landscape_digest(right)


def test_the_seed_is_one_of_four_billion(tmp_path, monkeypatch, capsys):
    drawn = {32: 4_000_000_000}
    monkeypatch.setattr("secrets.randbits", drawn.__getitem__)
    words = f"generate qubo --n 5 -o {tmp_path}/a.json"
    assert main(words.split()) == 0
    assert capsys.readouterr().out.endswith("seed 4000000000\n")


@pytest.mark.parametrize(
    ("name", "to", "text"),
    [
        ("x.txt", None, "a landscape is written to a file named"),
        ("x.npz", "toy", "'toy' is none of"),
        ("missing/x.npz", None, "there is no folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(
    tmp_path, name, to, text
):
    def make(*_) -> pb.Landscape:
        raise AssertionError

    options = Namespace(o=str(tmp_path / name), to=to, seed=None)
    for call in (lambda: generate(options, make), lambda: write(options, make, "")):
        with pytest.raises((ValueError, OSError), match=text):
            call()


BAD = [
    ("generate qubo --n 10", "-o"),
    ("generate qubo -o x.npz", "--n"),
    ("generate qubo --n 10 --density 0 -o x.npz", "density = 0.0"),
    ("generate qubo --n 10 --density 1_0 -o x.npz", "'1_0' is not a number"),
    ("generate qubo --n 10 --d 3 --rho -.5 -o x.npz", "above -0.4826"),
    ("generate qubo --n 10 -o x.txt", "a landscape is written to"),
    ("generate qubo --n 1000000 -o x.npz", "pairs of variables"),
    ("generate maxcut --n 5 --degree 3 -o x.npz", "both odd"),
    ("generate maxcut --n 5 --degree 2 --density 0.5 -o x.npz", "not allowed with"),
    ("generate maxcut --n 5 --weights 1 -o x.npz", "--weights"),
    ("generate maxcut --n 5 --weights 0 0 -o x.npz", "other than 0"),
    ("generate spin-glass -o x.npz", "--shape"),
    ("generate spin-glass --shape 10,,10 -o x.npz", "'' is not a whole number"),
    ("generate spin-glass --shape 10,1 -o x.npz", "a side of shape = 1"),
    ("generate spin-glass --shape 10,99999999999 -o x.npz", "n = 999,999,999,990"),
    (
        "generate spin-glass --shape 9 --couplings flat -o x.npz",
        "'flat' is neither pm, gaussian nor",
    ),
    ("generate sat --n 10 --clauses 5 --ratio 2 -o x.npz", "not allowed with"),
    ("generate sat --n 10 --ratio x -o x.npz", "'x' is not a number"),
    ("generate knapsack --n 10 --constraints 0 -o x.npz", "constraints = 0, but"),
    ("generate setcover --n 10 --density 2 -o x.npz", "density = 2.0, but"),
    ("generate nonsense", "invalid choice"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("qubo --n 5 -o a.qubo", "has one: .json and .npz files hold several"),
        ("qubo --n 5 --d 1 -o a.qubo", "or as .mubqp, which is maximised"),
        ("sat --n 5 --d 1 -o a.wcnf", ".json and .npz files hold the landscape as it"),
        ("sat --n 5 -o a.mcnf", ".json and .npz files hold the landscape as it is"),
    ],
)
def test_a_format_of_other_senses_is_refused_with_one_that_fits(
    arguments, said, tmp_path, capsys
):
    assert_refused(f"generate {arguments}", tmp_path, said, capsys)


@pytest.mark.parametrize("name", ["a.json", "a.npz", "a.mubqp"])
def test_what_the_refusal_of_qubo_names_can_be_written(name, tmp_path):
    path = str(tmp_path / name)
    assert main(["generate", "qubo", "--n", "5", "--d", "1", "-o", path]) == 0
    assert pb.read_landscape(path).sense == ("max",)
