# `make demo` and `make test` do all of their own set-up in .venv; both take seconds once that stands.
PYTHON ?= python3.11
ifeq ($(shell command -v $(PYTHON)),)
PYTHON = python3
endif
VENV = .venv
BIN = $(VENV)/bin
USE = $(VENV)/.use
DEV = $(VENV)/.dev
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test lint docs clean
demo: $(USE)
	$(BIN)/unname demo --out demo --replace

test: $(DEV) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --durations=25

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(DEV)
	$(BIN)/python -m unname.apps.reference > docs/cli.md

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("Unname needs Python 3.11 or newer: make PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(USE): pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(DEV): $(USE)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) demo demo.private .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
