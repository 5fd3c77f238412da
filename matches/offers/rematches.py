"""Rematches: a challenge to the same opponent with the same game and terms, and sides changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine import get_game
from matches.audience import Audience
from matches.challenge_checks import challenge_from_row
from matches.challenge_drafts import ChallengeDraft
from matches.computer.accounts import is_computer
from matches.errors import MatchUnknown, NotInMatch, Refusal
from matches.options import MatchSetup, complete_options, find_game, parse_options
from matches.personal_data.stand_ins import is_deleted
from matches.platforms import WEBSITE
from matches.terms import parse_terms
from matches.times import to_millis
from matches.values import ChallengeState, MatchState, Person, RecordId
from matches.view_builder import fetch_match
from storage.match import challenges, matches

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Game, Side
    from matches.challenges import Challenges
    from matches.updates import ChallengeUpdate, MatchUpdate
    from matches.values import Challenge, MatchId
    from storage import Connection, Database
    from storage.match.challenges import ChallengeRow
    from storage.match.matches import MatchRow


class Rematches:
    """The rematches of a database."""

    def __init__(self, database: Database, challenge_service: Challenges, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games
        self._challenges = challenge_service

    async def request(
        self, match: MatchId, person: Person, *, server: str, channel: str, now: datetime
    ) -> ChallengeUpdate | Challenge | MatchUpdate:
        """Challenge the opponent to a rematch of a finished match of `server`, with sides changed.

        The terms are the same; simultaneous choices and random options are made again. Announced as
        CHALLENGED in `channel`. If the opponent's challenge to a rematch is open, this returns it instead, to
        be accepted. The computer accepts at once: then this returns the match, announced as STARTED.

        Raises MatchUnknown, NotInMatch, `rematch_before_end`, `rematch_offered`, `rematch_declined`,
        `rematch_started`, `too_many_challenges`, `invalid_option`.
        """
        async with self._database.transaction() as connection:
            row = await fetch_match(connection, match, lock=True)
            if row.server != server:
                raise MatchUnknown(match=match)
            _check_finished(row, person)
            earlier = await challenges.list_rematches(connection, match)
            opponent_challenge = _opponent_challenge(row, person, earlier, to_millis(now))
            if opponent_challenge is not None:
                return challenge_from_row(opponent_challenge, now)
            return await self._challenge_opponent(connection, row, person, channel, now)

    async def _challenge_opponent(
        self, connection: Connection, row: MatchRow, person: Person, channel: str, now: datetime
    ) -> ChallengeUpdate | MatchUpdate:
        original = None if row.challenge is None else await challenges.get(connection, row.challenge)
        first = person.account == row.first
        opponent = Person(row.second, row.second_name) if first else Person(row.first, row.first_name)
        setup = _match_setup(row, original, self._games)
        draft = ChallengeDraft(
            by=person,
            to=None if is_computer(opponent.account) else opponent,
            server=row.server,
            channel=channel,
            setup=setup,
            terms=replace(parse_terms(row.terms), strength=None),
            colour=await _opposite_side(connection, row, setup.game, person),
            rematch_of=row.id,
            audience=Audience(row.audience) if row.server == WEBSITE else None,
        )
        if draft.to is None:
            return await self._challenges.start_in(connection, draft, opponent, now)
        return await self._challenges.create_in(connection, draft, now)


def _check_finished(row: MatchRow, person: Person) -> None:
    if person.account not in (row.first, row.second):
        raise NotInMatch(match=row.id)
    if row.state != MatchState.OVER:
        raise Refusal("rematch_before_end", match=row.id)
    if is_deleted(row.first) or is_deleted(row.second):
        raise Refusal("opponent_erased", match=row.id)


def _opponent_challenge(
    row: MatchRow, person: Person, earlier: list[ChallengeRow], now: int
) -> ChallengeRow | None:
    """Return the opponent's open challenge to a rematch, or None if a new one can be made.

    Raises `rematch_started`, `rematch_declined`, `rematch_offered`.
    """
    for challenge in earlier:
        if challenge.state == ChallengeState.ACCEPTED:
            raise Refusal("rematch_started", match=row.id, rematch=challenge.match or 0)
        is_own = challenge.by == person.account
        if challenge.state == ChallengeState.DECLINED and is_own:
            raise Refusal("rematch_declined", match=row.id)
        if challenge.state == ChallengeState.OPEN and challenge.expires_at > now:
            if is_own:
                raise Refusal("rematch_offered", match=row.id)
            return challenge
    return None


def _match_setup(row: MatchRow, challenge: ChallengeRow | None, games: Mapping[str, Game]) -> MatchSetup:
    """Return the set-up as it was agreed, before the simultaneous choice and random options."""
    options = parse_options(row.options if challenge is None else challenge.options)
    if challenge is not None and challenge.record is not None:
        game = get_game(row.game, row.rules_version, games)
        return MatchSetup(game, options, RecordId(challenge.record))
    game = find_game(games, row.game)
    random_names = {option.name for option in game.options if option.is_random}
    agreed = {name: value for name, value in options.items() if name not in random_names}
    return MatchSetup(game, complete_options(game, agreed))


async def _opposite_side(connection: Connection, row: MatchRow, game: Game, person: Person) -> Side:
    """Return the side that a person did not have at the start of the match."""
    log = await matches.list_moves(connection, row.id)
    had_first_side = person.account == row.first
    if log:
        had_first_side = (log[0].person == person.account) == (log[0].side == game.sides[0])
    return game.sides[1 if had_first_side else 0]
