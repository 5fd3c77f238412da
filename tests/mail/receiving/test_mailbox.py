"""Mail from a mailbox by IMAP, at a real Dovecot."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mail.receiving.mailbox_client import MailboxClient, MailboxUnavailable
from mail.receiving.mailbox_reader import MAX_TRIES, OVERDUE_SECONDS, MailboxReader
from matches import StorageUnavailable
from runtime.mail_settings import Mailbox, MailSettings
from runtime.settings import parse_settings
from runtime.steps import Steps
from tests.discord_server.waiting import PATIENCE
from tests.mail.mail_servers import PASSWORD, Dovecot, require_mail_servers, running_dovecot
from tests.mail.receiving.scenario import list_letters, make_receiver, pen_of, reply_address
from tests.mail.receiving.test_receiver import mover_of
from tests.mail.scenario import ANN, REPLIES, start_quietly
from tests.matches.scenario import NOON, legal_move
from tests.network import Network

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mail.receiving.receiver import Receiver
    from matches import Matches
    from storage import Database

QUICK = 0.05  # seconds between two looks


def mailbox_of(server: Dovecot) -> Mailbox:
    source = parse_settings(MailSettings, {"mail_in": server.url}).mail_in
    assert isinstance(source, Mailbox)
    return source


@pytest.fixture
async def server() -> AsyncIterator[Dovecot]:
    require_mail_servers()
    async with running_dovecot() as server:
        yield server


@asynccontextmanager
async def reading(
    mailbox: Mailbox, receiver: Receiver, *, look_seconds: float = 60.0, steps: Steps | None = None
) -> AsyncIterator[MailboxReader]:
    steps = Steps(expected=(StorageUnavailable, OSError)) if steps is None else steps
    reader = MailboxReader(mailbox, receiver, steps, look_seconds=look_seconds, first_pause=QUICK)
    async with reader.reading():
        yield reader


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - files, which tell nobody
            await asyncio.sleep(0.02)


async def test_mail_is_played_when_it_arrives_and_then_marked_as_seen(
    matches: Matches, server: Dovecot
) -> None:
    view = await start_quietly(matches, game="morabaraba")
    mover, _ = mover_of(view)
    async with reading(mailbox_of(server), make_receiver(matches)) as reader:
        await wait_until(lambda: reader.look_age < 1)
        server.deliver(pen_of(mover).write(reply_address(view, mover), legal_move(view)))
        await wait_until(lambda: server.list_flags() == ["S"])
    assert (await matches.view(view.id, now=NOON)).ply == 1


async def test_mails_to_others_stay_unread(matches: Matches, database: Database, server: Dovecot) -> None:
    pen = pen_of(ANN)
    server.deliver(pen.write("somebody@example.org", "A private mail"))
    server.deliver(pen.write(REPLIES.plain, "help"))
    async with reading(mailbox_of(server), make_receiver(matches)):
        await wait_until(lambda: server.list_flags() == ["", "S"])
    assert len(await list_letters(database)) == 1


async def test_mail_stays_unseen_while_the_database_is_away(
    matches: Matches, database: Database, server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver, failed = make_receiver(matches), asyncio.Event()

    async def fail(*_: object) -> None:
        failed.set()
        raise StorageUnavailable("away")

    server.deliver(pen_of(ANN).write(REPLIES.plain, "help"))
    with monkeypatch.context() as broken:
        broken.setattr(receiver, "receive", fail)
        async with reading(mailbox_of(server), receiver):
            async with asyncio.timeout(PATIENCE):
                await failed.wait()
            assert server.list_flags() == [""]
            broken.undo()
            await wait_until(lambda: server.list_flags() == ["S"])
    assert len(await list_letters(database)) == 1


async def test_mail_that_always_fails_is_set_aside_and_holds_up_no_other(
    matches: Matches, server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver, tries = make_receiver(matches), 0
    receive = receiver.receive

    async def fail_sometimes(raw: bytes, *recipients: str) -> object:
        nonlocal tries
        if b"<poison@" in raw:
            tries += 1
            raise RuntimeError("a defect")
        return await receive(raw, *recipients)

    monkeypatch.setattr(receiver, "receive", fail_sometimes)
    pen = pen_of(ANN)
    server.deliver(pen.write(REPLIES.plain, "help", message_id="<poison@mail.example>"))
    server.deliver(pen.write(REPLIES.plain, "help"))
    async with reading(mailbox_of(server), receiver, look_seconds=QUICK):
        await wait_until(lambda: server.list_flags()[1] == "S")
        await wait_until(lambda: server.list_flags() == ["FS", "S"])
    assert tries == MAX_TRIES


@pytest.mark.parametrize("is_silent", [pytest.param(False, marks=pytest.mark.long), True])
async def test_lost_connection_is_made_again(
    matches: Matches, server: Dovecot, monkeypatch: pytest.MonkeyPatch, *, is_silent: bool
) -> None:
    monkeypatch.setattr("mail.receiving.mailbox_client.ANSWER_SECONDS", 0.5)
    async with Network(server.port) as network:
        mailbox = replace(mailbox_of(server), port=network.port)
        async with reading(mailbox, make_receiver(matches), look_seconds=0.2) as reader:
            await wait_until(lambda: reader.look_age < 0.2)
            if is_silent:
                network.cut()
                server.deliver(pen_of(ANN).write(REPLIES.plain, "help"))
                await wait_until(lambda: reader.look_age > 1)
                network.restore(lambda: False)
            else:
                await server.stop()
                server.deliver(pen_of(ANN).write(REPLIES.plain, "help"))
                await server.start()
            await wait_until(lambda: server.list_flags() == ["S"])


async def test_new_numbers_of_mails_are_noticed(
    matches: Matches, database: Database, server: Dovecot
) -> None:
    pen = pen_of(ANN)
    for _ in range(3):
        server.deliver(pen.write("somebody@example.org", "A private mail"))
    async with reading(mailbox_of(server), make_receiver(matches)) as reader:
        await wait_until(lambda: reader._others == {1, 2, 3})
        await server.stop()
        for path in server.maildir.glob("dovecot*"):
            path.unlink()
        for path in (server.maildir / "new").iterdir():
            path.unlink()
        for path in (server.maildir / "cur").iterdir():
            path.unlink()
        server.deliver(pen.write(REPLIES.plain, "help"))  # it gets a number that another mail had
        await server.start()
        await wait_until(lambda: server.list_flags() == ["S"])
    assert len(await list_letters(database)) == 1


async def test_what_others_marked_as_deleted_is_not_expunged(server: Dovecot) -> None:
    server.deliver(pen_of(ANN).write(REPLIES.plain, "help"))
    server.deliver(pen_of(ANN).write(REPLIES.plain, "help"))

    def work() -> None:
        client = MailboxClient(mailbox_of(server))
        client._connection.client.uid("STORE", "1", "+FLAGS", r"(\Deleted)")
        assert client.list_unseen() == [2]
        client.mark_seen(2)
        client.close()

    await asyncio.to_thread(work)
    assert server.list_flags() == ["T", "S"]


async def test_wrong_password_is_said_and_never_logged(
    server: Dovecot, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox = replace(mailbox_of(server), password="an/other@secret")  # noqa: S106 - it opens nothing
    with caplog.at_level(logging.DEBUG), pytest.raises(MailboxUnavailable) as caught:
        await asyncio.to_thread(MailboxClient, mailbox)
    assert str(caught.value) == "the mailbox refuses the user or the password of MAIL_IN"
    with pytest.raises(MailboxUnavailable, match="no such folder"):
        await asyncio.to_thread(MailboxClient, replace(mailbox_of(server), folder="Nowhere"))
    await server.stop()
    with pytest.raises(MailboxUnavailable, match="cannot be reached"):
        await asyncio.to_thread(MailboxClient, mailbox_of(server))
    assert "secret" not in caplog.text
    assert PASSWORD not in caplog.text


async def test_operator_is_alarmed_when_the_mailbox_was_not_read_for_minutes(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = Mailbox("127.0.0.1", 1, "user", "password", "INBOX", is_encrypted=False)
    steps = Steps(expected=(StorageUnavailable, OSError))
    reader = MailboxReader(nowhere, make_receiver(matches), steps)
    assert await steps.run("mailbox_overdue", reader._check_age) is None
    monkeypatch.setattr(reader, "_looked_at", reader._looked_at - OVERDUE_SECONDS - 1)
    error = await steps.run("mailbox_overdue", reader._check_age)
    assert str(error).startswith("the mailbox was last read 30")
