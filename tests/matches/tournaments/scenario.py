"""Tournaments for tests: settings, entrants, and games that are decided quickly."""

import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from matches import Matches, MatchId, Person, Reader
from matches.tournaments.results import EntrantId, GameState
from matches.tournaments.values import (
    GameSetup,
    GameView,
    Kind,
    Settings,
    TournamentId,
    TournamentView,
)
from storage import Database
from storage.posting import outbox
from storage.statements import fetch_rows, select_rows
from storage.tables import OUTBOX
from tests.matches.scenario import NOON

ORGANISER = Person("test:organiser", "Olga")
START = NOON + timedelta(days=1)
EVERYBODY = Reader()
REASON = "as agreed"


def player(number: int) -> Person:
    return Person(f"test:player{number}", f"Player {number}")


def settings_of(kind: Kind, **values: Any) -> Settings:
    return Settings(
        **{
            "name": "Spring cup",
            "kind": kind,
            "games": (GameSetup("morelli", {"size": 9}),),
            "starts_at": START,
            **values,
        }
    )


async def make(matches: Matches, kind: Kind, players: int, **values: Any) -> TournamentId:
    """Create a tournament that `players` join."""
    settings = settings_of(kind, **values)
    number = await matches.tournaments.create(settings, ORGANISER, now=NOON)
    for one in range(1, players + 1):
        await matches.tournaments.join(number, player(one), is_member=True, now=NOON)
    return number


async def start(matches: Matches, kind: Kind, players: int, **values: Any) -> TournamentId:
    number = await make(matches, kind, players, **values)
    await matches.tournaments.sweep(now=START)
    return number


async def see(matches: Matches, number: TournamentId, stage: int | None = None) -> TournamentView:
    reader = Reader(accounts=frozenset({ORGANISER.account}))
    return await matches.tournaments.view(number, reader, stage=stage, now=START)


def all_games(view: TournamentView) -> tuple[GameView, ...]:
    assert view.stage is not None
    return tuple(game for group in view.stage.groups for game in group.games)


def open_games(view: TournamentView) -> tuple[GameView, ...]:
    return tuple(game for game in all_games(view) if game.state is GameState.OPEN)


async def resign(
    matches: Matches, view: TournamentView, game: GameView, loser: EntrantId, now: datetime
) -> None:
    assert game.match is not None
    await matches.resign(game.match, view.entrant(loser).person, now=now)


async def play_stage(
    matches: Matches, number: TournamentId, now: datetime, keep: Iterable[int] = (), seed: int = 1
) -> None:
    """End all games of the present stage at random but those of `keep`, as they open."""
    rng, kept = random.Random(seed), set(keep)
    stage = (await see(matches, number)).stage
    assert stage is not None
    while True:
        view = await see(matches, number, stage.dates.number)
        games = [one for one in open_games(view) if one.id not in kept]
        if not games:
            return
        for game in games:
            assert game.second is not None
            await resign(matches, view, game, rng.choice((game.first, game.second)), now)
        await matches.tournaments.sweep(now=now)


async def first_move(matches: Matches, match: MatchId, now: datetime) -> None:
    view = await matches.view(match, now=now)
    assert view.position is not None
    assert view.to_move is not None
    await matches.play(match, view.to_move.person, [str(view.position.legal_moves()[0])], now=now)


async def list_kinds(database: Database) -> list[tuple[str, str | None]]:
    """Return the kind of each announcement, and to whom it goes."""
    async with database.read() as connection:
        rows = await fetch_rows(connection, outbox.OutboxRow, select_rows(outbox.OutboxRow, OUTBOX))
    return [(row.kind, row.to) for row in rows]
