"""``python -m bot``: read the settings, connect, and play until told to stop."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import discord

from bot import app, logs, settings
from storage import StorageError
from words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

BAD_SETTINGS = 2
CANNOT_START = 1


def main(serve: Callable[[settings.Settings], Coroutine[Any, Any, None]] = app.serve) -> int:
    """Run the bot and give the exit code: 0 after a clean stop, 2 for unusable settings.

    `serve` is what runs it, for those who lead it to another Discord.
    """
    words = Words.load()
    try:
        told = settings.read()
    except settings.SettingsError as error:
        return _give_up(BAD_SETTINGS, *(words(key, name=name) for key, name in error.problems))
    token = told.discord_token.get_secret_value()
    logs.set_up(told.log_level, token)
    try:
        asyncio.run(serve(told))
    except discord.LoginFailure:
        return _give_up(BAD_SETTINGS, words("starting.login"))
    except StorageError as error:
        return _give_up(CANNOT_START, words("starting.storage", reason=str(error)))
    return 0


def _give_up(code: int, *sentences: str) -> int:
    sys.stderr.writelines(f"{sentence}\n" for sentence in sentences)
    return code


if __name__ == "__main__":
    sys.exit(main())
