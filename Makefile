# Rayuela. `make run` plays or serves, `make test` checks; both set themselves up.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready

# Whatever the environment says: the tests start many processes, and each would compile all modules anew.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run demo test soak lint format bench lock clean
.DEFAULT_GOAL := run

# With DISCORD_TOKEN (in the environment or in .env): the bot, and the table in the browser beside it.
# Without: the table alone, on this machine.
run: $(READY)
	@if [ -n "$$DISCORD_TOKEN" ] || grep -qs '^DISCORD_TOKEN=.' .env; then \
		exec $(BIN)/python -m bot; \
	else \
		exec $(BIN)/python -m web; \
	fi

# A match that plays itself, on a Discord of our own.
demo: $(READY)
	@$(BIN)/python -m tests.demo

test: $(READY)
	$(BIN)/python -m pytest -q -n auto --dist loadgroup $(ARGS)

# A simulated year at a Discord of our own; less with ARGS="--matches 100 --days 60", another with --seed.
soak: $(READY)
	@$(BIN)/python -m tests.soak $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	@PYTHON=$(PYTHON) BIN=$(BIN) sh tools/bench

# Needs uv (pip install uv). Universal: one file for every Python and system that pyproject.toml allows.
LOCK = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --no-emit-index-url --no-emit-find-links --extra postgres
lock:
	$(LOCK) pyproject.toml --output-file requirements.lock
	$(LOCK) --extra dev --constraint requirements.lock pyproject.toml --output-file requirements-dev.lock

$(READY): requirements-dev.lock
	@sh tools/venv $(PYTHON) $(VENV) requirements-dev.lock
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis demo
