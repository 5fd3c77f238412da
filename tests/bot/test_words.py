"""The catalogue of texts: every text that the code asks for is there, and takes what it is given."""

from __future__ import annotations

import ast
import inspect
import re
import string
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import bot
import matches
import picking
import running
import words
from bot.permissions import IN_THREADS, NEEDED
from bot.refusals import Refusal, refused
from bot.settings import Settings
from engine import GAMES
from engine.game import EventKind
from matches import ChallengeState, MatchError, Reason
from words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = Words.load()
ROOMS = tuple(Path(inspect.getfile(room)).parent for room in (words, picking, running, bot))

# Keys whose names are put together from data, not from a template in the code.
FAMILIES = (
    r"settings\.\w+\.(missing|malformed)",
    r"command\.\w+\.(\w+\.)?(name|about)",
    r"option\.\w+\.(name|about)",
    r"idiom\..+",
    r"setting\..+",
    r"list\.\w+\.(middle|last)",
)


class Use(NamedTuple):
    """One place where the code asks for a text: the keys it may mean, and the values that it gives."""

    where: str
    keys: re.Pattern[str]
    values: frozenset[str]
    more: bool  # whether further values come from a mapping


def asked(name: str) -> bool:
    return name.strip("_") in {"words", "told"}


def modules() -> list[Path]:
    return sorted(path for room in ROOMS for path in room.rglob("*.py"))


def uses() -> Iterator[Use]:
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield from uses_of(path, node)


def spelled() -> set[str]:
    """Give every string that stands in the code, such as keys in a table."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in modules())
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {node.value for node in nodes if isinstance(node.value, str)}


def uses_of(path: Path, call: ast.Call) -> Iterator[Use]:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    place = 1 if name == "told" else 0
    if not asked(name) or len(call.args) <= place:
        return
    values = frozenset(word.arg for word in call.keywords if word.arg)
    more = any(word.arg is None for word in call.keywords)
    for pattern in patterns(call.args[place]):
        yield Use(f"{path.name}:{call.lineno}", re.compile(pattern), values, more)


def patterns(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield re.escape(node.value)
    elif isinstance(node, ast.JoinedStr):
        fixed = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
        yield "".join(r"[\w.]+?" if text is None else re.escape(str(text)) for text in fixed)
    elif isinstance(node, ast.IfExp):
        yield from patterns(node.body)
        yield from patterns(node.orelse)


def forms(key: str) -> list[str]:
    template = WORDS.texts[key]
    return [template] if isinstance(template, str) else list(template.values())


def placeholders(key: str) -> set[str]:
    fields = {name for form in forms(key) for _, name, _, _ in string.Formatter().parse(form) if name}
    return fields if isinstance(WORDS.texts[key], str) else fields | {"count"}


def meant(use: Use) -> list[str]:
    idioms = [key for key in WORDS.texts if key.startswith("idiom.")]
    narrow = [key for key in idioms if any(use.keys.fullmatch(tail) for tail in tails(key))]
    return [key for key in WORDS.texts if use.keys.fullmatch(key)] + narrow


def tails(key: str) -> list[str]:
    parts = key.split(".")[2:]
    return [".".join(parts[at:]) for at in range(len(parts))]


def test_every_text_asked_for_is_there() -> None:
    assert [use for use in uses() if not meant(use)] == []


def test_every_text_takes_what_it_is_given() -> None:
    certain = [use for use in uses() if not use.more and "[" not in use.keys.pattern]
    lacking = {
        f"{use.where} {key}": placeholders(key) - use.values
        for use in certain
        for key in meant(use)
        if placeholders(key) - use.values
    }
    assert lacking == {}
    assert len(certain) > 50


def test_no_text_is_left_over() -> None:
    known = [use.keys for use in uses()] + [re.compile(family) for family in FAMILIES]
    rest = WORDS.texts.keys() - spelled()
    assert sorted(key for key in rest if not any(one.fullmatch(key) for one in known)) == []


def test_narrower_texts_take_no_more_than_the_common_one() -> None:
    for key in WORDS.texts:
        if key.startswith("idiom."):
            common = [tail for tail in tails(key) if tail in WORDS.texts and not tail.startswith("idiom.")]
            allowed = placeholders(common[0]) if common else placeholders(key)
            assert placeholders(key) <= allowed | {"cells", "winner", "loser", "stuck"}, key


def errors() -> list[type[MatchError]]:
    found = [one for one in vars(matches).values() if inspect.isclass(one) and issubclass(one, MatchError)]
    return [one for one in found if one not in {MatchError, matches.MoveRefused}]


@pytest.mark.parametrize("error", errors(), ids=lambda error: error.key)
def test_every_refusal_has_a_sentence(error: type[MatchError]) -> None:
    assert WORDS.has(f"refused.{error.key}")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (matches.TooManyChallenges(limit=10), "You have 10 open challenges"),
        (matches.TooManyMoves(match=3, due=1, given=2), "Only one move is due"),
        (matches.TooManyMoves(match=3, due=2, given=3), "Only 2 moves are due"),
        (matches.ChallengeTaken(challenge=1, by="Eve", you=0, match=2), "Eve has accepted"),
        (matches.ChallengeTaken(challenge=1, by="Eve", you=1, match=2), "You have accepted"),
        (matches.NotAddressee(challenge=1, to=""), "open to anyone"),
        (matches.NotAddressee(challenge=1, to="Bob"), "meant for Bob"),
        (matches.ColourRefused(colour="red", sides=("black", "white")), "Black or White"),
        (matches.GameUnknown(game="go", games=("morelli",)), "I have Morelli"),
        (matches.NotYourTurn(match=1, name="a_b_c"), r"a\_b\_c's turn"),
        (Refusal("no_match_here"), "No match in this channel"),
    ],
    ids=lambda value: getattr(value, "key", ""),
)
def test_refusal_reads(error: MatchError | Refusal, sentence: str) -> None:
    assert sentence in refused(WORDS, error)


def test_every_setting_that_can_be_wrong_has_a_sentence() -> None:
    assert all(WORDS.has(f"settings.{field}.malformed") for field in Settings.model_fields)
    assert WORDS.has("settings.discord_token.missing")


def test_every_value_that_is_told_has_its_words() -> None:
    wanted = [
        *(f"event.{kind}" for kind in EventKind),
        *(f"challenge.{state}" for state in ChallengeState),
        *(f"result.{reason}.win" for reason in Reason if reason not in {Reason.ABORTED, Reason.VOIDED}),
        "result.aborted.draw",
        "result.corrected.draw",
        "result.voided.draw",
        *(f"permission.{name}" for name in (*NEEDED, *IN_THREADS.values())),
        *(f"game.{name}.name" for name in GAMES),
        *(f"side.{side}" for game in GAMES.values() for side in game.sides),
        *(f"fists.drawn.{pick}" for game in GAMES.values() if game.fists for pick in game.fists.picks),
        *(
            f"option.{option.name}.about"
            for game in GAMES.values()
            for option in game.options
            if not option.drawn
        ),
    ]
    assert [key for key in wanted if not WORDS.has(key)] == []


@pytest.mark.parametrize(
    ("items", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists(items: list[str], text: str) -> None:
    assert WORDS.listed(items) == text


@pytest.mark.parametrize(
    ("idiom", "text"),
    [("morelli.nestor", "takes the Centre"), ("morelli.throne", "enthrones the king"), ("", "takes E5")],
)
def test_a_game_has_its_own_vocabulary(idiom: str, text: str) -> None:
    assert WORDS.told(idiom, "event.occupy", cells="E5") == text


@pytest.mark.parametrize(("count", "text"), [(1, "one stone"), (2, "2 stones")])
def test_plural(count: int, text: str) -> None:
    assert text in WORDS.told("morelli.nestor", "call.place", who="A", side="Black", count=count)


def test_unknown_text_is_an_error() -> None:
    with pytest.raises(KeyError, match="no such text"):
        WORDS("no such text")
