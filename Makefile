# `make play` and `make test` do everything on a fresh machine with Python 3.11 or newer.

PYTHON ?= python3
BIN := .venv/bin
CORES := $(wildcard interpreters/esolangs/*/_*.py interpreters/esolangs/*/_*.pxd)
BUILD := pyproject.toml setup.py $(CORES)

.DEFAULT_GOAL := help
.PHONY: help play test check format lint types docs demo bench gallery screenshot references clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: .venv/installed ## open the terminal application
	@$(BIN)/esoplay play

test: .venv/installed-dev ## run all tests
	@$(BIN)/python -m pytest -n auto

check: format lint types docs test ## all that CI checks: format, lint, types, documentation, tests

format: .venv/installed-dev
	@$(BIN)/ruff format --check .

lint: .venv/installed-dev
	@$(BIN)/ruff check .

types: .venv/installed-dev
	@$(BIN)/pyright

docs: .venv/installed-dev ## build the documentation as a site, without a warning
	@$(BIN)/python -m sphinx -W --keep-going -q docs build/docs
	@echo "build/docs/index.html"

demo: .venv/installed ## the main job without a terminal: fetch a problem, run, submit, verdict
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh docs/demo.sh

bench: .venv/installed-dev ## measure speed, as ratios in one run
	@$(BIN)/python docs/benchmarks/run.py

gallery: .venv/installed ## make the pictures of the page on reports, from invented sessions
	@$(BIN)/python docs/reports/gallery.py docs/images/reports

screenshot: .venv/installed ## make the pictures and the recording from the real application
	@$(BIN)/python -m esoplay.tui.pictures docs/images

references: .venv/installed ## measure the references of all problems, for docs/references.md
	@$(BIN)/python docs/codegen/references.py

clean: ## remove what was built and installed here
	rm -rf .venv build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find interpreters -name '*.so' -delete

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "esoplay needs Python 3.11 or newer; name it: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "Making a virtual environment in .venv …"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --upgrade pip

.venv/installed: $(BUILD) | .venv/bin/python
	@echo "Installing esoplay …"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/installed-dev: $(BUILD) | .venv/bin/python
	@echo "Installing esoplay and what its tests need …"
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ .venv/installed
