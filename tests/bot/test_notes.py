"""Private notes: read and written in one form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.notes import LONGEST_NOTE

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Reply

FIELD = "Seen by nobody else; empty it to delete it"


async def note(stage: Stage, person: Member, **options: object) -> Reply:
    return await person.command("note", options, channel=stage.channel)


def shown(reply: Reply) -> str | None:
    assert reply.modal is not None
    return reply.modal.fields[0].value


async def test_note_is_written_and_read_again(stage: Stage) -> None:
    await stage.start()
    form = await note(stage, stage.alice)
    assert not shown(form)
    reply = await stage.alice.submit(form, {FIELD: "Hold the *corner*."})
    assert reply.ephemeral
    assert "Your note about match 1, seen by nobody else:\nHold the \\*corner\\*." in reply.text
    assert shown(await note(stage, stage.alice)) == "Hold the *corner*."


async def test_note_of_one_is_none_of_the_others(stage: Stage) -> None:
    await stage.start()
    await stage.alice.submit(await note(stage, stage.alice), {FIELD: "Hold the corner."})
    assert not shown(await note(stage, stage.bob))
    assert not shown(await note(stage, stage.guild.member("Carol"), match="1"))


async def test_emptied_note_is_deleted(stage: Stage) -> None:
    await stage.start()
    await stage.alice.submit(await note(stage, stage.alice), {FIELD: "Hold the corner."})
    reply = await stage.alice.submit(await note(stage, stage.alice), {FIELD: ""})
    assert "You have no note about match 1." in reply.text
    assert not shown(await note(stage, stage.alice))


async def test_longest_note_is_shown_whole_enough(stage: Stage) -> None:
    await stage.start()
    reply = await stage.alice.submit(await note(stage, stage.alice), {FIELD: "*" * LONGEST_NOTE})
    assert reply.ephemeral
    assert shown(await note(stage, stage.alice)) == "*" * LONGEST_NOTE


async def test_button_under_a_private_look(stage: Stage) -> None:
    board = await stage.start()
    looked = await stage.bob.click(board, "My view")
    form = await stage.bob.click(looked, "My note")
    await stage.bob.submit(form, {FIELD: "Beware of the fork."})
    assert shown(await note(stage, stage.bob)) == "Beware of the fork."


async def test_match_of_another_server_is_unknown(stage: Stage) -> None:
    await stage.start()
    elsewhere = stage.discord.guild("Elsewhere")
    reply = await elsewhere.member("Stranger").command("note", {"match": "1"}, channel=elsewhere.channel("x"))
    assert "I know no match 1 here" in reply.text
