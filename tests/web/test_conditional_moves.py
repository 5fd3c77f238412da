"""Conditional moves on the website: typed, played on the board, listed and removed by their owner alone."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from matches.conditionals import RESIGN, list_entries
from tests.web.environment import ALICE, BOB, FISTS, FREE
from web.play.conditional_moves import format_line, parse_line

if TYPE_CHECKING:
    from matches import MatchId, Person
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

# Alice plays Black and waits for White after D1-D4.
TYPED = {"opponent": "a2 b3", "answer": "F1-F4"}


async def start(env: WebEnvironment, visitor: Visitor) -> tuple[MatchId, str]:
    """Start a match in which Alice has moved, and take her seat."""
    match = (await env.start_match()).id
    await env.play(match, "D1-D4")
    return match, await env.take_seat(visitor, match, ALICE)


async def saved_lines(env: WebEnvironment, match: MatchId, person: Person = ALICE) -> list[str]:
    saved = await env.matches.conditionals.get(match, person)
    return [format_line(entry.line) for entry in list_entries(saved)]


def form_fields(page: PageResponse, action: str) -> list[dict[str, str]]:
    """Return the hidden fields of every form with an action."""
    forms = re.findall(rf'<form method="post" action="[^"]*{action}".*?</form>', page.text, re.DOTALL)
    pattern = r'<input type="hidden" name="(\w+)" value="([^"]*)">'
    return [{name: unescape(value) for name, value in re.findall(pattern, form)} for form in forms]


async def board_with(visitor: Visitor, seat: str, moves: str) -> PageResponse:
    """Return the player's own board after moves that are typed."""
    return await visitor.get(f"{seat}/analysis?{urlencode({'text': moves})}")


@pytest.mark.long
async def test_typed_line_is_listed_in_discord_too_and_played(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    seat_page = await visitor.get(seat)
    assert f'href="{seat}/conditional"' in seat_page.text
    page = await visitor.get(f"{seat}/conditional")
    [fields] = form_fields(page, "/conditional/add")
    page = await visitor.post(f"{seat}/conditional/add", data={**fields, **TYPED})
    assert page.url == f"{seat}/conditional"
    assert "If White A2-B3: <strong>Black F1-F4</strong>" in page.visible_text
    assert await saved_lines(env, match) == ["A2-B3;F1-F4"]
    assert "Conditional moves (1)" in (await visitor.get(f"{seat}?part=seat")).visible_text
    view = await env.play(match, "A2-B3")
    assert [move.text for move in view.last_turn] == ["F1-F4"]


@pytest.mark.long
async def test_line_is_saved_from_the_board_and_opened_again(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    page = await board_with(visitor, seat, "A2-B3")
    assert "play your opponent&#39;s move here, then your answer" in page.text
    page = await board_with(visitor, seat, "A2-B3 F1-F4 A4-B4")
    assert "If White A2-B3: <strong>Black F1-F4</strong>" in page.visible_text
    [fields] = form_fields(page, "/conditional/save")
    listed = await visitor.post(f"{seat}/conditional/save", data=fields)
    assert await saved_lines(env, match) == ["A2-B3;F1-F4"]
    [href] = re.findall(r'<a class="button" href="([^"]+/analysis[^"]+)"', listed.text)
    opened = await visitor.get(unescape(href))
    assert "This line is saved." in opened.visible_text
    [fields] = form_fields(await board_with(visitor, seat, "A2-B3 F1-F4 A4-B4 G1-G4"), "/conditional/save")
    await visitor.post(f"{seat}/conditional/save", data=fields)
    assert await saved_lines(env, match) == ["A2-B3;F1-F4", "A2-B3;F1-F4;A4-B4;G1-G4"]


@pytest.mark.long
async def test_board_that_began_earlier_saves_what_follows_the_match(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match, seat = await start(env, visitor)
    page = await visitor.get(f"{seat}/analysis?{urlencode({'turn': 0, 'text': 'D1-D4 A2-B3 F1-F4'})}")
    [fields] = form_fields(page, "/conditional/save")
    await visitor.post(f"{seat}/conditional/save", data=fields)
    assert await saved_lines(env, match) == ["A2-B3;F1-F4"]


@pytest.mark.long
async def test_resigning_can_be_the_answer(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    assert "Answer by resigning" not in (await board_with(visitor, seat, "A2-B3 F1-F4")).text
    page = await board_with(visitor, seat, "A2-B3")
    assert "Answer by resigning" in page.text
    [fields] = form_fields(page, "/conditional/save")
    page = await visitor.post(f"{seat}/conditional/save", data={**fields, "resign": "1"})
    assert "Black resigns" in page.visible_text
    assert await saved_lines(env, match) == ["A2-B3;!"]
    [fields] = form_fields(page, "/conditional/remove")
    await visitor.post(f"{seat}/conditional/remove", data=fields)
    assert await saved_lines(env, match) == []


@pytest.mark.long
async def test_line_is_removed_and_all_are_cleared(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    for answer in ("F1-F4", "G1-G4"):
        for opponent in ("A2-B3", "A3-B4") if answer == "F1-F4" else ("A4-B4",):
            data = {"opponent": opponent, "answer": answer, "board": "1"}
            page = await visitor.post(f"{seat}/conditional/add", data=data)
    assert await saved_lines(env, match) == ["A2-B3;F1-F4", "A3-B4;F1-F4", "A4-B4;G1-G4"]
    fields = form_fields(page, "/conditional/remove")[1]
    await visitor.post(f"{seat}/conditional/remove", data=fields)
    assert await saved_lines(env, match) == ["A2-B3;F1-F4", "A4-B4;G1-G4"]
    again = await visitor.post(f"{seat}/conditional/remove", data=fields)
    assert "This line is no longer saved." in again.visible_text
    assert "All your conditional moves in this match are removed." in again.visible_text
    page = await visitor.post(f"{seat}/conditional/clear", data={})
    assert await saved_lines(env, match) == []
    assert "You have no conditional moves in this match." in page.visible_text


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"opponent": "A2-B3", "answer": ""}, "A line must end with your own answer"),
        ({"opponent": "", "answer": ""}, "A line must end with your own answer"),
        ({"opponent": "A2-I2", "answer": "F1-F4"}, "A2"),
        ({"opponent": "A2-B3", "answer": "<b>"}, "is not a move"),
        ({"opponent": "A2-B3 F1-F4 " * 9, "answer": "A1"}, "no stone stands on A2"),
        ({"opponent": "A2-B3", "answer": "F1-F4", "board": "0"}, "The match has moved on"),
        ({"opponent": "A2-B3", "answer": "F1-F4", "board": "x"}, "The match has moved on"),
    ],
    ids=str,
)
async def test_refused_line_is_explained_where_it_was_typed(
    env: WebEnvironment, visitor: Visitor, data: dict[str, str], sentence: str
) -> None:
    match, seat = await start(env, visitor)
    page = await visitor.post(f"{seat}/conditional/add", data={"board": "1", **data})
    [notice] = re.findall(r'id="notice"[^>]*>([^<]*)<', page.text)
    assert sentence in unescape(notice)
    assert "Nothing was played" not in notice
    assert await saved_lines(env, match) == []
    assert "<b>" not in page.text


async def test_set_up_run_is_one_answer(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match(FREE)).id
    seat = await env.take_seat(visitor, match, BOB)
    short = await visitor.post(
        f"{seat}/conditional/add", data={"opponent": "A1", "answer": "B1", "board": "0"}
    )
    assert "That is not the whole turn: it has 2 moves, and you gave 1." in short.visible_text
    await visitor.post(f"{seat}/conditional/add", data={"opponent": "A1", "answer": "B1 C1", "board": "0"})
    assert await saved_lines(env, match, BOB) == ["A1;B1.C1"]


async def test_nothing_can_be_saved_in_ones_own_turn(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match()).id
    seat = await env.take_seat(visitor, match, ALICE)
    page = await visitor.get(f"{seat}/conditional")
    assert "It is your turn. Play first." in page.visible_text
    assert "/conditional/add" not in page.text
    assert "/conditional/save" not in (await board_with(visitor, seat, "D1-D4 A2-B3")).text
    for action, data in (
        ("add", {"opponent": "D1-D4", "answer": "A2-B3"}),
        ("save", {"moves": "D1-D4.A2-B3"}),
    ):
        page = await visitor.post(f"{seat}/conditional/{action}", data={"board": "0", **data})
        assert 'id="notice"' in page.text
    assert await saved_lines(env, match) == []


async def test_saving_from_an_outdated_board_is_refused(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    [fields] = form_fields(await board_with(visitor, seat, "A2-B3 F1-F4"), "/conditional/save")
    await env.play(match, "A3-B3", "G1-G4")
    page = await visitor.post(f"{seat}/conditional/save", data=fields)
    assert "The match has moved on, so nothing was changed." in page.visible_text
    assert await saved_lines(env, match) == []


async def test_lost_lines_are_told_once(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    await visitor.post(f"{seat}/conditional/add", data={**TYPED, "board": "1"})
    await env.play(match, "A3-B3")
    page = await visitor.get(f"{seat}/conditional")
    assert "Your opponent played something that you had no answer to" in page.visible_text
    assert 'id="lost"' not in (await visitor.get(f"{seat}/conditional")).text


async def test_only_the_owner_sees_and_changes_lines(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    own = await visitor.post(f"{seat}/conditional/add", data={**TYPED, "board": "1"})
    assert own.headers["Cache-Control"] == "no-store"
    [fields] = form_fields(own, "/conditional/remove")
    async with env.visitor() as bob, env.visitor() as stranger:
        bob_seat = await env.take_seat(bob, match, BOB)
        pages = [await bob.get(f"{bob_seat}{path}") for path in ("", "/conditional", "/analysis")]
        pages += [await stranger.get(f"/m/{match}{path}") for path in ("", "/analysis", "?part=board")]
        assert not [page for page in pages if "F1-F4" in page.text]
        for browser, path in ((bob, seat), (stranger, seat), (bob, bob_seat)):
            for action in ("remove", "clear", "add", "save"):
                await browser.post(f"{path}/conditional/{action}", data={**fields, **TYPED})
            if path == seat:
                assert browser.responses[-1].status == 403
                assert (await browser.get(f"{path}/conditional")).status == 403
    assert await saved_lines(env, match) == ["A2-B3;F1-F4"]


async def test_forms_of_other_sites_are_refused(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    other_site = {"Sec-Fetch-Site": "cross-site"}
    answer = await visitor.post(f"{seat}/conditional/add", headers=other_site, data={**TYPED, "board": "1"})
    assert (answer.status, await saved_lines(env, match)) == (403, [])


async def test_there_are_none_before_the_secret_picks(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match(FISTS)).id
    seat = await env.take_seat(visitor, match, ALICE)
    assert "/conditional" not in (await visitor.get(seat)).text
    assert (await visitor.get(f"{seat}/conditional")).status == 409


async def test_over_match_has_no_conditional_moves(env: WebEnvironment, visitor: Visitor) -> None:
    match, seat = await start(env, visitor)
    await env.matches.resign(match, BOB, now=env.clock())
    answer = await visitor.get(f"{seat}/conditional")
    assert (answer.status, "The match is over." in answer.text) == (409, True)
    assert "/conditional" not in (await visitor.get(seat)).text
    assert (await board_with(visitor, seat, "A2-B3 F1-F4")).status == 200


@pytest.mark.parametrize("line", [(("A1",),), (("D1-I6~H5,H6",), ("A1", "B2")), (("xD4",), RESIGN)])
def test_line_survives_its_field(line: tuple[tuple[str, ...], ...]) -> None:
    assert parse_line(format_line(line)) == line
