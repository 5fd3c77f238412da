"""``python -m ai.worker [DATABASE_URL]``: think for the computer opponent of a database, until SIGTERM.

Any number of workers, on any machines that reach the database, share the work. Without an argument the URL is
that of the setting DATABASE_URL. The database is never migrated: start the bot or the website first.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

from ai.search import Opponent
from ai.weights import load_ratings
from ai.worker.worker import Worker
from engine import GAMES
from i18n import Texts
from matches import WEB, Matches
from metrics.monitor import MetricsUnavailable, serve_monitor
from runtime import logs
from runtime.settings import (
    EXIT_CANNOT_START,
    DatabaseSettings,
    SettingsError,
    load_settings,
    report_failure,
    report_settings_error,
)
from runtime.steady_clock import SteadyClock
from storage import Database, StorageError

if TYPE_CHECKING:
    from metrics.address import Address

NICENESS = 10


async def serve(
    url: str, idle_limit: timedelta | None, *, with_parent: bool, metrics_address: Address | None
) -> None:
    """Work until SIGTERM, SIGINT or the limit; with a parent, also until its end of the pipe is closed.

    Raises StorageError for a database that cannot be opened, MetricsUnavailable.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if with_parent:
        await loop.connect_read_pipe(lambda: ParentPipe(stop), sys.stdin)
    async with (
        serve_monitor(metrics_address) as monitor,
        await Database.open(url, only_current=True, metrics=monitor.metrics) as database,
    ):
        matches, now = Matches(database, games=GAMES, computer_ratings=load_ratings()), SteadyClock()
        matches.work.backlogs.watch(monitor, WEB, now)
        await Worker(matches, GAMES, Opponent.start(), now, idle_limit).run(stop)


class ParentPipe(asyncio.Protocol):
    """The pipe from the process that started this one. It is closed when that process ends in any way."""

    def __init__(self, stop: asyncio.Event) -> None:
        self._stop = stop

    def connection_lost(self, _error: Exception | None) -> None:
        """Stop: the parent is gone."""
        self._stop.set()


def main() -> int:
    """Run a worker and return the exit code: 0, or one of :mod:`runtime.settings`."""
    parser = argparse.ArgumentParser(prog="python -m ai.worker", description=__doc__)
    parser.add_argument("database_url", nargs="?", help="by default the setting DATABASE_URL")
    parser.add_argument("--idle-minutes", type=float, help="end after so long without work; by default never")
    parser.add_argument("--with-parent", action="store_true", help="end when standard input is closed")
    given = parser.parse_args()
    texts = Texts.load()
    try:
        settings = load_settings(DatabaseSettings)
    except SettingsError as error:
        return report_settings_error(texts, error)
    logs.configure(settings.log_level)
    os.nice(NICENESS)
    idle_limit = None if given.idle_minutes is None else timedelta(minutes=given.idle_minutes)
    try:
        url = given.database_url or settings.database_url
        # The setting is that of the parent, which listens on the address.
        address = None if given.with_parent else settings.metrics
        asyncio.run(serve(url, idle_limit, with_parent=given.with_parent, metrics_address=address))
    except MetricsUnavailable as error:
        return report_failure(EXIT_CANNOT_START, texts(error.text_key, reason=error.reason))
    except StorageError as error:
        return report_failure(EXIT_CANNOT_START, texts("starting.storage", reason=str(error)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
