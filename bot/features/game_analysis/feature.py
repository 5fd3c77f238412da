"""The button *Analyse* under finished matches and in replays, and its private answer with the chart.

The answer waits a moment for the first result. What comes later is shown by *Refresh*, since Discord lets a
bot edit a private message only for a quarter of an hour.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

import render
from bot.feature import Feature
from bot.features.game_analysis import formatting
from bot.features.mistakes.feature import MistakesButton
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import defer_response, finish_response, replace_message
from bot.ui import ids
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.replay_argument import load_replay
from bot.ui.replay_state import ReplaySource, ReplayState
from i18n.match_texts import format_replay_title
from matches import AnalysisStatus, can_be_analysed, find_reasons

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from i18n import Texts
    from matches import GameAnalysis, MatchView, Replay

GAME_PATTERN = r"(?P<kind>[mr])(?P<number>\d{1,12})"
FIRST_RESULT_TIMEOUT = 10.0  # seconds that the answer waits for a first result
POLL_INTERVAL = 0.5  # seconds
OPEN = (AnalysisStatus.WAITING, AnalysisStatus.REFINING)


class AnalyseButton(PersistentButton, template=rf"analyse1:{GAME_PATTERN}"):
    """Requests the analysis of a game and shows it, in a private message."""

    @classmethod
    def for_match(cls, texts: Texts, view: MatchView) -> Self | None:
        """Create the button under a finished match; None if nobody has moved."""
        if not view.ply:
            return None
        return cls.create(texts("button.analyse"), f"analyse1:{ReplaySource.MATCH}{view.id}")

    @classmethod
    def for_replay(cls, texts: Texts, replay: Replay, state: ReplayState) -> Self | None:
        """Create the button for a replay message; None while the match is under way."""
        if not can_be_analysed(replay):
            return None
        return cls.create(texts("button.analyse"), f"analyse1:{state.source}{state.number}", row=1)

    async def on_click(self, interaction: Interaction) -> None:
        """Request the analysis, and respond with it."""
        client, state = interaction.client, _state(self.values)
        replay = await load_replay(interaction, state)
        person = ids.to_person(interaction.user)
        analysis = await client.matches.game_analyses.request(replay, person, now=client.now())
        await defer_response(interaction, public=False)
        if analysis.status is AnalysisStatus.WAITING:
            analysis = await _wait_for_result(interaction, replay, analysis)
        await finish_response(interaction, await _build_post(interaction, state, replay, analysis))


class RefreshButton(PersistentButton, template=rf"reanalyse1:{GAME_PATTERN}"):
    """Shows the newest state of an analysis in its message."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        client, state = interaction.client, _state(self.values)
        replay = await load_replay(interaction, state)
        person = ids.to_person(interaction.user)
        analysis = await client.matches.game_analyses.request(replay, person, now=client.now())
        post = await _build_post(interaction, state, replay, analysis)
        await replace_message(interaction, post)


def _state(values: Mapping[str, str]) -> ReplayState:
    return ReplayState(ReplaySource(values["kind"]), int(values["number"]))


async def _wait_for_result(interaction: Interaction, replay: Replay, analysis: GameAnalysis) -> GameAnalysis:
    """Wait a moment for the first result, and return the analysis as far as it is then."""
    for _ in range(round(FIRST_RESULT_TIMEOUT / POLL_INTERVAL)):
        await asyncio.sleep(POLL_INTERVAL)
        found = await interaction.client.matches.game_analyses.get(replay)
        if found is not None and found.status is not AnalysisStatus.WAITING:
            return found
    return analysis


async def _build_post(
    interaction: Interaction, state: ReplayState, replay: Replay, analysis: GameAnalysis
) -> Post:
    client, texts = interaction.client, interaction.client.texts
    title = format_replay_title(texts, replay, replay.turns[0], client.games[replay.game])
    reasons = await asyncio.to_thread(find_reasons, replay, analysis)
    accounts = [seat.person.account for seat in replay.turns[0].seats]
    account = ids.user_account(interaction.user)
    reader = accounts.index(account) if account in accounts else None
    text = formatting.format_analysis(texts, title, replay, analysis, reasons, reader)
    picture = None
    if analysis.has_result:
        options = await pictures.load_render_options(interaction)
        marked = [point.number for point in analysis.main_turning_points]
        png = await asyncio.to_thread(
            lambda: render.to_png(render.build_chances_chart(analysis.chances, marked, options))
        )
        picture = Picture(png, formatting.format_alt_text(texts, replay, analysis), "analysis.png")
    refresh = RefreshButton.create(texts("button.refresh"), f"reanalyse1:{state.source}{state.number}")
    button = refresh if analysis.status in OPEN else MistakesButton.of(texts, state, replay, analysis)
    return Post(text, picture, None if button is None else lambda: view_of(button))


FEATURE = Feature(
    items=(AnalyseButton, RefreshButton),
    finished_match_buttons=(AnalyseButton.for_match,),
    replay_buttons=(AnalyseButton.for_replay,),
)
