"""`verify` says what is wrong with a run, or that all is well."""

import pytest

from command_line import assert_refused, run


def test_verify_says_all_is_well(folder, capsys):
    assert run("verify mnk.npz run.npz --local 2", folder) == 0
    out, err = capsys.readouterr()
    assert out.endswith("all is well\n")
    believed, _ = out.splitlines()
    assert believed.startswith("not checked: durations; ")
    assert err == ""


def test_verify_says_what_failed(folder, capsys):
    assert run("verify other.json run.npz", folder) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("failed: the run belongs to a landscape")
    assert lines[-1].endswith("1 failure")


def test_verify_notes_what_was_not_promised(folder, capsys):
    assert run("verify mnk.npz run.npz --local 3", folder) in (0, 1)
    assert "note: climbs of radius 2 promise nothing" in capsys.readouterr().out


BAD = [
    ("verify mnk.npz", "RUN"),
    ("verify mnk.npz missing.npz", "missing.npz: No such file"),
    ("verify mnk.npz mnk.npz", "its format is 'paretoball landscape'"),
    ("verify run.npz run.npz", "its format is 'paretoball run'"),
    ("verify mnk.npz run.npz --local 0", "radius = 0"),
    ("verify mnk.npz run.npz --local two", "'two' is not a whole number"),
]


@pytest.mark.parametrize(("command", "text"), BAD, ids=[command for command, _ in BAD])
def test_bad_input_gets_one_line_and_exit_code_2(folder, capsys, command, text):
    assert_refused(command, folder, text, capsys)
