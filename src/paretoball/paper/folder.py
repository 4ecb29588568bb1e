"""The folder of a campaign: its plan, a row for each finished run, and their fronts.

    campaign.json       the plan
    runs.csv            one row for each finished run, appended and flushed
    fronts/00042.npz    what run 42 found, as `Result.save` writes it

A run is finished once its row is there. If the campaign is killed at any moment, the
rows written before are whole, and the next start makes the runs without a row.
"""

import csv
import errno
import io
import json
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, get_type_hints

from paretoball.formats import (
    PathLike,
    as_csv,
    atomic_write,
    check_format,
    check_keys,
    check_ordinary,
    locked,
    parsed_json,
    read_bytes,
    refusing,
    write_table,
)
from paretoball.paper.plan import Plan, Trial
from paretoball.system import brief, counted

FORMAT = "paretoball campaign"
VERSION = 1
PLAN, ROWS, FRONTS, LOCK = "campaign.json", "runs.csv", "fronts", ".lock"


class Row(NamedTuple):
    """A finished run."""

    run: int
    n: int
    d: int
    radius: int
    repeat: int
    seed: int
    climbs: int  # finished
    moves: int
    size: int  # of the front
    hypervolume: float  # from the mean of f; nan for more than three objectives
    stored_moves: int  # |M^r|
    seconds: float  # of search, without set-up
    setup_seconds: float  # that depends on the problem alone
    start_seconds: float  # of one climb, with scores of all sizes
    archive_seconds: float  # of the search, for the archive

    @property
    def case(self) -> tuple[int, int, int]:
        """What it has in common with its repetitions: n, d and radius."""
        return self.n, self.d, self.radius

    @property
    def us_per_move(self) -> float:
        """The average time of a move, in microseconds, without set-up."""
        return 1e6 * self.seconds / self.moves if self.moves else float("nan")


class Campaign:
    """A campaign on disk."""

    def __init__(self, folder: PathLike, plan: Plan):
        self.folder = Path(folder)
        self.plan = plan
        self.rows: dict[int, Row] = {}

    @classmethod
    def open(cls, folder: PathLike) -> "Campaign":
        """The campaign in this folder."""
        campaign = cls(folder, _read_plan(Path(folder)))
        campaign.read_rows()
        return campaign

    @classmethod
    def begin_or_go_on(cls, folder: PathLike, plan: Plan) -> "Campaign":
        """The campaign with this plan: the one in the folder, or a new one."""
        campaign = cls(folder, plan)
        campaign.check_folder()
        campaign.read_rows()
        return campaign

    def check_folder(self) -> None:
        """Refuse a folder with another plan, or with something else."""
        folder = self.folder
        if (folder / PLAN).exists():
            found = _read_plan(folder)
            if found != self.plan:
                raise ValueError(
                    f"{folder}: this campaign has {found.differences(self.plan)}; "
                    "take another folder, with -o, for another plan"
                )
        elif os.path.lexists(folder) and not is_empty(folder):
            raise ValueError(f"{folder}: it is there, but it is not a campaign")

    def write_plan(self) -> None:
        """Write the plan, unless it is there."""
        if not (self.folder / PLAN).exists():
            header = {"format": FORMAT, "version": VERSION, "plan": self.plan.to_json()}
            text = json.dumps(header, indent=1) + "\n"
            atomic_write(self.folder / PLAN, lambda file: file.write(text.encode()))

    def front(self, run: int) -> Path:
        """The file of what a run found."""
        return self.folder / FRONTS / f"{run:05}.npz"

    def runs_of(self, n: int, d: int, radius: int) -> list[Row]:
        """The finished runs of one case."""
        case = (n, d, radius)
        return [row for row in self.rows.values() if row.case == case]

    def to_do(self) -> list[Trial]:
        """The runs that have no row."""
        return [trial for trial in self.plan.trials() if trial.run not in self.rows]

    def keep(self, row: Row, front: bytes) -> None:
        """Write what a run found, then its row."""
        atomic_write(self.front(row.run), lambda file: file.write(front))
        self.append(row)

    def append(self, row: Row) -> None:
        """Write the row of a run to the disk, or leave the file as it was."""
        path, line = self.folder / ROWS, as_csv([row])
        check_ordinary(path)
        with open(path, "ab", buffering=0) as file:
            end = file.tell()
            try:
                if file.write(line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(file.fileno())
            except OSError as error:
                file.truncate(end)
                raise OSError(error.errno, error.strerror, str(path)) from None
        self.rows[row.run] = row

    def tidy(self) -> None:
        """Put the rows in order, without what a killed process left behind."""
        for left in (self.folder / FRONTS).glob(".*.tmp"):
            left.unlink(missing_ok=True)
        rows = [self.rows[run] for run in sorted(self.rows)]
        write_table(self.folder / ROWS, Row._fields, rows)

    def read_rows(self) -> None:
        """Look which runs are finished; a last row without its end is not."""
        path = self.folder / ROWS
        self.rows = rows = {}
        if not path.exists():
            return
        content = read_bytes(path)
        trials = set(self.plan.trials())
        with refusing(path):
            text = content[: content.rfind(b"\n") + 1].decode()
            for number, line in enumerate(csv.reader(io.StringIO(text)), 1):
                if number == 1 and tuple(line) == Row._fields:
                    continue
                row = _parsed_row(line, number)
                if row.run in rows or row[: len(Trial._fields)] not in trials:
                    raise ValueError(f"line {number} is of no run of this campaign")
                rows[row.run] = row

    def locked(self) -> AbstractContextManager[None]:
        """Lock the campaign for this process; the lock ends with the process."""
        (self.folder / FRONTS).mkdir(parents=True, exist_ok=True)
        return locked(self.folder / LOCK, self.folder, "campaign")


def _read_plan(folder: Path) -> Plan:
    """The plan of the campaign in this folder."""
    path = folder / PLAN
    if not path.is_file():
        raise ValueError(f"{folder}: it has no {PLAN}, so it is not a campaign")
    content = read_bytes(path)
    with refusing(path):
        header = parsed_json(content)
        check_format(header, FORMAT, VERSION)
        check_keys(header, "the file", {"format", "version", "plan"})
        return Plan.from_json(header["plan"])


def is_empty(folder: Path) -> bool:
    """Whether a folder holds at most what a killed process may leave behind."""
    return folder.is_dir() and not [
        path
        for path in folder.iterdir()
        if path.name != FRONTS and not path.name.startswith(".")
    ]


def _parsed_row(line: list[str], number: int) -> Row:
    """A row of `runs.csv`."""
    kinds = get_type_hints(Row)
    if len(line) != len(Row._fields):
        raise ValueError(
            f"line {number} has {counted(len(line), 'field')}, not {len(kinds)}"
        )
    values = []
    for (name, kind), text in zip(kinds.items(), line):
        try:
            values.append(kind(text))
        except ValueError:
            raise ValueError(f"line {number}: {name} is {brief(text)}") from None
    return Row(*values)
