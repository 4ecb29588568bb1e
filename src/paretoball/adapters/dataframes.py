"""pandas: matrices whose rows and columns have labels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.adapters.quadratic import Labelled, quadratic_landscape
from paretoball.landscape import Landscape, Quadratic
from paretoball.system import brief, counted

if TYPE_CHECKING:
    import pandas


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
