"""Suggestions of every option, whatever is typed in it and in the others without being chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from i18n.typed_values import find_value
from tests.bot.test_text_limits import text_options

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member

GARBAGE = (
    "abc",
    "#",
    "-1",
    "9" * 17,
    "9" * 40,
    "²",
    "٣",
    "\x00",
    "\ud83d",
    " ",
    "A1 " * 30,
    "None",
    "a:b,c=d",
)


def completed_options(env: BotEnvironment) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return every command with every one of its options that have suggestions."""
    return [pair for pair in text_options(env) if pair[1].get("autocomplete")]


@pytest.mark.parametrize(
    "typed", [GARBAGE[0], *(pytest.param(text, marks=pytest.mark.long) for text in GARBAGE[1:])]
)
async def test_nothing_typed_in_any_option_keeps_the_suggestions_from_loading(
    env: BotEnvironment, eve: Member, typed: str
) -> None:
    await env.start_match(opponent=eve)
    for command, option in completed_options(env):
        name = option["name"]
        siblings = [one["name"] for one in command["options"] if one.get("autocomplete")]
        for values in ({name: typed}, {one: typed for one in siblings if one != name}):
            cut = {one: text[:100] for one, text in values.items()}
            found = await eve.autocomplete(command["name"], cut, focused=name, channel=env.channel)
            assert len(found) <= 25, (command["name"], name, values)


async def test_while_discord_fails_nothing_is_suggested(env: BotEnvironment) -> None:
    carol = env.guild.member("Carol")
    await env.start_match()
    await carol.command("watch", {"match": "1"}, channel=env.channel)
    env.discord.faults.refuse("GET", "/guilds/*/members/*", status=403)
    found = await carol.autocomplete("unwatch", {"match": ""}, focused="match", channel=env.channel)
    assert found == []


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Morelli", "morelli"), ("more", "morelli"), (" MORP ", "morphos"), ("mora", "morabaraba"),
        ("mor", None), ("", None), (" ", None), ("x", None), ("morelli!", None),
    ],
)  # fmt: skip
def test_things_are_named_by_the_beginning_of_their_names(typed: str, expected: str | None) -> None:
    names = {"Morelli": "morelli", "Morphos": "morphos", "Morabaraba": "morabaraba"}
    assert find_value(names.items(), typed) == expected


def test_whole_name_is_preferred_to_a_beginning() -> None:
    assert find_value({"Gomoku": "gomoku", "Go": "go"}.items(), "go") == "go"
