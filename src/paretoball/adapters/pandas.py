"""pandas: the front of a result as a table."""

from typing import TYPE_CHECKING

from paretoball.adapters.missing import missing
from paretoball.landscape import bit_names, distinct_columns
from paretoball.running import Result
from paretoball.system import check_memory, counted

if TYPE_CHECKING:
    import pandas

COPIES = 3  # copies of the bits in memory, at most, while a table is made


def to_dataframe(result: Result, bits: bool = False) -> "pandas.DataFrame":
    """One row per solution: its objectives by name, and where it was found.

    With `bits`, a column for each variable follows.
    """
    try:
        import pandas
    except ImportError:
        raise missing("to_dataframe", "pandas") from None
    columns = result.columns()
    facts = pandas.DataFrame(columns)
    if not bits:
        return facts
    size = f"{counted(len(result), 'row')} and {counted(result.n, 'variable')}"
    advice = "to_csv(path, bits=True) writes row by row"
    check_memory(f"a table of {size} takes", COPIES * len(result) * result.n, advice)
    labels = distinct_columns(bit_names(result.n, result.given_labels), columns)
    X = pandas.DataFrame(result.solutions(slice(None)))
    names = [*columns, *labels]
    kind = None if all(isinstance(name, str) for name in names) else object
    table = pandas.concat([facts, X], axis=1)
    return table.set_axis(pandas.Index(names, dtype=kind), axis=1)
