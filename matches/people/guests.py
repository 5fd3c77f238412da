"""Guests: people who play the computer on a public website without signing in, one browser each.

A guest has an account and a session like everybody, but no way to sign in again. So the session lasts while
it is in use, and the guest is erased when it has ended (`matches.personal_data`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.people.sessions import new_secret, session_id_of
from matches.platforms import WEB
from matches.times import to_millis
from matches.values import Person
from storage.people import guests, people, web_sessions

if TYPE_CHECKING:
    from datetime import datetime

    from matches.people.sessions import Session
    from storage import Connection, Database

GUEST_LIFETIME = timedelta(days=90)  # of a session, since the browser came last
UNCONFIRMED_LIFETIME = timedelta(days=1)  # until the browser has come back with the secret for the first time
RENEWAL_INTERVAL = timedelta(days=1)  # between two times that a session is prolonged
MAX_SESSIONS = 3  # of one guest
ACCOUNT_BYTES = 12


@dataclass(frozen=True, slots=True)
class NewGuest:
    """A guest who is not stored yet; `device` describes the browser, `secret` is for its cookie alone."""

    person: Person
    device: str
    secret: str = field(repr=False)

    @classmethod
    def create(cls, name: str, device: str) -> NewGuest:
        """Return a guest with a random account and secret."""
        return cls(Person(f"{WEB}:{secrets.token_hex(ACCOUNT_BYTES)}", name), device, new_secret())


class Guests:
    """The guests of a database. :meth:`matches.computer.service.Computer.start` stores a new one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def resume(self, account: str, *, device: str, now: datetime) -> str | None:
        """Start another session of a guest whose browser may not have got the first, and return its secret.

        None if the account is not a guest's, or has MAX_SESSIONS.
        """
        secret = new_secret()
        async with self._database.transaction() as connection:
            is_guest = await people.is_guest(connection, account, lock=True)
            if not is_guest or await guests.count_sessions(connection, account) >= MAX_SESSIONS:
                return None
            await _save_session(connection, account, device, secret, now)
        return secret

    async def keep(self, session: Session, *, now: datetime) -> bool:
        """Let the session of a guest who is back last GUEST_LIFETIME from now; return whether it was due."""
        if not session.is_guest or session.expires_at > now + GUEST_LIFETIME - RENEWAL_INTERVAL:
            return False
        async with self._database.transaction() as connection:
            await web_sessions.prolong(connection, session.id, to_millis(now + GUEST_LIFETIME))
        return True


async def save_guest(connection: Connection, guest: NewGuest, now: datetime) -> None:
    """Store a new guest with a session, in an open transaction."""
    await guests.add(connection, guest.person.account, guest.person.name, to_millis(now))
    await _save_session(connection, guest.person.account, guest.device, guest.secret, now)


async def _save_session(
    connection: Connection, account: str, device: str, secret: str, now: datetime
) -> None:
    expires_at = to_millis(now + UNCONFIRMED_LIFETIME)
    await web_sessions.save(connection, session_id_of(secret), account, device, to_millis(now), expires_at)
