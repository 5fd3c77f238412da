"""``/lobby``: open challenges and ongoing matches, for everyone who can see their channels."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Person
from storage.posting import threads
from tests.discord_server.guilds import ChannelKind

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Channel, Member, Reply


async def show_lobby(env: BotEnvironment, person: Member, channel: Channel | None = None) -> Reply:
    """Use /lobby."""
    return await person.command("lobby", {}, channel=channel or env.channel)


def button_labels(reply: Reply) -> list[str | None]:
    """Return the labels of the buttons."""
    return [button.label for button in reply.buttons]


async def test_empty_lobby_says_so(env: BotEnvironment) -> None:
    reply = await show_lobby(env, env.alice)
    assert reply.text.startswith("There are no open challenges and no matches here. Start one with")
    assert reply.ephemeral


async def test_challenges_and_matches_are_listed(env: BotEnvironment) -> None:
    await env.start_match()
    made = await env.make_challenge(opponent=None, board="9", start="facing")
    await env.wait_until_idle()
    eve = env.guild.member("Eve")
    reply = await show_lobby(env, eve)
    here = f"<#{env.channel.id}>"
    url = f"https://discord.com/channels/{env.guild.id}/{env.channel.id}/{made.shown.id}"
    assert reply.text.splitlines()[0] == "**Open challenges**"
    assert (
        "**2.** Alice challenges anyone to Morelli, later rules · 9 × 9 · Facing · No clock · rated, "
        f"in {here}. It expires <t:" in reply.text
    )
    assert f"([post]({url}))" in reply.text
    assert "**Matches under way**\n[Morelli: Alice – Bob (#1)](" in reply.text
    assert f"), in {here}: Alice to play" in reply.text
    assert button_labels(reply) == ["Accept 2"]


async def test_challenge_can_be_accepted_from_the_lobby(env: BotEnvironment) -> None:
    made = await env.make_challenge(opponent=None, board="9", start="facing")
    await env.wait_until_idle()
    eve = env.guild.member("Eve")
    answer = await eve.click(await show_lobby(env, eve), "Accept 1")
    assert (
        answer.text == f"You accepted Alice's challenge. Morelli vs Alice (#1) begins in <#{env.channel.id}>."
    )
    assert answer.ephemeral
    board = await env.wait_for_board(after=made)
    assert "**Morelli: Alice (Black) against Eve (White).**" in board.text
    assert env.alice.pings[-1] is board
    assert "**Accepted** by Eve." in made.text
    assert not made.buttons


@pytest.mark.long
async def test_challenge_can_be_accepted_from_another_channel(env: BotEnvironment) -> None:
    made = await env.make_challenge(opponent=None, start="fists")
    await env.wait_until_idle()
    other = env.guild.channel("other")
    await env.bob.click(await show_lobby(env, env.bob, other), "Accept 1")
    post = await env.wait_for_board(after=made)
    assert "Closed fists" in post.text
    assert other.messages == []


async def test_match_accepted_in_the_lobby_starts_in_a_thread_if_set(env: BotEnvironment) -> None:
    who = Person(f"discord:{env.alice.id}", "Alice")
    await env.bot.matches.servers.change(f"discord:{env.guild.id}", who, threads=True, now=env.bot.now())
    made = await env.make_challenge(opponent=None, board="9", start="facing")
    await env.wait_until_idle()
    await env.bob.click(await show_lobby(env, env.bob), "Accept 1")
    await env.wait_until_idle()
    (thread,) = env.channel.threads
    assert "**Morelli: Alice (Black) against Bob (White).**" in thread.messages[0].text
    assert "**Accepted** by Bob." in made.text


async def test_second_acceptance_is_refused(env: BotEnvironment) -> None:
    await env.make_challenge(opponent=None)
    eve = env.guild.member("Eve")
    lobby = await show_lobby(env, eve)
    await env.bob.click(await show_lobby(env, env.bob), "Accept 1")
    assert "Bob was faster" in (await eve.click(lobby, "Accept 1")).text


async def test_challenges_of_blocked_people_are_not_listed(env: BotEnvironment) -> None:
    await env.make_challenge(opponent=None)
    await env.bob.command("block", {"person": env.alice}, channel=env.channel)
    assert "There are no open challenges" in (await show_lobby(env, env.bob)).text
    assert "Alice challenges anyone" in (await show_lobby(env, env.alice)).text


async def test_challenges_between_others_are_not_listed(env: BotEnvironment) -> None:
    await env.make_challenge()
    assert "There are no open challenges" in (await show_lobby(env, env.guild.member("Eve"))).text
    assert button_labels(await show_lobby(env, env.bob)) == ["Accept 1"]
    mine = await show_lobby(env, env.alice)
    assert "**1.** Alice challenges Bob to Morelli" in mine.text
    assert button_labels(mine) == []


async def test_lobby_is_limited_to_the_server(env: BotEnvironment) -> None:
    await env.start_match()
    there = env.discord.guild("Elsewhere")
    room = there.channel("room")
    there.join(env.alice)
    assert "There are no open challenges and no matches here" in (await show_lobby(env, env.alice, room)).text


@pytest.mark.long
async def test_hidden_channels_are_not_listed(env: BotEnvironment) -> None:
    hidden, eve = env.guild.channel("hidden"), env.guild.member("Eve")
    hidden.hide_from(eve)
    asked = {"opponent": env.bob, "board": "9", "start": "facing"}
    await env.bob.click(await env.alice.command("challenge", asked, channel=hidden), "Accept")
    await env.alice.command("challenge", {}, channel=hidden)
    await env.wait_until_idle()
    assert "There are no open challenges and no matches here" in (await show_lobby(env, eve)).text
    assert "(#1)](" in (await show_lobby(env, env.guild.member("Dave"))).text
    elsewhere = env.discord.guild("Cafe")
    zoe = elsewhere.member("Zoe")
    for command in env.discord.commands:
        options = {one["name"]: one for one in command.get("options", ())}
        if "match" not in options or command["default_member_permissions"] is not None:
            continue
        values = {name: "1d" for name, one in options.items() if one.get("required")} | {"match": "1"}
        for person, channel in ((eve, env.channel), (zoe, elsewhere.channel("games"))):
            looked = await person.command(command["name"], values, channel=channel)
            refused = "You are not watching" if command["name"] == "unwatch" else "There is no match #1 on"
            assert refused in looked.text, command["name"]


@pytest.mark.long
async def test_threads_of_hidden_channels_are_not_listed(env: BotEnvironment) -> None:
    who = Person(f"discord:{env.alice.id}", "Alice")
    await env.bot.matches.servers.change(f"discord:{env.guild.id}", who, threads=True, now=env.bot.now())
    hidden, eve = env.guild.channel("hidden"), env.guild.member("Eve")
    hidden.hide_from(eve)
    asked = {"opponent": env.bob, "board": "9", "start": "facing"}
    for channel in (env.channel, hidden):
        await env.bob.click(await env.alice.command("challenge", asked, channel=channel), "Accept")
    await env.wait_until_idle()
    assert [len(channel.threads) for channel in (env.channel, hidden)] == [1, 1]
    lobby = await show_lobby(env, eve)
    assert "(#1)]" in lobby.text
    assert "(#2)]" not in lobby.text
    assert "(#2)]" in (await show_lobby(env, env.guild.member("Dave"))).text


async def test_private_threads_are_listed_for_their_members_only(env: BotEnvironment) -> None:
    await env.start_match()
    (one,) = await env.bot.matches.views.list_recent(f"discord:{env.guild.id}")
    private = env.discord.world.new_thread(
        env.channel.state,
        "among us",
        env.alice.user,
        ChannelKind.PRIVATE_THREAD,
        env.discord.world.clock.snowflake(),
    )
    private.thread_members.add(env.discord.world.bot.id)
    env.discord.world.dispatch("THREAD_CREATE", private.json() | {"newly_created": True}, 1)
    async with env.database.transaction() as connection:
        await threads.move_match(connection, one.id, f"discord:{private.id}")
    eve = env.guild.member("Eve")
    assert "There are no open challenges" in (await show_lobby(env, eve)).text
    assert "(#1)]" in (await show_lobby(env, env.alice)).text


async def test_finished_matches_are_not_listed(env: BotEnvironment) -> None:
    await env.start_match()
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    assert "There are no open challenges and no matches here" in (await show_lobby(env, env.alice)).text


@pytest.mark.long
async def test_lobby_has_pages(env: BotEnvironment) -> None:
    for _ in range(7):
        await env.start_match()
    await env.wait_until_idle()
    reply = await show_lobby(env, env.alice)
    assert "(#7)]" in reply.text
    assert "(#1)]" not in reply.text
    assert "-# Page 1 of 2" in reply.text
    reply = await env.alice.click(reply, "Next")
    assert "(#1)]" in reply.text
    reply = await env.alice.click(reply, "Back")
    assert "-# Page 1 of 2" in reply.text
