"""Browsers that show notifications for a person, also while no page is open.

A browser belongs to the session in which its owner switched notifications on, and ends with it. Its endpoint
is a secret address at the service of its maker; whatever is sent there is encrypted with its keys.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.people.push_endpoints import is_endpoint
from matches.times import from_millis, to_millis
from storage.people import personal_data, push_subscriptions

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from matches.people.sessions import Session
    from storage import Database
    from storage.people.push_subscriptions import PushSubscriptionRow

MAX_BROWSERS = 10  # of an account
PUBLIC_KEY_BYTES = 65  # an uncompressed point of the curve P-256
UNCOMPRESSED = 4  # its first byte
AUTH_BYTES = 16
MAX_KEY_LENGTH = 100  # characters


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that shows notifications, described by `device`; `session` is the id of its session.

    `used_at` is when the last notification was sent to it, None if none was.
    """

    id: int
    session: str
    device: str
    made_at: datetime
    used_at: datetime | None
    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)


class PushSubscriptions:
    """The browsers of a database that show notifications."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        session: Session,
        endpoint: str,
        *,
        p256dh: str,
        auth: str,
        more_hosts: tuple[str, ...] = (),
        now: datetime,
    ) -> None:
        """Send notifications for the account of a session to its browser.

        A session has one browser: another endpoint replaces the last one. An endpoint that another session
        had is this session's from then on. Of more than MAX_BROWSERS the oldest is dropped. `more_hosts` are
        allowed besides the known services.

        Raises `push_unknown_service`, `push_malformed`, `signed_out`.
        """
        if not is_endpoint(endpoint, more_hosts):
            raise Refusal("push_unknown_service")
        keys = json.dumps(
            {"p256dh": _check_key(p256dh, PUBLIC_KEY_BYTES), "auth": _check_key(auth, AUTH_BYTES)}
        )
        millis = to_millis(now)
        async with self._database.transaction() as connection:
            await personal_data.lock_person(connection, session.account, completely=False)
            if not await push_subscriptions.lock_session(connection, session.id, session.account, millis):
                raise Refusal("signed_out")
            await push_subscriptions.save(
                connection,
                session.account,
                session.id,
                endpoint,
                keys=keys,
                device=session.device,
                now=millis,
            )
            rows = await push_subscriptions.list_for(connection, session.account, millis)
            oldest = [row.id for row in rows[MAX_BROWSERS:]]
            await push_subscriptions.remove(connection, session.account, oldest)

    async def list_for(self, account: str, *, now: datetime) -> tuple[Browser, ...]:
        """Return the browsers of an account, the one that was added last first."""
        async with self._database.read() as connection:
            rows = await push_subscriptions.list_for(connection, account, to_millis(now))
        return tuple(map(_browser_from_row, rows))

    async def remove(self, account: str, browsers: Iterable[int]) -> None:
        """Forget browsers of an account, given by their ids."""
        async with self._database.transaction() as connection:
            await push_subscriptions.remove(connection, account, tuple(browsers))

    async def mark_used(self, browsers: Iterable[int], *, now: datetime) -> None:
        """Record that a notification was sent to browsers, given by their ids."""
        async with self._database.transaction() as connection:
            await push_subscriptions.mark_used(connection, tuple(browsers), to_millis(now))


def _check_key(text: str, size: int) -> str:
    """Return a key of `size` bytes in base64url without padding. Raises `push_malformed`."""
    bare = text.rstrip("=")
    try:
        decoded = urlsafe_b64decode(bare + "=" * (-len(bare) % 4)) if len(text) <= MAX_KEY_LENGTH else b""
    except (Base64Error, ValueError) as error:
        raise Refusal("push_malformed") from error
    is_point = size != PUBLIC_KEY_BYTES or decoded[:1] == bytes([UNCOMPRESSED])
    if len(decoded) != size or not is_point:
        raise Refusal("push_malformed")
    return bare


def _browser_from_row(row: PushSubscriptionRow) -> Browser:
    return Browser(
        id=row.id,
        session=row.session,
        device=row.device,
        made_at=from_millis(row.made_at),
        used_at=None if row.used_at is None else from_millis(row.used_at),
        endpoint=row.endpoint,
        **json.loads(row.keys),
    )
