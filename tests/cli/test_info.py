"""`info` tells sizes, whatever the instance."""

import re
from itertools import count

import pytest

from command_line import assert_refused, run
from paretoball import Landscape, write_landscape
from paretoball.cli.main import main


def test_info_tells_sizes_moves_and_memory(folder, capsys):
    assert run("info mnk.npz", folder) == 0
    out = capsys.readouterr().out
    for line in (
        r"variables n +40",
        r"objectives d +2 \(max, max\)",
        r"subfunctions m +80, merged into 40 cliques",
        r"arity k +3",
        r"occurrence c +6",
        r"width +4: the elimination of exact fronts has tables of 16 fronts",
        r" 1 +40 +[\d.]+ KiB",
        r" 2 +120 +[\d.]+ KiB",
        r" 3 +280 +[\d.]+ KiB",
        r" 4 +600 +[\d.]+ KiB",
    ):
        assert re.search(line, out), line


@pytest.mark.parametrize(
    ("files", "formats"),
    [("mnk.npz", 1), ("mnk.npz other.json", 2), ("other.json other.json", 1)],
)
def test_info_tells_each_format_once(folder, capsys, files, formats):
    assert run(f"info {files}", folder) == 0
    lines = capsys.readouterr().out.splitlines()
    told = [line for line in lines if line.startswith("format  ")]
    assert len(told) == len(set(told)) == formats
    assert lines[formats].split()[:2] == ["variables", "n"]


def star(leaves: int) -> Landscape:
    """One variable that goes with all others."""
    pairs = [((0, leaf), [0, 1, 1, 0]) for leaf in range(1, leaves + 1)]
    return Landscape.from_subfunctions(leaves + 1, [pairs, pairs])


@pytest.mark.parametrize("leaves", [1_500, 50_000])
def test_info_neither_hangs_nor_crashes_on_a_hub(leaves, tmp_path, capsys, monkeypatch):
    write_landscape(star(leaves), tmp_path / "star.npz")
    looks = count()  # a clock that only goes on when somebody looks: a second each
    monkeypatch.setattr("paretoball.report.text.perf_counter", lambda: next(looks))
    assert main(["info", str(tmp_path / "star.npz")]) == 0
    out = capsys.readouterr().out
    assert f" {1 + leaves + leaves + leaves * (leaves - 1) // 2:,} " in out
    assert re.search(r" 4 +more than [\d,]+ +too much to tell", out)


def test_info_survives_scores_that_are_refused(tmp_path, capsys):
    large = [((j,), [0, 2**60]) for j in range(3)]
    landscape = Landscape.from_subfunctions(3, [large, large])
    write_landscape(landscape, tmp_path / "large.npz")
    assert main(["info", str(tmp_path / "large.npz")]) == 0
    assert "it is refused" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    ["info", "solve --climbs 1 --seed 1", "exact --quiet", "verify", "convert"],
)
def test_every_command_takes_the_format_of_its_instances(
    folder, tmp_path, capsys, command
):
    """Lists of MQLib could be something else; nobody can tell by the name."""
    (tmp_path / "bqp.txt").write_text("3 3\n1 1 5\n1 2 -3\n2 3 4\n")
    name, *options = command.split()
    last = {"verify": "run.npz", "convert": "out.json"}.get(name, "")
    if name == "verify":
        solved = "solve bqp.txt --format mqlib --climbs 1 -o run.npz"
        assert run(solved, tmp_path) == 0
    words = " ".join([name, "bqp.txt", last, *options])
    assert run(f"{words} --format mqlib", tmp_path) == 0
    capsys.readouterr()
    assert run(f"{words} --format rmnk", tmp_path) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"paretoball: {tmp_path / 'bqp.txt'}:")
    assert err.count("\n") == 1


BAD = [
    ("info missing.npz", "missing.npz: No such file"),
    ("info inner", "inner: No such file"),
    ("info cut.json", "cut.json:90: it is not JSON"),
    ("info cut.npz", "cut.npz: "),
    ("info text.json", "text.json:1: it is not JSON"),
    ("info pickle.npz", "pickle.npz: it is not an npz archive"),
    ("info objects.npz", "objects.npz: its member 'header.npy' holds object"),
    ("info huge.json", "huge.json: n = 1000000000000"),
    ("info none.json", "none.json: n = 0"),
    ("info run.npz", "run.npz: its format is 'paretoball run'"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)
