"""One of a thing is singular in all that users see."""

import re

import pytest

import paretoball as pb
from command_line import run
from paretoball.cli.main import main
from paretoball.landscape.naming import checked_sense
from paretoball.system import display

ONE = re.compile(r"\b1 (?!has |is |as |dominates )[a-z]+s\b")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A landscape with one of everything, and a run with one solution."""
    folder = tmp_path_factory.mktemp("one")
    landscape = pb.Landscape.from_subfunctions(1, [[((0,), [0, 1])]])
    pb.write_landscape(landscape, folder / "one.json")
    for method in ("path", "multistart"):
        command = (
            f"solve one.json --climbs 1 --seed 1 --method {method} -o {method}.npz"
        )
        assert run(command, folder) == 0
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "info one.json",
        "solve one.json --climbs 1 --seed 1",
        "solve one.json --climbs 1 --seed 1 --method multistart",
        "solve one.json --climbs 1 --moves 1 --weights 1,2",
        "verify one.json path.npz",
        "verify one.json multistart.npz --local 1",
        "resume path.npz --climbs 1",
    ],
)
def test_commands_tell_of_one_thing_in_the_singular(
    folder, capsys, monkeypatch, command
):
    monkeypatch.setattr(display, "PATIENCE", 0.0)
    run(command, folder)
    told = capsys.readouterr()
    assert told.out + told.err
    assert not ONE.findall(told.out + told.err)


def test_a_campaign_of_one_run_is_told_in_the_singular(tmp_path, capsys):
    size = ["--n", "20", "--d", "1", "--K", "1", "--radius", "1", "--runs", "1"]
    command = ["paper", "quality", *size, "--climbs", "1", "-o", str(tmp_path / "one")]
    assert main([*command, "--dry-run"]) == 0
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "1 run of 1 climb, 0 finished" in told
    assert "1 of 1 run finished" in told
    assert not ONE.findall(told)


def test_objects_of_one_thing_say_so(folder):
    landscape = pb.read_landscape(folder / "one.json")
    climber = pb.Climber(landscape, radius=1)
    climb = climber.start([0], weights=[1])
    archive = pb.Archive(1)
    climb.run()
    archive.report(climb.fx, climb.x)
    result = pb.load(folder / "path.npz")
    parts = pb.components(landscape, [0], [1])
    hull = pb.supported_front(landscape)
    for thing in (climber, climb, archive, result, result[0], parts, hull):
        assert not ONE.findall(repr(thing))
        assert re.search(r"\b1 [a-z-]+\b", repr(thing))


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: checked_sense(["max", "min"], 1), "2 senses given for 1 objective$"),
        (lambda: checked_sense(["max"], 2), "1 sense given for 2 objectives$"),
        (lambda: pb.mnk(n=4, K=1, d=1).evaluate([0]), "x has 1 bit, but"),
        (
            lambda: pb.Landscape.from_subfunctions(2, [[((0,), [0])]]),
            "reads 1 variable, so its table has 2 entries, not 1$",
        ),
        (
            lambda: pb.Landscape.from_subfunctions(2, [[((), [0, 1])]]),
            "reads 0 variables, so its table has 1 entry, not 2$",
        ),
    ],
)
def test_errors_tell_of_one_thing_in_the_singular(wrong, text):
    with pytest.raises(ValueError, match=text):
        wrong()


@pytest.mark.parametrize(
    ("method", "ending"), [("path", "paths"), ("multistart", "climbs")]
)
def test_a_run_ends_in_the_words_of_its_method(folder, method, ending):
    result = pb.load(folder / f"{method}.npz")
    assert result.status == "climbs done"  # as in files, whatever the method
    assert result.ending == f"{ending} done"
    assert f"{ending} done" in repr(result)
