"""Moves picked step by step: as two people do it, with the real client, server and database file."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from matches import MatchId
from tests.bot.environment import running_bot
from tests.discord_server import DEFAULT, Permission

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message, Reply

# After these, Black's F9-F6 can capture E6 and F5, and completes D4, D6, F4 and F6 around the Centre.
OPENING_MOVES = ("D1-D4", "A5-F5", "F1-F4", "I2-H2", "D9-D6", "I6-E6")
STONE, TARGET, CAPTURES, FILE, CELL = "From", "To", "Capture only these", "File", "Cell"


async def start_and_play(env: BotEnvironment, *moves: str, **options: str) -> Message:
    """Start a match, play these moves by text in turn, and give the latest board."""
    board = await env.start_match(**options)
    for number, move in enumerate(moves):
        board = (await env.move(env.bob if number % 2 else env.alice, move)).shown
    return board


async def pick_target(env: BotEnvironment) -> Reply:
    """Alice has picked F9-F6, and is asked about the captures."""
    dialogue = await env.alice.click(await start_and_play(env, *OPENING_MOVES), "Pick")
    dialogue = await env.alice.select(dialogue, STONE, ["F9"])
    return await env.alice.select(dialogue, TARGET, ["F6"])


async def open_preview(env: BotEnvironment) -> Reply:
    """Alice looks at the preview of F9-F6 with all that it does."""
    dialogue = await env.alice.click(await pick_target(env), "Capture all 2")
    return await env.alice.click(dialogue, "Take the Centre")


async def stored_moves(env: BotEnvironment) -> list[str]:
    """Return the moves of the match as they are stored."""
    history = await env.bot.matches.history(MatchId(1), now=env.bot.now())
    return [move.text for move in history.moves]


def labels(message: Message | Reply) -> list[str | None]:
    return [button.label for button in message.buttons]


def menu_values(dialogue: Reply) -> list[str]:
    return [option.value for option in dialogue.selects[0].options]


def alt(dialogue: Reply) -> str:
    return dialogue.attachments[0].description or ""


def pixels(dialogue: Reply) -> bytes:
    with Image.open(BytesIO(dialogue.attachments[0].data)) as picture:
        return picture.convert("RGB").tobytes()


@asynccontextmanager
async def restart_bot(env: BotEnvironment) -> AsyncIterator[BotEnvironment]:
    """Stop the bot, and put a new one on the stage."""
    await env.bot.close()
    async with running_bot(env.discord, env.database) as bot:
        yield replace(env, bot=bot)


# A whole move.


async def test_pick_stands_under_the_board_beside_move(env: BotEnvironment) -> None:
    assert labels(await env.start_match())[:2] == ["Pick", "Move"]


async def test_preview_is_private_and_tells_the_whole_turn(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    assert preview.ephemeral
    assert preview.content.startswith("**Black F9-F6, captures E6 and F5, takes the Centre**")
    assert labels(preview) == ["Confirm", "Back", "Flip board"]


async def test_nothing_is_played_before_confirm(env: BotEnvironment) -> None:
    await open_preview(env)
    assert await stored_moves(env) == list(OPENING_MOVES)


async def test_confirm_plays_and_posts_the_ordinary_turn(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    reply = await env.alice.click(preview, "Confirm")
    assert await stored_moves(env) == [*OPENING_MOVES, "F9-F6"]
    assert not reply.ephemeral
    assert reply.content.startswith("Alice: **Black F9-F6, captures E6 and F5, takes the Centre**")
    assert env.bob.pings[-1] is reply.message
    assert labels(reply)[:2] == ["Pick", "Move"]


async def test_preview_shows_the_board_that_is_then_posted(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    shown = pixels(preview)
    assert pixels(await env.alice.click(preview, "Confirm")) == shown


async def test_onlookers_see_nothing_of_the_dialogue(env: BotEnvironment) -> None:
    board = await env.start_match()
    await env.alice.select(await env.alice.click(board, "Pick"), STONE, ["D1"])
    assert env.bob.visible_messages(env.channel)[-1] is board


async def test_each_step_is_one_request(env: BotEnvironment) -> None:
    board = await start_and_play(env, *OPENING_MOVES)
    before = len(env.discord.requests)
    dialogue = await env.alice.click(board, "Pick")
    dialogue = await env.alice.select(dialogue, STONE, ["F9"])
    dialogue = await env.alice.select(dialogue, TARGET, ["F6"])
    dialogue = await env.alice.click(dialogue, "Capture none")
    dialogue = await env.alice.click(dialogue, "Leave the Centre")
    await env.alice.click(dialogue, "Confirm")
    made = env.discord.requests[before:]
    assert [request.path.rpartition("/")[2] for request in made] == ["callback"] * 6


async def test_steps_change_one_message(env: BotEnvironment) -> None:
    dialogue = await env.alice.click(await env.start_match(), "Pick")
    step = await env.alice.select(dialogue, STONE, ["D1"])
    assert step.updated
    assert step.message is dialogue.message


async def test_menu_tells_what_a_target_brings(env: BotEnvironment) -> None:
    dialogue = await env.alice.click(await start_and_play(env, *OPENING_MOVES), "Pick")
    dialogue = await env.alice.select(dialogue, STONE, ["F9"])
    told = {option.value: option.description for option in dialogue.selects[0].options}
    assert told["F6"] == "captures E6 and F5, takes the Centre"
    assert told["F7"] is None


async def test_alt_text_tells_the_question_and_what_is_on_offer(env: BotEnvironment) -> None:
    dialogue = await env.alice.click(await env.start_match(), "Pick")
    dialogue = await env.alice.select(dialogue, STONE, ["A1"])
    assert alt(dialogue).startswith("Where does A1 go? You can choose: B2, C3, D4, F6, G7, H8.")


# Declining.


@pytest.mark.parametrize(
    ("captured", "centre", "move"),
    [
        (["E6", "F5"], "Leave the Centre", "F9-F6~E5"),
        (["E6"], "Take the Centre", "F9-F6~F5"),
        (["F5"], "Leave the Centre", "F9-F6~E5,E6"),
        ([], "Take the Centre", "F9-F6~E6,F5"),
    ],
)
async def test_captures_and_centre_are_declined_one_by_one(
    env: BotEnvironment, captured: list[str], centre: str, move: str
) -> None:
    dialogue = await env.alice.select(await pick_target(env), CAPTURES, captured)
    await env.alice.click(await env.alice.click(dialogue, centre), "Confirm")
    assert (await stored_moves(env))[-1] == move


async def test_captures_are_all_chosen_unless_changed(env: BotEnvironment) -> None:
    menu = (await pick_target(env)).selects[0]
    assert [(option.value, option.default) for option in menu.options] == [("E6", True), ("F5", True)]
    assert (menu.min_values, menu.max_values) == (0, 2)


async def test_single_capture_needs_no_menu(env: BotEnvironment) -> None:
    dialogue = await env.alice.click(await start_and_play(env, *OPENING_MOVES[:-1], "I3-H3"), "Pick")
    dialogue = await env.alice.select(dialogue, STONE, ["F9"])
    dialogue = await env.alice.select(dialogue, TARGET, ["F6"])
    assert not dialogue.selects
    assert labels(dialogue) == ["Capture it", "Do not capture", "Back", "Flip board"]


# Back and Flip.


async def test_back_leads_through_the_same_questions(env: BotEnvironment) -> None:
    dialogue = await open_preview(env)
    asked = []
    while "Back" in labels(dialogue):
        dialogue = await env.alice.click(dialogue, "Back")
        asked.append(dialogue.content.splitlines()[0])
    assert asked == [
        "**F9-F6, captures E6 and F5** lets your tower take the Centre. Do you take it?",
        "**F9-F6** can capture E6 and F5. Which of them do you capture?",
        "Where does F9 go?",
        "Which stone do you move?",
    ]


async def test_another_move_can_be_picked_after_going_back(env: BotEnvironment) -> None:
    dialogue = await env.alice.click(await pick_target(env), "Back")
    dialogue = await env.alice.select(dialogue, TARGET, ["F8"])
    await env.alice.click(dialogue, "Confirm")
    assert (await stored_moves(env))[-1] == "F9-F8"


async def test_flip_turns_the_board_and_keeps_the_step(env: BotEnvironment) -> None:
    dialogue = await pick_target(env)
    question, seen = dialogue.content, pixels(dialogue)
    turned = await env.alice.click(dialogue, "Flip board")
    assert turned.content == question
    assert pixels(turned) != seen
    assert pixels(await env.alice.click(turned, "Flip board")) == seen


async def test_each_sees_the_board_from_their_own_side_first(env: BotEnvironment) -> None:
    board = await env.start_match()
    assert "A B C D E F G H I" in alt(await env.alice.click(board, "Pick"))
    board = (await env.move(env.alice, "D1-D4")).shown
    dialogue = await env.bob.click(board, "Pick")
    assert "I H G F E D C B A" in alt(dialogue)
    assert "A B C D E F G H I" in alt(await env.bob.click(dialogue, "Flip board"))


# Stale boards, wrong people, second clicks.


async def test_stale_preview_is_never_played(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    await env.move(env.alice, "F9-F8")
    reply = await env.alice.click(preview, "Confirm")
    assert reply.updated
    assert "This is not the latest board" in reply.content
    assert await stored_moves(env) == [*OPENING_MOVES, "F9-F8"]


async def test_stale_dialogue_closes_at_the_next_step(env: BotEnvironment) -> None:
    dialogue = await pick_target(env)
    await env.move(env.alice, "F9-F8")
    reply = await env.alice.click(dialogue, "Capture none")
    assert "This is not the latest board" in reply.content
    assert reply.buttons == []
    assert reply.attachments == []


async def test_pick_on_an_old_board_is_refused(env: BotEnvironment) -> None:
    old = await env.start_match()
    for person, move in ((env.alice, "D1-D4"), (env.bob, "A5-F5")):
        await env.move(person, move)
    reply = await env.alice.click(old, "Pick")
    assert reply.ephemeral
    assert "This is not the latest board" in reply.content


async def test_opponent_cannot_pick_out_of_turn(env: BotEnvironment) -> None:
    reply = await env.bob.click(await env.start_match(), "Pick")
    assert reply.ephemeral
    assert "Alice's turn" in reply.content


async def test_onlooker_cannot_pick(env: BotEnvironment) -> None:
    reply = await env.guild.member("Carol").click(await env.start_match(), "Pick")
    assert reply.ephemeral
    assert "You are not playing in match 1" in reply.content


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


async def test_second_confirm_plays_nothing_and_says_that_all_is_well(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    await env.alice.click(preview, "Confirm")
    posts = len(env.channel.messages)
    reply = await env.alice.click(preview, "Confirm")
    assert reply.content == "Played. The new board is in the channel."
    assert reply.buttons == []
    assert await stored_moves(env) == [*OPENING_MOVES, "F9-F6"]
    assert len(env.channel.messages) == posts


async def test_two_dialogues_on_one_board_play_one_move(env: BotEnvironment) -> None:
    board = await env.start_match()
    previews = []
    for target in ("D2", "D3"):
        dialogue = await env.alice.select(await env.alice.click(board, "Pick"), STONE, ["D1"])
        previews.append(await env.alice.select(dialogue, TARGET, [target]))
    await env.alice.click(previews[0], "Confirm")
    reply = await env.alice.click(previews[1], "Confirm")
    assert "nothing was played" in reply.content
    assert await stored_moves(env) == ["D1-D2"]


# Restarts.


async def test_dialogue_goes_on_after_a_restart(env: BotEnvironment) -> None:
    dialogue = await pick_target(env)
    async with restart_bot(env) as again:
        dialogue = await again.alice.select(dialogue, CAPTURES, ["E6"])
        dialogue = await again.alice.click(dialogue, "Take the Centre")
        reply = await again.alice.click(dialogue, "Confirm")
        assert reply.content.startswith("Alice: **Black F9-F6, captures E6, spares F5, takes the Centre**")
        assert await stored_moves(again) == [*OPENING_MOVES, "F9-F6~F5"]


async def test_preview_is_confirmed_after_a_restart(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    async with restart_bot(env) as again:
        await again.alice.click(preview, "Confirm")
        assert await stored_moves(again) == [*OPENING_MOVES, "F9-F6"]


# Setting up.


async def test_placement_is_asked_by_file_and_then_by_cell(env: BotEnvironment) -> None:
    dialogue = await env.alice.click(await env.start_match(start="free"), "Pick")
    assert menu_values(dialogue) == [f"/{file}" for file in "ABCDEFGHI"]
    dialogue = await env.alice.select(dialogue, FILE, ["/A"])
    assert menu_values(dialogue) == [f"A{rank}" for rank in range(1, 10)]
    dialogue = await env.alice.click(dialogue, "Back")
    assert menu_values(dialogue) == [f"/{file}" for file in "ABCDEFGHI"]


async def pick_cells(env: BotEnvironment, dialogue: Reply, *cells: str) -> Reply:
    """Bob picks these cells one after the other."""
    for cell in cells:
        dialogue = await env.bob.select(dialogue, FILE, [f"/{cell[0]}"])
        dialogue = await env.bob.select(dialogue, CELL, [cell])
    return dialogue


async def test_run_of_placements_is_picked_and_confirmed_together(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    dialogue = await env.bob.click(board, "Pick")
    assert dialogue.content.startswith("Where do you place your next stone? 2 to go.")
    preview = await pick_cells(env, dialogue, "C1", "I5")
    assert preview.content.startswith("**White places C1 and I5**")
    assert await stored_moves(env) == ["A4"]
    before = len(env.channel.messages)
    reply = await env.bob.click(preview, "Confirm")
    assert await stored_moves(env) == ["A4", "C1", "I5"]
    assert reply.content.startswith("Bob: **White places C1 and I5**")
    assert len(env.channel.messages) == before + 1


async def test_cell_that_was_just_picked_is_not_offered_again(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    dialogue = await pick_cells(env, await env.bob.click(board, "Pick"), "A5")
    dialogue = await env.bob.select(dialogue, FILE, ["/A"])
    assert menu_values(dialogue) == ["A1", "A2", "A3", "A6", "A7", "A8", "A9"]


async def test_back_in_a_run_takes_the_last_placement_back(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    dialogue = await pick_cells(env, await env.bob.click(board, "Pick"), "C1", "I5")
    dialogue = await env.bob.click(dialogue, "Back")
    await env.bob.click(await pick_cells(env, dialogue, "I6"), "Confirm")
    assert await stored_moves(env) == ["A4", "C1", "I6"]


async def test_run_begun_by_text_is_finished_by_picking(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    await env.move(env.bob, "C1")
    dialogue = await env.bob.click(board, "Pick")
    assert dialogue.content.startswith("Where do you place your stone?")
    reply = await env.bob.click(await pick_cells(env, dialogue, "I5"), "Confirm")
    assert reply.content.startswith("Bob: **White places C1 and I5**")


async def test_run_that_went_on_by_text_makes_the_dialogue_stale(env: BotEnvironment) -> None:
    board = await start_and_play(env, "A4", start="free")
    preview = await pick_cells(env, await env.bob.click(board, "Pick"), "C1", "I5")
    await env.move(env.bob, "D1")
    reply = await env.bob.click(preview, "Confirm")
    assert "This is not the latest board" in reply.content
    assert await stored_moves(env) == ["A4", "D1"]


async def test_pairs_are_picked_in_the_words_of_their_rules(env: BotEnvironment) -> None:
    board = await env.start_match(edition="mindsports", start="pairs")
    dialogue = await env.alice.click(board, "Pick")
    assert dialogue.content.startswith("Where do you place your pair?")
    dialogue = await env.alice.select(dialogue, FILE, ["/A"])
    dialogue = await env.alice.select(dialogue, CELL, ["A9"])
    assert dialogue.content.startswith("**Black places A9, White I1**")
    await env.alice.click(dialogue, "Confirm")
    assert await stored_moves(env) == ["A9"]


# Permissions.


async def test_confirm_waits_until_the_bot_may_post(env: BotEnvironment) -> None:
    preview = await open_preview(env)
    env.channel.permit(env.guild.bot_member, DEFAULT & ~Permission.ATTACH_FILES)
    reply = await env.alice.click(preview, "Confirm")
    assert reply.ephemeral
    assert "Attach Files" in reply.content
    assert await stored_moves(env) == list(OPENING_MOVES)
    env.channel.permit(env.guild.bot_member, DEFAULT)
    await env.alice.click(preview, "Confirm")
    assert await stored_moves(env) == [*OPENING_MOVES, "F9-F6"]
