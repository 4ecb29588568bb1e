"""The command line, one file per command; it answers `--help` without Numba.

- `parsing`: arguments, read strictly
- `outcome`: what commands do with files, signals and errors
- `instances`: one file or several, in any format
- `searching`: what `solve` and `resume` have in common
- `demo`, `convert`, `info`, `solve`, `exact`, `resume`: commands
- `verify`, `plot`, `paper`, `compile`: further commands
- `generating`: what the families of `generate` have in common
- `generate_mnk`, `generate_qubo`, `generate_maxcut`: families of problems to generate
- `generate_spin_glass`, `generate_sat`: further families
- `generate_knapsack`, `generate_setcover`: families with constraints
- `generate`: the command that makes instances, family by family
- `registry`: all of them
- `main`: the program
"""

from paretoball.cli.main import main

__all__ = ["main"]
