"""What the page of a seat shows to its player alone, with the fingerprint of the match, in one query."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, case, exists, select, true

from storage.match.fingerprints import FingerprintRow, select_matches
from storage.people.seat_keys import generation_of
from storage.people.web_sessions import SessionRow, select_valid
from storage.posting.outbox import COPY_PLATFORMS
from storage.posting.places import TRIED
from storage.statements import fetch_row
from storage.tables import CONDITIONAL_MOVES, MATCHES, NOTES, OFFERS, OUTBOX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, ScalarSelect, Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class SeatRow(FingerprintRow):
    """A match as one player sees it.

    The keys are the generations of the seats' keys, None for 0. `unfinished_by` is who has begun a turn that
    is not complete, `has_untold` whether a message to one of the accounts was tried in vain, `has_unseen`
    whether a mail or push about the match is still to be sent to one of them. Of the player
    are the kind of the last offer on this board if it was declined, the conditional moves that are not lost,
    and the note.
    """

    first_key: int | None
    second_key: int | None
    unfinished_by: str | None
    has_untold: bool
    has_unseen: bool
    declined_offer: str | None
    conditional_moves: str | None = field(repr=False)
    note: str | None = field(repr=False)


async def load(
    connection: AsyncConnection, match: int, accounts: Sequence[str], platforms: Sequence[str], declined: str
) -> SeatRow | None:
    """Return a match as the first of `accounts` sees it; None if there is none.

    `platforms` are those on which the accounts are told something, `declined` is the answer of an offer that
    was declined.
    """
    values = {
        "numbers": [match],
        "accounts": list(accounts),
        "platforms": list(platforms),
        "person": next(iter(accounts), ""),
        "declined": declined,
    }
    return await fetch_row(connection, SeatRow, _select_of_accounts(), values)


async def load_of_session(
    connection: AsyncConnection,
    match: int,
    session_id: str,
    platforms: Sequence[str],
    declined: str,
    now: int,
) -> tuple[SeatRow, SessionRow] | None:
    """Return a match as the account of a session sees it, and the session.

    None if there is no such match, or no such session, or it has expired.
    """
    values = {
        "numbers": [match],
        "session_id": session_id,
        "platforms": list(platforms),
        "declined": declined,
        "now": now,
    }
    row = (await connection.execute(_select_of_session(), values)).first()
    if row is None:
        return None
    width = len(fields(SeatRow))
    return SeatRow(*row[:width]), SessionRow(*row[width:])


@cache
def _select_of_accounts() -> Select[Any]:
    return _select(bindparam("person"), OUTBOX.c.to.in_(bindparam("accounts", expanding=True)))


@cache
def _select_of_session() -> Select[Any]:
    session = select_valid().subquery("session")
    seat = _select(session.c.account, OUTBOX.c.to == session.c.account)
    return seat.join(session, true()).add_columns(*session.c)


def _select(person: Any, is_to_them: ColumnElement[bool]) -> Select[Any]:
    """Select a match as a person sees it; `is_to_them` is the condition of announcements to them alone."""
    platforms: Any = bindparam("platforms", expanding=True)
    untold = exists().where(*TRIED, is_to_them, OUTBOX.c.platform.in_(platforms))
    unsent = (OUTBOX.c.match == MATCHES.c.id, OUTBOX.c.sent_at.is_(None))
    unseen = exists().where(*unsent, is_to_them, OUTBOX.c.platform.in_(COPY_PLATFORMS))
    return select_matches(
        SeatRow,
        first_key=generation_of(MATCHES.c.id, MATCHES.c.first),
        second_key=generation_of(MATCHES.c.id, MATCHES.c.second),
        unfinished_by=case((MATCHES.c.ply > MATCHES.c.turn_ply, MATCHES.c.mover)),
        has_untold=untold,
        has_unseen=unseen,
        declined_offer=_declined_offer(person),
        conditional_moves=select(CONDITIONAL_MOVES.c.tree)
        .where(
            CONDITIONAL_MOVES.c.match == MATCHES.c.id,
            CONDITIONAL_MOVES.c.person == person,
            CONDITIONAL_MOVES.c.lost.is_(None),
        )
        .scalar_subquery(),
        note=select(NOTES.c.text)
        .where(NOTES.c.match == MATCHES.c.id, NOTES.c.person == person)
        .scalar_subquery(),
    )


def _declined_offer(person: Any) -> ScalarSelect[str | None]:
    """Select the kind of the person's last offer on the board if it was declined."""
    is_here = and_(
        OFFERS.c.match == MATCHES.c.id,
        OFFERS.c.ply == MATCHES.c.turn_ply,
        OFFERS.c.takebacks == MATCHES.c.takebacks,
    )
    return (
        select(case((OFFERS.c.answer == bindparam("declined"), OFFERS.c.kind)))
        .where(is_here, OFFERS.c.by == person)
        .order_by(OFFERS.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
