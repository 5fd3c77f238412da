"""Who is a moderator: whom the operator names by account, mail address or name on the website."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from matches.names import fold_name
from matches.platforms import DISCORD, MAIL
from storage.people import moderation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from storage import Connection

HANDLE_MARK = "@"  # before a name on the website
ENTRY = re.compile(r"discord:[0-9]{15,20}|@\S{1,60}|[^@\s,]{1,64}@[^@\s,]{1,255}")


def parse_moderators(text: str) -> tuple[str, ...]:
    """Return the entries of the setting MODERATORS, which commas separate. Raises ValueError."""
    entries = tuple(part.strip() for part in text.split(",") if part.strip())
    if not all(ENTRY.fullmatch(entry) for entry in entries):
        raise ValueError("neither an account, nor a mail address, nor a name")
    return entries


async def is_moderator(connection: Connection, entries: Sequence[str], account: str) -> bool:
    """Return whether one of the entries is an account: as it is named now, at its confirmed addresses."""
    if not entries:
        return False
    handles = {fold_name(one.removeprefix(HANDLE_MARK)) for one in entries if one.startswith(HANDLE_MARK)}
    accounts = {one for one in entries if HANDLE_MARK not in one}
    mails = {one for one in entries if HANDLE_MARK in one and not one.startswith(HANDLE_MARK)}
    addresses = {(MAIL, text) for one in mails for text in (one, one.lower())}
    addresses |= {(DISCORD, one.partition(":")[2]) for one in accounts}  # joined with another account
    return await moderation.is_among(
        connection, account, accounts=accounts, handles=handles, addresses=addresses
    )
