"""Which room may know which: every import of every module against the one table."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "render", "storage", "matches", "words", "picking", "running", "bot", "web")

# What each room may import besides itself and the standard library, by top-level name.
ALLOWED = {
    "engine": set[str](),
    "render": {"engine", "PIL"},
    "storage": {"sqlalchemy", "alembic", "aiosqlite", "asyncpg"},
    "matches": {"engine", "storage"},
    "words": set[str](),
    "picking": {"render", "words"},
    "running": {"words", "structlog", "pydantic", "pydantic_settings"},
    "bot": {"matches", "render", "words", "picking", "running", "discord", "aiohttp", "structlog"}
    | {"pydantic", "pydantic_settings"},
    "web": {"matches", "render", "words", "picking", "running", "aiohttp", "jinja2", "markupsafe"}
    | {"itsdangerous", "structlog", "pydantic", "pydantic_settings"},
}
# Exceptions by room: modules of a foreign room that may be read all the same, and why.
READABLE = {
    # The contract's values (Event, Choice, GameError), which matches hands on.
    "words": {"engine.game"},
    "picking": {"engine.game"},
    "bot": {"engine.game"},
    "web": {"engine.game"},
}
# The places that build and join the parts may name every room's front door.
JOINERS = {
    "bot/app.py": {"engine", "storage", "web"},
    "bot/settings.py": {"web"},
    "bot/__main__.py": {"engine", "storage"},
    "web/app.py": {"engine", "storage"},
    "web/__main__.py": {"engine", "storage"},
}


def modules() -> list[Path]:
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Every absolute module name that a file imports, at the top or inside a function."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            yield ".".join(part for part in (base, node.module) if part)


def arrow_allowed(path: Path, name: str) -> bool:
    relative = path.relative_to(ROOT)
    room, top = relative.parts[0], name.partition(".")[0]
    if top == room or top in sys.stdlib_module_names or top in ALLOWED[room]:
        return True
    return name in READABLE.get(room, set()) or top in JOINERS.get(relative.as_posix(), set())


@pytest.mark.parametrize("room", ROOMS)
def test_room_knows_only_whom_it_may(room: str) -> None:
    strays = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules()
        if path.relative_to(ROOT).parts[0] == room
        for name in imported(path)
        if not arrow_allowed(path, name)
    ]
    assert strays == []


@pytest.mark.parametrize(
    ("module", "name", "allowed"),
    [
        ("engine/game.py", "discord.ui", False),
        ("engine/game.py", "collections.abc", True),
        ("matches/turn.py", "bot.app", False),
        ("matches/turn.py", "engine.game", True),
        ("render/png.py", "PIL.Image", True),
        ("bot/moves.py", "engine.game", True),
        ("bot/moves.py", "engine.morelli", False),
        ("bot/app.py", "engine", True),
    ],
)
def test_arrow(module: str, name: str, *, allowed: bool) -> None:
    assert arrow_allowed(ROOT / module, name) is allowed


def test_walk_sees_imports_inside_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_arrows.ROOT", tmp_path)
    module = tmp_path / "bot" / "late.py"
    module.parent.mkdir()
    module.write_text("def f() -> None:\n    import engine.morelli\n    from . import words\n")
    assert list(imported(module)) == ["engine.morelli", "bot"]


def test_every_room_is_walked() -> None:
    walked = {path.relative_to(ROOT).parts[0] for path in modules()}
    assert walked == set(ROOMS)
