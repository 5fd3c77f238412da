"""Passkeys (WebAuthn): the second way to sign in for those who have an account.

The private key stays with its owner; stored are the public key, its id and the counter of the device. Each
answer of a browser is to a *challenge*, a random text that the browser got from us a moment ago. A challenge
counts once, and a counter only goes up, so an answer that somebody has seen opens nothing.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from matches.errors import Refusal
from matches.people.identities import tell_addresses
from matches.times import from_millis, to_millis
from matches.values import Person
from storage import RequestRepeated
from storage.people import passkeys, personal_data
from storage.people.passkeys import PasskeyRow
from storage.work.requests import current_request

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from storage import Database

MAX_PASSKEYS = 10  # of an account
CHALLENGE_LIFETIME = timedelta(minutes=5)
MAX_ID_BYTES = 1023  # as the standard says
KEY_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{-(-MAX_ID_BYTES * 4 // 3)}}}", re.ASCII)
REFUSED = "passkey_refused"  # one key for every reason, so that nobody learns which passkeys exist


@dataclass(frozen=True, slots=True)
class Site:
    """Where passkeys count: on the pages of `origin` (``https://host``) alone; they are made for `host`."""

    host: str
    origin: str


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey that was made on `device`; of the last time it was used only the day is known, at noon."""

    id: str
    device: str
    made_at: datetime
    used_on: datetime | None


@dataclass(frozen=True, slots=True)
class CheckedKey:
    """What an answer has proved: the key in base64url as it is stored, and the counter of its device."""

    id: str
    public_key: str
    uses: int


Run: TypeAlias = "Callable[[Callable[[], CheckedKey]], Awaitable[CheckedKey]]"


class Passkeys:
    """The passkeys of a database.

    `answer` is what a browser says, as JSON, and `run` calls a function in a thread. Every method that gets
    an answer raises `passkey_refused` for any that does not count.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_for(self, account: str) -> tuple[Passkey, ...]:
        """Return the passkeys of an account, the newest first."""
        async with self._database.read() as connection:
            rows = await passkeys.list_for(connection, account)
        return tuple(map(_passkey_from_row, rows))

    async def add(
        self, account: str, answer: str, challenge: str, site: Site, *, device: str, run: Run, now: datetime
    ) -> None:
        """Add the passkey that a browser has made; letters to the mail addresses of the account say so.

        Raises `too_many_passkeys`, `signed_out` for an account that does not exist any more.
        """
        found = _read_answer(answer)
        key = await run(lambda: _check_new(found, challenge, site))
        row = PasskeyRow(key.id, account, key.public_key, key.uses, device, to_millis(now), None)
        with _counting_once(challenge, now):
            async with self._database.transaction() as connection:
                if not await personal_data.lock_person(connection, account, completely=False):
                    raise Refusal("signed_out")
                if len(await passkeys.list_for(connection, account)) >= MAX_PASSKEYS:
                    raise Refusal("too_many_passkeys", limit=MAX_PASSKEYS)
                if not await passkeys.add(connection, row):
                    raise Refusal(REFUSED)
                await tell_addresses(connection, account, "passkey_added", now)

    async def sign_in(self, answer: str, challenge: str, site: Site, *, run: Run, now: datetime) -> Person:
        """Return whose passkey has answered, and store that it was used today."""
        found = _read_answer(answer)
        async with self._database.read() as connection:
            known = await passkeys.load(connection, found["id"])
        if known is None:
            raise Refusal(REFUSED)
        key = await run(lambda: _check_use(found, challenge, site, known))
        with _counting_once(challenge, now):
            async with self._database.transaction() as connection:
                row = await passkeys.load(connection, key.id, lock=True)
                if row is None or row.uses != known.uses:  # removed or used meanwhile
                    raise Refusal(REFUSED)
                # Noon is the same day in nearly every time zone.
                noon = datetime.combine(now.astimezone(UTC), time(12), UTC)
                await passkeys.mark_used(connection, key.id, key.uses, to_millis(noon))
                name = await personal_data.find_name(connection, row.account)
        return Person(row.account, name or "")

    async def remove(self, account: str, key: str) -> None:
        """Remove a passkey of an account, given by its id."""
        async with self._database.transaction() as connection:
            await passkeys.remove(connection, account, key)


@contextmanager
def _counting_once(challenge: str, now: datetime) -> Iterator[None]:
    """Let the transaction inside fail if another one was about the same challenge, in any process."""
    number = -1 - (int.from_bytes(sha256(challenge.encode()).digest()[:8]) >> 1)
    try:
        with current_request(number, to_millis(now)):
            yield
    except RequestRepeated as error:
        raise Refusal(REFUSED) from error


def _read_answer(text: str) -> dict[str, Any]:
    """Return an answer whose `id` can be one of a key; nothing else of it is checked."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal(REFUSED) from error
    answer: dict[str, Any] = found if isinstance(found, dict) else {}
    key = answer.get("id")
    if not isinstance(key, str) or KEY_ID.fullmatch(key) is None:
        raise Refusal(REFUSED)
    return answer


def _check_new(answer: dict[str, Any], challenge: str, site: Site) -> CheckedKey:
    """Return the key that was made for a challenge."""
    import webauthn  # noqa: PLC0415 - few processes need it
    from webauthn.helpers import base64url_to_bytes, bytes_to_base64url  # noqa: PLC0415

    try:
        found = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except Exception as error:  # whatever bytes of strangers lead to in parsers and cryptography
        raise Refusal(REFUSED) from error
    if bytes_to_base64url(found.credential_id) != answer["id"]:
        raise Refusal(REFUSED)
    return CheckedKey(answer["id"], bytes_to_base64url(found.credential_public_key), found.sign_count)


def _check_use(answer: dict[str, Any], challenge: str, site: Site, row: PasskeyRow) -> CheckedKey:
    """Return a stored key that has signed a challenge, with its counter."""
    import webauthn  # noqa: PLC0415 - few processes need it
    from webauthn.helpers import base64url_to_bytes  # noqa: PLC0415

    try:
        found = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=row.uses,
        )
    except Exception as error:  # as above
        raise Refusal(REFUSED) from error
    return CheckedKey(row.id, row.public_key, found.new_sign_count)


def _passkey_from_row(row: PasskeyRow) -> Passkey:
    used_on = None if row.used_at is None else from_millis(row.used_at)
    return Passkey(row.id, row.device, from_millis(row.made_at), used_on)
