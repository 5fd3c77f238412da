"""Writing challenges, and announcing what becomes of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.challenge_checks import challenge_from_row, check_colour, check_opponents
from matches.challenge_drafts import check_extras
from matches.challenge_limits import check_challenger
from matches.errors import Refusal
from matches.names import clean_line
from matches.options import format_options
from matches.platforms import WEBSITE, platform_of
from matches.posting.announcements import GRACE, announce_to_players
from matches.servers.blocks import check_not_blocked
from matches.terms import format_terms
from matches.times import to_millis
from matches.updates import Announcement, AnnouncementKind, ChallengeUpdate
from matches.values import ChallengeState, Person
from matches.visibility import decide_audience
from storage.match import challenges
from storage.people import people
from storage.posting import places

if TYPE_CHECKING:
    from datetime import datetime

    from matches.challenge_drafts import ChallengeDraft
    from matches.challenge_limits import ChallengeLimits
    from storage import Connection
    from storage.match.challenges import ChallengeRow

CHALLENGE_LIFETIME = timedelta(days=7)
STANDING_LIFETIME = timedelta(days=14)  # from the last time that its challenger was seen, until it pauses


async def write_challenge(
    connection: Connection,
    draft: ChallengeDraft,
    limits: ChallengeLimits,
    now: datetime,
    computer: Person | None = None,
) -> ChallengeRow:
    """Write an open challenge, or one that the computer has accepted. Raises as :meth:`Challenges.create`."""
    check_opponents(draft.by, draft.to)
    draft = replace(draft, note=clean_line(draft.note))
    if computer is None:
        check_extras(draft)
    check_colour(draft.colour, draft.setup.game)
    addressee = draft.to or computer
    for one in sorted(filter(None, (draft.by, addressee)), key=lambda person: person.account):
        # On the website an addressee has the name there, which is not that in Discord.
        save = people.ensure if one is draft.to and draft.server == WEBSITE else people.save
        await save(connection, one.account, one.name, to_millis(now))
    await people.ensure_server(connection, draft.server, to_millis(now))
    await check_not_blocked(connection, draft.server, draft.by, draft.to)
    if computer is None:
        await check_challenger(connection, draft, limits, now)
    lifetime = CHALLENGE_LIFETIME if draft.games is None else STANDING_LIFETIME
    audience = draft.audience or await decide_audience(connection, draft.server, draft.channel)
    challenge = await challenges.add(
        connection,
        by=draft.by.account,
        to=None if addressee is None else addressee.account,
        server=draft.server,
        place=draft.channel,
        game=draft.setup.game.name,
        options=format_options(draft.setup.options),
        terms=format_terms(draft.terms),
        colour=draft.colour,
        state=ChallengeState.OPEN if computer is None else ChallengeState.ACCEPTED,
        accepted_by=None if computer is None else computer.account,
        made_at=to_millis(now),
        expires_at=to_millis(now + lifetime),
        closed_at=None if computer is None else to_millis(now),
        record=draft.setup.record,
        rematch_of=draft.rematch_of,
        audience=audience,
        note=draft.note or None,
        within=draft.within,
        by_link=draft.by_link,
        games=draft.games,
    )
    return await get_row(connection, challenge)


async def get_row(connection: Connection, challenge: int) -> ChallengeRow:
    """Return a challenge. Raises `challenge_unknown`."""
    row = await challenges.get(connection, challenge)
    if row is None:
        raise Refusal("challenge_unknown", challenge=challenge)
    return row


async def make_update(
    connection: Connection,
    row: ChallengeRow,
    kind: AnnouncementKind,
    by: str,
    recipients: tuple[str, ...],
    now: datetime,
) -> ChallengeUpdate:
    """Announce a change of a challenge to `recipients`; the front end of `by` sends it."""
    announcement = await announce(connection, row, kind, by, recipients, now, GRACE)
    return ChallengeUpdate(challenge=challenge_from_row(row, now), announcement=announcement)


async def announce(
    connection: Connection,
    row: ChallengeRow,
    kind: AnnouncementKind,
    by: str,
    recipients: tuple[str, ...],
    now: datetime,
    grace: timedelta,
) -> Announcement:
    """Announce a change of a challenge; if it has no channel, or lost it, privately."""
    is_new = kind is AnnouncementKind.CHALLENGED
    is_lost = not is_new and await places.has_private(connection, row.id, platform_of(row.place))
    players = (row.by, *filter(None, (row.to,))) if is_new else recipients
    return await announce_to_players(
        connection,
        kind,
        players or (row.by,),
        is_direct=is_lost and bool(players),
        challenge=row.id,
        by=by,
        recipients=recipients,
        server=row.server,
        channel=row.place,
        now=to_millis(now),
        grace=grace,
    )
