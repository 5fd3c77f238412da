"""Rematches: a challenge to the same person, the same game and the same terms, with sides changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import find
from matches.admission import read_challenge
from matches.asked import ChallengeState
from matches.challenges import Subject
from matches.errors import MatchUnknown, NotInMatch
from matches.offers.errors import MatchGoesOn, RematchDeclined, RematchOffered, RematchTaken
from matches.options import check_options, find_game, read_options
from matches.reading import fetch
from matches.terms import read_terms
from matches.times import millis
from matches.values import MatchState, Person, RecordId
from storage import challenges, matches

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import Game, Side
    from matches.asked import Challenge
    from matches.challenges import Challenges
    from matches.steps import ChallengeStep
    from matches.values import MatchId
    from storage import Connection, Store
    from storage.challenges import ChallengeRow
    from storage.matches import MatchRow


class Rematches:
    """The rematches of a store."""

    def __init__(self, store: Store, made: Challenges) -> None:
        self._store = store
        self._challenges = made

    async def rematch(
        self, match: MatchId, person: Person, server: str, place: str, now: datetime
    ) -> ChallengeStep | Challenge:
        """Challenge to a rematch, or give the other's challenge to it."""
        async with self._store.writing() as connection:
            row = await fetch(connection, match, lock=True)
            if row.server != server:
                raise MatchUnknown(match=match)
            _refuse(row, person)
            earlier = await challenges.of_rematch(connection, match)
            theirs = _theirs(row, person, earlier, millis(now))
            if theirs is not None:
                return read_challenge(theirs, now)
            return await self._offer(connection, row, person, place, now)

    async def _offer(
        self, connection: Connection, row: MatchRow, person: Person, place: str, now: datetime
    ) -> ChallengeStep:
        made = None if row.challenge is None else await challenges.get(connection, row.challenge)
        first = person.account == row.first
        other = Person(row.second, row.second_name) if first else Person(row.first, row.first_name)
        subject = _subject(row, made)
        return await self._challenges.add(
            connection,
            person,
            other,
            server=row.server,
            place=place,
            subject=subject,
            terms=read_terms(row.terms),
            colour=await _other_side(connection, row, subject.game, person),
            rematch_of=row.id,
            now=now,
        )


def _refuse(row: MatchRow, person: Person) -> None:
    if person.account not in (row.first, row.second):
        raise NotInMatch(match=row.id)
    if row.state != MatchState.OVER:
        raise MatchGoesOn(match=row.id)


def _theirs(row: MatchRow, person: Person, earlier: list[ChallengeRow], now: int) -> ChallengeRow | None:
    """Give the other's open challenge to a rematch, if there is one. Raises what forbids another."""
    for made in earlier:
        if made.state == ChallengeState.ACCEPTED:
            raise RematchTaken(match=row.id, rematch=made.match or 0)
        mine = made.by == person.account
        if made.state == ChallengeState.DECLINED and mine:
            raise RematchDeclined(match=row.id)
        if made.state == ChallengeState.OPEN and made.lapses_at > now:
            if mine:
                raise RematchOffered(match=row.id)
            return made
    return None


def _subject(row: MatchRow, made: ChallengeRow | None) -> Subject:
    """Give what was played, as it was agreed on: before the fists opened and chance decided."""
    options = read_options(row.options if made is None else made.options)
    if made is not None and made.record is not None:
        return Subject(find(row.game, row.rules_version), options, RecordId(made.record))
    game = find_game(row.game)
    drawn = {option.name for option in game.options if option.drawn}
    agreed = {name: value for name, value in options.items() if name not in drawn}
    return Subject(game, check_options(game, agreed))


async def _other_side(connection: Connection, row: MatchRow, game: Game, person: Person) -> Side:
    """Give the side that a person did not have when the match began, whatever was swapped later."""
    log = await matches.moves(connection, row.id)
    mine = person.account == row.first
    if log:
        mine = (log[0].person == person.account) == (log[0].side == game.sides[0])
    return game.sides[1 if mine else 0]
