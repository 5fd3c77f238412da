"""The page of a seat without scripts: its links and forms, and what they refuse."""

from __future__ import annotations

import asyncio
import html
import json
import re
import threading
import tomllib
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from matches import AnnouncementKind, MatchId, MatchState, MoveReason, OfferKind, Person, Terms, TimeControl
from render import ThemeName
from tests.games import GAMES
from tests.web.environment import ALICE, BOB, FISTS, FREE, SERVER, SMALL, running_web
from web.pages.example_games import FOLDER
from web.play import move_form
from web.play.tokens import SeatToken

if TYPE_CHECKING:
    from engine.game import Position
    from matches import Database
    from tests.web.environment import PageResponse, Visitor, WebEnvironment
    from web.play.move_form import MoveForm, MoveFormContext


def offered_cells(page: PageResponse) -> dict[str, str]:
    """Return the selectable cells and the URLs that they lead to."""
    found = re.findall(r'<a data-cell="(\w+)" class="open" aria-label="[^"]*" href="([^"]+)"', page.text)
    return {cell: href.replace("&amp;", "&") for cell, href in found}


def labels(page: PageResponse) -> dict[str, str]:
    """Return the selectable cells and their labels."""
    return dict(re.findall(r'<a data-cell="(\w+)" class="open" aria-label="([^"]*)"', page.text))


def offered_answers(page: PageResponse) -> dict[str, str]:
    """Return the labels of the other answers and the URLs that they lead to."""
    found = re.findall(r'<a class="button[^"]*" href="([^"]+)" data-answer[^>]*>([^<]+)</a>', page.text)
    return {label: href.replace("&amp;", "&") for href, label in found}


def hidden_fields(page: PageResponse, form: str) -> list[tuple[str, str]]:
    """Return names and values of the hidden fields of the form with an id."""
    inside = re.search(rf'<form[^>]*id="{form}">.*?</form>', page.text, re.DOTALL)
    assert inside is not None
    return re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', inside[0])


async def confirm_move(visitor: Visitor, seat: str, page: PageResponse) -> PageResponse:
    """Submit the confirm form of a page."""
    return await visitor.post(f"{seat}/play", data=dict(hidden_fields(page, "confirm")))


async def pick_move(visitor: Visitor, seat: str, *answers: str) -> PageResponse:
    """Answer one question after another, by the name of a cell or the label of another answer."""
    page = await visitor.get(seat)
    for answer in answers:
        page = await visitor.get(seat + (offered_cells(page) | offered_answers(page))[answer])
    return page


async def replace_board(env: WebEnvironment, match: MatchId, line: str) -> None:
    """Replace the position of a match without moves."""
    async with env.database.transaction() as connection:
        await connection.exec_driver_sql(
            "UPDATE matches SET position = ?, base = ? WHERE id = ?", (line, line, match)
        )


async def test_move_is_entered_step_by_step_and_played_when_confirmed(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat)
    assert "Which stone do you move?" in page.visible_text
    page = await visitor.get(seat + offered_cells(page)["D1"])
    assert "Where does D1 go?" in page.visible_text
    page = await visitor.get(seat + offered_cells(page)["D4"])
    assert "Black moves D1-D4" in page.visible_text
    assert "Nothing is played until you confirm." in page.visible_text
    assert (await env.view(match.id)).ply == 0
    page = await confirm_move(visitor, seat, page)
    assert "It is your opponent's turn." in page.visible_text
    view = await env.view(match.id)
    assert [move.text for move in view.last_turn] == ["D1-D4"]
    assert [one.kind for one in env.announced] == [AnnouncementKind.TURN]


async def test_answers_can_be_changed_at_every_step(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "D1")
    instead = re.search(r'data-cell="F1" class="instead" aria-label="([^"]+)" href="([^"]+)"', page.text)
    assert instead is not None
    assert instead[1] == "Change to F1"
    assert "Where does F1 go?" in (await visitor.get(seat + instead[2].replace("&amp;", "&"))).visible_text
    page = await pick_move(visitor, seat, "D1", "D4")
    back = offered_answers(page)["Back"]
    assert "Where does D1 go?" in (await visitor.get(seat + back)).visible_text


THREE = "morelli nestor 9/9/9/1b1b2w2/2ww5/4wb1w1/9/9/3b5 b -"
# White occupies the Centre.
OCCUPIED = "morelli nestor 9/9/9/1b1b2w2/2wwW4/4wb1w1/9/9/3b5 b -"
FOUR = "morelli nestor 9/5w3/3b5/6b2/3b3w1/2w6/5b3/b8/9 b -"


@pytest.mark.long
async def test_captures_are_ticked(env: WebEnvironment, visitor: Visitor) -> None:
    for taken, move in (
        (["C5", "D5", "E4"], "D1-D4"),
        (["D5"], "D1-D4~C5,E4"),
        ([], "D1-D4~C5,D5,E4"),
    ):
        match = await env.start_match()
        await replace_board(env, match.id, THREE)
        seat = await env.take_seat(visitor, match.id, ALICE)
        page = await pick_move(visitor, seat, "D1", "D4")
        assert "can capture C5, D5 and E4" in page.visible_text
        assert page.text.count('role="checkbox" aria-checked="true"') == 3
        query = [*hidden_fields(page, "many"), *(("take", cell) for cell in taken)]
        page = await visitor.get(seat, params=query)
        await confirm_move(visitor, seat, page)
        assert (await env.view(match.id)).last_turn[0].text == move


@pytest.mark.parametrize(("answer", "move"), [("Capture all 3", "D1-D4"), ("Capture none", "D1-D4~C5,D5,E4")])
async def test_all_captures_or_none_take_one_click(
    env: WebEnvironment, visitor: Visitor, answer: str, move: str
) -> None:
    match = await env.start_match()
    await replace_board(env, match.id, THREE)
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "D1", "D4", answer)
    await confirm_move(visitor, seat, page)
    assert (await env.view(match.id)).last_turn[0].text == move


@pytest.mark.parametrize(("answer", "move"), [("Take the Centre", "A2-B3"), ("Leave the Centre", "A2-B3~E5")])
async def test_occupation_is_chosen(env: WebEnvironment, visitor: Visitor, answer: str, move: str) -> None:
    match = await env.start_match()
    await replace_board(env, match.id, FOUR)
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "A2", "B3", "Capture it", answer)
    assert "Black moves A2-B3, captures" in page.visible_text
    await confirm_move(visitor, seat, page)
    assert (await env.view(match.id)).last_turn[0].text == move


@pytest.mark.long
async def test_placements_of_a_run_are_played_together(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1")
    seat = await env.take_seat(visitor, match.id, BOB)
    page = await visitor.get(seat)
    assert "2 to go" in page.visible_text
    page = await pick_move(visitor, seat, "A2", "A3")
    assert "White places A2 and A3" in page.visible_text
    await confirm_move(visitor, seat, page)
    view = await env.view(match.id)
    assert ([move.text for move in view.last_turn], view.ply) == (["A2", "A3"], 3)


async def test_run_of_placements_can_be_typed_in_parts(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1")
    seat = await env.take_seat(visitor, match.id, BOB)
    page = await visitor.get(seat, params={"text": "a2", "board": "1"})
    page = await confirm_move(visitor, seat, page)
    assert env.announced == []
    assert "1 done, 1 to go" in page.visible_text
    assert "Where do you place your stone?" in page.visible_text
    await confirm_move(visitor, seat, await pick_move(visitor, seat, "A3"))
    assert [one.kind for one in env.announced] == [AnnouncementKind.TURN]


async def test_part_of_a_run_can_be_changed_until_the_run_is_complete(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1", "A2")
    seat = await env.take_seat(visitor, match.id, BOB)
    page = await visitor.get(seat)
    assert "1 done, 1 to go" in page.visible_text
    assert "A2" not in offered_cells(page)
    (back,) = re.findall(r'href="([^"]+)"[^>]*>Back<', page.text)
    page = await visitor.get(seat + back.replace("&amp;", "&"))
    assert "A2" in offered_cells(page)
    page = await visitor.get(seat + offered_cells(page)["A4"])
    page = await visitor.get(seat + offered_cells(page)["A5"])
    await confirm_move(visitor, seat, page)
    assert [move.text for move in (await env.view(match.id)).last_turn] == ["A4", "A5"]


@pytest.mark.long
async def test_rest_of_a_run_can_be_typed(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1", "A2")
    seat = await env.take_seat(visitor, match.id, BOB)
    page = await visitor.get(seat, params={"text": "a3", "board": "1"})
    assert "White places A2 and A3" in page.visible_text
    await confirm_move(visitor, seat, page)
    assert [move.text for move in (await env.view(match.id)).last_turn] == ["A2", "A3"]


async def test_removal_is_chosen(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({}, "morabaraba")
    await env.play(match.id, "A1", "B2", "D1", "F2")
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "G1")
    assert "Which man do you remove?" in page.visible_text
    assert set(offered_cells(page)) == {"B2", "F2"}
    assert "Remove none" in offered_answers(page)
    await confirm_move(visitor, seat, await visitor.get(seat + offered_cells(page)["F2"]))
    assert (await env.view(match.id)).last_turn[0].text == "G1xF2"


async def test_second_placement_and_swapping_sides(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({"size": 5, "mutators": "c"}, "morphos")
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "C3")
    assert "Do you place a second stone" in page.visible_text
    await confirm_move(visitor, seat, await pick_move(visitor, seat, "C3", "Only this one"))
    async with env.visitor() as other:
        seat = await env.take_seat(other, match.id, BOB)
        await confirm_move(other, seat, await pick_move(other, seat, "Swap sides"))
    view = await env.view(match.id)
    assert [seat.person for seat in view.seats] == [BOB, ALICE]


async def test_every_answer_can_be_chosen_from_a_list(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat)
    offered = re.findall(r'<option value="(\w+)">([^<]+)</option>', page.text)
    assert {value for value, _ in offered} == set(offered_cells(page))
    assert ("D1", "D1: 13 targets") in offered
    page = await visitor.get(seat, params=[*hidden_fields(page, "listed"), ("then", "D1")])
    assert "Where does D1 go?" in page.visible_text


async def test_labels_of_cells_name_their_effects(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await replace_board(env, match.id, THREE)
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "D1")
    assert labels(page)["D4"] == "D4: captures C5, D5 and E4"


@pytest.mark.long
async def test_every_cell_that_can_be_chosen_is_marked_and_names_what_it_changes(
    env: WebEnvironment, visitor: Visitor
) -> None:
    for options in (SMALL, FREE):  # which stone to move; where to place one
        match = await env.start_match(options)
        page = await visitor.get(await env.take_seat(visitor, match.id, ALICE))
        marked = re.findall(r'<a data-cell="(\w+)"[^>]*><rect [^>]*fill="url\(#\w+\)"/>', page.text)
        assert marked == list(offered_cells(page))
    match = await env.start_match()
    await replace_board(env, match.id, THREE)
    page = await pick_move(visitor, await env.take_seat(visitor, match.id, ALICE), "D1")
    changes = dict(re.findall(r'data-cell="(\w+)" class="open"[^>]*data-changes="([^"]+)"', page.text))
    assert changes["D4"] == "C5 D5 E4"
    assert "C2" not in changes


@pytest.mark.parametrize("game", ["morphos", "morabaraba"])
async def test_no_cell_is_marked_where_every_empty_one_can_be_chosen(
    env: WebEnvironment, visitor: Visitor, game: str
) -> None:
    match = await env.start_match({}, game)
    page = await visitor.get(await env.take_seat(visitor, match.id, ALICE))
    assert len(offered_cells(page)) > 20
    assert 'fill="url(#' not in page.text
    # The board has no piece yet, but brings along the one that a click would put there.
    placed = re.search(r'class="cells" fill-opacity="0" data-placed="(\w+)"', page.text)
    assert placed is not None
    assert f'<g id="{placed[1]}">' in page.text


async def test_typed_move_is_previewed_before_it_is_played(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat, params={"text": "d1 - d4", "board": "0"})
    assert "Black moves D1-D4" in page.visible_text
    await confirm_move(visitor, seat, page)
    assert (await env.view(match.id)).last_turn[0].text == "D1-D4"


async def test_legal_moves_near_an_illegal_one_are_links(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat, params={"text": "D1-D44"})
    assert "Did you mean one of these?" in page.visible_text
    near = re.search(r'<p class="hint" id="near">.*?</p>', page.text, re.DOTALL)
    assert near is not None
    links = re.findall(r'href="([^"]+)">([^<]+)<', near[0])
    assert len(links) <= 3
    (url,) = [html.unescape(href) for href, move in links if move == "D1-D4"]
    preview = await visitor.get(url)
    assert "Black moves D1-D4" in preview.visible_text
    await confirm_move(visitor, seat, preview)
    assert (await env.view(match.id)).last_turn[0].text == "D1-D4"


UNPLAYABLE = (
    ({"text": "hello"}, "hello"),
    ({"text": "D1-E3"}, "D1"),
    ({"text": ""}, "You gave no move"),
    ({"text": "D1-D4 A2-B3"}, "You can play only one move now in Match #1, but you gave 2."),
    ({"text": "x" * 5000}, "xxx"),
    ({"answers": "Z9"}, "Z9"),
    ({"answers": "D1.D1"}, "D1"),
    ({"answers": "<b>"}, "<b>"),
    ({"answers": "D1.D4", "board": "7"}, "The board has changed"),
)


async def test_unplayable_input_is_explained_and_the_form_starts_again(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    for query, sentence in UNPLAYABLE:
        page = await visitor.get(seat, params=query)
        assert page.status == 200, query
        notice = re.search(r'<p class="notice"[^>]*>(.*?)</p>', page.text, re.DOTALL)
        assert notice is not None, query
        assert sentence in page.visible_text
        assert "<b>" not in notice[1]
        assert "Which stone do you move?" in page.visible_text


async def test_stale_preview_is_never_played(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "D1", "D4")
    await env.play(match.id, "F1-F4", "A2-B3")
    page = await confirm_move(visitor, seat, page)
    assert "The board has changed" in page.visible_text
    assert (await env.view(match.id)).ply == 2


async def test_page_with_a_move_form_draws_no_other_board(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        page = await visitor.post("/new", data={"game": "morelli", "size": "9", "screens": "one"})
        for move in ("D1-D4", "A2-B3"):
            page = await visitor.get(page.url.partition("?")[0], params={"text": move})
            await confirm_move(visitor, "/m/1/seat/both", page)
        # The cache holds every board that is drawn without a form.
        assert (await env.cached(MatchId(1))).picture_cache == {}


@pytest.mark.plain("it compares the bytes of pictures")
async def test_board_after_a_move_is_drawn_once_for_players_and_spectators(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    seat = await env.take_seat(visitor, match.id, BOB)
    await confirm_move(visitor, seat, await pick_move(visitor, seat, "A2", "B3"))
    cached = await env.cached(match.id)
    drawn = dict(cached.picture_cache)
    assert list(drawn) == [(2, GAMES["morelli"].sides[1], ThemeName.RAINBOW)]
    # A spectator who has flipped the board sees the same picture, although its default side is another one.
    page = await visitor.get(f"/m/{match.id}?side=white")
    assert all(picture.svg in page.text for picture in drawn.values())
    assert cached.picture_cache == drawn


async def test_new_name_is_shown_at_once_and_kept(env: WebEnvironment, visitor: Visitor) -> None:
    match, other = await env.start_match(), await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "D1", "D4")
    renamed = Person(ALICE.account, "Countess Alice")
    await env.matches.play(other.id, renamed, ["D1-D4"], now=env.clock())
    page = await confirm_move(visitor, seat, page)
    assert "Countess Alice" in page.visible_text
    assert (await env.view(match.id)).seats[0].person == renamed


async def test_double_click_plays_once(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "D1", "D4")
    await confirm_move(visitor, seat, page)
    again = await confirm_move(visitor, seat, page)
    assert "The board has changed" in again.visible_text
    assert ((await env.view(match.id)).ply, len(env.announced)) == (1, 1)


async def test_incomplete_form_plays_nothing(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    for data in ({}, {"board": "0"}, {"board": "0", "answers": "D1"}, {"answers": "D1.D4"}):
        page = await visitor.post(f"{seat}/play", data=data)
        assert 'class="notice"' in page.text, data
        assert (await env.view(match.id)).ply == 0


async def test_nothing_can_be_played_out_of_turn(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, BOB)
    page = await visitor.get(seat)
    assert offered_cells(page) == {}
    page = await visitor.post(f"{seat}/play", data={"board": "0", "text": "A2-B3"})
    assert "It is Alice's turn." in page.visible_text


@pytest.mark.long
async def test_picks_are_made_and_revealed(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat)
    assert "Pick a starting set-up." in page.visible_text
    assert re.findall(r'name="pick" value="(\w+)"', page.text) == ["LL", "RR", "LR"]
    page = await visitor.post(f"{seat}/pick", data={"pick": "LL"})
    assert 'name="pick"' not in page.text
    assert "Still to pick: Bob" in page.visible_text
    assert "already" in (await visitor.post(f"{seat}/pick", data={"pick": "RR"})).visible_text
    await env.matches.pick(match.id, BOB, "RR", now=env.clock())
    page = await visitor.get(seat)
    assert "The picks differ, so the start is the third one: Free." in page.visible_text


async def test_reveal_of_picks_is_announced(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    await env.matches.pick(match.id, BOB, "RR", now=env.clock())
    seat = await env.take_seat(visitor, match.id, ALICE)
    await visitor.post(f"{seat}/pick", data={"pick": "RR"})
    assert [one.kind for one in env.announced] == [AnnouncementKind.REVEALED]


async def test_unknown_pick_is_refused(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    seat = await env.take_seat(visitor, match.id, ALICE)
    assert "You cannot pick that" in (await visitor.post(f"{seat}/pick", data={"pick": "XX"})).visible_text


async def test_resigning(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.post(f"{seat}/resign")
    assert "White (Bob) wins. Alice resigns." in page.visible_text
    assert "Resign" not in re.sub(r"Alice resigns", "", page.visible_text)
    assert [one.kind for one in env.announced] == [AnnouncementKind.RESIGNED]
    assert "The match is over." in (await visitor.post(f"{seat}/resign")).visible_text


def offer_id(page: PageResponse) -> str:
    """Return the id of the offer that can be answered on a page."""
    found = re.search(r'<input type="hidden" name="offer" value="(\d+)">', page.text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("answer", "state", "kind"),
    [
        ("accept", MatchState.OVER, AnnouncementKind.AGREED),
        ("decline", MatchState.PLAYING, AnnouncementKind.OFFER_DECLINED),
    ],
)
async def test_end_by_agreement(
    env: WebEnvironment, visitor: Visitor, answer: str, state: MatchState, kind: AnnouncementKind
) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat)
    assert "If your opponent agrees, the match ends on this board. It would be a draw." in page.visible_text
    page = await visitor.post(f"{seat}/offer", data={"board": "0", "kind": "end"})
    assert "Alice offers to end the match here. It would be a draw." in page.visible_text
    assert 'value="accept"' not in page.text
    async with env.visitor() as other:
        seat = await env.take_seat(other, match.id, BOB)
        page = await other.get(seat)
        await other.post(f"{seat}/answer", data={"answer": answer, "offer": offer_id(page)})
    assert (await env.view(match.id)).state is state
    assert [one.kind for one in env.announced] == [AnnouncementKind.OFFERED, kind]


async def test_offer_is_withdrawn_by_whoever_made_it(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.post(f"{seat}/offer", data={"board": "0", "kind": "end"})
    assert "You offered to end the match here. Your opponent has not answered yet." in page.visible_text
    page = await visitor.post(f"{seat}/answer", data={"offer": offer_id(page), "answer": "withdraw"})
    assert "You offered" not in page.visible_text
    assert (await env.view(match.id)).pending_offer is None
    assert env.announced[-1].kind is AnnouncementKind.OFFER_WITHDRAWN


@pytest.mark.long
async def test_takeback_is_offered_and_accepted(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    seat = await env.take_seat(visitor, match.id, ALICE)
    stale = await pick_move(visitor, seat, "F1", "F4")
    await visitor.post(f"{seat}/offer", data={"board": "2", "kind": "takeback"})
    async with env.visitor() as other:
        across = await env.take_seat(other, match.id, BOB)
        page = await other.get(across)
        undone = "It would undo Alice's D1-D4 and Bob's A2-B3."
        assert f"Alice asks for a takeback of their last turn. {undone}" in page.visible_text
        await other.post(f"{across}/answer", data={"answer": "accept", "offer": offer_id(page)})
    page = await visitor.get(seat)
    assert "Alice (Black) to play." in page.visible_text
    assert "D1-D4" not in page.visible_text
    assert "The board has changed" in (await confirm_move(visitor, seat, stale)).visible_text
    await env.play(match.id, "E1-E4", "A2-B3")
    assert "The board has changed" in (await confirm_move(visitor, seat, stale)).visible_text


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("draw", "the board says who wins"),
        ("takeback", "so nothing can be taken back."),
        ("nonsense", "This offer no longer exists"),
    ],
)
async def test_offer_that_cannot_be_made_is_refused(
    env: WebEnvironment, visitor: Visitor, kind: str, sentence: str
) -> None:
    match = await env.start_match()
    await replace_board(env, match.id, OCCUPIED)
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.post(f"{seat}/offer", data={"board": "0", "kind": kind})
    assert sentence in page.visible_text
    assert env.announced == []


async def test_expired_offer_cannot_be_answered(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.matches.offers.make(match.id, BOB, OfferKind.END, now=env.clock())
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat)
    await env.play(match.id, "D1-D4")
    page = await visitor.post(f"{seat}/answer", data={"answer": "accept", "offer": offer_id(page)})
    assert "no longer open" in page.visible_text
    assert (await env.view(match.id)).state is MatchState.PLAYING


async def test_match_can_be_aborted_before_both_have_moved(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    assert "Abort" in (await visitor.get(seat)).visible_text
    await env.play(match.id, "D1-D4", "A2-B3")
    assert "Abort" not in (await visitor.get(seat)).visible_text
    assert "the match counts" in (await visitor.post(f"{seat}/abort")).visible_text
    early = await env.start_match()
    seat = await env.take_seat(visitor, early.id, ALICE)
    await visitor.post(f"{seat}/abort")
    assert (await env.view(early.id)).state is MatchState.OVER


@pytest.mark.parametrize("game", GAMES)
async def test_page_shows_only_possible_offers(env: WebEnvironment, visitor: Visitor, game: str) -> None:
    position = GAMES[game].initial_position()
    is_draw_possible = GAMES[game].allows_draws and position.agreed_outcome is None
    kinds = ["end"] * (position.agreed_outcome is not None) + ["draw"] * is_draw_possible
    match = await env.start_match({}, game)
    seat = await env.take_seat(visitor, match.id, ALICE)
    assert re.findall(r'name="kind" value="(\w+)"', (await visitor.get(seat)).text) == kinds
    await env.play(match.id)
    found = re.findall(r'name="kind" value="(\w+)"', (await visitor.get(seat)).text)
    assert found == [*kinds, "takeback"]


def clocks_of(text: str) -> list[tuple[str, str, str]]:
    """Return state, deadline and remaining time of the clocks of a page, from the top."""
    state = r'<span class="clock ?(\w*)" aria-hidden="true"(?: data-ends="([^"]*)")?>'
    clock = state + r'.*<span class="left-time">([^<]*)<'
    return re.findall(clock, text)


async def test_deadlines_are_shown(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(terms=Terms(time_control=TimeControl.per_move(timedelta(days=3))))
    page = await visitor.get(f"/m/{match.id}")
    assert re.search(r'Alice has until <time datetime="2026-05-04T12:00:00\+00:00" ', page.text)
    seat = await env.take_seat(visitor, match.id, ALICE)
    env.clock.advance(days=1)
    await env.play(match.id, "D1-D4")
    env.clock.advance(hours=1)
    page = await visitor.get(seat)
    assert "Bob has until 5 May 2026, 12:00 UTC" in re.sub(r"<[^>]+>", "", page.visible_text)
    # The clock of the player to move runs to the deadline; the other one stands.
    assert clocks_of(page.text) == [
        ("running", "2026-05-05T12:00:00+00:00", "2 d 23 h"),
        ("", "", "3 d 0 h"),
    ]
    await env.matches.clocks.pauses.offer(match.id, ALICE, now=env.clock())
    await env.matches.clocks.pauses.offer(match.id, BOB, now=env.clock())
    page = await visitor.get(seat)
    assert clocks_of(page.text) == [("stopped", "", "2 d 23 h"), ("stopped", "", "3 d 0 h")]


async def test_earlier_turn_can_be_viewed_from_a_seat(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(f"{seat}?turn=1")
    assert offered_cells(page) == {}
    assert "You are looking at an earlier turn." in page.visible_text


async def test_own_side_is_at_the_bottom(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, BOB)
    page = await visitor.get(seat)
    assert 'data-side="white" data-default-side="white"' in page.text.replace("\n", " ")


@pytest.mark.long
async def test_both_players_share_a_screen(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        page = await visitor.post(
            "/new", data={"game": "morelli", "size": "9", "first": "Ann", "second": "Ben", "screens": "one"}
        )
        assert page.url == "/m/1/seat/both"
        for name, move in (("Ann", "D1-D4"), ("Ben", "A2-B3"), ("Ann", "F1-F4")):
            page = await visitor.get(page.url, params={"text": move})
            assert re.search(rf'class="acting">.*?{name}:</bdi></span>', page.text, re.DOTALL)
            page = await confirm_move(visitor, "/m/1/seat/both", page)
        assert "Ben (White) to play." in page.visible_text
        page = await visitor.post("/m/1/seat/both/offer", data={"board": "3", "kind": "end"})
        page = await visitor.post("/m/1/seat/both/answer", data={"offer": offer_id(page), "answer": "accept"})
        assert "It is a draw." in page.visible_text
        assert env.announced == []
        assert await env.matches.announcements.claim_due("test", now=env.clock()) == ()


async def test_hostile_name_is_escaped_on_a_seat_page(env: WebEnvironment, visitor: Visitor) -> None:
    evil = Person("test:evil", '"><script>alert(1)</script>')
    match = await env.start_match(people=(evil, BOB), server=SERVER)
    seat = await env.take_seat(visitor, match.id, evil)
    page = await visitor.get(seat)
    assert "<script>alert" not in page.text


@pytest.mark.long
async def test_token_for_one_seat_does_not_open_the_shared_seat(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    generations = ((ALICE.account, 0), (BOB.account, 0))
    token = SeatToken(match.id, generations, env.clock().replace(year=2027))
    assert token.accounts == (ALICE.account, BOB.account)
    await env.take_seat(visitor, match.id, ALICE)
    assert (await visitor.get(f"/m/{match.id}/seat/both")).status == 403


async def test_move_form_on_a_large_board_keeps_nobody_waiting(
    env: WebEnvironment, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    build_form, is_released = move_form.build_form, threading.Event()

    def build_slowly(context: MoveFormContext, position: Position, answers: tuple[str, ...]) -> MoveForm:
        assert is_released.wait(10)
        return build_form(context, position, answers)

    monkeypatch.setattr(move_form, "build_form", build_slowly)
    page = asyncio.create_task(visitor.get(seat))
    async with env.visitor() as other:
        assert (await other.get(f"/m/{match.id}")).status == 200
    is_released.set()
    assert (await page).status == 200


async def test_irreversible_actions_are_asked_first(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat, params={"board": "0", "answers": "D1"})
    for action, sentence in (
        ("resign", "Bob wins then. You cannot undo this."),
        ("abort", "It then has no result."),
        ("lock", "Your personal links stop working on every device; the match continues."),
    ):
        assert f'action="{seat}/{action}"' not in page.text
        link = re.search(rf'href="([^"]*ask={action}[^"]*)"', page.visible_text)
        assert link is not None
        asked = await visitor.get(link[1])
        assert sentence in asked.visible_text
        assert f'<form method="post" action="{seat}/{action}">' in asked.text
        back = re.search(r'href="([^"]+)" data-answer="back">Keep playing', asked.visible_text)
        assert back is not None
        assert "Where does D1 go?" in (await visitor.get(back[1])).visible_text
    await env.play(match.id, "D1-D4", "A2-B3")
    assert 'id="sure"' not in (await visitor.get(seat, params={"ask": "abort"})).text


@pytest.mark.parametrize(("kind", "game"), [("end", "morelli"), ("draw", "morabaraba")])
async def test_agreeing_to_the_end_is_asked_first(
    env: WebEnvironment, visitor: Visitor, kind: str, game: str
) -> None:
    match = await env.start_match({}, game)
    await env.play(match.id)
    await env.matches.offers.make(match.id, BOB, OfferKind(kind), now=env.clock())
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat)
    assert 'value="accept"' not in page.text
    link = re.search(r'class="button" href="([^"]*ask=accept[^"]*)"', page.visible_text)
    assert link is not None
    asked = await visitor.get(link[1])
    assert "Do you agree? The match is then over. You cannot undo this." in asked.visible_text
    data = {"answer": "accept", "offer": offer_id(asked)}
    assert (await env.view(match.id)).state is MatchState.PLAYING
    await visitor.post(f"{seat}/answer", data=data)
    assert (await env.view(match.id)).state is MatchState.OVER


async def test_takeback_is_allowed_without_a_question(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    await env.matches.offers.make(match.id, ALICE, OfferKind.TAKEBACK, now=env.clock())
    seat = await env.take_seat(visitor, match.id, BOB)
    assert 'value="accept"' in (await visitor.get(seat)).text
    assert 'id="sure"' not in (await visitor.get(seat, params={"ask": "accept"})).text


async def test_players_are_told_their_own_result(env: WebEnvironment, visitor: Visitor) -> None:
    drawn, aborted, resigned = [(await env.start_match()).id for _ in range(3)]
    await env.matches.offers.make(drawn, BOB, OfferKind.END, now=env.clock())
    await env.matches.offers.answer_end(drawn, ALICE, accept=True, now=env.clock())
    await env.matches.offers.abort(aborted, BOB, now=env.clock())
    await env.matches.resign(resigned, BOB, now=env.clock())
    results = []
    for match in (drawn, aborted, resigned):
        page = await visitor.get(await env.seat_link(match, ALICE))
        results += re.findall(r'<p class="own-result[^>]*>.*?</p>', page.text)
    assert results == [
        '<p class="own-result draw" id="own-result">It is a draw.</p>',
        '<p class="own-result" id="own-result" hidden></p>',
        '<p class="own-result won" id="own-result">You won!</p>',
    ]
    assert "own-result" not in (await visitor.get(f"/m/{resigned}")).text


async def test_signing_out_of_a_shared_screen_leaves_a_way_back(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        await visitor.post("/new", data={"game": "morelli", "screens": "one"})
        page = await visitor.get("/m/1/seat/both", params={"ask": "lock"})
        assert "Disable the links of both players" in page.visible_text
        assert "2 May 2026, 12:00 UTC</time>." in page.visible_text
        found = re.search(r'readonly value="([^"]+)"', page.text)
        assert found is not None
        async with env.visitor() as other:
            assert (await other.get(found[1])).status == 403
        await visitor.post("/m/1/seat/both/lock")
        assert (await visitor.get("/m/1/seat/both")).status == 403
        page = await visitor.get(found[1])
        assert page.url == "/m/1/seat/both"
        assert "Which stone do you move?" in page.visible_text


async def test_shared_screen_resigns_for_the_player_who_was_asked(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        await visitor.post("/new", data={"game": "morelli", "size": "9", "screens": "one"})
        page = await visitor.get("/m/1/seat/both", params={"ask": "resign"})
        assert "Resign for Black" in page.visible_text
        form = dict(re.findall(r'name="(side)" value="(\w+)"', page.text))
        await env.play(MatchId(1), "D1-D4")
        page = await visitor.post("/m/1/seat/both/resign", data=form)
        assert "White wins. Black resigns." in page.visible_text


async def test_answering_an_offer_keeps_the_turn_and_its_maker_is_told(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    await env.matches.offers.make(match.id, BOB, OfferKind.END, now=env.clock())
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await pick_move(visitor, seat, "D1")
    form = re.search(r'<form method="post" action="[^"]+/answer">.*?</form>', page.text, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)">', form[0]))
    page = await visitor.post(f"{seat}/answer?side=white", data=fields | {"answer": "decline"})
    assert "Where does D1 go?" in page.visible_text
    assert 'data-side="white"' in page.text
    async with env.visitor() as other:
        across = await env.take_seat(other, match.id, BOB)
        told = "Your opponent declined to end the match here."
        assert told in (await other.get(across)).visible_text
        assert told not in (await visitor.get(seat)).visible_text
        await env.play(match.id, "D1-D4")
        assert told not in (await other.get(across)).visible_text


async def test_caption_of_a_preview_tells_the_previewed_turn(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(seat, params={"text": "F1-F4"})
    caption = re.search(r'id="caption">(.*?)</p>', page.visible_text)
    assert caption is not None
    assert re.sub(r"<[^>]+>", "", caption[1]) == "Preview. Black moves F1-F4"


async def test_news_are_the_checksums_of_known_matches(env: WebEnvironment, visitor: Visitor) -> None:
    match, other = await env.start_match(), await env.start_match()
    query = [("match", str(number)) for number in (match.id, other.id, 999, "x", -1, 10**14)]
    before = json.loads((await visitor.get("/news", params=query)).text)
    assert set(before) == {str(match.id), str(other.id)}
    page = await visitor.get(f"/m/{match.id}")
    assert re.search(rf'data-version="[\d.]+\.{before[str(match.id)]}"', page.text)
    await env.play(match.id, "D1-D4")
    after = json.loads((await visitor.get("/news", params=query)).text)
    assert after[str(match.id)] != before[str(match.id)]
    assert after[str(other.id)] == before[str(other.id)]
    assert json.loads((await visitor.get("/news")).text) == {}
    many = [("match", str(number)) for number in range(2, 200)]
    assert set(json.loads((await visitor.get("/news", params=many)).text)) == {str(other.id)}


@pytest.mark.long
async def test_opening_the_page_tells_a_player_who_accepts_no_messages(
    env: WebEnvironment, visitor: Visitor
) -> None:
    view = await env.start_match(terms=Terms(time_control=TimeControl(timedelta(days=1))))
    await env.matches.posting.places.lose(SERVER, view.channel, MoveReason.DELETED, now=env.clock())
    copies = await env.matches.announcements.claim_due("test", now=env.clock())
    (to_alice,) = [copy for copy in copies if copy.to == ALICE.account]
    await env.matches.posting.places.record_refused(to_alice, now=env.clock())
    env.clock.advance(days=20)
    async with env.visitor() as opponent:
        page = await opponent.get(await env.take_seat(opponent, view.id, BOB))
    assert "The clock is stopped, because Alice cannot be told about the match." in page.visible_text
    seat = await env.take_seat(visitor, view.id, ALICE)
    page = await visitor.get(seat)
    assert "The clock is stopped" not in page.visible_text
    assert "Alice has until" in page.visible_text


@pytest.mark.long
async def test_stone_is_placed_or_flipped_with_one_click(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match({"size": 7}, "morphos")).id
    moves = tomllib.loads((FOLDER / "morphos.toml").read_text("utf-8"))["moves"]
    await env.play(match, *moves[:28])
    seat = await env.take_seat(visitor, match, ALICE)
    cells = offered_cells(await visitor.get(seat))
    chosen = {href.partition("answers=")[2]: href for href in cells.values()}
    for action in ("place", "flip"):
        answer = next(one for one in chosen if one.startswith(action))
        sentence = f"Black {action}s {answer[-2:]}"
        assert sentence in (await visitor.get(f"{seat}{chosen[answer]}")).visible_text
        assert sentence in (await visitor.get(f"{seat}?board=28&answers=&then={answer}")).visible_text
