"""What people are told by mail: once, together, and only while it is news."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mail.transport import MailUnavailable
from matches import ErasureChoice, Matches, Person
from matches.platforms import MAIL, WEBSITE
from tests.mail.scenario import (
    ANN,
    BEN,
    DUE,
    REPLIES,
    address_of,
    find_stop,
    give_mail,
    sending,
    start_quietly,
)
from tests.mail.smtp_server import Fault, SmtpServer, running_smtp
from tests.matches.scenario import NOON, later, make_challenge, play_move, start_match

if TYPE_CHECKING:
    from email.message import EmailMessage

    from storage import Database


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


async def send_all(database: Database) -> SmtpServer:
    async with running_smtp() as server, sending(database, server.port) as sender:
        await sender.send_due()
    return server


async def test_turn_comes_with_board_links_and_headers(matches: Matches, database: Database) -> None:
    view = await start_quietly(matches)
    update = await play_move(matches, view, "C1-D2")
    (mail,) = (await send_all(database)).mails
    assert mail["To"] == address_of(BEN)
    assert mail["From"] == "Rayuela <play@example.org>"
    assert mail["Subject"] == "Your turn against Ann · Morelli"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["List-Unsubscribe"] == f"<https://rayuela.example/mail/stop/{BEN.account}.15>"
    assert mail["References"] == mail["In-Reply-To"] == f"<match-{view.id}@example.org>"
    assert mail["Message-ID"].startswith(f"<turn-{view.id}-{update.match.revision}-")
    types = [part.get_content_type() for part in mail.walk()]
    assert types == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    html, picture = list(mail.walk())[3:]
    assert picture["Content-ID"] == "<board-0>"
    assert 'src="cid:board-0"' in html.get_content()
    text = text_of(mail)
    assert f"Open the board: https://rayuela.example/m/{view.id}" in text
    assert "Ann: Black C1-D2" in text


async def test_answered_turn_is_not_told(matches: Matches, database: Database) -> None:
    view = await start_quietly(matches)
    update = await play_move(matches, view)
    await play_move(matches, update.match)
    server = await send_all(database)
    assert [mail["To"] for mail in server.mails] == [address_of(ANN)]
    assert await matches.announcements.claim_due(MAIL, now=later(days=1)) == ()


@pytest.mark.parametrize(("count", "pictures"), [(2, 2), (4, 0)])
async def test_notices_that_are_due_together_are_one_mail(
    matches: Matches, database: Database, count: int, pictures: int
) -> None:
    views = [await start_quietly(matches) for _ in range(count)]
    for view in views:
        await play_move(matches, view)
    (mail,) = (await send_all(database)).mails
    assert mail["Subject"] == f"{count} notices from Rayuela"
    assert [f"/m/{view.id}\n" in text_of(mail) for view in views] == [True] * count
    assert sum(part.get_content_type() == "image/png" for part in mail.walk()) == pictures


async def test_challenge_is_told(matches: Matches, database: Database) -> None:
    challenge = await make_challenge(matches, ANN, BEN, channel=WEBSITE)
    (mail,) = (await send_all(database)).mails
    assert mail["Subject"] == "Ann challenges you · Morelli"
    assert f"https://rayuela.example/challenges/{challenge.id}" in text_of(mail)


@pytest.mark.long
async def test_after_a_day_without_mail_server_there_is_one_mail_each(
    matches: Matches, database: Database
) -> None:
    first, second = await start_quietly(matches), await start_quietly(matches)
    now = NOON
    await play_move(matches, first, now=now)
    async with running_smtp() as server, sending(database, server.port, lambda: now) as sender:
        server.fault = Fault.DROP_AT_RECIPIENT
        for hour in range(24):
            now = later(hours=hour)
            if hour == 12:
                await play_move(matches, second, now=now)
            if hour:
                with pytest.raises(MailUnavailable):
                    await sender.send_due()
        server.fault = Fault.NONE
        now = later(hours=24)
        await sender.send_due()
        now = later(hours=30)
        await sender.send_due()
    assert [mail["Subject"] for mail in server.mails] == ["2 notices from Rayuela"]


@pytest.mark.long
async def test_queue_that_stood_still_for_a_day_sends_the_present_board(
    matches: Matches, database: Database
) -> None:
    view, now = await start_quietly(matches), NOON
    async with running_smtp() as server, sending(database, server.port, lambda: now, REPLIES) as sender:
        server.fault = Fault.DROP_AT_RECIPIENT
        for hour in range(1, 21, 2):
            view = (await play_move(matches, view, now=later(hours=hour))).match
            now = later(hours=hour + 1)
            with pytest.raises(MailUnavailable):
                await sender.send_due()
        server.fault, now = Fault.NONE, later(days=1, hours=12)
        await sender.send_due()
    (mail,) = server.mails
    assert mail["To"] == address_of(ANN)
    assert mail["Message-ID"].startswith(f"<turn-{view.id}-{view.revision}-")
    assert REPLIES.match_address(view.id, view.revision, ANN.account) in mail["Reply-To"]
    assert await matches.announcements.claim_due(MAIL, now=later(days=9)) == ()


async def test_answer_that_was_lost_repeats_the_mail_with_the_same_id(
    matches: Matches, database: Database
) -> None:
    await play_move(matches, await start_quietly(matches))
    now = DUE
    async with running_smtp() as server, sending(database, server.port, lambda: now) as sender:
        server.fault = Fault.DROP_BEFORE_ANSWER
        with pytest.raises(MailUnavailable):
            await sender.send_due()
        server.fault, now = Fault.NONE, later(hours=2)
        await sender.send_due()
    assert len(server.ids) == 2
    assert len(set(server.ids)) == 1


@pytest.mark.parametrize(
    ("answer", "refusals", "is_stopped"),
    [("550 5.1.1 Nobody", 1, True), ("550 Not now", 1, False), ("550 Not now", 4, True)],
)
async def test_refusals_stop_the_mails(
    matches: Matches,
    database: Database,
    answer: str,
    refusals: int,
    is_stopped: bool,
) -> None:
    async with running_smtp() as server, sending(database, server.port) as sender:
        server.refusals[address_of(BEN)] = answer
        for _ in range(refusals):
            await play_move(matches, await start_quietly(matches))
            await sender.send_due()
        assert (await find_stop(database, BEN))[1] is is_stopped
        server.refusals.clear()
        await play_move(matches, await start_quietly(matches))
        await sender.send_due()
    assert len(server.mails) == (not is_stopped)
    assert is_stopped or await find_stop(database, BEN) == (1, False)  # one that arrives forgives none


async def test_resumed_address_gets_mails_again(matches: Matches, database: Database) -> None:
    await matches.people.mail_addresses.stop(BEN.account, address_of(BEN), now=NOON)
    await matches.people.notices.start_mail_again(BEN.account, address_of(BEN))
    await play_move(matches, await start_quietly(matches))
    assert len((await send_all(database)).mails) == 1


async def test_recipient_who_is_put_off_delays_nobody(matches: Matches, database: Database) -> None:
    for view in (await start_quietly(matches), await start_quietly(matches, BEN, ANN)):
        await play_move(matches, view)
    now = DUE
    async with running_smtp() as server, sending(database, server.port, lambda: now) as sender:
        server.refusals[address_of(BEN)] = "451 4.7.1 Greylisted"
        await sender.send_due()
        assert server.recipients == [address_of(ANN)]
        server.refusals.clear()
        now = later(hours=2)
        await sender.send_due()
    assert server.recipients == [address_of(ANN), address_of(BEN)]


@pytest.mark.parametrize(
    "name", ["Eve\r\nBcc: all@example.org", "=?utf-8?q?x?=", "\u202eevE", 'A", <eve@x.y>']
)
async def test_name_cannot_add_a_header(matches: Matches, database: Database, name: str) -> None:
    eve = Person(f"web:{'e' * 24}", name)
    await play_move(matches, await start_match(matches, by=eve, to=BEN, channel=WEBSITE))
    (mail,) = (await send_all(database)).mails
    assert mail["Bcc"] is None
    assert mail["To"] == address_of(BEN)
    assert len(mail.get_all("Subject", [])) == 1


async def test_erased_person_gets_nothing(matches: Matches, database: Database) -> None:
    carl = Person(f"web:{'c' * 24}", "Carl")
    await give_mail(database, carl)
    await make_challenge(matches, ANN, carl, channel=WEBSITE)
    await matches.people.personal_data.erase(carl.account, ErasureChoice.RESIGN, now=NOON)
    assert (await send_all(database)).recipients == [address_of(ANN)]  # the challenge was declined


@pytest.mark.long
async def test_mail_that_may_have_arrived_is_repeated_alone(matches: Matches, database: Database) -> None:
    first, second = await start_quietly(matches), await start_quietly(matches)
    await play_move(matches, first)
    now = DUE
    async with running_smtp() as server, sending(database, server.port, lambda: now) as sender:
        server.fault = Fault.DROP_BEFORE_ANSWER
        with pytest.raises(MailUnavailable):
            await sender.send_due()
        await play_move(matches, second, now=now)
        server.fault, now = Fault.DROP_AT_RECIPIENT, later(hours=2)
        with pytest.raises(MailUnavailable):
            await sender.send_due()
        server.fault, now = Fault.NONE, later(hours=4)
        await sender.send_due()
    assert [mail["Subject"] for mail in server.mails] == ["Your turn against Ann · Morelli"] * 3
    assert len(set(server.ids)) == 2
    assert server.ids.count(server.ids[0]) == 2


async def test_mail_of_a_killed_process_is_repeated_alone(matches: Matches, database: Database) -> None:
    first, second = await start_quietly(matches), await start_quietly(matches)
    await play_move(matches, first)
    (killed,) = await matches.posting.by_account.claim_due(MAIL, now=DUE)
    await play_move(matches, second)
    async with running_smtp() as server, sending(database, server.port, lambda: later(hours=2)) as sender:
        await sender.send_due()
    assert len(server.ids) == 2
    assert f"<{killed.name}@example.org>" in server.ids
