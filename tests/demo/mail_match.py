"""``make demo ARGS=mail``: two people who have only mailboxes play Morelli, from invitation to result.

The mails are real: they come by SMTP and go by LMTP, on this machine. Each is shown with its subject and its
text part as it arrives; the pictures of the boards are in its HTML part.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bot.features.move.suggestions import suggest_moves
from matches import Database, MatchState
from tests.mail.correspondence import Mailbox, MovedClock, Program, running_office, text_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from email.message import EmailMessage

    from matches import MatchId, MatchView
    from tests.mail.correspondence import PostOffice

ANN, ZOE = "ann@example.org", "zoe@elsewhere.example"
MAX_TURNS = 400
FOOT = "\n-- \n"
CANDIDATES = 6  # of the best moves, one of which is played

INTRODUCTION = """\
A match of Morelli between two mailboxes. Neither player ever opens the website: mail comes by SMTP,
answers go by LMTP, and all of it stays on this machine.
"""
CONCLUSION = """\
That was {turns} turns in {mails} mails.
To let people play by mail on your own server, see docs/mail.md."""


class Show:
    """Prints what is written and what arrives."""

    def __init__(self, office: PostOffice, pause_seconds: float, write: Callable[..., None]) -> None:
        self._office = office
        self._pause_seconds = pause_seconds
        self._write = write
        self._shown = 0

    async def say(self, mailbox: Mailbox, typed: str) -> None:
        """Print what somebody types."""
        self._write("", f"{mailbox.address} writes: {typed}")
        await asyncio.sleep(self._pause_seconds / 3)

    async def print_new(self) -> None:
        """Print the mails that have arrived, without what stands below the signature."""
        for mail in self._office.server.mails[self._shown :]:
            self._shown += 1
            self._write("", *map("  | {}".format, _describe(mail)))
            await asyncio.sleep(self._pause_seconds)


def _describe(mail: EmailMessage) -> list[str]:
    text, _, _ = text_of(mail).partition(FOOT)
    return [f"To: {mail['To']}", f"Subject: {mail['Subject']}", "", *text.strip().splitlines()]


async def run_demo(pause_seconds: float, chance: random.Random, write: Callable[..., None]) -> None:
    """Play a match and print its mails with `write`."""
    write(INTRODUCTION)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'demo.db'}"
        async with await Database.open(url) as database, running_office(database, MovedClock()) as office:
            show = Show(office, pause_seconds, write)
            ann, zoe = office.mailbox(ANN), office.mailbox(ZOE, Program.OUTLOOK)
            match = await _start(office, show, ann, zoe)
            turns = await _play(office, show, match, {"Ann": ann, "Zoe": zoe}, chance)
            write("", CONCLUSION.format(turns=turns, mails=len(office.server.mails) + office.written))


async def _start(office: PostOffice, show: Show, ann: Mailbox, zoe: Mailbox) -> MatchId:
    """Let Ann join, invite Zoe, and both pick their start."""
    await _write(show, ann, "Hello! I would like to play.")
    await _reply(show, ann, "join Ann")
    await _write(show, ann, f"challenge {ZOE} morelli 9x9, closed fists, 3 days per move, black")
    await _reply(show, zoe, "accept Zoe")
    await office.wait()
    await show.print_new()
    await _reply(show, zoe, "LL")
    await _reply(show, ann, "LR")
    person = await office.matches.people.accounts.find_by_mail(ANN)
    assert person is not None
    (found,) = await office.matches.views.list_active_of(person, None)
    return found.id


async def _play(
    office: PostOffice, show: Show, match: MatchId, boxes: dict[str, Mailbox], chance: random.Random
) -> int:
    """Play until the match is over, and return the number of turns."""
    for turn in range(MAX_TURNS):
        await office.wait()
        await show.print_new()
        view = await office.matches.view(match, now=office.clock())
        if view.state is MatchState.OVER or view.position is None or view.to_move is None:
            return turn
        text = chance.choice(suggest_moves(view.position, [])[:CANDIDATES])
        await _reply(show, boxes[view.to_move.person.name], text)
        await _check_played(office, view)
    raise SystemExit("The demonstration did not come to an end.")


async def _check_played(office: PostOffice, before: MatchView) -> None:
    after = await office.matches.view(before.id, now=office.clock())
    if after.ply == before.ply:
        raise SystemExit("The demonstration stopped: a move was not played.")


async def _write(show: Show, mailbox: Mailbox, typed: str) -> None:
    await show.say(mailbox, typed)
    await mailbox.write(typed)
    await show.print_new()


async def _reply(show: Show, mailbox: Mailbox, typed: str) -> None:
    await show.say(mailbox, typed)
    await mailbox.reply(typed)
    await show.print_new()
