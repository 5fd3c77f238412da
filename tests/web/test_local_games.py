"""Local games: matches started from the form, on one screen or in two windows."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from i18n import Texts
from i18n.formatting import format_side
from matches import MatchId, MatchState
from tests.games import GAMES, TEXTS
from tests.i18n.german import GERMAN
from tests.web.environment import running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database
    from tests.web.environment import PageResponse, Visitor, WebEnvironment


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, allow_local_games=True) as started:
        yield started


async def test_form_offers_every_game_and_its_options(visitor: Visitor) -> None:
    page = await visitor.get("/new")
    forms = dict(re.findall(r'name="game" value="(\w+)">(.*?)</form>', page.text, re.DOTALL))
    assert set(forms) == set(GAMES)
    for name, form in forms.items():
        fields = set(re.findall(r'<(?:select|input type="checkbox") name="(\w+)', form))
        assert fields == {option.name for option in GAMES[name].options if not option.is_random}


@pytest.mark.plain("it has texts of its own")
async def test_form_is_shown_though_a_game_lacks_its_texts(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        running_web(database, allow_local_games=True, texts=Texts.load()) as env,
        env.visitor() as visitor,
    ):
        page = await visitor.get("/new")
        started = await visitor.post("/new", data={"game": "breakthrough", "screens": "one"})
    assert (page.status, started.status) == (200, 200)
    assert "<h2>breakthrough</h2>" in page.text
    assert "missing text: game.breakthrough.name" in caplog.messages


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_starts_with_the_defaults_of_the_form(
    env: WebEnvironment, visitor: Visitor, game: str
) -> None:
    page = await visitor.post("/new", data={"game": game, "screens": "one"})
    assert page.status == 200
    assert page.url == "/m/1/seat/both"
    side, other_side = (format_side(TEXTS, one) for one in GAMES[game].sides)
    assert f">{side} to play." in page.visible_text
    # A player without a name is called by the side, once.
    assert f'<bdi class="name">{side}</bdi> <span class="side"></span>' in page.visible_text
    over = await visitor.post("/m/1/seat/both/resign")
    assert re.search(rf"{other_side} wins\. {side} resigns\.", over.visible_text)
    view = await env.view(MatchId(1))
    assert view.game == game
    assert [seat.person.name for seat in view.seats] == [side, other_side]


async def test_two_windows_get_a_link_each(visitor: Visitor) -> None:
    page = await visitor.post(
        "/new", data={"game": "morelli", "setup": "fists", "first": "Ann", "second": "Ben", "screens": "two"}
    )
    assert page.url == "/m/1/links"
    assert page.headers["Cache-Control"] == "no-store"
    links = seat_links(page)
    assert len(links) == 2
    # The own board opens under the address of this page, whose cookies list the match in My games.
    path = links[0].removeprefix(visitor.base)
    assert page.text.count(f'<a class="button primary" href="{path}"') == 1
    assert page.visible_text.index("For your friend: Ben (White)") < page.visible_text.index("For you: Ann")
    seats = [await visitor.get(link) for link in links]
    assert [seat.url for seat in seats] == ["/m/1/seat/1", "/m/1/seat/2"]
    assert all("Pick a starting set-up." in seat.visible_text for seat in seats)


def seat_links(page: PageResponse) -> list[str]:
    """Return the personal links of a page: that of the browser's own board, and that of the friend."""
    return re.findall(r'data-copy="([^"]+)"', page.text)[::-1]


async def new_form(visitor: Visitor, **values: str) -> dict[str, str]:
    """Open the form for a new match, and return it filled in."""
    number = re.search(r'name="form" value="([^"]+)"', (await visitor.get("/new")).text)
    assert number is not None
    return {"form": number[1], **values}


@pytest.mark.long
@pytest.mark.parametrize("screens", ["one", "two"])
async def test_form_sent_twice_starts_one_match(env: WebEnvironment, visitor: Visitor, screens: str) -> None:
    form = await new_form(visitor, game="morelli", first="Ann", screens=screens)
    first, second = await asyncio.gather(*(visitor.post("/new", data=form) for _ in range(2)))
    assert first.url == second.url
    assert len(await env.list_active()) == 1
    other = await visitor.post("/new", data=await new_form(visitor, game="morelli", first="Ann"))
    assert other.url == "/m/2/seat/both"
    changed = await visitor.post("/new", data={**form, "first": "Amy"})
    assert changed.url.startswith("/m/3/")


@pytest.mark.long
async def test_number_of_a_form_cannot_be_guessed_from_the_match(
    env: WebEnvironment, visitor: Visitor
) -> None:
    await visitor.post("/new", data=await new_form(visitor, game="morelli"))
    account = (await env.view(MatchId(1))).seats[0].person.account
    for number in ("", account, account.split(":")[1]):
        answer = await visitor.post("/new", data={"game": "morelli", "form": number})
        assert not answer.url.startswith("/m/1/")


async def test_links_can_be_seen_again_by_the_browser_that_started_the_match(
    env: WebEnvironment, visitor: Visitor
) -> None:
    form = await new_form(visitor, game="morelli", first="Ann", second="Ben", screens="two")
    await visitor.post("/new", data=form)
    again = await visitor.get("/m/1/links")
    links = seat_links(again)
    assert len(links) == 2
    assert "2 May 2026, 12:00 UTC</time>. Whoever has opened one stays signed in." in again.visible_text
    env.clock.advance(days=1)
    assert "has expired or was disabled. Get a new one" in (await visitor.get(links[0])).visible_text
    links = seat_links(await visitor.get("/m/1/links"))
    assert (await visitor.get(links[0])).url == "/m/1/seat/1"
    for path in ("/m/1", "/m/1/seat/1"):
        assert 'href="/m/1/links"' in (await visitor.get(path)).text
    async with env.visitor() as stranger:
        assert 'href="/m/1/links"' not in (await stranger.get("/m/1")).text
        refused = await stranger.get("/m/1/links")
        assert (refused.status, refused.text.count("/sit/")) == (403, 0)
        (token,) = (one.value for one in visitor.session.cookie_jar if one.key == "starter")
        for cookie in (f"starter={token}x", "starter=x"):
            assert (await stranger.get("/m/1/links", headers={"Cookie": cookie})).status == 403
        for path in ("/m/1/seat/both", "/m/1/seat/1"):
            assert (await stranger.get(path, headers={"Cookie": f"seat={token}"})).status == 403
        assert (await stranger.get(f"/sit/{token}")).status == 403


async def test_links_of_a_player_who_signed_out_are_not_shown_again(visitor: Visitor) -> None:
    form = await new_form(visitor, game="morelli", first="Ann", second="Ben", screens="two")
    links = seat_links(await visitor.post("/new", data=form))
    await visitor.get(links[0])
    await visitor.post("/m/1/seat/1/lock")
    again = await visitor.get("/m/1/links")
    assert "Ben (White)" in again.visible_text
    assert "Ann (Black)" not in again.visible_text


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            {"game": "morelli", "edition": "2015", "setup": "fists"},
            "In Morelli, closed fists does not go with rules of 2015. For start choose random start or",
        ),
        ({"game": "morelli", "size": "12"}, "12"),
        ({"game": "morphos", "size": "400"}, "400"),
    ],
)
async def test_invalid_options_are_explained_and_the_form_is_kept(
    env: WebEnvironment, visitor: Visitor, data: dict[str, str], sentence: str
) -> None:
    page = await visitor.post("/new", data=data | {"first": "Ann"})
    assert page.status == 400
    notice = re.search(r'<p class="notice"[^>]*>(.*?)</p>', page.text)
    assert notice is not None
    assert sentence in notice[1]
    assert 'value="Ann"' in page.text
    assert await env.list_active() == []


async def test_unknown_game_is_refused(visitor: Visitor) -> None:
    assert (await visitor.post("/new", data={"game": "chess"})).status == 400


async def test_names_are_escaped_and_cut(env: WebEnvironment, visitor: Visitor) -> None:
    await visitor.post("/new", data={"game": "morelli", "first": "<b>Ann" + "n" * 500, "second": " \u200b "})
    first, second = (await env.list_active())[0].seats
    assert first.person.name.startswith("<b>Ann")
    assert len(first.person.name) == 40
    assert second.person.name == "White"
    assert "<b>Ann" not in (await visitor.get("/")).text


async def test_local_games_leave_no_announcements(env: WebEnvironment, visitor: Visitor) -> None:
    await visitor.post("/new", data={"game": "morabaraba", "screens": "one"})
    await visitor.post("/m/1/seat/both/play", data={"board": "0", "text": "A1"})
    await visitor.post("/m/1/seat/both/resign")
    env.clock.advance(hours=1)
    assert await env.matches.announcements.claim_due("test", now=env.clock()) == ()
    assert env.announced == []


async def test_values_are_understood_as_people_write_them(env: WebEnvironment, visitor: Visitor) -> None:
    data = {"game": "morphos", "size": "9 × 9", "mutators": "c + a", "screens": "one"}
    assert (await visitor.post("/new", data=data)).status == 200
    assert dict((await env.view(MatchId(1))).options) == {"size": 9, "mutators": "ac"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("form_data", "names"),
    [
        ({"game": "morelli", "setup": "fists", "first": "Ann", "second": "Ben"}, ["Ben", "Ann"]),
        ({"game": "morphos", "size": "5", "mutators": "ac", "first": "Ann"}, ["Black", "Ann"]),
    ],
)
async def test_rematch_swaps_sides_and_keeps_options(
    env: WebEnvironment, visitor: Visitor, form_data: dict[str, str], names: list[str]
) -> None:
    await visitor.post("/new", data=form_data | {"screens": "one"})
    for _ in range(2 if "setup" in form_data else 0):
        await visitor.post("/m/1/seat/both/pick", data={"pick": "LL"})
    page = await visitor.post("/m/1/seat/both/resign")
    assert "Play again with colours swapped" in page.visible_text
    page = await visitor.post("/m/1/seat/both/rematch")
    assert page.url == "/m/2/seat/both"
    first, rematch = await env.view(MatchId(1)), await env.view(MatchId(2))
    assert [seat.person.name for seat in rematch.seats] == names
    if "setup" not in form_data:
        assert rematch.options == first.options
    assert (rematch.state is MatchState.CHOOSING) == ("setup" in form_data)


@pytest.mark.long
async def test_rematch_is_one_and_both_windows_get_there(env: WebEnvironment, visitor: Visitor) -> None:
    form = await new_form(visitor, game="morphos", size="5", first="Ann", second="Ben", screens="two")
    links = seat_links(await visitor.post("/new", data=form))
    async with env.visitor() as other:
        ann, ben = (await visitor.get(links[0])).url, (await other.get(links[1])).url
        await env.play(MatchId(1), "C3", "swap")
        assert (await visitor.post(f"{ann}/rematch")).status == 404  # the match is not over
        await visitor.post(f"{ann}/resign")
        before = await env.cached(MatchId(1))
        one, two, again = await asyncio.gather(
            *(
                window.post(f"{path}/rematch")
                for window, path in ((visitor, ann), (other, ben), (visitor, ann))
            )
        )
        assert len(await env.list_active()) == 1
        assert {one.url, again.url, two.url} == {"/m/2/seat/1", "/m/2/seat/2"}
        assert one.url == again.url
        # Ann had changed to White; now she is Black.
        assert [seat.person.name for seat in (await env.view(MatchId(2))).seats] == ["Ann", "Ben"]
        assert "Where do you place" in one.visible_text
        assert "Where do you place" not in two.visible_text
        # Pages that are open learn of it, because the match has a new version.
        assert (await env.cached(MatchId(1))).version != before.version
        for window, path in ((visitor, ann), (other, ben)):
            parts = await window.get(f"{path}?part=seat")
            assert "The rematch has started." in parts.visible_text
            assert (
                f'<form class="row" method="post" action="{path}/rematch"><button class="primary">Go to'
                in parts.text
            )
        async with env.visitor() as spectator:
            assert '<a href="/m/2">Watch the rematch</a>' in (await spectator.get("/m/1")).text
            assert (await spectator.post(f"{ann}/rematch")).status == 403
        # Who signs out of the rematch everywhere cannot be replaced from the page of the first match.
        await visitor.post(f"{one.url}/lock")
        assert (await visitor.post(f"{ann}/rematch")).status == 403


@pytest.mark.parametrize(("ticked", "mutators"), [("ca", "ac"), ("", "-"), ("abcde", "abcde")])
@pytest.mark.plain("it compares a part of a text")
async def test_mutators_are_check_boxes(
    env: WebEnvironment, visitor: Visitor, ticked: str, mutators: str
) -> None:
    form = (await visitor.get("/new?game=morphos")).text
    boxes = re.findall(
        r'<input type="checkbox" name="(mutators\.\w)" value="\w"><span>[A-Z][\w ]+</span>', form
    )
    assert boxes == [f"mutators.{letter}" for letter in "abcde"]
    data = {f"mutators.{letter}": letter for letter in ticked}
    await visitor.post("/new", data={"game": "morphos", "mutators.": "-", **data})
    assert (await env.view(MatchId(1))).options["mutators"] == mutators


async def test_recommended_values_are_marked_and_refused_boxes_stay_ticked(visitor: Visitor) -> None:
    form = (await visitor.get("/new")).visible_text
    assert re.search(r'<option value="nestor" selected>later rules \(usual\): [^<]+<', form)
    data = {"game": "morphos", "size": "400", "mutators.": "-", "mutators.b": "b"}
    refused = await visitor.post("/new", data=data)
    assert re.findall(r'name="mutators\.(\w)" value="\w" checked', refused.text) == ["b"]


async def test_public_website_starts_no_local_games(database: Database) -> None:
    async with running_web(database, has_computer=True) as env, env.visitor() as visitor:
        form = await visitor.get("/new")
        assert re.findall(r'name="screens" value="(\w+)"', form.text) == ["computer"] * len(GAMES)
        for screens in ({}, {"screens": "one"}, {"screens": "two"}):
            assert (await visitor.post("/new", data={"game": "morelli", **screens})).status == 400
        assert await env.matches.public_queries.list_outlines(map(MatchId, range(1, 4))) == ()


@pytest.mark.plain("it has texts of its own")
async def test_a_game_refuses_a_move_in_the_language_of_the_website(database: Database) -> None:
    async with (
        running_web(database, allow_local_games=True, texts=GERMAN) as env,
        env.visitor() as visitor,
    ):
        await visitor.post("/new", data={"game": "morelli", "size": "9", "screens": "one"})
        page = await visitor.get("/m/1/seat/both", params={"text": "B5-C5"})
    assert "Auf B5 steht kein Stein." in page.visible_text
