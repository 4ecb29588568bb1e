"""pandas: matrices with labels as landscapes, and the front of a result as a table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.adapters.quadratic import Labelled, quadratic_landscape
from paretoball.landscape import Landscape, Quadratic, bit_names, distinct_columns
from paretoball.running import Result
from paretoball.system import brief, check_memory, counted

if TYPE_CHECKING:
    import pandas

COPIES = 3  # copies of the bits in memory, at most, while a table is made


def from_dataframe(
    frame: "pandas.DataFrame | Sequence[pandas.DataFrame]",
    sense: str | Sequence[str] = "min",
    names: Sequence[str] | None = None,
) -> Landscape:
    """The landscape whose objectives are x Q x, with a data frame Q for each.

    Rows and columns have the same labels, which become those of the variables; their
    order may differ. Of several frames, equal labels are one variable.

    Examples
    --------
    >>> import pandas
    >>> Q = pandas.DataFrame([[1, -3], [0, 2]], index=["a", "b"], columns=["a", "b"])
    >>> from_dataframe(Q).evaluate([1, 1]).tolist()
    [0]
    """
    try:
        import pandas  # noqa: F401
    except ImportError:
        raise missing("from_dataframe", "pandas") from None
    frames = list(frame) if isinstance(frame, list | tuple) else [frame]
    return quadratic_landscape([_labelled(each) for each in frames], sense, names)


def _labelled(frame: Any) -> Labelled:
    """A matrix with labels as a quadratic form."""
    import pandas

    if not isinstance(frame, pandas.DataFrame):
        raise TypeError(
            "a matrix with labels is a pandas.DataFrame, and several are a list of "
            f"them, but this is a {type(frame).__name__}"
        )
    rows, columns = frame.index, frame.columns
    for axis, labels in (("rows", rows), ("columns", columns)):
        if not labels.is_unique:
            twice = labels[labels.duplicated()][0]
            raise ValueError(f"two {axis} have the label {brief(twice)}")
    odd = rows.symmetric_difference(columns, sort=False)
    if len(odd):
        raise ValueError(
            f"the frame has {counted(len(rows), 'row')} and "
            f"{counted(len(columns), 'column')}, which should have the same labels, "
            f"but {brief(odd[0])} is not in both"
        )
    Q = frame.to_numpy()[:, columns.get_indexer(rows)]
    if Q.dtype.kind not in "iuf":
        raise TypeError(f"the frame holds {Q.dtype}, not numbers")
    pairs = np.argwhere(Q != 0)
    none = np.zeros(len(Q), np.int64)
    return Labelled(rows.tolist(), Quadratic(0, none, pairs, Q[tuple(pairs.T)]))


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
