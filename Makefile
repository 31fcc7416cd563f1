# Each target does its own set-up: a virtual environment in .venv, made again when what it depends on changes.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.NOTPARALLEL:
.PHONY: demo test check studio speed benchmark-set
.DEFAULT_GOAL := demo

PYTHON ?= python3
DEMO_CONVERSATIONS ?= 2
DEMO_TURNS ?= 4
BENCHMARK_CONVERSATIONS ?= 20
BENCHMARK_TURNS ?= 8
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export LANGGRAPH_CLI_NO_ANALYTICS := 1
export LANGGRAPH_NO_VERSION_CHECK := true
export LANGGRAPH_STRICT_MSGPACK := true

demo: .venv/.stamp-local  ## documents to conversations with the embedded model: DEMO_CONVERSATIONS, DEMO_TURNS
	$(BIN)/mtr models fetch && $(BIN)/mtr corpus build --demo
	$(BIN)/mtr generate demo --conversations $(DEMO_CONVERSATIONS) --turns $(DEMO_TURNS) --out out/demo --seed 7 --print

test: .venv/.stamp-local,dev  ## every test, a file at a time on each of two cores; none needs a network
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

check: .venv/.stamp-local,dev  ## style, types, layers
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/pytest tests/test_layers.py
	if test -x $(BIN)/langgraph -a -f langgraph.json; then $(BIN)/langgraph validate; fi

studio: .venv/.stamp-local,studio  ## LangGraph Studio's server on this machine
	$(BIN)/mtr models fetch && $(BIN)/mtr corpus build --demo
	$(BIN)/langgraph dev --host 127.0.0.1 --no-browser --n-jobs-per-worker 10

# Hours on a processor; stopped in any way, the same command goes on where it was.
benchmark-set: .venv/.stamp-local  ## a set of our own, generated, audited and benchmarked: BENCHMARK_CONVERSATIONS, BENCHMARK_TURNS
	$(BIN)/mtr models fetch && $(BIN)/mtr corpus build --demo
	$(BIN)/mtr generate demo --conversations $(BENCHMARK_CONVERSATIONS) --turns $(BENCHMARK_TURNS) --seed 2026 \
	  --switch-share 0.5 --far-reference-share 0.15 --out out/benchmark-set
	$(BIN)/mtr audit out/benchmark-set --sample 60 --criteria passage_answers --criteria answer_supported \
	  --out out/benchmark-set/audit
	$(BIN)/mtr bench out/benchmark-set --retriever bm25 --retriever dense --retriever hybrid \
	  --query last_turn --query all_queries --query standalone --out out/benchmark-set/bench

speed: .venv/.stamp-local,dev  ## every benchmark, as ratios
	for file in $$(grep -l __main__ benchmarks/*.py); do $(BIN)/python -m benchmarks.$$(basename $$file .py); done

# pip names every package; a line for each ten is enough to see that it moves.
TOLD := awk '/^Collecting/ && ++n % 10 == 0 {print "  " n " packages found"} /^Installing/ {print "  unpacking"} \
	/^ERROR|^error|^  error/ {print} {fflush()}'

.venv/.stamp-python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("MTR needs Python 3.11 or newer, this is \
	%d.%d; try: make PYTHON=/path/to/python3.11" % sys.version_info[:2])'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@touch $@

.venv/.stamp-%: .venv/.stamp-python pyproject.toml constraints.txt
	@echo "installing mtr[$*] into .venv: some minutes the first time"
	@$(BIN)/python -m pip install --progress-bar off --constraint constraints.txt --editable ".[$*]" | $(TOLD)
	@touch $@
