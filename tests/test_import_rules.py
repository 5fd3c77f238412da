"""Every import of every module, held to the table of allowed imports; and no import cycles at all.

Imports inside functions and under ``TYPE_CHECKING`` count like any other. Scripts of the website count too.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("import rules")  # so that each file is parsed once
ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    *("engine", "ai", "render", "storage", "matches", "i18n", "move_builder", "rules", "lessons"),
    *("metrics", "runtime", "backups", "mail", "push", "bot", "web"),
)

# What each package may import besides itself and the standard library, by top-level name.
ALLOWED = {
    "engine": set[str](),
    "ai": {"engine", "wasmtime"},
    "render": {"engine", "PIL", "zlib_ng"},
    "metrics": {"aiohttp", "prometheus_client", "structlog"},
    "storage": {"sqlalchemy", "alembic", "aiosqlite", "asyncpg"},
    "matches": {"engine", "storage", "email_validator", "networkx", "webauthn"},
    "i18n": {"babel"},
    "move_builder": {"render", "i18n"},
    "rules": {"render", "i18n", "move_builder"},
    "lessons": {"i18n"},
    "runtime": {"i18n", "structlog", "dotenv"},
    "backups": {"matches", "storage", "runtime", "structlog"},
    "mail": {"matches", "render", "i18n", "move_builder", "runtime", "metrics"}
    | {"aiosmtpd", "aiosmtplib", "imap_tools", "jinja2", "structlog"},
    "bot": {"matches", "render", "i18n", "move_builder", "rules", "lessons", "runtime", "backups"}
    | {"discord", "aiohttp", "structlog"},
    "web": {"matches", "render", "i18n", "move_builder", "rules", "lessons", "runtime", "backups"}
    | {"aiohttp", "jinja2", "markupsafe", "itsdangerous", "oauthlib", "structlog", "icalendar"},
    "push": {"matches", "i18n", "runtime", "structlog"}
    | {"cryptography", "py_vapid", "pywebpush", "requests", "urllib3"},
}
# Single modules of another package that a package may import: the values of the contract of games
# (Event, MoveChoice, GameError), which `matches` passes on.
ALLOWED_MODULES = {
    # The interface of what is measured; `metrics.monitor` is for the type of the monitor.
    "storage": {"metrics"},
    "matches": {"metrics", "metrics.monitor"},
    "runtime": {"metrics", "metrics.address"},
    # The values of the domain that sentences are about; no service, no storage.
    "i18n": {
        "engine.game",
        "engine.sentences",
        "matches.audience",
        "matches.clocks.values",
        "matches.computer.accounts",
        "matches.errors",
        "matches.game_analysis.mistakes",
        "matches.match_view",
        "matches.notices.values",
        "matches.personal_data.stand_ins",
        "matches.platforms",
        "matches.preferences.values",
        "matches.puzzles.values",
        "matches.ratings.glicko",
        "matches.ratings.values",
        "matches.records.values",
        "matches.terms",
        "matches.times",
        "matches.tournaments.results",
        "matches.tournaments.values",
        "matches.updates",
        "matches.values",
    },
    "move_builder": {"engine.game"},
    "rules": {"engine.game"},
    "lessons": {"engine.game"},
    "backups": {"sqlalchemy.engine", "metrics.monitor"},  # the types of a URL and of the monitor
    "mail": {"engine.game"},
    "bot": {"engine.game", "metrics", "metrics.monitor"},
    "web": {
        "engine.game",
        "ai.kernel",
        "ai.levels",
        "ai.weights",
        "metrics",
        "metrics.address",
        "metrics.monitor",
    },
    "push": {"metrics.monitor"},
}
# Composition roots build the parts and connect them, so they may import further packages.
COMPOSITION_ROOTS = {
    "bot/app.py": {"engine", "storage", "web", "mail", "push", "ai"},
    "bot/settings.py": {"web"},
    "bot/__main__.py": {"engine", "storage", "mail"},
    "runtime/__main__.py": {"bot", "mail", "web"},
    "web/app.py": {"engine", "storage", "ai", "push"},
    "storage/__main__.py": {"backups", "runtime", "i18n"},
    "ai/worker/__main__.py": {"matches", "storage", "runtime", "i18n", "metrics"},
    "ai/worker/worker.py": {"matches", "runtime", "structlog"},
    "ai/worker/analyses.py": {"matches", "structlog"},
    "ai/worker/assessments.py": {"matches", "structlog"},
    "ai/worker/endings.py": {"matches"},
    "ai/worker/puzzles.py": {"matches", "structlog"},
    "i18n/__main__.py": {"rules", "lessons"},
    "mail/__main__.py": {"storage", "web"},
    "mail/app.py": {"engine"},
    "mail/settings.py": {"web"},
    "mail/reading/tool.py": {"engine"},
    "web/__main__.py": {"engine", "storage", "mail", "push"},
    "web/settings.py": {"push"},
}


def modules(root: Path = ROOT, packages: tuple[str, ...] = PACKAGES) -> list[Path]:
    return sorted(path for package in packages for path in (root / package).rglob("*.py"))


def module_name(path: Path, root: Path = ROOT) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path, root: Path = ROOT) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return every import of a file as an absolute module name and the names taken from it."""
    return tuple(find_imports(path, root))


def find_imports(path: Path, root: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    package = path.relative_to(root).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            name = ".".join(part for part in (base, node.module) if part)
            yield name, tuple(alias.name for alias in node.names)


def is_allowed(path: Path, name: str) -> bool:
    relative = path.relative_to(ROOT)
    package, top = relative.parts[0], name.partition(".")[0]
    if top == package or top in sys.stdlib_module_names or top in ALLOWED[package]:
        return True
    return name in ALLOWED_MODULES.get(package, set()) or top in COMPOSITION_ROOTS.get(
        relative.as_posix(), set()
    )


def import_graph(root: Path = ROOT, packages: tuple[str, ...] = PACKAGES) -> dict[str, set[str]]:
    """Return the modules that each module imports, by name.

    ``from package import name`` imports the module ``package.name`` where there is one, else ``package``.
    """
    files = {module_name(path, root): path for path in modules(root, packages)}
    graph: dict[str, set[str]] = {name: set() for name in files}
    for name, path in files.items():
        for imported, taken in imports(path, root):
            targets = {f"{imported}.{one}" if f"{imported}.{one}" in files else imported for one in taken}
            graph[name] |= {one for one in targets or {imported} if one in files and one != name}
    return graph


SCRIPT_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']""")
"""The file of an import, an ``export ... from`` or a dynamic import in JavaScript, relative to the script."""


def script_graph(root: Path = ROOT, package: str = "web") -> dict[str, set[str]]:
    """Return the scripts that each script of a package imports, by path. Comments count as code."""
    files = {path.resolve(): path.relative_to(root).as_posix() for path in (root / package).rglob("*.js")}
    graph: dict[str, set[str]] = {}
    for path, name in files.items():
        imported = SCRIPT_IMPORT.findall(path.read_text(encoding="utf-8"))
        graph[name] = {files[(path.parent / one).resolve()] for one in imported}
    return graph


def find_cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other: strongly connected components (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    cycles: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for target in sorted(graph[module]):
            if target not in index:
                visit(target)
                low[module] = min(low[module], low[target])
            elif target in stack:
                low[module] = min(low[module], index[target])
        if low[module] == index[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1:
                cycles.append(sorted(group))

    for module in sorted(graph):
        if module not in index:
            visit(module)
    return cycles


@pytest.mark.parametrize("package", PACKAGES)
def test_package_imports_only_what_is_allowed(package: str) -> None:
    forbidden = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules()
        if path.relative_to(ROOT).parts[0] == package
        for name, _ in imports(path)
        if not is_allowed(path, name)
    ]
    assert forbidden == []


def test_no_modules_import_each_other() -> None:
    assert find_cycles(import_graph()) == []


# A feature can be removed with those that extend it: each imports no other one but these.
FEATURE_IMPORTS = {
    ("challenge", "lobby"),
    ("challenge", "replays"),
    ("conditional_moves", "analysis_board"),
    ("game_analysis", "mistakes"),
    ("learn", "rules"),
    ("mistakes", "learn"),
    ("move", "move_picker"),
}


def test_features_of_the_bot_import_no_others() -> None:
    prefix = "bot.features."
    pairs = {
        tuple(name.removeprefix(prefix).partition(".")[0] for name in (module, imported))
        for module, targets in import_graph().items()
        for imported in targets
        if module.startswith(prefix) and imported.startswith(prefix)
    }
    assert {(one, other) for one, other in pairs if one != other} == FEATURE_IMPORTS


def test_no_scripts_import_each_other() -> None:
    graph = script_graph()
    assert any(graph.values())
    assert find_cycles(graph) == []


@pytest.mark.parametrize(
    ("module", "name", "allowed"),
    [
        ("engine/game.py", "discord.ui", False),
        ("engine/game.py", "collections.abc", True),
        ("matches/turns.py", "bot.app", False),
        ("matches/turns.py", "engine.game", True),
        ("render/png.py", "PIL.Image", True),
        ("bot/features/turns.py", "engine.game", True),
        ("bot/features/turns.py", "engine.morelli", False),
        ("bot/app.py", "engine", True),
    ],
)
def test_allowed_import(module: str, name: str, *, allowed: bool) -> None:
    assert is_allowed(ROOT / module, name) is allowed


def write(folder: Path, **files: str) -> Path:
    """Write modules of a package `bot`, given by name."""
    for name, text in files.items():
        path = folder / "bot" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_imports_inside_functions_count(tmp_path: Path) -> None:
    write(tmp_path, late="def f() -> None:\n    import engine.morelli\n    from . import i18n\n")
    assert [name for name, _ in imports(tmp_path / "bot" / "late.py", tmp_path)] == ["engine.morelli", "bot"]


def test_cycle_for_type_checking_alone_is_found(tmp_path: Path) -> None:
    write(
        tmp_path,
        __init__="",
        a="from bot import b\n",
        b="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from bot.c import C\n",
        c="from bot.a import A\n",
        d="from bot import a\n",
    )
    assert find_cycles(import_graph(tmp_path, ("bot",))) == [["bot.a", "bot.b", "bot.c"]]


def test_cycle_of_scripts_is_found(tmp_path: Path) -> None:
    scripts = {
        "a.js": 'import {\n  one,\n  two,\n} from "./b.js";\n',
        "b.js": 'export { c } from "./deep/c.js";\n',
        "deep/c.js": 'async function load() {\n  return import("../a.js");\n}\n',
        "d.js": 'import "./a.js";\n',
    }
    for name, text in scripts.items():
        path = tmp_path / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert find_cycles(script_graph(tmp_path)) == [["web/a.js", "web/b.js", "web/deep/c.js"]]


def test_every_package_is_checked() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in modules()} == set(PACKAGES)
