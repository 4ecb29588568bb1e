"""Listing kernels: what is missing runs as Python, and is compiled by nobody."""

import threading

import numba
import numpy as np
import pytest

from paretoball import _jit
from paretoball._needed import is_python, listing, sized

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="nothing is compiled"
)

VALUES = np.arange(4)


def new_kernels():
    """A kernel, and one that calls it, which nobody has compiled yet."""

    @_jit.kernel
    def double(value):
        return 2 * value

    @_jit.kernel
    def doubled_sum(values):
        total = 0
        for value in values:
            total += double(value)
        return total

    return double, doubled_sum


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty cache folder."""
    monkeypatch.setattr(_jit, "_FOLDER", tmp_path / "cache")
    return tmp_path / "cache"


def test_a_missing_kernel_runs_as_python_and_is_listed_once():
    _, outer = new_kernels()
    with _jit.announced(print) as compiled, listing() as found:
        assert not is_python()
        assert [outer(VALUES), outer(VALUES + 1)] == [12, 20]
        assert is_python()
        assert outer(VALUES.astype(np.int32)) == 12
    assert not is_python()
    assert compiled.kernels == 0
    assert [one.name.split(".")[-1] for one in found] == 2 * ["doubled_sum"]
    assert [one.kinds[0].dtype.name for one in found] == ["int64", "int32"]
    assert set(found.values()) == {outer}


def test_a_kernel_is_compiled_for_the_types_on_the_list():
    _, outer = new_kernels()
    with listing() as found:
        outer(VALUES)
    for one, kernel in found.items():
        kernel.compile(one.kinds)
    with _jit.announced(print) as compiled:
        assert outer(VALUES) == 12
    assert compiled.kernels == 0


def test_a_kernel_on_disk_is_loaded_and_not_listed():
    assert new_kernels()[0](3) == 6
    inner, _ = new_kernels()
    with listing() as found:
        assert inner(3) == 6
    assert found == {}
    assert len(inner.signatures) == 1
    assert sum(inner.stats.cache_hits.values()) == 1


def test_other_threads_compile_as_ever():
    inner, _ = new_kernels()
    with listing() as found:
        thread = threading.Thread(target=inner, args=(1,))
        thread.start()
        thread.join()
    assert found == {}
    assert len(inner.signatures) == 1


def test_kernels_are_compiled_again_after_an_error_in_a_list():
    inner, _ = new_kernels()
    with pytest.raises(ZeroDivisionError), listing():
        raise ZeroDivisionError
    assert inner(1) == 2
    assert len(inner.signatures) == 1


def test_integers_wrap_without_a_warning():
    @_jit.kernel
    def square(value):
        return value * value

    with listing():
        assert square(np.int64(2**62)) == 0


def test_the_kernel_with_the_most_code_is_the_first():
    inner, outer = new_kernels()
    with listing() as found:
        inner(1)
        outer(VALUES)
    first, last = sized(found)
    assert first.name.endswith("doubled_sum")
    assert first.size > last.size > 0
    assert list(sized(found).values()) == [outer, inner]
