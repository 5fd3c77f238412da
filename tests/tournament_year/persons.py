"""Those who play: what they do follows from the seed and from the game, not from when it was noticed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from engine import GAMES
from matches import MatchId, MatchState, OfferKind, Person, Refusal
from storage.tables import TOURNAMENT_ENTRANTS, TOURNAMENT_GAMES
from tests.soak.playing import random_turn
from tests.tournament_year.plan import STEP
from tests.tournament_year.records import read_rows

if TYPE_CHECKING:
    from collections import Counter
    from datetime import datetime
    from random import Random

    from matches import Matches, MatchView
    from storage import Database
    from tests.tournament_year.plan import YearPlan

DAY = timedelta(days=1)
PLATFORMS = ("discord", "web")
TURNS_AT_ONCE = 4  # of two who are there at the same time


def person(number: int) -> Person:
    """Return the person with a number: every second one is at Discord, the others play in a browser."""
    return Person(f"{PLATFORMS[number % 2]}:{1000 + number}", f"Ada {number}")


class Style(StrEnum):
    """How a game goes."""

    QUICK = "resigned after a few moves"
    DRAWN = "drawn after a few moves"
    STALLED = "one player stops"
    SLOW = "played slowly until its end date"
    REAL = "played to the end"


SHARES = {Style.QUICK: 0.74, Style.DRAWN: 0.1, Style.STALLED: 0.08, Style.SLOW: 0.06, Style.REAL: 0.02}


@dataclass(slots=True)
class Playing:
    """A game that is being played: how, and when somebody acts next."""

    match: MatchId
    key: tuple[int, ...]
    rng: Random
    style: Style
    plies: int
    due: datetime


@dataclass(slots=True)
class Persons:
    """Everybody who plays. `moves` are those that were acknowledged, by match and ply."""

    plan: YearPlan
    matches: Matches
    database: Database
    counts: Counter[str]
    silent_until: dict[str, datetime] = field(default_factory=dict)
    moves: dict[MatchId, dict[int, str]] = field(default_factory=dict)
    _playing: dict[MatchId, Playing] = field(default_factory=dict)

    async def act(self, now: datetime) -> None:
        """Play in every game that is due."""
        await self._find_games(now)
        due = [one for one in self._playing.values() if one.due <= now]
        for one in sorted(due, key=lambda each: each.key):
            await self._continue(one, now)

    async def _find_games(self, now: datetime) -> None:
        entrants = {one["id"]: one for one in await read_rows(self.database, TOURNAMENT_ENTRANTS)}
        for row in await read_rows(self.database, TOURNAMENT_GAMES, TOURNAMENT_GAMES.c.state == "open"):
            match = MatchId(row["match"])
            if match in self.moves:
                continue
            seeds = [entrants[row[one]]["seed"] for one in ("first", "second")]
            names = ("tournament", "stage", "division", "round", "number")
            key = (*(row[name] for name in names), *seeds)
            rng = self.plan.random("game", *key)
            style = rng.choices(list(SHARES), list(SHARES.values()))[0]
            plies = rng.randint(0 if rng.random() < 0.1 else 2, 5)
            self._playing[match] = Playing(match, key, rng, style, plies, now + rng.random() * 2 * DAY)
            self.moves[match] = {}
            self.counts[f"games: {style}"] += 1

    async def _continue(self, one: Playing, now: datetime) -> None:
        for _ in range(TURNS_AT_ONCE if one.style is Style.REAL else 1):
            view = await self.matches.view(one.match, now=now)
            if view.state is MatchState.OVER or (one.style is Style.STALLED and view.ply >= one.plies):
                del self._playing[one.match]
                return
            await self._turn(one, view, now)
        one.due = now + self._think(one)

    def _think(self, one: Playing) -> timedelta:
        if one.style is Style.REAL:
            return STEP
        return one.rng.uniform(2.4, 3.4) * DAY if one.style is Style.SLOW else one.rng.uniform(0.2, 2) * DAY

    async def _turn(self, one: Playing, view: MatchView, now: datetime) -> None:
        waiting = [each for each in view.waits_for if self._is_there(each, now)]
        if not waiting:
            return
        if view.position is None:
            choice = GAMES[view.game].simultaneous_choice
            assert choice is not None
            for each in waiting:
                await self.matches.pick(view.id, each, one.rng.choice(choice.picks), now=now)
        elif one.style in (Style.QUICK, Style.DRAWN) and view.ply >= one.plies:
            await self._end(one, view, now)
        else:
            await self._move(one, view, waiting[0], now)

    def _is_there(self, each: Person, now: datetime) -> bool:
        return self.silent_until.get(each.account, now) <= now

    async def _move(self, one: Playing, view: MatchView, mover: Person, now: datetime) -> None:
        assert view.position is not None
        texts = random_turn(view.position, one.rng)
        await self.matches.play(view.id, mover, texts, seen_revision=view.revision, now=now)
        self.moves[view.id] |= dict(enumerate(texts, view.ply + 1))

    async def _end(self, one: Playing, view: MatchView, now: datetime) -> None:
        """Agree on a draw where the game has draws, else resign; the one to move, or the other."""
        players = [seat.person for seat in view.seats if self._is_there(seat.person, now)]
        if one.style is Style.DRAWN and len(players) == len(view.seats):
            with suppress(Refusal):
                await self.matches.offers.make(view.id, players[0], OfferKind.DRAW, now=now)
                offer = (await self.matches.view(view.id, now=now)).pending_offer
                assert offer is not None
                await self.matches.offers.answer(offer.id, players[1], accept=True, now=now)
                return
        await self.matches.resign(view.id, one.rng.choice(players), now=now)
