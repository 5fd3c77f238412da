"""Responses to interactions: once, in time, by the right token, visible to the right people."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import discord
import pytest
from discord.http import Route

from tests.discord_server import ActionNotPossible, DiscordServer, Permission
from tests.loopback.bot import picture, running_bot

if TYPE_CHECKING:
    from tests.loopback.conftest import HandedInteraction, LoopbackEnvironment


def callback(handed: HandedInteraction, token: str | None = None) -> Route:
    """Return the route of an interaction's callback."""
    interaction = handed.interaction
    path = f"/interactions/{interaction.id}/{token or interaction.token}/callback?with_response=1"
    return Route("POST", path)


async def test_second_response_is_refused(env: LoopbackEnvironment) -> None:
    shown = await env.alice.command("panel", channel=env.channel)
    reply = await env.bob.click(shown, "Twice")
    await env.discord.wait_until(lambda: reply.followups)
    assert (reply.content, reply.followups[0].content) == ("once", "refused with 40060")


async def test_response_after_three_seconds_is_refused(
    env: LoopbackEnvironment,
) -> None:
    handed = await env.hand()
    env.discord.advance(3)
    assert (await handed.waiting).failed == "The application did not respond"
    with pytest.raises(discord.NotFound) as refused:
        await handed.interaction.response.send_message("too late")
    assert refused.value.code == 10062
    assert env.channel.messages == []


async def test_response_just_before_three_seconds_is_accepted(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    env.discord.advance(2)
    await handed.interaction.response.send_message("in time")
    assert (await handed.waiting).content == "in time"


async def test_deadline_also_follows_real_time(server: DiscordServer) -> None:
    server.settings.interaction_seconds = 0.01
    guild = server.guild("Salon")
    channel, alice = guild.channel("games"), guild.member("Alice")
    async with running_bot(server):
        reply = await alice.command("hand", channel=channel)
    assert reply.failed


async def test_late_autocomplete_fails(env: LoopbackEnvironment) -> None:
    env.discord.settings.interaction_seconds = 0.01
    env.discord.faults.silence()
    with pytest.raises(ActionNotPossible, match="Loading options failed"):
        await env.alice.autocomplete("move", focused="move", channel=env.channel)


async def test_interaction_without_a_gateway_session_fails_immediately(env: LoopbackEnvironment) -> None:
    await env.bot.close()
    await env.discord.gateway.invalidate()
    reply = await env.alice.command("hand", channel=env.channel)
    assert reply.failed == "The application did not respond"


async def test_token_is_valid_for_fifteen_minutes(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    await handed.interaction.response.send_message("first")
    env.discord.advance(14 * 60)
    await handed.interaction.edit_original_response(content="second")
    env.discord.advance(61)
    with pytest.raises(discord.HTTPException) as refused:
        await handed.interaction.edit_original_response(content="third")
    assert (refused.value.status, refused.value.code) == (401, 50027)
    assert (await handed.waiting).content == "second"


async def test_edit_completes_a_deferred_response(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    await handed.interaction.response.defer(ephemeral=True)
    reply = await handed.waiting
    assert (reply.deferred, reply.shown.loading, reply.ephemeral) == (True, True, True)
    await handed.interaction.edit_original_response(content="thought", attachments=[picture()])
    assert (await reply.wait_until_complete()).content == "thought"
    assert (reply.shown.loading, reply.ephemeral, reply.attachments[0].ephemeral) == (False, True, True)


async def test_first_followup_completes_a_deferred_response(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    await handed.interaction.response.defer()
    reply = await handed.waiting
    await handed.interaction.followup.send("thought")
    await handed.interaction.followup.send("and more", ephemeral=True)
    await reply.wait_until_complete()
    assert reply.content == "thought"
    assert [one.content for one in reply.followups] == ["and more"]
    assert [one.content for one in env.channel.messages] == ["thought"]
    assert len(env.alice.visible_messages(env.channel)) == 2


async def test_followups_can_be_read_edited_and_deleted(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    await handed.interaction.response.send_message("first")
    reply = await handed.waiting
    followup = await handed.interaction.followup.send("second", wait=True)
    await followup.edit(content="changed")
    assert (await handed.interaction.followup.fetch_message(followup.id)).content == "changed"
    assert [one.content for one in reply.followups] == ["changed"]
    await followup.delete()
    assert reply.followups == []
    with pytest.raises(discord.NotFound):
        await handed.interaction.followup.fetch_message(followup.id)


async def test_response_can_be_fetched_and_deleted(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    sent = await handed.interaction.response.send_message("first", file=picture())
    original = await handed.interaction.original_response()
    assert (original.id, original.attachments[0].description) == (sent.message_id, "A board")
    await handed.interaction.delete_original_response()
    assert env.channel.messages == []


async def test_messages_of_other_interactions_are_unknown(env: LoopbackEnvironment) -> None:
    other = await env.alice.command("say", {"text": "mine"}, channel=env.channel)
    handed = await env.hand()
    await handed.interaction.response.send_message("first")
    with pytest.raises(discord.NotFound) as refused:
        await handed.interaction.followup.edit_message(other.shown.id, content="stolen")
    assert refused.value.code == 10008
    assert other.content == "mine"


async def test_webhook_is_unknown_before_the_response(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    with pytest.raises(discord.NotFound) as refused:
        await handed.interaction.followup.send("early")
    assert refused.value.code == 10015


@pytest.mark.parametrize("kind", [6, 7, 8, 10])
async def test_command_refuses_response_types_for_components(env: LoopbackEnvironment, kind: int) -> None:
    handed = await env.hand()
    with pytest.raises(discord.HTTPException) as refused:
        await env.bot.http.request(callback(handed), json={"type": kind, "data": {"choices": []}})
    assert refused.value.code == 50035
    env.discord.violations.clear()
    await handed.interaction.response.send_message("right")
    assert (await handed.waiting).content == "right"


async def test_token_of_another_interaction_is_refused(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    with pytest.raises(discord.NotFound) as refused:
        await env.bot.http.request(callback(handed, "guessed"), json={"type": 5})
    assert refused.value.code == 10062


async def test_refused_response_can_be_repeated(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    with pytest.raises(discord.HTTPException, match="2000 or fewer"):
        await handed.interaction.response.send_message("x" * 2001)
    env.discord.violations.clear()
    await handed.interaction.response.send_message("short")
    assert (await handed.waiting).content == "short"


async def test_callback_returns_the_created_resource(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    made = await handed.interaction.response.send_message("whispered", ephemeral=True)
    reply = await handed.waiting
    assert made.id == handed.interaction.id
    assert made.message_id == reply.shown.id
    assert made.is_ephemeral()
    assert isinstance(made.resource, discord.InteractionMessage)
    assert made.resource.flags.ephemeral


async def test_too_large_file_is_refused(env: LoopbackEnvironment) -> None:
    env.discord.settings.attachment_limit = 1000
    handed = await env.hand()
    assert handed.interaction.filesize_limit == 1000
    large = discord.File(io.BytesIO(bytes(1001)), "large.bin")
    with pytest.raises(discord.HTTPException) as refused:
        await handed.interaction.response.send_message(file=large)
    assert (refused.value.status, refused.value.code) == (413, 40005)


async def test_responses_need_no_permission_to_send_messages(env: LoopbackEnvironment) -> None:
    env.channel.deny(env.guild.bot_member, Permission.SEND_MESSAGES | Permission.ATTACH_FILES)
    handed = await env.hand()
    assert not handed.interaction.app_permissions.send_messages
    assert not handed.interaction.app_permissions.attach_files
    assert handed.interaction.app_permissions.embed_links
    await handed.interaction.response.send_message("all the same", file=picture())
    assert len((await handed.waiting).attachments) == 1
