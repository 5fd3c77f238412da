"""Moving an installation from SQLite to PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from backups.parallel_replay import replay_in_processes
from matches.log_audit import list_match_ids
from matches.ratings.service import Ratings
from storage import Database, StorageDamaged, StorageUrlError
from storage.connections.url import parse_url
from storage.copies import transfer
from storage.copies.postgres_dump import reporting_errors
from storage.copies.sqlite_files import locked_database

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import URL


async def move_database(
    source_url: str,
    target_url: str,
    on_table: Callable[[str, int], None],
    on_replayed: Callable[[int, int], None],
) -> None:
    """Copy an SQLite database to an empty one of PostgreSQL, compare all counts, and replay every match.

    Calls `on_table` with the name and the number of rows of each table, and `on_replayed` now and then with
    the number of matches so far, and of all. Nobody may use either database meanwhile. Raises StorageError;
    then the target is refused until this was repeated.
    """
    source, target = parse_url(source_url), parse_url(target_url)
    if (source.get_backend_name(), target.get_backend_name()) != ("sqlite", "postgresql"):
        raise StorageUrlError("Copying goes from SQLite to PostgreSQL: name a URL of each, in this order.")
    with locked_database(Path(str(source.database))) as rows, reporting_errors():
        async with transfer.open_target(target) as (engine, connection):
            await transfer.prepare(connection)
            await transfer.copy_rows(rows, connection, on_table)
            await _verify(Database(engine), target, on_replayed)
            await transfer.finish(connection)


async def _verify(database: Database, url: URL, on_replayed: Callable[[int, int], None]) -> None:
    """Replay every match and rating. Raises StorageError."""
    matches = await list_match_ids(database)
    async for done in replay_in_processes(url, matches):
        on_replayed(done, len(matches))
    for game, difference in (await Ratings(database).audit()).items():
        raise StorageDamaged(f"The ratings of {game} do not follow from the matches: {difference}.")
