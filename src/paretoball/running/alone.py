"""A run alone: the calling thread runs its units, straight into the run's archive."""

from paretoball.running.budget import OutOfTime
from paretoball.running.run import Run, next_count


def search_alone(run: Run) -> None:
    """Run units, block after block, until the budget is used up."""
    try:
        run.climber = run.job.new_climber(run.budget.pulse)
    except OutOfTime:
        run.setup_seconds = run.budget.elapsed()
        return
    searcher = run.job.new_searcher(run.climber)
    run.setup_seconds = run.budget.elapsed()
    count = 1
    while not run.is_done():
        began = run.budget.elapsed()
        block = run.block_at(run.units, count)
        tasks, limit = run.plan.tasks(block), run.moves_left()
        run.mark_settled()
        done = searcher.run(run.archive, block, tasks, limit, run.stop)
        run.archive_seconds = searcher.archive_seconds
        run.account(block, done)
        if done.units < block.size:
            return
        count = next_count(block.size, run.budget.elapsed() - began)
