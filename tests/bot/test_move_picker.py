"""Moves picked step by step, with the real client, a server and a database file."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from matches import MatchId
from tests.bot.environment import labels, running_bot
from tests.discord_server import DEFAULT, Permission

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message, Reply

# After these moves Black's F9-F6 can capture E6 and F5, and completes D4, D6, F4 and F6 around the Centre.
OPENING_MOVES = ("D1-D4", "A5-F5", "F1-F4", "I2-H2", "D9-D6", "I6-E6")
STONE, TARGET, CAPTURES, FILE = "From", "To", "Capture only these", "File"


async def start_and_play(env: BotEnvironment, *moves: str, **options: str) -> Message:
    """Start a match, play these moves in turn by text, and return the latest board."""
    board = await env.start_match(**options)
    for number, move in enumerate(moves):
        board = (await env.move(env.bob if number % 2 else env.alice, move)).shown
    return board


async def pick_target(env: BotEnvironment) -> Reply:
    """Pick F9-F6 as Alice, up to the question about the captures."""
    dialog = await env.alice.click(await start_and_play(env, *OPENING_MOVES), "Pick")
    dialog = await env.alice.select(dialog, STONE, ["F9"])
    return await env.alice.select(dialog, TARGET, ["F6"])


async def open_preview(env: BotEnvironment) -> Reply:
    """Open the preview of F9-F6 with all its effects as Alice."""
    dialog = await env.alice.click(await pick_target(env), "Capture all 2")
    return await env.alice.click(dialog, "Take the Centre")


async def stored_moves(env: BotEnvironment) -> list[str]:
    """Return the moves stored for the match."""
    history = await env.bot.matches.views.history(MatchId(1))
    return [move.text for move in history.moves]


def menu_values(dialog: Reply) -> list[str]:
    """Return the values of the select's options."""
    return [option.value for option in dialog.selects[0].options]


def alt(dialog: Reply) -> str:
    """Return the alt text of the picture."""
    return dialog.attachments[0].description or ""


def pixels(dialog: Reply) -> bytes:
    """Return the pixels of the picture."""
    with Image.open(BytesIO(dialog.attachments[0].data)) as picture:
        return picture.convert("RGB").tobytes()


@asynccontextmanager
async def restart_bot(env: BotEnvironment) -> AsyncIterator[BotEnvironment]:
    """Stop the bot and start a new one with the same database."""
    await env.bot.close()
    async with running_bot(env.discord, env.database) as bot:
        yield replace(env, bot=bot)


# A whole move


@pytest.mark.long
async def test_board_has_the_buttons_pick_and_move(env: BotEnvironment) -> None:
    assert labels(await env.start_match())[:2] == ["Pick", "Move"]


@pytest.mark.long
async def test_preview_is_ephemeral_and_describes_the_whole_turn(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    assert preview.ephemeral
    assert preview.content.startswith("**Black F9-F6, captures E6 and F5, takes the Centre**")
    assert labels(preview) == ["Confirm", "Back", "Flip board"]


@pytest.mark.long
async def test_alt_text_of_the_preview_has_no_markup(env: BotEnvironment) -> None:
    assert alt(await open_preview(env)).startswith("Black F9-F6, captures E6 and F5, takes the Centre\n")


@pytest.mark.long
async def test_nothing_is_played_before_confirm(env: BotEnvironment) -> None:
    await open_preview(env)
    assert await stored_moves(env) == list(OPENING_MOVES)


@pytest.mark.long
async def test_confirm_plays_the_move_and_posts_the_turn(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    reply = await env.alice.click(preview, "Confirm")
    assert await stored_moves(env) == [*OPENING_MOVES, "F9-F6"]
    assert not reply.ephemeral
    assert reply.content.startswith("Alice: **Black F9-F6, captures E6 and F5, takes the Centre**")
    assert env.bob.pings[-1] is reply.message
    assert labels(reply)[:2] == ["Pick", "Move"]


@pytest.mark.long
async def test_preview_shows_the_board_that_is_posted(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    shown = pixels(preview)
    assert pixels(await env.alice.click(preview, "Confirm")) == shown


@pytest.mark.long
async def test_dialog_is_invisible_to_others(env: BotEnvironment) -> None:
    board = await env.start_match()
    await env.alice.select(await env.alice.click(board, "Pick"), STONE, ["D1"])
    assert env.bob.visible_messages(env.channel)[-1] is board


@pytest.mark.long
async def test_each_step_takes_one_request(env: BotEnvironment) -> None:
    board = await start_and_play(env, *OPENING_MOVES)
    before = len(env.discord.requests)
    dialog = await env.alice.click(board, "Pick")
    dialog = await env.alice.select(dialog, STONE, ["F9"])
    dialog = await env.alice.select(dialog, TARGET, ["F6"])
    dialog = await env.alice.click(dialog, "Capture none")
    dialog = await env.alice.click(dialog, "Leave the Centre")
    await env.alice.click(dialog, "Confirm")
    made = env.discord.requests[before:]
    assert [request.path.rpartition("/")[2] for request in made] == ["callback"] * 6


async def test_steps_edit_one_message(env: BotEnvironment) -> None:
    dialog = await env.alice.click(await env.start_match(), "Pick")
    step = await env.alice.select(dialog, STONE, ["D1"])
    assert step.updated
    assert step.message is dialog.message


@pytest.mark.long
async def test_select_describes_the_effects_of_each_target(env: BotEnvironment) -> None:
    dialog = await env.alice.click(await start_and_play(env, *OPENING_MOVES), "Pick")
    dialog = await env.alice.select(dialog, STONE, ["F9"])
    descriptions = {option.value: option.description for option in dialog.selects[0].options}
    assert descriptions["F6"] == "captures E6 and F5, takes the Centre"
    assert descriptions["F7"] is None


@pytest.mark.long
async def test_alt_text_contains_the_question_and_the_options(env: BotEnvironment) -> None:
    dialog = await env.alice.click(await env.start_match(), "Pick")
    dialog = await env.alice.select(dialog, STONE, ["A1"])
    assert alt(dialog).startswith("Where does A1 go? You can choose: B2, C3, D4, F6, G7, H8.")


# Declining


@pytest.mark.long
@pytest.mark.parametrize(
    ("captured", "centre", "move"),
    [
        (["E6", "F5"], "Leave the Centre", "F9-F6~E5"),
        (["E6"], "Take the Centre", "F9-F6~F5"),
        (["F5"], "Leave the Centre", "F9-F6~E5,E6"),
        ([], "Take the Centre", "F9-F6~E6,F5"),
    ],
)
async def test_captures_and_centre_can_be_declined_one_by_one(
    env: BotEnvironment, captured: list[str], centre: str, move: str
) -> None:
    dialog = await env.alice.select(await pick_target(env), CAPTURES, captured)
    await env.alice.click(await env.alice.click(dialog, centre), "Confirm")
    assert (await stored_moves(env))[-1] == move


@pytest.mark.long
async def test_all_captures_are_selected_by_default(env: BotEnvironment) -> None:
    menu = (await pick_target(env)).selects[0]
    assert [(option.value, option.default) for option in menu.options] == [("E6", True), ("F5", True)]
    assert (menu.min_values, menu.max_values) == (0, 2)


@pytest.mark.long
async def test_single_capture_needs_no_select(env: BotEnvironment) -> None:
    dialog = await env.alice.click(await start_and_play(env, *OPENING_MOVES[:-1], "I3-H3"), "Pick")
    dialog = await env.alice.select(dialog, STONE, ["F9"])
    dialog = await env.alice.select(dialog, TARGET, ["F6"])
    assert not dialog.selects
    assert labels(dialog) == ["Capture it", "Do not capture", "Back", "Flip board"]


@pytest.mark.long
async def test_capture_that_ends_the_turn_is_confirmed_with_the_answer(env: BotEnvironment) -> None:
    dialog = await env.alice.click(await start_and_play(env, "E9-D8", "I2-H2"), "Pick")
    dialog = await env.alice.select(dialog, STONE, ["B9"])
    dialog = await env.alice.select(dialog, TARGET, ["H3"])
    assert labels(dialog)[:2] == ["Capture it and confirm", "Do not capture"]
    reply = await env.alice.click(dialog, "Capture it and confirm")
    assert reply.content.startswith("Alice: **Black B9-H3, captures H2**")


# Back and Flip


@pytest.mark.long
async def test_back_returns_through_the_same_questions(env: BotEnvironment) -> None:
    dialog = await open_preview(env)
    asked = []
    while "Back" in labels(dialog):
        dialog = await env.alice.click(dialog, "Back")
        asked.append(dialog.content.splitlines()[0])
    assert asked == [
        "**F9-F6, captures E6 and F5** lets your tower take the Centre. Do you take it?",
        "**F9-F6** can capture E6 and F5. Which of them do you capture?",
        "Where does F9 go?",
        "Which stone do you move?",
    ]


@pytest.mark.long
async def test_another_move_can_be_picked_after_going_back(env: BotEnvironment) -> None:
    dialog = await env.alice.click(await pick_target(env), "Back")
    dialog = await env.alice.select(dialog, TARGET, ["F8"])
    await env.alice.click(dialog, "Confirm")
    assert (await stored_moves(env))[-1] == "F9-F8"


@pytest.mark.long
async def test_flip_keeps_the_step(env: BotEnvironment) -> None:
    dialog = await pick_target(env)
    question, before = dialog.content, pixels(dialog)
    turned = await env.alice.click(dialog, "Flip board")
    assert turned.content == question
    assert pixels(turned) != before
    assert pixels(await env.alice.click(turned, "Flip board")) == before


@pytest.mark.long
async def test_board_is_initially_oriented_to_the_own_side(env: BotEnvironment) -> None:
    board = await env.start_match()
    assert "A B C D E F G H I" in alt(await env.alice.click(board, "Pick"))
    board = (await env.move(env.alice, "D1-D4")).shown
    dialog = await env.bob.click(board, "Pick")
    assert "I H G F E D C B A" in alt(dialog)
    assert "A B C D E F G H I" in alt(await env.bob.click(dialog, "Flip board"))


# Stale boards, wrong people, second clicks


@pytest.mark.long
async def test_stale_preview_is_never_played(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    await env.move(env.alice, "F9-F8")
    reply = await env.alice.click(preview, "Confirm")
    assert reply.updated
    assert "This is not the latest board" in reply.content
    assert await stored_moves(env) == [*OPENING_MOVES, "F9-F8"]


@pytest.mark.long
async def test_stale_dialog_closes_at_the_next_step(env: BotEnvironment) -> None:
    dialog = await pick_target(env)
    await env.move(env.alice, "F9-F8")
    reply = await env.alice.click(dialog, "Capture none")
    assert "This is not the latest board" in reply.content
    assert reply.buttons == []
    assert reply.attachments == []


async def test_opponent_cannot_pick_out_of_turn(env: BotEnvironment) -> None:
    reply = await env.bob.click(await env.start_match(), "Pick")
    assert reply.ephemeral
    assert "Alice's turn" in reply.content


async def test_onlooker_cannot_pick(env: BotEnvironment) -> None:
    reply = await env.guild.member("Carol").click(await env.start_match(), "Pick")
    assert reply.ephemeral
    assert "You are not playing in Morelli #1" in reply.content


@pytest.mark.long
async def test_pick_after_the_end_is_refused(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    await env.bot.matches.resign(
        MatchId(1),
        (await env.bot.matches.view(MatchId(1), now=env.bot.now())).seats[1].person,
        now=env.bot.now(),
    )
    reply = await env.alice.click(preview, "Confirm")
    assert "is over" in reply.content
    assert await stored_moves(env) == list(OPENING_MOVES)


@pytest.mark.long
async def test_second_confirm_plays_nothing_and_reports_success(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    await env.alice.click(preview, "Confirm")
    posts = len(env.channel.messages)
    reply = await env.alice.click(preview, "Confirm")
    assert reply.content == "This move has already been played. Use /board for the latest board."
    assert reply.buttons == []
    assert await stored_moves(env) == [*OPENING_MOVES, "F9-F6"]
    assert len(env.channel.messages) == posts


@pytest.mark.long
async def test_two_dialogs_on_one_board_play_one_move(env: BotEnvironment) -> None:
    board = await env.start_match()
    previews = []
    for target in ("D2", "D3"):
        dialog = await env.alice.select(await env.alice.click(board, "Pick"), STONE, ["D1"])
        previews.append(await env.alice.select(dialog, TARGET, [target]))
    await env.alice.click(previews[0], "Confirm")
    reply = await env.alice.click(previews[1], "Confirm")
    assert "nothing was played" in reply.content
    assert await stored_moves(env) == ["D1-D2"]


# Restarts


@pytest.mark.long
async def test_dialog_works_after_a_restart(env: BotEnvironment) -> None:
    dialog = await pick_target(env)
    async with restart_bot(env) as again:
        dialog = await again.alice.select(dialog, CAPTURES, ["E6"])
        dialog = await again.alice.click(dialog, "Take the Centre")
        reply = await again.alice.click(dialog, "Confirm")
        assert reply.content.startswith("Alice: **Black F9-F6, captures E6, spares F5, takes the Centre**")
        assert await stored_moves(again) == [*OPENING_MOVES, "F9-F6~F5"]


@pytest.mark.long
async def test_preview_can_be_confirmed_after_a_restart(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    async with restart_bot(env) as again:
        await again.alice.click(preview, "Confirm")
        assert await stored_moves(again) == [*OPENING_MOVES, "F9-F6"]


# Setting up


@pytest.mark.long
async def test_too_many_cells_are_asked_by_file(env: BotEnvironment) -> None:
    dialog = await env.alice.click(await env.start_match(game="morphos", board="13", start=None), "Pick")
    assert menu_values(dialog) == [f"/{file}" for file in "ABCDEFGHIJKLM"]
    dialog = await env.alice.select(dialog, FILE, ["/A"])
    assert menu_values(dialog) == [f"A{rank}" for rank in range(1, 14)]
    dialog = await env.alice.click(dialog, "Back")
    assert menu_values(dialog) == [f"/{file}" for file in "ABCDEFGHIJKLM"]


@pytest.mark.long
async def test_up_to_a_hundred_cells_are_in_menus_of_one_message(env: BotEnvironment) -> None:
    dialog = await env.alice.click(await env.start_match(start="free"), "Pick")
    assert [menu.placeholder for menu in dialog.selects] == ["Cell: A1 to H9", "Cell: I1 to I9"]
    preview = await select_cell(env.alice, dialog, "I9")
    assert preview.content.startswith("**Black places I9**")
    board = await env.start_match(game="morphos", board="10", start=None)
    full = await env.alice.click(board, "Pick")
    assert [len(menu.options) for menu in full.selects] == [25] * 4
    preview = await select_cell(env.alice, await env.alice.click(full, "Flip board"), "J10")
    assert preview.content.startswith("**Black places J10**")


async def select_cell(person: Member, dialog: Reply, cell: str) -> Reply:
    """Select a cell in the menu that has it; its file first if the menu asks for files."""
    if dialog.selects[0].placeholder == FILE:
        dialog = await person.select(dialog, FILE, [f"/{cell[0]}"])
    menus = [menu for menu in dialog.selects if cell in {option.value for option in menu.options}]
    return await person.select(dialog, str(menus[0].custom_id), [cell])


async def pick_cells(env: BotEnvironment, dialog: Reply, *cells: str) -> Reply:
    """Pick these cells one after the other as Bob."""
    for cell in cells:
        dialog = await select_cell(env.bob, dialog, cell)
    return dialog


@pytest.mark.long
async def test_series_of_placements_is_picked_and_confirmed_together(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    dialog = await env.bob.click(board, "Pick")
    assert dialog.content.startswith("Where do you place your next stone? 2 to go.")
    preview = await pick_cells(env, dialog, "C1", "I5")
    assert preview.content.startswith("**White places C1 and I5**")
    assert await stored_moves(env) == ["A4"]
    before = len(env.channel.messages)
    reply = await env.bob.click(preview, "Confirm")
    assert await stored_moves(env) == ["A4", "C1", "I5"]
    assert reply.content.startswith("Bob: **White places C1 and I5**")
    assert len(env.channel.messages) == before + 1


@pytest.mark.long
async def test_picked_cell_is_not_offered_again(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    dialog = await pick_cells(env, await env.bob.click(board, "Pick"), "A5")
    assert menu_values(dialog)[:9] == ["A1", "A2", "A3", "A6", "A7", "A8", "A9", "B1", "B9"]


@pytest.mark.long
async def test_back_undoes_the_last_placement_of_a_series(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    dialog = await pick_cells(env, await env.bob.click(board, "Pick"), "C1", "I5")
    dialog = await env.bob.click(dialog, "Back")
    await env.bob.click(await pick_cells(env, dialog, "I6"), "Confirm")
    assert await stored_moves(env) == ["A4", "C1", "I6"]


@pytest.mark.long
async def test_series_started_by_text_can_be_finished_by_picking(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    await env.move(env.bob, "C1")
    dialog = await env.bob.click(board, "Pick")
    assert dialog.content.startswith("Where do you place your stone?")
    reply = await env.bob.click(await pick_cells(env, dialog, "I5"), "Confirm")
    assert reply.content.startswith("Bob: **White places C1 and I5**")


@pytest.mark.long
async def test_confirming_a_whole_series_replaces_a_part_that_was_typed(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    preview = await pick_cells(env, await env.bob.click(board, "Pick"), "C1", "I5")
    await env.move(env.bob, "D1")
    reply = await env.bob.click(preview, "Confirm")
    assert reply.content.startswith("Bob: **White places C1 and I5**")
    assert await stored_moves(env) == ["A4", "C1", "I5"]


async def test_pairs_setup_uses_its_own_terms(env: BotEnvironment) -> None:
    board = await env.start_match(edition="mindsports", start="pairs")
    dialog = await env.alice.click(board, "Pick")
    assert dialog.content.startswith("Where do you place your pair?")
    dialog = await select_cell(env.alice, dialog, "A9")
    assert dialog.content.startswith("**Black places A9, White I1**")
    await env.alice.click(dialog, "Confirm")
    assert await stored_moves(env) == ["A9"]


# Permissions


@pytest.mark.long
async def test_confirmed_move_counts_where_the_bot_may_not_post(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    env.channel.permit(env.guild.bot_member, DEFAULT & ~Permission.ATTACH_FILES)
    reply = await env.alice.click(preview, "Confirm")
    assert reply.ephemeral
    assert "in direct messages" in reply.content
    assert await stored_moves(env) == [*OPENING_MOVES, "F9-F6"]
