"""Analysis boards: trying moves back and forth from any position, without playing them."""

from __future__ import annotations

import re
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.features.analysis_board.formatting import MAX_MOVES_SHOWN
from bot.features.analysis_board.state import ANALYSIS_ID_PATTERN, MAX_LINE_MOVES, AnalysisState, join_moves
from bot.ui.replay_state import ReplaySource, ReplayState
from engine import GAMES
from engine import __file__ as engine_file
from matches import MatchId
from tests.bot.environment import BotEnvironment, labels, running_bot
from tests.discord_server import ActionNotPossible, Upload

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from tests.discord_server import Member, Reply

STONE, TARGET, POINT = "From", "To", "Point"
ENGINE_FOLDER = str(Path(engine_file).parent)
MOVES = "One move, or several separated by spaces"


async def open_analysis(env: BotEnvironment, person: Member | None = None, **options: object) -> Reply:
    """Use /whatif, by default as Alice."""
    return await (person or env.alice).command("whatif", options, channel=env.channel)


async def submit_moves(person: Member, board: Reply, text: str) -> Reply:
    """Type moves into the modal of an analysis."""
    return await person.submit(await person.click(board, "Type"), {MOVES: text})


def alt(reply: Reply) -> str:
    """Return the alt text of the picture."""
    return reply.shown.attachments[0].description or ""


def line(reply: Reply) -> str:
    """Return the text line that shows the line of moves."""
    return reply.text.splitlines()[1]


async def ply(env: BotEnvironment) -> int:
    """Return the number of moves played in the match."""
    return (await env.bot.matches.view(MatchId(1), now=env.bot.now())).ply


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """Count calls of functions in `engine` by this thread, which runs the event loop, and generator steps."""
    calls = Counter[str]()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ENGINE_FOLDER):
            calls[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


@pytest.mark.long
async def test_no_input_lists_all_moves_of_a_large_board(env: BotEnvironment) -> None:
    board = await env.start_match(game="morphos", board="19", start=None, mutators="abcd")
    analysis = await open_analysis(env)
    with counted_calls() as calls:
        await env.alice.click(analysis, "Type")
        await env.alice.click(board, "Move")
        await env.alice.click(board, "Pick")
        await env.alice.command("conditional", {}, channel=env.channel)
        await env.move(env.alice, "nonsense")
        for typed in ("", "a", "a1,", "nonsense"):
            await env.alice.autocomplete("move", {"move": typed}, focused="move", channel=env.channel)
    assert calls.total() < 20_000, calls.most_common(5)  # the board has 65,341 moves


# Trying moves


@pytest.mark.long
async def test_analysis_is_ephemeral_and_says_so(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await open_analysis(env)
    assert reply.ephemeral
    assert "**What if** · Morelli #1, Alice (Black) \u2013 Bob (White), from turn 0 of 0" in reply.text
    assert "Only you see this. Nothing is played." in reply.text
    assert env.bob.visible_messages(env.channel)[-1] is board


@pytest.mark.long
async def test_moves_can_be_picked_for_both_sides(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await open_analysis(env)
    for stone, target in (("D1", "D4"), ("A5", "F5")):
        reply = await env.alice.select(reply, STONE, [stone])
        assert "You can choose" not in reply.text
        reply = await env.alice.select(reply, TARGET, [target])
    assert line(reply) == "**D1-D4 A5-F5**"
    assert "Black to play" in reply.text
    assert alt(reply).startswith("The board after D1-D4 A5-F5.")
    assert await ply(env) == 0


async def test_each_step_has_a_picture_and_takes_one_request(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await open_analysis(env)
    pictures = [reply.shown.attachments[0].data]
    before = len(env.discord.requests)
    reply = await env.alice.select(reply, STONE, ["D1"])
    pictures.append(reply.shown.attachments[0].data)
    reply = await env.alice.select(reply, TARGET, ["D4"])
    pictures.append(reply.shown.attachments[0].data)
    assert len(set(pictures)) == 3
    assert [one.rpartition("/")[2] for one in env.request_routes()[before:]] == ["callback"] * 2


async def test_several_moves_can_be_typed_at_once(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), "d1-d4 a5 - f5; F1\u2013F4")
    assert line(reply) == "**D1-D4 A5-F5 F1-F4**"
    assert reply.updated


async def test_typed_lines_may_have_numbers_sides_and_cells_apart(env: BotEnvironment) -> None:
    await env.start_match()
    text = "1. d1 to d4 a5f5! 2. White F1 f4"
    assert line(await submit_moves(env.alice, await open_analysis(env), text)) == "**D1-D4 A5-F5 F1-F4**"


@pytest.mark.long
async def test_illegal_move_is_refused_and_the_board_unchanged(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await open_analysis(env)
    refused = await submit_moves(env.alice, reply, "D1-D4 D1-D5")
    assert refused.ephemeral
    assert "Nothing was added." in refused.text
    assert "still your turn" not in refused.text
    assert line(await env.alice.select(reply, STONE, ["D1"])) == "No moves yet."


async def test_legal_moves_near_a_refused_one_are_offered(env: BotEnvironment) -> None:
    await env.start_match()
    refused = await submit_moves(env.alice, await open_analysis(env), "1. D1-D4 a5 to a6")
    assert "Did you mean one of these?" in refused.text
    assert len(refused.buttons) <= 3
    label = str(refused.buttons[0].label)
    assert line(await env.alice.click(refused, label)) == f"**{label}**"


async def test_ambiguous_move_is_refused_with_the_choices(env: BotEnvironment) -> None:
    await env.start_match(game="morabaraba", board=None, start=None, colour=None)
    reply = await submit_moves(env.alice, await open_analysis(env), "A1 B2 A4 B4 A7")
    assert "Write" in reply.text
    assert "A7~" in reply.text


@pytest.mark.long
async def test_captures_are_asked_as_in_the_move_picker(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), "D1-D4 A5-F5 F1-F4 I2-H2 D9-D6 I6-E6")
    reply = await env.alice.select(reply, STONE, ["F9"])
    reply = await env.alice.select(reply, TARGET, ["F6"])
    assert "Which of them do you capture?" in reply.text
    reply = await env.alice.click(reply, "Capture all 2")
    reply = await env.alice.click(reply, "Take the Centre")
    assert line(reply).endswith("F9-F6**")


async def open_imported_board(env: BotEnvironment, game: str, options: str, start: str) -> Reply:
    """Open an analysis of a position from an imported record."""
    record = f'[Game "{game}"]\n[Rules "1"]\n[Options "{options}"]\n[Start "{start}"]\n[Result "*"]\n\n*\n'
    file = Upload("game.txt", record.encode())
    await (await env.alice.command("import", {"file": file}, channel=env.channel)).wait_until_complete()
    return await open_analysis(env, record=1)


async def test_single_legal_move_has_a_button(env: BotEnvironment) -> None:
    reply = await open_imported_board(
        env, "morphos", "size=5 mutators=-", "morphos - wwbbb/wwbbw/wbwww/bwbww/wwbbw b 25 -"
    )
    assert labels(reply) == ["pass", "Flip board", "Type"]
    assert line(await env.alice.click(reply, "pass")) == "**pass**"


async def test_end_of_the_game_is_shown(env: BotEnvironment) -> None:
    reply = await open_imported_board(
        env, "morphos", "size=5 mutators=-", "morphos - b1bbw/wbbbb/bbbbb/wwbbb/bwbbb b 24 -"
    )
    reply = await submit_moves(env.alice, reply, "B5")
    assert "Black has won on this board." in reply.text
    assert labels(reply) == ["Back", "Flip board"]


# Back, forward and alternatives


@pytest.mark.long
async def test_back_and_forward_step_through_the_line(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), "D1-D4 A5-F5")
    seen = [line(reply)]
    for button in ("Back", "Back", "Forward"):
        reply = await env.alice.click(reply, button)
        seen.append(line(reply))
    assert seen == [
        "**D1-D4 A5-F5**",
        "**D1-D4** *then A5-F5*",
        "*then D1-D4 A5-F5*",
        "**D1-D4** *then A5-F5*",
    ]
    assert "White to play" in reply.text


async def test_back_and_forward_stop_at_the_ends(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await open_analysis(env)
    assert labels(reply) == ["Flip board", "Type"]
    reply = await submit_moves(env.alice, reply, "D1-D4")
    assert labels(reply) == ["Back", "Flip board", "Type"]


@pytest.mark.long
async def test_different_move_replaces_the_rest_of_the_line(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), "D1-D4 A5-F5 F1-F4")
    for _ in range(2):
        reply = await env.alice.click(reply, "Back")
    assert line(await submit_moves(env.alice, reply, "A5-B5")) == "**D1-D4 A5-B5**"


@pytest.mark.long
async def test_same_move_keeps_the_rest_of_the_line(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), "D1-D4 A5-F5 F1-F4")
    for _ in range(2):
        reply = await env.alice.click(reply, "Back")
    assert line(await submit_moves(env.alice, reply, "A5-F5")) == "**D1-D4 A5-F5** *then F1-F4*"


async def test_back_cancels_an_unfinished_move(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.alice.select(await open_analysis(env), STONE, ["D1"])
    reply = await env.alice.click(reply, "Back")
    assert [select.placeholder for select in reply.selects] == [STONE]
    assert "Back" not in labels(reply)


async def test_back_skips_forced_answers(env: BotEnvironment) -> None:
    reply = await open_imported_board(
        env, "morabaraba", "men=12", "morabaraba 12 w2/3/3/w3rr/w2/1r1/1wr w 0,0 -"
    )
    reply = await env.alice.select(reply, STONE, ["D1"])
    assert "Which man do you remove?" in reply.text
    reply = await env.alice.click(reply, "Back")
    assert [select.placeholder for select in reply.selects] == [STONE]


async def test_board_can_be_flipped(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), "D1-D4")
    flipped = await env.alice.click(reply, "Flip board")
    assert line(flipped) == "**D1-D4**"
    assert [one.strip() for one in alt(flipped).splitlines() if "A" in one][-1] == "I H G F E D C B A"


# From any position


async def test_past_position_of_a_match_can_be_analysed(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "D1-D4")
    await env.move(env.bob, "A5-F5")
    reply = await open_analysis(env, turn=1)
    assert "from turn 1 of 2" in reply.text
    assert "White to play" in reply.text
    assert line(await submit_moves(env.alice, reply, "A5-B5")) == "**A5-B5**"
    assert "from turn 2 of 2" in (await open_analysis(env)).text


async def test_match_of_others_can_be_analysed(env: BotEnvironment) -> None:
    await env.start_match()
    carol = env.guild.member("Carol")
    reply = await submit_moves(carol, await open_analysis(env, carol), "D1-D4")
    assert line(reply) == "**D1-D4**"
    assert "Use as conditional" not in labels(reply)


@pytest.mark.long
async def test_finished_match_can_be_analysed(env: BotEnvironment) -> None:
    await env.start_match()
    asked = await env.alice.command("resign", {}, channel=env.channel)
    await env.alice.click(asked, "Resign")
    assert line(await submit_moves(env.alice, await open_analysis(env), "D1-D4")) == "**D1-D4**"


async def test_match_of_another_server_is_unknown(env: BotEnvironment) -> None:
    await env.start_match()
    elsewhere = env.discord.guild("Elsewhere")
    stranger = elsewhere.member("Stranger")
    reply = await stranger.command("whatif", {"match": "1"}, channel=elsewhere.channel("games"))
    assert "There is no match #1 on this server" in reply.text


async def test_private_board_has_an_analysis_button(env: BotEnvironment) -> None:
    first = await env.start_match()
    await env.move(env.alice, "D1-D4")
    looked = await env.bob.click(first, "My view")
    reply = await env.bob.click(looked, "What if")
    assert reply.ephemeral
    assert "from turn 0 of 1" in reply.text


@pytest.mark.long
async def test_replay_page_has_an_analysis_button(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "D1-D4")
    await env.move(env.bob, "A5-F5")
    page = await env.bob.command("replay", {"turn": 1}, channel=env.channel)
    reply = await env.bob.click(page, "What if")
    assert "from turn 1 of 2" in reply.text
    shared = await env.bob.click(page, "Post it here")
    assert "What if" not in labels(shared)


@pytest.mark.long
async def test_unfinished_placements_are_hidden_from_the_opponent(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A1")
    await env.move(env.bob, "B1")
    reply = await open_analysis(env)
    assert "from turn 1 of 1" in reply.text
    reply = await submit_moves(env.alice, reply, "B1")
    assert line(reply) == "**B1**"


# Restarts and long lines


def long_line(count: int) -> list[str]:
    """Return moves of a legal line on the small board, always the first legal one."""
    position, texts = GAMES["morelli"].initial_position(size=9, setup="facing"), list[str]()
    for _ in range(count):
        texts.append(str(position.legal_moves()[0]))
        position = position.play(position.parse(texts[-1]))
    return texts


async def test_analysis_works_after_a_restart(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), "D1-D4")
    await env.bot.close()
    async with running_bot(env.discord, env.database):
        reply = await env.alice.select(reply, STONE, ["A5"])
        assert line(await env.alice.select(reply, TARGET, ["F5"])) == "**D1-D4 A5-F5**"


@pytest.mark.long
async def test_long_line_works_after_a_restart(env: BotEnvironment) -> None:
    texts = long_line(30)
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), " ".join(texts[:29]))
    assert all("#" in (button.custom_id or "") for button in reply.buttons)
    await env.bot.close()
    async with running_bot(env.discord, env.database):
        reply = await submit_moves(env.alice, reply, texts[29])
        assert line(reply) == f"**{' '.join(texts)}**"
        assert line(await env.alice.click(reply, "Back")).endswith(f"{texts[28]}** *then {texts[29]}*")


@pytest.mark.long
async def test_stored_line_is_only_for_its_author(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), " ".join(long_line(20)))
    number = next(iter(reply.buttons)).custom_id or ""
    his = await open_analysis(env, env.bob)
    shown = his.shown
    for row in shown.components:
        for one in row.get("components", ()):
            if one.get("custom_id", "").startswith("try1:"):
                one["custom_id"] = number
    assert "This line is no longer stored" in (await env.bob.click(his, number)).text


@pytest.mark.long
async def test_line_has_a_maximum_length(env: BotEnvironment) -> None:
    await env.start_match(game="morphos", board="19", start=None)
    texts = [f"{file}{rank}" for rank in range(1, 20) for file in "ABCDEFGHIJKLMNOPQRS"]
    reply = await submit_moves(env.alice, await open_analysis(env), " ".join(texts[:MAX_LINE_MOVES]))
    assert line(reply) == f"**{' '.join(texts[MAX_LINE_MOVES - MAX_MOVES_SHOWN : MAX_LINE_MOVES])}**"
    refused = await submit_moves(env.alice, reply, texts[MAX_LINE_MOVES])
    assert f"A line can have at most {MAX_LINE_MOVES} moves" in refused.text


@pytest.mark.parametrize(
    "state",
    [
        AnalysisState(ReplayState(ReplaySource.MATCH, 1)),
        AnalysisState(
            ReplayState(ReplaySource.RECORD, 10**12 - 1, 99_999, is_flipped=True),
            ("D1-I6~H5,H6", "C3+xD4"),
            2,
        ),
        AnalysisState(ReplayState(ReplaySource.MATCH, 7, 3), ("A1", "!"), 2, is_conditional=True),
        AnalysisState(
            ReplayState(ReplaySource.MATCH, 7), ("A1",), 0, answers=("D4", "*", "A1,B2"), group="n"
        ),
        AnalysisState(ReplayState(ReplaySource.MATCH, 7), ("A1",), 1, is_conditional=True, answers=("!",)),
    ],
)
def test_analysis_state_round_trips(state: AnalysisState) -> None:
    found = re.fullmatch(ANALYSIS_ID_PATTERN, state.encode(join_moves(state.line)))
    assert found is not None
    assert AnalysisState.from_values(found.groupdict(""), found["line"]) == state


# Conversion to conditional moves


@pytest.mark.long
async def test_analysis_can_become_conditional_moves(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.bob, await open_analysis(env, env.bob), "D1-D4 A5-F5 F1-F4")
    reply = await env.bob.click(reply, "Use as conditional")
    assert "**Conditional moves** in Morelli #1 against Alice (Black)" in reply.text
    assert "if Black D1-D4 → **White A5-F5**" in reply.text
    assert "F1-F4" not in reply.text
    reply = await env.bob.click(reply, "Save this line")
    assert "This line is saved" in reply.text
    assert "White A5-F5" in (await env.move(env.alice, "D1-D4")).text


@pytest.mark.long
async def test_analysis_of_a_past_position_is_used_from_the_current_one(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "D1-D4")
    reply = await submit_moves(env.alice, await open_analysis(env, turn=0), "D1-D4 A5-F5 F1-F4")
    reply = await env.alice.click(reply, "Use as conditional")
    assert "if White A5-F5 → **Black F1-F4**" in reply.text


@pytest.mark.parametrize("text", ["D1-D4", "A1-B2 A5-F5 F1-F4"])
async def test_unfitting_analysis_cannot_become_conditional_moves(env: BotEnvironment, text: str) -> None:
    await env.start_match()
    await env.move(env.alice, "D1-D4")
    reply = await submit_moves(env.alice, await open_analysis(env, turn=0), text)
    assert "Use as conditional" not in labels(reply)


@pytest.mark.long
async def test_analysis_in_the_own_turn_cannot_become_conditional_moves(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.alice, await open_analysis(env), "D1-D4 A5-F5")
    with pytest.raises(ActionNotPossible):
        await env.alice.click(reply, "Use as conditional")


async def test_outdated_analysis_cannot_become_conditional_moves(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await submit_moves(env.bob, await open_analysis(env, env.bob), "D1-D4 A5-F5")
    await env.move(env.alice, "C1-D2")
    assert "this line cannot be used" in (await env.bob.click(reply, "Use as conditional")).text
