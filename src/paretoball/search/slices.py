"""Slices: how many moves a kernel takes before it returns to Python."""

FIRST_SLICE, LONGEST_SLICE = 64, 1 << 20  # moves
SLICE_SECONDS = 0.02


def next_slice(moves: int, seconds: float, is_used_up: bool) -> int:
    """How long the next slice should be, to take about SLICE_SECONDS."""
    if seconds < SLICE_SECONDS / 2 and is_used_up:
        return min(2 * moves, LONGEST_SLICE)
    return max(moves // 2, 1) if seconds > 2 * SLICE_SECONDS else moves
