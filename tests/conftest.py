"""What tests share: the paper's figure, reference data, and small campaigns."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import landscapes
from paretoball import Landscape
from paretoball.running.worker import forget_runs
from paretoball.system.signals import forget_signals

SHARED = Path(__file__).resolve().parents[2] / "shared"

for profile, examples in (("test", 25), ("thorough", 60)):
    settings.register_profile(
        profile, deadline=None, derandomize=True, max_examples=examples
    )

# A job in the background ignores Ctrl-C, and so would all that tests send signals to.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Each of several workers has a core for itself: what it compiles, it compiles alone.
if (worker := os.environ.get("PYTEST_XDIST_WORKER")) and hasattr(
    os, "sched_setaffinity"
):
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[int(worker[2:]) % len(cores)]})


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `make audit` asks for, and `make test` does not."""
    told = "more examples, and random landscapes of all kinds: more kernels to compile"
    parser.addoption("--thorough", action="store_true", help=told)


def pytest_configure(config: pytest.Config) -> None:
    """How many examples there are, and of how many kinds random landscapes are."""
    is_thorough = config.getoption("--thorough")
    landscapes.is_every_kind_drawn = is_thorough
    settings.load_profile("thorough" if is_thorough else "test")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave out of later garbage collections what was collected: it all stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)  # kernels leave a lot, of which little goes
        gc.enable()


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """No test sees what another one left in this process."""
    yield
    forget_runs()
    forget_signals()


@pytest.fixture
def figure_1() -> Landscape:
    """Figure 1 of the paper; it gives masks only, so the tables are ours."""
    first = [
        ((0, 1), [3, 0, 5, 1]),
        ((1, 2), [2, 4, 0, 7]),
        ((1, 3), [1, 1, 6, 2]),
        ((2, 3), [0, 5, 3, 3]),
        ((3, 4), [4, 2, 2, 8]),
    ]
    second = [
        ((0, 1), [1, 6, 0, 2]),
        ((1, 2), [5, 3, 3, 0]),
        ((3, 4), [2, 0, 7, 1]),
    ]
    return Landscape.from_subfunctions(5, [first, second])


@pytest.fixture
def shared_folder() -> Path:
    """The folder beside the repository with the authors' reference data."""
    if not SHARED.is_dir():
        pytest.skip(f"no reference data: {SHARED} does not exist")
    return SHARED


@pytest.fixture(scope="session")
def runtime(tmp_path_factory) -> Path:
    """A finished campaign of the runtime experiment."""
    from campaigns import new_campaign

    return new_campaign("runtime", tmp_path_factory.mktemp("campaigns"))


@pytest.fixture(scope="session")
def quality(tmp_path_factory) -> Path:
    """A finished campaign of the quality experiment, for two sizes."""
    from campaigns import new_campaign

    return new_campaign("quality", tmp_path_factory.mktemp("campaigns"))
