"""``python -m tests.mail.receiving.forking_receiver URL SOURCE``: receive mail in children that are killed.

It imports everything once, and for each line ``start`` on standard input forks a child that receives mail;
``kill`` kills it. Standard output says ``ready``, ``commit`` after each commit of the child, and ``killed``.
The socket of LMTP is bound once, so that a mail server finds it while no child lives; ``port`` says where.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
from signal import SIGKILL
from typing import TYPE_CHECKING

from mail.receiving.limits import LimitNumbers
from mail.receiving.lmtp import listening
from mail.receiving.mailbox_reader import MailboxReader
from matches import Matches
from metrics.address import bind
from runtime import logs
from runtime.mail_settings import Mailbox, MailSettings
from runtime.settings import parse_settings
from runtime.steps import Steps
from storage import Database
from tests.games import GAMES
from tests.mail.receiving.scenario import make_receiver

if TYPE_CHECKING:
    import socket

END_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux: else it would keep the standard output open
MANY = LimitNumbers(own=10**6, total=10**6)


def say(word: str) -> None:
    """Write a line at once."""
    os.write(1, f"{word}\n".encode())


async def receive(url: str, listener: socket.socket, mailbox: Mailbox | None) -> None:
    """Receive mail until killed."""
    async with await Database.open(url) as database:
        matches = Matches(database, games=GAMES)
        receiver = make_receiver(matches, numbers=MANY)
        taking = (
            listening(receiver, listener)
            if mailbox is None
            else MailboxReader(mailbox, receiver, Steps(), first_pause=0.05).reading()
        )
        with matches.on_commit(lambda: say("commit")):
            async with taking:
                say("ready")
                await asyncio.Event().wait()


def main(url: str, source: str) -> None:
    """Obey the lines of standard input until it ends. `source` is a setting MAIL_IN, empty for LMTP."""
    logs.configure("ERROR")  # to standard error: a line that a killed child leaves half written hides another
    mailbox = parse_settings(MailSettings, {"mail_in": source}).mail_in if source else None
    listener, child = bind("127.0.0.1", 0), 0
    listener.listen()
    say(str(listener.getsockname()[1]))
    for line in sys.stdin:
        if line.strip() == "start":
            child = os.fork()
            if not child:
                ctypes.CDLL(None).prctl(END_WITH_PARENT, SIGKILL)
                asyncio.run(receive(url, listener, mailbox if isinstance(mailbox, Mailbox) else None))
        elif child:
            os.kill(child, SIGKILL)
            os.waitpid(child, 0)
            child = 0
            say("killed")
    if child:
        os.kill(child, SIGKILL)


if __name__ == "__main__":
    main(*sys.argv[1:])
