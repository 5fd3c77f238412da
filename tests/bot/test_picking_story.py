"""Moves picked step by step: as two people do it, with the real client, server and database file."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from matches import MatchId
from tests.bot.stage import bot_over
from tests.discord_server import DEFAULT, Permission

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.bot.stage import Stage
    from tests.discord_server import Message, Reply

# After these, Black's F9-F6 can capture E6 and F5, and completes D4, D6, F4 and F6 around the Centre.
READY = ("D1-D4", "A5-F5", "F1-F4", "I2-H2", "D9-D6", "I6-E6")
STONE, TARGET, CAPTURES, FILE, CELL = "From where", "To where", "Only these", "On which file", "A cell"


async def played(stage: Stage, *moves: str, **options: str) -> Message:
    """Start a match, play these moves by text in turn, and give the latest board."""
    board = await stage.start(**options)
    for number, move in enumerate(moves):
        board = (await stage.move(stage.bob if number % 2 else stage.alice, move)).shown
    return board


async def aimed(stage: Stage) -> Reply:
    """Alice has picked F9-F6, and is asked about the captures."""
    dialogue = await stage.alice.click(await played(stage, *READY), "Pick")
    dialogue = await stage.alice.select(dialogue, STONE, ["F9"])
    return await stage.alice.select(dialogue, TARGET, ["F6"])


async def previewed(stage: Stage) -> Reply:
    """Alice looks at the preview of F9-F6 with all that it does."""
    dialogue = await stage.alice.click(await aimed(stage), "Capture all 2")
    return await stage.alice.click(dialogue, "Take the Centre")


async def log(stage: Stage) -> list[str]:
    """Give the moves of the match as they are stored."""
    history = await stage.bot.matches.history(MatchId(1), now=stage.bot.now())
    return [move.text for move in history.moves]


def labels(message: Message | Reply) -> list[str | None]:
    return [button.label for button in message.buttons]


def listed(dialogue: Reply) -> list[str]:
    return [option.value for option in dialogue.selects[0].options]


def alt(dialogue: Reply) -> str:
    return dialogue.attachments[0].description or ""


def pixels(dialogue: Reply) -> bytes:
    with Image.open(BytesIO(dialogue.attachments[0].data)) as picture:
        return picture.convert("RGB").tobytes()


@asynccontextmanager
async def restarted(stage: Stage) -> AsyncIterator[Stage]:
    """Stop the bot, and put a new one on the stage."""
    await stage.bot.close()
    async with bot_over(stage.discord, stage.store) as bot:
        yield replace(stage, bot=bot)


# A whole move.


async def test_pick_stands_under_the_board_beside_move(stage: Stage) -> None:
    assert labels(await stage.start())[:2] == ["Pick", "Move"]


async def test_preview_is_private_and_tells_the_whole_turn(stage: Stage) -> None:
    preview = await previewed(stage)
    assert preview.ephemeral
    assert preview.content.startswith("**Black F9-F6, captures E6 and F5, takes the Centre**")
    assert labels(preview) == ["Confirm", "Back", "Flip board"]


async def test_nothing_is_played_before_confirm(stage: Stage) -> None:
    await previewed(stage)
    assert await log(stage) == list(READY)


async def test_confirm_plays_and_posts_the_ordinary_turn(stage: Stage) -> None:
    preview = await previewed(stage)
    reply = await stage.alice.click(preview, "Confirm")
    assert await log(stage) == [*READY, "F9-F6"]
    assert not reply.ephemeral
    assert reply.content.startswith("Alice: **Black F9-F6, captures E6 and F5, takes the Centre**")
    assert stage.bob.pings[-1] is reply.message
    assert labels(reply)[:2] == ["Pick", "Move"]


async def test_preview_shows_the_board_that_is_then_posted(stage: Stage) -> None:
    preview = await previewed(stage)
    shown = pixels(preview)
    assert pixels(await stage.alice.click(preview, "Confirm")) == shown


async def test_onlookers_see_nothing_of_the_dialogue(stage: Stage) -> None:
    board = await stage.start()
    await stage.alice.select(await stage.alice.click(board, "Pick"), STONE, ["D1"])
    assert stage.bob.sees(stage.channel)[-1] is board


async def test_each_step_is_one_request(stage: Stage) -> None:
    board = await played(stage, *READY)
    before = len(stage.discord.requests)
    dialogue = await stage.alice.click(board, "Pick")
    dialogue = await stage.alice.select(dialogue, STONE, ["F9"])
    dialogue = await stage.alice.select(dialogue, TARGET, ["F6"])
    dialogue = await stage.alice.click(dialogue, "Capture none")
    dialogue = await stage.alice.click(dialogue, "Leave the Centre")
    await stage.alice.click(dialogue, "Confirm")
    made = stage.discord.requests[before:]
    assert [request.path.rpartition("/")[2] for request in made] == ["callback"] * 6


async def test_steps_change_one_message(stage: Stage) -> None:
    dialogue = await stage.alice.click(await stage.start(), "Pick")
    step = await stage.alice.select(dialogue, STONE, ["D1"])
    assert step.updated
    assert step.message is dialogue.message


async def test_menu_tells_what_a_target_brings(stage: Stage) -> None:
    dialogue = await stage.alice.click(await played(stage, *READY), "Pick")
    dialogue = await stage.alice.select(dialogue, STONE, ["F9"])
    told = {option.value: option.description for option in dialogue.selects[0].options}
    assert told["F6"] == "captures E6 and F5, takes the Centre"
    assert told["F7"] is None


async def test_alt_text_tells_the_question_and_what_is_on_offer(stage: Stage) -> None:
    dialogue = await stage.alice.click(await stage.start(), "Pick")
    dialogue = await stage.alice.select(dialogue, STONE, ["A1"])
    assert alt(dialogue).startswith("Where does A1 go? On offer: B2, C3, D4, F6, G7, H8.")


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
    stage: Stage, captured: list[str], centre: str, move: str
) -> None:
    dialogue = await stage.alice.select(await aimed(stage), CAPTURES, captured)
    await stage.alice.click(await stage.alice.click(dialogue, centre), "Confirm")
    assert (await log(stage))[-1] == move


async def test_captures_are_all_chosen_unless_changed(stage: Stage) -> None:
    menu = (await aimed(stage)).selects[0]
    assert [(option.value, option.default) for option in menu.options] == [("E6", True), ("F5", True)]
    assert (menu.min_values, menu.max_values) == (0, 2)


async def test_single_capture_needs_no_menu(stage: Stage) -> None:
    dialogue = await stage.alice.click(await played(stage, *READY[:-1], "I3-H3"), "Pick")
    dialogue = await stage.alice.select(dialogue, STONE, ["F9"])
    dialogue = await stage.alice.select(dialogue, TARGET, ["F6"])
    assert not dialogue.selects
    assert labels(dialogue) == ["Capture it", "Spare it", "Back", "Flip board"]


# Back and Flip.


async def test_back_leads_through_the_same_questions(stage: Stage) -> None:
    dialogue = await previewed(stage)
    asked = []
    while "Back" in labels(dialogue):
        dialogue = await stage.alice.click(dialogue, "Back")
        asked.append(dialogue.content.splitlines()[0])
    assert asked == [
        "**F9-F6, captures E6 and F5** earns you the Centre. Does your tower move in?",
        "**F9-F6** can capture E6 and F5. Which of them do you capture?",
        "Where does F9 go?",
        "Which stone do you move?",
    ]


async def test_another_move_can_be_picked_after_going_back(stage: Stage) -> None:
    dialogue = await stage.alice.click(await aimed(stage), "Back")
    dialogue = await stage.alice.select(dialogue, TARGET, ["F8"])
    await stage.alice.click(dialogue, "Confirm")
    assert (await log(stage))[-1] == "F9-F8"


async def test_flip_turns_the_board_and_keeps_the_step(stage: Stage) -> None:
    dialogue = await aimed(stage)
    question, seen = dialogue.content, pixels(dialogue)
    turned = await stage.alice.click(dialogue, "Flip board")
    assert turned.content == question
    assert pixels(turned) != seen
    assert pixels(await stage.alice.click(turned, "Flip board")) == seen


async def test_each_sees_the_board_from_their_own_side_first(stage: Stage) -> None:
    board = await stage.start()
    assert "A B C D E F G H I" in alt(await stage.alice.click(board, "Pick"))
    board = (await stage.move(stage.alice, "D1-D4")).shown
    dialogue = await stage.bob.click(board, "Pick")
    assert "I H G F E D C B A" in alt(dialogue)
    assert "A B C D E F G H I" in alt(await stage.bob.click(dialogue, "Flip board"))


# Stale boards, wrong people, second clicks.


async def test_stale_preview_is_never_played(stage: Stage) -> None:
    preview = await previewed(stage)
    await stage.move(stage.alice, "F9-F8")
    reply = await stage.alice.click(preview, "Confirm")
    assert reply.updated
    assert "has moved on" in reply.content
    assert await log(stage) == [*READY, "F9-F8"]


async def test_stale_dialogue_closes_at_the_next_step(stage: Stage) -> None:
    dialogue = await aimed(stage)
    await stage.move(stage.alice, "F9-F8")
    reply = await stage.alice.click(dialogue, "Capture none")
    assert "has moved on" in reply.content
    assert reply.buttons == []
    assert reply.attachments == []


async def test_pick_on_an_old_board_is_refused(stage: Stage) -> None:
    old = await stage.start()
    for person, move in ((stage.alice, "D1-D4"), (stage.bob, "A5-F5")):
        await stage.move(person, move)
    reply = await stage.alice.click(old, "Pick")
    assert reply.ephemeral
    assert "has moved on" in reply.content


async def test_opponent_cannot_pick_out_of_turn(stage: Stage) -> None:
    reply = await stage.bob.click(await stage.start(), "Pick")
    assert reply.ephemeral
    assert "Alice's turn" in reply.content


async def test_onlooker_cannot_pick(stage: Stage) -> None:
    reply = await stage.guild.member("Carol").click(await stage.start(), "Pick")
    assert reply.ephemeral
    assert "You do not play in match 1" in reply.content


async def test_pick_after_the_end_is_refused(stage: Stage) -> None:
    preview = await previewed(stage)
    await stage.bot.matches.resign(
        MatchId(1),
        (await stage.bot.matches.view(MatchId(1), now=stage.bot.now())).seats[1].person,
        now=stage.bot.now(),
    )
    reply = await stage.alice.click(preview, "Confirm")
    assert "is over" in reply.content
    assert await log(stage) == list(READY)


async def test_second_confirm_plays_nothing_and_says_that_all_is_well(stage: Stage) -> None:
    preview = await previewed(stage)
    await stage.alice.click(preview, "Confirm")
    posts = len(stage.channel.messages)
    reply = await stage.alice.click(preview, "Confirm")
    assert reply.content == "This is played; the board stands in the channel."
    assert reply.buttons == []
    assert await log(stage) == [*READY, "F9-F6"]
    assert len(stage.channel.messages) == posts


async def test_two_dialogues_on_one_board_play_one_move(stage: Stage) -> None:
    board = await stage.start()
    previews = []
    for target in ("D2", "D3"):
        dialogue = await stage.alice.select(await stage.alice.click(board, "Pick"), STONE, ["D1"])
        previews.append(await stage.alice.select(dialogue, TARGET, [target]))
    await stage.alice.click(previews[0], "Confirm")
    reply = await stage.alice.click(previews[1], "Confirm")
    assert "nothing was played" in reply.content
    assert await log(stage) == ["D1-D2"]


# Restarts.


async def test_dialogue_goes_on_after_a_restart(stage: Stage) -> None:
    dialogue = await aimed(stage)
    async with restarted(stage) as again:
        dialogue = await again.alice.select(dialogue, CAPTURES, ["E6"])
        dialogue = await again.alice.click(dialogue, "Take the Centre")
        reply = await again.alice.click(dialogue, "Confirm")
        assert reply.content.startswith("Alice: **Black F9-F6, captures E6, spares F5, takes the Centre**")
        assert await log(again) == [*READY, "F9-F6~F5"]


async def test_preview_is_confirmed_after_a_restart(stage: Stage) -> None:
    preview = await previewed(stage)
    async with restarted(stage) as again:
        await again.alice.click(preview, "Confirm")
        assert await log(again) == [*READY, "F9-F6"]


# Setting up.


async def test_placement_is_asked_by_file_and_then_by_cell(stage: Stage) -> None:
    dialogue = await stage.alice.click(await stage.start(start="free"), "Pick")
    assert listed(dialogue) == [f"/{file}" for file in "ABCDEFGHI"]
    dialogue = await stage.alice.select(dialogue, FILE, ["/A"])
    assert listed(dialogue) == [f"A{rank}" for rank in range(1, 10)]
    dialogue = await stage.alice.click(dialogue, "Back")
    assert listed(dialogue) == [f"/{file}" for file in "ABCDEFGHI"]


async def placed(stage: Stage, dialogue: Reply, *cells: str) -> Reply:
    """Bob picks these cells one after the other."""
    for cell in cells:
        dialogue = await stage.bob.select(dialogue, FILE, [f"/{cell[0]}"])
        dialogue = await stage.bob.select(dialogue, CELL, [cell])
    return dialogue


async def test_run_of_placements_is_picked_and_confirmed_together(stage: Stage) -> None:
    board = await played(stage, "A4", start="free")
    dialogue = await stage.bob.click(board, "Pick")
    assert dialogue.content.startswith("Where do you place your next stone? 2 are due.")
    preview = await placed(stage, dialogue, "C1", "I5")
    assert preview.content.startswith("**White places C1 and I5**")
    assert await log(stage) == ["A4"]
    before = len(stage.channel.messages)
    reply = await stage.bob.click(preview, "Confirm")
    assert await log(stage) == ["A4", "C1", "I5"]
    assert reply.content.startswith("Bob: **White places C1 and I5**")
    assert len(stage.channel.messages) == before + 1


async def test_cell_that_was_just_picked_is_not_offered_again(stage: Stage) -> None:
    board = await played(stage, "A4", start="free")
    dialogue = await placed(stage, await stage.bob.click(board, "Pick"), "A5")
    dialogue = await stage.bob.select(dialogue, FILE, ["/A"])
    assert listed(dialogue) == ["A1", "A2", "A3", "A6", "A7", "A8", "A9"]


async def test_back_in_a_run_takes_the_last_placement_back(stage: Stage) -> None:
    board = await played(stage, "A4", start="free")
    dialogue = await placed(stage, await stage.bob.click(board, "Pick"), "C1", "I5")
    dialogue = await stage.bob.click(dialogue, "Back")
    await stage.bob.click(await placed(stage, dialogue, "I6"), "Confirm")
    assert await log(stage) == ["A4", "C1", "I6"]


async def test_run_begun_by_text_is_finished_by_picking(stage: Stage) -> None:
    board = await played(stage, "A4", start="free")
    await stage.move(stage.bob, "C1")
    dialogue = await stage.bob.click(board, "Pick")
    assert dialogue.content.startswith("Where do you place your stone?")
    reply = await stage.bob.click(await placed(stage, dialogue, "I5"), "Confirm")
    assert reply.content.startswith("Bob: **White places C1 and I5**")


async def test_run_that_went_on_by_text_makes_the_dialogue_stale(stage: Stage) -> None:
    board = await played(stage, "A4", start="free")
    preview = await placed(stage, await stage.bob.click(board, "Pick"), "C1", "I5")
    await stage.move(stage.bob, "D1")
    reply = await stage.bob.click(preview, "Confirm")
    assert "has moved on" in reply.content
    assert await log(stage) == ["A4", "D1"]


async def test_pairs_are_picked_in_the_words_of_their_rules(stage: Stage) -> None:
    board = await stage.start(edition="mindsports", start="pairs")
    dialogue = await stage.alice.click(board, "Pick")
    assert dialogue.content.startswith("Where do you place your pair?")
    dialogue = await stage.alice.select(dialogue, FILE, ["/A"])
    dialogue = await stage.alice.select(dialogue, CELL, ["A9"])
    assert dialogue.content.startswith("**Black places A9, White I1**")
    await stage.alice.click(dialogue, "Confirm")
    assert await log(stage) == ["A9"]


# Permissions.


async def test_confirm_waits_until_the_bot_may_post(stage: Stage) -> None:
    preview = await previewed(stage)
    stage.channel.permit(stage.guild.bot_member, DEFAULT & ~Permission.ATTACH_FILES)
    reply = await stage.alice.click(preview, "Confirm")
    assert reply.ephemeral
    assert "Attach Files" in reply.content
    assert await log(stage) == list(READY)
    stage.channel.permit(stage.guild.bot_member, DEFAULT)
    await stage.alice.click(preview, "Confirm")
    assert await log(stage) == [*READY, "F9-F6"]
