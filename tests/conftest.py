"""What all tests share: the paper's figure, and the folder of reference data."""

from pathlib import Path

import pytest
from hypothesis import settings

from paretoball import Landscape

SHARED = Path(__file__).resolve().parents[2] / "shared"

settings.register_profile("tests", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("tests")


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
