"""Context menus: challenge a member, see their profile, see the board of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.environment import running_bot

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment


async def test_member_is_challenged_to_the_chosen_game_also_after_a_restart(env: BotEnvironment) -> None:
    question = await env.alice.use_menu("Challenge", env.bob, channel=env.channel)
    assert question.ephemeral
    assert [button.label for button in question.buttons][:3] == ["Morelli", "Morphos", "Morabaraba"]
    await env.bot.close()
    async with running_bot(env.discord, env.database):
        reply = await env.alice.click(question, "Morphos")
        assert (reply.updated, reply.buttons) == (True, [])
        challenge = await env.channel.wait_for(lambda one: "challenges" in one.text)
        assert "**Alice challenges <@" in challenge.text
        assert "Morphos" in challenge.text
        accepted = await env.bob.click(challenge, "Accept")
        assert "Accepted" in accepted.text


@pytest.mark.parametrize("target", ["alice", "robot"])
async def test_nobody_challenges_themselves_or_a_bot(env: BotEnvironment, target: str) -> None:
    member = env.alice if target == "alice" else env.guild.member("Robot", bot=True)
    reply = await env.alice.use_menu("Challenge", member, channel=env.channel)
    assert reply.ephemeral
    assert "yourself" in reply.text or "is a bot" in reply.text


async def test_profile_of_a_member_is_shown(env: BotEnvironment) -> None:
    reply = await env.alice.use_menu("Profile", env.bob, channel=env.channel)
    assert reply.ephemeral
    assert "Bob" in reply.text


@pytest.mark.long
async def test_board_of_a_message_is_shown_from_the_own_side(env: BotEnvironment) -> None:
    board = await env.start_match()
    await env.move(env.alice, "D1-D4")
    await env.wait_until_idle()  # until then the link to the latest board may still lead to the one before
    shown = await env.bob.use_menu("Show this board", board, channel=env.channel)
    assert shown.ephemeral
    viewed = await env.bob.click(board, "My view")
    assert shown.text == viewed.text
    assert shown.attachments[0].description == viewed.attachments[0].description


async def test_message_without_a_board_is_refused(env: BotEnvironment) -> None:
    said = await env.bob.say("hello", channel=env.channel)
    challenge = await env.make_challenge()
    for message in (said, challenge.shown):
        reply = await env.alice.use_menu("Show this board", message, channel=env.channel)
        assert (reply.ephemeral, reply.text) == (
            True,
            "This message shows no board. Use /board to see your match.",
        )


async def test_challenge_from_the_menu_suits_a_first_game(env: BotEnvironment) -> None:
    asked = await env.alice.use_menu("Challenge", env.bob, channel=env.channel)
    await env.alice.click(asked, "Morelli")
    await env.wait_until_idle()
    assert "9 \N{MULTIPLICATION SIGN} 9 · Facing" in env.latest_message.text
