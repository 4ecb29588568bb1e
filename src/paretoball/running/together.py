"""A run together: workers run blocks independently; the run merges them in order.

A block that its worker could not finish in time is loose. If the run ends there, its
points count; otherwise the block is run again.
"""

from concurrent.futures import Executor
from time import perf_counter

from paretoball.climber import check_workers
from paretoball.landscape import Landscape
from paretoball.running.dispatcher import GREETING, DeadlyUnit, Dispatcher
from paretoball.running.run import Run, next_count
from paretoball.running.worker import (
    BlockRequest,
    BlockResult,
    climber_at_hand,
    end_run,
    run_block,
)
from paretoball.search import Block
from paretoball.system import capped

LOOK_EVERY = 0.05  # seconds
GRACE = 0.5  # seconds for blocks under way when a run is stopped
LATE = 0.2  # seconds for blocks under way when its time is up
BLOCKS = 4  # of each worker's share of two rounds, so that no worker waits for a plan
MOST_FOUND = 16  # blocks per worker to keep, at most, while an earlier one is not done
PATIENCE = 2.0  # seconds to wait for workers before a message says so


def search_together(
    run: Run, executor: Executor, workers: int | None, landscape: Landscape | bytes
) -> None:
    """Run units on the workers of an executor, which are sent `landscape`."""
    job = run.job._replace(landscape=landscape)
    team = _Team(run)

    def call(block: Block, is_lacking: bool) -> tuple:
        return run_block, team.request(block), job if is_lacking else None

    with Dispatcher(executor, workers, call) as dispatcher:
        try:
            if team.greet(dispatcher):
                team.direct(dispatcher)
        finally:
            end_run(job.token)


class _Team:
    """The blocks that workers are running, or have sent back."""

    def __init__(self, run: Run):
        self.run = run
        self.waiting: dict[int, BlockResult] = {}  # done, but an earlier one is not
        self.loose: dict[int, BlockResult] = {}  # ended before their units were done
        self.exact: set[int] = (
            set()
        )  # first units of blocks to run as far as moves last

    def request(self, block: Block) -> BlockRequest:
        """What a worker is asked for."""
        run = self.run
        fresh = run.options.max_archive is not None or block.first in self.exact
        return BlockRequest(
            token=run.job.token,
            block=block,
            tasks=run.plan.tasks(block),
            max_moves=run.moves_left(),
            seconds=run.budget.left(),
            fresh=fresh,
        )

    def greet(self, dispatcher: Dispatcher) -> bool:
        """Let workers set up. The clock goes on after that, and counts the slowest."""
        run = self.run
        before = run.budget.elapsed()
        for _ in range(dispatcher.workers):
            dispatcher.add(GREETING)
        slowest, patience = 0.0, PATIENCE
        while not dispatcher.is_idle() and run.budget.stopped is None:
            if run.budget.elapsed() > patience:
                run.progress.display.say("Waiting for workers ...")
                patience = float("inf")
            for answer in dispatcher.collect(LOOK_EVERY):
                slowest = max(slowest, answer.setup_seconds)
                run.live_workers.hear(answer.worker, answer.seconds)
        run.setup_seconds = before + slowest
        run.budget.restart(run.setup_seconds)
        run.climber = climber_at_hand(run.job.token)
        if run.climber is not None:
            limit = run.options.memory_limit
            with capped(None if limit is None else limit - run.climber.nbytes):
                vector = run.landscape.d * run.climber.cliques.tables.itemsize
                check_workers(dispatcher.workers, len(run.climber.moves), vector)
        return run.budget.stopped is None

    def direct(self, dispatcher: Dispatcher) -> None:
        """Hand out blocks and merge them until the budget is used up."""
        run = self.run
        ahead, count = run.units, 1
        while not run.is_done():
            while (
                dispatcher.has_room()
                and ahead < min(run.budget.max_units, run.plan.planned.end)
                and len(self.waiting) < MOST_FOUND * dispatcher.workers
            ):
                share = max(1, run.plan.planned.size // (BLOCKS * dispatcher.workers))
                block = run.block_at(ahead, min(count, share))
                dispatcher.add(block)
                ahead, count = block.end, block.size
            for each in self._collected(dispatcher):
                self.waiting[each.block.first] = each
            while run.units in self.waiting and not run.is_done():
                each = self.waiting.pop(run.units)
                self._merge(each, dispatcher)
                count = next_count(each.block.size, each.seconds)
            run.stop(0)
        self._take_loose_ends(dispatcher)

    def _collected(self, dispatcher: Dispatcher) -> list[BlockResult]:
        """What workers have finished; if collecting fails, the run is stopped."""
        run = self.run
        try:
            answers = dispatcher.collect(LOOK_EVERY)
        except Exception as error:
            if run.units == 0 and not isinstance(error, DeadlyUnit):
                raise
            run.budget.stop(" ".join(str(error).split()) or type(error).__name__)
            return []
        for each in answers:
            run.live_workers.hear(each.worker, each.seconds)
        return [each for each in answers if each.block.size]

    def _merge(self, result: BlockResult, dispatcher: Dispatcher) -> None:
        """Merge the block that is next.

        A block that takes all moves that are left is run again with exactly these
        moves. A block that is not finished is run again from its start.
        """
        run, block, done = self.run, result.block, result.done
        takes_all = done.moves >= run.moves_left()
        if takes_all and block.first not in self.exact:
            self.exact.add(block.first)
            dispatcher.add(block)
            return
        if done.units < block.size and not takes_all:
            self._keep_loose(result)
            dispatcher.add(block)
            return
        if done.units < block.size:
            run.mark_settled()
        self._take(result)
        run.account(block, done)

    def _take(self, result: BlockResult) -> None:
        began = perf_counter()
        self.run.archive.take_found(self.run.landscape.n, result.found)
        self.run.archive_seconds += result.archive_seconds + perf_counter() - began

    def _take_loose_ends(self, dispatcher: Dispatcher) -> None:
        """When time is up, take what later blocks have found, if it counts."""
        run = self.run
        end_run(run.job.token)
        dispatcher.give_up_waiting()
        if not run.takes_loose():
            return
        until = perf_counter() + (GRACE if run.budget.stopped else LATE)
        while not dispatcher.is_idle() and perf_counter() < until:
            for each in self._collected(dispatcher):
                self.waiting[each.block.first] = each
        for each in self.waiting.values():
            self._keep_loose(each)
        for first, each in sorted(self.loose.items()):
            if first >= run.units:
                run.take_loose(each.found, each.done)

    def _keep_loose(self, result: BlockResult) -> None:
        """Keep what came of a block that is not finished; of two tries, the longer."""
        first = result.block.first
        before = self.loose.get(first)
        if before is None or result.done.moves >= before.done.moves:
            self.loose[first] = result
