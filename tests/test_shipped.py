"""Kernels that came with the package are taken only where everything fits."""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import llvmlite.binding
import numba
import numpy as np
import pytest
from numba.core.codegen import get_host_cpu_features
from numba.core.registry import cpu_target

from paretoball import _jit, _shipped

PROCESSOR = "x86-64-v3"
FEATURES = _shipped.PORTABLE[PROCESSOR]
HAD = get_host_cpu_features().split(",")

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT)
    or not set(_shipped.flags(PROCESSOR).split(",")) <= set(HAD),
    reason="there is no compiler, or this processor does not run what is shipped",
)

TINY = """
from paretoball._jit import kernel

@kernel
def sum_of_squares(values):
    total = 0
    for value in values:
        total += value * value
    return total

@kernel
def first(values):
    return values[0]
"""
COMPILE = """
import numpy as np
import tiny
tiny.sum_of_squares(np.arange(10)), tiny.first(np.arange(10))
"""
VALUES = np.arange(10)
SUM_OF_SQUARES = 285
OTHER = 12345  # the number of another user


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """Two kernels, compiled as for a wheel, and their source."""
    folder = tmp_path_factory.mktemp("wheel")
    (folder / "tiny.py").write_text(TINY)
    settings = {
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "NUMBA_CPU_NAME": PROCESSOR,
        "NUMBA_CPU_FEATURES": _shipped.flags(PROCESSOR),
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
    }
    command = [sys.executable, "-c", COMPILE]
    subprocess.run(command, env=os.environ | settings, check=True)
    kernels = folder / "_kernels" / PROCESSOR
    shutil.copytree(folder / "cache" / "paretoball" / "kernels", kernels)
    _shipped.write_manifest(kernels, PROCESSOR)
    return folder


@pytest.fixture
def kernels(wheel, tmp_path, monkeypatch):
    """The folder of shipped kernels, to spoil; the cache is empty."""
    folder = tmp_path / "_kernels"
    shutil.copytree(wheel / "_kernels", folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (tmp_path / "module.py").touch(0o644)
    monkeypatch.setattr(_shipped, "__file__", str(tmp_path / "module.py"))
    monkeypatch.setattr(_shipped, "FOLDER", folder)
    monkeypatch.setattr(_jit, "_FOLDER", tmp_path / "cache")
    monkeypatch.syspath_prepend(wheel)
    return folder / PROCESSOR


@pytest.fixture
def read(monkeypatch):
    """The names of the shipped kernels that were asked for, in the end."""
    names, content = [], _shipped.Shipment.content

    def noted(shipment, name):
        names.append(name)
        return content(shipment, name)

    monkeypatch.setattr(_shipped.Shipment, "content", noted)
    return names


def file_of(kernels, name="sum_of_squares"):
    """The file of one kernel."""
    (path,) = kernels.glob(f"tiny.{name}-*.nbc")
    return path


def new_tiny():
    """The module of the kernels, with nothing loaded or compiled."""
    spec = importlib.util.find_spec("tiny")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled():
    """How many kernels are compiled to get the right answer."""
    with _jit.announced(lambda _: None) as done:
        assert new_tiny().sum_of_squares(VALUES) == SUM_OF_SQUARES
    return done.kernels


def change_manifest(kernels, **changes):
    """Put other values into the manifest; None takes one out."""
    path = kernels / _shipped.MANIFEST
    manifest = json.loads(path.read_text()) | changes
    kept = {what: value for what, value in manifest.items() if value is not None}
    path.write_text(json.dumps(kept))


def cached():
    """The names of what is in the user's cache."""
    return [path.name for path in _jit._FOLDER.glob("*")]


def test_a_shipped_kernel_is_neither_compiled_nor_announced(kernels, caplog):
    said = []
    with caplog.at_level("INFO"), _jit.announced(said.append) as done:
        assert new_tiny().sum_of_squares(VALUES) == SUM_OF_SQUARES
    assert (done.kernels, done.unkept, said, caplog.messages) == (0, "", [], [])
    assert cached() == []


def test_a_kernel_that_did_not_come_is_compiled(kernels):
    for path in kernels.glob("*.nbc"):
        path.unlink()
    _shipped.write_manifest(kernels, PROCESSOR)
    assert compiled() == 1
    assert compiled() == 0  # it is in the cache


def test_without_a_folder_nothing_is_shipped_and_nothing_is_logged(kernels, caplog):
    shutil.rmtree(kernels.parent)
    with caplog.at_level("DEBUG", "paretoball._shipped"):
        assert compiled() == 1
    assert caplog.messages == []


# --- Where a kernel is looked for: in the cache, then among the shipped ones.


def test_what_is_in_the_cache_comes_first(kernels, read, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(_shipped, "FOLDER", kernels / "none")
        assert compiled() == 1
    assert compiled() == 0
    assert read == []


def test_a_damaged_file_in_the_cache_gives_way_to_a_shipped_one(
    kernels, read, monkeypatch
):
    with monkeypatch.context() as patch:
        patch.setattr(_shipped, "FOLDER", kernels / "none")
        assert compiled() == 1
    (name,) = cached()
    (_jit._FOLDER / name).write_bytes(b"")
    assert compiled() == 0
    assert read == [file_of(kernels).name]


def test_a_cache_that_must_not_be_used_stops_no_shipped_kernel(kernels, read):
    _jit._FOLDER.mkdir()
    _jit._FOLDER.chmod(0o777)
    assert compiled() == 0
    assert read == [file_of(kernels).name]


# --- The processor.


@pytest.mark.parametrize("lacking", FEATURES)
def test_a_processor_that_lacks_a_feature_gets_no_shipped_kernel(
    kernels, monkeypatch, lacking
):
    had = [flag for flag in HAD if flag != f"+{lacking}"]
    for flags in (had, [*had, f"-{lacking}"]):
        assert _shipped._find_shipment(kernels.parent, ",".join(flags)) is None
    assert _shipped._find_shipment(kernels.parent, ",".join(HAD)) is not None


def test_without_avx_a_kernel_is_compiled(kernels, monkeypatch):
    """So Numba reports the processor under `NUMBA_ENABLE_AVX=0`."""
    flags = [f"-{flag[1:]}" if flag.startswith("+avx") else flag for flag in HAD]
    codegen = cpu_target.target_context.codegen()
    monkeypatch.setattr(codegen, "_tm_features", ",".join(flags))
    assert compiled() == 1


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("CPU_NAME", "generic"),
        ("CPU_NAME", PROCESSOR),
        ("CPU_FEATURES", ""),
        ("CPU_FEATURES", _shipped.flags(PROCESSOR)),
        ("BOUNDSCHECK", 1),
    ],
)
def test_who_tells_numba_how_to_compile_gets_no_shipped_kernel(
    kernels, monkeypatch, setting, value
):
    monkeypatch.setattr(numba.config, setting, value)
    if (setting, value) == ("CPU_NAME", PROCESSOR):  # the very key of the shipped one
        flags = _shipped.flags(PROCESSOR)
        codegen = cpu_target.target_context.codegen()
        monkeypatch.setattr(codegen, "_tm_features", flags)
    assert compiled() == 1


def test_the_best_processor_that_fits_is_chosen(tmp_path):
    for processor in _shipped.PORTABLE:
        (tmp_path / processor).mkdir(0o755)
        _shipped.write_manifest(tmp_path / processor, processor)
        (tmp_path / processor / _shipped.MANIFEST).chmod(0o644)
    tmp_path.chmod(0o755)
    for processor in _shipped.PORTABLE:
        found = _shipped._find_shipment(tmp_path, _shipped.flags(processor))
        assert found.folder == tmp_path / processor
        triple = llvmlite.binding.get_process_triple()
        assert found.processor == (triple, processor, _shipped.flags(processor))


def test_the_features_are_those_of_the_levels_of_the_abi():
    """Those of a processor of 64 bits, then what each level adds to the one before."""
    first = {"64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2"}
    second = {"cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3", "crc32"}
    third = {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
    fourth = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
    levels = {name: set(features) for name, features in _shipped.PORTABLE.items()}
    assert levels["x86-64-v3"] == first | second | third
    assert levels["x86-64-v4"] == first | second | third | fourth


def test_llvm_knows_the_features_by_these_names():
    known = set(llvmlite.binding.get_host_cpu_features())
    for features in _shipped.PORTABLE.values():
        assert set(features) <= known


# --- The manifest.


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("numba", "0.0.1"),
        ("llvmlite", "0.0.1"),
        ("python", "cpython-27"),
        ("extensions", ".cpython-311-x86_64-linux-musl.so"),
        ("triple", "riscv64-unknown-linux-gnu"),
        ("processor", "x86-64-v9"),
        ("features", []),
    ],
)
def test_what_was_compiled_by_other_versions_is_left_out(kernels, caplog, what, value):
    change_manifest(kernels, **{what: value})
    with caplog.at_level("DEBUG", "paretoball._shipped"):
        assert compiled() == 1
    assert [f"{what} is " in message for message in caplog.messages].count(True) == 1
    assert {record.levelname for record in caplog.records} == {"DEBUG"}


@pytest.mark.parametrize("what", [*_shipped._circumstances(PROCESSOR), "files"])
def test_what_the_manifest_does_not_tell_does_not_fit(kernels, what):
    change_manifest(kernels, **{what: None})
    assert compiled() == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: b"",
        lambda text: text[: len(text) // 2],
        lambda text: b"null",
        lambda text: b"[]",
        lambda text: b"\xff" + text,
        lambda text: text.replace(b'"files": {', b'"files": {}, "others": {'),
    ],
    ids=["empty", "half", "null", "list", "bytes", "no files"],
)
def test_a_garbled_manifest_stops_nothing(kernels, spoil):
    path = kernels / _shipped.MANIFEST
    path.write_bytes(spoil(path.read_bytes()))
    assert compiled() == 1


def test_without_a_manifest_nothing_is_shipped(kernels):
    (kernels / _shipped.MANIFEST).unlink()
    assert compiled() == 1


# --- The files.


def test_other_bytes_than_the_manifest_tells_are_not_taken(
    kernels, monkeypatch, caplog
):
    """Even if they would work: here code for this very processor."""
    with monkeypatch.context() as patch:
        patch.setattr(_shipped, "FOLDER", kernels / "none")
        assert compiled() == 1
    (name,) = cached()
    native, shipped = _jit._FOLDER / name, file_of(kernels)
    body = native.read_bytes()[_jit.DIGEST_BYTES :]
    shipped.write_bytes(_jit._checksum(shipped.name, body) + body)
    native.unlink()
    with caplog.at_level("DEBUG", "paretoball._shipped"):
        assert compiled() == 1
    assert "its digest is not the one in the manifest" in caplog.text
    _shipped.write_manifest(kernels, PROCESSOR)
    _shipped._find_shipment.cache_clear()
    (_jit._FOLDER / name).unlink()
    assert compiled() == 0


def test_another_kernel_under_this_name_is_not_taken_for_it(kernels):
    content = file_of(kernels, "first").read_bytes()
    file_of(kernels).write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    files = json.loads((kernels / _shipped.MANIFEST).read_text())["files"]
    change_manifest(kernels, files=files | {file_of(kernels).name: digest})
    assert compiled() == 1


def test_a_file_that_the_manifest_tells_and_that_is_gone_is_compiled(kernels):
    file_of(kernels).unlink()
    assert compiled() == 1


# --- Who may write them.


PLACES = ["_kernels", PROCESSOR, _shipped.MANIFEST, "file"]


def place_of(kernels, which):
    """A folder or a file among those of shipped kernels."""
    places = {
        "_kernels": kernels.parent,
        PROCESSOR: kernels,
        _shipped.MANIFEST: kernels / _shipped.MANIFEST,
        "file": file_of(kernels),
    }
    return places[which]


@pytest.mark.parametrize("which", PLACES)
@pytest.mark.parametrize(
    ("others", "of_module", "is_taken"),
    [
        (0o000, 0o644, True),
        (0o020, 0o644, False),
        (0o002, 0o644, False),
        (0o020, 0o664, True),  # they may write the module, too
        (0o002, 0o666, False),
    ],
)
def test_what_others_may_write_is_not_taken(
    kernels, which, others, of_module, is_taken
):
    Path(_shipped.__file__).chmod(of_module)
    place = place_of(kernels, which)
    place.chmod(place.stat().st_mode | others)
    assert compiled() == (0 if is_taken else 1)


def pretend(monkeypatch, path, field, value):
    """Let the status of a path have another value, as if another user had made it."""

    def found(place, *how, **named):
        status = lstat(place, *how, **named)
        values = list(status)
        if (status.st_dev, status.st_ino) == mine:
            values[field] = value
        return os.stat_result(values)

    lstat = os.lstat
    mine = (lstat(path).st_dev, lstat(path).st_ino)
    monkeypatch.setattr(_shipped.os, "lstat", found)


@pytest.mark.parametrize("which", PLACES)
def test_what_another_user_owns_is_not_taken(kernels, monkeypatch, which):
    pretend(monkeypatch, place_of(kernels, which), 4, OTHER)
    assert compiled() == 1


def test_what_another_group_may_write_is_not_taken(kernels, monkeypatch):
    Path(_shipped.__file__).chmod(0o664)
    file_of(kernels).chmod(0o664)
    pretend(monkeypatch, file_of(kernels), 5, OTHER)
    assert compiled() == 1


@pytest.mark.parametrize("owner", [0, OTHER])
def test_kernels_may_belong_to_whom_the_module_belongs(kernels, monkeypatch, owner):
    """And to root: they were installed for everybody on the machine."""
    pretend(monkeypatch, file_of(kernels), 4, owner)
    status = list(os.stat(_shipped.__file__))
    status[4] = owner
    real = os.stat

    def of_module(path, *how, **named):
        is_it = path == _shipped.__file__
        return os.stat_result(status) if is_it else real(path, *how, **named)

    monkeypatch.setattr(_shipped.os, "stat", of_module)
    assert compiled() == 0


@pytest.mark.parametrize("which", PLACES)
def test_a_link_is_not_followed(kernels, tmp_path, which):
    place = place_of(kernels, which)
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    assert compiled() == 1
