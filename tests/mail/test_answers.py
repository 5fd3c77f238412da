"""The mail that answers a mail: in its thread, and with the board of the match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mail.answers import ANSWER_LIFETIME, answer_details
from mail.commands.values import Answer
from matches import Matches, MatchId, Person
from tests.mail.scenario import ANN, BEN, REPLIES, address_of, give_mail, sending, start_quietly, write_answer
from tests.mail.smtp_server import Fault, SmtpServer, running_smtp
from tests.mail.test_notices import text_of
from tests.matches.scenario import NOON, make_challenge, play_move, start_match

if TYPE_CHECKING:
    from datetime import datetime
    from email.message import EmailMessage

    from storage import Database


async def write(
    database: Database, answer: Answer, *, message_id: str | None = None, subject: str = ""
) -> None:
    await write_answer(database, answer, address_of(BEN), BEN.account, message_id=message_id, subject=subject)


async def send(database: Database, now: datetime = NOON) -> EmailMessage:
    async with running_smtp() as server, sending(database, server.port, lambda: now, REPLIES) as sender:
        await sender.send_due()
    (mail,) = server.mails
    return mail


@pytest.mark.plain("its text is not of the catalogue")
async def test_answer_has_the_board_and_the_thread_of_its_match(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_quietly(matches))).match
    answer = Answer("That move is not possible", ("A1 is empty.", "Nothing was played."), match=view.id)
    await write(database, answer, message_id="<q1@mail.example>", subject="AW: Re: Your turn against Ann")
    mail = await send(database)
    assert mail["To"] == address_of(BEN)
    assert mail["Subject"] == "Re: Your turn against Ann"
    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["X-Rayuela-Turn"].startswith("letter-")
    assert mail["In-Reply-To"] == "<q1@mail.example>"
    assert mail["References"] == f"<match-{view.id}@example.org> <q1@mail.example>"
    reply_to = REPLIES.match_address(view.id, view.revision, BEN.account)
    assert mail["Reply-To"] == f"Rayuela <{reply_to}>"
    assert any(part.get_content_type() == "image/png" for part in mail.walk())
    text = text_of(mail)
    assert text.startswith(
        "That move is not possible\n\nA1 is empty.\nNothing was played.\n\nAnswer with your move"
    )
    assert "\n  I H G F E D C B A\n" in text


@pytest.mark.long
async def test_answer_about_an_old_board_shows_that_one(matches: Matches, database: Database) -> None:
    first = (await play_move(matches, await start_quietly(matches))).match
    await play_move(matches, first)
    await write(database, Answer("The board of turn 1", match=first.id, revision=first.revision))
    mail = await send(database)
    token = REPLIES.match_address(first.id, first.revision, BEN.account)
    assert token in mail["Reply-To"]
    assert "in the first line" not in text_of(mail)


@pytest.mark.plain("its text is not of the catalogue")
async def test_answer_about_a_challenge_can_be_answered(matches: Matches, database: Database) -> None:
    challenge = await make_challenge(matches, ANN, BEN, channel="web:site")
    await write(database, Answer("Which challenge?", challenge=challenge.id))
    mail = await send(database)
    assert REPLIES.challenge_address(challenge.id, BEN.account) in mail["Reply-To"]
    assert "Answer with accept or decline in the first line" in text_of(mail)


@pytest.mark.plain("its text is not of the catalogue")
@pytest.mark.usefixtures("matches")
async def test_answer_about_no_match_goes_back_to_the_plain_address(database: Database) -> None:
    await write(database, Answer("Your matches", ("None waits for you.",)))
    mail = await send(database)
    assert mail["Subject"] == "Your matches"
    assert mail["Reply-To"] == "Rayuela <play@example.org>"
    assert mail["In-Reply-To"] is None


@pytest.mark.long
async def test_answer_shows_no_match_that_its_reader_may_not_see(
    matches: Matches, database: Database
) -> None:
    view, eve = await start_match(matches, by=ANN, to=BEN), Person(f"web:{'e' * 24}", "Eve")  # in a channel
    await give_mail(database, eve)
    for match in (view.id, MatchId(4711)):
        await write_answer(database, Answer("Board", match=match), address_of(eve), eve.account)
    async with running_smtp() as server, sending(database, server.port, lambda: NOON, REPLIES) as sender:
        await sender.send_due()
    assert [list(mail.iter_attachments()) for mail in server.mails] == [[], []]
    assert [text_of(mail).startswith("Board\n\n-- \n") for mail in server.mails] == [True, True]


@pytest.mark.long
async def test_answer_that_is_late_is_dropped(matches: Matches, database: Database) -> None:
    view = await start_quietly(matches)
    await write(database, Answer("Played", match=view.id))
    server = SmtpServer(fault=Fault.DROP_AT_RECIPIENT)
    async with running_smtp(server), sending(database, server.port, lambda: now, REPLIES) as sender:
        now = NOON
        with pytest.raises(OSError, match="mail server"):
            await sender.send_due()
        server.fault, now = Fault.NONE, NOON + ANSWER_LIFETIME
        await sender.send_due()
    assert server.mails == []
    assert await matches.posting.letters.count_waiting(now=now) == 0


INJECTIONS = (
    "<a@b>\r\nBcc: all@example.org",
    "<a@b> <c@d>",
    "a@b",
    "<a b@c>",
    "<a@b\n c>",
    f"<{'a' * 300}@b>",
    "<ä@b>",
    "",
)


@pytest.mark.parametrize("message_id", INJECTIONS)
def test_message_id_that_is_none_is_left_out(message_id: str) -> None:
    assert "message_id" not in answer_details(Answer("Title"), message_id=message_id)


@pytest.mark.plain("its text is not of the catalogue")
@pytest.mark.usefixtures("matches")
async def test_subject_cannot_add_a_header(database: Database) -> None:
    await write(database, Answer("Title"), subject="Re: x\r\nBcc: all@example.org\r\n\r\nbody")
    mail = await send(database)
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Re: x Bcc: all@example.org body"


@pytest.mark.plain("its text is not of the catalogue")
async def test_subject_of_a_stranger_is_not_repeated(database: Database) -> None:
    answer = Answer("Choose another name", ("Ann is taken.",))
    await write_answer(database, answer, "new@example.org", None, subject="Buy this")
    assert (await send(database))["Subject"] == "Choose another name"
