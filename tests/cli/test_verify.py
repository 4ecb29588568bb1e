"""`verify` says what is wrong with a run, or that all is well."""

import pytest

from command_line import assert_refused, run
from paretoball.verification import Report


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


@pytest.mark.parametrize(
    ("failures", "code", "verdict"),
    [([], 0, "all is well"), (["a"], 1, "1 failure"), (["a", "b"], 1, "2 failures")],
)
def test_verify_prints_all_that_is_found(
    folder, capsys, monkeypatch, failures, code, verdict
):
    asked = []

    def fake(landscape, path, local, _):
        asked.append((landscape.n, path, local))
        return Report(1_234, 1, failures, ["r", "s"], ["u", "v"])

    monkeypatch.setattr("paretoball.verification.verify", fake)
    path = str(folder / "run.npz")
    assert run("verify mnk.npz run.npz --local 3", folder) == code
    lines = ["note: r", "note: s", *(f"failed: {each}" for each in failures)]
    lines += ["not checked: u; v"]
    end = f"{path}: 1,234 rows checked, 1 optimum among them: {verdict}"
    assert capsys.readouterr().out.splitlines() == [*lines, end]
    assert run("verify mnk.npz run.npz", folder) == code
    out = capsys.readouterr().out
    assert out.endswith(f"{path}: 1,234 rows checked: {verdict}\n")
    assert asked == [(40, path, 3), (40, path, None)]


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
