"""Blocks between people, and exclusion from the matches of a guild."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bot.ui import ids
from matches import Person
from tests.discord_server import ActionNotPossible, Upload

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member

RECORD = """[Game "morelli"]
[Rules "1"]
[Options "edition=nestor size=9 setup=facing seed=7"]
[Result "*"]

1. C1-D2
*
"""


async def test_block_is_private_and_prevents_challenges(env: BotEnvironment) -> None:
    reply = await env.bob.command("block", {"person": env.alice}, channel=env.channel)
    assert reply.ephemeral
    assert "You blocked Alice" in reply.text
    refused = await env.make_challenge()
    assert refused.ephemeral
    assert "Bob is not available" in refused.text
    assert env.channel.messages == []
    assert env.bob.pings == []


async def test_challenging_a_blocked_person_explains_how_to_unblock(env: BotEnvironment) -> None:
    await env.alice.command("block", {"person": env.bob}, channel=env.channel)
    refused = await env.make_challenge()
    assert "You have blocked Bob" in refused.text
    assert "/unblock" in refused.text


async def test_blocked_person_cannot_accept_an_open_challenge(env: BotEnvironment) -> None:
    challenge = await env.make_challenge(opponent=None)
    await env.alice.command("block", {"person": env.bob}, channel=env.channel)
    refused = await env.bob.click(challenge, "Accept")
    assert refused.ephemeral
    assert "Alice is not available" in refused.text
    assert "Accept" in [button.label for button in challenge.buttons]
    eve = env.guild.member("Eve")
    await eve.click(challenge, "Accept")
    await env.wait_for_board(after=challenge)


@pytest.mark.long
async def test_blocked_person_reads_the_same_sentence_on_every_way_to_a_match(env: BotEnvironment) -> None:
    board = await env.start_match()
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    end = await env.wait_for_board(after=board)
    opened = (await env.bob.command("challenge", {}, channel=env.channel)).shown
    done = await env.bob.command("block", {"person": env.alice}, channel=env.channel)
    assert "Alice is not notified, but reads that you are not available when they try." in done.text
    before = len(env.channel.messages), len(env.alice.pings), len(env.bob.pings)
    record = Upload("game.txt", RECORD.encode())
    imported = await env.alice.command("import", {"file": record}, channel=env.channel)
    form = await env.alice.click(await imported.wait_until_complete(), "Start a match from here")
    replies = [
        await env.make_challenge(),
        await env.alice.click(opened, "Accept"),
        await env.alice.click(await env.alice.command("lobby", {}, channel=env.channel), "Accept 2"),
        await env.alice.click(end, "Rematch"),
        await env.alice.command("rematch", {}, channel=env.channel),
        await env.alice.select(form, "A player", [env.bob]),
    ]
    assert {reply.text for reply in replies} == {replies[0].text}
    assert replies[0].text.startswith("Bob is not available. ")
    assert all(reply.ephemeral for reply in replies)
    assert (len(env.channel.messages), len(env.alice.pings), len(env.bob.pings)) == before


async def test_ongoing_match_continues_after_a_block(env: BotEnvironment) -> None:
    board = await env.start_match()
    await env.bob.command("block", {"person": env.alice}, channel=env.channel)
    assert "Black C1-D2" in (await env.submit_move(env.alice, board, "C1-D2")).text


async def test_blocks_are_listed_and_can_be_removed(env: BotEnvironment) -> None:
    listed = await env.bob.command("block", {}, channel=env.channel)
    assert "You have not blocked anyone" in listed.text
    await env.bob.command("block", {"person": env.alice}, channel=env.channel)
    again = await env.bob.command("block", {"person": env.alice}, channel=env.channel)
    assert "already" in again.text
    listed = await env.bob.command("block", {}, channel=env.channel)
    assert "You have blocked Alice." in listed.text
    assert listed.ephemeral
    undone = await env.bob.command("unblock", {"person": env.alice}, channel=env.channel)
    assert "You unblocked" in undone.text
    undone = await env.bob.command("unblock", {"person": env.alice}, channel=env.channel)
    assert "You have not blocked Alice" in undone.text
    assert not (await env.make_challenge()).ephemeral


async def test_blocking_oneself_or_a_bot_is_refused(env: BotEnvironment) -> None:
    reply = await env.bob.command("block", {"person": env.bob}, channel=env.channel)
    assert "yourself" in reply.text
    robot = env.guild.member("Robot", bot=True)
    reply = await env.bob.command("block", {"person": robot}, channel=env.channel)
    assert "robot is a bot" in reply.text


async def test_excluded_person_cannot_start_matches(env: BotEnvironment, eve: Member) -> None:
    open_challenge = await env.make_challenge(opponent=None)
    reply = await eve.command("exclude", {"person": env.bob}, channel=env.channel)
    assert reply.ephemeral
    assert "Bob can no longer start matches" in reply.text
    refused = await env.bob.command("challenge", {}, channel=env.channel)
    assert refused.ephemeral
    assert "You cannot start matches on this server" in refused.text
    refused = await env.bob.click(open_challenge, "Accept")
    assert refused.ephemeral
    assert "You cannot start matches on this server" in refused.text
    assert "Bob cannot start matches on this server" in (await env.make_challenge()).text


async def test_ongoing_matches_of_an_excluded_person_continue(env: BotEnvironment, eve: Member) -> None:
    board = await env.start_match()
    await eve.command("exclude", {"person": env.alice}, channel=env.channel)
    assert "Black C1-D2" in (await env.submit_move(env.alice, board, "C1-D2")).text


async def test_readmitted_person_can_start_matches(env: BotEnvironment, eve: Member) -> None:
    await eve.command("exclude", {"person": env.bob}, channel=env.channel)
    panel = await eve.command("settings", {}, channel=env.channel)
    assert "Excluded players: Bob" in panel.text
    again = await eve.command("exclude", {"person": env.bob}, channel=env.channel)
    assert "already excluded" in again.text
    reply = await eve.command("readmit", {"person": env.bob}, channel=env.channel)
    assert "Bob can start matches on this server again" in reply.text
    reply = await eve.command("readmit", {"person": env.bob}, channel=env.channel)
    assert "is not excluded" in reply.text
    assert not (await env.make_challenge()).ephemeral


@pytest.mark.parametrize("command", ["exclude", "readmit"])
async def test_only_managers_can_exclude(env: BotEnvironment, command: str) -> None:
    with pytest.raises(ActionNotPossible, match=f"no command /{command}"):
        await env.alice.command(command, {"person": env.bob}, channel=env.channel)
    for one in env.discord.commands:
        one["default_member_permissions"] = None
    reply = await env.alice.command(command, {"person": env.bob}, channel=env.channel)
    assert "Manage Server" in reply.text
    assert not (await env.make_challenge()).ephemeral


async def test_moderators_cannot_exclude_themselves_or_a_bot(env: BotEnvironment, eve: Member) -> None:
    for person, expected in ((eve, "cannot exclude yourself"), (env.guild.bot_member, "nothing to exclude")):
        reply = await eve.command("exclude", {"person": person}, channel=env.channel)
        assert expected in reply.text


async def test_exclusion_withdraws_open_challenges(env: BotEnvironment, eve: Member) -> None:
    challenges = [await env.make_challenge(opponent=one) for one in (None, env.bob)]
    from_bob = await env.bob.command("challenge", {}, channel=env.channel)
    await eve.command("exclude", {"person": env.alice}, channel=env.channel)
    await env.bot.outbox.run_once()
    for challenge in challenges:
        assert "Alice **withdrew** it" in challenge.text
        assert challenge.buttons == []
    assert "withdrew the challenge" in env.bob.pings[-1].text
    assert "Accept" in [button.label for button in from_bob.buttons]


@pytest.mark.long
async def test_long_list_of_blocked_people_has_pages(env: BotEnvironment) -> None:
    now, alice = env.bot.now(), ids.to_person(await env.bot.fetch_user(env.alice.id))
    for number in range(80):
        name = f"{number:02}" + "_*" * 15
        await env.bot.matches.people.blocks.block(alice, Person(f"discord:{number + 7}", name), now=now)
    reply = await env.alice.command("block", {}, channel=env.channel)
    seen = set()
    for _ in range(80):
        seen |= set(re.findall(r"\b(\d\d)\\_", reply.text))
        if "Next" not in [button.label for button in reply.buttons]:
            break
        reply = await env.alice.click(reply, "Next")
    assert len(seen) == 80
    assert "Page 7 of 7" in reply.text
