"""The turning points of a finished match as tasks on the website, without scripts."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from matches import AnalysisStatus, Audience, find_mistakes
from tests.analyses import store_analysis
from tests.web.environment import ALICE, BOB, CAROL, SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database, MatchId, Mistake
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

LOSSES = {1: 0.3, 2: 0.32, 4: 0.2}


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, allow_local_games=True, **SIGN_IN_SETTINGS) as started:
        yield started


async def finish_match(
    env: WebEnvironment,
    status: AnalysisStatus = AnalysisStatus.COMPLETE,
    *,
    audience: Audience = Audience.NAMES,
) -> MatchId:
    """Play four turns of Alice and Bob, and store an analysis with one mistake of Alice and two of Bob."""
    match = (await env.start_match(people=(ALICE, BOB), audience=audience)).id
    for _ in range(4):
        await env.play(match)
    await env.matches.resign(match, BOB, now=env.clock())
    await store_analysis(
        env.matches, match, None, status=status, losses=LOSSES, has_tasks=True, now=env.clock()
    )
    return match


async def mistakes_of(env: WebEnvironment, match: MatchId, player: int) -> tuple[Mistake, ...]:
    replay = await env.matches.replay(match, now=env.clock())
    return find_mistakes(replay, await env.matches.game_analyses.get(replay), player)


def better_of(mistake: Mistake) -> str:
    return " ".join(mistake.point.better).replace("-", "\u2011")


async def try_turn(visitor: Visitor, path: str, moves: tuple[str, ...]) -> PageResponse:
    return await visitor.get(f"{path}?{urlencode({'text': ' '.join(moves)})}")


async def test_players_find_better_turns_than_their_own(env: WebEnvironment, visitor: Visitor) -> None:
    match = await finish_match(env)
    seat = await env.take_seat(visitor, match, BOB)
    for path in (seat, f"/m/{match}"):
        text = (await visitor.get(path)).text
        assert f'href="/m/{match}/mistakes"' in text
        # What would have been better is told only on demand where it would give a task of the reader away.
        folded = re.findall(
            r"<details id=.better-[24].><summary>Show the better turn</summary><a [^>]*>([^<]+)<", text
        )
        assert folded == [f"Better: {better_of(mistake)}." for mistake in await mistakes_of(env, match, 1)]
    async with env.visitor() as stranger:
        assert "Show the better turn" not in (await stranger.get(f"/m/{match}")).text
    first, second = await mistakes_of(env, match, 1)
    page = await visitor.get(f"/m/{match}/mistakes")
    path = f"/m/{match}/mistakes/2"
    assert page.url == path
    assert "Your mistake 1 of 2" in page.visible_text
    played = " ".join(first.played).replace("-", "\u2011")
    assert f"In turn 2 you played {played}, and your chances of winning fell by 32 points." in " ".join(
        re.sub("<[^>]+>", "", page.visible_text).split()
    )
    assert 'data-state="open"' in page.text
    assert "Mistakes of Alice" in page.visible_text

    page = await try_turn(visitor, path, first.played)
    assert ('data-state="failed"' in page.text, "is what was played" in page.visible_text) == (True, True)
    assert f'href="{path}"' in page.text
    worse = first.point.turns[-1].moves
    page = await try_turn(visitor, path, worse)
    assert "loses about 50 points" in page.visible_text
    shown = await visitor.get(f"{path}?show=1")
    assert "A good turn is" in shown.visible_text
    assert f'href="/m/{match}/mistakes/4"' in shown.text

    page = await try_turn(visitor, path, first.point.better)
    assert ('data-state="solved"' in page.text, "Right!" in page.visible_text) == (True, True)
    page = await visitor.get(f"/m/{match}/mistakes/4")
    assert "Your mistake 2 of 2" in page.visible_text
    page = await try_turn(visitor, page.url, second.point.turns[2].moves)  # as good as the best one
    assert "About as good is" in page.visible_text
    assert "That was the last one." in page.visible_text
    assert 'href="/learn/morelli"' in page.text


async def test_turn_is_chosen_step_by_step_on_the_board(env: WebEnvironment, visitor: Visitor) -> None:
    match = await finish_match(env)
    path = f"/m/{match}/mistakes/1"
    [mistake] = await mistakes_of(env, match, 0)
    page = await visitor.get(path)
    for cell in mistake.point.better[0].split("-"):
        [href] = re.findall(rf'<a data-cell="{cell}"[^>]*href="([^"]+)"', page.text)
        page = await visitor.get(f"{path}{unescape(href)}")
    assert 'data-state="solved"' in page.text
    page = await visitor.get(f"{path}?text=A9-A9")
    assert ('data-state="open"' in page.text, 'id="notice"' in page.text) == (True, True)


async def test_other_readers_choose_a_player(env: WebEnvironment, visitor: Visitor) -> None:
    match = await finish_match(env)
    page = await visitor.get(f"/m/{match}/mistakes")
    assert page.url == f"/m/{match}/mistakes/1"
    assert "Alice: mistake 1 of 1" in page.visible_text
    assert f'href="/m/{match}/mistakes/2"' in page.text
    page = await visitor.get(f"/m/{match}/mistakes/2")
    assert "Bob: mistake 1 of 2" in page.visible_text
    assert f'href="{page.url}?side=' not in page.text  # the board is turned to Bob without a choice


async def test_better_turns_that_may_become_tasks_are_folded_before_there_are_tasks(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await finish_match(env, AnalysisStatus.REFINING)
    await env.take_seat(visitor, match, BOB)
    for path in (f"/m/{match}", f"/m/{match}/computer-analysis"):
        assert re.findall(r"<details id=.better-(\d+)", (await visitor.get(path)).text) == ["2", "4"]


@pytest.mark.parametrize("status", [AnalysisStatus.REFINING, None])
async def test_without_a_complete_analysis_there_is_no_task(
    env: WebEnvironment, visitor: Visitor, status: AnalysisStatus | None
) -> None:
    if status is None:
        match = (await env.start_match(people=(ALICE, BOB))).id
    else:
        match = await finish_match(env, status)
    assert "/mistakes" not in (await visitor.get(f"/m/{match}")).text
    for rest in ("", "/2", "/99"):
        page = await visitor.get(f"/m/{match}/mistakes{rest}")
        assert (page.status, page.url.split("#")[0]) == (200, f"/m/{match}")


async def test_nobody_sees_the_mistakes_of_a_match_that_is_private(env: WebEnvironment) -> None:
    match = await finish_match(env, audience=Audience.PLAYERS)
    async with env.visitor() as stranger, env.visitor() as player:
        player.session.cookie_jar.update_cookies({"session": await env.start_seat_session(BOB)})
        stranger.session.cookie_jar.update_cookies({"session": await env.start_seat_session(CAROL)})
        for rest in ("", "/2"):
            assert (await stranger.get(f"/m/{match}/mistakes{rest}")).status == 404
            page = await player.get(f"/m/{match}/mistakes{rest}")
            assert "Your mistake 1 of 2" in page.visible_text
