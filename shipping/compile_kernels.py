"""Compiles kernels of the common kinds of landscapes, for `make wheel` to ship.

Each portable processor whose code runs on this machine gets a folder of kernels with a
manifest, as `paretoball._shipped` reads them.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from numba.core.codegen import get_host_cpu_features

from paretoball._shipped import PORTABLE, flags, write_manifest

OBJECTIVES = "1,2,3"  # of either width, with constraints and without, and exact fronts
KNOWN = ",".join(PORTABLE)
WARM_UP = """
import sys
import paretoball as pb
done = pb.warm_up(d=[int(d) for d in sys.argv[1].split(",")])
sys.exit(done.unkept or None)
"""


def compile_for(processor: str, objectives: str, folder: Path) -> None:
    """Fill a folder with kernels for a processor, compiled in a Python of their own."""
    with tempfile.TemporaryDirectory() as cache:
        settings = {
            "NUMBA_CACHE_DIR": cache,
            "NUMBA_CPU_NAME": processor,
            "NUMBA_CPU_FEATURES": flags(processor),  # else those of this machine
        }
        ours = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        command = [sys.executable, "-c", WARM_UP, objectives]
        subprocess.run(command, env=ours | settings, check=True)
        folder.mkdir(parents=True)
        for path in Path(cache).rglob("*.nbc"):
            shutil.copy(path, folder)
    write_manifest(folder, processor)
    files = [path.stat().st_size for path in folder.iterdir()]
    print(f"{processor}: {len(files) - 1} kernels, {sum(files) / 1e6:.1f} MB")


def main() -> None:
    """Compile for each processor that was asked for and whose code runs here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="is made anew")
    parser.add_argument("--objectives", default=OBJECTIVES)
    parser.add_argument("--processors", default=KNOWN)
    asked = parser.parse_args()
    shutil.rmtree(asked.folder, ignore_errors=True)
    had = set(get_host_cpu_features().split(","))
    for processor in asked.processors.split(","):
        if had.issuperset(flags(processor).split(",")):
            compile_for(processor, asked.objectives, asked.folder / processor)
        else:
            print(f"{processor}: left out, this machine does not run code for it")
    if not asked.folder.exists():
        sys.exit("no kernels were compiled: this machine runs none of this code")


if __name__ == "__main__":
    main()
