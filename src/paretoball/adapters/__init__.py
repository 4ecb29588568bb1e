"""Other libraries, one file each, with functions and one class.

Nothing here is imported before it is used: each library is an extra. Users import from
the files: `from paretoball.adapters.dimod import ParetoballSampler, from_bqm`.

- `missing`: what is said where a library is not installed
- `quadratic`: quadratic forms, which most libraries take and give
- `dimod`: quadratic models, with constraints or without, sample sets, and a sampler
- `quadratisation`: landscapes of any degree as quadratic ones
- `pymoo`: a landscape as a problem, a result as theirs
- `pysat`: formulas of PySAT, and solutions by its solvers
- `networkx`: the co-occurrence graph
- `qiskit`: quadratic programs
- `pandas`: matrices with labels, and a front as a table
- `scipy`: sparse matrices
"""
