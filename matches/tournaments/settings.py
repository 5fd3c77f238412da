"""What an organiser sets: checked, and as stored text."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.computer.accounts import FIXED_LEVELS
from matches.errors import Refusal
from matches.names import clean_line
from matches.options import MatchSetup
from matches.platforms import WEBSITE
from matches.terms import format_time_control, parse_time_control
from matches.times import from_millis
from matches.tournaments.values import (
    MAX_ABOUT_LENGTH,
    MAX_ENTRANTS,
    MAX_GAMES,
    MAX_NAME_LENGTH,
    MAX_OPEN,
    MAX_ROUNDS,
    MAX_STAGE,
    MAX_WAIT,
    MIN_ENTRANTS,
    MIN_STAGE,
    EntryLimits,
    GameSetup,
    Kind,
    Settings,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Game
    from storage.tournament.rows import TournamentRow

_MINUTE = timedelta(minutes=1)
FILLED = (Kind.ROUND_ROBIN, Kind.SWISS)
"""The kinds in which the computer can fill an odd place. In a knock-out it would put people out."""

_ROUNDS = (Kind.SWISS, Kind.LEAGUE)


def check_settings(settings: Settings, games: Mapping[str, Game], now: datetime) -> Settings:
    """Return the settings cleaned, with complete options. Raises as :meth:`Tournaments.create` says."""
    name = clean_line(settings.name)
    if not 0 < len(name) <= MAX_NAME_LENGTH:
        raise Refusal("tournament_name", limit=MAX_NAME_LENGTH)
    about = "\n".join(map(clean_line, settings.about.splitlines())).strip()
    if len(about) > MAX_ABOUT_LENGTH:
        raise Refusal("tournament_about", limit=MAX_ABOUT_LENGTH)
    if not 0 < len(settings.games) <= MAX_GAMES:
        raise Refusal("tournament_games", limit=MAX_GAMES)
    if not now < settings.starts_at <= now + MAX_WAIT:
        raise Refusal("tournament_dates", days=MAX_WAIT.days)
    if not MIN_STAGE <= settings.length <= MAX_STAGE:
        raise Refusal("tournament_stage_length", least=MIN_STAGE, most=MAX_STAGE)
    _check_numbers(settings)
    setups = [MatchSetup.for_game(games, one.game, one.options) for one in settings.games]
    return replace(
        settings,
        name=name,
        about=about,
        games=tuple(GameSetup(one.game.name, dict(one.options)) for one in setups),
        server=settings.server or WEBSITE,
        limits=replace(settings.limits, entrants=min(settings.limits.entrants, most_entrants(settings.kind))),
    )


def most_entrants(kind: Kind) -> int:
    """Return how many can take part at most: in a round robin all games of an account can be open."""
    return MAX_OPEN + 1 if kind is Kind.ROUND_ROBIN else MAX_ENTRANTS


def _check_numbers(settings: Settings) -> None:
    rounds, limits = settings.rounds, settings.limits
    if rounds is not None and not (settings.kind in _ROUNDS and 0 < rounds <= MAX_ROUNDS):
        raise Refusal("tournament_rounds", limit=MAX_ROUNDS)
    bounds = (limits.min_rating, limits.max_rating)
    is_empty = None not in bounds and (limits.min_rating or 0) >= (limits.max_rating or 0)
    if is_empty or not MIN_ENTRANTS <= limits.entrants <= MAX_ENTRANTS:
        raise Refusal("tournament_limits", least=MIN_ENTRANTS, most=MAX_ENTRANTS)
    if settings.games_at_once < 1:
        raise Refusal("tournament_limits", least=MIN_ENTRANTS, most=MAX_ENTRANTS)
    control = settings.time_control
    if (control.cap or control.initial) > settings.length:
        raise Refusal("tournament_clock", length=settings.length)
    level = settings.computer_level
    if level is not None and (level not in FIXED_LEVELS or settings.kind not in FILLED):
        raise Refusal("tournament_computer")


def format_settings(settings: Settings) -> str:
    """Return the stored form, a JSON object, without what has a column of its own."""
    limits = settings.limits
    return json.dumps(
        {
            "games": [[one.game, dict(one.options)] for one in settings.games],
            "length": settings.stage_length // _MINUTE,
            "rounds": settings.rounds,
            "time_control": format_time_control(settings.time_control),
            "rated": settings.rated,
            "ratings": [limits.min_rating, limits.max_rating],
            "entrants": limits.entrants,
            "at_once": settings.games_at_once,
            "computer": settings.computer_level,
            "about": settings.about,
        },
        sort_keys=True,
    )


def parse_settings(row: TournamentRow) -> Settings:
    """Return the settings of a stored tournament."""
    data = json.loads(row.settings)
    control = parse_time_control(data["time_control"])
    if control is None:
        raise ValueError(f"tournament {row.id} has no time control")
    least, most = data["ratings"]
    kind = Kind(row.kind)
    return Settings(
        name=row.name,
        kind=kind,
        games=parse_games(row.settings),
        starts_at=from_millis(row.starts_at),
        stage_length=data["length"] * _MINUTE,
        rounds=data["rounds"],
        time_control=control,
        rated=data["rated"],
        limits=EntryLimits(least, most, data["entrants"]),
        games_at_once=data["at_once"],
        computer_level=data["computer"] if kind in FILLED else None,  # knock-outs once could have one
        about=data["about"],
        server=row.server,
        channel=row.place,
    )


def parse_games(stored: str) -> tuple[GameSetup, ...]:
    """Return the games of stored settings."""
    return tuple(GameSetup(game, options) for game, options in json.loads(stored)["games"])
