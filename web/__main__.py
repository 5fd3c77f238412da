"""``python -m web``: the website in a process of its own, until SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import signal
import sys

from i18n import Texts
from matches import Database
from runtime import logs
from runtime.descriptors import raise_descriptor_limit
from runtime.settings import (
    EXIT_BAD_SETTINGS,
    EXIT_CANNOT_START,
    SettingsError,
    load_settings,
    report_failure,
    report_settings_error,
)
from runtime.worker_process import can_work, computer_worker, work_for_computer
from storage import StorageError
from web import app
from web.context import CONTEXT
from web.settings import StandaloneWebSettings


async def serve(settings: StandaloneWebSettings, texts: Texts) -> None:
    """Serve until SIGTERM or SIGINT. Raises StorageError, app.WebUnavailable."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    worker = computer_worker(settings)
    listener, secret = app.prepare(settings, settings.database_url)
    with listener:
        async with await Database.open(settings.database_url) as database:
            application = app.build(
                database,
                settings,
                secret,
                port=listener.getsockname()[1],
                allow_local_games=True,
                has_computer=lambda: can_work(worker),
            )
            context = application[CONTEXT]
            async with (
                app.serve(application, listener),
                work_for_computer(
                    context.matches.computer,
                    context.matches.on_commit,
                    worker,
                    context.now,
                    on_progress=lambda: app.drop_local_announcements(context),
                ),
            ):
                sys.stdout.write(texts("web.started", address=context.base) + "\n")
                sys.stdout.flush()
                await stop.wait()


def main() -> int:
    """Run the website and return the exit code: 0, EXIT_CANNOT_START or EXIT_BAD_SETTINGS."""
    texts = Texts.load()
    try:
        settings = load_settings(StandaloneWebSettings)
    except SettingsError as error:
        return report_settings_error(texts, error)
    if settings.discord_client_secret is not None and settings.discord_client_id is None:
        return report_failure(EXIT_BAD_SETTINGS, texts("settings.discord_client_id.missing"))
    logs.configure(settings.log_level, *settings.secrets)
    raise_descriptor_limit()
    try:
        asyncio.run(serve(settings, texts))
    except StorageError as error:
        return report_failure(EXIT_CANNOT_START, texts("starting.storage", reason=str(error)))
    except app.WebUnavailable as error:
        return report_failure(EXIT_CANNOT_START, texts(error.text_key, reason=error.reason))
    return 0


if __name__ == "__main__":
    sys.exit(main())
