"""Any front as a run file: an archive, a hull, offspring."""

import numpy as np

from paretoball.formats import PathLike, naming_header
from paretoball.landscape import Front, Landscape, constraint_in_words, landscape_digest
from paretoball.running.result import NO_TRACE, Result
from paretoball.running.rows import rows_of
from paretoball.running.run_file import write_run
from paretoball.running.status import NOT_SEARCHED


def save_front(front: Front, landscape: Landscape, path: PathLike) -> None:
    """Write any front of a landscape to a run file: an archive, a hull, offspring.

    `load`, `paretoball verify` and `paretoball plot` read it like the run of a search
    that took no time.

    Examples
    --------
    >>> from paretoball import Archive
    >>> ones = [((j,), [0, 1]) for j in range(3)]
    >>> landscape = Landscape.from_subfunctions(3, [ones])
    >>> archive = Archive(1)
    >>> archive.report([2], [0, 1, 1])
    True
    >>> save_front(archive, landscape, "archive.npz")  # doctest: +SKIP
    """
    if isinstance(front, Result):
        front.save(path)
        return
    rows = rows_of(front)
    if len(rows["F"]) == 0:
        raise ValueError("the front is empty, so there is nothing to save")
    if (front.n, front.sense) != (landscape.n, landscape.sense):
        raise ValueError(
            f"the front has n = {front.n} and senses {', '.join(front.sense)}, but the "
            f"landscape has n = {landscape.n} and {', '.join(landscape.sense)}"
        )
    _check_feasible(front, landscape)
    header = {
        "sense": list(front.sense),
        "reference": landscape.mean.tolist(),
        "landscape": landscape_digest(landscape),
        "n": front.n,
        "moves": 0,
        "climbs": 0,
        "seconds": 0.0,
        "setup_seconds": 0.0,
        "archive_seconds": 0.0,
        "status": NOT_SEARCHED,
        "config": {},
        "bounded": False,
        **naming_header(landscape.given_labels, landscape.names),
    }
    if landscape.constraints:
        header["constraints"] = len(landscape.constraints)
    write_run(path, header, {**rows, "trace": NO_TRACE})


def _check_feasible(front: Front, landscape: Landscape) -> None:
    """Refuse a front with a solution that violates a constraint."""
    if not landscape.constraints:
        return
    infeasible = np.flatnonzero(~landscape.is_feasible(front.X))
    if len(infeasible):
        row = int(infeasible[0])
        c = int(np.argmax(landscape.violation(front.X[row]) > 0))
        name = constraint_in_words(c, landscape.constraints.names[c])
        raise ValueError(f"row {row} of the front violates {name}")
