"""Who sees what on the website: every route, for every kind of reader and match, as docs/privacy.md says."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from matches import Audience, ErasureChoice, Grant, MoveReason, Person
from tests.web.environment import ALICE, BOB, SIGN_IN_SETTINGS, SMALL, running_web
from web.match import watch
from web.play.local_games import LOCAL_SERVER
from web.play.tokens import SeatToken, TokenPurpose

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database, MatchId
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

POLICY = Path(__file__).parents[2] / "docs" / "privacy.md"
MEMBERS, NAMES, ALIASES, ELSEWHERE = (f"discord:{number}" for number in range(101, 105))
SETTINGS = {MEMBERS: Audience.MEMBERS, NAMES: Audience.NAMES, ALIASES: Audience.ALIASES}
OPEN, ROOM = "discord:1001", "discord:1002"  # channels that everybody can see
ZELDA, OTTO = (Person(f"discord:{id_}", name) for id_, name in ((201, "Zelda"), (202, "Ottokar")))
PLAYERS = (ZELDA, OTTO)
STRANGER, MEMBER, LEAVER = (Person(f"discord:{id_}", f"Reader {id_}") for id_ in (203, 204, 205))
ALIAS = "Blue Knight"
HANDLES = ("zz9", "oo9")
PAGE = {"Accept": "text/html"}
UNKNOWN = 99

# What a player's names are called in the table, and which of them are shown.
SHOWN = {
    "nothing": frozenset[str](),
    "names": frozenset({"Zelda", "Ottokar"}),
    "chosen names": frozenset({ALIAS, "Ottokar"}),
    "aliases": frozenset({ALIAS, "Anonymous"}),
}
# Rows of the table by a word in them: the server, and the channel where the match began.
KINDS = {
    "members only": (MEMBERS, OPEN),
    "public, with names": (NAMES, OPEN),
    "public, with aliases": (ALIASES, OPEN),
    "in a channel": (NAMES, "discord:1003"),
    "in a thread": (NAMES, "discord:1004"),
    "in direct messages": (NAMES, ROOM),
    "website itself": (LOCAL_SERVER, LOCAL_SERVER),
}
COLUMNS = {
    "somebody who is not signed in": None,
    "a member of another server": STRANGER,
    "who watched it, then left the server": LEAVER,
    "a member of its server": MEMBER,
    "its players": ZELDA,
}

KINDS_WITH_SEATS = ("members only", "public, with aliases")  # enough where only players get anything

# Each route below the pattern of a match, by how it answers: pages and files with names or without; what only
# players get; what everybody gets alike. The rest shows no match, or is tested by name.
WITH_NAMES = {"/m/{match}", "/m/{match}/events", "/m/{match}/record.txt"}
WITHOUT_NAMES = {
    *("/m/{match}/board.png", "/m/{match}/board.svg", "/m/{match}/game.gif"),
    *("/m/{match}/analysis", "/m/{match}/analysis/{state}", "/m/{match}/computer-analysis"),
    *("/m/{match}/mistakes", "/m/{match}/mistakes/{turn}", "/m/{match}/explorer"),
}
FOR_EVERYBODY = {"/embed/{match}", "/oembed"}
FOR_PLAYERS = {
    *(f"/m/{{match}}/seat/{{seat}}{rest}" for rest in ("", "/play", "/pick", "/resign", "/abort", "/offer")),
    *(
        f"/m/{{match}}/seat/{{seat}}/{rest}"
        for rest in ("answer", "lock", "analysis", "conditional", "note", "seen")
    ),
    "/m/{match}/seat/{seat}/analysis/{state}",
    *(f"/m/{{match}}/seat/{{seat}}/conditional/{rest}" for rest in ("add", "save", "remove", "clear")),
    *(f"/m/{{match}}/seat/{{seat}}/{rest}" for rest in ("computer-analysis", "rematch", "seen")),
    "/m/{match}/links",
}
# Where a player's own seat would answer.
OWN_SEATS = {(route, "its players") for route in FOR_PLAYERS}
# Of these test_challenge_page.py and test_challenge_form.py tell.
CHALLENGES = {
    *("/challenge", "/c/{challenge}", "/c/{challenge}/{key}", "/c/{challenge}/state"),
    *(f"/c/{{challenge}}/{action}" for action in ("accept", "decline", "withdraw")),
}
# Of these test_tournaments.py tells.
TOURNAMENTS = {
    *("/tournaments", "/tournaments/new", "/tournaments/replace/{token}", "/tournaments/{tournament}"),
    *(f"/tournaments/{{tournament}}/{one}" for one in ("join", "leave", "register", "challenge", "answer")),
    *(f"/tournaments/{{tournament}}/{one}" for one in ("change", "exclude", "replace", "correct", "end")),
}
# Of these test_puzzles.py tells.
PUZZLES = {
    "/puzzles",
    *(
        f"/puzzles/{{key}}{rest}"
        for rest in ("", "/board.png", "/turn", "/hint", "/solution", "/report", "/remove")
    ),
}
# Of these test_explorer.py tells.
EXPLORER = {"/explorer", "/explorer/{game}", "/explorer/{game}/{state}"}
# Of these test_studies.py tells.
STUDIES = {
    *("/studies", "/study/save/analysis/{game}/{state}", "/study/{study}", "/study/{study}/{chapter}"),
    *("/study/{study}/records.zip", "/study/{study}/{chapter}/record.txt"),
    *("/study/{study}/delete", "/study/{study}/moderation"),
    *("/study/save/m/{match}/analysis", "/study/save/m/{match}/analysis/{state}"),
}
PROFILE = {
    "/@{name}",
    "/@{name}/block",
    "/@{name}/rating/{game}.png",
    "/@{name}/feed.atom",
    "/account/profile",
}
LISTS = {"/", "/matches", "/my-games", "/news", "/challenges", "/lobby", *PROFILE}
LISTS |= {"/feed.atom", "/feed/{server}.atom"}
WITHOUT_MATCHES = {
    *("/examples/{game}/{number}.svg", "/sit/{token}", "/analysis/{game}", "/analysis/{game}/board.png"),
    *("/analysis/{game}/{state}", "/import", "/mail/confirm/{token}", "/mail/stop/{token}"),
    *("/mail/stop/invitations/{token}", "/mail/stop/watching/{token}", "/mail/stop/puzzles/{token}"),
    *("/new", "/signin", "/signin/callback", "/account", "/account/sign-out", "/account/name"),
    "/account/computer",
    *("/account/push", "/account/push/remove"),
    *("/signin/discord", "/signin/mail", "/signin/code", "/signin/code/again", "/signin/code/continue"),
    *("/signin/link/{token}", "/signin/name", "/account/handle", "/account/mail"),
    *("/account/mail/remove", "/account/discord", "/account/join"),
    *("/signin/passkey", "/signin/passkey/options"),
    *("/account/passkeys", "/account/passkeys/options", "/account/passkeys/remove"),
    *("/account/data", "/account/data/export", "/account/data/keep", "/account/data/puzzles"),
    *("/account/notices", "/account/notices/times", "/account/notices/mail", "/account/notices/puzzle"),
    *("/account/data/delete", "/account/data/deleted"),
    *("/report", "/report/sent", "/moderation", "/moderation/{who}", "/account/warning"),
    *("/manifest.webmanifest", "/rules", "/rules/{book}", "/rules/{book}/{page}/board.svg"),
    *(
        "/privacy",
        "/terms",
        "/learn",
        "/learn/{game}",
        "/learn/{game}/{number}",
        "/colours",
        "/language",
        "/preferences",
    ),
    *("/static/{version}/{name}", "/service-worker.js"),
    *("/calendar/{key}.ics", "/account/calendar"),
}


@dataclass(slots=True)
class World:
    """A website with a match of each kind, all of Zelda and Ottokar."""

    env: WebEnvironment
    matches: dict[str, MatchId]

    async def sign_in(self, visitor: Visitor, person: Person, *servers: str) -> None:
        grant = Grant(frozenset(servers), "token")
        now = self.env.clock()
        secret = await self.env.matches.people.sessions.start(person, grant, device="", now=now)
        visitor.session.cookie_jar.update_cookies({"session": secret})

    async def read_as(self, visitor: Visitor, column: str) -> None:
        """Make a visitor one of the COLUMNS."""
        person = COLUMNS[column]
        if person is None:
            return
        servers = {MEMBER: SETTINGS, LEAVER: SETTINGS, STRANGER: (ELSEWHERE,), ZELDA: ()}[person]
        await self.sign_in(visitor, person, *servers)
        if person is LEAVER:
            await self.env.matches.people.sessions.renew_grant(
                person.account, "token", "token", (), now=self.env.clock()
            )


def read_table() -> dict[str, dict[str, str]]:
    """Return what is shown, by the kind of match and the reader, from docs/privacy.md."""
    lines = [line for line in POLICY.read_text("utf-8").splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    head = next(index for index, row in enumerate(rows) if row[0] == "a match")
    found = {
        row[0]: dict(zip(rows[head][1:], row[1:], strict=True)) for row in rows[head + 2 :][: len(KINDS)]
    }
    by_kind = {kind: next(found[row] for row in found if kind in row.replace("*", "")) for kind in KINDS}
    assert all(set(row) == set(COLUMNS) for row in by_kind.values())
    return by_kind


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    async with running_web(database, allow_local_games=True, **SIGN_IN_SETTINGS) as env:
        now = env.clock()
        for server, audience in SETTINGS.items():
            await env.matches.visibility.record_channels(server, {OPEN, ROOM} if server == NAMES else set())
            await env.matches.servers.change(server, OTTO, audience=audience, now=now)
        yield World(env, {})


async def start_matches(world: World) -> None:
    env, now = world.env, world.env.clock()
    for kind, (server, channel) in KINDS.items():
        is_local = server == LOCAL_SERVER
        # A channel belongs to one server, so each has its own.
        place = channel if server in {NAMES, LOCAL_SERVER} else f"{channel}{server[-1]}"
        if place != channel:
            await env.matches.visibility.record_channels(server, {place})
        first, second = (replace(one, account=f"web:{one.account}") if is_local else one for one in PLAYERS)
        made = await env.matches.challenges.create(
            first,
            to=second,
            server=server,
            channel=place,
            game="morelli",
            options=SMALL,
            audience=Audience.NAMES if is_local else None,
            now=now,
        )
        accepted = await env.matches.challenges.accept(made.challenge.id, second, now=now)
        world.matches[kind] = (await env.play(accepted.match.id)).id
    await env.matches.posting.places.lose(NAMES, ROOM, MoveReason.DELETED, now=now)
    await env.matches.visibility.set_alias(ZELDA, ALIAS, now=now)
    for person, handle in zip(PLAYERS, HANDLES, strict=True):
        await env.matches.people.handles.choose(person.account, handle, now=now)
    await env.matches.servers.change(ELSEWHERE, OTTO, audience=Audience.NAMES, now=now)


def names_in(page: PageResponse) -> frozenset[str]:
    """Return which names of players a page shows, besides that of the reader in its header."""
    text = re.sub(r'<bdi class="name">[^<]*</bdi><span class="hidden"> \(your', "", page.text)
    return frozenset(name for name in frozenset().union(*SHOWN.values()) if name in text)


def address(route: str, match: int, base: str) -> str:
    if route == "/oembed":
        return f"/oembed?url={base}/m/{match}"
    path = route.replace("{match}", str(match))
    return path.replace("{seat}", "1").replace("{turn}", "1")


async def fetch(visitor: Visitor, method: str, path: str) -> PageResponse:
    """Return a response; of a stream only its first event."""
    if not path.endswith("/events"):
        send = visitor.post if method == "POST" else visitor.get
        headers = PAGE | ({"Sec-Fetch-Site": "same-origin"} if method == "POST" else {})
        return await send(path, headers=headers, allow_redirects=False)
    stream = await visitor.open_stream(path, headers=PAGE)
    text = (await stream.content.readuntil(b"\n\n")).decode() if stream.status == 200 else await stream.text()
    if stream.status == 200:
        text += (await stream.content.readuntil(b"\n\n")).decode()
    stream.close()
    return type(visitor.responses[0])(stream.status, stream.headers, text, path)


def comparable(page: PageResponse, match: int) -> tuple[int, str, dict[str, str]]:
    """Return an answer without the number of its match."""
    text = re.sub(rf"(?<=m%2F){match}\b|(?<=/m/){match}\b", "N", page.text)
    names = ("Content-Type", "Cache-Control", "Vary", "Location", "ETag")
    return page.status, text, {name: page.headers[name] for name in names if name in page.headers}


def methods_of(env: WebEnvironment) -> dict[str, set[str]]:
    """Return the methods of every route of the application."""
    found: dict[str, set[str]] = {}
    for route in env.application.router.routes():
        assert route.resource is not None
        found.setdefault(route.resource.canonical, set()).add(route.method)
    return found


async def test_every_route_shows_what_the_policy_says(world: World) -> None:
    env, table = world.env, read_table()
    await start_matches(world)
    routes = methods_of(env)
    by_kind = WITH_NAMES | WITHOUT_NAMES | FOR_EVERYBODY | FOR_PLAYERS
    others = TOURNAMENTS | PUZZLES | EXPLORER | STUDIES | WITHOUT_MATCHES
    assert set(routes) == by_kind | LISTS | CHALLENGES | others
    cases = [(route, method) for route in sorted(by_kind) for method in sorted(routes[route] - {"HEAD"})]
    for column in COLUMNS:
        async with env.visitor() as visitor:
            await world.read_as(visitor, column)
            for route, method in cases:
                unknown = comparable(await fetch(visitor, method, address(route, UNKNOWN, env.base)), UNKNOWN)
                kinds = KINDS_WITH_SEATS if route in FOR_PLAYERS else KINDS
                for kind in kinds if (route, column) not in OWN_SEATS else ():
                    match = world.matches[kind]
                    reader = next(iter(COLUMNS)) if route in FOR_EVERYBODY else column
                    page = await fetch(visitor, method, address(route, match, env.base))
                    case = (column, kind, method, route)
                    if table[kind][reader] == "nothing":
                        assert comparable(page, match) == unknown, case
                        assert (page.status, names_in(page), "og:" in page.text) == (
                            404,
                            frozenset(),
                            False,
                        ), case
                    else:
                        check_shown(page, case, SHOWN[table[kind][reader]])
                        if table[kind][next(iter(COLUMNS))] == "nothing":
                            control = page.headers["Cache-Control"]
                            assert control.startswith(("private", "no-store")), case
            await check_lists(world, visitor, column, table)


def check_shown(page: PageResponse, case: tuple[str, str, str, str], names: frozenset[str]) -> None:
    """Check the answer of a route about a match that the reader may see."""
    _, _, method, route = case
    if route in FOR_PLAYERS:
        assert (page.status, names_in(page)) == (403, frozenset()), case
        return
    assert page.status in {200, 303, 409}, case
    if method == "GET" and route in WITH_NAMES | {"/embed/{match}"}:
        assert names_in(page) == names, case


async def check_lists(world: World, visitor: Visitor, column: str, table: dict[str, dict[str, str]]) -> None:
    is_player = column == "its players"
    reader = "somebody who is not signed in" if is_player else column
    in_lists = {kind: match for kind, match in world.matches.items() if table[kind][reader] != "nothing"}
    for path in ("/", "/matches"):
        page = await visitor.get(path, headers=PAGE)
        assert set(re.findall(r'href="/m/(\d+)"', page.text)) == {str(one) for one in in_lists.values()}
        shown = [SHOWN[table[kind][column]] for kind in in_lists]
        assert names_in(page) == frozenset().union(*shown)
    news = await visitor.get(
        "/news?" + "&".join(f"match={one}" for one in (*world.matches.values(), UNKNOWN))
    )
    visible = {str(one) for kind, one in world.matches.items() if table[kind][column] != "nothing"}
    assert set(re.findall(r'"(\d+)":', news.text)) == visible
    # A page about a player lists no match in which the reader sees an alias: it would tell whose that is.
    # Those of the website itself have accounts of their own here.
    for name, own in zip(HANDLES, ("Zelda", "Ottokar"), strict=True):
        seen = {one for one in KINDS if KINDS[one][0] != LOCAL_SERVER and own in SHOWN[table[one][column]]}
        page = await visitor.get(f"/@{name}")
        assert set(re.findall(r'href="/m/(\d+)"', page.text)) == {str(world.matches[one]) for one in seen}
        assert name != HANDLES[0] or ALIAS not in page.text
    mine = await visitor.get("/my-games", headers=PAGE)
    assert len(re.findall(r'href="/m/\d+/seat/', mine.text)) == (len(KINDS) - 1 if is_player else 0)


async def test_a_personal_link_shows_its_match_and_no_other(world: World) -> None:
    env = world.env
    await start_matches(world)
    match, other = world.matches["in a channel"], world.matches["in direct messages"]
    async with env.visitor() as visitor:
        seat = await env.take_seat(visitor, match, OTTO)
        for path in (seat, f"/m/{match}"):
            page = await visitor.get(path, headers=PAGE)
            assert (page.status, names_in(page)) == (200, SHOWN["names"])
        assert (await fetch(visitor, "GET", f"/m/{match}/events")).status == 200
        board = await visitor.get(f"/m/{match}/board.svg?turn=0&takebacks=0")
        assert board.headers["Cache-Control"].startswith("private")
        assert (await visitor.get(f"/m/{other}", headers=PAGE)).status == 404
        await visitor.post(f"{seat}/lock")
        assert (await visitor.get(f"/m/{match}", headers=PAGE)).status == 404


async def test_links_of_one_match_say_nothing_about_another(world: World) -> None:
    """A browser has the cookie with which it started its own local game, and sends it elsewhere."""
    env = world.env
    await start_matches(world)
    token = SeatToken(world.matches["website itself"], ((ZELDA.account, 0),), env.clock() + timedelta(days=1))
    cookie = {"starter": env.context.token_signer.sign(token, TokenPurpose.STARTER)}
    async with env.visitor() as visitor:
        unknown = await visitor.get(f"/m/{UNKNOWN}/links", cookies=cookie)
        for kind in ("members only", "in a channel", "in direct messages"):
            hidden = await visitor.get(f"/m/{world.matches[kind]}/links", cookies=cookie)
            shown = hidden.text.replace(f"m%2F{world.matches[kind]}", f"m%2F{UNKNOWN}")
            assert (hidden.status, shown) == (404, unknown.text), kind
        public = await visitor.get(f"/m/{world.matches['public, with names']}/links", cookies=cookie)
        assert public.status == 403


async def test_personal_link_of_a_deleted_player_shows_nothing(world: World) -> None:
    """The order of the accounts, on which the names of seats depend, is another one after a deletion."""
    env = world.env
    await start_matches(world)
    match = world.matches["in a channel"]
    async with env.visitor() as otto, env.visitor() as zelda:
        await env.take_seat(otto, match, OTTO)
        await env.take_seat(zelda, match, ZELDA)
        await env.matches.people.personal_data.erase(OTTO.account, ErasureChoice.RESIGN, now=env.clock())
        for path in (f"/m/{match}", f"/m/{match}/record.txt", f"/m/{match}/board.png"):
            assert (await otto.get(path, headers=PAGE)).status == 404
        assert "Zelda" not in (await otto.get("/my-games", headers=PAGE)).text
        await env.take_seat(zelda, match, ZELDA)
        assert (await zelda.get(f"/m/{match}/board.png")).status == 200


async def test_refusal_offers_to_sign_in_to_whoever_is_not(world: World) -> None:
    await start_matches(world)
    match = world.matches["members only"]
    async with world.env.visitor() as visitor:
        page = await visitor.get(f"/m/{match}", headers=PAGE)
        assert "This match is not public, or does not exist." in page.visible_text
        assert f'class="button primary" href="/signin?next=%2Fm%2F{match}"' in page.text
        await world.sign_in(visitor, STRANGER, ELSEWHERE)
        assert 'href="/signin' not in (await visitor.get(f"/m/{match}", headers=PAGE)).text


async def test_website_without_sign_in_shows_public_matches_and_personal_links(env: WebEnvironment) -> None:
    public, hidden = await env.start_match(), await env.start_match(audience=None)
    async with env.visitor() as visitor:
        assert (await visitor.get(f"/m/{public.id}", headers=PAGE)).status == 200
        page = await visitor.get(f"/m/{hidden.id}", headers=PAGE)
        assert (page.status, "/signin" in page.text) == (404, False)
        await env.take_seat(visitor, hidden.id, ALICE)
        assert (await visitor.get(f"/m/{hidden.id}", headers=PAGE)).status == 200


async def test_names_that_are_not_shown_cannot_be_searched(world: World) -> None:
    await start_matches(world)
    match = world.matches["public, with aliases"]
    link = f'href="/m/{match}"'
    async with world.env.visitor() as visitor:
        for name, is_found in (("ottokar", False), ("zelda", False), ("blue", True), ("anonym", True)):
            page = await visitor.get(f"/matches?player={name}")
            assert (link in page.text) == is_found, name
        await world.sign_in(visitor, MEMBER, ALIASES)
        assert link in (await visitor.get("/matches?player=ottokar")).text


async def test_open_challenges_follow_their_server_and_channel(world: World) -> None:
    env = world.env
    makers = {name: Person(f"discord:3{at}", name) for at, name in enumerate(("Uma", "Vera", "Wim", "Xaver"))}
    places = {"Uma": (MEMBERS, "discord:41"), "Vera": (ALIASES, "discord:42"), "Wim": (NAMES, OPEN)}
    for name, (server, channel) in (places | {"Xaver": (NAMES, "discord:1003")}).items():
        if server != NAMES:
            await env.matches.visibility.record_channels(server, {channel})
        await env.matches.challenges.create(
            makers[name], server=server, channel=channel, game="morelli", now=env.clock()
        )
    async with env.visitor() as visitor:
        shown = (await visitor.get("/challenges")).text
        assert [name in shown for name in (*makers, "Anonymous")] == [False, False, True, False, True]
        await world.sign_in(visitor, MEMBER, MEMBERS, ALIASES)
        shown = (await visitor.get("/challenges")).text
        assert [name in shown for name in (*makers, "Anonymous")] == [True, True, True, False, False]


async def read_until(stream: object, text: bytes) -> None:
    await stream.content.readuntil(text)  # type: ignore[attr-defined]


async def test_open_stream_ends_with_access(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "KEEPALIVE_SECONDS", 0.05)
    env, now = world.env, world.env.clock()
    await start_matches(world)
    async with env.visitor() as outsider, env.visitor() as member:
        public, shared = world.matches["public, with names"], world.matches["members only"]
        await world.sign_in(member, MEMBER, MEMBERS)
        streams = [
            await outsider.open_stream(f"/m/{public}/events"),
            await member.open_stream(f"/m/{shared}/events"),
        ]
        for stream in streams:
            await read_until(stream, b"event: update")
        await env.matches.servers.change(NAMES, OTTO, audience=Audience.MEMBERS, now=now)
        await env.matches.people.sessions.end(MEMBER.account)
        for stream in streams:
            await read_until(stream, b"event: ended")
            assert await stream.content.read() == b"\ndata: 1\n\n"


async def test_player_chooses_a_name_for_public_pages(world: World) -> None:
    env = world.env
    await start_matches(world)
    path = f"/m/{world.matches['public, with names']}"
    async with env.visitor() as otto, env.visitor() as outsider:
        await world.sign_in(otto, OTTO)
        for form, shown in (
            ({"choice": "anonymous"}, "Anonymous"),
            ({"choice": "alias", "alias": "  Red\u202e \u200bRook "}, "Red Rook"),
            ({"choice": "own"}, "Ottokar"),
        ):
            page = await otto.post("/account/name", data=form)
            assert page.status == 200
            page = await outsider.get(path)
            for name in (ALIAS, "Anonymous", "Red Rook", "Ottokar"):
                assert (name in page.text) == (name in {ALIAS, shown})
        page = await otto.post("/account/name", data={"choice": "alias", "alias": "\u200b"})
        assert "An alias needs at least one visible character." in page.visible_text
        page = await otto.post("/account/name", data={"choice": "alias", "alias": "Rayuela (expert)"})
        assert "looks like somebody else's name" in page.visible_text
        assert (await otto.post("/account/name", data={"choice": "other"})).status == 400
        assert (await outsider.post("/account/name", data={"choice": "own"})).status == 403


async def test_version_of_a_match_says_nothing_about_its_players(world: World) -> None:
    env = world.env
    first, second = [await env.start_match(people=people) for people in ((ALICE, BOB), (ALICE, BOB))]
    cached = [await env.cached(one.id) for one in (first, second)]
    assert re.fullmatch(r"0\.0\.[0-9a-f]{8}", cached[0].version)
    async with running_web(env.database, web_secret="another secret, which is long enough") as other:  # noqa: S106
        again = await other.cached(first.id)
    assert again.fingerprint == cached[0].fingerprint


async def test_links_of_a_match_started_here_tell_nothing_about_others(world: World) -> None:
    env = world.env
    await start_matches(world)
    async with env.visitor() as visitor:
        await visitor.post("/new", data={"game": "morelli", "screens": "two"})
        (token,) = (one.value for one in visitor.session.cookie_jar if one.key == "starter")
    async with env.visitor() as stranger:
        headers = {"Cookie": f"starter={token}"}
        missing = comparable(await stranger.get("/m/999/links", headers=headers), 999)
        hidden = [
            comparable(await stranger.get(f"/m/{match}/links", headers=headers), match)
            for kind, match in world.matches.items()
            if read_table()[kind]["somebody who is not signed in"] == "nothing"
        ]
    assert hidden
    assert all(answer == missing for answer in hidden)
