"""Every list of a person with very much data and the longest names: nothing is refused by Discord, or cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bot.ui import ids
from matches import FollowMode, MatchId, Person
from matches.people.notes import MAX_NOTE_LENGTH
from tests.bot.test_completions import completed_options
from tests.discord_server import Permission
from tests.discord_server.command_limits import SUB_COMMAND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply

LONGEST = "*_" * 15  # with two digits, the longest display name; each sign needs a backslash
MATCHES = 30
PAGES = 100  # more than any list has


def opponent(number: int) -> Person:
    return Person(f"discord:{number + 1000}", f"{number:02}{LONGEST}")


async def start(env: BotEnvironment, first: Person, second: Person, **options: Any) -> MatchId:
    """Start a match with the first move made; return its number."""
    matches, now = env.bot.matches, env.bot.now()
    update = await matches.challenges.create(
        first,
        to=second,
        server=ids.stored_id(env.guild.id),
        channel=ids.stored_id(env.channel.id),
        game="morelli",
        options={"size": 9, "setup": "facing"},
        now=now,
        **options,
    )
    match = (await matches.challenges.accept(update.challenge.id, second, now=now)).match
    to_move = match.to_move
    assert to_move is not None
    await matches.play(match.id, to_move.person, ["C1-D2"], now=now)
    return match.id


async def fill(env: BotEnvironment, person: Person) -> None:
    """Give a person matches, finished ones too, challenges, blocks and followed matches."""
    matches, now, server = env.bot.matches, env.bot.now(), ids.stored_id(env.guild.id)
    for number in range(MATCHES):
        await start(env, person, opponent(number))
    for number in range(MATCHES, 2 * MATCHES):
        match = await start(env, opponent(number), person)
        view = await matches.view(match, now=now)
        assert view.to_move is not None
        await matches.play(match, view.to_move.person, ["A2-B3"], now=now)
        await matches.resign(match, opponent(number), now=now)
    for number in range(25):
        match = await start(env, opponent(number), opponent(number + 1))
        await matches.people.following.follow(match, person, FollowMode.TURNS, now=now)
    for number in range(80, 160):
        await matches.people.blocks.block(person, opponent(number), now=now)
        await matches.people.blocks.exclude(server, opponent(number), person, now=now)
    for number in range(10):
        await matches.challenges.create(
            opponent(number),
            to=person,
            server=server,
            channel=ids.stored_id(env.channel.id),
            game="morphos",
            now=now,
        )


def check(reply: Reply, where: object) -> None:
    """Assert that an answer was taken by Discord and is whole; the loopback refuses what is too long."""
    assert not reply.failed, where
    if reply.modal is None:
        assert 0 < len(reply.text) <= 2000, where
        assert not reply.text.endswith("…"), where


def commands_without_options(env: BotEnvironment) -> Iterator[str]:
    """Yield the commands and subcommands that can be sent without an option."""
    for command in env.discord.commands:
        if command["type"] != 1:
            continue
        options = command.get("options", ())
        subcommands = [one for one in options if one["type"] == SUB_COMMAND]
        for one in subcommands or [command]:
            if not any(option.get("required") for option in one.get("options", ())):
                yield f"{command['name']} {one['name']}" if subcommands else command["name"]


@pytest.fixture
async def carol(env: BotEnvironment) -> Member:
    """Return Carol with very much data, who may manage the guild."""
    member = env.guild.member("Carol")
    member.user.name = LONGEST
    env.channel.allow(member, Permission.MANAGE_GUILD)
    await fill(env, Person(f"discord:{member.id}", LONGEST))
    return member


@pytest.mark.long
async def test_every_command_answers_whole_and_every_page_opens(env: BotEnvironment, carol: Member) -> None:
    form = await carol.command("note", {"match": "1"}, channel=env.channel)
    check(await carol.submit(form, {"note": "_" * (MAX_NOTE_LENGTH // 2)}), "note")
    for name in commands_without_options(env):
        reply = await carol.command(name, {}, channel=env.channel)
        reply = await reply.wait_until_complete() if reply.deferred else reply
        check(reply, name)
        for page in range(PAGES):
            if reply.modal or "Next" not in [one.label for one in reply.shown.buttons if not one.disabled]:
                break
            reply = await carol.click(reply, "Next")
            check(reply, (name, page))


@pytest.mark.long
async def test_every_suggestion_fits(env: BotEnvironment, carol: Member) -> None:
    for command, option in completed_options(env):
        name = option["name"]
        for text in ("", "_*", "3"):
            found = await carol.autocomplete(command["name"], {name: text}, focused=name, channel=env.channel)
            assert all(one.name and one.value for one in found)
