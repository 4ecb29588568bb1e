"""Files to run commands on."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from paretoball import mnk, write_landscape
from paretoball.cli.main import main


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """A folder with an instance, a run of it, and files that are neither."""
    folder = tmp_path_factory.mktemp("files")
    write_landscape(mnk(n=40, K=2, seed=1), folder / "mnk.npz")
    solving = ["solve", folder / "mnk.npz", "--climbs", 20, "--seed", 1]
    assert main([str(word) for word in (*solving, "-o", folder / "run.npz")]) == 0
    write_landscape(mnk(n=40, K=2, seed=2), folder / "other.json")
    write_landscape(mnk(n=4, K=2, seed=2), folder / "few.json")
    text = (folder / "other.json").read_text()
    (folder / "cut.json").write_text(text[:-20])
    (folder / "cut.npz").write_bytes((folder / "mnk.npz").read_bytes()[:-20])
    (folder / "text.json").write_text("not JSON")
    (folder / "pickle.npz").write_bytes(pickle.dumps([1, 2, 3]))
    np.savez(folder / "objects.npz", header=np.array([None], object))
    document = json.loads(text)
    (folder / "huge.json").write_text(json.dumps(document | {"n": 10**12}))
    (folder / "none.json").write_text(json.dumps(document | {"n": 0}))
    (folder / "inner").mkdir()
    return folder
