# Every target sets up .venv by itself. All it takes is make and Python 3.11 or later.

PYTHON ?= python3
RUN := .venv/bin/python -m
PYTEST := $(RUN) pytest

.PHONY: demo test bench audit clean

# Solve the default MNK instance and show the front.
demo: .venv/installed
	.venv/bin/paretoball demo

# Lint, types, and the tests: a share of them as plain Python and a share with bounds
# checks; then the kernels, compiled by two workers side by side; then all tests.
test: .venv/installed-tests
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 -m plain -W error::RuntimeWarning
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.cache/bounds $(PYTEST) -m bounds
	$(PYTEST) -n 2 tests/test_kinds.py
	$(PYTEST) -n 2

# Every benchmark, to benchmarks/results/*.csv; takes some ten minutes.
bench: .venv/installed
	@mkdir -p benchmarks/results
	@set -e; for script in benchmarks/bench_*.py; do \
	    result=benchmarks/results/$$(basename $$script .py).csv; \
	    echo "$$script -> $$result"; \
	    .venv/bin/python $$script > $$result.part; \
	    mv $$result.part $$result; \
	    cat $$result; \
	done

# The climber against the definitions, by the thousand; takes many minutes.
audit: .venv/installed-tests
	.venv/bin/python tests/audit.py --landscapes 10000 --climbs 100000 --graphs 5000

clean:
	rm -rf .venv .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	    "Python 3.11 or later is needed, this is " + sys.version)'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/installed: .venv/created pyproject.toml
	$(RUN) pip install --quiet --editable '.[plot]'
	@touch $@

.venv/installed-tests: .venv/created pyproject.toml
	$(RUN) pip install --quiet --editable '.[test]'
	@touch .venv/installed $@
