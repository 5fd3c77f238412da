"""Who keeps clear of whom: blocks between people, and people kept out of a server's matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.discord_server import NotPossible

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member


async def test_block_is_private_and_keeps_challenges_away(stage: Stage) -> None:
    reply = await stage.bob.command("block", {"person": stage.alice}, channel=stage.channel)
    assert reply.ephemeral
    assert "You have blocked Alice" in reply.text
    refused = await stage.challenge()
    assert refused.ephemeral
    assert "Bob does not play with you" in refused.text
    assert stage.channel.messages == []
    assert stage.bob.pings == []


async def test_whoever_has_blocked_somebody_is_told_how_to_take_it_back(stage: Stage) -> None:
    await stage.alice.command("block", {"person": stage.bob}, channel=stage.channel)
    refused = await stage.challenge()
    assert "You have blocked Bob" in refused.text
    assert "/unblock" in refused.text


async def test_open_challenge_is_not_accepted_across_a_block(stage: Stage) -> None:
    challenge = await stage.challenge(opponent=None)
    await stage.alice.command("block", {"person": stage.bob}, channel=stage.channel)
    refused = await stage.bob.click(challenge, "Accept")
    assert refused.ephemeral
    assert "Alice does not play with you" in refused.text
    assert "Accept" in [button.label for button in challenge.buttons]
    eve = stage.guild.member("Eve")
    await eve.click(challenge, "Accept")
    await stage.board(after=challenge)


async def test_match_under_way_goes_on(stage: Stage) -> None:
    board = await stage.start()
    await stage.bob.command("block", {"person": stage.alice}, channel=stage.channel)
    assert "Black C1-D2" in (await stage.type(stage.alice, board, "C1-D2")).text


async def test_block_is_listed_and_taken_back(stage: Stage) -> None:
    listed = await stage.bob.command("block", {}, channel=stage.channel)
    assert "You have blocked nobody" in listed.text
    await stage.bob.command("block", {"person": stage.alice}, channel=stage.channel)
    again = await stage.bob.command("block", {"person": stage.alice}, channel=stage.channel)
    assert "already" in again.text
    listed = await stage.bob.command("block", {}, channel=stage.channel)
    assert "You have blocked Alice." in listed.text
    assert listed.ephemeral
    undone = await stage.bob.command("unblock", {"person": stage.alice}, channel=stage.channel)
    assert "taken the block back" in undone.text
    undone = await stage.bob.command("unblock", {"person": stage.alice}, channel=stage.channel)
    assert "You have not blocked Alice" in undone.text
    assert not (await stage.challenge()).ephemeral


async def test_nobody_blocks_themself_or_a_bot(stage: Stage) -> None:
    reply = await stage.bob.command("block", {"person": stage.bob}, channel=stage.channel)
    assert "yourself" in reply.text
    robot = stage.guild.member("Robot", bot=True)
    reply = await stage.bob.command("block", {"person": robot}, channel=stage.channel)
    assert "robot is a bot" in reply.text


async def test_whoever_is_kept_out_begins_no_match(stage: Stage, eve: Member) -> None:
    open_challenge = await stage.challenge(opponent=None)
    reply = await eve.command("exclude", {"person": stage.bob}, channel=stage.channel)
    assert reply.ephemeral
    assert "Bob can begin no more matches" in reply.text
    refused = await stage.bob.command("challenge", {}, channel=stage.channel)
    assert refused.ephemeral
    assert "do not want you to begin matches here" in refused.text
    refused = await stage.bob.click(open_challenge, "Accept")
    assert refused.ephemeral
    assert "do not want you to begin matches here" in refused.text
    assert "Bob cannot begin matches on this server" in (await stage.challenge()).text


async def test_matches_of_whoever_is_kept_out_go_on(stage: Stage, eve: Member) -> None:
    board = await stage.start()
    await eve.command("exclude", {"person": stage.alice}, channel=stage.channel)
    assert "Black C1-D2" in (await stage.type(stage.alice, board, "C1-D2")).text


async def test_whoever_is_let_in_again_plays(stage: Stage, eve: Member) -> None:
    await eve.command("exclude", {"person": stage.bob}, channel=stage.channel)
    panel = await eve.command("settings", {}, channel=stage.channel)
    assert "Kept out of new matches: Bob" in panel.text
    again = await eve.command("exclude", {"person": stage.bob}, channel=stage.channel)
    assert "kept out already" in again.text
    reply = await eve.command("readmit", {"person": stage.bob}, channel=stage.channel)
    assert "Bob can begin matches on this server again" in reply.text
    reply = await eve.command("readmit", {"person": stage.bob}, channel=stage.channel)
    assert "is not kept out" in reply.text
    assert not (await stage.challenge()).ephemeral


@pytest.mark.parametrize("command", ["exclude", "readmit"])
async def test_others_keep_nobody_out(stage: Stage, command: str) -> None:
    with pytest.raises(NotPossible, match=f"no command /{command}"):
        await stage.alice.command(command, {"person": stage.bob}, channel=stage.channel)
    for one in stage.discord.commands:
        one["default_member_permissions"] = None
    reply = await stage.alice.command(command, {"person": stage.bob}, channel=stage.channel)
    assert "Manage Server" in reply.text
    assert not (await stage.challenge()).ephemeral
