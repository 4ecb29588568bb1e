# Every target sets up .venv by itself. All it takes is make and Python 3.11 or later.

PYTHON ?= python3
RUN := .venv/bin/python -m
PYTEST := $(RUN) pytest
marked = $(shell grep -rl --include='test_*.py' 'mark\.$(1)' tests)
PLAIN = NUMBA_DISABLE_JIT=1 $(PYTEST) -W error::RuntimeWarning $(call marked,plain)
BOUNDS = NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.cache/bounds $(PYTEST) $(call marked,bounds)
AUDIT := PYTHONPATH=$(CURDIR)/tests .venv/bin/python tests/audits

# Python compiles each file once, and keeps it: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

RESULTS := $(if $(QUICK),.cache/bench,benchmarks/results)
FIGURES := $(if $(QUICK),.cache/bench,docs)
TABLE := $(if $(QUICK),,--into docs/performance.md)
STANDINGS := $(if $(QUICK),,--into docs/search.md)
OUTSIDE := $(if $(DATA),--data $(DATA))
SEARCH := --traces $(RESULTS) $(OUTSIDE)

.PHONY: demo quick test lint test-plain test-bounds bench audit wheel clean

# Solve the default MNK instance and show the front.
demo: .venv/installed
	.venv/bin/paretoball demo

# Lint, types, and the tests that run as plain Python: nothing is compiled, so it is what
# to run before a commit.
quick: .venv/installed-tests lint
	$(PLAIN) -n 2 -m plain

# A share of the tests with bounds checks, a share as plain Python, and lint and types, two
# at a time; then all tests but those that take long and find little, which `make audit`
# runs. They compile kernels as they need them, from an empty cache each one once.
test: .venv/installed-tests
	$(MAKE) --no-print-directory --jobs 2 --output-sync test-bounds test-plain lint
	$(PYTEST) -n 2 --dist worksteal

lint: .venv/installed-tests
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy

test-plain: .venv/installed-tests
	$(PLAIN) -m plain

test-bounds: .venv/installed-tests
	$(BOUNDS) -m bounds

# Every benchmark, to benchmarks/results/*.csv, then the tables of bars and the figures of
# docs/performance.md; takes some 45 minutes of one quiet core, and five hours more for
# the searches of bench_search.py, which has options to share or shorten them. `make bench
# QUICK=1` tries everything in two minutes, in .cache/bench; `DATA=folder` tells where
# instances from outside are.
bench: .venv/installed-bench
	@mkdir -p $(RESULTS)
	@.venv/bin/python benchmarks/machine.py > $(RESULTS)/machine.csv
	@failed=; for script in benchmarks/bench_*.py; do \
	    result=$(RESULTS)/$${script#benchmarks/bench_}; \
	    result=$${result%.py}.csv; \
	    echo "$$script -> $$result"; \
	    rm -f $$result; \
	    more=; case $$script in *bench_search.py) more="$(SEARCH)";; \
	        *bench_dense.py|*bench_constraints.py) more="$(OUTSIDE)";; esac; \
	    if .venv/bin/python $$script $(if $(QUICK),--quick) $$more > $$result.part; \
	    then mv $$result.part $$result; cat $$result; \
	    else failed="$$failed $$script"; fi; \
	done; \
	.venv/bin/python benchmarks/plots.py --results $(RESULTS) --save $(FIGURES); \
	.venv/bin/python benchmarks/table.py --results $(RESULTS) $(TABLE); \
	.venv/bin/python benchmarks/summary.py --results $(RESULTS) $(STANDINGS); \
	if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

# All tests, also those that take long, with random landscapes of every kind; larger shares
# as plain Python and with bounds checks; then the parts of the audit, two at a time: the
# climber, crossovers, paths and constraints against the definitions, mutated files, and kills,
# signals, damaged files, dying workers and failing disks; then ten kinds of landscapes
# for five minutes each, on a core each. What was counted is in .cache/audit, a line each,
# and is shown at the end; takes more than an hour of two cores.
audit: .venv/installed-tests
	@rm -rf .cache/audit && mkdir -p .cache/audit
	@failed=; \
	$(PYTEST) -n 2 --dist worksteal -m "long or not long" --thorough || failed=1; \
	$(PLAIN) -n 2 -m "plain or plain_long" --thorough || failed=1; \
	$(BOUNDS) -n 2 -m "bounds or bounds_long" --thorough || failed=1; \
	$(MAKE) --no-print-directory --jobs 2 --keep-going $(PARTS) || failed=1; \
	$(AUDIT)/soak.py --jobs 2 > .cache/audit/soak.csv || failed=1; \
	cat .cache/audit/*; \
	test -z "$$failed"

# Each of these is one process at work, or several that mostly wait.
DEFINED := landscapes climbs constrained paths crossovers layouts graphs
FAULTS := kills disks worker-kills dask-kills archives caches folders deadly damages signals
SEEDS := 1 2 3
PARTS := $(addprefix audit-,$(addprefix mutants-,$(SEEDS)) $(DEFINED) $(FAULTS))
.PHONY: $(PARTS)

$(addprefix audit-,$(DEFINED)): audit-%:
	@$(AUDIT)/audit.py --processes 1 --only $* > .cache/audit/$*.txt

$(addprefix audit-mutants-,$(SEEDS)): audit-mutants-%:
	@$(AUDIT)/mutations.py --seed $* > .cache/audit/mutants-$*.txt

$(addprefix audit-,$(FAULTS)): audit-%:
	@$(AUDIT)/faults.py --only $* > .cache/audit/$*.txt

# A wheel for this platform and this Python, with compiled kernels of the common kinds of
# landscapes, in dist/; takes some 15 minutes of one core. `make wheel OBJECTIVES=2` compiles
# for two objectives only.
wheel: .venv/installed
	rm -rf dist
	.venv/bin/python shipping/compile_kernels.py .cache/kernels $(if $(OBJECTIVES),--objectives $(OBJECTIVES))
	PARETOBALL_KERNELS=$(CURDIR)/.cache/kernels $(RUN) pip wheel --quiet --no-deps --wheel-dir dist .
	@ls -l dist

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

.venv/installed-bench: .venv/created pyproject.toml
	$(RUN) pip install --quiet --editable '.[bench]'
	@touch .venv/installed $@

.venv/installed-tests: .venv/created pyproject.toml
	$(RUN) pip install --quiet --editable '.[test]'
	@touch .venv/installed $@
