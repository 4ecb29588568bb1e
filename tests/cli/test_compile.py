"""`paretoball compile`: what it says, and its exit code."""

import pytest

import paretoball as pb
from command_line import run
from paretoball.running import WarmUp

C = "/c"  # a folder


@pytest.mark.parametrize(
    ("done", "code", "out", "err"),
    [
        (
            WarmUp(31, 34.6, "/c", ""),
            0,
            "compiled 31 kernels in 35 s\nkept in /c\n",
            "",
        ),
        (WarmUp(1, 0.6, "/c", ""), 0, "compiled 1 kernel in 1 s\nkept in /c\n", ""),
        (
            WarmUp(0, 0.6, "/c", ""),
            0,
            "nothing to compile: all kernels are in /c\n",
            "",
        ),
        (
            WarmUp(31, 34.6, C, "/c: Read-only file system"),
            1,
            "compiled 31 kernels in 35 s\n",
            "paretoball: not kept: /c: Read-only file system\n",
        ),
    ],
    ids=["compiled", "one", "there", "unkept"],
)
def test_what_was_compiled_is_told(tmp_path, monkeypatch, capsys, done, code, out, err):
    asked = []

    def fake(**how):
        asked.append(how)
        return done

    monkeypatch.setattr(pb, "warm_up", fake, raising=False)
    assert run("compile", tmp_path) == code
    assert capsys.readouterr() == (out, err)
    assert run("compile --objectives 2,3 --method path --quiet", tmp_path) == code
    assert asked == [
        {"method": None, "progress": True},
        {"method": "path", "progress": False, "d": (2, 3)},
    ]


@pytest.mark.parametrize("words", ["--objectives 0", "--objectives x", "--method x"])
def test_nonsense_is_refused(tmp_path, capsys, words):
    assert run(f"compile {words}", tmp_path) == 2
    assert capsys.readouterr().err.count("\n") == 1
