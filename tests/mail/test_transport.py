"""Mail is handed over by SMTP, and failures of an address, a mail and the server are told apart."""

from __future__ import annotations

import asyncio
import logging
import ssl
from contextlib import asynccontextmanager
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
import trustme

from mail.smtp_transport import SmtpTransport
from mail.transport import MailDelayed, MailRefused, MailUnavailable
from runtime.mail_settings import MailSettings
from tests.discord_server.waiting import PATIENCE
from tests.mail.smtp_server import PASSWORD, USER, Fault, SmtpServer, running_smtp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BEN = "ben@example.org"
WRONG = "secret-word"


def mail_settings(port: int, *, user: str = "", password: str = "", scheme: str = "smtp") -> MailSettings:
    login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user else ""
    url = f"{scheme}://{login}127.0.0.1:{port}"
    return MailSettings(mail_url=url, mail_from="Rayuela <play@example.org>")


def make_mail(address: str = BEN) -> EmailMessage:
    message = EmailMessage()
    message["To"] = address
    message["Subject"] = "Hello"
    message.set_content("A line.\n.a line that begins with a dot\n")
    return message


@asynccontextmanager
async def transport_to(
    server: SmtpServer, *, answer_seconds: float = PATIENCE, **values: Any
) -> AsyncIterator[SmtpTransport]:
    transport = SmtpTransport(mail_settings(server.port, **values), answer_seconds=answer_seconds)
    try:
        yield transport
    finally:
        await transport.close()


async def test_many_mails_go_by_few_connections() -> None:
    async with running_smtp() as server, transport_to(server) as transport:
        await asyncio.gather(*(transport.send(make_mail(), BEN) for _ in range(20)))
    assert len(server.mails) == 20
    assert server.connections <= 3
    assert server.mails[0].get_content().splitlines()[1] == ".a line that begins with a dot"


@pytest.mark.parametrize(
    ("answer", "error", "is_final"),
    [
        ("550 5.1.1 No such user", MailRefused, True),
        ("550 Mailbox unavailable", MailRefused, False),
        ("552 5.2.2 Mailbox full", MailRefused, False),
        ("554 5.7.1 Relay access denied", MailDelayed, None),
        ("451 4.7.1 Greylisted", MailDelayed, None),
        ("421 4.3.2 Shutting down", MailUnavailable, None),
    ],
)
async def test_answer_to_a_recipient(answer: str, error: type[Exception], is_final: bool | None) -> None:
    async with running_smtp() as server, transport_to(server) as transport:
        server.refusals[BEN] = answer
        with pytest.raises(error) as raised:
            await transport.send(make_mail(), BEN)
        assert getattr(raised.value, "is_final", None) is is_final
        await transport.send(make_mail("ann@example.org"), "ann@example.org")
    assert server.recipients == ["ann@example.org"]
    assert "example.org" not in str(raised.value)


async def test_mail_comes_back_to_its_envelope_sender() -> None:
    async with running_smtp() as server, transport_to(server) as transport:
        await transport.send(make_mail(), BEN, envelope_sender="play+b1@example.org")
        await transport.send(make_mail(), BEN)
    assert server.senders == ["play+b1@example.org", "play@example.org"]


@pytest.mark.parametrize("stage", ["sender", "recipient"])
async def test_server_that_takes_one_envelope_sender_gets_that_one(stage: str) -> None:
    server = SmtpServer(only_sender="play@example.org", sender_refused_at=stage)
    async with running_smtp(server), transport_to(server) as transport:
        for number in range(2):
            await transport.send(make_mail(), BEN, envelope_sender=f"play+b{number}@example.org")
    assert server.senders == ["play@example.org"] * 2


@pytest.mark.parametrize(("answer", "error"), [("552 Too large", MailRefused), ("452 Full", MailDelayed)])
async def test_answer_to_the_text(answer: str, error: type[Exception]) -> None:
    async with running_smtp() as server, transport_to(server) as transport:
        server.data_answer = answer
        with pytest.raises(error):
            await transport.send(make_mail(), BEN)


@pytest.mark.parametrize("fault", [Fault.SILENCE, Fault.DROP_BEFORE_ANSWER, Fault.DROP_AT_RECIPIENT])
async def test_connection_that_fails_stops_everything(fault: Fault) -> None:
    seconds = 0.5 if fault is Fault.SILENCE else PATIENCE
    async with running_smtp() as server, transport_to(server, answer_seconds=seconds) as transport:
        server.fault = fault
        with pytest.raises(MailUnavailable):
            await transport.send(make_mail(), BEN)
        server.fault = Fault.NONE
        await transport.send(make_mail(), BEN)


async def test_connection_that_ends_between_two_mails_is_replaced() -> None:
    async with running_smtp() as server, transport_to(server) as transport:
        server.fault = Fault.DROP_AFTER_ANSWER
        for _ in range(3):
            await transport.send(make_mail(), BEN)
    assert len(server.mails) == 3


async def test_server_that_is_down() -> None:
    async with running_smtp() as server:
        pass
    async with transport_to(server) as transport:
        with pytest.raises(MailUnavailable, match="cannot be reached"):
            await transport.send(make_mail(), BEN)


async def test_password_with_special_signs_signs_in() -> None:
    async with signing_in() as server, transport_to(server, user=USER, password=PASSWORD) as transport:
        await transport.send(make_mail(), BEN)
    assert len(server.mails) == 1


async def test_wrong_password_is_no_failure_of_the_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with signing_in() as server, transport_to(server, user=USER, password=WRONG) as transport:
        with pytest.raises(MailUnavailable, match="user or the password"):
            await transport.send(make_mail(), BEN)
    assert WRONG not in caplog.text
    assert BEN not in caplog.text


@asynccontextmanager
async def signing_in() -> AsyncIterator[SmtpServer]:
    server = SmtpServer()
    options: dict[str, Any] = {"authenticator": server.authenticate, "auth_require_tls": False}
    async with running_smtp(server, **options):
        yield server


async def test_certificate_of_a_stranger_is_not_trusted() -> None:
    own, other = trustme.CA(), trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    own.issue_cert("127.0.0.1").configure_cert(context)
    for authority, is_trusted in ((own, True), (other, False)):
        client = ssl.create_default_context()
        authority.configure_trust(client)
        async with running_smtp(tls_context=context) as server:
            transport = SmtpTransport(mail_settings(server.port), tls_context=client)
            if is_trusted:
                await transport.send(make_mail(), BEN)
            else:
                with pytest.raises(MailUnavailable, match="cannot be trusted"):
                    await transport.send(make_mail(), BEN)
            await transport.close()


@pytest.mark.parametrize("address", ["ben@example.org\r\nRCPT TO:<eve@example.org>", "", "no address"])
async def test_broken_address_is_refused(address: str) -> None:
    async with running_smtp() as server, transport_to(server) as transport:
        with pytest.raises(MailRefused):
            await transport.send(make_mail(), address)
    assert server.recipients == []


async def test_international_address() -> None:
    async with running_smtp() as server, transport_to(server) as transport:
        await transport.send(make_mail(), "jürgen@example.org")
    assert server.recipients == ["jürgen@example.org"]
