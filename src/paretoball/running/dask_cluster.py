"""Dask: an executor on processes of this machine, or on a cluster by its address.

What travels between a client, its scheduler and their workers is pickled, so whoever
can connect can run code. A cluster of this machine listens on the loopback interface
only; for any other, `docs/cluster.md` says how connections are encrypted and checked.
"""

import asyncio
import logging
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from typing import Any

from paretoball.system import deaf_to_interrupts

LOCAL = "local"
LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 10.0
START_SECONDS = 60.0
CLOSE_SECONDS = 0.3  # that a worker has to leave before it is killed
DEATHS = 3  # of workers at the same call, before it is a failure of the call
FAILURES = (Exception, asyncio.CancelledError)  # of closing: they change no result


@contextmanager
def dask_executor(address: str, workers: int | None) -> Iterator[Executor]:
    """An executor on Dask's workers.

    `"local"` starts `workers` worker processes (default: one per core) and ends them
    with the block. Any other address, `tcp://` or `tls://`, is that of a scheduler. It
    must have workers already, unless `workers` is given.
    """
    try:
        import distributed  # noqa: F401 (takes half a second, so only when asked for)
    except ImportError:
        raise ImportError(
            "--dask needs distributed: pip install 'paretoball[dask]'"
        ) from None
    _be_quiet()
    with ExitStack() as stack:
        if address == LOCAL:
            client = _local_client(workers, stack)
        else:
            client = _remote_client(address, stack)
        if workers is None and not client.nthreads():
            raise ValueError(f"{address} has no workers yet: start some")
        yield client.get_executor(pure=False)


def _local_client(workers: int | None, stack: ExitStack) -> Any:
    """The client of a cluster in this machine, which ends with the stack."""
    from dask.system import CPU_COUNT
    from distributed import Client, LocalCluster, Security

    folder = stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))
    others = active_children()
    with deaf_to_interrupts():
        cluster = LocalCluster(
            n_workers=0,
            threads_per_worker=1,
            host=LOOPBACK,
            protocol="tcp://",
            security=Security(require_encryption=False),
            dashboard_address=f"{LOOPBACK}:0",  # HTTP is served in any case
            worker_dashboard_address=f"{LOOPBACK}:0",
            memory_limit=None,  # or workers are killed near their share of it
            local_directory=folder,
            silence_logs=logging.CRITICAL,
            scheduler_kwargs={"allowed_failures": DEATHS - 1},
        )
        stack.callback(_close_cluster, cluster, others)
        client = Client(cluster, timeout=CONNECT_SECONDS, set_as_default=False)
        stack.callback(_close_client, client)
    cluster.scale(workers or CPU_COUNT)
    client.wait_for_workers(workers or CPU_COUNT, timeout=START_SECONDS)
    return client


def _remote_client(address: str, stack: ExitStack) -> Any:
    """The client of a scheduler, which goes on without it."""
    from distributed import Client

    try:
        asyncio.run(asyncio.wait_for(_knock(address), CONNECT_SECONDS))
    except TimeoutError:
        raise OSError(f"{address}: no Dask scheduler answers") from None
    except (OSError, TypeError, ValueError, RuntimeError) as error:
        raise OSError(f"{address}: {error.__cause__ or error}") from None
    with deaf_to_interrupts():
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        stack.callback(_close_client, client)
    return client


async def _knock(address: str) -> None:
    """Check that a scheduler answers; a client might wait for ever, and not close."""
    from distributed.core import rpc
    from distributed.security import Security

    settings = Security().get_connection_args("client")
    async with rpc(address, connection_args=settings) as there:
        found = await there.identity()
    if found["type"] != "Scheduler":
        raise ValueError(f"it is a {found['type'].lower()} and not a scheduler")


def _close_client(client: Any) -> None:
    """Take leave of the scheduler, if it is still there."""
    with suppress(*FAILURES):
        client.close(timeout=CLOSE_SECONDS)


def _close_cluster(cluster: Any, others: list[BaseProcess]) -> None:
    """End the cluster's processes at once; the processes in `others` go on."""

    async def close_workers() -> None:
        nannies = list(cluster.workers.values())
        await asyncio.gather(*(each.close(timeout=CLOSE_SECONDS) for each in nannies))

    cluster.shutdown_on_close = False  # or closing is tried again at exit, for long
    with suppress(*FAILURES):
        cluster.sync(close_workers, callback_timeout=2 * CLOSE_SECONDS)
    _kill_workers(others)  # those that were just starting
    with suppress(*FAILURES):
        cluster.close(timeout=2 * CLOSE_SECONDS)
    _kill_workers(others)


def _kill_workers(others: list[BaseProcess]) -> None:
    """Kill the worker processes of this process, except for `others`."""
    for child in set(active_children()) - set(others):
        if child.name.startswith("Dask Worker"):
            child.kill()


def _be_quiet() -> None:
    """From now on, no logs of Dask on standard error, nor advice on large arguments.

    Its threads may outlive what they were started for, so this is not taken back.
    """
    for handler in logging.getLogger("distributed").handlers:
        handler.setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", "Sending large graph")
