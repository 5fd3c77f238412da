"""Private notes, shown and edited in a modal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches.people.notes import MAX_NOTE_LENGTH

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply

FIELD = "Only you see it. Empty it to delete it."


async def open_note(env: BotEnvironment, person: Member, **options: object) -> Reply:
    """Use /note."""
    return await person.command("note", options, channel=env.channel)


def shown_note(reply: Reply) -> str | None:
    """Return the note in the modal."""
    assert reply.modal is not None
    return reply.modal.fields[0].value


async def test_note_is_saved_and_shown_again(env: BotEnvironment) -> None:
    await env.start_match()
    form = await open_note(env, env.alice)
    assert not shown_note(form)
    reply = await env.alice.submit(form, {FIELD: "Hold the *corner*."})
    assert reply.ephemeral
    assert "Your note about Morelli vs Bob (#1). Only you see it:\nHold the \\*corner\\*." in reply.text
    assert shown_note(await open_note(env, env.alice)) == "Hold the *corner*."


@pytest.mark.long
async def test_note_is_only_for_its_author(env: BotEnvironment) -> None:
    await env.start_match()
    await env.alice.submit(await open_note(env, env.alice), {FIELD: "Hold the corner."})
    assert not shown_note(await open_note(env, env.bob))
    assert not shown_note(await open_note(env, env.guild.member("Carol"), match="1"))


async def test_emptied_note_is_deleted(env: BotEnvironment) -> None:
    await env.start_match()
    await env.alice.submit(await open_note(env, env.alice), {FIELD: "Hold the corner."})
    reply = await env.alice.submit(await open_note(env, env.alice), {FIELD: ""})
    assert "You have no note about Morelli vs Bob (#1)." in reply.text
    assert not shown_note(await open_note(env, env.alice))


@pytest.mark.plain("the longest note leaves no room for longer texts")
async def test_longest_note_fits_into_the_confirmation(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.alice.submit(await open_note(env, env.alice), {FIELD: "*" * MAX_NOTE_LENGTH})
    assert reply.ephemeral
    assert shown_note(await open_note(env, env.alice)) == "*" * MAX_NOTE_LENGTH


async def test_private_board_has_a_note_button(env: BotEnvironment) -> None:
    board = await env.start_match()
    private_board = await env.bob.click(board, "My view")
    form = await env.bob.click(private_board, "My note")
    await env.bob.submit(form, {FIELD: "Beware of the fork."})
    assert shown_note(await open_note(env, env.bob)) == "Beware of the fork."


async def test_match_of_another_server_is_unknown(env: BotEnvironment) -> None:
    await env.start_match()
    elsewhere = env.discord.guild("Elsewhere")
    reply = await elsewhere.member("Stranger").command("note", {"match": "1"}, channel=elsewhere.channel("x"))
    assert "There is no match #1 on this server" in reply.text
