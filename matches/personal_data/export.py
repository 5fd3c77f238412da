"""An export: what is kept about a person as JSON, and their matches as records, in one ZIP file."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from engine.records import format_record
from matches.errors import NoBoard, NothingStored, Refusal
from matches.personal_data.sections import ACCOUNT_COLUMNS, JSON_COLUMNS, SECTIONS
from matches.personal_data.stand_ins import DELETED_NAME
from matches.ratings.values import decode_rating
from matches.records.from_match import record_from_history
from matches.times import from_millis
from matches.values import MatchId
from storage.people import personal_data

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches.personal_data.sections import Section
    from matches.views import Views
    from storage import Database

FORMAT = "rayuela-personal-data-1"  # described by docs/personal-data.schema.json
DATA_FILE, GUIDE_FILE = "data.json", "README.txt"
MEGABYTE = 1_000_000
DIRECTORY_BYTES = 200  # at most, of one file in the directory of the ZIP file and before its data
RATING_COLUMNS = ("rating", "deviation", "volatility")
GUIDE = """\
This is everything that Rayuela keeps about you.

data.json   all of it, as JSON; docs/personal-data.schema.json in the project describes it
matches/    each of your matches as a record: text that people and programs can read

Times are in UTC. You are called by your account; other players by their names. What your opponents keep for
themselves, such as their notes, is not in here.
"""


@dataclass(frozen=True, slots=True)
class Export:
    """A ZIP file, and how many records did not fit into it."""

    data: bytes
    left_out: int


async def build_export(
    database: Database, views: Views, account: str, now: datetime, max_bytes: int | None
) -> Export:
    """Return the export of a person; see :meth:`matches.personal_data.service.PersonalData.export`."""
    data = await _load_data(database, account)
    if not data["person"]:
        raise NothingStored
    described = {"format": FORMAT, "exported_at": _format_time(now), **data}
    text = await asyncio.to_thread(json.dumps, described, indent=1, ensure_ascii=False)
    buffer, left_out = BytesIO(), 0
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        _add(archive, GUIDE_FILE, GUIDE, now)
        await asyncio.to_thread(_add, archive, DATA_FILE, text, now)
        if max_bytes is not None and buffer.tell() + DIRECTORY_BYTES > max_bytes:
            raise Refusal("export_too_large", megabytes=max_bytes // MEGABYTE)
        for match in data["matches"]:
            record = await _record(views, MatchId(match["id"]))
            if record is None:
                continue
            written = buffer.tell() + (len(archive.filelist) + 1) * DIRECTORY_BYTES
            if max_bytes is not None and written + len(record.encode()) > max_bytes:
                left_out += 1
            else:
                await asyncio.to_thread(_add, archive, f"matches/match-{match['id']}.txt", record, now)
    return Export(buffer.getvalue(), left_out)


async def _load_data(database: Database, account: str) -> dict[str, Any]:
    """Return the sections, as JSON values."""
    async with database.read() as connection:
        rows = {
            section.key: await personal_data.list_rows(connection, section.table, section.owners, account)
            for section in SECTIONS
        }
        accounts = await asyncio.to_thread(_list_accounts, rows)
        names = await personal_data.list_names(connection, accounts)

    def describe() -> dict[str, Any]:
        return {
            section.key: [_to_json(section, row, account, names) for row in rows[section.key]]
            for section in SECTIONS
        }

    return await asyncio.to_thread(describe)


def _list_accounts(rows: Mapping[str, list[dict[str, Any]]]) -> set[str]:
    """Return the accounts in the rows of each section."""
    return {
        row[column]
        for section in SECTIONS
        for row in rows[section.key]
        for column in ACCOUNT_COLUMNS & row.keys()
        if row[column] is not None
    }


def _to_json(
    section: Section, row: Mapping[str, Any], account: str, names: Mapping[str, str]
) -> dict[str, Any]:
    if section.table in {"ratings", "rating_steps", "puzzle_ratings"}:
        rating = decode_rating(*(row[name] for name in RATING_COLUMNS))
        row = {**row, **{name: getattr(rating, name) for name in RATING_COLUMNS}}
    return {
        name: _value(section.table, column, row[column], account, names) for name, column in section.fields
    }


def _value(table: str, column: str, value: Any, account: str, names: Mapping[str, str]) -> Any:
    if value is None:
        return None
    if column.endswith("_at"):
        return _format_time(from_millis(value))
    if column in ACCOUNT_COLUMNS:
        return account if value == account else names.get(value, DELETED_NAME)
    return json.loads(value) if f"{table}.{column}" in JSON_COLUMNS else value


def _format_time(time: datetime) -> str:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


async def _record(views: Views, match: MatchId) -> str | None:
    """Return the record of a match, up to its last announced turn; None if it has no board."""
    try:
        history = await views.history(match)
        return await asyncio.to_thread(lambda: format_record(record_from_history(history)))
    except NoBoard:
        return None


def _add(archive: ZipFile, name: str, text: str, now: datetime) -> None:
    entry = ZipInfo(name, now.timetuple()[:6])
    entry.compress_type = ZIP_DEFLATED
    archive.writestr(entry, text)
