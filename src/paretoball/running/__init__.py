"""`solve` and `resume`: runs within a budget, alone or on many workers, on disk or not.

- `status`, `options`, `foresight`, `budget`: what a run is asked for, when it ends, why
- `run_file`, `rows`, `solution`, `nearest_file`, `result`: what it leaves behind, in
  memory and on disk
- `front_file`: any other front in such a file
- `starts`: the solutions it is given
- `trace`, `snapshot`, `progress`: how it is doing
- `checkpoint`: a run on disk, with what it takes to go on
- `kinds`, `warm_up`: compilation, before the clock starts or long before
- `exact_run`, `auto`: the whole front by elimination, as a result; whether it is cheap
- `bound`, `live_workers`: the size of an archive, and the number of workers
- `process_pools`, `worker`, `dispatcher`: blocks of units on workers, with nothing lost
- `run`, `alone`, `together`: a run, on the calling thread or on workers
- `dask_cluster`: an executor on a Dask cluster
- `interruption`: what comes after a signal
- `driver`: `solve` and `resume`
"""

from paretoball.running.dask_cluster import dask_executor
from paretoball.running.dispatcher import DeadlyUnit, Dispatcher, NoWorkers
from paretoball.running.driver import EVERY, checked_workers, resume, solve
from paretoball.running.exact_run import solved_exactly
from paretoball.running.front_file import save_front
from paretoball.running.options import Options, checked_options
from paretoball.running.process_pools import new_processes
from paretoball.running.result import Result, load
from paretoball.running.rows import rows_of
from paretoball.running.run_file import (
    NEAREST,
    Arrays,
    check_program,
    read_run,
    settled_rows,
)
from paretoball.running.snapshot import Snapshot
from paretoball.running.solution import Nearest, Solution
from paretoball.running.status import (
    BY_COUNT,
    CLIMBS,
    ENDINGS,
    FEW_MOVES,
    INFEASIBLE,
    MOVES,
    NONE_FEASIBLE,
    NOT_SEARCHED,
    NOTHING_LEFT,
    PROVEN,
    STOPPED,
    TIME,
    UNDER_WAY,
    WHOLE,
)
from paretoball.running.warm_up import WarmUp, compile_search, warm_up
from paretoball.running.worker import forget_runs

__all__ = [
    "BY_COUNT",
    "CLIMBS",
    "ENDINGS",
    "EVERY",
    "FEW_MOVES",
    "INFEASIBLE",
    "MOVES",
    "NEAREST",
    "NONE_FEASIBLE",
    "NOTHING_LEFT",
    "NOT_SEARCHED",
    "PROVEN",
    "STOPPED",
    "TIME",
    "UNDER_WAY",
    "WHOLE",
    "Arrays",
    "DeadlyUnit",
    "Dispatcher",
    "Nearest",
    "NoWorkers",
    "Options",
    "Result",
    "Snapshot",
    "Solution",
    "WarmUp",
    "check_program",
    "checked_options",
    "checked_workers",
    "compile_search",
    "dask_executor",
    "forget_runs",
    "load",
    "new_processes",
    "read_run",
    "resume",
    "rows_of",
    "save_front",
    "settled_rows",
    "solve",
    "solved_exactly",
    "warm_up",
]
