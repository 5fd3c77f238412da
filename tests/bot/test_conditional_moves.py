"""Conditional moves: saving lines in private, playing them, listing, dropping and notifying."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.features.conditional_moves.dialog import PAGE_SIZE
from bot.features.conditional_moves.notices import send_notices
from engine.game import Side
from matches import MatchId, Person
from tests.bot.environment import RESPONSE_TIMEOUT, BotEnvironment, labels, running_bot
from tests.discord_server import ActionNotPossible

if TYPE_CHECKING:
    from tests.discord_server import Member, Message, Reply

STONE, TARGET, POINT = "From", "To", "Point"
MOVES = "One move, or several separated by spaces"
LINES = "Open a line"


async def start_morabaraba(env: BotEnvironment) -> Message:
    """Start a match of Morabaraba: Alice, White, places first, one man a turn."""
    return await env.start_match(game="morabaraba", board=None, start=None, colour="white")


async def open_conditional_moves(
    env: BotEnvironment, person: Member | None = None, **options: object
) -> Reply:
    """Use /conditional, by default as Bob."""
    return await (person or env.bob).command("conditional", options, channel=env.channel)


async def submit_line(person: Member, board: Reply, text: str) -> Reply:
    """Type a line into the modal."""
    return await person.submit(await person.click(board, "Type"), {MOVES: text})


async def save_lines(env: BotEnvironment, person: Member, *lines: str) -> Reply:
    """Save lines, each typed on a new board."""
    for line in lines:
        board = await open_conditional_moves(env, person)
        if "Add a line" in labels(board):
            board = await person.click(board, "Add a line")
        resigns = line.endswith("!")
        board = await submit_line(person, board, line.rstrip("! "))
        if resigns:
            board = await person.click(board, "Answer by resigning")
        board = await person.click(board, "Save this line")
    return board


def numbered_lines(reply: Reply) -> list[str]:
    """Return the numbered lines, without the escapes that keep Discord from renumbering them."""
    lines = [line.strip() for line in reply.text.splitlines()]
    return [line.replace("\\.", ".", 1) for line in lines if line.partition("\\.")[0].isdigit()]


async def stored_moves(env: BotEnvironment) -> list[str]:
    """Return the moves played in the match."""
    history = await env.bot.matches.views.history(MatchId(1))
    return [move.text for move in history.moves]


# Saving and playing lines


@pytest.mark.long
async def test_first_line_can_be_picked_on_a_board(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await open_conditional_moves(env)
    assert reply.ephemeral
    assert "**Conditional moves** in Morelli #1 against Alice (Black)" in reply.text
    assert "If Black plays …?" in reply.text
    reply = await env.bob.select(reply, STONE, ["D1"])
    reply = await env.bob.select(reply, TARGET, ["D4"])
    assert "if Black D1-D4" in reply.text
    assert "… what do you answer, as White?" in reply.text
    assert "Save this line" not in labels(reply)
    reply = await env.bob.select(reply, STONE, ["A5"])
    reply = await env.bob.select(reply, TARGET, ["F5"])
    assert "if Black D1-D4 → **White A5-F5**" in reply.text
    reply = await env.bob.click(reply, "Save this line")
    assert "This line is saved" in reply.text
    assert env.alice.visible_messages(env.channel)[-1] is board
    assert await stored_moves(env) == []


async def test_board_is_oriented_to_the_own_side(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await open_conditional_moves(env)
    files = [one for one in (reply.attachments[0].description or "").splitlines() if "A" in one]
    assert files[-1].split() == list("IHGFEDCBA")


async def test_move_and_conditional_reply_are_one_post_that_pings_the_next_player(
    env: BotEnvironment,
) -> None:
    await env.start_match()
    await save_lines(env, env.bob, "D1-D4 A5-F5")
    before, count_before = len(env.discord.requests), len(env.channel.messages)
    reply = await env.move(env.alice, "D1-D4")
    lines = reply.text.splitlines()
    assert lines[0] == "Alice: **Black D1-D4**"
    assert lines[1] == "Bob had a conditional move ready: **White A5-F5**"
    assert lines[2] == f"{env.alice.mention}, it is your turn. You play **Black**."
    assert len(env.channel.messages) == count_before + 1
    assert len(env.request_routes()[before:]) == 1
    assert env.alice.pings[-1] is reply.message
    assert reply.message not in env.bob.pings
    assert "D1-D4 → White A5-F5" in (reply.attachments[0].description or "")
    assert labels(reply)[:2] == ["Pick", "Move"]


@pytest.mark.long
async def test_match_continues_after_a_conditional_reply(env: BotEnvironment) -> None:
    await env.start_match()
    await save_lines(env, env.bob, "D1-D4 A5-F5")
    board = await env.move(env.alice, "D1-D4")
    await env.submit_move(env.alice, board, "F1-F4")
    assert await stored_moves(env) == ["D1-D4", "A5-F5", "F1-F4"]


@pytest.mark.long
async def test_line_of_several_turns_replies_to_each_turn(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7 D3 D5")
    await env.move(env.alice, "A1")
    assert await stored_moves(env) == ["A1", "G7"]
    await env.move(env.alice, "D3")
    assert await stored_moves(env) == ["A1", "G7", "D3", "D5"]


@pytest.mark.long
async def test_series_of_placements_is_answered_by_a_series(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await save_lines(env, env.bob, "A1 B1 C1")
    reply = await env.move(env.alice, "A1")
    assert "Bob had a conditional move ready: **White places B1 and C1**" in reply.text
    assert await stored_moves(env) == ["A1", "B1", "C1"]


async def test_incomplete_series_of_placements_cannot_be_saved(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    reply = await submit_line(env.bob, await open_conditional_moves(env), "A1 B1")
    assert "So far in this turn: B1." in reply.text
    assert "Save this line" not in labels(reply)


@pytest.mark.long
async def test_line_can_end_with_a_resignation(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    board = await save_lines(env, env.bob, "A1 G7 D3 !")
    assert "**Red resigns**" in board.text
    await env.move(env.alice, "A1")
    reply = await env.move(env.alice, "D3")
    lines = reply.text.splitlines()
    assert lines[:2] == ["Alice: **White places D3**", "Bob had decided to resign in this case."]
    assert "White (Alice) wins. Bob resigns." in lines[2]
    assert env.bob.pings[-1] is reply.message
    assert "Move" not in labels(reply)


async def test_resignation_of_the_opponent_cannot_be_added(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    assert "Answer by resigning" not in labels(await open_conditional_moves(env))


@pytest.mark.long
async def test_delayed_post_describes_both_turns(env: BotEnvironment) -> None:
    await env.start_match()
    await save_lines(env, env.bob, "D1-D4 A5-F5")
    env.discord.faults.drop("POST", "/interactions/**")
    await env.move(env.alice, "D1-D4")
    env.discord.advance(RESPONSE_TIMEOUT)
    await env.bot.outbox.run_once()
    assert (
        "Alice: **Black D1-D4**\nBob had a conditional move ready: **White A5-F5**" in env.latest_message.text
    )
    assert env.alice.pings[-1] is env.latest_message


@pytest.mark.long
async def test_followers_get_both_turns_in_one_message(env: BotEnvironment) -> None:
    await env.start_match()
    carol = env.guild.member("Carol")
    await carol.command("watch", {"match": "1"}, channel=env.channel)
    await save_lines(env, env.bob, "D1-D4 A5-F5")
    count_before = len(carol.dms)
    await env.move(env.alice, "D1-D4")
    await env.bot.outbox.run_once()
    (message,) = carol.dms[count_before:]
    assert "Black D1-D4" in message.text
    assert "White A5-F5" in message.text


@pytest.mark.long
async def test_delayed_post_of_a_conditional_resignation_shows_the_result(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 !")
    env.discord.faults.drop("POST", "/interactions/**")
    await env.move(env.alice, "A1")
    env.discord.advance(RESPONSE_TIMEOUT)
    await env.bot.outbox.run_once()
    assert "Bob had decided to resign in this case." in env.latest_message.text
    assert "White (Alice) wins." in env.latest_message.text


# The list


@pytest.mark.long
async def test_list_shows_all_lines_as_text(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7 D3 D5", "D3 A1", "B2 !")
    reply = await open_conditional_moves(env)
    assert reply.ephemeral
    assert numbered_lines(reply) == [
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


@pytest.mark.long
async def test_line_can_be_opened_from_the_list_and_continued(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7", "D3 A1")
    reply = await env.bob.select(await open_conditional_moves(env), LINES, ["1"])
    assert "if White places A1 → **Red places G7**" in reply.text
    assert "This line is saved" in reply.text
    reply = await env.bob.click(await submit_line(env.bob, reply, "D3 D5"), "Save this line")
    assert numbered_lines(await open_conditional_moves(env)) == [
        "1. If White places A1: **Red places G7**",
        "2. If White places D3: **Red places D5**",
        "3. If White places D3: **Red places A1**",
    ]


async def test_going_back_adds_a_branch(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    reply = await save_lines(env, env.bob, "A1 G7 D3 D5")
    for _ in range(2):
        reply = await env.bob.click(reply, "Back")
    reply = await env.bob.click(await submit_line(env.bob, reply, "B2 F6"), "Save this line")
    assert numbered_lines(await open_conditional_moves(env))[1:] == [
        "2. If White places D3: **Red places D5**",
        "3. If White places B2: **Red places F6**",
    ]


@pytest.mark.long
async def test_saved_reply_can_be_replaced(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7", "A1 B2")
    assert numbered_lines(await open_conditional_moves(env)) == ["1. If White places A1: **Red places B2**"]


@pytest.mark.long
async def test_line_can_be_removed(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7", "D3 A1")
    reply = await env.bob.select(await open_conditional_moves(env), LINES, ["1"])
    reply = await env.bob.click(reply, "Remove this line")
    assert "This line is removed." in reply.text
    assert "Save this line" in labels(reply)
    assert numbered_lines(await open_conditional_moves(env)) == ["1. If White places D3: **Red places A1**"]


@pytest.mark.long
async def test_clearing_all_lines_asks_for_confirmation(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7", "D3 A1")
    asked = await env.bob.click(await open_conditional_moves(env), "Clear all")
    assert "Clear all your conditional moves in this match?" in asked.text
    assert len(numbered_lines(await env.bob.click(asked, "Back"))) == 2
    asked = await env.bob.click(await open_conditional_moves(env), "Clear all")
    assert "are cleared" in (await env.bob.click(asked, "Clear all")).text
    await env.move(env.alice, "A1")
    assert await stored_moves(env) == ["A1"]


@pytest.mark.long
async def test_long_list_has_pages(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    points = ["A1", "A4", "A7", "B2", "B4", "B6", "C3", "C4", "C5", "D1", "D2", "D3", "D5", "D6"]
    for point in points:
        await env.bot.matches.conditionals.add_line(
            MatchId(1),
            await load_bob(env),
            ((point,), ("G7",)),
            seen_revision=0,
            now=env.bot.now(),
        )
    first = await open_conditional_moves(env)
    assert len(numbered_lines(first)) == PAGE_SIZE
    second = await env.bob.click(first, "Next")
    assert numbered_lines(second)[0].startswith(f"{PAGE_SIZE + 1}. If White places {points[PAGE_SIZE]}")
    assert "Next" not in labels(second)
    opened = await env.bob.select(second, LINES, [str(PAGE_SIZE + 1)])
    assert f"if White places {points[PAGE_SIZE]}" in opened.text


async def load_bob(env: BotEnvironment) -> Person:
    """Return Bob as the match knows him."""
    view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
    return view.seats[1].person


@pytest.mark.long
async def test_selecting_a_removed_line_shows_the_list(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7", "D3 A1")
    old = await open_conditional_moves(env)
    reply = await env.bob.select(await open_conditional_moves(env), LINES, ["2"])
    await env.bob.click(reply, "Remove this line")
    assert numbered_lines(await env.bob.select(old, LINES, ["2"])) == [
        "1. If White places A1: **Red places G7**"
    ]


@pytest.mark.long
async def test_private_board_has_a_conditional_moves_button(env: BotEnvironment) -> None:
    board = await env.start_match()
    looked = await env.bob.click(board, "My view")
    assert "If Black plays" in (await env.bob.click(looked, "Conditional moves")).text
    hers = await env.alice.click(board, "My view")
    assert "Conditional moves" not in labels(hers)
    assert "Conditional moves" not in labels(await env.guild.member("Carol").click(board, "My view"))


@pytest.mark.long
async def test_lines_survive_a_restart(env: BotEnvironment) -> None:
    await env.start_match()
    board = await submit_line(env.bob, await open_conditional_moves(env), "D1-D4 A5-F5")
    await env.bot.close()
    async with running_bot(env.discord, env.database):
        assert "This line is saved" in (await env.bob.click(board, "Save this line")).text
        assert "White A5-F5" in (await env.move(env.alice, "D1-D4")).text


# Dropped lines


@pytest.mark.long
async def test_dropped_lines_are_reported_by_direct_message(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7 D3 D5")
    reply = await env.move(env.alice, "B2")
    assert reply.text.splitlines()[1].startswith(env.bob.mention)
    await env.bot.outbox.run_once()
    (notice,) = env.bob.dms
    name = "**Morabaraba vs Alice (#1)**"
    assert f"{name}: Your opponent played something that you had no answer to" in notice.text
    assert env.alice.dms == []
    await env.bot.outbox.run_once()
    assert len(env.bob.dms) == 1


@pytest.mark.long
async def test_dropped_lines_are_reported_at_the_next_view_if_dms_are_closed(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7")
    env.bob.close_dms()
    await env.move(env.alice, "B2")
    await env.bot.outbox.run_once()
    count_before = len(env.channel.messages)
    reply = await open_conditional_moves(env)
    assert reply.ephemeral
    assert "so your conditional moves were deleted" in reply.text
    assert "It is your turn. Play first." in reply.text
    assert [one for one in env.channel.messages[count_before:] if not one.ephemeral] == []
    await env.wait_until_idle()
    assert "It is your turn in Morabaraba vs Alice (#1)" in (await open_conditional_moves(env)).text


@pytest.mark.long
async def test_failed_notice_is_sent_later(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7")
    await env.move(env.alice, "B2")
    env.discord.faults.drop("POST", "/channels/*/messages")
    await env.bot.outbox.run_once()
    assert env.bob.dms == []
    env.discord.advance(60)
    await env.bot.outbox.run_once()
    assert len(env.bob.dms) == 1


@pytest.mark.long
async def test_unsendable_notice_does_not_block_others(env: BotEnvironment) -> None:
    matches, now = env.bot.matches, env.bot.now()
    ann, ben = Person("mail:ann", "Ann"), Person("mail:ben", "Ben")
    step = await matches.challenges.create(
        ann, to=ben, server="mail:1", channel="mail:1", game="morabaraba", colour=Side.WHITE, now=now
    )
    foreign = (await matches.challenges.accept(step.challenge.id, ben, now=now)).match
    await matches.conditionals.add_line(foreign.id, ben, (("A1",), ("G7",)), seen_revision=0, now=now)
    await matches.play(foreign.id, ann, ["B2"], now=now)
    await start_morabaraba(env)
    reply = await open_conditional_moves(env, match="2")
    reply = await env.bob.click(await submit_line(env.bob, reply, "A1 G7"), "Save this line")
    await env.move(env.alice, "B2", match="2")
    await send_notices(env.bot)
    assert len(env.bob.dms) == 1
    # Who has no account at Discord finds the notice on the website; nothing is tried again.
    env.discord.advance(120)
    assert await matches.conditionals.claim_notices("discord", now=env.bot.now()) == ()
    assert (await matches.conditionals.get(foreign.id, ben)).loss is not None


async def test_outdated_line_board_is_closed(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    board = await submit_line(env.bob, await open_conditional_moves(env), "A1 G7")
    await env.move(env.alice, "B2")
    kept = await env.bob.click(board, "Save this line")
    assert "This is not the latest board" in kept.text
    moved = await env.bob.click(board, "Back")
    assert "this line no longer applies" in moved.text
    assert labels(moved) == []
    assert await stored_moves(env) == ["B2"]


async def test_saving_is_refused_in_the_own_turn(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    assert "It is your turn in Morabaraba vs Bob (#1)" in (await open_conditional_moves(env, env.alice)).text


@pytest.mark.long
async def test_outdated_list_opens_no_board_in_the_own_turn(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7")
    old = await open_conditional_moves(env)
    await env.move(env.alice, "B2")
    reply = await env.bob.click(old, "Add a line")
    assert "It is your turn. Play first." in reply.text
    assert not reply.buttons


async def test_saving_is_refused_for_others(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    carol = env.guild.member("Carol")
    reply = await open_conditional_moves(env, carol, match="1")
    assert "You are not playing in Morabaraba #1" in reply.text


@pytest.mark.long
async def test_illegal_line_is_refused_with_the_reason(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    reply = await submit_line(env.bob, await open_conditional_moves(env), "1. A1 A1")
    assert "Nothing was added." in reply.text
    assert reply.ephemeral
    assert "Did you mean one of these?" in reply.text
    chosen = await env.bob.click(reply, str(reply.buttons[0].label))
    assert "if White places A1 → **Red places A4**" in chosen.text


@pytest.mark.long
async def test_end_of_the_match_deletes_conditional_moves(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await save_lines(env, env.bob, "A1 G7")
    asked = await env.alice.command("resign", {}, channel=env.channel)
    await env.alice.click(asked, "Resign")
    await env.bot.outbox.run_once()
    assert env.bob.dms == []
    with pytest.raises(ActionNotPossible):
        await env.bob.click(await open_conditional_moves(env, match="1"), "Add a line")
