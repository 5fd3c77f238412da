"""The analysis of a finished match: its button, its message, and who gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.features.game_analysis import feature, formatting
from engine.game import Side
from matches import (
    AnalysisStatus,
    Assessment,
    GameAnalysis,
    MatchId,
    Person,
    Replay,
    Seat,
    TurningPoint,
    find_reasons,
)
from matches.records.values import ReplayTurn
from tests.analyses import store_analysis
from tests.discord_server.attachments import image_size
from tests.games import GAMES, TEXTS

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply

MATCH = MatchId(1)
MOVES = ("C1-D2", "A2-B3", "D1-E2", "A3-B4")


async def open_replay(env: BotEnvironment, member: Member) -> Reply:
    """Use /replay in another channel."""
    lounge = env.guild.channel("lounge")
    return await member.command("replay", {"match": "1"}, channel=lounge)


@pytest.mark.long
async def test_analysis_of_a_finished_match(env: BotEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature, "FIRST_RESULT_TIMEOUT", 0.5)
    matches, eve = env.bot.matches, env.guild.member("Eve")
    await env.start_match()
    for mover, text in zip((env.alice, env.bob) * 2, MOVES, strict=True):
        await env.move(mover, text)
    assert "Analyse" not in [button.label for button in (await open_replay(env, eve)).buttons]
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    await env.wait_until_idle()

    waiting = await (await env.alice.click(env.latest_message, "Analyse")).wait_until_complete()
    assert waiting.ephemeral
    assert "0 of 5 boards so far" in waiting.text
    assert not waiting.attachments
    person = (await matches.view(MATCH, now=env.bot.now())).seats[0].person
    await store_analysis(matches, MATCH, person, status=AnalysisStatus.REFINING, now=env.bot.now())
    shown = await env.alice.click(waiting, "Refresh")
    lines = shown.text.splitlines()
    assert lines[1:5] == [
        "The curve is Alice's chances of winning after each turn.",
        "**Accuracy**: Alice 91%, Bob 69%",
        "**Turning points**",
        r"2\. Bob played **A2-B3**, chances down 20 points. Better: **A2-B3**. Then perhaps D1-E2.",
    ]
    (picture,) = shown.attachments
    assert image_size(picture.data) == (700, 350)
    assert picture.description is not None
    assert "75% after turn 2" in picture.description

    losses = {1: 0.3, 2: 0.12, 3: 0.2, 4: 0.4}
    await store_analysis(matches, MATCH, person, losses=losses, now=env.bot.now())
    shown = await env.alice.click(shown, "Refresh")
    assert [line[:2] for line in shown.text.splitlines() if "Better: " in line] == ["1\\", "3\\", "4\\"]
    assert "-# One more turn brought the chances down by 10 points or more: 2." in shown.text

    page = await open_replay(env, eve)
    assert "Accuracy" in (await (await eve.click(page, "Analyse")).wait_until_complete()).text
    env.channel.hide_from(eve)
    assert "There is no match" in (await eve.click(page, "Analyse")).text


@pytest.mark.long
async def test_analysis_says_what_a_turn_allowed_and_why_another_is_better(env: BotEnvironment) -> None:
    await env.start_match(game="morabaraba", board=None, start=None, colour="white")
    for mover, text in zip((env.alice, env.bob) * 2, ("A1", "C3", "A4", "D7"), strict=True):
        await env.move(mover, text)
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    await env.wait_until_idle()
    losses, better = {4: 0.3}, {4: ("A7", "D2")}
    await store_analysis(env.bot.matches, MATCH, None, losses=losses, better=better, now=env.bot.now())
    shown = await (await env.alice.click(env.latest_message, "Analyse")).wait_until_complete()
    assert shown.text.splitlines()[4] == (
        r"4\. Bob played **D7**, chances down 30 points. It lets the opponent close a mill on A7. "
        "Better: **A7**. It keeps the opponent from closing a mill on A7. Then perhaps D2."
    )


@pytest.mark.plain("it compares a text with and without its reasons")
@pytest.mark.parametrize(("title_length", "has_reasons"), [(100, True), (1750, False)])
def test_reasons_are_left_out_where_a_message_would_be_too_long(title_length: int, has_reasons: bool) -> None:
    game, turns = GAMES["morabaraba"], list[ReplayTurn]()
    position = game.initial_position()
    seats = (Seat(Side.WHITE, Person("test:1", "Ann")), Seat(Side.RED, Person("test:2", "Ben")))
    for number, text in enumerate(("", "A1", "C3", "A4", "D7")):
        side = position.to_move
        position = position.play(position.parse(text)) if text else position
        turns.append(ReplayTurn(number, position, seats, side if text else None, (text,) if text else ()))
    replay = Replay(MATCH, None, "", game.name, game.rules_version, {}, "", tuple(turns))
    point = TurningPoint(4, 0.3, ("A7",), ("A7",))
    assessments = tuple(Assessment(6400, 0.5) for _ in turns)
    analysis = GameAnalysis(AnalysisStatus.COMPLETE, assessments, (point,))
    reasons = find_reasons(replay, analysis)
    text = formatting.format_analysis(TEXTS, "." * title_length, replay, analysis, reasons)
    assert "Better: A7." in text
    assert ("It lets the opponent close a mill on A7." in text) == has_reasons
