"""After an erasure by another process, the website has nothing of the person left in its memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from matches import DELETED_NAME, ErasureChoice, Matches, Person
from tests.databases import open_database
from tests.web.environment import CAROL
from tests.web.test_my_games import PAGE
from tests.web.test_sse import EventStream

if TYPE_CHECKING:
    from tests.web.environment import Visitor, WebEnvironment

ZOE = Person("discord:912345678901234567", "Zoë Quillfeather")


async def read_until(stream: EventStream, text: str) -> str:
    """Read events up to one that contains `text`, and return it."""
    event = ""
    while text not in event:
        event = json.dumps(await stream.next_event(), ensure_ascii=False)
    return event


@pytest.mark.long
@pytest.mark.parametrize("choice", ErasureChoice)
async def test_no_page_names_an_erased_person(
    env: WebEnvironment, visitor: Visitor, database_url: str, choice: ErasureChoice
) -> None:
    match = await env.start_match(people=(ZOE, CAROL))
    await env.play(match.id, "D1-D4")
    stream = EventStream(await visitor.open_stream(f"/m/{match.id}/events"))
    own = await env.take_seat(visitor, match.id, ZOE)
    own_stream = await visitor.open_stream(f"/m/{match.id}/events")
    link = await env.seat_link(match.id, CAROL)
    public = [f"/m/{match.id}{end}" for end in ("", "?turn=0", "/record.txt", "/board.svg")]
    public += [
        "/",
        "/matches",
        "/matches?state=finished",
        f"/embed/{match.id}",
        f"/oembed?url={env.base}/m/{match.id}",
    ]
    before = {path: await visitor.get(path, headers=PAGE) for path in (*public, own)}
    assert ZOE.name in before[f"/m/{match.id}"].text

    async with open_database(database_url) as database:
        other_process = Matches(database)
        await other_process.people.personal_data.erase(ZOE.account, choice, now=env.clock())
        if choice is ErasureChoice.KEEP:
            await other_process.resign(match.id, CAROL, now=env.clock())
            await read_until(stream, "resigns")  # what is kept in memory now has nothing to wait for
            assert await other_process.people.personal_data.finish_erasures(now=env.clock()) == 1
    assert ZOE.name not in await read_until(stream, DELETED_NAME)
    assert (await own_stream.content.read()).endswith(b"event: ended\ndata: 1\n\n")
    for path in public:
        page = await visitor.get(path, headers=PAGE)
        assert page.status == before[path].status
        assert not [trace for trace in (ZOE.name, ZOE.account, "Quillfeather") if trace in page.text], path
    assert DELETED_NAME in (await visitor.get(f"/m/{match.id}")).text
    assert (await visitor.get(own, headers=PAGE)).status == 403
    async with env.visitor() as opponent:
        page = await opponent.get(link, headers=PAGE)
        assert (page.status, ZOE.name in page.text, DELETED_NAME in page.text) == (200, False, True)
