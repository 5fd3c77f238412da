"""Mail by LMTP: what a mail server is told, on the wire."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from mail.receiving.lmtp import MAX_BYTES, MAX_CONNECTIONS, MAX_RECIPIENTS, listening
from matches import Matches, StorageUnavailable
from metrics.address import bind
from tests.discord_server.waiting import PATIENCE
from tests.games import GAMES
from tests.mail.receiving.scenario import Pen, list_letters, make_receiver, pen_of, reply_address, spoil
from tests.mail.receiving.test_receiver import bounce, mover_of
from tests.mail.scenario import ANN, BEN, REPLIES, address_of, find_stop, start_quietly
from tests.matches.scenario import NOON, legal_move

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mail.receiving.receiver import Receiver
    from storage import Database


class Client:
    """A mail server that hands mails over."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self) -> str:
        """Return the next answer, without its first lines if it has several; empty at the end."""
        async with asyncio.timeout(PATIENCE):
            while (line := (await self._reader.readline()).decode())[3:4] == "-":
                pass
            return line.strip()

    async def say(self, line: str) -> str:
        self._writer.write(f"{line}\r\n".encode())
        return await self.read()

    async def begin(self, *recipients: str, sender: str = "ben@mail.example") -> list[str]:
        """Begin a mail; return the answers to its recipients."""
        assert (await self.say(f"MAIL FROM:<{sender}> SMTPUTF8")).startswith("250")
        return [await self.say(f"RCPT TO:<{one}>") for one in recipients]

    async def send(self, raw: bytes) -> str:
        """Send the text of a mail, and return the first answer to it."""
        assert (await self.say("DATA")).startswith("354")
        self._writer.write(raw + b".\r\n")
        return await self.read()

    def close(self) -> None:
        self._writer.close()


@asynccontextmanager
async def serving(receiver: Receiver) -> AsyncIterator[int]:
    """Listen, and return the port."""
    listener = bind("127.0.0.1", 0)
    async with listening(receiver, listener):
        yield int(listener.getsockname()[1])


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Client]:
    client = Client(*await asyncio.open_connection("127.0.0.1", port))
    try:
        assert (await client.read()).startswith("220")
        assert (await client.say("LHLO mx.example.org")).startswith("250")
        yield client
    finally:
        client.close()


@pytest.fixture
async def client(matches: Matches) -> AsyncIterator[Client]:
    async with serving(make_receiver(matches)) as port, connected(port) as client:
        yield client


async def test_move_is_committed_before_the_answer(matches: Matches, client: Client) -> None:
    view = await start_quietly(matches, game="morabaraba")
    mover, _ = mover_of(view)
    to = reply_address(view, mover)
    assert await client.begin(to) == ["250 2.1.5 OK"]
    assert await client.send(pen_of(mover).write(to, legal_move(view))) == "250 2.0.0 OK"
    assert (await matches.view(view.id, now=NOON)).ply == 1


async def test_each_recipient_gets_an_answer(database: Database, client: Client) -> None:
    raw = pen_of(ANN).write(REPLIES.plain, "help")
    for _ in range(2):
        await client.begin(REPLIES.plain, "play@elsewhere.example", REPLIES.plain.upper())
        assert await client.send(raw) == "250 2.0.0 OK"
        assert await client.read() == "250 2.0.0 OK"
    assert (await client.say("NOOP")).startswith("250")
    assert len(await list_letters(database)) == 1


async def test_unknown_recipients_are_refused(matches: Matches, client: Client) -> None:
    view = await start_quietly(matches, game="morabaraba")
    good = reply_address(view, ANN)
    unknown = "550 5.1.1 Nobody has this address"
    assert await client.begin(spoil(good), "ann@example.org", "übung@example.org", good) == [
        *[unknown] * 3,
        "250 2.1.5 OK",
    ]


async def test_report_with_an_empty_sender_is_taken(database: Database, client: Client) -> None:
    to = REPLIES.bounce_address(address_of(BEN))
    assert await client.begin(to, sender="") == ["250 2.1.5 OK"]
    raw = bounce(address_of(BEN), to).partition(b"\r\n")[2]  # without the Return-Path, which LMTP adds
    assert await client.send(raw) == "250 2.0.0 OK"
    assert await find_stop(database, BEN) != (0, False)


async def test_mail_of_a_machine_is_known_by_its_empty_sender(database: Database, client: Client) -> None:
    await client.begin(REPLIES.plain, sender="")
    assert await client.send(pen_of(ANN).write(REPLIES.plain, "help")) == "250 2.0.0 OK"
    assert await list_letters(database) == []


async def test_database_that_is_away_lets_the_mail_server_try_again(
    database: Database, monkeypatch: pytest.MonkeyPatch, matches: Matches
) -> None:
    async with serving(make_receiver(Matches(database, games=GAMES))) as port, connected(port) as client:
        view = await start_quietly(matches, game="morabaraba")
        mover, _ = mover_of(view)
        to, raw = (
            reply_address(view, mover),
            pen_of(mover).write(reply_address(view, mover), legal_move(view)),
        )

        def fail(**_: object) -> None:
            raise StorageUnavailable("away")

        with monkeypatch.context() as broken:
            broken.setattr(database, "read", fail)
            assert await client.begin(to) == ["451 4.3.0 Not now, try again later"]
            assert (await client.say("RSET")).startswith("250")
        assert await client.begin(to) == ["250 2.1.5 OK"]
        with monkeypatch.context() as broken:
            broken.setattr(database, "transaction", fail)
            assert await client.send(raw) == "451 4.3.0 Not now, try again later"
        await client.begin(to)
        assert await client.send(raw) == "250 2.0.0 OK"
    assert (await matches.view(view.id, now=NOON)).ply == 1


@pytest.mark.long
async def test_mail_that_is_too_large_is_refused_to_each_recipient(client: Client) -> None:
    await client.begin(REPLIES.plain, REPLIES.join_address("a@elsewhere.example", now=NOON))
    line = b"x" * 998 + b"\r\n"
    assert (await client.send(line * (MAX_BYTES // len(line) + 1))).startswith("552")
    assert (await client.read()).startswith("552")
    assert (await client.say(f"MAIL FROM:<a@b.example> SIZE={MAX_BYTES + 1}")).startswith("552")


async def test_recipients_and_connections_are_limited(matches: Matches) -> None:
    async with serving(make_receiver(matches)) as port:
        async with connected(port) as client:
            answers = await client.begin(*[REPLIES.plain] * (MAX_RECIPIENTS + 1))
            assert answers[-2:] == ["250 2.1.5 OK", "452 4.5.3 Too many recipients"]
        many = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MAX_CONNECTIONS + 2)]
        first = [(await reader.readline())[:3] for reader, _ in many]
        assert first.count(b"421") in {2, 3}  # the one above may not have ended
        for _, writer in many:
            writer.close()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff\xfe" * 1000 + b"\r\n",
        b"From: a@b\r\nTo: " + b",\r\n ".join([b"play@example.org"] * 5000) + b"\r\n\r\nhelp\r\n",
        b"\r\n" * 20_000,
        b"From: ann@example.org\r\nDate: Fri, 01 Jan 2031 00:00:00 +0000\r\n\r\nresign\r\n",
        b"".join(
            b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (n, n) for n in range(500)
        ),
    ],
    ids=["empty", "binary", "recipients", "lines", "no id", "bomb"],
)
async def test_malformed_mails_are_taken_and_do_nothing(
    database: Database, client: Client, raw: bytes
) -> None:
    await client.begin(REPLIES.plain)
    assert await client.send(raw) == "250 2.0.0 OK"
    assert [one for one in await list_letters(database) if one.kind != "confirmation"] == []


async def test_own_results_of_a_sender_do_not_count_beside_those_of_the_server(
    matches: Matches, client: Client
) -> None:
    view = await start_quietly(matches, game="morabaraba")
    mover, _ = mover_of(view)
    to = reply_address(view, mover)
    forged = Pen(address_of(mover), "pass").write(to, legal_move(view))
    raw = b"Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\r\n" + forged
    await client.begin(to)
    assert await client.send(raw) == "250 2.0.0 OK"
    assert (await matches.view(view.id, now=NOON)).ply == 0
