"""Types: who uses the package gets them, for every public name."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import paretoball as pb

CACHE = Path(__file__).parents[1] / ".mypy_cache" / "typing"
NAMES = sorted(set(pb.__all__) - {"__version__"})

SCRIPT = """\
import paretoball as pb

landscape = pb.mnk(n=40, K=2, d=2, seed=1)
reveal_type(landscape)
result = pb.solve(landscape, radius=2, max_climbs=3, seed=1)
reveal_type(result.F)
climb = pb.Climber(landscape, radius=2).start(weights=[1, 1], seed=1).run()
reveal_type(climb.reports.F)
reveal_type(pb.hypervolume(result, landscape.mean))
reveal_type(pb.read_landscape("mnk.npz").n)
reveal_type(pb.hypervolume(result, landscape.mean, approximate=True, seed=1).error)
reveal_type(result.hypervolume(approximate=True).value)
reveal_type(result.hypervolume(landscape.mean))
"""
REVEALED = [  # line by line
    r"paretoball\.landscape\.landscape\.Landscape",
    r"numpy\.ndarray\[.*\]",
    r"numpy\.ndarray\[.*\]",
    r"(builtins\.)?float",
    r"(builtins\.)?int",
    r"(builtins\.)?float",
    r"(builtins\.)?float",
    r"(builtins\.)?float",
]
WRONG = """\
import paretoball as pb

landscape = pb.mnk(n="forty", K=2)
pb.solve(landscape).nonsense
pb.nonsense
text: str = pb.hypervolume([[1, 2]], [0, 0])
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict[str, list[tuple[int, str, str]]]:
    """What mypy says of each script, which knows the package as users do: installed."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "right.py").write_text(SCRIPT)
    (folder / "wrong.py").write_text(WRONG)
    public = "".join(f"reveal_type(pb.{name})\n" for name in NAMES)
    (folder / "public.py").write_text(f"import paretoball as pb\n\n{public}")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", CACHE, "."],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stdout + done.stderr  # for what is wrong
    lines = re.findall(r"^(\w+)\.py:(\d+): (\w+): (.*)$", done.stdout, re.MULTILINE)
    return {
        script: [
            (int(at), kind, text) for name, at, kind, text in lines if name == script
        ]
        for script in ("right", "wrong", "public")
    }


def types(lines: list[tuple[int, str, str]]) -> list[str]:
    """What was revealed, and nothing else was said."""
    found = [re.fullmatch(r'Revealed type is "(.*)"', text) for _, _, text in lines]
    assert all(found), lines
    return [each[1] for each in found if each]


def test_what_users_write_has_types(told):
    found = types(told["right"])
    assert len(found) == len(REVEALED)
    for text, pattern in zip(found, REVEALED):
        assert re.fullmatch(pattern, text)


def test_every_public_name_has_a_type(told):
    found = dict(zip(NAMES, types(told["public"]), strict=True))
    assert {name for name, text in found.items() if text == "Any"} == set()
    returned = {name: text.rpartition("-> ")[2] for name, text in found.items()}
    assert {name for name, text in returned.items() if text == "Any"} == set()


def test_what_is_wrong_is_told_by_line(told):
    errors = [(at, text) for at, kind, text in told["wrong"] if kind == "error"]
    assert [at for at, _ in errors] == [3, 4, 5, 6], errors
    for (_, text), words in zip(
        errors, ["incompatible type", "has no attribute", "has no attribute", "str"]
    ):
        assert words in text
