"""`plot` draws a run."""

import sys

import pytest

from command_line import assert_refused, run
from paretoball.cli.main import main


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_plot_draws(folder, tmp_path, suffix, capsys):
    path = tmp_path / f"front.{suffix}"
    assert run(f"plot run.npz -o {path}", folder) == 0
    assert path.stat().st_size > 1000
    assert capsys.readouterr().out == f"drawn as {path}\n"


def test_a_missing_extra_is_named(folder, tmp_path, capsys, monkeypatch):
    loaded = [name for name in sys.modules if name.startswith("matplotlib.")]
    for name in ["matplotlib", *loaded]:
        monkeypatch.setitem(sys.modules, name, None)
    assert run(f"plot run.npz -o {tmp_path}/front.png", folder) == 2
    assert "paretoball[plot]" in capsys.readouterr().err


def test_a_figure_is_one_of_three_kinds_and_never_the_run(folder, capsys):
    before = (folder / "run.npz").read_bytes()
    for name in ("run.npz", "new.jpg", "new.svgz", "new.json", "new.PNG", "new"):
        text = f"{folder}/{name}: its name should end in .png or .svg or .pdf\n"
        assert_refused(f"plot run.npz -o {folder}/{name}", folder, text, capsys)
    assert (folder / "run.npz").read_bytes() == before


@pytest.mark.parametrize("name", ["campaign", "campaign.v2", "run.npz"])
@pytest.mark.parametrize("into", [None, "figures"])
def test_a_campaign_is_drawn_into_its_own_folder_or_another(
    tmp_path, capsys, monkeypatch, into, name
):
    asked = []

    def fake(folder, into):
        asked.append((folder, into))
        return ["one.png", "two.png"]

    monkeypatch.setattr("paretoball.report.draw_campaign", fake)
    folder = str(tmp_path / name)
    (tmp_path / name).mkdir()
    words = ["plot", folder] if into is None else ["plot", folder, "-o", into]
    assert main(words) == 0
    assert asked == [(folder, into or folder)]
    assert capsys.readouterr().out == "drawn as one.png\ndrawn as two.png\n"


BAD = [
    ("plot run.npz", "run.npz: give -o, a .png, .svg or .pdf file"),
    ("plot missing.npz -o front.png", "missing.npz: there is no such run or campaign"),
    ("plot missing.npz", "missing.npz: there is no such run or campaign"),
    ("plot run.npz -o front.gif", "should end in .png or .svg or .pdf"),
    ("plot run.npz -o missing/front.png", "there is no folder"),
    ("plot mnk.npz -o front.png", "its format is"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)
