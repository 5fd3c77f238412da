"""Boards as text, for screen readers and braille displays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import render
from bot.posts import board_text
from engine import GAMES
from tests.games import TEXTS

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply


def lines(position: str, room: int = 2000) -> list[str]:
    """Return the lines of the text that describes a position."""
    board = GAMES[position.split(maxsplit=1)[0]].load(position)
    return board_text.describe_board(TEXTS, board, render.RenderOptions(TEXTS), room)


async def board(env: BotEnvironment) -> Reply:
    """Show Alice the board as text."""
    return await env.alice.command("board", {"text": True}, channel=env.channel)


async def test_text_board_has_no_picture(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    reply = await board(env)
    assert reply.ephemeral
    assert not reply.attachments
    assert "**Morelli #1**: Alice (Black) \u2013 Bob (White)" in reply.text
    assert "Black C1-D2. Bob (White) to play." in reply.text
    assert "Black, 16: A1, B1, B9, C9, D1, D2, D9" in reply.text
    assert "White, 16: A2" in reply.text
    assert "The Centre E5 is empty." in reply.text
    assert "```\n9 w b b" in reply.text


async def test_text_board_has_the_same_buttons(env: BotEnvironment) -> None:
    await env.start_match()
    pictured = await env.alice.command("board", {}, channel=env.channel)
    assert [one.label for one in (await board(env)).buttons] == [one.label for one in pictured.buttons]


async def test_text_board_before_the_simultaneous_choice_lists_no_stones(env: BotEnvironment) -> None:
    await env.start_match(start="fists")
    assert "There is no board yet" in (await board(env)).text


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (
            "morelli nestor 9/9/9/2bbb4/3wBb3/9/w8/9/9 b -",
            ["Black, 4: C6, D6, E6, F5.", "Black's tower holds the Centre E5.", "White, 2: A3, D5."],
        ),
        (
            "morelli 2015 11/11/11/11/5b5/4bWb4/5b5/11/11/11/11 w -",
            [
                "Black, 4: E6, F5, F7, G6.",
                "White has nothing on the board.",
                "White's king sits on the throne F6.",
            ],
        ),
        (
            "morelli 2015 11/11/11/11/5b5/11/5w5/11/11/11/11 w -",
            ["Black, 1: F7.", "White, 1: F5.", "The throne F6 is empty."],
        ),
        ("morphos - 5/5/ww3/wb3/1w3 w 5 -", ["Black, 1: B2.", "White, 4: A2, A3, B1, B3."]),
        ("morabaraba 12 3/3/1w1/2w2r/3/3/3 w 10,11 -", ["White, 2: C4, D5.", "Red, 1: G4."]),
    ],
)
def test_stones_are_listed_by_side_and_cell(position: str, expected: list[str]) -> None:
    *found, diagram = lines(position)
    assert found == expected
    assert diagram.startswith("```\n")


def test_diagram_is_omitted_if_it_does_not_fit() -> None:
    position = "morphos - 5/5/ww3/wb3/1w3 w 5 -"
    assert lines(position, room=100) == lines(position)[:-1]


def test_fullest_board_fits_into_a_message() -> None:
    rows = "/".join(["bw" * 9 + "b", "wb" * 9 + "w"] * 9 + ["bw" * 9 + "b"])
    assert sum(len(line) + 1 for line in lines(f"morphos - {rows} b 361 -", room=1800)) < 1800


@pytest.mark.parametrize("room", [1000, 1500])
def test_board_with_too_many_pieces_for_a_list_is_a_diagram(room: int) -> None:
    rows = "/".join(["bw" * 9 + "b", "wb" * 9 + "w"] * 9 + ["bw" * 9 + "b"])
    (shown,) = lines(f"morphos - {rows} b 361 -", room)
    assert shown.startswith("```\n")
    assert len(shown) <= room


async def want_words(env: BotEnvironment) -> None:
    """Turn on boards in words for Bob, in his preferences."""
    panel = await env.bob.command("preferences", {}, channel=env.channel)
    shown = await env.bob.select(panel, "Boards in words, for screen readers", ["words"])
    assert "Boards in words: yes, always" in shown.text


@pytest.mark.long
async def test_posts_list_the_pieces_for_a_player_who_wants_words(env: BotEnvironment) -> None:
    before = await env.start_match()
    assert "A1, B1" not in before.text
    await want_words(env)
    post = await env.move(env.alice, "C1-D2")
    assert "Alice: **Black C1-D2**" in post.text
    assert "Black, 16: A1, B1, B9" in post.text
    assert post.attachments
    assert "The Centre E5 is empty." in (await env.move(env.bob, "A2-B3")).text
    await env.wait_until_idle()
    await env.bot.outbox.run_once()
    assert "Black, 16" not in post.shown.text  # no longer the latest board


@pytest.mark.long
async def test_private_boards_are_text_for_a_player_who_wants_words(env: BotEnvironment) -> None:
    board_post = await env.start_match()
    await want_words(env)
    for reply in (
        await env.bob.click(board_post, "My view"),
        await env.bob.command("board", {}, channel=env.channel),
    ):
        assert "```\n" in reply.text
        assert not reply.attachments
    pictured = await env.bob.command("board", {"text": False}, channel=env.channel)
    assert pictured.attachments
    assert "A1, B1, B9" not in (await env.alice.click(board_post, "My view")).text


@pytest.mark.long
async def test_post_with_very_many_pieces_leaves_out_the_list(env: BotEnvironment) -> None:
    for person in (env.alice, env.bob):
        person.user.name = "*_" * 16
    await want_words(env)
    board_post = await env.start_match(game="morphos", board="19", start=None, mutators="e")
    assert len(board_post.text) < 2000
    assert board_post.text.rstrip().splitlines()[-1].startswith("-# Morphos #1")


@pytest.mark.long
async def test_reminder_lists_the_pieces_for_a_player_who_wants_words(env: BotEnvironment) -> None:
    await env.start_match(time_control="4d")
    await want_words(env)
    await env.move(env.alice, "C1-D2")
    await env.advance_time(days=3, hours=1)
    reminder = env.bob.dms[-1]
    assert "your turn" in reminder.text
    assert "Black, 16: A1, B1, B9" in reminder.text
