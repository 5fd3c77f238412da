"""Pictures and colours are never the only carrier of information."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message


async def collect_picture_messages(env: BotEnvironment) -> list[Message]:
    """Produce every kind of message that contains a picture, and return them all."""
    channel, alice, eve = env.channel, env.alice, env.guild.member("Eve")
    await env.start_match(time_control="4d")
    await eve.command("watch", {}, channel=channel)
    await env.move(alice, "C1-D2")
    post = await env.move(env.bob, "A2-B3")
    await alice.command("board", {}, channel=channel)
    await alice.command("preferences", {}, channel=channel)
    await alice.command("rules", {}, channel=channel)
    await alice.command("whatif", {}, channel=channel)
    reply = await alice.click(post, "Pick")
    while "Confirm" not in [button.label for button in reply.buttons]:
        menu = reply.selects[0]
        reply = await alice.select(reply, menu.placeholder or "", [menu.options[0].value])
    paged = await alice.command("replay", {}, channel=channel)
    await alice.click(paged, "Post it here")
    await (await alice.click(paged, "Animation")).wait_until_complete()
    await (await alice.command("export", {}, channel=channel)).wait_until_complete()
    await env.advance_time(days=3, hours=1)
    await env.bob.click(await env.bob.command("resign", {}, channel=channel), "Resign")
    await env.wait_until_idle()
    await env.bot.outbox.run_once()
    every = [one for place in env.discord.world.channels.values() for one in place.messages]
    return [message for message in every if message.attachments]


@pytest.mark.long
async def test_every_picture_has_an_equivalent_alt_text(env: BotEnvironment) -> None:
    found = await collect_picture_messages(env)
    shown = [
        file for message in found for file in message.attachments if file.filename.endswith((".png", ".gif"))
    ]
    assert {message.channel.kind.name for message in found} == {"TEXT", "DM"}
    assert len(shown) > 14
    assert [file.filename for file in shown if len(file.description or "") < 40] == []
