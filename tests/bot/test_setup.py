"""Free and pairs set-up: several placements in a turn, incomplete series, one post for a whole series."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply


async def test_first_series_is_one_stone(env: BotEnvironment) -> None:
    board = await env.start_match(start="free")
    assert "it is your turn: place one stone. You play **Black**" in board.text
    reply = await env.move(env.alice, "A1")
    assert "Alice: **Black places A1**" in reply.text
    assert f"{env.bob.mention}, it is your turn: place 2 stones. You play **White**" in reply.text


async def test_complete_series_is_one_post(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A1")
    reply = await env.move(env.bob, "a2 I5")
    assert "Bob: **White places A2 and I5**" in reply.text
    assert "Alice (Black)" in reply.text
    assert "after move 3" in reply.text
    assert not reply.ephemeral
    assert env.alice.pings[-1] is reply.message


async def test_incomplete_series_is_shown_in_private(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A1")
    posts = len(env.channel.messages)
    calls = len(env.alice.pings)
    reply = await env.move(env.bob, "A2")
    assert reply.ephemeral
    assert "Saved: A2. You have one more to place" in reply.text
    assert reply.attachments
    assert len(env.channel.messages) == posts
    assert len(env.alice.pings) == calls
    whole = await env.move(env.bob, "I5")
    assert "Bob: **White places A2 and I5**" in whole.text
    assert env.alice.pings[calls:] == [whole.message]


@pytest.mark.long
async def test_series_continues_from_the_old_board_and_from_the_private_response(env: BotEnvironment) -> None:
    await env.start_match(start="free", edition="nestor")
    board = await env.move(env.alice, "A1")
    await env.submit_move(env.bob, board, "A2")
    reply = await env.submit_move(env.bob, board, "A3")
    assert "White places A2 and A3" in reply.text
    first = await env.submit_move(env.alice, reply, "B1")
    assert "one more to place" in first.text
    assert "Black places B1 and C1" in (await env.submit_move(env.alice, first, "C1")).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A2 A3 A4", "You can play only 2 moves now in Morelli vs Alice (#1), but you gave 3"),
        ("A2 A1", "A1 already holds a black stone"),
        ("A2 A2", "A2 already holds a white stone"),
        ("A2 E5", "the set-up fills only the outermost band"),
    ],
)
async def test_illegal_series_places_nothing(env: BotEnvironment, text: str, expected: str) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A1")
    reply = await env.move(env.bob, text)
    assert expected in reply.text
    assert reply.ephemeral
    assert "White places A2 and A3" in (await env.move(env.bob, "A2 A3")).text


async def test_pairs_are_described_with_both_cells(env: BotEnvironment) -> None:
    board = await env.start_match(edition="2015", start="pairs")
    assert "place one pair" in board.text
    reply = await env.move(env.alice, "B1")
    assert "Alice: **Black places B1, White H9**" in reply.text


async def test_suggestions_continue_after_complete_placements(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A1")

    async def suggestions(typed: str) -> list[str]:
        choices = await env.bob.autocomplete("move", {"move": typed}, focused="move", channel=env.channel)
        return [str(choice.value) for choice in choices]

    assert "A2" in await suggestions("a")
    assert all(text.startswith("A2 I") for text in await suggestions("A2 i"))
    assert "A2 I5" in await suggestions("A2 I")
    assert await suggestions("A2 A2") == []
    assert await suggestions("E5 A2") == []
    assert await suggestions("A2 A3 A4") == []


async def test_private_board_shows_an_incomplete_series_to_the_player(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A1")
    await env.move(env.bob, "A2")
    reply = await env.bob.command("board", {}, channel=env.channel)
    assert "Bob (White) to play" in reply.text
    assert reply.ephemeral


def seen_by(reply: Reply) -> tuple[str, list[str | None], list[bytes]]:
    """Return what a reply shows: text, alternative texts and pictures."""
    message = reply.shown
    return (
        message.text,
        [one.description for one in message.attachments],
        [one.data for one in message.attachments],
    )


@pytest.mark.long
async def test_incomplete_series_is_visible_to_its_player_alone(env: BotEnvironment) -> None:
    """Whatever the opponent and a spectator look at is the same before and after half a turn."""
    await env.start_match(start="free")
    board = await env.move(env.alice, "A1")
    carol = env.guild.member("Carol")
    looks: tuple[tuple[str, dict[str, Any]], ...] = (
        ("board", {"match": "1"}),
        ("board", {"match": "1", "text": True}),
        ("replay", {"match": "1"}),
        ("export", {"match": "1"}),
        ("whatif", {"match": "1"}),
    )

    async def look(person: Member) -> list[object]:
        seen: list[object] = [seen_by(await person.click(board, "My view"))]
        for name, options in looks:
            seen.append(seen_by(await person.command(name, options, channel=env.channel)))
        return seen

    people = (env.alice, carol)
    before = [await look(person) for person in people]
    own = await env.bob.command("board", {"match": "1"}, channel=env.channel)
    await env.move(env.bob, "A2")
    assert [await look(person) for person in people] == before
    assert seen_by(await env.bob.command("board", {"match": "1"}, channel=env.channel)) != seen_by(own)
    offer = await env.alice.command("end", {}, channel=env.channel)
    assert seen_by(offer)[2] in ([], seen_by(board)[2])
    assert "A2" not in offer.text


@pytest.mark.long
async def test_incomplete_series_can_be_undone(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A1")
    saved = await env.move(env.bob, "A2")
    undone = await env.bob.click(saved, "Undo")
    assert "You have 2 to place" in undone.text
    assert "Undo" not in [button.label for button in undone.buttons]
    saved = await env.move(env.bob, "A3")
    assert "Bob: **White places A3 and A4**" in (await env.move(env.bob, "A4")).text
    assert "there is nothing to undo" in (await env.bob.click(saved, "Undo")).text


@pytest.mark.long
async def test_pick_continues_and_changes_an_incomplete_series(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A1")
    saved = await env.move(env.bob, "A2")
    dialog = await env.bob.click(saved, "Pick")
    assert "Back" in [button.label for button in dialog.buttons]
    dialog = await env.bob.click(dialog, "Back")
    assert "Back" not in [button.label for button in dialog.buttons]
    whole = await env.move(env.bob, "A4 A5")
    assert "Bob: **White places A4 and A5**" in whole.text
