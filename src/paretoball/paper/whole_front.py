"""The whole exact front of the paper's own instance, which Figure 3 approximates.

A folder has the run file, once it is finished, and until then what earlier bands found.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from paretoball.exact import supported_front
from paretoball.landscape import landscape_digest
from paretoball.problems import mnk_java
from paretoball.running import Result, load, solved_exactly
from paretoball.system import counted

WHOLE_FRONT, BANDS = "exact.npz", "bands.npz"


def whole_front_lines(
    folder: str, n: int, K: int, q: int, pseed: int, progress: bool | None
) -> Iterator[str]:
    """Find the front, or go on with it; tell what it is."""
    landscape = mnk_java(n, K=K, d=2, q=q, pseed=pseed)
    os.makedirs(folder, exist_ok=True)
    path = Path(folder, WHOLE_FRONT)
    if path.exists():
        result: Result = load(path)
        if result.landscape != landscape_digest(landscape):
            raise ValueError(f"{path}: it belongs to another landscape")
    else:
        bands = Path(folder, BANDS)
        result = solved_exactly(landscape, progress, None, checkpoint=bands)
        result.save(path)
        bands.unlink(missing_ok=True)
    volume = result.hypervolume()
    bound = supported_front(landscape, progress).bound(result.reference)
    yield f"{counted(len(result), 'point')} in {result.seconds:.1f} s, all of the front"
    yield f"hypervolume {volume:,.1f}, {volume / bound:.5%} of that below the hull"
    yield f"{path}: for a figure: paretoball plot {path} -o front.png"
