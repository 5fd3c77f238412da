"""Slash commands and autocompletes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.loopback.conftest import Stage


async def test_a_command_is_answered_for_all_to_see(stage: Stage) -> None:
    reply = await stage.alice.command("say", {"text": "hello"}, channel=stage.channel)
    assert reply.content == "hello"
    assert [message.content for message in stage.bob.sees(stage.channel)] == ["hello"]


async def test_options_of_every_kind_arrive(stage: Stage) -> None:
    options = {"text": "hey", "to": stage.bob, "loud": "yes", "times": 2}
    reply = await stage.alice.command("/say", options, channel=stage.channel)
    assert reply.content == f"{stage.bob.mention} HEY HEY"
    assert stage.bob.pings == [reply.message]
    assert stage.alice.pings == []


async def test_panel(stage: Stage) -> None:
    reply = await stage.alice.command("panel", channel=stage.channel)
    assert [one.label for one in reply.buttons][:3] == ["Update", "Whisper", "Form"]
    update = await stage.bob.click(reply, "Update")
    assert update.updated
    assert update.message is reply.message
    assert reply.content == "updated"
    assert [one.filename for one in reply.attachments] == ["new.png"]
    whisper = await stage.bob.click(reply, "Whisper")
    assert whisper.ephemeral
    form = await stage.bob.click(reply, "Form")
    assert form.modal
    said = await stage.bob.submit(form, {"Move": "D1-I6", "Side": "Black"})
    assert said.content == "D1-I6 by ['Black']"
    old = await stage.bob.click(reply, "Old form")
    said = await stage.bob.submit(old, {})
    assert reply.content == "form: as it was"
    await (await stage.bob.click(reply, "Later")).finished()
    assert reply.content == "changed later"
    twice = await stage.bob.click(reply, "Twice")
    assert twice.content == "once"
    await stage.discord.wait_until(lambda: twice.followups)
    assert twice.followups[0].content == "refused with 40060"
    await stage.alice.select(reply, "Stone", ["D1", "Right"])
    assert reply.content == "stones ['D1', 'E1']"
    count = await stage.alice.command("count", channel=stage.channel)
    await stage.alice.click(count, "Count 0")
    await stage.alice.click(count, "Count 1")
    assert count.content == "counted 2"
    choices = await stage.alice.autocomplete("move", {"move": "D1"}, focused="move", channel=stage.channel)
    assert [one.name for one in choices] == ["D1-I6", "D1-E2"]
    res = await stage.alice.command("match resign", {"number": 3}, channel=stage.channel)
    assert res.content == "resigned 3"
