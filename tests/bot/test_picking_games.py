"""Picking in the games that place, flip, change sides and remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import MatchId
from tests.bot.test_picking_story import FILE, labels, listed, log

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Message, Reply

POINT, REMOVE = "A point", "A man"


async def begun(stage: Stage, *moves: str, **options: str) -> Message:
    """Start a match of another game, play these moves by text in turn, and give the board."""
    accepted = await stage.bob.click(await stage.challenge(**options), "Accept")
    board = await stage.board(after=accepted)
    for number, move in enumerate(moves):
        board = (await stage.move(stage.bob if number % 2 else stage.alice, move)).shown
    return board


async def pointed(person: Member, dialogue: Reply, point: str, menu: str = POINT) -> Reply:
    """Choose a point: its file first, where there is too much for one menu."""
    if dialogue.selects[0].placeholder == FILE:
        dialogue = await person.select(dialogue, FILE, [f"/{point[0]}"])
    return await person.select(dialogue, menu, [point])


# Morphos. White's stones on B3, A3, A2 and B1 make Black's B2 vulnerable.
WEAK = ("B2", "B3", "E5", "A3", "D4", "A2", "E3", "B1", "D2")


async def test_first_stone_is_placed_without_asking_for_the_kind_of_turn(stage: Stage) -> None:
    board = await begun(stage, game="morphos", board="13")
    dialogue = await stage.alice.click(board, "Pick")
    assert dialogue.content.startswith("Where do you place your stone?")
    preview = await pointed(stage.alice, dialogue, "G7")
    assert preview.content.startswith("**Black places G7**")
    await stage.alice.click(preview, "Confirm")
    assert await log(stage) == ["G7"]


async def test_second_player_may_change_sides(stage: Stage) -> None:
    board = await begun(stage, "C3", game="morphos", board="5")
    dialogue = await stage.bob.click(board, "Pick")
    assert labels(dialogue) == ["Place a stone", "Change sides", "Flip board"]
    reply = await stage.bob.click(await stage.bob.click(dialogue, "Change sides"), "Confirm")
    assert await log(stage) == ["C3", "swap"]
    assert stage.alice.pings[-1] is reply.message
    view = await stage.bot.matches.view(MatchId(1), now=stage.bot.now())
    assert [seat.person.name for seat in view.seats] == ["Bob", "Alice"]


async def test_vulnerable_stone_is_flipped(stage: Stage) -> None:
    board = await begun(stage, *WEAK, game="morphos", board="5")
    dialogue = await stage.bob.click(board, "Pick")
    assert labels(dialogue) == ["Place a stone", "Flip a stone", "Flip board"]
    preview = await stage.bob.click(dialogue, "Flip a stone")
    assert preview.content.startswith("**White flips B2**")
    await stage.bob.click(preview, "Confirm")
    assert await log(stage) == [*WEAK, "xB2"]


async def test_step_that_was_skipped_can_be_gone_back_to(stage: Stage) -> None:
    board = await begun(stage, *WEAK, game="morphos", board="5")
    preview = await stage.bob.click(await stage.bob.click(board, "Pick"), "Flip a stone")
    dialogue = await stage.bob.click(preview, "Back")
    assert dialogue.content.startswith("Which stone do you flip?")
    assert listed(dialogue) == ["B2"]
    dialogue = await stage.bob.click(dialogue, "Back")
    assert labels(dialogue) == ["Place a stone", "Flip a stone", "Flip board"]


async def test_second_stone_may_be_left_out(stage: Stage) -> None:
    board = await begun(stage, game="morphos", board="5", mutators="c")
    dialogue = await pointed(stage.alice, await stage.alice.click(board, "Pick"), "C3")
    assert dialogue.content.startswith("Do you place a second stone, besides C3?")
    await stage.alice.click(await stage.alice.click(dialogue, "Only this one"), "Confirm")
    assert await log(stage) == ["C3"]


async def test_two_stones_are_placed_in_one_turn(stage: Stage) -> None:
    board = await begun(stage, game="morphos", board="5", mutators="c")
    dialogue = await pointed(stage.alice, await stage.alice.click(board, "Pick"), "D3")
    dialogue = await pointed(stage.alice, dialogue, "C4", "A second point")
    await stage.alice.click(dialogue, "Confirm")
    assert await log(stage) == ["C4,D3"]


async def test_captured_stone_is_put_back_first(stage: Stage) -> None:
    board = await begun(stage, *WEAK, "xB2", game="morphos", board="5", mutators="d")
    dialogue = await stage.alice.click(board, "Pick")
    assert dialogue.content.startswith("Where do you put the captured stone back?")
    dialogue = await pointed(stage.alice, dialogue, "C5")
    preview = await pointed(stage.alice, dialogue, "C1")
    assert preview.content.startswith("**Black puts the captured stone back on C5, places C1**")
    await stage.alice.click(preview, "Confirm")
    assert (await log(stage))[-1] == "C5+C1"


# Morabaraba. White is about to close A1, D1 and G1.
ALMOST = ("A1", "A7", "D1", "D7")


async def closed(stage: Stage) -> Reply:
    """Alice, White, has picked G1, which closes a mill."""
    board = await begun(stage, *ALMOST, game="morabaraba", colour="white")
    dialogue = await stage.alice.click(board, "Pick")
    told = {option.value: option.description for option in dialogue.selects[0].options}
    assert told["G1"] == "closes the mill A1, D1 and G1"
    return await pointed(stage.alice, dialogue, "G1")


async def test_closed_mill_asks_which_man_to_remove(stage: Stage) -> None:
    dialogue = await closed(stage)
    assert dialogue.content.startswith(
        "**White places G1, closes the mill A1, D1 and G1**. Which man do you remove?"
    )
    assert listed(dialogue) == ["A7", "D7"]
    preview = await stage.alice.select(dialogue, REMOVE, ["D7"])
    assert preview.content.startswith("**White places G1, closes the mill A1, D1 and G1, removes D7**")
    await stage.alice.click(preview, "Confirm")
    assert (await log(stage))[-1] == "G1xD7"


async def test_removal_may_be_declined(stage: Stage) -> None:
    dialogue = await closed(stage)
    await stage.alice.click(await stage.alice.click(dialogue, "Remove none"), "Confirm")
    assert (await log(stage))[-1] == "G1~"
