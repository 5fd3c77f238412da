# `make run` starts the bot or the website, `make test` runs the tests; both install what they need into .venv.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready

# Let Python cache compiled modules even if the environment says otherwise: the tests start many processes.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run demo test screenshots soak storms lint format bench kernel lock clean
.DEFAULT_GOAL := run

# With DISCORD_TOKEN (in the environment or in .env): the bot and the website. Without: only the website, on this machine.
run: $(READY)
	@exec $(BIN)/python -m runtime

# A match that plays itself, on a simulated Discord. Between two mailboxes: ARGS=mail
demo: $(READY)
	@$(BIN)/python -m tests.demo $(ARGS)

test: $(READY)
	$(BIN)/python -m pytest -q -n auto --dist loadgroup $(ARGS)

# Pictures of the website's pages in four sizes, light and dark, into the folder `screenshots`. Some pages: ARGS="front board"; in Japanese: ARGS="--language ja".
screenshots: $(READY)
	@$(BIN)/python -m tests.screenshots screenshots $(ARGS)

# A simulated year on a simulated Discord. Shorter: ARGS="--matches 100 --days 60"; another year: ARGS="--seed 7".
# By a cluster on PostgreSQL: ARGS="--processes 4". A year of tournaments: ARGS="tournaments --once".
soak: $(READY)
	@$(BIN)/python -m tests.soak $(ARGS)

# Kills, races, lost connections, on SQLite and PostgreSQL. One part: ARGS="kills --database sqlite --kills 60 --seconds 600".
storms: $(READY)
	@$(BIN)/python -m tests.storms $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The formatter repairs what the first check only names, such as long lines; what is left then is for people.
format: $(READY)
	$(BIN)/ruff check --fix --exit-zero --quiet .
	$(BIN)/ruff format .
	$(BIN)/ruff check .

# Benchmarks. Some parts: ARGS="turn web". Beside an earlier commit: BEFORE=COMMIT make bench ARGS=before
bench: $(READY)
	@$(BIN)/python -m bench $(ARGS)

# Builds the computer opponent's kernel again, with the same bytes from the same C files; .ci/run checks that.
kernel:
	@PYTHON=$(PYTHON) sh tools/kernel

# Needs uv (pip install uv). Universal: one file for every Python version and system that pyproject.toml allows.
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
