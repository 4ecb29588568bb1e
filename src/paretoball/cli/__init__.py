"""The command line, one file per command; it answers `--help` without Numba.

- `parsing`: arguments, read strictly
- `outcome`: what commands do with files, signals and errors
- `instances`: one file or several, in any format
- `searching`: what `solve` and `resume` have in common
- `demo`, `convert`, `info`, `solve`, `resume`, `verify`, `plot`, `paper`, `compile`:
  commands
- `generate_mnk`, `generate`: the command that makes instances, family by family
- `registry`: all of them
- `main`: the program
"""

from paretoball.cli.main import main

__all__ = ["main"]
