"""Memory: what tables take while a landscape is made of them, told before."""

from paretoball.system import check_memory

COPIES = 6  # copies of all tables in memory, at most


def check_tables(what: str, entries: int) -> None:
    """Refuse tables of so many entries, if there is no memory for them."""
    check_memory(f"{what} need", COPIES * 8 * entries)
