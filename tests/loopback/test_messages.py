"""Messages that the bot posts, reads, edits and deletes on its own."""

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


async def test_a_post_is_seen_and_heard(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("hello")
    assert [one.id for one in env.bob.visible_messages(env.channel)] == [sent.id]
    assert await env.bot.wait_for_text("hello") == 1


async def test_waiting_for_a_post_is_woken_by_it(env: LoopbackEnvironment) -> None:
    waiting = asyncio.create_task(env.channel.wait_for(lambda one: one.content == "second"))
    await env.bot_channel.send("first")
    await env.bot_channel.send("second")
    assert (await waiting).content == "second"


async def test_waiting_in_vain_says_for_what(env: LoopbackEnvironment) -> None:
    with pytest.raises(TimeoutError, match="in vain for a message in #games"):
        await env.channel.wait_for(lambda one: one.content == "never", seconds=0.01)


async def test_files_keep_their_bytes_names_and_descriptions(env: LoopbackEnvironment) -> None:
    await env.bot_channel.send(files=[picture("a.png", "first"), picture("b.png", None)])
    first, second = env.channel.messages[0].attachments
    assert (first.filename, first.description, first.data) == ("a.png", "first", PNG)
    assert (second.filename, second.description, second.content_type) == ("b.png", None, "image/png")


async def test_the_cdn_serves_files(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send(file=picture())
    assert (sent.attachments[0].width, sent.attachments[0].height) == (2, 3)
    assert await sent.attachments[0].read() == PNG
    with pytest.raises(discord.NotFound):
        await env.bot.http.get_from_cdn(sent.attachments[0].url + "x")


async def test_an_embed_shows_an_attached_picture(env: LoopbackEnvironment) -> None:
    embed = discord.Embed(title="Board", description="White to move").set_image(url="attachment://board.png")
    embed.add_field(name="Turn", value="7").set_footer(text="foot", icon_url="attachment://board.png")
    sent = await env.bot_channel.send(embed=embed, file=picture())
    seen = env.channel.messages[0]
    assert sent.attachments == []
    assert seen.attachments[0].data == PNG
    assert seen.embeds[0]["image"]["url"] == seen.attachments[0].url == sent.embeds[0].image.url
    assert seen.text == "Board\nWhite to move\nTurn\n7\nfoot"


async def test_a_picture_that_is_not_attached_cannot_be_shown(env: LoopbackEnvironment) -> None:
    with pytest.raises(discord.HTTPException, match=r"called board\.png"):
        await env.bot_channel.send(embed=discord.Embed(title="Board").set_image(url="attachment://board.png"))


async def test_editing_replaces_what_is_given_and_keeps_the_rest(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("before", file=picture())
    await sent.edit(content="after")
    seen = env.channel.messages[0]
    assert (seen.content, len(seen.attachments), seen.edited is not None) == ("after", 1, True)
    assert await env.bot.wait_for_text("edited: after") == 1


async def test_editing_can_keep_add_and_drop_files(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send(files=[picture("a.png"), picture("b.png")])
    await sent.edit(attachments=[sent.attachments[1], picture("c.png")])
    assert [one.filename for one in env.channel.messages[0].attachments] == ["b.png", "c.png"]


async def test_editing_an_embed_keeps_the_picture_it_still_shows(env: LoopbackEnvironment) -> None:
    embed = discord.Embed(title="Board").set_image(url="attachment://board.png")
    sent = await env.bot_channel.send(embed=embed, file=picture())
    shown = sent.embeds[0]
    shown.title = "Still"
    await sent.edit(embed=shown, attachments=[])
    seen = env.channel.messages[0]
    assert (seen.embeds[0]["title"], len(seen.attachments)) == ("Still", 1)


async def test_deleting_takes_a_message_away(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("gone soon")
    await sent.delete()
    assert env.alice.visible_messages(env.channel) == []
    with pytest.raises(discord.NotFound) as refused:
        await env.bot_channel.fetch_message(sent.id)
    assert refused.value.code == 10008


async def test_an_empty_message_is_refused(env: LoopbackEnvironment) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        await env.bot_channel.send("  ")
    assert refused.value.code == 50006


async def test_a_unique_nonce_posts_once(env: LoopbackEnvironment) -> None:
    first = await env.bot_channel.send("board", nonce=77)
    again = await env.bot_channel.send("board", nonce=77)
    other = await env.bot_channel.send("board", nonce=78)
    assert first.id == again.id != other.id
    assert len(env.channel.messages) == 2


async def test_a_nonce_is_forgotten_after_some_minutes(env: LoopbackEnvironment) -> None:
    first = await env.bot_channel.send("board", nonce=77)
    env.discord.advance(5 * 60)
    assert (await env.bot_channel.send("board", nonce=77)).id != first.id


async def test_a_nonce_that_is_not_enforced_posts_again(env: LoopbackEnvironment) -> None:
    for _ in range(2):
        path = f"/channels/{env.channel.id}/messages"
        await env.bot.http.request(Route("POST", path), json={"content": "board", "nonce": "77"})
    assert len(env.channel.messages) == 2


async def test_history_is_paged(env: LoopbackEnvironment) -> None:
    sent = [await env.bot_channel.send(str(number)) for number in range(5)]
    assert [one.content async for one in env.bot_channel.history(limit=2)] == ["4", "3"]
    before = [one.content async for one in env.bot_channel.history(limit=2, before=sent[2])]
    after = [one.content async for one in env.bot_channel.history(limit=2, after=sent[2])]
    around = [one.content async for one in env.bot_channel.history(limit=3, around=sent[2])]
    assert (before, after, around) == (["1", "0"], ["3", "4"], ["3", "2", "1"])


async def test_history_shows_the_bots_own_buttons_and_hides_the_words_of_others(
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


async def test_ephemeral_messages_are_in_no_history(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("match resign", {"number": 1}, channel=env.channel)
    assert [one async for one in env.bot_channel.history()] == []
    with pytest.raises(discord.NotFound):
        await env.bot_channel.fetch_message(reply.shown.id)
    with pytest.raises(discord.NotFound):
        await env.bot.http.delete_message(env.channel.id, reply.shown.id)


async def test_a_reply_points_at_its_message(env: LoopbackEnvironment) -> None:
    asked = await env.alice.say("when?", channel=env.channel)
    await env.bot_channel.get_partial_message(asked.id).reply("now", mention_author=True)
    answer = env.channel.messages[-1]
    assert (answer.reference, answer.pinged) == (asked, (env.alice.user,))


async def test_a_reply_to_nothing_is_refused(env: LoopbackEnvironment) -> None:
    reference = discord.MessageReference(message_id=1, channel_id=env.channel.id)
    with pytest.raises(discord.HTTPException) as refused:
        await env.bot_channel.send("now", reference=reference)
    assert refused.value.code == 50035
    assert env.channel.messages == []


async def test_a_reply_to_nothing_can_do_without(env: LoopbackEnvironment) -> None:
    reference = discord.MessageReference(message_id=1, channel_id=env.channel.id, fail_if_not_exists=False)
    await env.bot_channel.send("now", reference=reference)
    assert env.channel.messages[0].reference is None


async def test_anothers_message_can_be_neither_edited_nor_deleted(env: LoopbackEnvironment) -> None:
    said = await env.alice.say("mine", channel=env.channel)
    partial = env.bot_channel.get_partial_message(said.id)
    with pytest.raises(discord.Forbidden):
        await partial.edit(content="stolen")
    with pytest.raises(discord.Forbidden):
        await partial.delete()
    assert env.channel.messages == [said]


async def test_the_log_tells_what_was_sent(env: LoopbackEnvironment) -> None:
    env.discord.requests.clear()
    await env.bot_channel.send("hello", file=discord.File(io.BytesIO(b"x"), "x.txt"))
    (entry,) = env.discord.requests
    assert (entry.method, entry.route, entry.status) == ("POST", "/channels/{channel_id}/messages", 200)
    assert entry.path == f"/channels/{env.channel.id}/messages"
    assert (entry.body["content"], entry.uploads[0].data) == ("hello", b"x")
