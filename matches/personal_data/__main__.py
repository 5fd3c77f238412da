"""``python -m matches.personal_data``: what is kept about a person, for requests that come by mail.

``export DATABASE_URL ACCOUNT FILE`` writes a ZIP file. ``erase DATABASE_URL ACCOUNT --matches resign|keep``
erases a person. ``repeat DATABASE_URL OLD_DATABASE_URL`` is for a restored backup: it erases again whom the
replaced database does not know any more. ``add-address DATABASE_URL ACCOUNT ADDRESS`` is for somebody who
has lost the mail address of an account: it adds another one.

An account on Discord is written ``discord:NUMBER``; that of somebody on the website can be written as the
name there, ``@NAME``, or as a confirmed mail address. All may run while the bot runs. The exit code is 0, or
1 if nothing was done.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from matches.errors import NothingStored, Refusal
from matches.moderation.rights import HANDLE_MARK
from matches.people.mail_codes import clean_address
from matches.personal_data.values import ErasureChoice
from matches.platforms import MAIL
from matches.service import Matches
from storage import Database, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.service import PeopleServices
    from matches.values import Person

WRITTEN = "Accounts are written like discord:123, @alice (a name on the website) or ann@example.org."
REFUSALS = {
    "address_malformed": "That is not a mail address.",
    "address_taken": "That address belongs to another account.",
    "too_many_addresses": "The account has as many addresses as it can have.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say, print one sentence about it, and return the exit code."""
    try:
        sys.stdout.write(f"{asyncio.run(_run(_parser().parse_args(arguments)))}\n")
    except NothingStored:
        sys.stderr.write(f"Nothing is stored about this account. {WRITTEN}\n")
        return 1
    except Refusal as error:
        sys.stderr.write(f"{REFUSALS.get(error.key, error)}\n")
        return 1
    except (StorageError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m matches.personal_data", description="Export or erase what is kept about a person."
    )
    actions = parser.add_subparsers(dest="action", required=True)
    export = actions.add_parser("export", help="write everything about a person into a ZIP file")
    erase = actions.add_parser("erase", help="erase a person; this cannot be undone")
    repeat = actions.add_parser("repeat", help="after a restore: erase again who was erased since the backup")
    add = actions.add_parser("add-address", help="let a person sign in by another mail address")
    for one in (export, erase, repeat, add):
        one.add_argument("database", help="sqlite:///FILE or postgresql://...")
    for one in (export, erase, add):
        one.add_argument("account", help="such as discord:123456789012345678, @alice or ann@example.org")
    export.add_argument("file", type=Path, help="the ZIP file to write")
    erase.add_argument(
        "--matches", required=True, choices=list(ErasureChoice), help="what to do with matches in progress"
    )
    add.add_argument("address", help="the mail address; make sure that the person reads it")
    repeat.add_argument("old_database", help="the database that the restored one replaced")
    return parser


async def _run(parsed: argparse.Namespace) -> str:
    now = datetime.now(UTC)
    async with await Database.open(parsed.database, only_current=True) as database:
        people = Matches(database).people
        service = people.personal_data
        if parsed.action == "repeat":
            async with await Database.open(parsed.old_database, only_current=True) as old:
                return f"Erased again: {await service.repeat_erasures(old, now=now)}."
        person = await _find_person(people, parsed.account)
        if parsed.action == "add-address":
            address = clean_address(parsed.address)
            await people.identities.add(person, MAIL, address, is_confirmed=True, now=now)
            return f"Added {address}."
        if parsed.action == "export":
            export = await service.export(person.account, now=now)
            await asyncio.to_thread(_write_private, parsed.file, export.data)
            return f"Wrote {parsed.file}, {len(export.data)} bytes."
        done = await service.erase(person.account, ErasureChoice(parsed.matches), now=now)
        if done.is_complete:
            return f"Erased. Matches resigned: {done.resigned}."
        return f"Erased in part. The rest goes when the matches in progress have ended: {done.kept}."


async def _find_person(people: PeopleServices, named: str) -> Person:
    """Return a person by account, name on the website or confirmed mail address. Raises NothingStored."""
    account: str | None = named
    if named.startswith(HANDLE_MARK):
        account = await people.handles.find(named.removeprefix(HANDLE_MARK))
    elif HANDLE_MARK in named:
        account = await people.identities.find_account(MAIL, clean_address(named))
    person = None if account is None else await people.accounts.get(account)
    if person is None:
        raise NothingStored
    return person


def _write_private(path: Path, data: bytes) -> None:
    """Write a file that only this user can read. Raises OSError."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        os.fchmod(file.fileno(), 0o600)  # it may have been there
        file.write(data)


if __name__ == "__main__":
    sys.exit(main())
