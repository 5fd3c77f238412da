"""``python -m mail``: receive mail and send it, until SIGTERM or SIGINT; nothing else (ROLE=mail).

``python -m mail read --index INDEX.json FOLDER`` only reads mails of a folder, and prints what they ask for.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from i18n import Texts
from mail import app
from mail.receiving.service import ListenerUnavailable
from mail.settings import load_mail_settings
from matches import Database
from metrics.monitor import MetricsUnavailable, serve_monitor
from runtime import logs
from runtime.descriptors import raise_descriptor_limit
from runtime.heartbeat import prepare_heartbeat
from runtime.settings import (
    EXIT_CANNOT_START,
    SettingsError,
    report_failure,
    report_settings_error,
    report_unknown_names,
)
from storage import StorageError
from web import app as web_app
from web.background import heartbeat
from web.context import CONTEXT
from web.mail_links import WebMailLinks

if TYPE_CHECKING:
    from mail.settings import MailProcessSettings

READ = "read"


async def serve(settings: MailProcessSettings, texts: Texts) -> None:
    """Receive and send until SIGTERM or SIGINT.

    Raises StorageError, ListenerUnavailable, MetricsUnavailable.
    """
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    secret = web_app.load_secret(settings, settings.database_url)
    async with (
        serve_monitor(settings.metrics) as monitor,
        await Database.open(settings.database_url, metrics=monitor.metrics) as database,
        AsyncExitStack() as stack,
    ):
        # The website does not run here; its context makes the links in mails.
        context = web_app.build(database, settings, secret, texts=texts)[CONTEXT]
        app.watch_mail(monitor, context.matches, context.now)
        await stack.enter_async_context(
            app.serve(
                context.matches,
                settings,
                WebMailLinks(context),
                secret,
                transport=app.choose_transport(settings, texts, is_own_machine=False),
                receives=True,
                steps=context.steps,
                now=context.now,
            )
        )
        await stack.enter_async_context(heartbeat(context, database, settings.health_file))
        sys.stdout.write(texts("mail.started", address=settings.mail_reply_to) + "\n")
        sys.stdout.flush()
        await stop.wait()


def main() -> int:
    """Run the process and return the exit code: 0, EXIT_CANNOT_START or EXIT_BAD_SETTINGS."""
    if sys.argv[1:2] == [READ]:
        from mail.reading.tool import main as read  # noqa: PLC0415 - it needs no database and no website

        read(sys.argv[2:])
        return 0
    texts = Texts.load()
    report_unknown_names(texts)
    try:
        settings = load_mail_settings()
        prepare_heartbeat(settings.health_file)
    except SettingsError as error:
        return report_settings_error(texts, error)
    logs.configure(settings.log_level, *settings.secrets)
    raise_descriptor_limit()
    try:
        asyncio.run(serve(settings, texts))
    except StorageError as error:
        return report_failure(EXIT_CANNOT_START, texts("starting.storage", reason=str(error)))
    except (ListenerUnavailable, MetricsUnavailable) as error:
        return report_failure(EXIT_CANNOT_START, texts(error.text_key, reason=error.reason))
    return 0


if __name__ == "__main__":
    sys.exit(main())
