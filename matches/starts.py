"""How a match begins: the seats, what chance decides, and the first board or the closed fists."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from engine import find
from engine.game import OptionError
from matches.announcements import announce
from matches.concerns import Begun
from matches.errors import OptionRefused
from matches.options import awaits_fists, draw_options, find_game, read_options, write_options
from matches.reading import Recent, fetch, read_view
from matches.servers.blocks import refuse_blocked
from matches.steps import AnnouncementKind, Turn
from matches.terms import read_terms
from matches.values import MatchState, Person
from storage import matches, records, threads

if TYPE_CHECKING:
    from engine.game import Game, Position, Settings
    from matches.concerns import Concerns
    from storage import Connection
    from storage.challenges import ChallengeRow
    from storage.records import RecordRow


async def begin(
    connection: Connection,
    challenge: ChallengeRow,
    accepter: Person,
    place: str,
    now: int,
    concerns: Concerns,
) -> Turn:
    """Begin the match of an accepted challenge: under the newest rules of its game, or from its record.

    Raises KeptOut, OtherKeptOut, YouBlocked, OtherBlocked.
    """
    await refuse_blocked(connection, challenge.server, accepter, Person(challenge.by, challenge.by_name))
    await threads.reopen(connection, place)
    record = None if challenge.record is None else await records.get(connection, challenge.record)
    game = find_game(challenge.game) if record is None else find(record.game, record.rules_version)
    options = draw_options(game, read_options(challenge.options))
    first, second = _seated(game, challenge, accepter)
    closed = record is None and awaits_fists(game, options)
    position = None if closed else _first_board(game, options, record)
    mover = None if position is None else _mover(game, position, first, second)
    begun = Begun(read_terms(challenge.terms), first, second, mover, now)
    number = await matches.add(
        connection,
        challenge=challenge.id,
        server=challenge.server,
        place=place,
        game=game.name,
        rules_version=game.rules_version,
        options=write_options(options),
        state=MatchState.FISTS if closed else MatchState.PLAYING,
        first=first,
        second=second,
        position=None if position is None else str(position),
        mover=mover,
        made_at=now,
        changed_at=now,
        base=None if record is None else record.position,
        terms=challenge.terms,
        **await concerns.begins(connection, begun),
    )
    row = await fetch(connection, number)
    view = read_view(row, game, position, Recent())
    announcement = await announce(
        connection,
        AnnouncementKind.FISTS if closed else AnnouncementKind.STARTED,
        match=number,
        by=accepter.account,
        whom=tuple(person.account for person in view.waits_for),
        server=row.server,
        place=place,
        now=now,
    )
    return Turn(match=view, announcement=announcement)


def _first_board(game: Game, options: Settings, record: RecordRow | None) -> Position:
    return start(game, options) if record is None else game.load(record.position)


def start(game: Game, options: Settings) -> Position:
    """Give the first board. Raises OptionRefused."""
    try:
        return game.start(**options)
    except OptionError as error:
        raise OptionRefused(reason=error.reason, text=error.text, choices=error.choices) from error


def _mover(game: Game, position: Position, first: str, second: str) -> str | None:
    """Give the account to move, of those who sit at the game's first and second side."""
    if position.to_move is None:
        return None
    return first if position.to_move == game.sides[0] else second


def _seated(game: Game, challenge: ChallengeRow, accepter: Person) -> tuple[str, str]:
    """Give the accounts at the game's first and second side; chance decides where no colour was chosen."""
    colour = challenge.colour or secrets.choice(game.sides).value
    if colour == game.sides[0].value:
        return challenge.by, accepter.account
    return accepter.account, challenge.by
