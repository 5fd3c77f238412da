"""Tournaments on the website: the list, the pages of every kind, what players and organisers do."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from yarl import URL

from matches import Audience, Grant, Person, Reader, Refusal
from matches.tournaments.results import GameState
from matches.tournaments.values import Act, EntryLimits, Kind, TournamentState
from tests.web.environment import ALICE, BOB, CAROL, SIGN_IN_SETTINGS, running_web
from tests.web.prepared_tournaments import (
    PLAYERS,
    create_tournament,
    decide_games,
    open_games,
    run_sweeps,
    see,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database
    from matches.tournaments.values import TournamentId
    from tests.web.environment import Visitor, WebEnvironment

DORA, MODERATOR = PLAYERS[3], Person(f"discord:{'5' * 18}", "Mia")
REASON = "They asked me to."
FORM = {"name": "Spring cup", "kind": "swiss", "1.game": "morelli", "1:morelli:size": "9", "form": "a" * 32}


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, has_computer=True, has_mail=True, **SIGN_IN_SETTINGS) as started:
        yield started


async def sign_in(env: WebEnvironment, visitor: Visitor, person: Person) -> Visitor:
    cookie = {"session": await env.start_seat_session(person)}
    visitor.session.cookie_jar.update_cookies(cookie, URL(env.base))
    return visitor


async def begin(env: WebEnvironment, kind: Kind = Kind.ROUND_ROBIN, players: int = 3) -> TournamentId:
    """Create a tournament of Carol that begins at once."""
    number = await create_tournament(env, kind, PLAYERS[:players])
    env.clock.advance(days=15)
    await run_sweeps(env)
    return number


def sections(text: str) -> list[str]:
    return re.findall(r'<h2 id="([\w-]+)"', text)


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (Kind.ROUND_ROBIN, 'class="cross cols-4"'),
        (Kind.LEAGUE, 'class="cross cols-4"'),
        (Kind.SWISS, 'id="games">Pairings'),
        (Kind.KNOCK_OUT, 'class="bracket"'),
        (Kind.LADDER, 'id="table">Ladder'),
    ],
)
async def test_page_of_each_kind(env: WebEnvironment, visitor: Visitor, kind: Kind, part: str) -> None:
    number = await create_tournament(env, kind, PLAYERS[:4])
    listed = (await visitor.get("/tournaments")).text
    assert sections(listed) == ["open"]
    assert f'href="/tournaments/{number}"' in listed
    waiting = await visitor.get(f"/tournaments/{number}")
    assert "Alice" in waiting.text
    assert part not in waiting.text
    env.clock.advance(days=15)
    await run_sweeps(env)
    assert sections((await visitor.get("/tournaments")).text) == ["running"]
    page = await visitor.get(f"/tournaments/{number}")
    assert page.status == 200
    assert part in page.text
    assert "only by the drawn seed" not in page.text  # as long as nobody has played
    assert (await visitor.get(f"/tournaments/{number}?stage=9")).status == 404


@pytest.mark.long
async def test_rounds_can_be_switched_and_winners_have_a_mark(env: WebEnvironment, visitor: Visitor) -> None:
    number = await begin(env, Kind.KNOCK_OUT, players=3)
    for _ in range(2):
        await decide_games(env, number, winner=ALICE, share=1)
    path = f"/tournaments/{number}"
    page = await visitor.get(path)
    assert "Winner:" in page.text
    assert 'aria-current="page">Round 2<' in page.text
    assert 'aria-current="page">Round 1<' in (await visitor.get(f"{path}?stage=1")).text
    await env.matches.people.handles.choose(ALICE.account, ALICE.name, now=env.clock())
    profile = (await visitor.get("/@Alice")).text
    assert "wins" in sections(profile)
    assert f'href="{path}' in profile


@pytest.mark.long
async def test_cross_table_says_all_results_as_links_and_in_words(
    env: WebEnvironment, visitor: Visitor
) -> None:
    number = await begin(env, players=5)
    await decide_games(env, number, share=0.7)
    view, page = await see(env, number), await visitor.get(f"/tournaments/{number}")
    assert view.stage is not None
    (group,) = view.stage.groups
    over = [game for game in group.games if game.state is GameState.OVER]
    rows = page.text.split('<tr role="row"')[2:]
    assert len(rows) == len(group.table)
    for row, line in zip(rows, group.table, strict=True):
        name = view.entrant(line.entrant).person.name
        assert f">{name}<" in row.replace("<bdi>", "").replace("</bdi>", "<")
        own = [game for game in over if line.entrant in (game.first, game.second)]
        assert all(f'href="/m/{game.match}"' in row for game in own)
        assert len(re.findall(r"won against|lost to|drew with", row)) == len(own)
        points = f"{line.points // 2}{'½' * (line.points % 2)}"
        assert f"<strong>{points}</strong>" in row
        if line.best != line.worst:
            assert f"can reach the places {line.best} to {line.worst}" in row
    tied = [line.tie_break for line in group.table if line.tie_break not in (None, "points")]
    assert page.text.count('class="why"') == len(tied)


async def test_one_joins_with_one_click_and_leaves(env: WebEnvironment, visitor: Visitor) -> None:
    number = await create_tournament(env, Kind.ROUND_ROBIN, (BOB, CAROL))
    path = f"/tournaments/{number}"
    assert "Sign in to join" in (await visitor.get(path)).text
    asked = await visitor.post(f"{path}/join", allow_redirects=False)
    assert asked.headers["Location"].startswith("/signin?next=%2Ftournaments")
    await sign_in(env, visitor, ALICE)
    assert (await visitor.post(f"{path}/join", headers={"Sec-Fetch-Site": "cross-site"})).status == 403
    page = await visitor.post(f"{path}/join")
    assert page.url == path
    assert "You take part" in page.text
    left = await visitor.post(f"{path}/leave")
    assert "You take part" not in left.text
    refused = await visitor.post(f"{path}/leave")
    assert refused.status == 409
    assert "You do not play in this tournament." in refused.text


async def test_what_keeps_somebody_out_is_said_on_the_page(env: WebEnvironment, visitor: Visitor) -> None:
    limits = EntryLimits(min_rating=2500)
    number = await create_tournament(env, Kind.SWISS, (), limits=limits)
    await sign_in(env, visitor, ALICE)
    page = await visitor.post(f"/tournaments/{number}/join")
    assert page.status == 409
    assert "ratings from 2500" in page.visible_text
    assert "rating from 2500" in page.visible_text


async def test_form_creates_one_tournament(env: WebEnvironment, visitor: Visitor) -> None:
    assert (await visitor.get("/tournaments/new")).url.startswith("/signin")
    await sign_in(env, visitor, ALICE)
    form = await visitor.get("/tournaments/new")
    assert form.status == 200
    date = re.search(r'name="date" value="([\d-]+)"', form.text)
    assert date is not None
    fields = {
        **FORM,
        "date": date[1],
        "time": "09:30",
        "zone": "berlin",
        "rated": "1",
        "entrants": "\uff11\uff16",  # 16 in full width
        "computer": "club",
    }
    pages = [await visitor.post("/tournaments/new", data=fields) for _ in range(2)]
    assert {page.url for page in pages} == {"/tournaments/1"}
    view = await env.matches.tournaments.view(pages and 1, Reader(), now=env.clock())  # type: ignore[arg-type]
    settings = view.settings
    assert (settings.name, settings.kind) == ("Spring cup", Kind.SWISS)
    assert settings.starts_at.astimezone(UTC).strftime("%H:%M") == "07:30"
    assert settings.games[0].options["size"] == 9
    assert (settings.limits.entrants, settings.computer_level, settings.rated) == (16, "club", True)
    assert view.organiser.account == ALICE.account


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"name": ""}, "needs a name"),
        ({"1.game": ""}, "Choose one to 5 games"),
        ({"date": "yesterday"}, "starts in the future"),
        ({"date": "2020-01-01"}, "starts in the future"),
        ({"date": "0001-01-01", "zone": "Asia/Tokyo"}, "starts in the future"),
        ({"time": "25:00"}, "starts in the future"),
        ({"zone": "Atlantis"}, "no time zone"),
        ({"days": "1"}, "A round or season can last from"),
        ({"days": "x"}, "x is not a whole number"),
        ({"entrants": "2"}, "players can take part"),
        ({"time_control_typed": "none"}, "time"),
        ({"kind": "lottery"}, "form"),
    ],
)
async def test_form_says_what_is_wrong_and_keeps_what_was_typed(
    env: WebEnvironment, visitor: Visitor, fields: dict[str, str], text: str
) -> None:
    await sign_in(env, visitor, ALICE)
    sent = {**FORM, "date": "2026-06-01", "about": "Bring <cake>.", **fields}
    page = await visitor.post("/tournaments/new", data=sent)
    assert page.status == 400
    assert text in page.visible_text.split('role="alert">')[1].split("</p>")[0]
    assert "Bring &lt;cake&gt;." in page.text
    assert (await visitor.get("/tournaments/1")).status == 404


async def test_organiser_changes_dates_with_a_reason(env: WebEnvironment, visitor: Visitor) -> None:
    number = await create_tournament(env, Kind.LEAGUE, (ALICE, BOB))
    path = f"/tournaments/{number}/change"
    await sign_in(env, visitor, ALICE)
    assert (await visitor.get(path)).status == 403
    await sign_in(env, visitor, CAROL)
    await env.matches.people.preferences.change(CAROL, zone="Tokyo", now=env.clock())
    form = (await visitor.get(path)).text
    fields = dict(re.findall(r'<input type="(?:text|date|time)"[^>]* name="(\w+)" value="([^"]*)"', form))
    assert (fields["zone"], fields["time"]) == ("Asia/Tokyo", f"{(env.clock().hour + 9) % 24:02}:00")
    fields |= {"1.game": "morphos", "date": "2026-07-01", "time": "09:00", "reason": ""}
    assert (await visitor.post(path, data=fields)).status == 400
    page = await visitor.post(path, data=fields | {"reason": "Holidays <b>"})
    assert page.url == f"/tournaments/{number}"
    assert "Holidays &lt;b&gt;" in page.text
    view = await see(env, number)
    assert view.settings.starts_at == datetime(2026, 7, 1, tzinfo=UTC)
    assert view.settings.kind is Kind.LEAGUE
    assert [one.game for one in view.settings.games] == ["morphos"]


@pytest.mark.plain("the new name of the tournament is typed")
async def test_start_between_two_minutes_is_not_moved_by_another_change(
    env: WebEnvironment, visitor: Visitor
) -> None:
    number = await create_tournament(env, Kind.LEAGUE, (ALICE, BOB))
    path, starts_at = f"/tournaments/{number}/change", env.clock() + timedelta(days=14, seconds=30)
    settings = replace((await see(env, number)).settings, starts_at=starts_at)
    await env.matches.tournaments.change(number, settings, CAROL, reason=REASON, now=env.clock())
    await sign_in(env, visitor, CAROL)
    form = (await visitor.get(path)).text
    fields = dict(re.findall(r'<input type="(?:text|date|time)"[^>]* name="(\w+)" value="([^"]*)"', form))
    await visitor.post(path, data=fields | {"1.game": "morphos", "name": "Autumn cup", "reason": REASON})
    view = await see(env, number)
    assert (view.settings.name, view.settings.starts_at) == ("Autumn cup", starts_at)
    assert "before" not in view.log[-1].details


@pytest.mark.long
async def test_organiser_excludes_corrects_and_ends(env: WebEnvironment, visitor: Visitor) -> None:
    number = await begin(env, players=4)
    path, view = f"/tournaments/{number}", await see(env, number)
    own = next(one.id for one in view.entrants if one.person == CAROL)  # who cannot correct her own games
    game = next(one for one in open_games(view) if own not in (one.first, one.second))
    await env.matches.resign(game.match, view.entrant(game.first).person, now=env.clock())  # type: ignore[arg-type]
    excluded = next(one.id for one in view.entrants if one.person == DORA)
    acts: dict[str, dict[str, Any]] = {
        "correct": {"game": game.id, "points": "1-1"},
        "exclude": {"entrant": int(excluded)},
        "end": {},
    }
    await sign_in(env, visitor, ALICE)
    assert "For organisers" not in (await visitor.get(path)).text
    for act, fields in acts.items():
        refused = await visitor.post(f"{path}/{act}", data=fields | {"reason": REASON})
        assert (refused.status, act) == (403, act)
    await sign_in(env, visitor, CAROL)
    for act, fields in acts.items():
        assert (await visitor.post(f"{path}/{act}", data=fields | {"reason": "x"})).status == 400
        page = await visitor.post(f"{path}/{act}", data=fields | {"reason": f"{REASON} {act}"})
        assert (page.status, page.url) == (200, path)
        assert f"{REASON} {act}" in page.text
    log = [one.act for one in (await see(env, number)).log]
    assert {Act.CORRECTED, Act.EXCLUDED, Act.ENDED_EARLY} <= set(log)
    assert "0 : 1 became ½ : ½" in page.visible_text or "1 : 0 became ½ : ½" in page.visible_text


async def test_who_replaces_somebody_has_agreed(env: WebEnvironment, visitor: Visitor) -> None:
    number = await create_tournament(env, Kind.SWISS, (ALICE, BOB))
    path, view = f"/tournaments/{number}", await see(env, number)
    place = next(one.id for one in view.entrants if one.person == BOB)
    fields = {"entrant": int(place), "reason": REASON}
    await sign_in(env, visitor, ALICE)
    assert (await visitor.post(f"{path}/replace", data=fields)).status == 403
    await sign_in(env, visitor, CAROL)
    offered = await visitor.post(f"{path}/replace", data=fields)
    link = re.search(r'value="[^"]*(/tournaments/replace/[\w.-]+)"', offered.text)
    assert link is not None
    assert "Dora" not in (await visitor.get(path)).text
    async with env.visitor() as other:
        assert (await other.get(link[1])).url.startswith("/signin")
        await sign_in(env, other, DORA)
        assert REASON in (await other.get(link[1])).text
        page = await other.post(link[1])
        assert page.url == path
        assert "Dora" in page.text
        assert (await other.post(link[1])).status == 409
        assert (await other.post(f"{link[1]}x")).status == 400
    names = {one.person.name for one in (await see(env, number)).entrants if one.withdrawn is None}
    assert names == {"Alice", "Dora"}
    place = next(one.id for one in (await see(env, number)).entrants if one.person == ALICE)
    gone = await visitor.post(f"{path}/replace", data=fields | {"entrant": int(place)})
    left = re.search(r'value="[^"]*(/tournaments/replace/[\w.-]+)"', gone.text)
    assert left is not None
    await env.matches.tournaments.leave(number, ALICE, now=env.clock())
    assert (await visitor.get(left[1])).status == 400
    assert (await visitor.post(left[1])).status == 400
    env.clock.advance(days=15)
    assert (await visitor.get(link[1])).status == 400


async def test_place_of_a_servers_tournament_is_for_its_members(
    env: WebEnvironment, visitor: Visitor
) -> None:
    server = "1" * 18
    number = await create_tournament(env, Kind.SWISS, (), server=server, channel="2" * 18)
    await env.matches.tournaments.join(number, BOB, is_member=True, now=env.clock())
    (place,) = (await see(env, number)).entrants
    await sign_in(env, visitor, CAROL)
    fields = {"entrant": int(place.id), "reason": REASON}
    offered = await visitor.post(f"/tournaments/{number}/replace", data=fields)
    link = re.search(r'value="[^"]*(/tournaments/replace/[\w.-]+)"', offered.text)
    assert link is not None
    await sign_in(env, visitor, DORA)
    assert (await visitor.get(link[1])).status == 404
    assert (await visitor.post(link[1])).status == 404
    assert [one.person for one in (await see(env, number)).entrants if one.withdrawn is None] == [BOB]
    grant = Grant(frozenset({server}), "token")
    session = await env.matches.people.sessions.start(DORA, grant, device="", now=env.clock())
    visitor.session.cookie_jar.update_cookies({"session": session}, URL(env.base))
    assert (await visitor.post(link[1])).status == 200
    assert [one.person for one in (await see(env, number)).entrants if one.withdrawn is None] == [DORA]


async def test_ladder_challenge_and_answer(env: WebEnvironment, visitor: Visitor) -> None:
    number = await begin(env, Kind.LADDER, players=4)
    path, view = f"/tournaments/{number}", await see(env, number)
    assert view.stage is not None
    order = [view.entrant(one).person for one in view.stage.groups[0].entrants]
    await sign_in(env, visitor, order[3])
    assert "Challenge somebody" in (await visitor.get(path)).text
    target = view.stage.groups[0].entrants[1]
    page = await visitor.post(f"{path}/challenge", data={"entrant": int(target), "setup": "0"})
    assert (page.status, page.url) == (200, path)
    assert "To be answered by" in page.text
    again = await visitor.post(f"{path}/challenge", data={"entrant": int(target), "setup": "0"})  # twice
    assert (again.status, again.text.count("To be answered by")) == (
        200,
        page.text.count("To be answered by"),
    )
    another = view.stage.groups[0].entrants[2]
    assert (await visitor.post(f"{path}/challenge", data={"entrant": int(another)})).status == 409
    async with env.visitor() as other:
        await sign_in(env, other, order[1])
        asked = await other.get(path)
        game = re.search(r'name="game" value="(\d+)"', asked.text)
        assert game is not None
        for _ in range(2):
            accepted = await other.post(f"{path}/answer", data={"game": game[1]})
            assert accepted.status == 200
        assert re.search(r'href="/m/\d+"', accepted.text)


async def test_nobody_takes_part_in_a_tournament_that_is_over(env: WebEnvironment, visitor: Visitor) -> None:
    number = await begin(env)
    await sign_in(env, visitor, ALICE)
    assert "You take part" in (await visitor.get(f"/tournaments/{number}")).text
    await env.matches.tournaments.end_early(number, CAROL, reason="It is too cold.", now=env.clock())
    await run_sweeps(env)
    env.clock.advance(days=2)
    await run_sweeps(env)
    page = await visitor.get(f"/tournaments/{number}")
    assert "The tournament is over." in page.visible_text
    assert "You take part" not in page.text


async def test_match_says_its_tournament_and_its_date(env: WebEnvironment, visitor: Visitor) -> None:
    number = await begin(env)
    game = open_games(await see(env, number))[0]
    page = await visitor.get(f"/m/{game.match}")
    assert f'href="/tournaments/{number}?stage=1"' in page.text
    assert "Decided at the latest on" in page.text
    assert "Match of the tournament" not in (await visitor.get("/")).text


@pytest.mark.long
@pytest.mark.parametrize(
    ("chances", "words", "mark"),
    [
        (0.91, "91%", "decided on the end date: 91%"),
        (0.6, "Neither reached 85%, so it is a draw", "decided on the end date: 60%"),
        (None, "could not assess the position in time, so it is a draw", "without an assessment"),
    ],
)
async def test_match_says_how_its_end_date_decided_it(
    env: WebEnvironment, visitor: Visitor, chances: float | None, words: str, mark: str
) -> None:
    number = await begin(env)
    view = await see(env, number)
    for game in open_games(view):
        await env.play(game.match, None, None)  # type: ignore[arg-type]
    assert view.stage is not None
    env.clock.time = view.stage.dates.ends_at
    await run_sweeps(env)
    adjudication, decided = env.matches.tournaments.adjudication, list[int]()
    while job := await adjudication.claim(now=env.clock()):
        decided.append(job.game)
        await adjudication.decide(job.game, chances, now=env.clock())
    await run_sweeps(env)
    view = await see(env, number)
    assert view.stage is not None
    game = next(one for one in view.stage.groups[0].games if one.id in decided)
    page = (await visitor.get(f"/m/{game.match}")).visible_text
    assert words in page
    assert "The result is not rated." in page
    if chances == 0.91:
        first = view.entrant(game.first).person.name
        assert f"{first} 91%" in page
        assert f"{first} wins" in page
    assert mark in (await visitor.get(f"/tournaments/{number}")).visible_text


async def test_match_of_a_server_says_its_tournament_to_members_alone(
    env: WebEnvironment, visitor: Visitor
) -> None:
    server, channel = "1" * 18, "2" * 18
    await env.matches.visibility.record_channels(server, {channel})
    await env.matches.servers.change(server, CAROL, audience=Audience.NAMES, now=env.clock())
    number = await create_tournament(
        env, Kind.ROUND_ROBIN, PLAYERS[:3], "Secret cup", server=server, channel=channel
    )
    env.clock.advance(days=15)
    await run_sweeps(env)
    match = open_games(await see(env, number))[0].match
    page = await visitor.get(f"/m/{match}")
    assert page.status == 200
    assert "Secret cup" not in page.text
    grant = Grant(frozenset({server}), "token")
    session = await env.matches.people.sessions.start(BOB, grant, device="", now=env.clock())
    visitor.session.cookie_jar.update_cookies({"session": session}, URL(env.base))
    assert "Secret cup" in (await visitor.get(f"/m/{match}")).text


async def test_organisers_decide_about_their_own_tournament_only(
    env: WebEnvironment, visitor: Visitor
) -> None:
    await create_tournament(env, Kind.SWISS, (ALICE, BOB))
    other = await create_tournament(env, Kind.SWISS, (ALICE, BOB), by=BOB)
    await sign_in(env, visitor, CAROL)
    assert "For organisers" not in (await visitor.get(f"/tournaments/{other}")).text
    page = await visitor.post(f"/tournaments/{other}/end", data={"reason": REASON})
    assert page.status == 403
    assert (await see(env, other)).state is TournamentState.OPEN


async def test_moderators_of_the_website_can_do_what_organisers_can(database: Database) -> None:
    async with (
        running_web(database, moderators=MODERATOR.account, **SIGN_IN_SETTINGS) as env,
        env.visitor() as visitor,
    ):
        number = await create_tournament(env, Kind.SWISS, (ALICE, BOB))
        await sign_in(env, visitor, MODERATOR)
        page = await visitor.get(f"/tournaments/{number}", headers={"Accept": "text/html"})
        assert "For organisers" in page.text
        ended = await visitor.post(f"/tournaments/{number}/end", data={"reason": REASON})
        assert ended.status == 200
        assert "Mia" in ended.text
        assert (await see(env, number)).state is TournamentState.CANCELLED
        await check_moderator_is_nobody_on_servers(env, visitor)


async def check_moderator_is_nobody_on_servers(env: WebEnvironment, moderator: Visitor) -> None:
    """Check that a moderator of the website neither sees nor changes the tournament of a server."""
    number = await create_tournament(env, Kind.SWISS, (), server="1" * 18, channel="2" * 18)
    await env.matches.tournaments.join(number, ALICE, is_member=True, now=env.clock())
    path, (entrant,) = f"/tournaments/{number}", (await see(env, number)).entrants
    assert (await moderator.get(path)).status == 404
    assert (await moderator.get(f"{path}/change")).status == 404
    fields = {"reason": REASON, "entrant": int(entrant.id), "points": "1-1", "game": 1}
    for act in ("exclude", "replace", "correct", "change", "end"):
        assert (await moderator.post(f"{path}/{act}", data=FORM | fields)).status == 404, act
    view = await see(env, number)
    assert view.state is TournamentState.OPEN
    assert [one.withdrawn for one in view.entrants] == [None]
    await env.matches.tournaments.join(number, MODERATOR, is_member=True, now=env.clock())
    assert "For organisers" not in (await moderator.get(path)).text
    for act in ("exclude", "replace", "correct", "change", "end"):
        assert (await moderator.post(f"{path}/{act}", data=FORM | fields)).status == 403, act


async def test_servers_tournament_is_for_its_members(env: WebEnvironment, visitor: Visitor) -> None:
    number = await create_tournament(env, Kind.SWISS, (), server="1" * 18, channel="2" * 18)
    assert (await visitor.get(f"/tournaments/{number}")).status == 404
    assert f"/tournaments/{number}" not in (await visitor.get("/tournaments")).text
    with pytest.raises(Refusal):
        await env.matches.tournaments.view(number, Reader(), now=env.clock())


async def test_past_tournaments_are_in_pages(
    env: WebEnvironment, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.tournaments.listing.PAGE", 2)
    numbers = [await create_tournament(env, Kind.SWISS, (), by=BOB) for _ in range(3)]
    env.clock.advance(days=15)
    await run_sweeps(env)
    page = await visitor.get("/tournaments")
    assert "Cancelled" in page.text
    older = re.search(r'href="(/tournaments\?before=\d+)"', page.text)
    assert older is not None
    last = await visitor.get(older[1])
    assert re.findall(r'href="/tournaments/(\d+)"', last.text) == [str(numbers[0])]
    for text in ("x", "-1", "9" * 30):
        assert (await visitor.get(f"/tournaments?before={text}")).status == 200


async def test_long_list_of_entrants_is_in_pages(
    env: WebEnvironment, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.tournaments.page.LINES", 4)
    number = await begin(env, Kind.SWISS, players=6)
    first = await visitor.get(f"/tournaments/{number}")
    second = await visitor.get(f"/tournaments/{number}?page=2")
    counts = [len(re.findall(r'<th scope="row"', page.text)) for page in (first, second)]
    assert counts == [4, 2]
    assert f'href="/tournaments/{number}?stage=1&amp;page=2"' in first.text
    for text in ("0", "x", "99"):
        assert (await visitor.get(f"/tournaments/{number}?page={text}&group={text}")).status == 200
