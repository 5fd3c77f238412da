"""The layers of the bot: a module imports only from its own layer and below."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import bot

ROOT = Path(bot.__file__).parent.parent
LAYERS = ("ui", "posts", "outbox", "features")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in (ROOT / "bot").rglob("*.py")}


def imports_of(module: str) -> set[str]:
    """Return the modules of the bot that a module imports, type-checking imports included."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else str(node.module) for name in names}
    return found & MODULES.keys()


def layer_of(module: str) -> int | None:
    parts = module.split(".")
    return LAYERS.index(parts[1]) if len(parts) > 1 and parts[1] in LAYERS else None


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_imports_nothing_above_it(layer: str) -> None:
    height = LAYERS.index(layer)
    upward = [
        f"{module} imports {imported}"
        for module in MODULES
        if layer_of(module) == height
        for imported in imports_of(module)
        if (layer_of(imported) or 0) > height or imported in {"bot.app", "bot.client"}
    ]
    assert upward == []
