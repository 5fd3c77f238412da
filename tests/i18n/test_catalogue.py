"""The catalogue has every text that code and templates use, and each text gets its placeholders."""

from __future__ import annotations

import ast
import inspect
import re
import string
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from jinja2 import Environment, nodes

import ai
import backups
import bot
import bot.features.analysis_board.context
import engine
import i18n
import mail
import matches
import metrics
import move_builder
import runtime
import web
from engine.game import GameError
from i18n import Texts
from i18n.refusals import COUNT_VALUES
from i18n.translations import load_folder
from matches.errors import MoveIllegal, MoveRefused, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.xdist_group("catalogue")  # so that each file is parsed once
TEXTS = Texts.load()
ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(
    Path(inspect.getfile(package)).parent
    for package in (i18n, move_builder, runtime, backups, mail, bot, web)
)

# Keys that are composed from data, not in the code.
KEY_FAMILIES = (
    r"language\.\w+",
    r"challenge\.closed\.rematch_\w+_named",
    r"settings\.\w+\.(missing|malformed)",
    r"command\.[\w-]+\.(\w+\.)?(name|about)",
    r"option\.\w+\.(name|about)",
    r"level\.\w+\+\.(name|about)",
    r"vocabulary\..+",
    r"setting(_about)?\..+",
    r"list\.\w+\.(middle|last)",
    r"result\.\w+\.(win|draw|computer)",
    r"picture\.name\.\w+",
)
OPEN = r"[\w.]+?"  # what a part of a key that is not in the code stands for


class TextUse(NamedTuple):
    """A use of a text: a pattern of the keys it may have, and the names of the values it passes."""

    where: str
    keys: re.Pattern[str]
    values: frozenset[str]
    more: bool  # whether a mapping passes further values


class Raised(NamedTuple):
    """A refusal in the code: a pattern of its keys, and the names of the values that its sentence can use."""

    where: str
    package: str
    keys: re.Pattern[str]
    values: frozenset[str]


# Values that a log needs, or that select a sentence.
LOGGED_VALUES = frozenset({"match", "challenge", "offer", "record", "announcement", "index", "you"})
# What a refusal of a game says about itself; not every sentence needs it.
ENGINE_VALUES = frozenset({"text", "choices"})
DERIVED_VALUES = frozenset({"match_name", "count", *COUNT_VALUES})
VARIANTS = {"challenge_accepted": ["challenge_accepted_you"], "not_addressee": ["not_addressee_open"]}
MOVE_REFUSED = MoveIllegal(1, 0, "A1", GameError("Why not."))


def is_text_call(name: str) -> bool:
    return name.strip("_") in {"texts", "for_game", "plain"}


FRONT_ENDS_WITH_SENTENCES = ("web", "mail")


@cache
def refused_keys() -> dict[str, str]:
    """Return the keys of sentences of refusals, and what follows ``refused.`` in each."""
    return {key: key.partition("refused.")[2] for key in TEXTS.templates if "refused." in key}


@cache
def sentence_keys(refusal: Raised) -> list[str]:
    """Return the keys of the sentences that a refusal has in the front ends that its file serves."""
    found = {key for key, name in refused_keys().items() if refusal.keys.fullmatch(name)}
    common = {key for key in found if key.startswith("refused.")}
    if refusal.package in FRONT_ENDS_WITH_SENTENCES:
        own = {key for key in found if key.startswith(f"{refusal.package}.refused.")}
        return sorted(own | {key for key in common if f"{refusal.package}.{key}" not in own})
    return sorted(common if refusal.package == "bot" else found)


@cache
def raised_refusals() -> tuple[Raised, ...]:
    return tuple(find_raised_refusals())


def find_raised_refusals() -> Iterator[Raised]:
    """Yield every refusal of the code: the pattern of its keys, and its values."""
    kinds = refusal_kinds(Refusal)
    for path in refusal_files():
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
                yield from uses_of_kind(path, node, kinds[node.func.id])
            elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name) and node.exc.id in kinds:
                yield from uses_of_kind(path, ast.Call(node.exc, [], []), kinds[node.exc.id])


def uses_of_kind(path: Path, call: ast.Call, kind: type[Refusal]) -> Iterator[Raised]:
    values = {word.arg for word in call.keywords if word.arg}
    if issubclass(kind, MoveRefused):
        values |= set(MOVE_REFUSED.values)
    if "match" in values:
        values.add("match_name")
    if values & set(COUNT_VALUES):
        values.add("count")
    own_key = getattr(kind, "key", "")
    patterns = [own_key] if own_key else list(key_patterns(call.args[0]))
    for pattern in patterns:
        variants = "|".join([pattern, *VARIANTS.get(pattern, ())])
        where = f"{path.name}:{getattr(call, 'lineno', 0)}"
        yield Raised(where, path.relative_to(ROOT).parts[0], re.compile(variants), frozenset(values))


def refusal_kinds(kind: type[Refusal]) -> dict[str, type[Refusal]]:
    """Return a class of refusals and all below it, by name."""
    below = [refusal_kinds(one) for one in kind.__subclasses__()]
    return {name: one for found in below for name, one in found.items()} | {kind.__name__: kind}


def refusal_files() -> list[Path]:
    folder = Path(inspect.getfile(matches)).parent
    return [*python_files(), *sorted(folder.rglob("*.py"))]


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return the calls, raises, constants and f-strings of a file, which several tests look at."""
    kinds = (ast.Call, ast.Raise, ast.Constant, ast.JoinedStr)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, kinds))


def python_files() -> list[Path]:
    return sorted(path for package in PACKAGES for path in package.rglob("*.py"))


@cache
def text_uses() -> tuple[TextUse, ...]:
    calls = [(path, node) for path in python_files() for node in nodes_of(path) if isinstance(node, ast.Call)]
    return (*template_uses(), *(use for path, call in calls for use in uses_in_call(path, call)))


def template_uses() -> Iterator[TextUse]:
    """Return the uses in HTML templates."""
    for path, tree in templates().items():
        for call in tree.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "texts":
                values = frozenset(word.key for word in call.kwargs)
                for pattern in template_key_patterns(call.args[0]):
                    yield TextUse(f"{path.name}:{call.lineno}", re.compile(pattern), values, more=False)


def template_key_patterns(node: nodes.Expr) -> Iterator[str]:
    if isinstance(node, nodes.Const):
        yield re.escape(str(node.value))
    elif isinstance(node, nodes.Concat):
        yield from map("".join, product(*(list(template_key_patterns(one)) or [OPEN] for one in node.nodes)))
    elif isinstance(node, nodes.CondExpr):
        yield from template_key_patterns(node.expr1)
        if node.expr2 is not None:
            yield from template_key_patterns(node.expr2)


@cache
def string_constants() -> set[str]:
    """Return every string constant of the code and the templates, such as keys in a table."""
    more = [Path(inspect.getfile(package)).parent for package in (ai, engine, metrics)]
    files = [*refusal_files(), *(path for package in more for path in package.rglob("*.py"))]
    in_code = (node.value for path in files for node in nodes_of(path) if isinstance(node, ast.Constant))
    in_templates = (node.value for tree in templates().values() for node in tree.find_all(nodes.Const))
    return {value for value in (*in_code, *in_templates) if isinstance(value, str)}


@cache
def templates() -> dict[Path, nodes.Template]:
    """Return the HTML templates, parsed."""
    environment = Environment(autoescape=True)
    paths = sorted(path for package in PACKAGES for path in package.rglob("*.html"))
    return {path: environment.parse(path.read_text(encoding="utf-8")) for path in paths}


def uses_in_call(path: Path, call: ast.Call) -> Iterator[TextUse]:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    place = 1 if name == "for_game" else 0
    if not is_text_call(name) or len(call.args) <= place:
        return
    values = frozenset(word.arg for word in call.keywords if word.arg)
    more = any(word.arg is None for word in call.keywords)
    for pattern in key_patterns(call.args[place]):
        yield TextUse(f"{path.name}:{call.lineno}", re.compile(pattern), values, more)


def key_patterns(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield re.escape(node.value)
    elif isinstance(node, ast.JoinedStr):
        fixed = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
        yield "".join(OPEN if text is None else re.escape(str(text)) for text in fixed)
    elif isinstance(node, ast.IfExp):
        yield from key_patterns(node.body)
        yield from key_patterns(node.orelse)


def key_forms(key: str) -> list[str]:
    template = TEXTS.templates[key]
    return [template] if isinstance(template, str) else list(template.values())


def placeholders(key: str) -> set[str]:
    fields = {
        name
        for form in key_forms(key)
        for _, name, _, _ in string.Formatter().parse(form)
        if name and name[0] != "/"
    }
    return fields if isinstance(TEXTS.templates[key], str) else fields | {"count"}


@cache
def keys_by_name() -> dict[str, list[str]]:
    """Return all keys by each name of theirs; those of a vocabulary have every ending of theirs as a name."""
    found: dict[str, list[str]] = {}
    for key in TEXTS.templates:
        for name in {key, *(tails(key) if key.startswith("vocabulary.") else ())}:
            found.setdefault(name, []).append(key)
    return found


@cache
def matching_keys(pattern: re.Pattern[str]) -> tuple[str, ...]:
    names = keys_by_name()
    literal = literal_of(pattern)
    matching = [name for name in names if pattern.fullmatch(name)] if literal is None else [literal]
    return tuple(key for name in matching for key in names.get(name, ()))


def literal_of(pattern: re.Pattern[str]) -> str | None:
    """Return the one text that matches a pattern, None if several can."""
    text = pattern.pattern.replace("\\", "")
    return text if re.escape(text) == pattern.pattern else None


def tails(key: str) -> list[str]:
    parts = key.split(".")[2:]
    return [".".join(parts[at:]) for at in range(len(parts))]


def test_every_used_text_exists() -> None:
    assert [use for use in text_uses() if not matching_keys(use.keys)] == []


def test_every_refusal_has_a_sentence_with_its_values() -> None:
    refusals = raised_refusals()
    assert [one.where for one in refusals if not sentence_keys(one)] == []
    lacking = {
        f"{one.where} {key}": missing
        for one in refusals
        for key in sentence_keys(one)
        if (missing := placeholders(key) - one.values)
    }
    assert lacking == {}


def test_every_value_of_a_refusal_is_in_a_sentence() -> None:
    shown: dict[tuple[str, str], set[str]] = {}
    for one in raised_refusals():
        further = ENGINE_VALUES if "reason" in one.values else frozenset[str]()
        for value in one.values - DERIVED_VALUES - LOGGED_VALUES - further:
            places = shown.setdefault((one.keys.pattern, value), set())
            places.update(*map(placeholders, sentence_keys(one)))
    assert [(key, value) for (key, value), places in shown.items() if value not in places] == []


def test_every_placeholder_gets_a_value() -> None:
    certain = [use for use in text_uses() if not use.more and "[" not in use.keys.pattern]
    lacking = {
        f"{use.where} {key}": placeholders(key) - use.values
        for use in certain
        for key in matching_keys(use.keys)
        if placeholders(key) - use.values
    }
    assert lacking == {}
    assert len(certain) > 50


def composed_keys() -> Iterator[str]:
    """Yield the patterns of the f-strings that begin as a key does, as some are first kept."""
    found = (node for path in python_files() for node in nodes_of(path) if isinstance(node, ast.JoinedStr))
    for node in found:
        first = node.values[0]
        if isinstance(first, ast.Constant) and re.fullmatch(r"[a-z_]+\.[a-z_.]*", str(first.value)):
            yield from key_patterns(node)


@cache
def patterns_in_use() -> frozenset[re.Pattern[str]]:
    """Return the patterns of all keys in use. Those of refusals are used where they are raised."""
    uses = {*(use.keys for use in text_uses()), *map(re.compile, composed_keys())}
    uses.discard(re.compile(rf"refused\.{OPEN}"))
    refused = {
        re.compile(rf"(?:(?:web|mail)\.)?refused\.(?:{one.keys.pattern})") for one in raised_refusals()
    }
    return frozenset({*uses, *refused})


@cache
def patterns_with_open_parts() -> tuple[tuple[bool, re.Pattern[str]], ...]:
    """Return the patterns with a group for each open part, and whether they begin open, without that part."""
    found = ((one.pattern.removeprefix(OPEN), one.pattern) for one in patterns_in_use())
    return tuple((rest != whole, re.compile(rest.replace(OPEN, r"([\w.]+?)"))) for rest, whole in found)


def is_in_code(part: str | None) -> bool:
    """Return whether the code has an open part of a key, or each word of it, perhaps with an ending."""
    constants = string_constants()
    return part is None or all(
        word in constants
        or any(word[:end] in constants and word[end:] in constants for end in range(2, len(word) - 2))
        for word in part.split(".")
    )


def is_used(key: str) -> bool:
    """Return whether the code has a key, or a pattern of it and its open parts."""
    constants = string_constants()
    if key in constants or ("refused." in key and key.partition("refused.")[2] in constants):
        return True
    if any(re.fullmatch(family, key) for family in KEY_FAMILIES):
        return True
    beginnings = [key[:end] for end in range(1, len(key)) if key[:end] in constants]
    for begins_open, pattern in patterns_with_open_parts():
        if begins_open:
            ends = [pattern.fullmatch(key.removeprefix(one)) for one in beginnings]
            if any(end is not None and constants.issuperset(end.groups()) for end in ends):
                return True
        elif (found := pattern.fullmatch(key)) is not None and all(map(is_in_code, found.groups())):
            return True
    return False


def test_every_text_is_used() -> None:
    assert sorted(key for key in TEXTS.templates if not is_used(key)) == []


@pytest.mark.parametrize(
    "key",
    [
        "unheard",
        "unheard.title",
        "unheard.of.title",
        "web.unheard",
        "web.learn.unheard",
        "rematch.unheard",
        "web.tournaments.unheard",
        "web.tournaments.fact.unheard",
        "button.unheard",
        "refused.unheard_of",
        "web.refused.unheard_of",
    ],
)
def test_text_without_a_use_is_found(key: str) -> None:
    assert not is_used(key)


def test_texts_of_a_vocabulary_use_the_placeholders_of_the_common_text() -> None:
    for key in TEXTS.templates:
        if key.startswith("vocabulary."):
            common = [
                tail for tail in tails(key) if tail in TEXTS.templates and not tail.startswith("vocabulary.")
            ]
            allowed = placeholders(common[0]) if common else placeholders(key)
            assert placeholders(key) <= allowed | {"cells", "winner", "loser", "stuck"}, key


def test_key_in_two_files_is_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text('[greeting]\nhello = "Hello"\n')
    with pytest.raises(ValueError, match=r"two\.toml repeats greeting\.hello"):
        load_folder(tmp_path)


@pytest.mark.parametrize(
    ("items", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists(items: list[str], text: str) -> None:
    assert TEXTS.join(items) == text


@pytest.mark.parametrize(
    ("vocabulary", "text"),
    [("morelli.nestor", "takes the Centre"), ("morelli.throne", "enthrones the king"), ("", "takes E5")],
)
def test_a_game_has_its_own_vocabulary(vocabulary: str, text: str) -> None:
    assert TEXTS.for_game(vocabulary, "event.occupy", cells="E5") == text


@pytest.mark.parametrize(("count", "text"), [(1, "one stone"), (2, "2 stones")])
def test_plural(count: int, text: str) -> None:
    assert text in TEXTS.for_game("morelli.nestor", "your_turn.place", mention="A", side="Black", count=count)


@pytest.mark.parametrize(
    ("key", "text"),
    [("web.new.about.go", "go"), ("option.handicap_stones.name", "handicap stones"), ("no.text", "text")],
)
def test_missing_text_is_logged_and_shown_readably(
    key: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert TEXTS(key, value=1) == text
    assert caplog.messages == [f"missing text: {key}"]
