# Two commands for a fresh clone: `make bench` and `make test`. Everything else is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(shell find native -type f) CMakeLists.txt pyproject.toml

.PHONY: bench test lint format sanitize clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

$(VENV)/.installed: $(BIN)/python $(NATIVE)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.installed-dev: $(BIN)/python $(NATIVE)
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.installed
