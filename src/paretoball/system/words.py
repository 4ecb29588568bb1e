"""Words: counts with their nouns, as people say them."""


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count and its noun, in the plural unless there is just one.

    >>> counted(1, "path"), counted(1200, "path"), counted(0, "entry", "entries")
    ('1 path', '1,200 paths', '0 entries')
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
