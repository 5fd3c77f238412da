"""The seats that a browser took by personal links, in a signed cookie, the latest visited first.

The cookie lets nobody play. While the key of its seat is valid, the browser sees what that player may see; a
finished match stays in the list.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from aiohttp import web

from matches import MatchId, is_deleted
from web.addresses import SEAT_NAMES
from web.context import CONTEXT
from web.play.tokens import COOKIE_LIFETIME, RENEWAL_INTERVAL, InvalidToken
from web.server.cookies import cookie_name, set_private_cookie

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from web.context import WebContext
    from web.play.tokens import SeatToken

COOKIE = "seats"
MAX_SEATS = 200  # in the cookie, which browsers limit to 4096 bytes
LIST_LIFETIME = timedelta(days=365)
AFTER_DELETION = -1  # no generation
DAY_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """A seat of this browser.

    `name` is the one in URLs, `last_day` the day (since 1970) until which its cookie is valid, `generations`
    those of its keys, in the order of the accounts, and AFTER_DELETION where a player has been deleted.
    """

    match: MatchId
    name: str
    last_day: int
    generations: tuple[int, ...]

    def is_signed_in(self, now: datetime) -> bool:
        """Return whether the cookie of the seat is still valid."""
        return self.last_day >= _day(now)


SEATS = web.RequestKey("seats", tuple[HeldSeat, ...])


def held_seats(request: web.Request) -> tuple[HeldSeat, ...]:
    """Return the seats of the browser that sent a request, the latest visited first."""
    if SEATS not in request:
        request[SEATS] = _parse_cookie(request.app[CONTEXT], request)
    return request[SEATS]


def accounts_by_seat(accounts: Iterable[str]) -> dict[str, list[str]]:
    """Return the accounts that each seat of a match acts for, by its name in URLs."""
    ordered = sorted(accounts)
    return dict(zip(SEAT_NAMES, (ordered[:1], ordered[1:], ordered), strict=True))


def valid_seats(
    seats: Iterable[HeldSeat], accounts: Sequence[str], generations: Mapping[str, int]
) -> list[HeldSeat]:
    """Return those of the seats of a match of these accounts whose keys were not changed."""
    by_seat = accounts_by_seat(accounts)
    return [
        seat
        for seat in seats
        if seat.generations
        == _stored_generations(
            [(account, generations.get(account, 0)) for account in by_seat[seat.name]], accounts
        )
    ]


def valid_accounts(
    seats: Iterable[HeldSeat],
    accounts: Sequence[str],
    generations: Mapping[str, int],
    now: datetime,
    *,
    is_over: bool,
) -> frozenset[str]:
    """Return the accounts whose view of a match the browser may have."""
    by_seat = accounts_by_seat(accounts)
    valid = valid_seats(seats, accounts, generations)
    return frozenset(
        account for seat in valid if is_over or seat.is_signed_in(now) for account in by_seat[seat.name]
    )


def add_seat(request: web.Request, token: SeatToken, name: str, accounts: Iterable[str]) -> None:
    """Make a seat of a match of these accounts the first of the list. At most MAX_SEATS are kept."""
    now = request.app[CONTEXT].now()
    # Visiting the page renews its cookie.
    last_day = _day(now + COOKIE_LIFETIME - RENEWAL_INTERVAL)
    generations = _stored_generations(token.generations, accounts)
    seat = HeldSeat(token.match, name, last_day, generations)
    others = [one for one in held_seats(request) if (one.match, one.name) != (seat.match, seat.name)]
    request[SEATS] = (seat, *others)[:MAX_SEATS]


def _stored_generations(keys: Iterable[tuple[str, int]], accounts: Iterable[str]) -> tuple[int, ...]:
    """Return what the cookie has of the generations of a seat's keys, by account, in a match of `accounts`.

    When a player is deleted, another account with new keys takes that place, and the order of the accounts
    changes. A seat that was taken before must not count then: its name means the seat of somebody else.
    """
    mark = (AFTER_DELETION,) if any(map(is_deleted, accounts)) else ()
    return (*(number for _, number in sorted(keys)), *mark)


def save_seats(request: web.Request, answer: web.Response) -> None:
    """Store the list in the browser if it has changed."""
    context, seats = request.app[CONTEXT], held_seats(request)
    if seats == _parse_cookie(context, request):
        return
    rows = [[seat.match, SEAT_NAMES.index(seat.name), seat.last_day, *seat.generations] for seat in seats]
    text = context.token_signer.sign_list(rows)
    set_private_cookie(context, answer, cookie_name(context, COOKIE), text, "/", LIST_LIFETIME)


def _parse_cookie(context: WebContext, request: web.Request) -> tuple[HeldSeat, ...]:
    try:
        rows = context.token_signer.verify_list(request.cookies.get(cookie_name(context, COOKIE), ""))
    except InvalidToken:
        return ()
    return tuple(
        HeldSeat(MatchId(match), SEAT_NAMES[name], last_day, tuple(generations))
        for match, name, last_day, *generations in rows
    )


def _day(time: datetime) -> int:
    return int(time.astimezone(UTC).timestamp()) // DAY_SECONDS
