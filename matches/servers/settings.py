"""Settings of servers: threads, default game, default time control, who sees matches on the website."""

# ruff: noqa: ARG002 - every method takes `now`, also those that do not need it yet

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from matches.audience import SERVER_AUDIENCES, Audience
from matches.options import find_game
from matches.terms import NO_TIME_CONTROL, TimeControl, format_time_control, parse_time_control
from matches.times import to_millis
from matches.values import ChallengeState
from storage.people import people
from storage.posting import audiences, servers

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Game
    from matches.values import Person
    from storage import Connection, Database

DEFAULT_TIME_CONTROL = TimeControl.per_move(timedelta(days=3))


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server.

    `threads`: whether each match is played in a thread of its own. `game` is the default game of challenges,
    None for the first of all; `time_control` the default time control, None for no clock.
    `rate_computer`: whether matches against the computer count for the ratings. `audience`: who sees its
    matches on the website, one of :data:`matches.audience.SERVER_AUDIENCES`. `language`: that of public
    posts, empty for the one that the server has on its platform.
    """

    threads: bool = False
    game: str | None = None
    time_control: TimeControl | None = DEFAULT_TIME_CONTROL
    rate_computer: bool = False
    audience: Audience = Audience.MEMBERS
    language: str = ""


class Servers:
    """The settings of the servers of a database. The front end checks who may change them."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games

    async def settings(self, server: str, *, now: datetime) -> ServerSettings:
        """Return the settings of a server, or the defaults."""
        async with self._database.read() as connection:
            return await load_settings(connection, server)

    async def change(self, server: str, by: Person, *, now: datetime, **changes: Any) -> ServerSettings:
        """Change fields of :class:`ServerSettings` and return the result.

        `threads` and `rate_computer` concern future matches only, `audience` also those that exist already.
        Raises `game_unknown`.
        """
        if changes.get("game") is not None:
            find_game(self._games, changes["game"])
        async with self._database.transaction() as connection:
            await people.save(connection, by.account, by.name, to_millis(now))
            await people.ensure_server(connection, server, to_millis(now))
            stored = await servers.get_for_update(
                connection, server, _format_settings(ServerSettings()), by.account, to_millis(now)
            )
            settings = replace(_parse_settings(stored), **changes)
            await servers.save(connection, server, _format_settings(settings), by.account, to_millis(now))
            if "audience" in changes:
                await audiences.replace_in_server(
                    connection, server, SERVER_AUDIENCES, settings.audience, ChallengeState.OPEN
                )
        return settings


async def load_settings(connection: Connection, server: str, *, lock: bool = False) -> ServerSettings:
    """Return the settings of a server, or the defaults.

    With `lock` nobody changes them before the end of the transaction.
    """
    return _parse_settings(await servers.get(connection, server, lock=lock))


def _parse_settings(text: str | None) -> ServerSettings:
    if text is None:
        return ServerSettings()
    data = json.loads(text)
    return ServerSettings(
        threads=data.get("threads", False),
        game=data.get("game"),
        time_control=parse_time_control(data.get("time_control", NO_TIME_CONTROL)),
        rate_computer=data.get("rate_computer", False),
        audience=Audience(data.get("website", Audience.MEMBERS)),
        language=data.get("language", ""),
    )


def _format_settings(settings: ServerSettings) -> str:
    data = {
        "threads": settings.threads,
        "game": settings.game,
        "time_control": format_time_control(settings.time_control),
        "rate_computer": settings.rate_computer,
        "website": settings.audience,
        "language": settings.language,
    }
    return json.dumps(data)
