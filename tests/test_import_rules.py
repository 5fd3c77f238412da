"""Which room may know which: every import of every module against the one table."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "render", "storage", "matches", "i18n", "move_builder", "runtime", "bot", "web")

# What each room may import besides itself and the standard library, by top-level name.
ALLOWED_IMPORTS = {
    "engine": set[str](),
    "render": {"engine", "PIL"},
    "storage": {"sqlalchemy", "alembic", "aiosqlite", "asyncpg"},
    "matches": {"engine", "storage"},
    "i18n": set[str](),
    "move_builder": {"render", "i18n"},
    "runtime": {"i18n", "structlog", "pydantic", "pydantic_settings"},
    "bot": {"matches", "render", "i18n", "move_builder", "runtime", "discord", "aiohttp", "structlog"}
    | {"pydantic", "pydantic_settings"},
    "web": {"matches", "render", "i18n", "move_builder", "runtime", "aiohttp", "jinja2", "markupsafe"}
    | {"itsdangerous", "structlog", "pydantic", "pydantic_settings"},
}
# Exceptions by room: modules of a foreign room that may be read all the same, and why.
ALLOWED_MODULES = {
    # The contract's values (Event, Choice, GameError), which matches hands on.
    "i18n": {"engine.game"},
    "move_builder": {"engine.game"},
    "bot": {"engine.game"},
    "web": {"engine.game"},
}
# The places that build and join the parts may name every room's front door.
COMPOSITION_ROOTS = {
    "bot/app.py": {"engine", "storage", "web"},
    "bot/settings.py": {"web"},
    "bot/__main__.py": {"engine", "storage"},
    "web/app.py": {"engine", "storage"},
    "web/__main__.py": {"engine", "storage"},
}


def python_files() -> list[Path]:
    return sorted(path for room in PACKAGES for path in (ROOT / room).rglob("*.py"))


def imported_modules(path: Path) -> Iterator[str]:
    """Every absolute module name that a file imports, at the top or inside a function."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            yield ".".join(part for part in (base, node.module) if part)


def is_import_allowed(path: Path, name: str) -> bool:
    relative = path.relative_to(ROOT)
    package, top = relative.parts[0], name.partition(".")[0]
    if top == package or top in sys.stdlib_module_names or top in ALLOWED_IMPORTS[package]:
        return True
    return name in ALLOWED_MODULES.get(package, set()) or top in COMPOSITION_ROOTS.get(
        relative.as_posix(), set()
    )


@pytest.mark.parametrize("room", PACKAGES)
def test_package_imports_only_what_it_may(room: str) -> None:
    violations = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in python_files()
        if path.relative_to(ROOT).parts[0] == room
        for name in imported_modules(path)
        if not is_import_allowed(path, name)
    ]
    assert violations == []


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
def test_import_rule(module: str, name: str, *, allowed: bool) -> None:
    assert is_import_allowed(ROOT / module, name) is allowed


def test_walk_sees_imports_inside_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_import_rules.ROOT", tmp_path)
    module = tmp_path / "bot" / "late.py"
    module.parent.mkdir()
    module.write_text("def f() -> None:\n    import engine.morelli\n    from . import i18n\n")
    assert list(imported_modules(module)) == ["engine.morelli", "bot"]


def test_every_package_is_checked() -> None:
    walked = {path.relative_to(ROOT).parts[0] for path in python_files()}
    assert walked == set(PACKAGES)
