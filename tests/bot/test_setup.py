"""Free and pairs set-up: several placements in a turn, incomplete series, one post for a whole series."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment


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
        ("A2 A3 A4", "You can play only 2 moves now in match 1, but you gave 3"),
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
