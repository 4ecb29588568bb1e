"""The folder of a campaign: whole rows, and nobody else's."""

import io
import json
import multiprocessing
import os

import pytest

from campaigns import SMALL, copied, hold, refused
from command_line import PATIENCE
from paretoball.paper import folder as room
from paretoball.paper.folder import LOCK, PLAN, ROWS, Campaign


@pytest.mark.parametrize("cut", [1, 5, 40, 200, 10_000])
def test_a_row_without_its_end_is_not_there(runtime, tmp_path, cut):
    text = (runtime / ROWS).read_text()[:-cut]
    campaign = Campaign.open(copied(runtime, tmp_path / "cut", text))
    whole = max(0, text.count("\n") - 1)
    assert len(campaign.rows) == whole
    campaign.tidy()
    campaign.append(Campaign.open(runtime).rows[7])
    assert len(Campaign.open(tmp_path / "cut").rows) == whole + 1


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda lines: [*lines, lines[1]], "line 10 is of no run"),
        (lambda lines: [lines[0], "9" + lines[1][1:]], "line 2 is of no run"),
        (lambda lines: [lines[0], "-1" + lines[1][1:]], "line 2 is of no run"),
        (lambda lines: [lines[0], "x" + lines[1]], "line 2: run is 'x0'"),
        (lambda lines: [lines[0], lines[1] + ",1"], "line 2 has 16 fields, not 15"),
        (lambda lines: [lines[1], lines[0]], "line 2: run is 'run'"),
    ],
)
def test_rows_of_something_else_are_refused(runtime, tmp_path, spoil, words):
    lines = spoil((runtime / ROWS).read_text().splitlines())
    folder = copied(runtime, tmp_path / "spoiled", "\n".join([*lines, ""]))
    with pytest.raises(ValueError, match=words) as caught:
        Campaign.open(folder)
    assert "runs.csv" in str(caught.value)


def test_a_row_that_cannot_be_written_leaves_the_others_whole(
    runtime, tmp_path, monkeypatch
):
    lines = (runtime / ROWS).read_text().splitlines(keepends=True)
    folder = copied(runtime, tmp_path / "full", "".join(lines[:-1]))

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    campaign = Campaign.open(folder)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left") as caught:
        campaign.append(Campaign.open(runtime).rows[7])
    assert caught.value.filename == str(folder / ROWS)
    assert (folder / ROWS).read_text() == "".join(lines[:-1])
    assert 7 not in campaign.rows


def test_a_row_that_is_written_by_half_leaves_the_others_whole(
    runtime, tmp_path, monkeypatch
):
    lines = (runtime / ROWS).read_text().splitlines(keepends=True)
    folder = copied(runtime, tmp_path / "full", "".join(lines[:-1]))

    class Half(io.FileIO):
        def write(self, line):
            return super().write(line[: len(line) // 2])

    campaign = Campaign.open(folder)
    monkeypatch.setattr(room, "open", lambda p, *_, **__: Half(p, "a"), raising=False)
    with pytest.raises(OSError, match="No space left"):
        campaign.append(Campaign.open(runtime).rows[7])
    assert (folder / ROWS).read_text() == "".join(lines[:-1])
    assert 7 not in campaign.rows


def test_rows_are_put_in_order(runtime, tmp_path):
    head, *lines = (runtime / ROWS).read_text().splitlines(keepends=True)
    folder = copied(runtime, tmp_path / "new", "".join([head, *lines[::-1]]))
    (folder / "fronts" / ".a.tmp").write_text("left behind")
    (folder / "fronts" / "00001.npz").write_text("a front")
    Campaign.open(folder).tidy()
    assert (folder / ROWS).read_text() == "".join([head, *lines])
    assert [path.name for path in (folder / "fronts").iterdir()] == ["00001.npz"]


def test_a_folder_with_nothing_but_leftovers_is_taken(runtime, tmp_path):
    plan = Campaign.open(runtime).plan
    (tmp_path / "fronts").mkdir()
    (tmp_path / LOCK).write_text("")
    assert len(Campaign.begin_or_go_on(tmp_path, plan).to_do()) == plan.size
    (tmp_path / "front.npz").write_text("mine")
    with pytest.raises(ValueError, match="it is there, but it is not a campaign"):
        Campaign.begin_or_go_on(tmp_path, plan)


def test_a_folder_that_is_no_campaign_is_left_alone(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("mine")
    err = refused(capsys, "runtime", *SMALL.split(), "-o", str(tmp_path))
    assert "not a campaign" in err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    err = refused(capsys, "runtime", "-o", str(tmp_path / "thesis.txt"))
    assert "not a campaign" in err


def test_a_link_that_leads_nowhere_is_left_alone(runtime, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "gone")
    with pytest.raises(ValueError, match="it is there, but it is not a campaign"):
        Campaign.begin_or_go_on(link, Campaign.open(runtime).plan)


@pytest.mark.parametrize(
    ("spoiled", "words"),
    [
        ({"version": 2}, "version"),
        ({"format": "paretoball run"}, "its format is 'paretoball run'"),
        ({"more": 1}, "the file has 'more'"),
        ({"plan": None}, "the plan is None, not a JSON object"),
        ({"version": None}, "version"),
    ],
)
def test_a_plan_of_another_kind_of_file_is_refused(runtime, tmp_path, spoiled, words):
    folder = copied(runtime, tmp_path / "spoiled", "")
    header = json.loads((folder / PLAN).read_text())
    assert (header["format"], header["version"]) == ("paretoball campaign", 1)
    (folder / PLAN).write_text(json.dumps(header | spoiled))
    with pytest.raises((TypeError, ValueError), match=words) as caught:
        Campaign.open(folder)
    assert str(caught.value).startswith(f"{folder / PLAN}: ")
    del header["plan"]
    (folder / PLAN).write_text(json.dumps(header))
    with pytest.raises((TypeError, ValueError), match="plan"):
        Campaign.open(folder)


def test_every_run_has_a_file_by_its_number_and_what_has_no_row_is_to_do(
    runtime, tmp_path
):
    names = sorted(path.name for path in (runtime / "fronts").iterdir())
    assert names == [f"0000{run}.npz" for run in range(8)]
    campaign = Campaign.open(runtime)
    assert campaign.front(42) == runtime / "fronts" / "00042.npz"
    assert campaign.to_do() == []
    for run in (5, 0, 2):
        del campaign.rows[run]
    assert [trial.run for trial in campaign.to_do()] == [0, 2, 5]
    assert campaign.to_do() == [campaign.plan.trials()[run] for run in (0, 2, 5)]


def test_a_row_is_not_appended_to_a_pipe(runtime, tmp_path):
    campaign = Campaign(tmp_path, Campaign.open(runtime).plan)
    os.mkfifo(tmp_path / ROWS)
    reader = os.open(tmp_path / ROWS, os.O_RDWR)
    with pytest.raises((OSError, ValueError), match="named pipe, not a file"):
        campaign.append(Campaign.open(runtime).rows[7])
    os.close(reader)
    assert campaign.rows == {}


@pytest.mark.parametrize(
    "plan",
    ["", "[]", "{", '{"format": "paretoball campaign", "version": 1, "plan": {}}'],
)
def test_a_spoiled_plan_is_one_line(tmp_path, capsys, plan):
    (tmp_path / "campaign.json").write_text(plan)
    err = refused(capsys, "runtime", "-o", str(tmp_path))
    assert "campaign.json" in err


def test_two_processes_do_not_work_on_one_campaign(runtime, tmp_path, capsys):
    folder = copied(runtime, tmp_path / "shared", "")
    context = multiprocessing.get_context("spawn")
    ready, release = context.Event(), context.Event()
    other = context.Process(target=hold, args=(folder, ready, release))
    other.start()
    try:
        assert ready.wait(PATIENCE)
        err = refused(capsys, "runtime", *SMALL.split(), "-o", str(folder))
        assert f"another process is at work on this campaign: {other.pid} on" in err
    finally:
        release.set()
        other.join()


@pytest.mark.parametrize("name", [ROWS, LOCK, PLAN])
def test_a_campaign_waits_for_no_pipe(runtime, tmp_path, capsys, name):
    folder = copied(runtime, tmp_path / "spoiled", "")
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    reader = os.open(folder / name, os.O_RDWR)  # so that whoever waits is seen to fail
    os.set_blocking(reader, False)
    line = refused(capsys, "runtime", *SMALL.split(), "-o", str(folder))
    os.close(reader)
    assert "named pipe, not a file" in line or f"no {PLAN}" in line
