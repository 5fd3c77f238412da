"""The list of this browser's games, the number of its turns, and the way to the next game."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from yarl import URL

from matches import Person, Terms, TimeControl
from tests.web.environment import ALICE, BOB, CAROL, FISTS, SMALL
from web.accounts import my_games
from web.play import held_seats

if TYPE_CHECKING:
    from matches import MatchId
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

PAGE = {"Accept": "text/html"}  # as browsers ask for a page
TIMED = Terms(rated=False, time_control=TimeControl.per_move(timedelta(days=3)))


def listed(page: PageResponse) -> dict[str, list[str]]:
    """Return the paths of the games in each part of the list."""
    parts = re.findall(r'<section aria-labelledby="(\w+)">(.*?)</section>', page.text, re.DOTALL)
    return {name: re.findall(r'<a href="([^"]+)"', part) for name, part in parts}


def turn_count(page: PageResponse) -> int | None:
    """Return the number in the header; None without a link to the list."""
    found = re.search(r'id="my-games".*?class="turns"( hidden)?> <b>(\d+)</b>', page.text)
    if found is None:
        assert 'id="my-games"' not in page.text
        return None
    assert (found[1] is not None) == (found[2] == "0")
    return int(found[2])


async def open_seats(env: WebEnvironment, visitor: Visitor, *matches: MatchId) -> list[str]:
    return [await env.take_seat(visitor, match, ALICE) for match in matches]


@pytest.mark.long
async def test_list_has_own_turns_first_then_waiting_then_finished(
    env: WebEnvironment, visitor: Visitor
) -> None:
    calm, urgent = await env.start_match(), await env.start_match(terms=TIMED)
    waiting = await env.start_match(people=(BOB, ALICE))
    foreign = await env.start_match(people=(BOB, CAROL))
    lost, aborted = await env.start_match(), await env.start_match()
    await env.play(lost.id, "D1-D4")
    paths = await open_seats(env, visitor, calm.id, urgent.id, waiting.id, lost.id, aborted.id)
    await env.matches.resign(lost.id, ALICE, now=env.clock())
    await env.matches.offers.abort(aborted.id, ALICE, now=env.clock())
    env.clock.advance(hours=1)
    page = await visitor.get("/my-games", headers=PAGE)
    assert listed(page) == {"your_turn": [paths[1], paths[0]], "waiting": [paths[2]], "finished": [paths[3]]}
    assert f"/m/{foreign.id}" not in page.text
    assert turn_count(page) == 2
    assert "Time left: 2 d 23 h" in page.visible_text
    assert "White (Bob) wins. Alice resigns." in page.visible_text
    assert page.text.count("Alice") == 1  # elsewhere "You"
    await env.play(calm.id, "D1-D4")
    page = await visitor.get("/my-games", headers=PAGE)
    assert "Last move: Black D1-D4" in page.visible_text
    assert listed(page)["waiting"] == [paths[0], paths[2]]


async def test_list_is_private(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await open_seats(env, visitor, match.id)
    for path in ("/my-games", "/", "/rules", f"/m/{match.id}", "/missing"):
        page = await visitor.get(path, headers=PAGE)
        assert turn_count(page) == 1
        assert page.headers["Cache-Control"] in {"no-store", "private, no-cache"}
    async with env.visitor() as stranger:
        page = await stranger.get("/my-games", headers=PAGE)
        assert listed(page) == {}
        assert turn_count(page) is None
        assert "You play no games in this browser yet." in page.visible_text
        cookies = {one.key: one.value for one in visitor.session.cookie_jar}
        for value in ("x", f"{cookies['seats']}x", cookies["sits"]):
            assert listed(await stranger.get("/my-games", headers={"Cookie": f"seats={value}"})) == {}
        # The list gives no access to a seat.
        cookie = {"Cookie": f"seats={cookies['seats']}; seat={cookies['seats']}"}
        assert (await stranger.get(f"/m/{match.id}/seat/1", headers=cookie)).status == 403


async def test_every_page_has_the_number_of_turns_and_the_next_game(
    env: WebEnvironment, visitor: Visitor
) -> None:
    first, second = await env.start_match(), await env.start_match()
    one, two = await open_seats(env, visitor, first.id, second.id)
    page = await visitor.get(one)
    assert turn_count(page) == 2
    assert f'class="next" href="{two}"' in page.text
    assert f'class="next" href="{one}"' in (await visitor.get(two)).text
    played = await visitor.post(f"{one}/play?part=seat", data={"board": "0", "text": "D1-D4"})
    assert turn_count(played) == 1
    assert f'<a id="next-game" href="{two}"' in played.text
    assert (await (await visitor.open_stream("/news")).json()) == {"turns": 1}
    last = await visitor.post(f"{two}/play?part=seat", data={"board": "0", "text": "D1-D4"})
    assert turn_count(last) == 0
    assert not re.search("next-game|class=.next", last.text)


async def test_seat_that_was_signed_out_elsewhere_is_not_counted(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    await open_seats(env, visitor, match.id)
    await env.matches.people.seats.rotate(match.id, ALICE)
    page = await visitor.get("/my-games", headers=PAGE)
    assert listed(page) == {}
    assert turn_count(page) == 0


async def test_visits_renew_a_session_and_an_expired_one_leaves_the_list(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match, over = await env.start_match(), await env.start_match()
    path, _ = await open_seats(env, visitor, match.id, over.id)
    await env.play(over.id, "D1-D4")
    await env.matches.resign(over.id, ALICE, now=env.clock())
    for _ in range(2):
        env.clock.advance(days=20)
        assert (await visitor.get(path)).status == 200
    assert listed(await visitor.get("/my-games")) == {"your_turn": [path], "finished": [f"/m/{over.id}"]}
    env.clock.advance(days=31)
    assert listed(await visitor.get("/my-games")) == {"finished": [f"/m/{over.id}"]}


async def test_both_seats_in_one_browser_are_one_game(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    alice, bob = [await env.take_seat(visitor, match.id, person) for person in (ALICE, BOB)]
    assert listed(await visitor.get("/my-games")) == {"your_turn": [alice]}
    await env.play(match.id)
    page = await visitor.get("/my-games")
    assert listed(page) == {"your_turn": [bob]}
    assert "Alice" in page.text


async def test_match_without_a_board_is_listed(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS, terms=TIMED)
    (path,) = await open_seats(env, visitor, match.id)
    page = await visitor.get("/my-games")
    assert listed(page) == {"your_turn": [path]}
    assert "board.svg" not in page.text
    assert page.visible_text.count("Time left") == 1
    await env.matches.resign(match.id, ALICE, now=env.clock())
    page = await visitor.get("/my-games")
    assert listed(page) == {"finished": [path]}
    assert "board.svg" not in page.text


@pytest.mark.long
async def test_list_has_pages_and_keeps_the_latest_visited_seats(
    env: WebEnvironment, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(my_games, "PAGE", 2)
    monkeypatch.setattr(held_seats, "MAX_SEATS", 5)
    matches = []
    for _ in range(6):
        matches.append((await env.start_match(SMALL)).id)
        env.clock.advance(minutes=1)
    paths = await open_seats(env, visitor, *matches)
    found = [listed(await visitor.get(f"/my-games?page={page}")) for page in (1, 2, 3, 4, "x")]
    assert found == [{"your_turn": one} for one in (paths[1:3], paths[3:5], paths[5:], paths[5:], paths[1:3])]
    page = await visitor.get("/my-games?page=2", headers=PAGE)
    assert "Page 2 of 3" in page.visible_text
    assert turn_count(page) == 5


async def test_cookie_of_the_most_seats_is_short_enough_for_browsers(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match(people=(ALICE, Person("test:dave", "Dave")))
    seats = [[10**6 + 7919 * at, at % 3, 30_000, at % 7, at % 5] for at in range(held_seats.MAX_SEATS)]
    cookie = {"seats": env.context.token_signer.sign_list(seats)}
    visitor.session.cookie_jar.update_cookies(cookie, URL(env.base))
    (path,) = await open_seats(env, visitor, match.id)
    (text,) = (one.value for one in visitor.session.cookie_jar if one.key == "seats")
    assert len(text) < 4000
    assert len(env.context.token_signer.verify_list(text)) == held_seats.MAX_SEATS
    assert listed(await visitor.get("/my-games")) == {"your_turn": [path]}
