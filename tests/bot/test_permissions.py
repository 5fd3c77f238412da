"""What the bot lacks in a channel is told by name, once, to the person who asked, before anything is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.discord_server import DEFAULT, Permission

if TYPE_CHECKING:
    from tests.bot.stage import Stage


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        (Permission.ATTACH_FILES, "the permission Attach Files."),
        (Permission.EMBED_LINKS, "the permission Embed Links."),
        (Permission.READ_MESSAGE_HISTORY, "the permission Read Message History."),
        (Permission.ATTACH_FILES | Permission.EMBED_LINKS, "the permissions Embed Links and Attach Files."),
        (Permission.SEND_MESSAGES, "the permission Send Messages."),
    ],
)
async def test_challenge_is_refused(stage: Stage, lacking: Permission, told: str) -> None:
    stage.channel.permit(stage.guild.bot_member, DEFAULT & ~lacking)
    reply = await stage.challenge()
    assert f"I lack {told}" in reply.text
    assert reply.ephemeral
    assert not stage.channel.messages
    assert not reply.followups


async def test_move_is_refused_and_not_played(stage: Stage) -> None:
    board = await stage.start()
    stage.channel.deny(stage.guild.bot_member, Permission.ATTACH_FILES)
    reply = await stage.move(stage.alice, "C1-D2")
    assert "I lack the permission Attach Files" in reply.text
    assert "Nothing was done" in reply.text
    stage.channel.permit(stage.guild.bot_member, DEFAULT)
    assert "Black C1-D2" in (await stage.type(stage.alice, board, "C1-D2")).text


async def test_acceptance_is_refused_and_the_challenge_stands(stage: Stage) -> None:
    challenge = await stage.challenge()
    stage.channel.deny(stage.guild.bot_member, Permission.SEND_MESSAGES)
    reply = await stage.bob.click(challenge, "Accept")
    assert "Send Messages" in reply.text
    assert reply.ephemeral
    assert challenge.buttons


async def test_thread_needs_its_own_permission(stage: Stage) -> None:
    thread = stage.channel.thread("duel", stage.alice)
    stage.channel.deny(stage.guild.bot_member, Permission.SEND_MESSAGES_IN_THREADS)
    reply = await stage.alice.command("challenge", {"opponent": stage.bob}, channel=thread)
    assert "Send Messages in Threads" in reply.text
    assert reply.ephemeral


async def test_looking_needs_nothing(stage: Stage) -> None:
    await stage.start()
    stage.channel.deny(stage.guild.bot_member, Permission.SEND_MESSAGES | Permission.ATTACH_FILES)
    assert "Match 1" in (await stage.alice.command("board", {}, channel=stage.channel)).text
