# Two commands for a fresh clone: `make bench` and `make test`. The others are for developers.
# They need Python 3.11 or later, make and a C++20 compiler; everything else goes into .venv, in the versions that
# constraints/ names.
PYTHON ?= python3
CXX ?= g++
VENV := .venv
BIN := $(VENV)/bin
# Tests start hundreds of processes, which would compile all that they import each time.
unexport PYTHONDONTWRITEBYTECODE
# The Pythons to build wheels for: 3.11 has its own wheel, 3.12 and later share one.
PYTHONS ?= $(PYTHON)
# Environments with sanitizers in the native code; the name after the hyphen says which.
ADDRESS := .venv-address
THREAD := .venv-thread
SANITIZERS_address := address,undefined
SANITIZERS_thread := thread

SOURCES := $(shell find native tests/native -name '*.cc')
HEADERS := $(shell find native -name '*.h')
BUILD_INPUTS := $(SOURCES) $(HEADERS) CMakeLists.txt pyproject.toml
INSTALL := $(BIN)/python tools/install.py
DEVELOP := --config-settings=cmake.define.PUSHWORLD_DEVELOP=ON
# Extras that exclude something in constraints/main.txt, each tested in an environment over .venv.
APART := inspect lm-eval openenv record-video textarena

# The planner of the page, in WebAssembly.
EMXX ?= em++
PLANNER := src/pushworld/page/static/wasm/planner.wasm
PLANNER_SOURCES := $(shell find native/engine native/search native/util native/wasm -name '*.cc')
PLANNER_OBJECTS := $(PLANNER_SOURCES:native/%.cc=build/page/%.o)
PLANNER_FLAGS := -O3 -fwasm-exceptions

.PHONY: help build bench test test-all $(APART:%=test-%) test-sb3 lock docs page wheel sdist lint format sanitize sanitize-thread clean
.DELETE_ON_ERROR:

help:
	@echo 'make build     build the package in .venv, with nothing that only tests and extras need'
	@echo 'make bench     compare planners on the set classic: a table and a figure'
	@echo 'make test      run the tests that need no extra gigabyte and no long minutes: eight minutes on two cores'
	@echo 'make test-all  run all tests: adapters, notebooks, site, studies, laboratory, planner of the page, too'
	@echo 'make test-sb3  run the tests of Stable-Baselines3, which brings gigabytes of PyTorch'
	@echo 'make lock      choose new versions of all packages: constraints/'
	@echo 'make docs      build the documentation site in build/site'
	@echo 'make page      build the planner of the page, so that static sites have hints (needs emscripten)'
	@echo 'make wheel     build a wheel for Linux systems old and new in dist/, and try it without a compiler'
	@echo 'make sdist     build the source distribution in dist/'
	@echo 'make lint      check style, types, layers and warnings of Python, C++ and the page'
	@echo 'make format    format Python and C++'
	@echo 'make sanitize  run tests of the native code under the address and undefined-behaviour sanitizers'
	@echo 'make sanitize-thread  run tests of what uses threads under the thread sanitizer'
	@echo 'make clean     remove everything that these commands made'

build: $(VENV)/.installed

bench: $(VENV)/.installed
	$(BIN)/pushworld benchmark --puzzles classic --every 4 --time-limit 3 --output build/bench --restart

# The browser arrives while the package is compiled.
test:
	@tests/find-tools browser & $(MAKE) --no-print-directory $(VENV)/.installed-test && wait
	$(BIN)/python -m pytest

# Everything, with no skip that this machine could have done without.
test-all: $(VENV)/.installed-dev $(APART:%=test-%)
	@tests/find-tools browser emscripten gringo
	@! command -v $(EMXX) >/dev/null || $(MAKE) --no-print-directory --jobs=$$(nproc 2>/dev/null || echo 2) page
	$(BIN)/python -m pytest -m '' --skips-fail

test-inspect: TESTS := tests/text/adapters/test_inspect_ai.py
test-lm-eval: TESTS := tests/text/adapters/test_lm_eval.py
test-openenv: TESTS := tests/text/adapters/test_openenv.py
test-textarena: TESTS := tests/text/adapters/test_textarena.py
test-record-video: TESTS := tests/envs/test_gymnasium_env.py tests/envs/test_documentation.py
test-sb3: TESTS := tests/envs/test_stable_baselines3.py tests/examples
$(APART:%=test-%) test-sb3: test-%: .venv-%/.installed
	.venv-$*/bin/python -m pytest -m '' -n 0 $(TESTS)

lock: $(VENV)/.installed-dev
	$(BIN)/python tools/lock.py

docs: $(VENV)/.installed-docs
	$(BIN)/python docs/site/build.py
	@echo 'open build/site/index.html, or with search: python3 -m http.server --directory build/site'

page:
	@command -v $(EMXX) >/dev/null || { echo 'make page needs emscripten, which is not installed' \
	  '(Debian: apt install emscripten); without it, static sites have no hints' >&2; exit 1; }
	@$(MAKE) --no-print-directory $(PLANNER)

wheel:
	@for python in $(PYTHONS); do $$python tools/wheel.py wheel || exit 1; done

sdist:
	@$(PYTHON) tools/wheel.py sdist

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/oxlint --deny-warnings src/pushworld/page/static
	@if command -v tsc >/dev/null; then echo tsc; tsc; else \
	  echo "tsc is not installed (npm install --global typescript): nothing checks the page's types" >&2; fi
	$(BIN)/clang-format --dry-run -Werror $(SOURCES) $(HEADERS)

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(SOURCES) $(HEADERS)

# The sanitizers' libraries must be loaded before Python, and the C++ library with them so that
# they see its exceptions. Python itself does not free all its memory, so leaks are not looked for.
# They report to the standard error of the process itself: pytest must leave that alone.
sanitize: $(ADDRESS)/.installed
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so) \
	  $$($(CXX) -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  $(ADDRESS)/bin/python -m pytest --capture=sys tests/engine tests/native tests/planners/test_signature.py \
	  tests/planners/test_solving.py tests/planners/test_shortening.py tests/planners/test_odd_puzzles.py \
	  tests/design/test_proofs.py

# Thread pool, vector environments, generator, portfolio and shortening. The thread sanitizer needs addresses that
# are not randomized, and it does not follow threads that a forked child starts.
sanitize-thread: $(THREAD)/.installed
	LD_PRELOAD="$$($(CXX) -print-file-name=libtsan.so)" TSAN_OPTIONS=halt_on_error=1:report_signal_unsafe=0 \
	  setarch -R $(THREAD)/bin/python -m pytest -n 0 --capture=sys tests/engine/test_threads.py \
	  tests/envs/test_vector_env.py tests/datasets/test_generated_stream.py tests/planners/test_solving.py \
	  tests/planners/test_shortening.py \
	  -k '(thread or share or batch or signal or stream) and not child and not exit'

clean:
	rm -rf $(VENV) .venv-* build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The page itself gives the planner what it imports, so the linker does not look for that.
$(PLANNER): $(PLANNER_OBJECTS)
	$(EMXX) $(PLANNER_FLAGS) $^ -o $@ --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH \
	  -sMAXIMUM_MEMORY=2GB -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0
	@echo "$@: $$(gzip -9 < $@ | wc -c) bytes compressed by gzip"

build/page/%.o: native/%.cc $(HEADERS) native/wasm/compat/memory_resource
	@mkdir -p $(@D)
	$(EMXX) $(PLANNER_FLAGS) -std=c++20 -Wall -Wextra -Inative -isystem native/wasm/compat -c $< -o $@

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	@touch $@

# A larger extra has all packages of the smaller ones.
INSTALLED := $(VENV)/.installed
$(INSTALLED): $(VENV)/.created $(BUILD_INPUTS)
	$(INSTALL) plot
	@touch $@

$(INSTALLED)-docs: $(VENV)/.created $(BUILD_INPUTS)
	$(INSTALL) docs
	@touch $@ $(INSTALLED)

$(INSTALLED)-test: $(VENV)/.created $(BUILD_INPUTS)
	$(INSTALL) test --develop
	@touch $@ $(INSTALLED)

$(INSTALLED)-dev: $(VENV)/.created $(BUILD_INPUTS)
	$(INSTALL) dev --develop
	@touch $@ $(INSTALLED) $(INSTALLED)-docs $(INSTALLED)-test

$(patsubst %,.venv-%/.installed,$(APART) sb3): .venv-%/.installed: $(INSTALLED)-dev
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python tools/install.py $* --over $(VENV)
	@touch $@

# The packages that tests need come from the other environment.
$(ADDRESS)/.installed $(THREAD)/.installed: .venv-%/.installed: $(VENV)/.installed-dev $(shell find src -name '*.py')
	$(PYTHON) -m venv .venv-$*
	$(BIN)/python -c 'import site; print(*site.getsitepackages(), sep="\n")' \
	  > "$$(.venv-$*/bin/python -c 'import site; print(site.getsitepackages()[0])')/packages.pth"
	.venv-$*/bin/python -m pip install --quiet --no-deps . $(DEVELOP) \
	  --config-settings build-dir=build/$* --config-settings install.strip=false \
	  --config-settings cmake.define.PUSHWORLD_SANITIZE=$(SANITIZERS_$*)
	@touch $@
