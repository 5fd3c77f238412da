"""``python -m bot``: read the settings, connect, and play until told to stop."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import discord

from bot import app
from bot.answers import UNREACHED
from bot.settings import Settings
from running import logs
from running.settings import BAD_SETTINGS, CANNOT_START, SettingsError, give_up, give_up_on, read
from storage import StorageError
from words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


def main(serve: Callable[[Settings], Coroutine[Any, Any, None]] = app.serve) -> int:
    """Run the bot and give the exit code: 0 after a clean stop, 2 for unusable settings.

    `serve` is what runs it, for those who lead it to another Discord.
    """
    words = Words.load()
    try:
        told = read(Settings)
    except SettingsError as error:
        return give_up_on(words, error)
    secrets = [told.discord_token, *([told.web_secret] if told.web_secret else [])]
    logs.set_up(told.log_level, *(secret.get_secret_value() for secret in secrets))
    try:
        asyncio.run(serve(told))
    except app.TableUnavailable as error:
        return give_up(CANNOT_START, words("starting.web", reason=str(error)))
    except discord.LoginFailure:
        return give_up(BAD_SETTINGS, words("starting.login"))
    except UNREACHED as error:
        return give_up(CANNOT_START, words("starting.discord", reason=str(error) or repr(error)))
    except StorageError as error:
        return give_up(CANNOT_START, words("starting.storage", reason=str(error)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
