"""Private notes on the seat page: read, written and deleted by their author alone."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from matches.people.notes import MAX_NOTE_LENGTH
from tests.web.environment import ALICE, BOB, running_web

if TYPE_CHECKING:
    from matches import Database
    from tests.web.environment import PageResponse, Visitor, WebEnvironment


def shown_note(page: PageResponse) -> str:
    """Return the text of the note in its field."""
    [text] = re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", page.text, re.DOTALL)
    return unescape(text)


async def test_note_is_written_read_and_deleted(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match()).id
    seat = await env.take_seat(visitor, match, ALICE)
    assert shown_note(await visitor.get(seat)) == ""
    text = "\nKeep <b>D4</b> & wait\r\n</textarea>"
    page = await visitor.post(f"{seat}/note", data={"note": text})
    assert (page.status, page.url) == (200, seat)
    assert shown_note(page) == "Keep <b>D4</b> & wait\n</textarea>"
    assert await env.matches.people.notes.get(match, ALICE) == "Keep <b>D4</b> & wait\n</textarea>"
    await env.matches.people.notes.save(match, ALICE, "from Discord", now=env.clock())
    assert shown_note(await visitor.get(seat)) == "from Discord"
    page = await visitor.post(f"{seat}/note", data={"note": "from Discord", "delete": "1"})
    assert await env.matches.people.notes.get(match, ALICE) == ""
    assert 'name="delete"' not in page.text


async def test_saving_a_note_keeps_the_turn_that_is_being_entered(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = (await env.start_match()).id
    seat = await env.take_seat(visitor, match, ALICE)
    page = await visitor.get(f"{seat}?board=0&answers=D1&side=white")
    form = re.search(r'<form method="post" action="([^"]+/note[^"]*)">(.*?)</form>', page.text, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[2]))
    page = await visitor.post(unescape(form[1]), data={**fields, "note": "wait"})
    assert page.url == f"{seat}?side=white&board=0&answers=D1"
    part = await visitor.post(f"{seat}/note?part=note", data={**fields, "note": "go"})
    assert ("Saved." in part.text, "<html" in part.text, shown_note(part)) == (True, False, "go")


async def test_note_that_is_too_long_is_refused_and_kept_in_the_field(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = (await env.start_match()).id
    seat = await env.take_seat(visitor, match, ALICE)
    text = "x" * (MAX_NOTE_LENGTH + 1)
    for path in (f"{seat}/note", f"{seat}/note?part=note"):
        page = await visitor.post(path, data={"note": text})
        assert "Your note has 1501 characters. The most allowed is 1500." in page.visible_text
    assert shown_note(page) == text
    assert await env.matches.people.notes.get(match, ALICE) == ""
    lines = "ab\r\n" * (MAX_NOTE_LENGTH // 3)  # browsers count each line break once
    await visitor.post(f"{seat}/note", data={"note": lines})
    assert len(await env.matches.people.notes.get(match, ALICE)) == MAX_NOTE_LENGTH - 1


async def test_note_can_be_kept_after_the_match(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match()).id
    seat = await env.take_seat(visitor, match, ALICE)
    await env.matches.resign(match, BOB, now=env.clock())
    assert shown_note(await visitor.post(f"{seat}/note", data={"note": "well played"})) == "well played"


async def test_nobody_else_sees_or_writes_a_note(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.start_match()).id
    seat = await env.take_seat(visitor, match, ALICE)
    page = await visitor.post(f"{seat}/note", data={"note": "a secret plan"})
    assert page.headers["Cache-Control"] == "no-store"
    async with env.visitor() as bob, env.visitor() as stranger:
        bob_seat = await env.take_seat(bob, match, BOB)
        pages = [await bob.get(bob_seat), await stranger.get(f"/m/{match}"), await bob.get(f"/m/{match}")]
        pages += [await bob.get(f"{bob_seat}{path}") for path in ("/analysis", "/conditional", "?part=seat")]
        assert not [page for page in pages if "secret plan" in page.text]
        for browser in (bob, stranger):
            assert (await browser.post(f"{seat}/note", data={"note": "mine now"})).status == 403
        assert (await visitor.post(f"{seat}/note", headers={}, data={"note": "x"})).status == 403
    assert await env.matches.people.notes.get(match, ALICE) == "a secret plan"


async def test_players_who_share_a_screen_have_nothing_private(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        page = await visitor.post("/new", data={"game": "morelli", "size": "9", "screens": "one"})
        seat = page.url
        assert seat.endswith("/both")
        assert "<textarea" not in page.text
        assert "/conditional" not in page.text
        assert (await visitor.get(f"{seat}/analysis?text=D1-D4")).status == 200
        assert (await visitor.get(f"{seat}/conditional")).status == 404
        for path in ("note", "conditional/add", "conditional/clear"):
            assert (await visitor.post(f"{seat}/{path}", data={"note": "x"})).status == 404
