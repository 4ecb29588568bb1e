"""pandas: the front of a result as a table."""

from typing import TYPE_CHECKING

from paretoball.running import Result

if TYPE_CHECKING:
    import pandas


def to_dataframe(result: Result) -> "pandas.DataFrame":
    """One row per solution: its objectives by name, and where it was found."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_dataframe needs pandas: pip install pandas") from None
    columns = dict(zip(result.names, result.F.T))
    columns |= {"climb": result.climb, "step": result.step, "optimum": result.optimum}
    return pandas.DataFrame(columns)
