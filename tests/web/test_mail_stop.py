"""The links of mails that stop them: asked for by people, posted by mail programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import FollowMode, Person
from tests.mail.scenario import BEN, address_of, find_stop, give_mail
from tests.web.environment import ALICE, BOB, running_web
from web.mail_links import WebMailLinks

if TYPE_CHECKING:
    from storage import Database
    from tests.web.environment import WebEnvironment


def stop_url(web: WebEnvironment, address: str) -> str:
    return WebMailLinks(web.context).stop_url(BEN.account, address).removeprefix(web.base)


async def test_looking_at_the_page_stops_nothing(database: Database) -> None:
    await give_mail(database, BEN)
    async with running_web(database) as web, web.visitor() as visitor:
        page = await visitor.get(stop_url(web, address_of(BEN)))
        assert page.status == 200
        assert "Stop these mails" in page.text
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert address_of(BEN) not in page.text
    assert await find_stop(database, BEN) == (0, False)


@pytest.mark.parametrize("data", [None, {"List-Unsubscribe": "One-Click"}])
async def test_mail_program_stops_the_mails(database: Database, data: dict[str, str] | None) -> None:
    await give_mail(database, BEN)
    async with running_web(database) as web, web.visitor() as visitor:
        for _ in range(2):
            answer = await visitor.post(stop_url(web, address_of(BEN)), headers={}, data=data)
            assert answer.status == 200
            assert "You get no more mails about matches" in answer.text
    assert await find_stop(database, BEN) == (0, True)


async def test_link_of_an_earlier_address_stops_nothing(database: Database) -> None:
    await give_mail(database, BEN)
    async with running_web(database) as web, web.visitor() as visitor:
        assert (await visitor.post(stop_url(web, "old@example.org"), headers={})).status == 200
    assert await find_stop(database, BEN) == (0, False)


@pytest.mark.long
async def test_invited_address_refuses_further_invitations(database: Database) -> None:
    async with running_web(database) as web, web.visitor() as visitor:
        path = WebMailLinks(web.context).refuse_url("c@example.org").removeprefix(web.base)
        page = await visitor.get(path)
        assert "Never invite this address again?" in page.text
        assert "c@example.org" not in page.text
        assert await invite(web, ALICE) == ["c@example.org"]
        web.clock.advance(days=31)
        for data in (None, {"List-Unsubscribe": "One-Click"}):
            answer = await visitor.post(path, headers={}, data=data)
            assert "You get no more invitations" in answer.text
        assert await invite(web, BOB) == []
        broken = await visitor.post(path[:-3], headers={})
        assert "This link is incomplete" in broken.text


async def invite(web: WebEnvironment, by: Person) -> list[str]:
    """Invite an address, and return to which addresses letters are due."""
    await web.matches.invitations.create(by, "c@example.org", game="morelli", now=web.clock())
    letters = web.matches.posting.letters
    claimed = await letters.claim_due(now=web.clock())
    for one in claimed:
        await letters.mark_sent(one.id, now=web.clock())
    return [one.address for one in claimed]


@pytest.mark.long
async def test_links_still_count_when_the_account_was_joined_with_another(database: Database) -> None:
    await give_mail(database, BEN)
    async with running_web(database) as web, web.visitor() as visitor:
        await web.start_match(people=(ALICE, BOB))
        watched = (await web.start_match(people=(Person("test:carol", "Carol"), BOB))).id
        links = WebMailLinks(web.context)
        people, puzzle_mails = web.matches.people, web.matches.puzzle_mails
        await people.following.follow(watched, BEN, FollowMode.TURNS, now=web.clock())
        await puzzle_mails.switch_on(BEN, now=web.clock())
        await people.personal_data.join(BEN.account, ALICE.account, now=web.clock())
        assert (await puzzle_mails.find(ALICE.account)).next_at is not None
        assert [one.match.id for one in await people.following.list_followed(ALICE.account)] == [watched]
        for url, said in (
            (links.unwatch_url(BEN.account, watched), "You do not watch this match any more"),
            (links.puzzle_stop_url(BEN.account), "You get no more daily puzzles"),
            (links.stop_url(BEN.account, address_of(BEN)), "You get no more mails about matches"),
        ):
            answer = await visitor.post(url.removeprefix(web.base), headers={})
            assert said in answer.text
        assert await people.following.list_followed(ALICE.account) == ()
        assert (await puzzle_mails.find(ALICE.account)).next_at is None
        reach = await people.notices.reach(ALICE.account)
        assert [(one.address, one.stopped_at is None) for one in reach.addresses] == [
            (address_of(BEN), False)
        ]


@pytest.mark.parametrize("change", ["x", "", "."])
async def test_changed_link_is_refused(database: Database, change: str) -> None:
    await give_mail(database, BEN)
    async with running_web(database) as web, web.visitor() as visitor:
        path = stop_url(web, address_of(BEN))[:-3] + change
        for answer in (await visitor.get(path), await visitor.post(path, headers={})):
            assert answer.status in {400, 403, 404, 409}
            assert "This link is incomplete" in answer.text
    assert await find_stop(database, BEN) == (0, False)


@pytest.mark.parametrize("is_all", [False, True])
async def test_link_of_a_watched_match_ends_watching(database: Database, is_all: bool) -> None:
    await give_mail(database, BEN)
    async with running_web(database) as web, web.visitor() as visitor:
        views = [await web.start_match() for _ in range(2)]
        following = web.matches.people.following
        for view in views:
            await following.follow(view.id, BEN, FollowMode.TURNS, now=web.clock())
        url = WebMailLinks(web.context).unwatch_url(BEN.account, None if is_all else views[0].id)
        page = await visitor.get(url.removeprefix(web.base))
        assert "Stop watching" in page.text
        assert len(await following.list_followed(BEN.account)) == 2  # looking changes nothing
        for _ in range(2):
            answer = await visitor.post(url.removeprefix(web.base), headers={})
            assert answer.status == 200
        left = [one.match.id for one in await following.list_followed(BEN.account)]
        assert left == ([] if is_all else [views[1].id])
        assert (await visitor.post(url.removeprefix(web.base)[:-2], headers={})).status != 200
    assert await find_stop(database, BEN) == (0, False)


async def test_puzzles_stop_by_their_link_alone(database: Database) -> None:
    await give_mail(database, BEN)
    async with running_web(database) as web, web.visitor() as visitor:
        mails = web.matches.puzzle_mails
        await mails.switch_on(BEN, now=web.clock())
        url = WebMailLinks(web.context).puzzle_stop_url(BEN.account).removeprefix(web.base)
        assert "Stop the daily puzzles by mail?" in (await visitor.get(url)).text
        assert (await mails.find(BEN.account)).next_at is not None
        for _ in range(2):
            answer = await visitor.post(url, headers={}, data={"List-Unsubscribe": "One-Click"})
            assert answer.status == 200
        assert "You get no more daily puzzles" in answer.text
        assert (await mails.find(BEN.account)).next_at is None
        assert (await visitor.post(f"{url}x", headers={}, data={})).status == 409
    assert await find_stop(database, BEN) == (0, False)
