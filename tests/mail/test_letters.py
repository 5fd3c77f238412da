"""Letters: codes, invitations, warnings and changes of an account."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest

from mail.app import choose_transport
from mail.log_transport import LogTransport
from matches import Matches, Person
from matches.people.mail_codes import derive_code, derive_link_token
from matches.platforms import WEBSITE
from matches.posting.letters import LetterKind
from runtime.mail_settings import MailSettings
from runtime.settings import parse_settings
from tests.games import TEXTS
from tests.mail.scenario import BEN, SECRET, address_of, find_stop, sending, write
from tests.mail.smtp_server import SmtpServer, running_smtp
from tests.matches.scenario import NOON, later, make_challenge

if TYPE_CHECKING:
    from storage import Database

EVE = Person(f"web:{'e' * 24}", "Eve www.evil.example/x")
ADDRESS = "somebody@example.org"


async def send_all(database: Database, hours: float = 0) -> SmtpServer:
    now = later(hours=hours)
    async with running_smtp() as server, sending(database, server.port, lambda: now) as sender:
        await sender.send_due()
    return server


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


async def test_code_is_in_the_mail_and_not_in_the_subject(database: Database) -> None:
    await write(database, LetterKind.CODE, ADDRESS, code="question")
    (mail,) = (await send_all(database)).mails
    assert mail["To"] == ADDRESS
    code = derive_code(SECRET, "question")
    assert code in text_of(mail)
    assert code not in mail["Subject"]
    assert f"https://rayuela.example/signin/link/{derive_link_token(SECRET, 'question')}" in text_of(mail)
    assert mail["List-Unsubscribe"] is None


async def test_expired_letter_is_not_sent(database: Database) -> None:
    await write(database, LetterKind.CODE, ADDRESS, code="question")
    assert (await send_all(database, hours=1)).mails == []


async def test_letter_is_sent_once(database: Database) -> None:
    await write(database, LetterKind.CODE, ADDRESS, code="question")
    assert len((await send_all(database)).mails) == 1
    assert (await send_all(database, hours=0.5)).mails == []


@pytest.mark.plain("longer lines are wrapped elsewhere")
async def test_invitation_has_the_challenge_and_nothing_that_can_be_clicked(
    matches: Matches, database: Database
) -> None:
    challenge = await make_challenge(matches, EVE, channel=WEBSITE)
    await write(database, LetterKind.INVITATION, ADDRESS, challenge=challenge.id)
    (mail,) = (await send_all(database)).mails
    assert mail["Subject"] == "You are invited to play Morelli on Rayuela"
    assert "Eve www evil example x invites you to a match of Morelli" in text_of(mail)
    assert "evil.example" not in mail.as_string()
    refusal = f"https://rayuela.example/mail/stop/invitations/{len(ADDRESS)}"
    assert (mail["List-Unsubscribe"], refusal in text_of(mail)) == (f"<{refusal}>", True)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


async def test_invitation_to_a_closed_challenge_is_not_sent(matches: Matches, database: Database) -> None:
    challenge = await make_challenge(matches, EVE, channel=WEBSITE)
    await matches.challenges.withdraw(challenge.id, EVE, now=NOON)
    for number in (challenge.id, 4711):
        await write(database, LetterKind.INVITATION, ADDRESS, challenge=number)
    assert (await send_all(database)).mails == []
    assert await matches.posting.letters.count_waiting(now=NOON) == 0


@pytest.mark.plain("its text is not of the catalogue")
async def test_warning_has_the_text_of_the_moderators(database: Database) -> None:
    await write(database, LetterKind.WARNING, ADDRESS, text="Be kind.\n<b>Please.</b>")
    (mail,) = (await send_all(database)).mails
    assert "Be kind." in text_of(mail)
    html = mail.get_body(("html",))
    assert html is not None
    assert "&lt;b&gt;Please.&lt;/b&gt;" in html.get_content()


CHANGES = tuple(
    key.removeprefix("mail.change.")
    for key in TEXTS.templates
    if key.startswith("mail.change.") and key.rpartition(".")[2] not in {"subject", "title", "not_you", "why"}
)


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.plain("longer lines are wrapped elsewhere")
async def test_change_of_an_account(database: Database, what: str) -> None:
    await write(database, LetterKind.NOTICE, ADDRESS, what=what)
    (mail,) = (await send_all(database)).mails
    assert TEXTS(f"mail.change.{what}") in text_of(mail).replace("\r\n", " ")


async def test_code_still_goes_to_a_stopped_address(matches: Matches, database: Database) -> None:
    await matches.people.mail_addresses.stop(BEN.account, address_of(BEN), now=NOON)
    await write(database, LetterKind.CODE, address_of(BEN), code="question")
    assert len((await send_all(database)).mails) == 1


@pytest.mark.usefixtures("matches")
async def test_refused_letter_is_not_tried_again(database: Database) -> None:
    await write(database, LetterKind.CODE, address_of(BEN), code="question")
    async with running_smtp() as server, sending(database, server.port, lambda: NOON) as sender:
        server.refusals[address_of(BEN)] = "550 5.1.1 Nobody"
        await sender.send_due()
        server.refusals.clear()
        await sender.send_due()
    assert server.mails == []
    assert await find_stop(database, BEN) == (4, True)


@dataclass(frozen=True, slots=True)
class TransportCase:
    settings: dict[str, str]
    is_own_machine: bool
    kind: str | None


@pytest.mark.parametrize(
    "case",
    [
        TransportCase({}, True, "LogTransport"),
        TransportCase({}, False, None),
        TransportCase({"mail_url": "smtp://127.0.0.1"}, True, None),
        TransportCase({"mail_from": "a@b.example"}, False, None),
        TransportCase({"mail_url": "smtps://h", "mail_from": "a@b.example"}, False, "SmtpTransport"),
    ],
)
def test_choice_of_the_transport(case: TransportCase) -> None:
    transport = choose_transport(
        parse_settings(MailSettings, case.settings), TEXTS, is_own_machine=case.is_own_machine
    )
    assert (None if transport is None else type(transport).__name__) == case.kind


async def test_mail_without_server_is_shown_on_ones_own_machine(capsys: pytest.CaptureFixture[str]) -> None:
    message = EmailMessage()
    message["Subject"] = "Your code"
    message.set_content("123456")
    await LogTransport(TEXTS).send(message, ADDRESS)
    shown = capsys.readouterr().out
    assert shown.startswith("This mail was not sent, because no mail server is set.")
    assert [text in shown for text in (ADDRESS, "Your code", "123456")] == [True] * 3
