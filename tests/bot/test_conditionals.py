"""Conditional moves, as people settle them in private and see them come true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.conditionals.listing import PAGE
from bot.conditionals.notices import tell
from engine.game import Side
from matches import MatchId, Person
from tests.bot.stage import WAITS, Stage, bot_over
from tests.discord_server import NotPossible

if TYPE_CHECKING:
    from tests.discord_server import Member, Message, Reply

STONE, TARGET, POINT = "From where", "To where", "A point"
MOVES = "One move, or several parted by spaces"
LINES = "Open a line"


async def men(stage: Stage) -> Message:
    """Start a match of Morabaraba: Alice, White, places first, one man a turn."""
    return await stage.start(game="morabaraba", board=None, start=None, colour="white")


async def conditional(stage: Stage, person: Member | None = None, **options: object) -> Reply:
    return await (person or stage.bob).command("conditional", options, channel=stage.channel)


async def type_in(person: Member, board: Reply, text: str) -> Reply:
    return await person.submit(await person.click(board, "Type"), {MOVES: text})


async def settle(stage: Stage, person: Member, *lines: str) -> Reply:
    """Keep lines, each typed whole on a board of its own."""
    for line in lines:
        board = await conditional(stage, person)
        if "Add a line" in labels(board):
            board = await person.click(board, "Add a line")
        resigns = line.endswith("!")
        board = await type_in(person, board, line.rstrip("! "))
        if resigns:
            board = await person.click(board, "Answer by resigning")
        board = await person.click(board, "Keep this line")
    return board


def labels(message: Message | Reply) -> list[str | None]:
    return [button.label for button in message.buttons]


def numbered(reply: Reply) -> list[str]:
    """Give the lines with numbers, whose points are escaped lest Discord should count them anew."""
    lines = [line.strip() for line in reply.text.splitlines()]
    return [line.replace("\\.", ".", 1) for line in lines if line.partition("\\.")[0].isdigit()]


async def log(stage: Stage) -> list[str]:
    history = await stage.bot.matches.history(MatchId(1), now=stage.bot.now())
    return [move.text for move in history.moves]


# Settling a line.


async def test_first_line_is_settled_on_a_board_by_picking(stage: Stage) -> None:
    board = await stage.start()
    reply = await conditional(stage)
    assert reply.ephemeral
    assert "**Conditional moves** in match 1 against Alice (Black)" in reply.text
    assert "If Black plays …?" in reply.text
    reply = await stage.bob.select(reply, STONE, ["D1"])
    reply = await stage.bob.select(reply, TARGET, ["D4"])
    assert "if Black D1-D4" in reply.text
    assert "then what do you answer, as White?" in reply.text
    assert "Keep this line" not in labels(reply)
    reply = await stage.bob.select(reply, STONE, ["A5"])
    reply = await stage.bob.select(reply, TARGET, ["F5"])
    assert "if Black D1-D4 → **White A5-F5**" in reply.text
    reply = await stage.bob.click(reply, "Keep this line")
    assert "This line is kept" in reply.text
    assert stage.alice.sees(stage.channel)[-1] is board
    assert await log(stage) == []


async def test_board_is_seen_from_ones_own_side(stage: Stage) -> None:
    await stage.start()
    reply = await conditional(stage)
    files = [one for one in (reply.attachments[0].description or "").splitlines() if "A" in one]
    assert files[-1].split() == list("IHGFEDCBA")


async def test_answer_is_one_post_with_the_move_and_calls_who_is_to_move(stage: Stage) -> None:
    await stage.start()
    await settle(stage, stage.bob, "D1-D4 A5-F5")
    before, seen = len(stage.discord.requests), len(stage.channel.messages)
    reply = await stage.move(stage.alice, "D1-D4")
    lines = reply.text.splitlines()
    assert lines[0] == "Alice: **Black D1-D4**"
    assert lines[1] == "Bob had the answer ready: **White A5-F5**"
    assert lines[2] == f"{stage.alice.mention}, you have **Black** and are to move."
    assert len(stage.channel.messages) == seen + 1
    assert len(stage.requests()[before:]) == 1
    assert stage.alice.pings[-1] is reply.message
    assert reply.message not in stage.bob.pings
    assert "D1-D4 → White A5-F5" in (reply.attachments[0].description or "")
    assert labels(reply)[:2] == ["Pick", "Move"]


async def test_play_goes_on_after_the_answer(stage: Stage) -> None:
    await stage.start()
    await settle(stage, stage.bob, "D1-D4 A5-F5")
    board = await stage.move(stage.alice, "D1-D4")
    await stage.type(stage.alice, board, "F1-F4")
    assert await log(stage) == ["D1-D4", "A5-F5", "F1-F4"]


async def test_line_of_several_turns_answers_each_in_its_time(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7 D3 D5")
    await stage.move(stage.alice, "A1")
    assert await log(stage) == ["A1", "G7"]
    await stage.move(stage.alice, "D3")
    assert await log(stage) == ["A1", "G7", "D3", "D5"]


async def test_run_is_answered_by_a_run(stage: Stage) -> None:
    await stage.start(start="free")
    await settle(stage, stage.bob, "A1 B1 C1")
    reply = await stage.move(stage.alice, "A1")
    assert "Bob had the answer ready: **White places B1 and C1**" in reply.text
    assert await log(stage) == ["A1", "B1", "C1"]


async def test_part_of_a_run_is_shown_and_cannot_be_kept(stage: Stage) -> None:
    await stage.start(start="free")
    reply = await type_in(stage.bob, await conditional(stage), "A1 B1")
    assert "So far in this turn: B1." in reply.text
    assert "Keep this line" not in labels(reply)


async def test_line_may_end_in_resigning(stage: Stage) -> None:
    await men(stage)
    board = await settle(stage, stage.bob, "A1 G7 D3 !")
    assert "**Red resigns**" in board.text
    await stage.move(stage.alice, "A1")
    reply = await stage.move(stage.alice, "D3")
    lines = reply.text.splitlines()
    assert lines[:2] == ["Alice: **White places D3**", "Bob had settled on resigning then."]
    assert "White (Alice) wins. Bob resigns." in lines[2]
    assert stage.bob.pings[-1] is reply.message
    assert "Move" not in labels(reply)


async def test_resigning_is_not_offered_for_the_other(stage: Stage) -> None:
    await men(stage)
    assert "Answer by resigning" not in labels(await conditional(stage))


async def test_post_that_comes_late_tells_both_turns_too(stage: Stage) -> None:
    await stage.start()
    await settle(stage, stage.bob, "D1-D4 A5-F5")
    stage.discord.faults.drop("POST", "/interactions/**")
    await stage.move(stage.alice, "D1-D4")
    stage.discord.advance(WAITS)
    await stage.bot.outbox.tick()
    assert "Alice: **Black D1-D4**\nBob had the answer ready: **White A5-F5**" in stage.latest.text
    assert stage.alice.pings[-1] is stage.latest


async def test_whoever_follows_the_match_is_told_both_turns_in_one_message(stage: Stage) -> None:
    await stage.start()
    carol = stage.guild.member("Carol")
    await carol.command("watch", {"match": "1"}, channel=stage.channel)
    await settle(stage, stage.bob, "D1-D4 A5-F5")
    seen = len(carol.dms)
    await stage.move(stage.alice, "D1-D4")
    await stage.bot.outbox.tick()
    (told,) = carol.dms[seen:]
    assert "Black D1-D4" in told.text
    assert "White A5-F5" in told.text


async def test_late_post_of_resigning_tells_the_result(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 !")
    stage.discord.faults.drop("POST", "/interactions/**")
    await stage.move(stage.alice, "A1")
    stage.discord.advance(WAITS)
    await stage.bot.outbox.tick()
    assert "Bob had settled on resigning then." in stage.latest.text
    assert "White (Alice) wins." in stage.latest.text


# The list.


async def test_list_shows_all_lines_as_text(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7 D3 D5", "D3 A1", "B2 !")
    reply = await conditional(stage)
    assert reply.ephemeral
    assert numbered(reply) == [
        "1. If White places A1: **Red places G7**",
        "2. If White places D3: **Red places D5**",
        "3. If White places D3: **Red places A1**",
        "4. If White places B2: **Red resigns**",
    ]
    (menu,) = reply.selects
    assert menu.options[0].label == "1. If White places A1: Red places G7"
    lines = reply.text.splitlines()
    assert lines[2].startswith("\u2003")
    assert not lines[3].startswith("\u2003")


async def test_line_is_opened_from_the_list_and_gone_on_with(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7", "D3 A1")
    reply = await stage.bob.select(await conditional(stage), LINES, ["1"])
    assert "if White places A1 → **Red places G7**" in reply.text
    assert "This line is kept" in reply.text
    reply = await stage.bob.click(await type_in(stage.bob, reply, "D3 D5"), "Keep this line")
    assert numbered(await conditional(stage)) == [
        "1. If White places A1: **Red places G7**",
        "2. If White places D3: **Red places D5**",
        "3. If White places D3: **Red places A1**",
    ]


async def test_line_branches_where_one_goes_back(stage: Stage) -> None:
    await men(stage)
    reply = await settle(stage, stage.bob, "A1 G7 D3 D5")
    for _ in range(2):
        reply = await stage.bob.click(reply, "Back")
    reply = await stage.bob.click(await type_in(stage.bob, reply, "B2 F6"), "Keep this line")
    assert numbered(await conditional(stage))[1:] == [
        "2. If White places D3: **Red places D5**",
        "3. If White places B2: **Red places F6**",
    ]


async def test_answer_is_changed(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7", "A1 B2")
    assert numbered(await conditional(stage)) == ["1. If White places A1: **Red places B2**"]


async def test_line_is_removed(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7", "D3 A1")
    reply = await stage.bob.select(await conditional(stage), LINES, ["1"])
    reply = await stage.bob.click(reply, "Remove this line")
    assert "This line is removed." in reply.text
    assert "Keep this line" in labels(reply)
    assert numbered(await conditional(stage)) == ["1. If White places D3: **Red places A1**"]


async def test_all_are_cleared_after_asking_once(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7", "D3 A1")
    asked = await stage.bob.click(await conditional(stage), "Clear all")
    assert "Clear all your conditional moves in match 1?" in asked.text
    assert len(numbered(await stage.bob.click(asked, "Back"))) == 2
    asked = await stage.bob.click(await conditional(stage), "Clear all")
    assert "are cleared" in (await stage.bob.click(asked, "Clear all")).text
    await stage.move(stage.alice, "A1")
    assert await log(stage) == ["A1"]


async def test_long_list_has_pages(stage: Stage) -> None:
    await men(stage)
    points = ["A1", "A4", "A7", "B2", "B4", "B6", "C3", "C4", "C5", "D1", "D2", "D3", "D5", "D6"]
    for point in points:
        await stage.bot.matches.conditionals.keep(
            MatchId(1), await bob(stage), ((point,), ("G7",)), seen_ply=0, now=stage.bot.now()
        )
    first = await conditional(stage)
    assert len(numbered(first)) == PAGE
    second = await stage.bob.click(first, "Next")
    assert numbered(second)[0].startswith(f"{PAGE + 1}. If White places {points[PAGE]}")
    assert "Next" not in labels(second)
    opened = await stage.bob.select(second, LINES, [str(PAGE + 1)])
    assert f"if White places {points[PAGE]}" in opened.text


async def bob(stage: Stage) -> Person:
    view = await stage.bot.matches.view(MatchId(1), now=stage.bot.now())
    return view.seats[1].person


async def test_line_that_is_gone_leads_back_to_the_list(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7", "D3 A1")
    old = await conditional(stage)
    reply = await stage.bob.select(await conditional(stage), LINES, ["2"])
    await stage.bob.click(reply, "Remove this line")
    assert numbered(await stage.bob.select(old, LINES, ["2"])) == ["1. If White places A1: **Red places G7**"]


async def test_button_under_ones_private_look(stage: Stage) -> None:
    board = await stage.start()
    looked = await stage.bob.click(board, "My view")
    assert "If Black plays" in (await stage.bob.click(looked, "Conditional moves")).text
    hers = await stage.alice.click(board, "My view")
    assert "Conditional moves" not in labels(hers)
    assert "Conditional moves" not in labels(await stage.guild.member("Carol").click(board, "My view"))


async def test_lines_outlive_a_restart(stage: Stage) -> None:
    await stage.start()
    board = await type_in(stage.bob, await conditional(stage), "D1-D4 A5-F5")
    await stage.bot.close()
    async with bot_over(stage.discord, stage.store):
        assert "This line is kept" in (await stage.bob.click(board, "Keep this line")).text
        assert "White A5-F5" in (await stage.move(stage.alice, "D1-D4")).text


# Dropped.


async def test_what_does_not_come_true_is_dropped_with_a_direct_message(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7 D3 D5")
    reply = await stage.move(stage.alice, "B2")
    assert reply.text.splitlines()[1].startswith(stage.bob.mention)
    await stage.bot.outbox.tick()
    (notice,) = stage.bob.dms
    assert "Match 1 against Alice: Your opponent played something that you had no answer to" in notice.text
    assert stage.alice.dms == []
    await stage.bot.outbox.tick()
    assert len(stage.bob.dms) == 1


async def test_whoever_takes_no_direct_message_is_told_at_the_next_look(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7")
    stage.bob.close_dms()
    await stage.move(stage.alice, "B2")
    await stage.bot.outbox.tick()
    seen = len(stage.channel.messages)
    reply = await conditional(stage)
    assert reply.ephemeral
    assert "so your conditional moves are dropped" in reply.text
    assert "It is your turn: play." in reply.text
    assert [one for one in stage.channel.messages[seen:] if not one.ephemeral] == []
    await stage.quiet()
    assert "It is your turn in match 1" in (await conditional(stage)).text


async def test_direct_message_that_fails_is_sent_later(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7")
    await stage.move(stage.alice, "B2")
    stage.discord.faults.drop("POST", "/channels/*/messages")
    await stage.bot.outbox.tick()
    assert stage.bob.dms == []
    stage.discord.advance(60)
    await stage.bot.outbox.tick()
    assert len(stage.bob.dms) == 1


async def test_notice_that_cannot_be_told_here_keeps_no_other_back(stage: Stage) -> None:
    matches, now = stage.bot.matches, stage.bot.now()
    ann, ben = Person("mail:ann", "Ann"), Person("mail:ben", "Ben")
    step = await matches.challenge(
        ann, to=ben, server="mail:1", place="mail:1", game="morabaraba", colour=Side.WHITE, now=now
    )
    foreign = (await matches.accept(step.challenge.id, ben, now=now)).match
    await matches.conditionals.keep(foreign.id, ben, (("A1",), ("G7",)), seen_ply=0, now=now)
    await matches.play(foreign.id, ann, ["B2"], now=now)
    await men(stage)
    reply = await conditional(stage, match="2")
    reply = await stage.bob.click(await type_in(stage.bob, reply, "A1 G7"), "Keep this line")
    await stage.move(stage.alice, "B2", match="2")
    await tell(stage.bot)
    assert len(stage.bob.dms) == 1


async def test_board_of_a_line_that_comes_too_late_is_closed(stage: Stage) -> None:
    await men(stage)
    board = await type_in(stage.bob, await conditional(stage), "A1 G7")
    await stage.move(stage.alice, "B2")
    kept = await stage.bob.click(board, "Keep this line")
    assert "has moved on" in kept.text
    moved = await stage.bob.click(board, "Back")
    assert "this line begins nowhere any more" in moved.text
    assert labels(moved) == []
    assert await log(stage) == ["B2"]


async def test_nothing_is_settled_in_ones_own_turn(stage: Stage) -> None:
    await men(stage)
    assert "It is your turn in match 1" in (await conditional(stage, stage.alice)).text


async def test_old_list_opens_no_board_in_ones_own_turn(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7")
    old = await conditional(stage)
    await stage.move(stage.alice, "B2")
    reply = await stage.bob.click(old, "Add a line")
    assert "It is your turn: play." in reply.text
    assert not reply.buttons


async def test_onlookers_settle_nothing(stage: Stage) -> None:
    await men(stage)
    carol = stage.guild.member("Carol")
    reply = await conditional(stage, carol, match="1")
    assert "You do not play in match 1" in reply.text


async def test_illegal_line_is_refused_in_words_that_fit(stage: Stage) -> None:
    await men(stage)
    reply = await type_in(stage.bob, await conditional(stage), "A1 A1")
    assert "Nothing was tried." in reply.text
    assert reply.ephemeral


async def test_match_that_ends_takes_them_along(stage: Stage) -> None:
    await men(stage)
    await settle(stage, stage.bob, "A1 G7")
    asked = await stage.alice.command("resign", {}, channel=stage.channel)
    await stage.alice.click(asked, "Resign")
    await stage.bot.outbox.tick()
    assert stage.bob.dms == []
    with pytest.raises(NotPossible):
        await stage.bob.click(await conditional(stage, match="1"), "Add a line")
