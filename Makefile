# The everyday commands. Needs Python 3.11 or newer and make; everything else goes into .venv.
# From elsewhere: `make -C path/to/assent test`.

BIN := .venv/bin
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help demo test spec test-agents golden fuzz lint format bench clean distclean setup-core setup-test

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F '|' '{ printf "%-18s %s\n", $$1, $$2 }'

demo: setup-core ## watch a scripted agent, and answer it here or in the browser (DEMO=--headless: a script answers)
	@$(BIN)/python examples/scripted_agent.py
	@$(BIN)/python examples/asking_agent.py $(DEMO)

test: lint ## everything that must pass: lint, then all tests
	@$(BIN)/python -m pytest -n auto -m 'not agent'
	@echo 'assent: all checks passed (format, lint, types, tests)'

spec: setup-test ## every requirement of the specification, tried from the outside, as a table
	@$(BIN)/python scripts/spec

test-agents: setup-test ## the real agents and frameworks, from npm and PyPI, against a model that is scripted
	@scripts/agents
	@$(BIN)/python -m pytest -m agent -n 2
	@echo 'assent: all agents are governed'

golden: setup-test ## compare a million decisions with those that are kept (scripts/golden --help: which moved, and keeping new ones)
	@$(BIN)/python scripts/golden

fuzz: setup-test ## the shell parser against bash itself, until Ctrl-C (scripts/fuzz --help)
	@$(BIN)/python scripts/fuzz

lint: setup-test ## formatting, lint and types
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary

format: setup-test ## rewrite the code in the house format
	@$(BIN)/ruff format --quiet . && $(BIN)/ruff check --quiet --fix .

bench: setup-core ## how fast a decision is, as ratios
	@for each in benchmarks/*.py; do echo "== $$each"; $(BIN)/python "$$each" || exit 1; done

clean: ## remove caches and built files, keep .venv
	@rm -rf dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests benchmarks examples scripts -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## back to a fresh clone: also remove .venv
	@rm -rf .venv

setup-core:
	@scripts/setup core

setup-test:
	@scripts/setup test
	@scripts/oracle
	@scripts/browser
