"""``python -m web``: the table by itself, on this machine, until told to stop."""

from __future__ import annotations

import asyncio
import signal
import sys

from matches import Store
from running import logs
from running.settings import CANNOT_START, SettingsError, give_up, give_up_on, read
from storage import StorageError
from web import app
from web.house import HOUSE
from web.settings import TableSettings
from words import Words


async def serve(settings: TableSettings, words: Words) -> None:
    """Serve until SIGTERM or SIGINT. Raises StorageError, OSError."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    secret = app.secret_of(settings, settings.database_url)
    with app.listen(settings) as taken:
        async with await Store.open(settings.database_url) as store:
            built = app.build(store, settings, secret, port=taken.getsockname()[1], open_house=True)
            async with app.serving(built, taken):
                sys.stdout.write(words("web.started", address=built[HOUSE].base) + "\n")
                sys.stdout.flush()
                await stop.wait()


def main() -> int:
    """Run the table and give the exit code: 0 after a clean stop, 2 for unusable settings."""
    words = Words.load()
    try:
        told = read(TableSettings)
    except SettingsError as error:
        return give_up_on(words, error)
    logs.set_up(told.log_level, *([told.web_secret.get_secret_value()] if told.web_secret else []))
    try:
        asyncio.run(serve(told, words))
    except StorageError as error:
        return give_up(CANNOT_START, words("starting.storage", reason=str(error)))
    except OSError as error:
        return give_up(CANNOT_START, words("starting.web", reason=str(error.strerror or error)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
