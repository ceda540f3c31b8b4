# `make play` and `make test` do everything on a fresh machine with Python 3.11 or newer.

PYTHON ?= python3
BIN := .venv/bin
CORES := $(wildcard $(foreach folder,interpreters/esolangs interpreters/esolangs/*,$(folder)/_[a-z]*.py $(folder)/*.pxd))
BUILD := pyproject.toml setup.py $(CORES)
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
# Failed tests run once more, because thousands of tests share a machine with other work.
AGAIN := --last-failed --last-failed-no-failures none
DEMO = PATH="$(abspath $(BIN)):$$PATH" sh docs/demo.sh

.DEFAULT_GOAL := help
.PHONY: help play test test-all check format lint types docs schemas demo wheel bench charts gallery screenshot references clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: .venv/installed ## open the terminal application; without a terminal, run the demo
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/esoplay play; else \
	  echo "Not a terminal: this is the demo instead of the screen."; \
	  $(DEMO) && printf '%s\n' '' \
	    "esoplay: the screen needs a terminal for input and output" \
	    "try: run \`make play\` in a terminal window; by ssh or docker, ask for one with -t"; fi

test: .venv/installed-dev ## run the fast tests, within four minutes on two cores
	@$(PYTEST) -m "not slow" || { echo "== the failed tests again"; $(PYTEST) -m "not slow" $(AGAIN); }

test-all: test ## run all tests: the fast ones, then the slow and exhaustive ones
	@$(PYTEST) -m slow || { echo "== the failed tests again"; $(PYTEST) -m slow $(AGAIN); }

# Python stores compiled modules also where the environment forbids it: without them, each
# process that a test starts compiles the application again.
test test-all: export PYTHONDONTWRITEBYTECODE =

check: format lint types docs test-all ## all that CI checks: format, lint, types, documentation, all tests

format: .venv/installed-dev
	@$(BIN)/ruff format --check .

lint: .venv/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/python tests/prose.py

types: .venv/installed-dev
	@$(BIN)/pyright

docs: .venv/installed-dev ## build the documentation as a site, without a warning
	@$(BIN)/python -m sphinx -W --keep-going -q docs build/docs
	@echo "build/docs/index.html"

schemas: .venv/installed-dev ## write the JSON Schemas of the protocol and of all file formats
	@$(BIN)/python docs/schemas/generate.py docs/schemas

wheel: .venv/installed-dev ## build a wheel and a source distribution into dist/
	@mkdir -p build; $(BIN)/python -m build --outdir dist . > build/wheel.log 2>&1 || { tail -n 30 build/wheel.log >&2; exit 1; }
	@ls dist/*

demo: .venv/installed ## the main job without a terminal: fetch a problem, run, submit, verdict
	@$(DEMO)

bench: .venv/installed-dev ## measure speed, as ratios in one run
	@$(BIN)/python docs/benchmarks/run.py

charts: .venv/installed-dev ## make the charts of the page on performance
	@$(BIN)/python docs/benchmarks/charts.py docs/images

gallery: .venv/installed ## make the pictures of the page on reports, from invented sessions
	@$(BIN)/python docs/reports/gallery.py docs/images/reports

screenshot: .venv/installed ## make the pictures and the recording from the real application
	@PYTHONPATH=docs $(BIN)/python -m pictures docs/images

references: .venv/installed ## measure the references of all problems, for docs/references.md
	@$(BIN)/python docs/codegen/references.py

clean: ## remove what was built and installed here
	rm -rf .venv build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find interpreters -name '*.so' -delete

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "esoplay needs Python 3.11 or newer; name it: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "Making a virtual environment in .venv …"
	@$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

.venv/installed: $(BUILD) | .venv/bin/python
	$(call install,.)
	@touch $@

.venv/installed-dev: $(BUILD) | .venv/bin/python
	$(call install,.[dev])
	@touch $@ .venv/installed

# What pip says goes to a file; of it, and of the compiler, one line per package and engine is shown.
define install
	@echo "Installing esoplay: packages first, then the engines are compiled. This takes a minute or two."
	@{ $(BIN)/python -m pip --disable-pip-version-check install --verbose --editable '$(1)' 2>&1 && \
	  echo esoplay-is-installed; } | tee .venv/install.log | awk '\
	  function show(text) { if (text != last) print "  " text; last = text; fflush() } \
	  / Installing build dependencies.*started/ || /Running command.*build dependencies/ { show("tools of the build") } \
	  /^(Collecting|Processing) / || /^Requirement already satisfied:/ { \
	    name = $$1 == "Requirement" ? $$4 : $$2; sub(/[<>=!~;\[ ].*/, "", name); sub(/.*\//, "", name); \
	    sub(/-[0-9].*/, "", name); show("package " name) } \
	  / building .*_c. extension/ { \
	    name = $$2; gsub(/[^a-z0-9_.]/, "", name); sub(/^esolangs\./, "", name); sub(/_c$$/, "", name); \
	    sub(/\._/, " ", name); show("compiling " ++engines ": " name) } \
	  /^Installing collected packages/ { show("copying the packages") }'
	@tail -n 1 .venv/install.log | grep -q '^esoplay-is-installed$$' || { tail -n 40 .venv/install.log; \
	  echo "esoplay: the installation failed; the reason is above, all of it in .venv/install.log"; \
	  echo "try: run \`make $(MAKECMDGOALS)\` again, or \`make clean\` first to start from nothing"; exit 1; } >&2
	@echo "Installed. Engines:" $$($(BIN)/esoplay doctor | sed -n '/^engines/,/^$$/s/^  *//p' | tr -s ' ' | paste -sd, - | sed 's|,|, |g')
endef
