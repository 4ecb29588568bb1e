"""A small share of `python tests/audits/faults.py`: whatever fails, nothing is lost."""

import errno
import os
import signal
from pathlib import Path

import disturbed
import faults_of_disks
import faults_of_files
import faults_of_processes
import faults_of_workers
import numba
import pytest

from paretoball import solve
from paretoball.cli.main import main
from paretoball.formats.disk import atomic_write

pytestmark = [
    pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="it takes compiled code"),
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here"),
]


BUSY = 60.0  # seconds that leaving may take on a machine that does other things, too


def assert_all_is_well(*tallies: disturbed.Tally) -> None:
    assert [line for each in tallies for line in each.violations] == []


def test_a_killed_run_that_is_resumed_ends_like_an_undisturbed_one():
    assert_all_is_well(faults_of_processes.kill(2))


@pytest.mark.parametrize(
    "case",
    [
        disturbed.KNAPSACK,
        pytest.param(disturbed.COVERING, marks=pytest.mark.long),
    ],
    ids=["knapsack", "covering"],
)
def test_a_killed_run_under_constraints_ends_like_an_undisturbed_one(case):
    found = faults_of_processes.kill(3, case)
    assert_all_is_well(found)
    assert found.seen[case.family] == 1


@pytest.mark.long
@pytest.mark.parametrize("case", [disturbed.KNAPSACK, disturbed.COVERING])
def test_a_signal_ends_a_run_under_constraints_politely(case):
    assert_all_is_well(faults_of_processes.polite(1, patience=BUSY, case=case))


@pytest.mark.parametrize(
    "number", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))]
)
def test_a_signal_ends_a_process_soon_and_politely(number):
    assert_all_is_well(faults_of_processes.polite(number, patience=BUSY))


@pytest.mark.long
@pytest.mark.parametrize("number", range(2))
def test_a_signal_at_the_end_is_no_reason_to_complain(number):
    assert_all_is_well(faults_of_processes.polite(number, True, patience=BUSY))


def test_a_damaged_checkpoint_is_told_from_a_whole_one():
    found = [faults_of_files.damage(number) for number in range(80)]
    assert_all_is_well(*found)
    assert sum(each.seen["cut: one before"] for each in found) > 10
    assert sum(each.seen["byte: one before"] for each in found) > 10


@pytest.mark.parametrize(
    "how", ["processes", pytest.param("dask", marks=pytest.mark.long)]
)
def test_workers_that_are_killed_cost_nothing_but_time(how):
    found = faults_of_workers.kill_workers(1, how, kills=1, pause=(0.05, 0.3))
    assert_all_is_well(found)
    assert found.seen["kill"] >= 1


@pytest.mark.parametrize(
    "how",
    ["workers", "threads", "processes", pytest.param("dask", marks=pytest.mark.long)],
)
def test_the_archive_is_the_same_whoever_runs_the_climbs(how):
    case = disturbed.LONG[1]._replace(limit=300)
    counts = (1, 2, 4) if how in ("workers", "threads") else (2,)
    assert_all_is_well(
        *(faults_of_workers.same_archive(case, how, each) for each in counts)
    )


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_a_disk_that_fails_loses_no_file_and_no_result(links):
    calls = faults_of_disks.failing_calls(links)
    for at in (*range(1, calls, 41), *range(calls - 5, calls + 2)):
        error, lasting = faults_of_disks.ERRORS[at % 3], at % 2 == 0
        assert_all_is_well(faults_of_disks.failing_disk(at, error, lasting, links))


def test_a_rename_that_failed_leaves_nothing_behind_later(tmp_path):
    path, previous = tmp_path / "run.npz", tmp_path / "run.previous.npz"

    def write(content: bytes) -> None:
        atomic_write(path, lambda file: file.write(content), previous)

    write(b"first")
    disk = faults_of_disks.Disk(8, errno.EIO, lasting=False, links=True)
    with disk.in_place(), pytest.raises(OSError, match="Input/output error"):
        write(b"second")
    assert path.read_bytes() == previous.read_bytes() == b"first"
    write(b"third")
    assert sorted(tmp_path.iterdir()) == [path, previous]
    assert (path.read_bytes(), previous.read_bytes()) == (b"third", b"first")


@pytest.mark.parametrize("most", [0, 100, 2000, 3500])
def test_files_that_may_not_grow_lose_no_result(most):
    assert_all_is_well(faults_of_disks.limited_size(most))


@pytest.mark.long
def test_a_folder_deleted_during_the_run_loses_no_result():
    assert_all_is_well(
        faults_of_disks.folder_deleted(1), faults_of_disks.folder_deleted(2)
    )


@pytest.mark.long
def test_a_folder_deleted_under_a_process_loses_no_result():
    assert_all_is_well(faults_of_disks.folder_deleted_in_process(1))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_refused_at_once(tmp_path, capsys):
    with disturbed.new_folder(disturbed.SHORT) as folder:
        tmp_path.chmod(0o500)
        words = disturbed.solving(disturbed.SHORT, folder, "-o", tmp_path / "run.npz")
        assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.long
def test_a_climb_that_kills_its_worker_is_named():
    assert_all_is_well(faults_of_workers.deadly_unit(2))


@pytest.mark.long
def test_damaged_kernels_are_compiled_again():
    assert_all_is_well(faults_of_files.damaged_cache(0, share=0.05))


# --- What the trials themselves would notice.


def test_a_lost_file_would_be_noticed():
    disk = faults_of_disks.Disk(1, errno.EIO, False, True)
    disk.good["run.npz"] = b"content"
    assert faults_of_disks.lost(Path("/nowhere/run.npz"), disk)


def test_an_archive_with_one_other_bit_would_be_noticed():
    case = disturbed.SHORT
    result = solve(case.landscape(), **case.how())
    assert disturbed.fingerprint(result) == disturbed.undisturbed(case)
    result.optimum[0] ^= True
    assert disturbed.fingerprint(result) != disturbed.undisturbed(case)


def test_a_process_without_handlers_is_told_from_one_with():
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        assert not faults_of_processes.catches_signals(os.getpid())
        signal.signal(signal.SIGTERM, lambda *_: None)
        assert faults_of_processes.catches_signals(os.getpid())
    finally:
        signal.signal(signal.SIGTERM, before)
