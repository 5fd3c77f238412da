"""``python -m web``: the website in a process of its own, until SIGTERM or SIGINT.

With ROLE=web it leaves everything but its pages to other processes. Without PUBLIC_URL it is a website on
one's own machine, otherwise a public one.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from backups.schedule import scheduled_backups, watch_backups
from i18n import Texts
from mail import app as mail_app
from mail.receiving.service import ListenerUnavailable
from matches import WEB, Database
from metrics.monitor import MetricsUnavailable, serve_monitor
from push import app as push_app
from runtime import logs
from runtime.descriptors import raise_descriptor_limit
from runtime.heartbeat import prepare_heartbeat
from runtime.pace import BESIDE_PLAYERS, Pace
from runtime.role import Role
from runtime.settings import (
    EXIT_BAD_SETTINGS,
    EXIT_CANNOT_START,
    SettingsError,
    report_failure,
    report_settings_error,
    report_unknown_names,
)
from runtime.worker_process import can_work, computer_worker, work_for_computer
from storage import StorageError
from web import app
from web.background import clock_heartbeats, heartbeat, sweeping, watch_website
from web.context import CONTEXT
from web.mail_links import WebMailLinks
from web.settings import load_standalone_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from runtime.worker_process import WorkerProcess
    from web.context import WebContext
    from web.settings import StandaloneWebSettings


async def serve(settings: StandaloneWebSettings, texts: Texts) -> None:
    """Serve until SIGTERM or SIGINT. Raises StorageError, app.WebUnavailable, MetricsUnavailable."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    is_alone = settings.role is Role.ALL
    worker = computer_worker(settings) if is_alone else None
    listener, secret = app.prepare(settings, settings.database_url)
    with listener:
        async with (
            serve_monitor(settings.metrics) as monitor,
            await Database.open(settings.database_url, metrics=monitor.metrics) as database,
        ):
            application = app.build(
                database,
                settings,
                secret,
                port=listener.getsockname()[1],
                allow_local_games=settings.is_own_machine,
                has_computer=lambda: can_work(worker) if is_alone else settings.computer,
            )
            context = application[CONTEXT]
            watch_website(monitor, context)
            context.matches.work.backlogs.watch(monitor, WEB, context.now)
            async with AsyncExitStack() as stack:
                await stack.enter_async_context(clock_heartbeats(context))
                await stack.enter_async_context(app.serve(application, listener))
                if is_alone:
                    watch_backups(monitor, settings)
                    push_app.watch_push(monitor, context.matches, context.now)
                    mail_app.watch_mail(monitor, context.matches, context.now)
                    pace = Pace(BESIDE_PLAYERS)
                    await stack.enter_async_context(_background_work(context, settings, worker, pace))
                    await stack.enter_async_context(_sent_mail(context, settings, secret, texts, pace))
                if not settings.is_own_machine:
                    await stack.enter_async_context(heartbeat(context, database, settings.health_file))
                sys.stdout.write(texts("web.started", address=context.base) + "\n")
                sys.stdout.flush()
                await stop.wait()


@asynccontextmanager
async def _background_work(
    context: WebContext, settings: StandaloneWebSettings, worker: WorkerProcess | None, pace: Pace
) -> AsyncIterator[None]:
    """Do while the block runs what a website without other processes has to do besides."""
    async with (
        scheduled_backups(settings, context.steps),
        sweeping(context),
        push_app.serve(
            context.matches,
            context.texts,
            context.now,
            context.steps,
            contact=settings.push_contact,
            more_hosts=settings.push_hosts,
            pace=pace,
        ),
        work_for_computer(
            context.matches.computer, context.matches.on_commit, worker, context.now, context.steps
        ),
    ):
        yield


@asynccontextmanager
async def _sent_mail(
    context: WebContext, settings: StandaloneWebSettings, secret: str, texts: Texts, pace: Pace
) -> AsyncIterator[None]:
    """Send and receive mails while the block runs; without a mail server, on one's own machine, show them."""
    async with mail_app.serve(
        context.matches,
        settings,
        WebMailLinks(context),
        secret,
        transport=mail_app.choose_transport(settings, texts, is_own_machine=settings.is_own_machine),
        steps=context.steps,
        now=context.now,
        receives=True,
        pace=pace,
    ):
        yield


def main() -> int:
    """Run the website and return the exit code: 0, EXIT_CANNOT_START or EXIT_BAD_SETTINGS."""
    texts = Texts.load()
    report_unknown_names(texts)
    try:
        settings = load_standalone_settings()
        if not settings.is_own_machine:
            prepare_heartbeat(settings.health_file)
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
    except (app.WebUnavailable, MetricsUnavailable, ListenerUnavailable) as error:
        return report_failure(EXIT_CANNOT_START, texts(error.text_key, reason=error.reason))
    return 0


if __name__ == "__main__":
    sys.exit(main())
