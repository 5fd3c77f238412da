"""The analysis of a finished match: its button, its message, and who gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.features.game_analysis import feature
from matches import AnalysisStatus, MatchId
from tests.analyses import store_analysis
from tests.discord_server.attachments import image_size

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
        r"2\. Bob played **A2-B3**, chances down 20 points. Better: **A2-B3**, then perhaps D1-E2.",
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
