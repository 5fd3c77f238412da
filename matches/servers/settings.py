"""What those who run a server have settled for it: where and, unless said otherwise, what is played."""

# ruff: noqa: ARG002 - every method is told the time, also those that do not need it

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from matches.options import find_game
from matches.terms import NO_PACE, read_pace, write_pace
from matches.times import millis
from storage import people, servers

if TYPE_CHECKING:
    from datetime import datetime

    from matches.terms import Pace
    from matches.values import Person
    from storage import Store


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of one server.

    `threads`: whether each match is played in a thread of its own. `game` is what is meant where a challenge
    names none, None for the first of all; `pace` what is agreed on where a challenge names none, None for
    no clock.
    """

    threads: bool = False
    game: str | None = None
    pace: Pace | None = None


class Servers:
    """The settings of the servers of a store. Who may change them is the business of the front end."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def settings(self, server: str, *, now: datetime) -> ServerSettings:
        """Give the settings of a server; where nothing was ever changed, the usual ones."""
        async with self._store.reading() as connection:
            return _read(await servers.get(connection, server))

    async def use_threads(self, server: str, by: Person, *, on: bool, now: datetime) -> ServerSettings:
        """Settle whether matches that begin from now on are played in threads of their own."""
        return await self._change(server, by, now, threads=on)

    async def default_game(
        self, server: str, by: Person, game: str | None, *, now: datetime
    ) -> ServerSettings:
        """Settle what is meant where a challenge names no game. Raises GameUnknown."""
        if game is not None:
            find_game(game)
        return await self._change(server, by, now, game=game)

    async def default_pace(
        self, server: str, by: Person, pace: Pace | None, *, now: datetime
    ) -> ServerSettings:
        """Settle the pace that a challenge has if it names none."""
        return await self._change(server, by, now, pace=pace)

    async def _change(self, server: str, by: Person, now: datetime, **changes: Any) -> ServerSettings:
        async with self._store.writing() as connection:
            await people.remember(connection, by.account, by.name, millis(now))
            await people.remember_server(connection, server, millis(now))
            before = await servers.hold(connection, server, _write(ServerSettings()), by.account, millis(now))
            settings = replace(_read(before), **changes)
            await servers.put(connection, server, _write(settings), by.account, millis(now))
        return settings


def _read(text: str | None) -> ServerSettings:
    said = {} if text is None else json.loads(text)
    return ServerSettings(
        threads=said.get("threads", False),
        game=said.get("game"),
        pace=read_pace(said.get("pace", NO_PACE)),
    )


def _write(settings: ServerSettings) -> str:
    said = {"threads": settings.threads, "game": settings.game, "pace": write_pace(settings.pace)}
    return json.dumps(said)
