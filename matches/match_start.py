"""Starting a match: sides, random options, and the initial position or the simultaneous choice."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from engine import get_game
from engine.game import OptionError
from matches.errors import Refusal
from matches.hook_events import MatchStarted, join_columns
from matches.options import (
    add_random_options,
    find_game,
    format_options,
    needs_simultaneous_choice,
    parse_options,
)
from matches.posting.announcements import announce_to_players
from matches.servers.blocks import check_not_blocked
from matches.terms import parse_terms
from matches.updates import AnnouncementKind, MatchUpdate
from matches.values import MatchState, Person
from matches.view_builder import RecentMoves, build_view, fetch_match
from matches.visibility import inherit_audience
from storage.match import matches, records
from storage.posting import threads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Game, OptionValues, Position, Side
    from matches.locking import MatchHooks
    from storage import Connection
    from storage.match.challenges import ChallengeRow


async def start_match(
    connection: Connection,
    challenge: ChallengeRow,
    accepter: Person,
    channel: str,
    now: int,
    hooks: Sequence[MatchHooks],
    games: Mapping[str, Game],
) -> MatchUpdate:
    """Start the match of an accepted challenge, under the newest rules of its game or from its record.

    Without a `channel` each player is told privately.

    Raises `excluded`, `opponent_excluded`, `opponent_blocked`, `blocked_by_opponent`.
    """
    await check_not_blocked(connection, challenge.server, accepter, Person(challenge.by, challenge.by_name))
    await threads.reopen(connection, channel)
    record = None if challenge.record is None else await records.get(connection, challenge.record)
    if record is None:
        game = find_game(games, challenge.game)
    else:
        game = get_game(record.game, record.rules_version, games)
    options = add_random_options(game, parse_options(challenge.options))
    first, second = _assign_sides(game, challenge, accepter)
    is_choosing = record is None and needs_simultaneous_choice(game, options)
    position = None
    if not is_choosing:
        position = make_initial_position(game, options) if record is None else game.load(record.position)
    accounts: dict[Side | None, str] = {game.sides[0]: first, game.sides[1]: second}
    mover = None if position is None else accounts.get(position.to_move)
    started = MatchStarted(challenge.server, parse_terms(challenge.terms), first, second, mover, now)
    match = await matches.add(
        connection,
        challenge=challenge.id,
        server=challenge.server,
        place=channel,
        game=game.name,
        rules_version=game.rules_version,
        options=format_options(options),
        state=MatchState.CHOOSING if is_choosing else MatchState.PLAYING,
        first=first,
        second=second,
        position=None if position is None else str(position),
        mover=mover,
        made_at=now,
        changed_at=now,
        direct_since=None if channel else now,
        base=None if record is None else record.position,
        terms=challenge.terms,
        audience=await inherit_audience(connection, challenge.id),
        **join_columns([await hook.on_start(connection, started) for hook in hooks]),
    )
    row = await fetch_match(connection, match)
    view = build_view(row, game, position, RecentMoves())
    announcement = await announce_to_players(
        connection,
        AnnouncementKind.CHOOSING if is_choosing else AnnouncementKind.STARTED,
        (first, second),
        match=match,
        by=accepter.account,
        recipients=tuple(dict.fromkeys((*(person.account for person in view.waits_for), challenge.by))),
        server=row.server,
        channel=channel,
        now=now,
    )
    return MatchUpdate(match=view, announcement=announcement)


def make_initial_position(game: Game, options: OptionValues) -> Position:
    """Return the initial position. Raises `invalid_option`."""
    try:
        return game.initial_position(**options)
    except OptionError as error:
        raise Refusal("invalid_option", reason=error, text=error.text, choices=error.choices) from error


def _assign_sides(game: Game, challenge: ChallengeRow, accepter: Person) -> tuple[str, str]:
    """Return the accounts of the game's first and second side, at random if no colour was chosen."""
    colour = challenge.colour or secrets.choice(game.sides).value
    if colour == game.sides[0].value:
        return challenge.by, accepter.account
    return accepter.account, challenge.by
