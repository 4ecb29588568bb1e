"""Live workers: how many have answered lately."""

from time import perf_counter

HEARD = 10.0  # seconds after its last answer that a worker counts as alive


class LiveWorkers:
    """The workers of a run, by name, with when each last answered."""

    def __init__(self) -> None:
        self._heard: dict[str, float] = {}

    def hear(self, worker: str, seconds: float) -> None:
        """A worker has sent an answer that took it `seconds`."""
        self._heard[worker] = perf_counter() + 3 * seconds

    def count(self) -> int:
        """How many have answered lately; the calling thread is one."""
        since = perf_counter() - HEARD
        return max(1, sum(heard > since for heard in list(self._heard.values())))
