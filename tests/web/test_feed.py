"""Atom feeds: well-formed, of public finished matches alone, the same for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from matches import WEBSITE, Audience, Person
from tests.web.environment import ALICE, BOB, SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment

ATOM = "{http://www.w3.org/2005/Atom}"
PUBLIC, PRIVATE = "discord:123456789012345678", "discord:223456789012345678"


async def finish(env: WebEnvironment, server: str, audience: Audience, *people: Person) -> str:
    """Play a match to its end; return the address of its page."""
    match = await env.start_match(server=server, audience=audience, people=(people or (ALICE, BOB)))  # type: ignore[arg-type]
    await env.play(match.id)
    await env.matches.resign(match.id, ALICE, now=env.clock())
    env.clock.advance(minutes=1)
    return f"{env.base}/m/{match.id}"


async def read_feed(visitor: Visitor, path: str) -> list[tuple[str, str]]:
    """Return address and title of each entry, after checking what RFC 4287 demands of a feed."""
    answer = await visitor.get(path)
    assert answer.status == 200, path
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answer.text)  # noqa: S314 - made by this program
    assert all(feed.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated"))
    assert [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"] == [
        f"{visitor.base}{path}"
    ]
    entries = feed.findall(f"{ATOM}entry")
    assert all(one.findtext(f"{ATOM}updated") and one.findtext(f"{ATOM}summary") for one in entries)
    return [(one.findtext(f"{ATOM}id") or "", one.findtext(f"{ATOM}title") or "") for one in entries]


async def test_feeds_show_public_finished_matches_the_latest_first(
    env: WebEnvironment, visitor: Visitor
) -> None:
    first = await finish(env, WEBSITE, Audience.NAMES)
    second = await finish(env, PUBLIC, Audience.ALIASES)
    await finish(env, PRIVATE, Audience.MEMBERS)
    await finish(env, WEBSITE, Audience.PLAYERS)
    await env.start_match(server=WEBSITE)
    assert await read_feed(visitor, "/feed.atom") == [
        (second, "Morelli: Anonymous against Anonymous"),
        (first, "Morelli: Alice against Bob"),
    ]
    assert [one for one, _ in await read_feed(visitor, "/feed/web.atom")] == [first]
    assert [one for one, _ in await read_feed(visitor, "/feed/123456789012345678.atom")] == [second]
    for unseen in ("/feed/223456789012345678.atom", "/feed/323456789012345678.atom"):
        assert (await visitor.get(unseen)).status == 404


async def test_member_of_a_server_gets_the_same_feed_as_everybody(database: Database) -> None:
    async with running_web(database, **SIGN_IN_SETTINGS) as env, env.visitor() as visitor:
        await finish(env, PRIVATE, Audience.MEMBERS)
        visitor.session.cookie_jar.update_cookies({"session": await env.start_seat_session(ALICE)})
        assert await read_feed(visitor, "/feed.atom") == []


async def test_names_are_escaped(env: WebEnvironment, visitor: Visitor) -> None:
    evil = Person("test:evil", "</title><script>&amp;\x0b]]>")
    await finish(env, WEBSITE, Audience.NAMES, ALICE, evil)
    entries = await read_feed(visitor, "/feed.atom")
    assert entries[0][1] == "Morelli: Alice against </title><script>&amp; ]]>"
