"""The guide to adding a game agrees with the code: what it names exists, and it covers the whole contract."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from engine.game import EventKind, Game, Position
from render import RenderOptions, Scene
from tests.games import TEXTS

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
QUOTED = re.findall(r"`([^`\n]+)`", GUIDE)
PATHS = sorted({text for text in QUOTED if re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?|\w+\.md", text)})
CLASS_NAMES = sorted({text for text in QUOTED if re.fullmatch(r"[A-Z][a-z]+[A-Za-z]+", text)})
TEXT_KEYS = sorted({key for row in re.findall(r"^\| (`[a-z].*?) \|", GUIDE, re.MULTILINE)
                    for key in re.findall(r"`([\w.]+\.[\w.]+)`", row)})  # fmt: skip


def defined_names() -> set[str]:
    """Return the names of all classes and functions of the engine, the renderers and the bot's rule books."""
    paths = [path for folder in ("engine", "render", "rules") for path in (ROOT / folder).rglob("*.py")]
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in paths)
    kinds = (ast.ClassDef, ast.FunctionDef)
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, kinds)}


def table_of(heading: str) -> set[str]:
    """Return the names in the first column of a table."""
    table = GUIDE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return {
        name
        for row in re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }


@pytest.mark.parametrize("path", [path for path in PATHS if "NAME" not in path])
def test_paths_exist(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("path", [path for path in PATHS if "NAME" in path])
def test_paths_with_a_placeholder_exist_for_a_game(path: str) -> None:
    assert (ROOT / path.replace("NAME", "morabaraba")).exists()


@pytest.mark.long
def test_names_of_classes_exist() -> None:
    known = defined_names()
    assert [name for name in CLASS_NAMES if name not in known] == []


def test_kinds_of_events_exist() -> None:
    assert {name for text in QUOTED for name in re.findall(r"^EventKind\.(\w+)", text)} <= set(
        EventKind.__members__
    )


def test_tables_list_the_whole_contract() -> None:
    assert table_of("member of `Position`") == set(Position.__abstractmethods__)
    assert table_of("member of `Game`") == {*Game.__abstractmethods__, *Game.__annotations__, "resolve_picks"}


def test_tables_list_all_that_a_renderer_gets_and_returns() -> None:
    assert table_of("option") == {field.name for field in fields(RenderOptions)}
    assert table_of("part of `Scene`") == {field.name for field in fields(Scene)}


@pytest.mark.parametrize("key", TEXT_KEYS)
def test_keys_of_texts_are_in_the_catalogue(key: str) -> None:
    pattern = re.compile(r"(vocabulary\.[\w.]+?\.)?" + re.sub("[A-Z]+", r"[\\w-]+", re.escape(key)))
    assert any(pattern.fullmatch(name) for name in TEXTS.templates)


def test_common_texts_of_the_guide_exist() -> None:
    for keys in re.findall(r"^\| (`.+?) \| common texts? exists? \|", GUIDE, re.MULTILINE):
        for key in re.findall(r"`([\w.]+)`", keys):
            pattern = re.compile(re.sub("[A-Z]+", r"[\\w-]+", re.escape(key)))
            assert any(pattern.fullmatch(name) for name in TEXTS.templates), key


def test_every_step_of_the_checklist_has_a_section() -> None:
    anchors = re.findall(r"\]\(#(.+?)\)", GUIDE)
    headings = re.findall(r"^## (\d.*)$", GUIDE, re.MULTILINE)
    assert anchors == [heading.lower().replace(".", "").replace(" ", "-") for heading in headings]
