"""Campaigns of the paper's experiments, small ones, and what to do to them."""

import subprocess
import time
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest

import paretoball as pb
from command_line import PARETOBALL, PATIENCE
from paretoball.cli.main import main
from paretoball.paper.conduct import conduct
from paretoball.paper.folder import ROWS, Campaign, Row

SMALL = "--n 60,80 --d 2 --radius 1,2 --runs 2 --climbs 10 --quiet"
LONGER = "--n 2000,3000 --d 2 --radius 1,2 --runs 3 --climbs 300 --quiet"
UNTIMED = Row._fields.index("seconds")  # the columns before it depend on seeds alone


def new_campaign(experiment: str, where: Path) -> Path:
    """A small campaign, finished, in a folder there; others only read it."""
    folder = where / experiment
    assert main(["paper", experiment, *SMALL.split(), "-o", str(folder)]) == 0
    return folder


def untimed(folder: Path) -> list[tuple]:
    """The rows of a campaign, without their times."""
    campaign = Campaign.open(folder)
    return [campaign.rows[run][:UNTIMED] for run in sorted(campaign.rows)]


def fronts(folder: Path) -> list[list]:
    """All that the runs of a campaign found."""
    campaign = Campaign.open(folder)
    runs = [pb.load(campaign.front(run)) for run in sorted(campaign.rows)]
    return [[run.F.tolist(), run.climb.tolist(), run.X.tolist()] for run in runs]


def copied(folder: Path, to: Path, rows: str) -> Path:
    """A campaign with other rows."""
    to.mkdir()
    (to / "fronts").mkdir()
    (to / "campaign.json").write_text((folder / "campaign.json").read_text())
    (to / ROWS).write_text(rows)
    return to


def refused(capsys, *command: str) -> str:
    """The one line that a command is refused with."""
    assert main(["paper", *command]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def hold(folder: Path, ready, release) -> None:
    """Keep a campaign locked until told otherwise, as another process would."""
    with Campaign.open(folder).locked():
        ready.set()
        release.wait(PATIENCE)


def started(command: str, folder: Path) -> subprocess.Popen[str]:
    """A campaign in a process group of its own."""
    return subprocess.Popen(
        [*PARETOBALL, "paper", *command.split(), "-o", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until(is_so: Callable[[], Any]) -> None:
    """Wait until something is so; fail if that takes too long."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def rows_of(folder: Path) -> int:
    """How many rows the file has, counting by the ends of lines."""
    path = folder / ROWS
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """The worker processes of a campaign."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [
        int(child)
        for child in children.read_text().split()
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def is_alive(pid: int) -> bool:
    """Whether a process still does something."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return False


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="no /proc here"
)


def conducted(plan: Path, folder: Path, pool: Executor) -> str | None:
    """Make the runs of a campaign like another one's, on an executor."""
    campaign = Campaign(folder, Campaign.open(plan).plan)
    return conduct(campaign, None, shown=False, executor=pool)
