"""Counts of audits, one in a line: docs/reliability.md is filled from them."""

from collections.abc import Mapping


def tell(part: str, counts: Mapping[str, float]) -> None:
    """Print the counts of a part of an audit; a float is told to its hundredth."""
    for what, count in counts.items():
        number = f"{count:.2f}" if isinstance(count, float) else f"{count:,}"
        print(f"{part}: {what}: {number}", flush=True)
