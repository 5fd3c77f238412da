"""What those who run a server have settled for it: where and, unless said otherwise, what is played."""

# ruff: noqa: ARG002 - every method is told the time, also those that do not need it

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from matches.options import find_game
from matches.terms import NO_TIME_CONTROL, format_time_control, parse_time_control
from matches.times import to_millis
from storage import people, servers

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Game
    from matches.terms import TimeControl
    from matches.values import Person
    from storage import Database


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of one server.

    `threads`: whether each match is played in a thread of its own. `game` is what is meant where a challenge
    names none, None for the first of all; `time_control` what is agreed on where a challenge names none, None
    for no clock.
    """

    threads: bool = False
    game: str | None = None
    time_control: TimeControl | None = None


class Servers:
    """The settings of the servers of a store. Who may change them is the business of the front end."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games

    async def settings(self, server: str, *, now: datetime) -> ServerSettings:
        """Return the settings of a server; where nothing was ever changed, the usual ones."""
        async with self._database.read() as connection:
            return _parse_settings(await servers.get(connection, server))

    async def set_threads(self, server: str, by: Person, *, on: bool, now: datetime) -> ServerSettings:
        """Settle whether matches that begin from now on are played in threads of their own."""
        return await self._change(server, by, now, threads=on)

    async def set_default_game(
        self, server: str, by: Person, game: str | None, *, now: datetime
    ) -> ServerSettings:
        """Settle what is meant where a challenge names no game. Raises GameUnknown."""
        if game is not None:
            find_game(self._games, game)
        return await self._change(server, by, now, game=game)

    async def set_default_time_control(
        self, server: str, by: Person, time_control: TimeControl | None, *, now: datetime
    ) -> ServerSettings:
        """Settle the pace that a challenge has if it names none."""
        return await self._change(server, by, now, time_control=time_control)

    async def _change(self, server: str, by: Person, now: datetime, **changes: Any) -> ServerSettings:
        async with self._database.transaction() as connection:
            await people.save(connection, by.account, by.name, to_millis(now))
            await people.ensure_server(connection, server, to_millis(now))
            stored = await servers.get_for_update(
                connection, server, _format_settings(ServerSettings()), by.account, to_millis(now)
            )
            settings = replace(_parse_settings(stored), **changes)
            await servers.save(connection, server, _format_settings(settings), by.account, to_millis(now))
        return settings


def _parse_settings(text: str | None) -> ServerSettings:
    data = {} if text is None else json.loads(text)
    return ServerSettings(
        threads=data.get("threads", False),
        game=data.get("game"),
        time_control=parse_time_control(data.get("pace", NO_TIME_CONTROL)),
    )


def _format_settings(settings: ServerSettings) -> str:
    data = {
        "threads": settings.threads,
        "game": settings.game,
        "pace": format_time_control(settings.time_control),
    }
    return json.dumps(data)
