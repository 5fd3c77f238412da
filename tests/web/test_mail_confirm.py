"""The page of a mail that asks whether another was genuine: a look changes nothing, a click is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import MatchId
from matches.people.mail_commands import MailDraft
from tests.mail.scenario import BEN, address_of, give_mail
from tests.web.environment import running_web
from web.mail_links import WebMailLinks

if TYPE_CHECKING:
    from storage import Database
    from tests.web.environment import WebEnvironment


async def store(web: WebEnvironment, database: Database) -> tuple[int, str]:
    """Store what a mail asks for; return its number and the path of the link."""
    await give_mail(database, BEN)
    draft = MailDraft(BEN.account, address_of(BEN), "<b>A1-B2", {}, request=-1, match=MatchId(7))
    assert await web.matches.people.mail_commands.add(draft, now=web.clock())
    (letter,) = await web.matches.posting.letters.claim_due(now=web.clock())
    number = int(letter.details["command"])
    return number, WebMailLinks(web.context).confirm_url(number).removeprefix(web.base)


async def test_looking_at_the_page_confirms_nothing(database: Database) -> None:
    async with running_web(database) as web, web.visitor() as visitor:
        number, path = await store(web, database)
        page = await visitor.get(path)
        assert page.status == 200
        assert "&lt;b&gt;A1-B2" in page.text
        assert "This is about match #7." in page.text
        assert address_of(BEN) not in page.text
        command = await web.matches.people.mail_commands.find(number)
        assert command is not None
        assert command.confirmed_at is None


async def test_one_click_confirms_without_signing_in_and_further_ones_change_nothing(
    database: Database,
) -> None:
    async with running_web(database) as web, web.visitor() as visitor:
        number, path = await store(web, database)
        for _ in range(2):
            answer = await visitor.post(path)
            assert answer.status == 200
            assert "It is carried out within a few seconds." in answer.text
        assert [one.id for one in await web.matches.people.mail_commands.list_confirmed()] == [number]
        await web.matches.people.mail_commands.mark_done(number, now=web.clock())
        assert "It has been carried out." in (await visitor.get(path)).text
        assert "It has been carried out." in (await visitor.post(path)).text


async def test_form_of_another_website_confirms_nothing(database: Database) -> None:
    async with running_web(database) as web, web.visitor() as visitor:
        _, path = await store(web, database)
        answer = await visitor.post(path, headers={"Origin": "https://elsewhere.example"})
        assert answer.status == 403
        assert await web.matches.people.mail_commands.list_confirmed() == ()


@pytest.mark.parametrize("is_changed", [True, False])
async def test_changed_or_old_link_is_refused(database: Database, *, is_changed: bool) -> None:
    async with running_web(database) as web, web.visitor() as visitor:
        _, path = await store(web, database)
        if is_changed:
            path = f"{path[:-3]}xxx"
        else:
            web.clock.advance(days=1, seconds=1)
        for answer in (await visitor.get(path), await visitor.post(path)):
            assert answer.status in {400, 404, 409}
            assert "This link is more than a day old" in answer.text
        assert await web.matches.people.mail_commands.list_confirmed() == ()
