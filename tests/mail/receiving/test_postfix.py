"""Mail through a real Postfix, set up with the lines of docs/mail.md."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import aiosmtplib
import pytest

from mail.receiving.lmtp import listening
from metrics.address import bind
from tests.discord_server.waiting import PATIENCE
from tests.mail.mail_servers import Postfix, require_mail_servers, running_postfix
from tests.mail.receiving.scenario import (
    Clock,
    Pen,
    list_letters,
    make_receiver,
    pen_of,
    reply_address,
    spoil,
)
from tests.mail.receiving.test_receiver import mover_of
from tests.mail.scenario import REPLIES, address_of, start_quietly
from tests.matches.scenario import NOON, legal_move

if TYPE_CHECKING:
    from matches import Matches
    from storage import Database

pytestmark = pytest.mark.xdist_group("mail_servers")


async def send(server: Postfix, raw: bytes, *recipients: str) -> None:
    await aiosmtplib.send(
        raw,
        sender="somebody@mail.example",
        recipients=list(recipients),
        hostname="127.0.0.1",
        port=server.port,
        use_tls=False,
        start_tls=False,
    )


async def wait_for_empty_queue(server: Postfix) -> None:
    async with asyncio.timeout(2 * PATIENCE):
        while server.count_waiting():  # noqa: ASYNC110 - files of other processes
            await asyncio.sleep(0.05)


async def test_move_goes_through_and_forged_results_do_not(matches: Matches, database: Database) -> None:
    require_mail_servers()
    view = await start_quietly(matches, game="morabaraba")
    mover, _ = mover_of(view)
    to = reply_address(view, mover)
    listener = bind("127.0.0.1", 0)
    async with (
        listening(make_receiver(matches), listener),
        running_postfix(int(listener.getsockname()[1])) as server,
    ):
        with pytest.raises(aiosmtplib.SMTPRecipientsRefused) as caught:
            await send(
                server,
                pen_of(mover).write(to, "resign"),
                spoil(to),
            )
        assert caught.value.recipients[0].code == 550
        # The stamp of whoever writes from elsewhere is their own, and Postfix removes it.
        stranger = Pen("new@elsewhere.example").write(REPLIES.plain, "Buy now!")
        await send(server, stranger, REPLIES.plain)
        await send(server, pen_of(mover, "fail").write(to, legal_move(view)), to, REPLIES.plain)
        await wait_for_empty_queue(server)
    assert (await matches.view(view.id, now=NOON)).ply == 1
    assert [one.address for one in await list_letters(database)] == [address_of(mover)]


@pytest.mark.long
async def test_mails_of_a_day_on_which_nobody_took_them_are_carried_out_once(
    matches: Matches, database: Database
) -> None:
    require_mail_servers()
    views = [await start_quietly(matches, game="morabaraba") for _ in range(5)]
    listener = bind("127.0.0.1", 0)
    async with running_postfix(int(listener.getsockname()[1]), verifies=False) as server:
        for view in views:
            mover, _ = mover_of(view)
            to = reply_address(view, mover)
            raw = pen_of(mover).write(to, legal_move(view), message_id=f"<{view.id}@mail.example>")
            await send(server, raw, to)
        await server.stop()
        assert server.count_waiting() == len(views)
        await server.start()
        clock = Clock(NOON + timedelta(days=1))
        async with listening(make_receiver(matches, clock), listener):
            await wait_for_empty_queue(server)
    assert [(await matches.view(view.id, now=clock())).ply for view in views] == [1] * len(views)
    assert len(await list_letters(database)) == len(views)
