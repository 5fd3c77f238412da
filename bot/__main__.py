"""``python -m bot``: read the settings and run the bot, or its part that ROLE names, until it is stopped."""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import TYPE_CHECKING, Any

import discord

from bot import app
from bot.app import WebUnavailable
from bot.settings import Settings, load_bot_settings
from bot.ui.interactions import DELIVERY_ERRORS
from i18n import Texts
from mail.receiving.service import ListenerUnavailable
from metrics.monitor import MetricsUnavailable
from runtime import logs
from runtime.descriptors import raise_descriptor_limit
from runtime.heartbeat import prepare_heartbeat
from runtime.settings import (
    EXIT_BAD_SETTINGS,
    EXIT_CANNOT_START,
    SettingsError,
    report_failure,
    report_settings_error,
    report_unknown_names,
)
from storage import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

SHARDING_REQUIRED = 4011  # Discord's close code
GARBAGE_THRESHOLDS = (10_000, 20, 50)  # new objects, and runs: Python's defaults look too often at what stays


def main(serve: Callable[[Settings], Coroutine[Any, Any, None]] = app.serve) -> int:
    """Run the bot and return the exit code: 0 after a clean stop, otherwise one of :mod:`runtime.settings`.

    `serve` runs the bot; tests pass one that connects to a local Discord.
    """
    texts = Texts.load()
    report_unknown_names(texts)
    try:
        settings = load_bot_settings()
        prepare_heartbeat(settings.health_file)
    except SettingsError as error:
        return report_settings_error(texts, error)
    logs.configure(settings.log_level, *settings.secrets)
    raise_descriptor_limit()
    gc.freeze()  # what is imported stays; the garbage collector need not look at it during turns
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    try:
        asyncio.run(serve(settings))
    except (WebUnavailable, MetricsUnavailable, ListenerUnavailable) as error:
        return report_failure(EXIT_CANNOT_START, texts(error.text_key, reason=error.reason))
    except discord.LoginFailure:
        return report_failure(EXIT_BAD_SETTINGS, texts("starting.login"))
    except (discord.ConnectionClosed, discord.GatewayNotFound, *DELIVERY_ERRORS) as error:
        return report_failure(EXIT_CANNOT_START, _describe_connection_error(texts, error))
    except StorageError as error:
        return report_failure(EXIT_CANNOT_START, texts("starting.storage", reason=str(error)))
    return 0


def _describe_connection_error(texts: Texts, error: Exception) -> str:
    """Return why the bot has no connection to Discord, and what to do."""
    if not isinstance(error, discord.ConnectionClosed):
        return texts("starting.discord", reason=str(error) or repr(error))
    return texts(
        "starting.sharding" if error.code == SHARDING_REQUIRED else "starting.closed", code=error.code
    )


if __name__ == "__main__":
    sys.exit(main())
