# One command a task; each makes .venv and installs what it needs first. `make help` lists them.

PYTHON ?= python3
WORKERS ?= 2
GAMES ?= 100000
SEED ?= 1
CASES ?= 20000

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help simulate test fuzz lab app bench lint clauses

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | awk -F'\t' '{printf "make %-10s %s\n", $$1, $$2}'

simulate: $(VENV)/.core ## play the main batch (GAMES=100000 SEED=1) and print its statistics
	$(BIN)/nambarz simulate --games $(GAMES) --seed $(SEED)

test: $(VENV)/.dev ## the whole suite with its browser tests, the notebooks, the kernels' tests uncompiled; coverage of all (WORKERS=2)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --cov=nambarz_sim --cov-report=
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --nbval-lax notebooks
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(WORKERS) -m "not slow" --cov=nambarz_sim --cov-append --cov-report=term --cov-fail-under=95
	$(BIN)/python tests/clauses.py

fuzz: $(VENV)/.dev ## hostile files and texts, other ones each time, CASES=20000 of each kind
	FUZZ_CASES=$(CASES) $(BIN)/python -m pytest -p no:cacheprovider tests/test_fuzz.py

lab: $(VENV)/.notebooks ## open JupyterLab on the notebooks
	$(BIN)/jupyter lab --LabApp.default_url=/lab/tree/notebooks \
		--ServerApp.kernel_websocket_connection_class=nambarz_sim.prompt_sockets.PromptConnection

app: $(VENV)/.notebooks ## show the notebooks as web pages without code
	$(BIN)/nambarz app

bench: $(VENV)/.benchmark ## measure speed and memory
	$(BIN)/python benchmarks/run.py

lint: $(VENV)/.dev ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clauses: $(VENV)/.dev ## the clauses of the rules and the tests that hold each
	$(BIN)/python tests/clauses.py

# A stamp file for each set of packages; a change of what is asked for installs anew.
$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.core: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install --quiet -c constraints.txt -e .
	touch $@

$(VENV)/.dev $(VENV)/.notebooks $(VENV)/.benchmark: $(VENV)/.%: $(VENV)/.core
	$(PIP) install --quiet -c constraints.txt -e ".[$*]"
	touch $@
