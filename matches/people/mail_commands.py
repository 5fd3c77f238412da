"""What mails ask for that nothing proves to be genuine: it waits until its sender clicks a link in a mail.

The link goes to an address that the account has confirmed. A click records only that; whoever receives mail
carries the command out soon after, once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from matches.errors import Refusal
from matches.posting.letters import LetterKind, write_letter
from matches.puzzles.values import PuzzleStep
from matches.times import from_millis, to_millis
from matches.values import ChallengeId, MatchId
from storage.people import mail_commands, personal_data

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from storage import Database
    from storage.people.mail_commands import MailCommandRow

LIFETIME = timedelta(days=1)  # of a link
KEPT = timedelta(days=2)  # then nobody asks any more what became of it
MAX_COMMANDS = 20  # of an account in LIFETIME: anybody can write in somebody's name


@dataclass(frozen=True, slots=True)
class MailDraft:
    """What a mail from `address` of `account` asks for.

    `typed` is the line that was understood, and `words` the same for whoever carries it out, as JSON objects.
    `request` is the id of the mail.
    """

    account: str
    address: str
    typed: str
    words: Mapping[str, Any]
    request: int
    match: MatchId | None = None
    revision: int | None = None
    challenge: ChallengeId | None = None
    puzzle: PuzzleStep | None = None


@dataclass(frozen=True, slots=True)
class MailCommand:
    """A stored draft with its state: waiting for a click, confirmed, carried out."""

    id: int
    draft: MailDraft
    expires_at: datetime
    confirmed_at: datetime | None
    done_at: datetime | None


class MailCommands:
    """The commands of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, draft: MailDraft, *, now: datetime) -> bool:
        """Store a draft, and write a letter with a link to its address.

        Return False if the account has MAX_COMMANDS, or is gone: then nothing is stored or written.
        """
        async with self._database.transaction() as connection:
            is_known = await personal_data.lock_person(connection, draft.account, completely=False)
            since = to_millis(now - LIFETIME)
            count = await mail_commands.count_since(connection, draft.account, since)
            if not is_known or count >= MAX_COMMANDS:
                return False
            command = await mail_commands.add(
                connection,
                account=draft.account,
                address=draft.address,
                typed=draft.typed,
                words=json.dumps(dict(draft.words)),
                match=draft.match,
                revision=draft.revision,
                challenge=draft.challenge,
                puzzle=None if draft.puzzle is None else str(draft.puzzle),
                request=draft.request,
                made_at=to_millis(now),
                expires_at=to_millis(now + LIFETIME),
            )
            return await write_letter(
                connection,
                LetterKind.CONFIRMATION,
                draft.address,
                account=draft.account,
                details={"command": command},
                lifetime=LIFETIME,
                request=draft.request,
                now=now,
            )

    async def find(self, command: int) -> MailCommand | None:
        """Return a command; None if it is unknown, or was deleted."""
        async with self._database.read() as connection:
            row = await mail_commands.load(connection, command)
        return None if row is None else _from_row(row)

    async def confirm(self, command: int, *, now: datetime) -> MailCommand:
        """Record that the reader of the letter confirms a command; once or again, which is the same.

        Raises `mail_command_expired` also for an unknown one.
        """
        async with self._database.transaction() as connection:
            row = await mail_commands.confirm(connection, command, to_millis(now))
            if row is None:
                row = await mail_commands.load(connection, command)
        if row is None or row.confirmed_at is None:
            raise Refusal("mail_command_expired")
        return _from_row(row)

    async def list_confirmed(self, *, limit: int = 20) -> tuple[MailCommand, ...]:
        """Return commands that are confirmed and not carried out yet, the first confirmed first."""
        async with self._database.read() as connection:
            rows = await mail_commands.list_confirmed(connection, limit)
        return tuple(map(_from_row, rows))

    async def mark_done(self, command: int, *, now: datetime) -> None:
        """Record that a command was carried out, or refused."""
        async with self._database.transaction() as connection:
            await mail_commands.mark_done(connection, command, to_millis(now))

    async def delete_old(self, *, now: datetime) -> None:
        """Delete the commands that were stored longer ago than KEPT, but none that is still to be done."""
        async with self._database.transaction() as connection:
            await mail_commands.delete_old(connection, to_millis(now - KEPT))


def _from_row(row: MailCommandRow) -> MailCommand:
    return MailCommand(
        id=row.id,
        draft=MailDraft(
            account=row.account,
            address=row.address,
            typed=row.typed,
            words=json.loads(row.words),
            request=row.request,
            match=None if row.match is None else MatchId(row.match),
            revision=row.revision,
            challenge=None if row.challenge is None else ChallengeId(row.challenge),
            puzzle=None if row.puzzle is None else PuzzleStep.parse(row.puzzle),
        ),
        expires_at=from_millis(row.expires_at),
        confirmed_at=None if row.confirmed_at is None else from_millis(row.confirmed_at),
        done_at=None if row.done_at is None else from_millis(row.done_at),
    )
