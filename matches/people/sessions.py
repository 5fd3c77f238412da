"""Sessions: people who signed in with their account, browser by browser, and the servers they are members of.

The secret of a session is known to its browser alone; the database has its hash. An account that signed in
with Discord has one grant: the token with which a front end reads its list of servers again. Of that list
only servers that are known here are kept. With the last session the grant ends.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.people.identities import require_open
from matches.platforms import WEB, platform_of
from matches.times import from_millis, to_millis
from matches.values import Person
from storage import StorageUnavailable
from storage.people import people, personal_data, web_sessions

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from storage import Connection, Database
    from storage.people.web_sessions import SessionRow

SESSION_LIFETIME = timedelta(days=30)
USE_INTERVAL = timedelta(hours=1)  # between two times that the last use of a session is stored
SERVERS_LIFETIME = timedelta(hours=1)  # until the servers of an account are read again
SERVERS_RETRY = timedelta(minutes=5)  # until the next attempt if that failed
MAX_SERVERS_AGE = timedelta(days=1)  # older lists count as empty, because people leave servers
SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Session:
    """A person who is signed in with one browser; `device` describes it in a few words.

    `servers` are those of the account that are known here, read at `servers_read_at`, to be read again at
    `servers_due_at`: both are None for an account without a grant. `is_guest` marks somebody without a name
    of their own, who has only played the computer, `is_warned` somebody who has not confirmed a warning.
    """

    id: str
    account: str
    name: str
    device: str
    made_at: datetime
    used_at: datetime
    expires_at: datetime
    servers: frozenset[str]
    servers_read_at: datetime | None
    servers_due_at: datetime | None
    is_guest: bool = False
    is_warned: bool = False

    @property
    def person(self) -> Person:
        """Who is signed in."""
        return Person(self.account, self.name)


@dataclass(frozen=True, slots=True)
class Grant:
    """What an account allows to read: its servers, and the token with which to read them again."""

    servers: frozenset[str]
    token: str = field(repr=False)


class Sessions:
    """The sessions of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def start(self, person: Person, grant: Grant | None, *, device: str, now: datetime) -> str:
        """Start a session and return its secret, which is new. The name of a known person stays as it is.

        `grant` is what Discord allows to read; None for who signed in another way. Raises `account_closed`,
        and `nothing_stored` for an account of the website that was erased or joined meanwhile.
        """
        secret, time = new_secret(), to_millis(now)
        async with self._database.transaction() as connection:
            await ensure_person(connection, person, now)
            await require_open(connection, person.account)
            if grant is not None:
                known, due_at = await _known_servers(connection, grant.servers), now + SERVERS_LIFETIME
                await web_sessions.save_grant(
                    connection, person.account, grant.token, known, time, to_millis(due_at)
                )
            expires_at = to_millis(now + SESSION_LIFETIME)
            await web_sessions.save(
                connection, session_id_of(secret), person.account, device, time, expires_at
            )
        return secret

    async def find(self, secret: str, *, now: datetime) -> Session | None:
        """Return the session with this secret; None if there is none, or no longer."""
        async with self._database.read() as connection:
            row = await web_sessions.load(connection, session_id_of(secret), to_millis(now))
        return None if row is None else await self.use(row, now=now)

    async def use(self, row: SessionRow, *, now: datetime) -> Session:
        """Return a session that was read, and store now and then that it is in use."""
        if from_millis(row.used_at) + USE_INTERVAL <= now:
            with suppress(StorageUnavailable):
                async with self._database.transaction() as connection:
                    await web_sessions.mark_used(connection, row.id, to_millis(now))
        return _session_from_row(row, now)

    async def list_for(self, account: str, *, now: datetime) -> tuple[Session, ...]:
        """Return the sessions of an account, the last used first."""
        async with self._database.read() as connection:
            rows = await web_sessions.list_for(connection, account, to_millis(now))
        return tuple(_session_from_row(row, now) for row in rows)

    async def end(self, account: str, session_id: str | None = None) -> str | None:
        """End a session of an account, or all; return the token if its grant ended with the last one."""
        async with self._database.transaction() as connection:
            await web_sessions.lock_grant(connection, account)
            await web_sessions.remove(connection, account, session_id)
            return await web_sessions.remove_unused_grant(connection, account)

    async def delete_expired(self, *, now: datetime) -> tuple[str, ...]:
        """Delete the sessions that have expired; return the tokens of grants that ended with them."""
        async with self._database.read() as connection:
            accounts = await web_sessions.list_expired_accounts(connection, to_millis(now))
        tokens = []
        for account in accounts:
            async with self._database.transaction() as connection:
                await web_sessions.lock_grant(connection, account)
                await web_sessions.remove_expired(connection, account, to_millis(now))
                tokens.append(await web_sessions.remove_unused_grant(connection, account))
        return tuple(token for token in tokens if token is not None)

    async def claim_grant(self, session: Session, *, now: datetime) -> str | None:
        """Return the token to read the servers of an account whose list is due; None if another reads them.

        Without a new list the next attempt is due after SERVERS_RETRY.
        """
        if session.servers_due_at is None:
            return None
        retry_at = to_millis(now + SERVERS_RETRY)
        async with self._database.transaction() as connection:
            return await web_sessions.claim_grant(
                connection, session.account, to_millis(session.servers_due_at), retry_at
            )

    async def renew_grant(
        self, account: str, old_token: str, token: str, servers: Iterable[str] | None, *, now: datetime
    ) -> None:
        """Replace `old_token`, and the list of servers unless `servers` is None: it could not be read."""
        async with self._database.transaction() as connection:
            await web_sessions.renew_token(connection, account, old_token, token)
            if servers is not None:
                known = await _known_servers(connection, servers)
                due_at = to_millis(now + SERVERS_LIFETIME)
                await web_sessions.save_servers(connection, account, token, known, to_millis(now), due_at)

    async def revoke_grant(self, account: str, token: str) -> None:
        """End all sessions of an account whose token was revoked, unless it has another token by now."""
        async with self._database.transaction() as connection:
            if await web_sessions.remove_grant(connection, account, token):
                await web_sessions.remove(connection, account)


async def ensure_person(connection: Connection, person: Person, now: datetime) -> None:
    """Store a person of a chat platform, who may be new; one of the website has registered before.

    The person is locked until the commit. Raises `nothing_stored`.
    """
    if platform_of(person.account) != WEB:
        await people.ensure(connection, person.account, person.name, to_millis(now))
    elif not await personal_data.lock_person(connection, person.account, completely=False):
        raise Refusal("nothing_stored")


async def _known_servers(connection: Connection, servers: Iterable[str]) -> str:
    return json.dumps(await web_sessions.list_known_servers(connection, sorted(servers)))


def _session_from_row(row: SessionRow, now: datetime) -> Session:
    read_at = None if row.read_at is None else from_millis(row.read_at)
    is_current = read_at is not None and now - read_at <= MAX_SERVERS_AGE
    return Session(
        id=row.id,
        account=row.account,
        name=Person(row.account, row.name).name,
        device=row.device,
        made_at=from_millis(row.made_at),
        used_at=from_millis(row.used_at),
        expires_at=from_millis(row.expires_at),
        servers=frozenset(json.loads(row.servers or "[]")) if is_current else frozenset(),
        servers_read_at=read_at,
        servers_due_at=None if row.next_read_at is None else from_millis(row.next_read_at),
        is_guest=row.is_guest,
        is_warned=row.is_warned,
    )


def new_secret() -> str:
    """Return a random secret for a session."""
    return secrets.token_urlsafe(SECRET_BYTES)


def session_id_of(secret: str) -> str:
    """Return the id of the session with this secret."""
    return sha256(secret.encode()).hexdigest()
