"""Messages that the bot posts, reads, edits and deletes on its own."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

import discord
import pytest
from discord.http import Route

from tests.loopback.bot import PNG, Count, picture

if TYPE_CHECKING:
    from tests.loopback.conftest import Stage


async def test_a_post_is_seen_and_heard(stage: Stage) -> None:
    sent = await stage.place.send("hello")
    assert [one.id for one in stage.bob.sees(stage.channel)] == [sent.id]
    assert await stage.bot.hears("hello") == 1


async def test_waiting_for_a_post_is_woken_by_it(stage: Stage) -> None:
    waiting = asyncio.create_task(stage.channel.wait_for(lambda one: one.content == "second"))
    await stage.place.send("first")
    await stage.place.send("second")
    assert (await waiting).content == "second"


async def test_waiting_in_vain_says_for_what(stage: Stage) -> None:
    with pytest.raises(TimeoutError, match="in vain for a message in #games"):
        await stage.channel.wait_for(lambda one: one.content == "never", seconds=0.01)


async def test_files_keep_their_bytes_names_and_descriptions(stage: Stage) -> None:
    await stage.place.send(files=[picture("a.png", "first"), picture("b.png", None)])
    first, second = stage.channel.messages[0].attachments
    assert (first.filename, first.description, first.data) == ("a.png", "first", PNG)
    assert (second.filename, second.description, second.content_type) == ("b.png", None, "image/png")


async def test_the_cdn_serves_files(stage: Stage) -> None:
    sent = await stage.place.send(file=picture())
    assert (sent.attachments[0].width, sent.attachments[0].height) == (2, 3)
    assert await sent.attachments[0].read() == PNG
    with pytest.raises(discord.NotFound):
        await stage.bot.http.get_from_cdn(sent.attachments[0].url + "x")


async def test_an_embed_shows_an_attached_picture(stage: Stage) -> None:
    embed = discord.Embed(title="Board", description="White to move").set_image(url="attachment://board.png")
    embed.add_field(name="Turn", value="7").set_footer(text="foot", icon_url="attachment://board.png")
    sent = await stage.place.send(embed=embed, file=picture())
    seen = stage.channel.messages[0]
    assert sent.attachments == []
    assert seen.attachments[0].data == PNG
    assert seen.embeds[0]["image"]["url"] == seen.attachments[0].url == sent.embeds[0].image.url
    assert seen.text == "Board\nWhite to move\nTurn\n7\nfoot"


async def test_a_picture_that_is_not_attached_cannot_be_shown(stage: Stage) -> None:
    with pytest.raises(discord.HTTPException, match=r"called board\.png"):
        await stage.place.send(embed=discord.Embed(title="Board").set_image(url="attachment://board.png"))


async def test_editing_replaces_what_is_given_and_keeps_the_rest(stage: Stage) -> None:
    sent = await stage.place.send("before", file=picture())
    await sent.edit(content="after")
    seen = stage.channel.messages[0]
    assert (seen.content, len(seen.attachments), seen.edited is not None) == ("after", 1, True)
    assert await stage.bot.hears("edited: after") == 1


async def test_editing_can_keep_add_and_drop_files(stage: Stage) -> None:
    sent = await stage.place.send(files=[picture("a.png"), picture("b.png")])
    await sent.edit(attachments=[sent.attachments[1], picture("c.png")])
    assert [one.filename for one in stage.channel.messages[0].attachments] == ["b.png", "c.png"]


async def test_editing_an_embed_keeps_the_picture_it_still_shows(stage: Stage) -> None:
    embed = discord.Embed(title="Board").set_image(url="attachment://board.png")
    sent = await stage.place.send(embed=embed, file=picture())
    shown = sent.embeds[0]
    shown.title = "Still"
    await sent.edit(embed=shown, attachments=[])
    seen = stage.channel.messages[0]
    assert (seen.embeds[0]["title"], len(seen.attachments)) == ("Still", 1)


async def test_deleting_takes_a_message_away(stage: Stage) -> None:
    sent = await stage.place.send("gone soon")
    await sent.delete()
    assert stage.alice.sees(stage.channel) == []
    with pytest.raises(discord.NotFound) as refused:
        await stage.place.fetch_message(sent.id)
    assert refused.value.code == 10008


async def test_an_empty_message_is_refused(stage: Stage) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        await stage.place.send("  ")
    assert refused.value.code == 50006


async def test_a_unique_nonce_posts_once(stage: Stage) -> None:
    first = await stage.place.send("board", nonce=77)
    again = await stage.place.send("board", nonce=77)
    other = await stage.place.send("board", nonce=78)
    assert first.id == again.id != other.id
    assert len(stage.channel.messages) == 2


async def test_a_nonce_is_forgotten_after_some_minutes(stage: Stage) -> None:
    first = await stage.place.send("board", nonce=77)
    stage.discord.advance(5 * 60)
    assert (await stage.place.send("board", nonce=77)).id != first.id


async def test_a_nonce_that_is_not_enforced_posts_again(stage: Stage) -> None:
    for _ in range(2):
        path = f"/channels/{stage.channel.id}/messages"
        await stage.bot.http.request(Route("POST", path), json={"content": "board", "nonce": "77"})
    assert len(stage.channel.messages) == 2


async def test_history_is_paged(stage: Stage) -> None:
    sent = [await stage.place.send(str(number)) for number in range(5)]
    assert [one.content async for one in stage.place.history(limit=2)] == ["4", "3"]
    before = [one.content async for one in stage.place.history(limit=2, before=sent[2])]
    after = [one.content async for one in stage.place.history(limit=2, after=sent[2])]
    around = [one.content async for one in stage.place.history(limit=3, around=sent[2])]
    assert (before, after, around) == (["1", "0"], ["3", "4"], ["3", "2", "1"])


async def test_history_shows_the_bots_own_buttons_and_hides_the_words_of_others(stage: Stage) -> None:
    await stage.alice.say("my plan is secret", channel=stage.channel)
    await stage.alice.say(f"{stage.guild.bot_member.mention} hello", channel=stage.channel)
    await stage.place.send("count", view=discord.ui.View().add_item(Count(3)))
    own, mention, secret = [one async for one in stage.place.history()]
    row = own.components[0]
    assert isinstance(row, discord.ActionRow)
    assert getattr(row.children[0], "custom_id", None) == "count:3"
    assert (mention.content, secret.content) == (f"{stage.guild.bot_member.mention} hello", "")


async def test_ephemeral_messages_are_in_no_history(stage: Stage) -> None:
    reply = await stage.alice.command("match resign", {"number": 1}, channel=stage.channel)
    assert [one async for one in stage.place.history()] == []
    with pytest.raises(discord.NotFound):
        await stage.place.fetch_message(reply.shown.id)
    with pytest.raises(discord.NotFound):
        await stage.bot.http.delete_message(stage.channel.id, reply.shown.id)


async def test_a_reply_points_at_its_message(stage: Stage) -> None:
    asked = await stage.alice.say("when?", channel=stage.channel)
    await stage.place.get_partial_message(asked.id).reply("now", mention_author=True)
    answer = stage.channel.messages[-1]
    assert (answer.reference, answer.pinged) == (asked, (stage.alice.user,))


async def test_a_reply_to_nothing_is_refused(stage: Stage) -> None:
    reference = discord.MessageReference(message_id=1, channel_id=stage.channel.id)
    with pytest.raises(discord.HTTPException) as refused:
        await stage.place.send("now", reference=reference)
    assert refused.value.code == 50035
    assert stage.channel.messages == []


async def test_a_reply_to_nothing_can_do_without(stage: Stage) -> None:
    reference = discord.MessageReference(message_id=1, channel_id=stage.channel.id, fail_if_not_exists=False)
    await stage.place.send("now", reference=reference)
    assert stage.channel.messages[0].reference is None


async def test_anothers_message_can_be_neither_edited_nor_deleted(stage: Stage) -> None:
    said = await stage.alice.say("mine", channel=stage.channel)
    partial = stage.place.get_partial_message(said.id)
    with pytest.raises(discord.Forbidden):
        await partial.edit(content="stolen")
    with pytest.raises(discord.Forbidden):
        await partial.delete()
    assert stage.channel.messages == [said]


async def test_the_log_tells_what_was_sent(stage: Stage) -> None:
    stage.discord.requests.clear()
    await stage.place.send("hello", file=discord.File(io.BytesIO(b"x"), "x.txt"))
    (entry,) = stage.discord.requests
    assert (entry.method, entry.route, entry.status) == ("POST", "/channels/{channel_id}/messages", 200)
    assert entry.path == f"/channels/{stage.channel.id}/messages"
    assert (entry.body["content"], entry.uploads[0].data) == ("hello", b"x")
