"""Missing permissions of the bot are named to the user, once, before anything is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.discord_server import DEFAULT, Permission

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (Permission.ATTACH_FILES, "the permission Attach Files in this channel."),
        (Permission.EMBED_LINKS, "the permission Embed Links in this channel."),
        (Permission.READ_MESSAGE_HISTORY, "the permission Read Message History in this channel."),
        (
            Permission.ATTACH_FILES | Permission.EMBED_LINKS,
            "the permissions Embed Links and Attach Files in this channel.",
        ),
        (Permission.SEND_MESSAGES, "the permission Send Messages in this channel."),
    ],
)
async def test_challenge_is_refused(env: BotEnvironment, missing: Permission, expected: str) -> None:
    env.channel.permit(env.guild.bot_member, DEFAULT & ~missing)
    reply = await env.make_challenge()
    assert f"I need {expected}" in reply.text
    assert reply.ephemeral
    assert not env.channel.messages
    assert not reply.followups


async def test_move_needs_only_what_its_post_needs(env: BotEnvironment) -> None:
    await env.start_match()
    env.channel.deny(env.guild.bot_member, Permission.EMBED_LINKS | Permission.READ_MESSAGE_HISTORY)
    reply = await env.move(env.alice, "C1-D2")
    assert "Black C1-D2" in reply.text
    assert not reply.ephemeral


async def test_acceptance_is_refused_and_the_challenge_stays_open(env: BotEnvironment) -> None:
    challenge = await env.make_challenge()
    env.channel.deny(env.guild.bot_member, Permission.SEND_MESSAGES)
    reply = await env.bob.click(challenge, "Accept")
    assert "Send Messages" in reply.text
    assert reply.ephemeral
    assert challenge.buttons


async def test_posting_in_a_thread_needs_its_own_permission(env: BotEnvironment) -> None:
    thread = env.channel.thread("duel", env.alice)
    env.channel.deny(env.guild.bot_member, Permission.SEND_MESSAGES_IN_THREADS)
    reply = await env.alice.command("challenge", {"opponent": env.bob}, channel=thread)
    assert "Send Messages in Threads" in reply.text
    assert reply.ephemeral


async def test_viewing_needs_no_permissions(env: BotEnvironment) -> None:
    await env.start_match()
    env.channel.deny(env.guild.bot_member, Permission.SEND_MESSAGES | Permission.ATTACH_FILES)
    assert "Morelli #1" in (await env.alice.command("board", {}, channel=env.channel)).text
