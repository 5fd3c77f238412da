"""Who may challenge whom, and how often: the same for every front end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.computer.accounts import ACCOUNT_PREFIX
from matches.errors import Refusal
from matches.platforms import WEB, WEBSITE, platform_of
from matches.ratings.glicko import Rating
from matches.ratings.values import decode_rating
from matches.times import from_millis, to_millis
from matches.values import ACTIVE_STATES, ChallengeState, Person
from storage.match import challenge_limits, challenges, ratings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from matches.challenge_drafts import ChallengeDraft
    from storage import Connection
    from storage.match.challenge_limits import PlayerRow
    from storage.match.challenges import ChallengeRow
    from storage.match.ratings import RatingRow

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ChallengeLimits:
    """How much one person may have at a time. Matches against the computer do not count.

    `open_challenges` and `running` (matches) hold for all, those with `new_` for an account in its first
    `new_for`. `new_strangers`: challenges in a day to people with whom it has never played. `standing`:
    standing challenges, one for each game. `after_decline`: until the same person can be challenged again.
    `withdrawn`: challenges to one person in a day, who is told of each.
    """

    open_challenges: int = 10
    running: int = 100
    standing: int = 3
    after_decline: timedelta = _DAY
    withdrawn: int = 3
    new_for: timedelta = timedelta(days=7)
    new_open_challenges: int = 3
    new_running: int = 10
    new_strangers: int = 3

    def is_new(self, row: PlayerRow, server: str, now: datetime) -> bool:
        """Return whether an account is new where no moderators of a chat server look after newcomers."""
        is_on_website = server == WEBSITE or platform_of(row.account) == WEB
        return is_on_website and now < from_millis(row.met_at) + self.new_for


DEFAULT_LIMITS = ChallengeLimits()


async def check_challenger(
    connection: Connection, draft: ChallengeDraft, limits: ChallengeLimits, now: datetime
) -> None:
    """Raise if this challenge must not be made. Safe to count: the challenger's row is locked.

    Raises `guest_only_computer`, `opponent_cannot_play`, `too_many_challenges`,
    `too_many_standing`, `standing_exists`, `too_many_matches`, `new_account_challenges`,
    `new_account_matches`, `new_account_strangers`, `declined_lately`, `withdrawn_often`,
    `already_challenged`.
    """
    people = [draft.by] if draft.to is None else [draft.by, draft.to]
    rows = await _load(connection, people)
    _check_account(rows[draft.by.account])
    if draft.to is not None:
        _check_opponent(rows[draft.to.account], draft.to)
    is_new = limits.is_new(rows[draft.by.account], draft.server, now)
    _check_running(rows[draft.by.account], draft.server, limits, now)
    by = draft.by.account
    count = await challenges.count_by(connection, by, ChallengeState.OPEN, to_millis(now))
    if count >= limits.open_challenges:
        raise Refusal("too_many_challenges", limit=limits.open_challenges)
    if is_new and count >= limits.new_open_challenges:
        raise Refusal("new_account_challenges", limit=limits.new_open_challenges)
    if draft.games is not None:
        await _check_standing(connection, draft, limits)
    if draft.to is not None:
        await _check_addressee(connection, draft, draft.to, limits, is_new=is_new, now=now)


async def check_accepter(
    connection: Connection, row: ChallengeRow, person: Person, limits: ChallengeLimits, now: datetime
) -> None:
    """Raise if a person must not accept a challenge. Safe to count: both persons' rows are locked.

    Raises `guest_only_computer`, `opponent_cannot_play`, `too_many_matches`,
    `new_account_matches`, `opponent_too_busy`, `rating_too_far`. The last two do not name the challenger,
    whom the person may know by an alias only.
    """
    challenger = Person(row.by, row.by_name)
    rows = await _load(connection, [person, challenger])
    _check_account(rows[person.account])
    _check_opponent(rows[row.by], challenger)
    _check_running(rows[person.account], row.server, limits, now)
    if rows[row.by].running >= _running_limit(rows[row.by], row.server, limits, now):
        raise Refusal("opponent_too_busy")
    if row.within is not None:
        await _check_ratings(connection, row, person, row.within)


def rating_number(rows: Mapping[tuple[str, str], RatingRow], account: str, game: str) -> int:
    """Return the rating of an account at a game in whole points; that of a beginner if it has none."""
    row = rows.get((account, game))
    rating = Rating() if row is None else decode_rating(row.rating, row.deviation, row.volatility)
    return round(rating.rating)


async def load_ratings(
    connection: Connection, accounts: Collection[str], games: Collection[str]
) -> dict[tuple[str, str], RatingRow]:
    """Return the ratings of accounts at games, by account and game."""
    rows = await ratings.list_for_people(connection, accounts, games)
    return {(row.person, row.game): row for row in rows}


async def _load(connection: Connection, people: list[Person]) -> dict[str, PlayerRow]:
    accounts = [person.account for person in people]
    return await challenge_limits.list_players(connection, accounts, ACTIVE_STATES, ACCOUNT_PREFIX)


def _check_account(row: PlayerRow) -> None:
    if row.is_guest:
        raise Refusal("guest_only_computer")


def _check_opponent(row: PlayerRow, opponent: Person) -> None:
    if row.is_guest:
        raise Refusal("opponent_cannot_play", name=opponent)


def _running_limit(row: PlayerRow, server: str, limits: ChallengeLimits, now: datetime) -> int:
    return limits.new_running if limits.is_new(row, server, now) else limits.running


def _check_running(row: PlayerRow, server: str, limits: ChallengeLimits, now: datetime) -> None:
    if row.running >= limits.running:
        raise Refusal("too_many_matches", limit=limits.running)
    if row.running >= _running_limit(row, server, limits, now):
        raise Refusal("new_account_matches", limit=limits.new_running)


async def _check_standing(connection: Connection, draft: ChallengeDraft, limits: ChallengeLimits) -> None:
    games = await challenge_limits.list_standing_games(connection, draft.by.account, ChallengeState.OPEN)
    if draft.setup.game.name in games:
        raise Refusal("standing_exists")
    if len(games) >= limits.standing:
        raise Refusal("too_many_standing", limit=limits.standing)


async def _check_addressee(
    connection: Connection,
    draft: ChallengeDraft,
    to: Person,
    limits: ChallengeLimits,
    *,
    is_new: bool,
    now: datetime,
) -> None:
    """Raise if this person was challenged enough; a rematch has a rule of its own: one for each match."""
    by, millis = draft.by.account, to_millis(now)
    if draft.rematch_of is not None:
        return
    count_closed, since = challenge_limits.count_closed, to_millis(now - limits.after_decline)
    if await count_closed(connection, by, to.account, ChallengeState.DECLINED, since):
        raise Refusal("declined_lately", name=to)
    since = to_millis(now - _DAY)
    if await count_closed(connection, by, to.account, ChallengeState.WITHDRAWN, since) >= limits.withdrawn:
        raise Refusal("withdrawn_often", name=to, limit=limits.withdrawn)
    if await challenge_limits.has_open_to(
        connection, by, to.account, draft.setup.game.name, draft.setup.record, ChallengeState.OPEN, millis
    ):
        raise Refusal("already_challenged", name=to)
    if not is_new or await challenge_limits.have_played(connection, by, to.account):
        return
    if (
        await challenge_limits.count_to_strangers(connection, by, to_millis(now - _DAY))
        >= limits.new_strangers
    ):
        raise Refusal("new_account_strangers", limit=limits.new_strangers)


async def _check_ratings(connection: Connection, row: ChallengeRow, person: Person, within: int) -> None:
    rated = await load_ratings(connection, {row.by, person.account}, {row.game})
    wanted, own = (rating_number(rated, account, row.game) for account in (row.by, person.account))
    if abs(wanted - own) > within:
        raise Refusal("rating_too_far", lowest=wanted - within, highest=wanted + within, own=own)
