"""What is said where a library is not installed."""

import pytest

from paretoball.adapters.missing import missing


@pytest.mark.parametrize(
    ("extra", "named"), [((), "dimod"), (("",), "dimod"), (("models",), "models")]
)
def test_the_error_names_the_library_and_its_extra(extra, named):
    error = missing("from_bqm", "dimod", *extra)
    assert error.name == "dimod"
    told = f"from_bqm needs dimod: pip install 'paretoball[{named}]'"
    assert str(error) == told
