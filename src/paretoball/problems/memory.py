"""Memory: what tables take while a landscape is made of them, told before."""

from paretoball.system import check_memory

COPIES = 6  # copies of all tables in memory, at most
BESIDES = 170  # bytes for each table, besides its entries


def check_tables(what: str, tables: int, entries: int) -> None:
    """Refuse tables with so many entries in all, if there is no memory for them."""
    check_memory(f"{what} need", COPIES * 8 * entries + BESIDES * tables)
