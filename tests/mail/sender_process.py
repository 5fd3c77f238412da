"""``python -m tests.mail.sender_process URL PORT SECONDS``: send mails until killed, a clock so far ahead."""

from __future__ import annotations

import asyncio
import sys

from mail import app
from mail.smtp_transport import SmtpTransport
from matches import Matches
from runtime.steps import Steps
from storage import Database
from tests.games import GAMES, READER_TEXTS
from tests.mail.scenario import SECRET, StandInLinks, mail_settings
from tests.matches.scenario import later


async def main(address: str, port: str, seconds: str) -> None:
    settings, now = mail_settings(int(port)), later(seconds=float(seconds))
    async with (
        await Database.open(address) as database,
        app.serve(
            Matches(database, games=GAMES),
            settings,
            StandInLinks(),
            SECRET,
            transport=SmtpTransport(settings),
            steps=Steps(),
            now=lambda: now,
            games=GAMES,
            texts=READER_TEXTS,
        ),
    ):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
