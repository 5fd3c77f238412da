"""Codes by mail: six digits and a link, which show that whoever typed an address also reads its mail.

A question is bound to the browser that asked: only its secret finds the question again. The code and the
link follow from the id of the question and the secret of the website, so that no table and no backup holds
one. An answer must never say whether an address is known, or asked too often.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.posting.letters import LetterKind, count_letters, write_letter
from matches.times import to_millis
from storage.people import mail_codes

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from storage import Database

CODE_DIGITS = 6
MAX_TRIES = 5  # wrong answers, after which no answer counts any more
QUESTION_LIFETIME = timedelta(minutes=15)
CONFIRMED_LIFETIME = timedelta(minutes=15)  # to do what the answer was for
KEPT = timedelta(days=1)
LETTER_LIMITS = ((timedelta(minutes=15), 3), (timedelta(days=1), 10))  # to one address
SECRET_BYTES = 32
MAX_ADDRESS_LENGTH = 200  # characters


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An address whose mail is read where the question was asked.

    `account` is the one that it is to be added to; None for signing in.
    """

    address: str
    account: str | None


class MailCodes:
    """The questions of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ask(
        self, address: str, *, account: str | None = None, language: str = "", now: datetime
    ) -> str:
        """Ask whoever reads the mail of an address (:func:`clean_address`), and return the browser's secret.

        `account` is the one that the address is to be added to; None for signing in. `language` is that in
        which they are asked. Beyond LETTER_LIMITS
        nothing is written, and no answer will be the right one: nobody but the mailbox shows it.
        """
        secret = secrets.token_urlsafe(SECRET_BYTES)
        question = question_of(secret)
        async with self._database.transaction() as connection:
            await mail_codes.lock_address(connection, address)
            for within, limit in LETTER_LIMITS:
                count = await count_letters(connection, LetterKind.CODE, address, within=within, now=now)
                if count >= limit:
                    return secret
            expires_at = to_millis(now + QUESTION_LIFETIME)
            await mail_codes.add(connection, question, address, account, to_millis(now), expires_at)
            await write_letter(
                connection,
                LetterKind.CODE,
                address,
                account=account,
                details={
                    "code": question,
                    "purpose": "sign_in" if account is None else "add",
                    "language": language,
                },
                lifetime=QUESTION_LIFETIME,
                now=now,
            )
        return secret

    async def answer(self, browser_secret: str, code: str, *, key: str, now: datetime) -> Confirmed:
        """Return what the question of a browser was about if this is its code; `key` is the website's secret.

        The question is used up: the same browser can only go on with what it was for. Raises `code_wrong`
        also for a question that has expired, was never asked, or had too many wrong answers.
        """
        digits = "".join(code.split())
        return await self._answer(browser_secret, lambda question: derive_code(key, question), digits, now)

    async def answer_by_link(
        self, browser_secret: str | None, token: str, *, key: str, now: datetime
    ) -> Confirmed:
        """Do the same with the token of the link.

        Raises `link_elsewhere` without a secret, and for the link of a question of another browser.
        """
        if not browser_secret or not _is_equal(derive_link_token(key, question_of(browser_secret)), token):
            raise Refusal("link_elsewhere")
        return await self._answer(
            browser_secret, lambda question: derive_link_token(key, question), token, now
        )

    async def find_confirmed(self, browser_secret: str, *, now: datetime) -> Confirmed | None:
        """Return what a browser has confirmed and can still go on with; None for nothing."""
        async with self._database.read() as connection:
            row = await mail_codes.load(connection, question_of(browser_secret))
        if row is None or row.used_at is None or row.expires_at <= to_millis(now):
            return None
        return Confirmed(row.address, row.account)

    async def delete_old(self, *, now: datetime) -> None:
        """Delete the questions that were asked longer than KEPT ago."""
        async with self._database.transaction() as connection:
            await mail_codes.delete_old(connection, to_millis(now - KEPT))

    async def _answer(
        self, browser_secret: str, derive: Callable[[str], str], given: str, now: datetime
    ) -> Confirmed:
        question, millis = question_of(browser_secret), to_millis(now)
        is_right = _is_equal(derive(question), given)
        async with self._database.transaction() as connection:
            row = await mail_codes.load(connection, question, lock=True)
            is_alive = row is not None and row.tries < MAX_TRIES and row.expires_at > millis
            if row is not None and is_alive and not is_right:
                await mail_codes.count_try(connection, question)
            if row is not None and is_alive and is_right and row.used_at is None:
                confirmed_until = to_millis(now + CONFIRMED_LIFETIME)
                await mail_codes.mark_used(connection, question, millis, confirmed_until)
        if row is None or not is_alive or not is_right:
            raise Refusal("code_wrong")
        return Confirmed(row.address, row.account)


def clean_address(text: str) -> str:
    """Return a mail address as it is stored and compared, or raise `address_malformed`.

    International domains are written in ASCII. All is in lower case, the part before the @ too: servers may
    tell cases apart there, but none in use does, and whoever types it differently is the same person.
    """
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415 - few processes need it

    stripped = text.strip()
    if len(stripped) > MAX_ADDRESS_LENGTH:
        raise Refusal("address_malformed")
    try:
        found = validate_email(stripped, check_deliverability=False, allow_smtputf8=False)
    except EmailNotValidError as error:
        raise Refusal("address_malformed") from error
    address = (found.ascii_email or "").lower()
    if not address or len(address) > MAX_ADDRESS_LENGTH:
        raise Refusal("address_malformed")
    return address


def question_of(browser_secret: str) -> str:
    """Return the id of the question of a browser with this secret."""
    return sha256(browser_secret.encode()).hexdigest()


def derive_code(secret: str, question: str) -> str:
    """Return the six digits that answer the question with this id.

    They follow from the secret of the website, so that no table and no backup holds a code.
    """
    return f"{int.from_bytes(_derive(secret, 'code', question)) % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def derive_link_token(secret: str, question: str) -> str:
    """Return what the link in the mail has instead of the code: 128 bits as hexadecimal digits."""
    return _derive(secret, "link", question)[:16].hex()


def _derive(secret: str, purpose: str, question: str) -> bytes:
    return hmac.digest(secret.encode(), f"mail {purpose} {question}".encode(), sha256)


def _is_equal(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode(errors="replace"))
