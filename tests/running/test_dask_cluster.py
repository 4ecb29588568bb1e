"""Dask: calls on worker processes, which only this machine can reach."""

import ipaddress
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from paretoball import mnk, write_landscape
from paretoball.cli.main import main
from paretoball.running import dask_cluster as cluster
from paretoball.running.dask_cluster import dask_executor
from paretoball.running.dispatcher import capacity

LONG = 60.0  # seconds: no machine is so busy that what is quick takes longer
SCRIPT = """
import signal, time
from contextlib import suppress
signal.signal(signal.SIGINT, signal.default_int_handler)  # where jobs ignore it
from paretoball.running import dask_cluster
from paretoball.running.dask_cluster import dask_executor
dask_cluster.DEATHS = 1  # Dask forgets workers that die while it is still starting them
with suppress(KeyboardInterrupt), dask_executor("local", 1) as executor:
    fate = executor.submit(signal.raise_signal, signal.SIGKILL).exception()
    under_way = executor.submit(time.sleep, 600)
    print(type(fate).__name__, flush=True)
    under_way.result()
"""


class Found(NamedTuple):
    """Something like what a unit of work gives back."""

    F: np.ndarray
    climbs: int


def search(first: int, count: int) -> Found:
    """Something like a unit of work."""
    return Found(np.random.default_rng(first).integers(0, 99, (count, 2)), count)


def die_once(folder: Path) -> int:
    """Kill the worker that this runs on, the first time; how often it was tried."""
    (folder / secrets.token_hex()).touch()
    tries = len(list(folder.iterdir()))
    if tries == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return tries


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    """Two workers on this machine."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    with dask_executor("local", 2) as executor:
        yield executor


def family(pid: int) -> list[Any]:
    """A process and all that come from it."""
    psutil = pytest.importorskip("psutil", reason="psutil is not installed")
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def gone(processes: Iterable[Any]) -> bool:
    """Whether all of these end by themselves; zombies have."""
    import psutil

    _, left = psutil.wait_procs(processes, timeout=LONG)
    return all(each.status() == psutil.STATUS_ZOMBIE for each in left)


@contextmanager
def killed_if_late(process: subprocess.Popen[str]) -> Iterator[None]:
    """Rather than wait for ever, end a process that hangs."""
    alarm = threading.Timer(5 * LONG, process.kill)
    alarm.start()
    yield
    alarm.cancel()


def sockets(pid: int) -> list[Any]:
    """Both ends of all sockets of a process and of those that come from it."""
    open_ones = [s for each in family(pid) for s in each.net_connections("inet")]
    return [end for s in open_ones for end in (s.laddr, s.raddr) if end]


def test_results_are_those_of_the_same_calls_here(executor):
    futures = [executor.submit(search, first, 5) for first in range(8)]
    for first, future in enumerate(futures):
        found = future.result()
        assert isinstance(found, Found)
        assert_array_equal(found.F, search(first, 5).F)


def test_calls_run_in_other_processes(executor):
    assert executor.submit(os.getpid).result() != os.getpid()


def test_the_same_call_is_made_again(executor):
    drawn = [executor.submit(secrets.token_hex).result() for _ in range(3)]
    assert len(set(drawn)) == 3


def test_what_a_call_raises_comes_back(executor):
    with pytest.raises(ZeroDivisionError):
        executor.submit(divmod, 1, 0).result()


def test_a_call_whose_worker_is_killed_is_made_again(executor, tmp_path):
    assert executor.submit(die_once, tmp_path).result() == 2


def test_every_socket_is_on_the_loopback_interface(executor):
    assert executor.submit(search, 1, 5).result().climbs == 5
    ends = sockets(os.getpid())
    assert len(ends) > 8
    assert all(ipaddress.ip_address(end.ip).is_loopback for end in ends), ends


def test_a_scheduler_can_be_used_by_its_address_and_goes_on(executor):
    executor._client.wait_for_workers(2)
    address = executor._client.scheduler.address
    with dask_executor(address, None) as by_address:
        assert capacity(by_address) == 2
        assert by_address.submit(divmod, 7, 2).result() == (3, 1)
    assert executor.submit(divmod, 7, 2).result() == (3, 1)


def test_closing_ends_all_workers_at_once(executor):
    before = set(family(os.getpid()))
    with dask_executor("local", 1) as another:
        another.submit(time.sleep, 10 * LONG)
        started = set(family(os.getpid())) - before
        began = time.monotonic()
    assert time.monotonic() - began < LONG
    assert started
    assert gone(started)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C reaches a group of processes")
def test_neither_deaths_nor_ctrl_c_leave_a_mess(executor):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    with killed_if_late(process):
        assert process.stdout.readline() == "KilledWorker\n"
    started = family(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, complaints = process.communicate(timeout=LONG)
    assert (process.returncode, complaints) == (0, "")
    assert gone(started)


@pytest.mark.parametrize(
    "address", ["", "lokal", "localhost:8786", "tcp://", "tcp://here", "tcp://a b:1"]
)
def test_what_is_no_address_is_refused(address, capsys):
    assert main(["solve", "mnk.npz", "--time", "1", "--dask", address]) == 2
    assert "is neither local nor like tcp://" in capsys.readouterr().err


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "tcp://127.0.0.1:{port}", "tls://127.0.0.1:{port}"]
)
def test_where_no_scheduler_answers_one_line_says_so(address, executor, monkeypatch):
    import socket

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = address.format(port=silent.getsockname()[1])
        with (
            pytest.raises(OSError, match=rf"^{address}: .*") as refusal,
            dask_executor(address, None),
        ):
            pass
    assert "\n" not in str(refusal.value)


def test_without_distributed_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ImportError, match=r"pip install 'paretoball\[dask\]'"),
        dask_executor("local", None),
    ):
        pass


@pytest.mark.long
def test_a_plain_search_opens_no_socket_to_the_outside(tmp_path):
    psutil = pytest.importorskip("psutil", reason="psutil is not installed")
    write_landscape(mnk(n=200, K=2, seed=1), tmp_path / "mnk.npz")
    command = [sys.executable, "-m", "paretoball", "solve", str(tmp_path / "mnk.npz")]
    process = subprocess.Popen(
        [*command, "--time", "1", "--workers", "2", "--quiet"],
        stdout=subprocess.DEVNULL,
    )
    ends = []
    while process.poll() is None:
        try:
            ends += sockets(process.pid)
        except psutil.NoSuchProcess:
            continue
        time.sleep(0.02)
    assert process.returncode == 0
    assert all(ipaddress.ip_address(end.ip).is_loopback for end in ends), ends


def test_only_a_scheduler_is_taken_for_one(executor):
    client = executor._client
    client.wait_for_workers(2)
    worker = next(iter(client.nthreads()))
    with (
        pytest.raises(OSError, match=f"^{worker}: it is a worker and not a scheduler$"),
        dask_executor(worker, None),
    ):
        pass


def test_a_call_may_kill_three_workers_and_no_more(executor):
    scheduler = executor._client.cluster.scheduler
    assert (cluster.DEATHS, scheduler.allowed_failures) == (3, 2)


@pytest.mark.parametrize("workers", [None, 2])
@pytest.mark.parametrize("threads", [{}, {"a": 1}])
def test_a_scheduler_without_workers_is_refused_unless_some_are_to_come(
    monkeypatch, workers, threads
):
    pytest.importorskip("distributed", reason="distributed is not installed")
    asked: list[Any] = []
    client = SimpleNamespace(
        nthreads=lambda: threads, get_executor=lambda pure: ("executor", pure)
    )

    def remote(address: str, stack: Any) -> Any:
        asked.append(address)
        return client

    monkeypatch.setattr(cluster, "_remote_client", remote)
    address = "tcp://far:8786"
    if workers is None and not threads:
        with (
            pytest.raises(ValueError, match=f"^{address} has no workers yet: start"),
            dask_executor(address, workers),
        ):
            pass
    else:
        with dask_executor(address, workers) as found:
            assert found == ("executor", False)
    assert asked == [address]
