"""Messages that the bot sends, reads, edits and deletes."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

import discord
import pytest
from discord.http import Route

from tests.loopback.bot import PNG, CounterButton, picture

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment


async def test_message_is_visible_and_dispatched(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("hello")
    assert [one.id for one in env.bob.visible_messages(env.channel)] == [sent.id]
    assert await env.bot.wait_for_text("hello") == 1


async def test_wait_for_returns_a_future_message(env: LoopbackEnvironment) -> None:
    waiting = asyncio.create_task(env.channel.wait_for(lambda one: one.content == "second"))
    await env.bot_channel.send("first")
    await env.bot_channel.send("second")
    assert (await waiting).content == "second"


async def test_timeout_error_names_what_was_awaited(env: LoopbackEnvironment) -> None:
    with pytest.raises(TimeoutError, match="waiting for a message in #games"):
        await env.channel.wait_for(lambda one: one.content == "never", seconds=0.01)


async def test_attachments_keep_their_data_names_and_descriptions(env: LoopbackEnvironment) -> None:
    await env.bot_channel.send(files=[picture("a.png", "first"), picture("b.png", None)])
    first, second = env.channel.messages[0].attachments
    assert (first.filename, first.description, first.data) == ("a.png", "first", PNG)
    assert (second.filename, second.description, second.content_type) == ("b.png", None, "image/png")


async def test_cdn_serves_attachments(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send(file=picture())
    assert (sent.attachments[0].width, sent.attachments[0].height) == (2, 3)
    assert await sent.attachments[0].read() == PNG
    with pytest.raises(discord.NotFound):
        await env.bot.http.get_from_cdn(sent.attachments[0].url + "x")


async def test_embed_can_show_an_attachment(env: LoopbackEnvironment) -> None:
    embed = discord.Embed(title="Board", description="White to move").set_image(url="attachment://board.png")
    embed.add_field(name="Turn", value="7").set_footer(text="foot", icon_url="attachment://board.png")
    sent = await env.bot_channel.send(embed=embed, file=picture())
    seen = env.channel.messages[0]
    assert sent.attachments == []
    assert seen.attachments[0].data == PNG
    assert seen.embeds[0]["image"]["url"] == seen.attachments[0].url == sent.embeds[0].image.url
    assert seen.text == "Board\nWhite to move\nTurn\n7\nfoot"


async def test_embed_of_a_missing_attachment_is_refused(env: LoopbackEnvironment) -> None:
    with pytest.raises(discord.HTTPException, match=r"called board\.png"):
        await env.bot_channel.send(embed=discord.Embed(title="Board").set_image(url="attachment://board.png"))


async def test_edit_replaces_only_the_given_parts(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("before", file=picture())
    await sent.edit(content="after")
    seen = env.channel.messages[0]
    assert (seen.content, len(seen.attachments), seen.edited is not None) == ("after", 1, True)
    assert await env.bot.wait_for_text("edited: after") == 1


async def test_edit_can_keep_add_and_remove_attachments(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send(files=[picture("a.png"), picture("b.png")])
    await sent.edit(attachments=[sent.attachments[1], picture("c.png")])
    assert [one.filename for one in env.channel.messages[0].attachments] == ["b.png", "c.png"]


async def test_edit_of_an_embed_keeps_its_picture(env: LoopbackEnvironment) -> None:
    embed = discord.Embed(title="Board").set_image(url="attachment://board.png")
    sent = await env.bot_channel.send(embed=embed, file=picture())
    shown = sent.embeds[0]
    shown.title = "Still"
    await sent.edit(embed=shown, attachments=[])
    seen = env.channel.messages[0]
    assert (seen.embeds[0]["title"], len(seen.attachments)) == ("Still", 1)


async def test_deleted_message_is_gone(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("gone soon")
    await sent.delete()
    assert env.alice.visible_messages(env.channel) == []
    with pytest.raises(discord.NotFound) as refused:
        await env.bot_channel.fetch_message(sent.id)
    assert refused.value.code == 10008


async def test_empty_message_is_refused(env: LoopbackEnvironment) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        await env.bot_channel.send("  ")
    assert refused.value.code == 50006


async def test_enforced_nonce_posts_once(env: LoopbackEnvironment) -> None:
    first = await env.bot_channel.send("board", nonce=77)
    again = await env.bot_channel.send("board", nonce=77)
    other = await env.bot_channel.send("board", nonce=78)
    assert first.id == again.id != other.id
    assert len(env.channel.messages) == 2


async def test_enforced_nonce_expires(env: LoopbackEnvironment) -> None:
    first = await env.bot_channel.send("board", nonce=77)
    env.discord.advance(5 * 60)
    assert (await env.bot_channel.send("board", nonce=77)).id != first.id


async def test_nonce_that_is_not_enforced_posts_again(env: LoopbackEnvironment) -> None:
    for _ in range(2):
        path = f"/channels/{env.channel.id}/messages"
        await env.bot.http.request(Route("POST", path), json={"content": "board", "nonce": "77"})
    assert len(env.channel.messages) == 2


async def test_history_has_pages(env: LoopbackEnvironment) -> None:
    sent = [await env.bot_channel.send(str(number)) for number in range(5)]
    assert [one.content async for one in env.bot_channel.history(limit=2)] == ["4", "3"]
    before = [one.content async for one in env.bot_channel.history(limit=2, before=sent[2])]
    after = [one.content async for one in env.bot_channel.history(limit=2, after=sent[2])]
    around = [one.content async for one in env.bot_channel.history(limit=3, around=sent[2])]
    assert (before, after, around) == (["1", "0"], ["3", "4"], ["3", "2", "1"])


async def test_history_contains_own_components_but_not_the_content_of_others(
    env: LoopbackEnvironment,
) -> None:
    await env.alice.say("my plan is secret", channel=env.channel)
    await env.alice.say(f"{env.guild.bot_member.mention} hello", channel=env.channel)
    await env.bot_channel.send("count", view=discord.ui.View().add_item(CounterButton(3)))
    own, mention, secret = [one async for one in env.bot_channel.history()]
    row = own.components[0]
    assert isinstance(row, discord.ActionRow)
    assert getattr(row.children[0], "custom_id", None) == "count:3"
    assert (mention.content, secret.content) == (f"{env.guild.bot_member.mention} hello", "")


async def test_ephemeral_messages_are_not_in_the_history(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("match resign", {"number": 1}, channel=env.channel)
    assert [one async for one in env.bot_channel.history()] == []
    with pytest.raises(discord.NotFound):
        await env.bot_channel.fetch_message(reply.shown.id)
    with pytest.raises(discord.NotFound):
        await env.bot.http.delete_message(env.channel.id, reply.shown.id)


async def test_reply_references_its_message(env: LoopbackEnvironment) -> None:
    asked = await env.alice.say("when?", channel=env.channel)
    await env.bot_channel.get_partial_message(asked.id).reply("now", mention_author=True)
    answer = env.channel.messages[-1]
    assert (answer.reference, answer.pinged) == (asked, (env.alice.user,))


async def test_reply_to_a_missing_message_is_refused(env: LoopbackEnvironment) -> None:
    reference = discord.MessageReference(message_id=1, channel_id=env.channel.id)
    with pytest.raises(discord.HTTPException) as refused:
        await env.bot_channel.send("now", reference=reference)
    assert refused.value.code == 50035
    assert env.channel.messages == []


async def test_reply_to_a_missing_message_can_be_allowed(env: LoopbackEnvironment) -> None:
    reference = discord.MessageReference(message_id=1, channel_id=env.channel.id, fail_if_not_exists=False)
    await env.bot_channel.send("now", reference=reference)
    assert env.channel.messages[0].reference is None


async def test_messages_of_others_cannot_be_edited_or_deleted(env: LoopbackEnvironment) -> None:
    message = await env.alice.say("mine", channel=env.channel)
    partial = env.bot_channel.get_partial_message(message.id)
    with pytest.raises(discord.Forbidden):
        await partial.edit(content="stolen")
    with pytest.raises(discord.Forbidden):
        await partial.delete()
    assert env.channel.messages == [message]


async def test_log_contains_the_requests(env: LoopbackEnvironment) -> None:
    env.discord.requests.clear()
    await env.bot_channel.send("hello", file=discord.File(io.BytesIO(b"x"), "x.txt"))
    (entry,) = env.discord.requests
    assert (entry.method, entry.route, entry.status) == ("POST", "/channels/{channel_id}/messages", 200)
    assert entry.path == f"/channels/{env.channel.id}/messages"
    assert (entry.body["content"], entry.uploads[0].data) == ("hello", b"x")
