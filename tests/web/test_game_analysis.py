"""The analysis of a finished match on its page, without scripts."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from matches import AnalysisStatus
from tests.analyses import store_analysis
from tests.web.environment import ALICE, BOB, CAROL

if TYPE_CHECKING:
    from tests.web.environment import Visitor, WebEnvironment


@pytest.mark.long
async def test_analysis_is_requested_and_shown_below_the_board(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match(people=(ALICE, BOB))).id
    for _ in range(4):
        await env.play(match)
    page = await visitor.get(f"/m/{match}")
    assert "Computer analysis" not in page.text
    assert (await visitor.post(f"/m/{match}/computer-analysis")).status == 409
    await env.matches.resign(match, BOB, now=env.clock())
    seat = await env.take_seat(visitor, match, ALICE)
    for path in (f"/m/{match}", seat):
        assert f'action="{path}/computer-analysis"' in (await visitor.get(path)).text

    page = await visitor.post(f"{seat}/computer-analysis")
    assert (page.status, page.url.split("#")[0]) == (200, seat)
    assert "0 of 5 boards so far" in page.text
    await store_analysis(env.matches, match, None, status=AnalysisStatus.REFINING, now=env.clock())
    for path in (f"/m/{match}", seat):
        page = await visitor.get(path)
        assert "Alice 91%</span>" in page.text or "Alice 91%" in page.visible_text
        assert "Turn 2: Bob played" in page.text
        assert page.text.count("data-turn=") > 5
        assert 'aria-label="Turn 2: 75%"' in page.text
    href = re.search(r'<a href="(/m/\d+/analysis[?]at=2)"', page.text)
    assert href is not None
    board = await visitor.get(unescape(href[1]))
    assert (board.status, f'href="/m/{match}"' in board.text) == (200, True)
    section = await visitor.get(f"/m/{match}/computer-analysis")
    assert ("<html" in section.text, 'data-status="refining"' in section.text) == (False, True)
    losses = {1: 0.3, 2: 0.12, 3: 0.2, 4: 0.4}
    await store_analysis(env.matches, match, None, losses=losses, now=env.clock())
    section = await visitor.get(f"/m/{match}/computer-analysis")
    assert section.text.count("Better: ") == 3
    more = "One more turn brought the chances down by 10 points or more:"
    assert f'{more} <a href="?turn=2" data-turn="2">2</a></p>' in section.text


async def test_analysis_says_what_a_turn_allowed_and_why_another_is_better(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = (await env.start_match({}, "morabaraba", people=(ALICE, BOB))).id
    await env.play(match, "A1", "C3", "A4", "D7")
    await env.matches.resign(match, BOB, now=env.clock())
    better = {4: ("A7", "D2")}
    await store_analysis(env.matches, match, ALICE, losses={4: 0.3}, better=better, now=env.clock())
    text = (await visitor.get(f"/m/{match}/computer-analysis")).visible_text
    sentences = (
        "Turn 4: Bob played D7, chances down 30 points.",
        "It lets the opponent close a mill on A7.",
        "Better: A7.",
        "It keeps the opponent from closing a mill on A7. Then perhaps D2.",
    )
    places = [text.find(sentence) for sentence in sentences]
    assert -1 not in places
    assert places == sorted(places)


async def test_match_that_ended_without_a_turn_has_no_analysis(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match(people=(CAROL, BOB))).id
    await env.matches.resign(match, BOB, now=env.clock())
    assert "Computer analysis" not in (await visitor.get(f"/m/{match}")).text
