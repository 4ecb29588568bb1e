"""The program: help, complaints of one line, signals and pipes."""

import io
import os
import re
import subprocess
import sys
import warnings
from argparse import ArgumentTypeError
from contextlib import nullcontext
from typing import Any

import pytest

import paretoball
from command_line import PARETOBALL, assert_refused, run, words
from paretoball import load
from paretoball.cli.main import _new_parser, main
from paretoball.cli.parsing import tell
from paretoball.formats import read_npz, write_npz
from paretoball.landscape import landscape_digest
from paretoball.paper import asked_plan
from paretoball.paper.plan import PLANS
from paretoball.report import result_lines
from paretoball.running.warm_up import OBJECTIVES
from paretoball.system import Leaving
from shares import first

COMMANDS = ["demo", "generate", "info", "solve", "resume", "verify", "plot", "paper"]
COMMANDS += ["compile"]
FAMILIES = ["mnk", "qubo", "maxcut", "spin-glass", "sat"]
PARTS = [f"generate {family}" for family in FAMILIES]
PARTS += ["paper runtime", "paper quality"]


@pytest.mark.parametrize("command", ["", *COMMANDS, *PARTS])
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


@pytest.mark.parametrize("command", [*COMMANDS, *PARTS])
def test_examples_in_help_parse(command, capsys):
    main([*command.split(), "--help"])
    examples = capsys.readouterr().out.split("examples:\n")[1].splitlines()
    assert examples
    for line in examples:
        program, *arguments = line.split()
        assert program == "paretoball"
        assert callable(_new_parser().parse_args(arguments).run_command), line


def test_every_argument_has_its_help():
    parsers = [_new_parser()]
    for parser in parsers:  # and those of its commands, added as they are met
        for action in parser._actions:
            if isinstance(action.choices, dict):
                parsers += action.choices.values()
            else:
                assert action.help, (parser.prog, action.dest)
    assert len(parsers) > len(COMMANDS + PARTS)


def options_of(prog: str) -> dict[str, Any]:
    """The options of a command that take one value, by name."""
    parsers = [_new_parser()]
    for parser in parsers:
        for action in parser._actions:
            if isinstance(action.choices, dict):
                parsers += action.choices.values()
        if parser.prog == f"paretoball {prog}":
            found = [each for each in parser._actions if each.option_strings]
            return {
                each.option_strings[-1]: each for each in found if each.nargs is None
            }
    raise AssertionError(prog)


TOLD = re.compile(r"default: ?([\w.,-]*\w(?: \d+)?)[,;:)]")


@pytest.mark.parametrize(
    "prog",
    [*(f"generate {name}" for name in FAMILIES), "generate setcover", "paper exact"],
)
def test_a_default_that_help_tells_is_the_one_that_is_taken(prog):
    looked = set()
    for name, action in options_of(prog).items():
        told = TOLD.search(action.help)
        if told and action.default is not None:
            assert (action.type or str)(told[1]) == action.default, name
            looked.add(name)
    assert looked >= ({"--n", "--K", "-o"} if prog == "paper exact" else {"--d"})


@pytest.mark.parametrize("name", ["runtime", "quality"])
def test_a_default_of_a_plan_given_explicitly_changes_nothing(name):
    looked = set()
    for option, action in options_of(f"paper {name}").items():
        told = TOLD.search(action.help)
        if told and "..." not in told[1] and option not in ("--workers", "-o"):
            given = {action.dest: (action.type or str)(told[1])}
            assert asked_plan(name, False, given) == PLANS[name], option
            looked.add(action.dest)
    assert looked >= {"d", "radius", "runs", "time", "K", "q", "model", "selection"}
    assert looked >= {"pseed", "seed"}


def test_other_defaults_that_help_tells_are_those_of_functions():
    told = TOLD.search(options_of("compile")["--objectives"].help)
    assert told is not None
    assert tuple(map(int, told[1].split(","))) == OBJECTIVES
    told = TOLD.search(options_of("generate maxcut")["--density"].help)
    assert told is not None
    one, other = (
        landscape_digest(paretoball.random_maxcut(30, **options, seed=1))
        for options in ({}, {"density": float(told[1])})
    )
    assert one == other


BUDGETS = {"--time", "--climbs", "--moves"}
MEANS = {"--workers", "--checkpoint-every", "--dask"}
ABOVE_0 = {  # options that refuse 0, without looking at anything else
    "solve": {*BUDGETS, *MEANS, "--radius", "--breadth", "--max-archive"},
    "resume": BUDGETS | MEANS,
    "exact": {"--time", "--max-points"},
    "verify": set(),
    "convert": set(),
    "plot": set(),
    "compile": {"--objectives"},
    "paper runtime": {*BUDGETS, "--n", "--d", "--radius", "--runs", *MEANS}
    - {"--checkpoint-every"},
    "paper exact": {"--n", "--q"},
    "generate spin-glass": {"--shape"},
    **dict.fromkeys(
        f"generate {family}"
        for family in ("mnk", "qubo", "maxcut", "sat", "knapsack", "setcover")
    ),
}


@pytest.mark.parametrize("prog", ABOVE_0)
def test_0_is_refused_by_the_options_that_are_above_0_and_1_by_none(prog):
    """What other numbers fit together is for the function to say that is called."""
    refused = dict[str, set[str]]()
    for name, action in options_of(prog).items():
        for text in ("0", "1") if action.type else ():
            try:
                action.type(text)
            except ArgumentTypeError:
                refused.setdefault(text, set()).add(name)
    assert refused.get("0", set()) == (ABOVE_0[prog] or set())
    assert refused.get("1", set()) <= {"--dask"}


def test_every_choice_is_one_that_there_is(folder, capsys):
    options = options_of("solve")
    for name in ("--method", "--selection", "--climb"):
        for choice in options[name].choices:
            assert run(f"solve few.json --climbs 1 {name} {choice}", folder) == 0
    for prog in ("paper runtime", "paper quality"):
        for name in ("--selection", "--climb"):
            assert options_of(prog)[name].choices == options[name].choices


EMPTY = {
    "solve": "mnk.npz --climbs 1",
    "resume": "run.npz --climbs 1",
    "exact": "mnk.npz",
    "verify": "mnk.npz run.npz",
    "convert": "mnk.npz new.json",
    "plot": "run.npz",
    "compile": "",
    "paper runtime": "--dry-run",
    "generate mnk": "--n 9 --K 1 -o new.json",
    "generate qubo": "--n 9 -o new.json",
    "generate maxcut": "--n 9 -o new.json",
    "generate spin-glass": "--shape 9 -o new.json",
    "generate sat": "--n 9 -o new.json",
    "generate knapsack": "--n 9 -o new.json",
    "generate setcover": "--n 9 -o new.json",
}


@pytest.mark.parametrize("prog", EMPTY)
def test_an_empty_value_is_refused_before_the_work(prog, folder, capsys, monkeypatch):
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError

    for name in ("solve", "resume", "warm_up"):
        monkeypatch.setattr(paretoball, name, fail, raising=False)
    monkeypatch.setattr("paretoball.running.solved_exactly", fail)
    before = sorted(folder.rglob("*"))
    for option in options_of(prog):
        if option == "--memory-limit" or (prog, option) == ("paper runtime", "-o"):
            continue  # read by the function that is called, and the default
        assert main([*words(f"{prog} {EMPTY[prog]}", folder), option, ""]) == 2, option
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
    assert sorted(folder.rglob("*")) == before


RUNS = ["solve mnk.npz --climbs 1 -o", "solve mnk.npz --climbs 1 --checkpoint"]
RUNS += ["exact mnk.npz -o", "resume", "resume run.npz -o"]


@pytest.mark.parametrize("command", RUNS)
def test_a_run_is_written_to_an_npz_file_and_to_no_other(command, folder, capsys):
    for name in ("new", "new.json", "new.npz.gz", "new.NPZ", "npz", ".npz"):
        text = f"{folder}/{name}: its name should end in .npz\n"
        assert_refused(f"{command} {folder}/{name}", folder, text, capsys)


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"{paretoball.__version__}\n"


def test_help_and_complaints_come_before_any_heavy_import():
    program, *module = PARETOBALL
    for arguments, code in ((["--help"], 0), (["solve", "--radius", "x"], 2)):
        done = subprocess.run(
            [program, "-X", "importtime", *module, *arguments],
            capture_output=True,
            text=True,
        )
        assert done.returncode == code
        imported = {line.split()[-1] for line in done.stderr.splitlines()}
        assert "paretoball.cli.main" in imported
        assert not imported & {"numpy", "numba", "rich", "moocore", "matplotlib"}


def test_an_interruption_outside_the_search_is_one_line(folder, capsys, monkeypatch):
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("paretoball.formats.read_described", interrupt)
    assert run("info mnk.npz", folder) == 130
    assert capsys.readouterr() == ("", "paretoball: interrupted\n")


@pytest.mark.parametrize(
    ("error", "code", "err"),
    [
        (ValueError("wrong"), 2, "wrong"),
        (TypeError("wrong"), 2, "wrong"),
        (OverflowError("wrong"), 2, "wrong"),
        (MemoryError(), 2, "MemoryError"),
        (OSError(28, "No space left", "a.npz"), 2, "a.npz: No space left"),
        (ImportError("wrong"), 2, "wrong"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (Leaving("interrupted"), 130, "interrupted"),
        (Leaving("terminated"), 143, "terminated"),
        (BrokenPipeError(), 141, None),
    ],
    ids=repr,
)
def test_an_error_is_one_line_and_an_exit_code(
    folder, capsys, monkeypatch, error, code, err
):
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("paretoball.formats.read_described", fail)
    assert run("info mnk.npz", folder) == code
    told = "" if err is None else f"paretoball: {err}\n"
    assert capsys.readouterr() == ("", told)


def test_other_errors_are_bugs_and_not_hidden(folder, monkeypatch):
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("paretoball.formats.read_described", fail)
    with pytest.raises(AssertionError):
        run("info mnk.npz", folder)


def test_a_warning_is_one_line(folder, capsys, monkeypatch):
    def warn(*_: Any, **__: Any) -> None:
        warnings.warn("digits are\nlost", stacklevel=1)
        raise ValueError("enough")

    monkeypatch.setattr("paretoball.formats.read_described", warn)
    before = warnings.showwarning
    assert run("info mnk.npz", folder) == 2
    assert warnings.showwarning is before
    expected = "paretoball: digits are lost\nparetoball: enough\n"
    assert capsys.readouterr() == ("", expected)


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
@pytest.mark.parametrize("command", ["info mnk.npz", "--help", "--version"])
def test_output_that_goes_nowhere_is_told(folder, command, monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PARETOBALL, *words(command, folder)], stdout=full, stderr=-1, text=True
        )
    assert done.stderr == "paretoball: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("closed", first(2, [">&- 2>&-", "2>/dev/full", ">&-", "2>&-"]))
@pytest.mark.parametrize("name", ["mnk.npz", "cut.json"])
def test_the_exit_code_is_the_same_where_nobody_can_be_told(folder, closed, name):
    done = subprocess.run(
        f"{sys.executable} -m paretoball info {folder / name} {closed}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
    )
    assert done.returncode == {"mnk.npz": 0, "cut.json": 2}[name]
    assert "Traceback" not in done.stderr


def test_a_complaint_in_a_process_of_its_own(folder):
    done = subprocess.run(
        [*PARETOBALL, "info", folder / "cut.json"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(
        r"paretoball: \S+cut\.json:90: it is not JSON: .*\n", done.stderr
    )


HOSTILE = "\x1b[31m\u202e\x9b\x07"  # colours, turns, and rings


def test_no_name_of_a_file_reaches_the_terminal_as_it_is(folder, tmp_path, capsys):
    run_file, landscape = tmp_path / f"r{HOSTILE}.npz", folder / "mnk.npz"
    commands = [
        ["solve", landscape, "--climbs", 1, "--seed", 1, "-o", run_file],
        ["verify", landscape, run_file],
        ["verify", folder / "other.json", run_file],
        ["plot", run_file, "-o", tmp_path / f"{HOSTILE}.svg"],
        ["plot", run_file, "-o", tmp_path / HOSTILE],
        ["generate", "mnk", "--n", 5, "--K", 1, "-o", tmp_path / f"{HOSTILE}.json"],
        ["generate", "mnk", "--n", 5, "--K", 1, "-o", tmp_path / HOSTILE / "a.json"],
        ["info", tmp_path / f"missing{HOSTILE}.json"],
        ["info", tmp_path / f"missing{HOSTILE}"],
        ["resume", run_file],
        ["solve", landscape, "--climbs", 1, "--start", tmp_path / HOSTILE],
        ["solve", landscape, "--climbs", 1, f"--{HOSTILE}"],
        ["paper", "runtime", "--dry-run", "-o", run_file],
        [HOSTILE],
    ]
    for command in commands:
        main([str(word) for word in command])
        out, err = capsys.readouterr()
        assert r"\x1b[31m\u202e\x9b\x07" in out + err
        assert (out + err).replace("\n", "").isprintable()


def test_no_text_in_a_file_reaches_the_terminal_as_it_is(folder, tmp_path, capsys):
    header, arrays = read_npz(folder / "run.npz", "paretoball run")
    header["status"] = HOSTILE + "x" * 10_000
    header["config"] |= {"radius": HOSTILE, "seed": [HOSTILE], "max_archive": HOSTILE}
    write_npz(tmp_path / "run.npz", header | {"bounded": True}, arrays)
    result = load(tmp_path / "run.npz")
    assert repr(result).isprintable()
    tell(*result_lines(result))
    out, _ = capsys.readouterr()
    assert out.replace("\n", "").isprintable()
    assert len(out) < 2000
    assert main(["verify", str(folder / "mnk.npz"), str(tmp_path / "run.npz")]) == 1


def test_what_a_terminal_cannot_show_is_escaped(tmp_path, monkeypatch):
    ones = [((0,), [0, 1])]
    landscape = paretoball.Landscape.from_subfunctions(1, [ones], names=["é"])
    paretoball.write_landscape(landscape, tmp_path / "a.json")
    shown = io.BytesIO()
    stdout = io.TextIOWrapper(shown, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stdout)
    code = main(["info", str(tmp_path / "a.json")])
    monkeypatch.undo()
    assert code == 0
    assert re.search(rb"names +\\xe9\n", shown.getvalue())


@pytest.mark.parametrize("is_program", [True, False])
def test_only_the_program_ends_for_good_with_a_signal(monkeypatch, is_program):
    asked = []

    def fake(for_good: bool) -> Any:
        asked.append(for_good)
        return nullcontext()

    monkeypatch.setattr(sys.modules[main.__module__], "leaving_on_signals", fake)
    monkeypatch.setattr(sys, "argv", ["paretoball", "--version"])
    assert main(None if is_program else ["--version"]) == 0
    assert asked == [is_program]


BAD = [
    ("", "COMMAND"),
    ("nonsense", "invalid choice"),
    ("generate", "FAMILY"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("solve a.json --time 0", "--time: 0 seconds are not above 0"),
        ("verify a.json b.npz --local x", "--local: 'x' is not a whole number"),
        ("generate qubo --n 5", "the following arguments are required: -o"),
    ],
)
def test_a_complaint_is_the_option_what_is_wrong_and_where_help_is(
    tmp_path, capsys, command, line
):
    assert run(command, tmp_path) == 2
    prog = " ".join(command.split()[: 2 if "generate" in command else 1])
    right = f"paretoball: {line} (see paretoball {prog} --help)\n"
    assert capsys.readouterr() == ("", right)


@pytest.mark.parametrize(
    ("command", "prog"),
    [
        ("solve a.json --foo", "solve"),
        ("info a.json --foo", "info"),
        ("generate qubo --n 5 -o a.json --foo", "generate qubo"),
        ("generate sat --n 5 -o a.json b.json", "generate sat"),
    ],
)
def test_an_unknown_option_points_to_the_help_of_its_command(
    command, prog, tmp_path, capsys
):
    assert_refused(command, tmp_path, f"(see paretoball {prog} --help)", capsys)
