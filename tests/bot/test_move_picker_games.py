"""Picking moves in the games in which stones are placed, flipped and removed, or sides swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import MatchId
from tests.bot.environment import labels
from tests.bot.test_move_picker import FILE, menu_values, select_cell, stored_moves

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message, Reply

POINT, REMOVE = "Point", "Man"


async def start_and_play(env: BotEnvironment, *moves: str, **options: str) -> Message:
    """Start a match of another game, play these moves in turn by text, and return the board."""
    accepted = await env.bob.click(await env.make_challenge(**options), "Accept")
    board = await env.wait_for_board(after=accepted)
    for number, move in enumerate(moves):
        board = (await env.move(env.bob if number % 2 else env.alice, move)).shown
    return board


async def choose_point(person: Member, dialog: Reply, point: str, menu: str = POINT) -> Reply:
    """Choose a point in a menu with this name."""
    assert str(dialog.selects[0].placeholder).startswith((menu, FILE))
    return await select_cell(person, dialog, point)


# Morphos. White's stones on B3, A3, A2 and B1 make Black's B2 vulnerable.
VULNERABLE = ("B2", "B3", "E5", "A3", "D4", "A2", "E3", "B1", "D2")


@pytest.mark.long
async def test_first_stone_needs_no_choice_of_the_kind_of_turn(env: BotEnvironment) -> None:
    board = await start_and_play(env, game="morphos", board="13")
    dialog = await env.alice.click(board, "Pick")
    assert dialog.content.startswith("Where do you place your stone?")
    preview = await choose_point(env.alice, dialog, "G7")
    assert preview.content.startswith("**Black places G7**")
    await env.alice.click(preview, "Confirm")
    assert await stored_moves(env) == ["G7"]


@pytest.mark.long
async def test_second_player_can_swap_sides(env: BotEnvironment) -> None:
    board = await start_and_play(env, "C3", game="morphos", board="5")
    dialog = await env.bob.click(board, "Pick")
    assert labels(dialog) == ["Place a stone", "Swap sides", "Flip board"]
    reply = await env.bob.click(await env.bob.click(dialog, "Swap sides"), "Confirm")
    assert await stored_moves(env) == ["C3", "swap"]
    assert env.alice.pings[-1] is reply.message
    view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
    assert [seat.person.name for seat in view.seats] == ["Bob", "Alice"]


@pytest.mark.long
async def test_vulnerable_stone_can_be_flipped(env: BotEnvironment) -> None:
    board = await start_and_play(env, *VULNERABLE, game="morphos", board="5")
    dialog = await env.bob.click(board, "Pick")
    assert labels(dialog) == ["Place a stone", "Flip a stone", "Flip board"]
    preview = await env.bob.click(dialog, "Flip a stone")
    assert preview.content.startswith("**White flips B2**")
    await env.bob.click(preview, "Confirm")
    assert await stored_moves(env) == [*VULNERABLE, "xB2"]


@pytest.mark.long
async def test_back_can_return_to_a_skipped_question(env: BotEnvironment) -> None:
    board = await start_and_play(env, *VULNERABLE, game="morphos", board="5")
    preview = await env.bob.click(await env.bob.click(board, "Pick"), "Flip a stone")
    dialog = await env.bob.click(preview, "Back")
    assert dialog.content.startswith("Which stone do you flip?")
    assert menu_values(dialog) == ["B2"]
    dialog = await env.bob.click(dialog, "Back")
    assert labels(dialog) == ["Place a stone", "Flip a stone", "Flip board"]


@pytest.mark.long
async def test_second_stone_can_be_omitted(env: BotEnvironment) -> None:
    board = await start_and_play(env, game="morphos", board="5", mutators="c")
    dialog = await choose_point(env.alice, await env.alice.click(board, "Pick"), "C3")
    assert dialog.content.startswith("Do you place a second stone, in addition to C3?")
    await env.alice.click(await env.alice.click(dialog, "Only this one"), "Confirm")
    assert await stored_moves(env) == ["C3"]


@pytest.mark.long
async def test_two_stones_can_be_placed_in_one_turn(env: BotEnvironment) -> None:
    board = await start_and_play(env, game="morphos", board="5", mutators="c")
    dialog = await choose_point(env.alice, await env.alice.click(board, "Pick"), "D3")
    dialog = await choose_point(env.alice, dialog, "C4", "Second point")
    await env.alice.click(dialog, "Confirm")
    assert await stored_moves(env) == ["C4,D3"]


@pytest.mark.long
async def test_captured_stone_must_be_returned_first(env: BotEnvironment) -> None:
    board = await start_and_play(env, *VULNERABLE, "xB2", game="morphos", board="5", mutators="d")
    dialog = await env.alice.click(board, "Pick")
    assert dialog.content.startswith("Where do you put the captured stone back?")
    dialog = await choose_point(env.alice, dialog, "C5")
    preview = await choose_point(env.alice, dialog, "C1")
    assert preview.content.startswith("**Black puts the captured stone back on C5, places C1**")
    await env.alice.click(preview, "Confirm")
    assert (await stored_moves(env))[-1] == "C5+C1"


# Morabaraba. White is about to close A1, D1 and G1.
ALMOST_MILL = ("A1", "A7", "D1", "D7")


async def close_mill(env: BotEnvironment) -> Reply:
    """Pick G1 as Alice, White, which closes a mill."""
    board = await start_and_play(env, *ALMOST_MILL, game="morabaraba", colour="white")
    dialog = await env.alice.click(board, "Pick")
    descriptions = {option.value: option.description for option in dialog.selects[0].options}
    assert descriptions["G1"] == "closes the mill A1, D1 and G1"
    return await choose_point(env.alice, dialog, "G1")


@pytest.mark.long
async def test_closed_mill_asks_which_man_to_remove(env: BotEnvironment) -> None:
    dialog = await close_mill(env)
    assert dialog.content.startswith(
        "**White places G1, closes the mill A1, D1 and G1**. Which man do you remove?"
    )
    assert menu_values(dialog) == ["A7", "D7"]
    preview = await env.alice.select(dialog, REMOVE, ["D7"])
    assert preview.content.startswith("**White places G1, closes the mill A1, D1 and G1, removes D7**")
    await env.alice.click(preview, "Confirm")
    assert (await stored_moves(env))[-1] == "G1xD7"


@pytest.mark.long
async def test_removal_can_be_declined(env: BotEnvironment) -> None:
    dialog = await close_mill(env)
    await env.alice.click(await env.alice.click(dialog, "Remove none"), "Confirm")
    assert (await stored_moves(env))[-1] == "G1~"
