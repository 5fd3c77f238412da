"""Starting a match: sides, random options, and the initial position or the simultaneous choice."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
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
from matches.values import EMPTY_DETAILS, MatchState, Person
from matches.view_builder import RecentMoves, build_view, fetch_match
from matches.visibility import inherit_audience
from storage.match import matches, records
from storage.posting import threads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Game, OptionValues, Position, Side
    from matches.audience import Audience
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
    new = NewMatch(
        game=game,
        options=options,
        first=first,
        second=second,
        by=accepter.account,
        also_told=(challenge.by,),
        server=challenge.server,
        channel=channel,
        terms=challenge.terms,
        audience=await inherit_audience(connection, challenge.id),
        base=None if record is None else record.position,
        challenge=challenge.id,
    )
    return await begin_match(connection, new, now, hooks)


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match that begins: `first` and `second` are the accounts that play the game's first and second side.

    `options` are complete, `base` is the position from which it starts if they do not determine it. `by`
    began it, and of those who are told, `also_told` are not to move. `details` are those of the announcement.
    """

    game: Game
    options: OptionValues
    first: str
    second: str
    by: str
    server: str
    channel: str
    terms: str
    audience: Audience
    also_told: tuple[str, ...] = ()
    base: str | None = None
    challenge: int | None = None
    details: Mapping[str, str | int] = field(default_factory=lambda: EMPTY_DETAILS)


async def begin_match(
    connection: Connection, new: NewMatch, now: int, hooks: Sequence[MatchHooks]
) -> MatchUpdate:
    """Store a match and announce it as CHOOSING or STARTED; without a channel to each player privately."""
    game, first, second = new.game, new.first, new.second
    is_choosing = new.base is None and needs_simultaneous_choice(game, new.options)
    position = None
    if not is_choosing:
        position = make_initial_position(game, new.options) if new.base is None else game.load(new.base)
    accounts: dict[Side | None, str] = {game.sides[0]: first, game.sides[1]: second}
    mover = None if position is None else accounts.get(position.to_move)
    started = MatchStarted(new.server, game, parse_terms(new.terms), first, second, mover, now)
    match = await matches.add(
        connection,
        challenge=new.challenge,
        server=new.server,
        place=new.channel,
        game=game.name,
        rules_version=game.rules_version,
        options=format_options(new.options),
        state=MatchState.CHOOSING if is_choosing else MatchState.PLAYING,
        first=first,
        second=second,
        position=None if position is None else str(position),
        mover=mover,
        made_at=now,
        changed_at=now,
        direct_since=None if new.channel else now,
        base=new.base,
        audience=new.audience,
        **{"terms": new.terms, **join_columns([await hook.on_start(connection, started) for hook in hooks])},
    )
    row = await fetch_match(connection, match)
    view = build_view(row, game, position, RecentMoves())
    announcement = await announce_to_players(
        connection,
        AnnouncementKind.CHOOSING if is_choosing else AnnouncementKind.STARTED,
        (first, second),
        match=match,
        by=new.by,
        recipients=tuple(dict.fromkeys((*(person.account for person in view.waits_for), *new.also_told))),
        server=row.server,
        channel=new.channel,
        details=new.details,
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
