"""Logging in to a Discord that cannot be reached, that fails, or that refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord as discord_py
import pytest

from bot import app
from bot import client as bot_client
from bot.outbox.pace import RequestPace
from tests.bot.environment import NO_INTERVAL, NO_LIMIT, running_bot
from tests.databases import open_database
from tests.games import GAMES, RULE_BOOKS, TEXTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from matches import Database
    from tests.discord_server import DiscordServer


@pytest.fixture
async def database(database_file: Path) -> AsyncIterator[Database]:
    """Return an open database."""
    async with open_database(f"sqlite:///{database_file}") as opened:
        yield opened


ROUTES = ("/users/@me", "/oauth2/applications/@me", "/applications/*/commands", "/gateway/bot")


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("fault", ["refuse", "drop"])
async def test_login_is_tried_again(
    discord: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch, route: str, fault: str
) -> None:
    monkeypatch.setattr(bot_client, "FIRST_LOGIN_PAUSE", 0.0)
    if fault == "refuse":
        failing = discord.faults.refuse("*", route, status=503, times=2)
    else:
        failing = discord.faults.drop("*", route, times=2)
    async with running_bot(discord, database) as bot:
        await bot.wait_until_ready()
        assert failing.hits == 2
        assert len(discord.commands) == len(bot.tree.get_commands())


@pytest.mark.parametrize("status", [400, 403])
async def test_login_that_discord_refuses_is_not_tried_again(
    discord: DiscordServer, database: Database, status: int
) -> None:
    client = app.build_client(
        database,
        games=GAMES,
        texts=TEXTS,
        rule_books=RULE_BOOKS,
        connector=discord.connector(),
        identify_interval=NO_INTERVAL,
        pace=RequestPace(NO_LIMIT),
    )
    with discord.faults.refuse("GET", "/users/@me", status=status, times=None) as fault:
        async with client:
            with pytest.raises(discord_py.HTTPException):
                await client.login(discord.token)
        assert fault.hits == 1
