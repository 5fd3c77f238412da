"""Matches against the computer on the website: starting them, the page of the seat, playing again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from matches import MatchId, OfferKind, is_computer
from matches.computer.service import computer_person
from tests.games import GAMES
from tests.web.environment import ALICE, CHANNEL, SERVER, running_web
from web import app

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database, MatchView
    from tests.web.environment import PageResponse, Visitor, WebEnvironment


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, allow_local_games=True, has_computer=True) as started:
        yield started


async def press_play(visitor: Visitor, game: str) -> PageResponse:
    """Press *Play* on the card of a game on the front page."""
    front = (await visitor.get("/")).text
    form = re.search(rf'<form[^>]*id="play-{game}">(.*?)</form>', front, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'name="(\w+)" value="(\w+)"', form[1]))
    return await visitor.post("/new", data={**fields, "screens": "computer"})


def computer_of(view: MatchView) -> tuple[str, str]:
    """Return the name of the computer, and its side."""
    (seat,) = [seat for seat in view.seats if is_computer(seat.person.account)]
    return seat.person.name, seat.side.value


async def test_page_says_how_strong_an_adaptive_computer_plays(env: WebEnvironment, visitor: Visitor) -> None:
    form = {"game": "morphos", "screens": "computer", "level": "adaptive", "side": "black", "size": "5"}
    page = await visitor.post("/new", data={**form, "mutators.": "-"})
    (view,) = await env.list_active()
    for url in (page.url, f"/m/{view.id}"):
        assert "· the computer plays like casual" in (await visitor.get(url)).visible_text
    await env.matches.resign(view.id, view.seats[0].person, now=env.clock())
    page = await visitor.get(page.url)
    assert "Play again" in page.visible_text
    assert 'name="level"' not in page.text


async def test_adaptive_computer_follows_the_results_of_a_machine(
    env: WebEnvironment, visitor: Visitor
) -> None:
    """Every match has new accounts there, so those who play on a machine count as one person."""
    form = {"game": "morphos", "screens": "computer", "level": "adaptive", "side": "black", "size": "5"}
    strengths, url = [], ""
    for path, data in (
        ("/new", {**form, "mutators.": "-"}),
        ("/rematch", {}),
        ("/new", {**form, "second": "Ann"}),
    ):
        url = (await visitor.post(url + path if path == "/rematch" else path, data=data)).url
        (view,) = await env.list_active()
        strengths.append(view.terms.strength)
        loser = next(seat.person for seat in view.seats if not is_computer(seat.person.account))
        await env.matches.resign(view.id, loser, now=env.clock())
    assert strengths == [1.0, 0.5, 0.0]


@pytest.mark.long
async def test_play_starts_every_game_and_settings_are_remembered(
    env: WebEnvironment, visitor: Visitor
) -> None:
    for number, game in enumerate(GAMES, start=1):
        page = await press_play(visitor, game)
        assert (page.status, page.url) == (200, f"/m/{number}/seat/2")
        view = await env.view(MatchId(number))
        # A newcomer begins, plays the weakest level, and has a small board.
        assert view.waits_for == (view.seats[0].person,)
        assert view.options.items() >= GAMES[game].first_options.items()
        assert computer_of(view) == (computer_person("beginner").name, GAMES[game].sides[1].value)
        assert not view.terms.rated
    form = {"game": "morphos", "screens": "computer", "level": "club", "side": "white", "size": "5"}
    await visitor.post("/new", data={**form, "mutators.": "-", "mutators.a": "a", "second": "Ann"})
    front = (await visitor.get("/")).visible_text
    assert "Play: the computer, club" in front
    await press_play(visitor, "morphos")
    *_, chosen, again = sorted(await env.list_active(), key=lambda view: view.id)
    for view in (chosen, again):
        assert computer_of(view) == (computer_person("club").name, "black")
        assert dict(view.options) == {"size": 5, "mutators": "a"}
    assert [seat.person.name for seat in (chosen.seats[1], again.seats[1])] == ["Ann", "Guest"]
    # Half a level more is part of the level, and left out where there is none.
    for level, half, name in (("club", "+", "club+"), ("expert", "+", "expert"), ("club", "x", "club")):
        await visitor.post("/new", data={**form, "mutators.": "-", "level": level, "half": half})
        assert f"Play: the computer, {name}" in (await visitor.get("/")).visible_text
        assert computer_of(max(await env.list_active(), key=lambda view: view.id))[0] == f"Rayuela ({name})"
        shown = (await visitor.get("/new?game=morphos")).text
        assert ('name="half" value="+" checked' in shown) == (name == "club+")
    # What the cookie says is checked like any other input.
    cookie = {"Cookie": "play_morphos=level%3Dnobody%26size%3D400%26side%3Dblue"}
    async with env.visitor() as stranger:
        assert (
            await stranger.post(
                "/new",
                data={"game": "morphos", "screens": "computer"},
                headers={"Sec-Fetch-Site": "same-origin", **cookie},
            )
        ).status == 200
    assert computer_of((await env.list_active())[0]) == (computer_person("beginner").name, "white")


@pytest.mark.long
async def test_seat_against_the_computer(env: WebEnvironment, visitor: Visitor) -> None:
    seat = (await press_play(visitor, "morphos")).url
    person, computer = (one.person for one in (await env.view(MatchId(1))).seats)
    first = await visitor.post(f"{seat}/play", data={"board": "0", "text": "C3"})
    assert "Rayuela (beginner) is thinking." in first.visible_text
    assert ">White to play." in first.visible_text
    assert "/conditional" not in first.text
    assert (await visitor.get(f"{seat}/conditional")).status == 404
    # One click takes back, while the computer thinks and after it has played.
    taken = await visitor.post(f"{seat}/offer", data={"board": "1", "kind": "takeback"})
    assert "Where do you place" in taken.visible_text
    assert 'id="take-back"' not in taken.text
    revision = (await env.view(MatchId(1))).revision
    await visitor.post(f"{seat}/play", data={"board": str(revision), "text": "C3"})
    answered = await env.play(MatchId(1), "E5")
    page = await visitor.get(seat)
    assert 'id="take-back"' in page.text
    assert "Ask for a takeback" not in page.visible_text
    page = await visitor.post(f"{seat}/offer", data={"board": str(answered.revision), "kind": "takeback"})
    assert (await env.view(MatchId(1))).ply == 0
    # Nobody gets into the computer's seat.
    assert (await visitor.get("/m/1/seat/1")).status == 403
    assert (await visitor.get("/m/1/links")).status == 403
    assert (await visitor.get(await env.seat_link(MatchId(1), computer))).status == 403
    over = await visitor.post(f"{seat}/resign")
    assert "Rayuela (beginner) wins as White. Guest resigns." in over.visible_text
    buttons = re.findall(r'name="level" value="(\w+)">([^<]+)<', over.text)
    assert buttons == [("casual", "Harder: casual")]
    again = [await visitor.post(f"{seat}/rematch", data={"level": "casual"}) for _ in range(2)]
    assert [page.url for page in again] == ["/m/2/seat/2"] * 2
    rematch = await env.view(MatchId(2))
    assert computer_of(rematch) == (computer_person("casual").name, "black")
    assert "Play: the computer, casual" in (await visitor.get("/")).visible_text
    assert rematch.seats[1].person.name == person.name
    assert re.findall(r'name="side" value="(\w+)">Play again<', over.text) == ["black"]
    assert (await visitor.post(f"{seat}/rematch", data={"side": "black"})).url == "/m/3/seat/2"
    assert computer_of(await env.view(MatchId(3))) == (computer_person("beginner").name, "white")


@pytest.mark.long
async def test_offer_of_the_computer_is_answered_on_the_page(env: WebEnvironment, visitor: Visitor) -> None:
    seat = (await press_play(visitor, "morabaraba")).url
    _, computer = (one.person for one in (await env.view(MatchId(1))).seats)
    await visitor.post(f"{seat}/play", data={"board": "0", "text": "D2"})
    await env.play(MatchId(1), "D6")
    await env.matches.offers.make(MatchId(1), computer, OfferKind.DRAW, now=env.clock())
    page = await visitor.get(seat)
    assert "Rayuela (beginner) offers a draw." in page.visible_text
    page = await visitor.post(f"{seat}/answer", data={"answer": "decline", "offer": "1"})
    assert "offers a draw" not in page.visible_text
    assert (await env.view(MatchId(1))).result is None


@pytest.mark.long
async def test_closed_fists_and_swap_against_the_computer(env: WebEnvironment, visitor: Visitor) -> None:
    form = {"game": "morelli", "screens": "computer", "level": "beginner", "setup": "fists"}
    page = await visitor.post("/new", data=form)
    assert "Pick a starting set-up." in page.visible_text
    page = await visitor.post(f"{page.url.partition('?')[0]}/pick", data={"pick": "LL"})
    assert "Rayuela (beginner) is thinking." in page.visible_text
    seat = (await press_play(visitor, "morphos")).url
    await visitor.post(f"{seat}/play", data={"board": "0", "text": "C3"})
    await env.play(MatchId(2), "swap")
    page = await visitor.get(seat)
    assert "Guest (White) to play." in page.visible_text


async def test_my_games_lists_people_first(env: WebEnvironment, visitor: Visitor) -> None:
    await press_play(visitor, "morelli")
    match = await env.start_match()
    env.clock.advance(minutes=1)
    await env.take_seat(visitor, match.id, ALICE)
    await press_play(visitor, "morphos")
    links = re.findall(r'<a href="(/m/\d+/seat/\d)"', (await visitor.get("/my-games")).text)
    assert links == ["/m/2/seat/1", "/m/1/seat/2", "/m/3/seat/2"]


@pytest.mark.long
async def test_without_the_computer_nothing_ends_nowhere(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        front = await visitor.get("/")
        assert "The computer cannot play at the moment" in front.visible_text
        assert 'value="computer"' not in front.text
        form = await visitor.get("/new?game=morelli")
        assert "You can play both sides here" in form.visible_text
        assert 'name="level"' not in form.text
        refused = await visitor.post("/new", data={"game": "morelli", "screens": "computer"})
        assert refused.status == 400
        assert "no match was started" in refused.visible_text
        assert await env.list_active() == []
        update = await env.matches.computer.start(
            ALICE, level="club", server=SERVER, channel=CHANNEL, game="morphos", now=env.clock()
        )
        seat = await env.take_seat(visitor, update.match.id, ALICE)
        if update.match.waits_for == (ALICE,):
            await visitor.post(f"{seat}/play", data={"board": "0", "text": "C3"})
        assert "is thinking." in (await visitor.get(seat)).visible_text
        env.clock.advance(minutes=2)
        assert "The match is kept" in (await visitor.get(seat)).visible_text


async def test_client_starts_so_many_matches_and_no_more(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "COMPUTER_MATCHES_AT_ONCE", 2)
    async with running_web(database, allow_local_games=True, has_computer=True) as env:
        async with env.visitor() as visitor:
            statuses = [(await press_play(visitor, "morphos")).status for _ in range(3)]
            assert statuses == [200, 200, 429]
        async with env.visitor("127.0.0.2") as other:
            assert (await press_play(other, "morphos")).status == 200
