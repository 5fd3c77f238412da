"""Who sits where: from a key in a link to a key in a cookie, and from that to a person at a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web

from matches import MatchError, MatchId, MatchView, NotInMatch, Person
from web.context import CONTEXT
from web.errors import RequestRefused
from web.tokens import COOKIE_LIFETIME, InvalidToken, SeatToken, TokenPurpose
from web.watch import MATCH_ID_PATTERN, SEAT_COOKIE, SEAT_NAMES, match_id

if TYPE_CHECKING:
    from datetime import timedelta

    from matches import Seat
    from web.context import WebContext

BOTH_SEATS = SEAT_NAMES[-1]
SEAT_PATTERN = f"{{seat:{'|'.join(SEAT_NAMES)}}}"
SEAT_PATH = f"/m/{MATCH_ID_PATTERN}/seat/{SEAT_PATTERN}"


def routes() -> list[web.RouteDef]:
    """Return the address that links to seats begin with."""
    return [web.get(r"/sit/{key}", open_link)]


@dataclass(frozen=True, slots=True)
class PlayerSession:
    """Somebody at a match: `accounts` are whom they may act for, `person` whom they act for now.

    On a screen for both that is whoever is awaited.
    """

    view: MatchView
    accounts: tuple[str, ...]
    person: Person
    path: str

    @property
    def seat(self) -> Seat:
        """The seat of whom they act for."""
        found = self.view.seat(self.person.account)
        if found is None:
            raise NotInMatch(match=self.view.id)
        return found

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody whom they may act for."""
        return tuple(seat.person for seat in self.view.seats if seat.person.account in self.accounts)

    @property
    def is_awaited(self) -> bool:
        """Whether something can be picked or played here now."""
        return self.person in self.view.waits_for


async def seat_link(context: WebContext, view: MatchView, *people: Person, lifetime: timedelta) -> str:
    """Return a link that lets whoever opens it in time sit for these people. Raises NotInMatch."""
    now = context.now()
    generations = [
        (one.account, await context.matches.seat_keys.get_generation(view.id, one)) for one in people
    ]
    token = SeatToken(view.id, tuple(generations), now + lifetime)
    return f"{context.base}/sit/{context.token_signer.sign(token, TokenPurpose.LINK)}"


async def open_link(request: web.Request) -> web.Response:
    """Take the key of a link for a cookie, so that it leaves the address."""
    context = request.app[CONTEXT]
    try:
        token = context.token_signer.verify(request.match_info["key"], TokenPurpose.LINK, context.now())
        view = await context.matches.view(token.match, now=context.now())
        await _check_generations(context, view, token)
    except (InvalidToken, MatchError) as error:
        raise RequestRefused("no_key") from error
    return start_session(context, view, token)


def start_session(context: WebContext, view: MatchView, token: SeatToken) -> web.Response:
    """Answer by leading to a seat, with the key to it in a cookie that no script reads.

    Another cookie, which opens nothing, lets the page for everybody show this browser the way back.
    """
    name = _seat_name(view, token.accounts)
    path = f"/m/{view.id}/seat/{name}"
    extended = context.token_signer.with_expiry(token, context.now() + COOKIE_LIFETIME)
    answer = web.Response(status=303, headers={"Location": path, "Cache-Control": "no-store"})
    answer.set_cookie(
        _cookie_name(context),
        context.token_signer.sign(extended, TokenPurpose.COOKIE),
        max_age=int(COOKIE_LIFETIME.total_seconds()),
        path=path,
        httponly=True,
        secure=context.is_secure,
        samesite="Lax",
    )
    answer.set_cookie(
        SEAT_COOKIE,
        name,
        max_age=int(COOKIE_LIFETIME.total_seconds()),
        path=f"/m/{view.id}",
        httponly=True,
        secure=context.is_secure,
        samesite="Lax",
    )
    return answer


def end_session(context: WebContext, session: PlayerSession) -> web.Response:
    """Answer by leading away from a seat, without the cookie."""
    answer = web.Response(
        status=303, headers={"Location": f"/m/{session.view.id}", "Cache-Control": "no-store"}
    )
    answer.del_cookie(_cookie_name(context), path=session.path, secure=context.is_secure, httponly=True)
    answer.del_cookie(SEAT_COOKIE, path=f"/m/{session.view.id}", secure=context.is_secure, httponly=True)
    return answer


async def require_session(request: web.Request) -> PlayerSession:
    """Return whoever makes a request to a seat's own address. Raises Refused, MatchUnknown."""
    context, match = request.app[CONTEXT], match_id(request)
    try:
        token = context.token_signer.verify(
            request.cookies.get(_cookie_name(context), ""), TokenPurpose.COOKIE, context.now()
        )
        view = await context.matches.view(match, now=context.now())
        _check_seat(token, view, request.match_info["seat"])
        await _check_generations(context, view, token)
    except (InvalidToken, NotInMatch) as error:
        raise RequestRefused("no_seat", match=int(match)) from error
    path = f"/m/{match}/seat/{request.match_info['seat']}"
    return PlayerSession(view, token.accounts, _acting_person(view, token.accounts), path)


def _check_seat(token: SeatToken, view: MatchView, name: str) -> None:
    if token.match != view.id or _seat_name(view, token.accounts) != name:
        raise InvalidToken("the key of another seat")


async def _check_generations(context: WebContext, view: MatchView, token: SeatToken) -> None:
    """Try a key in the locks that it was made for. Raises InvalidToken, NotInMatch."""
    for account, generation in token.generations:
        seat = view.seat(account)
        if seat is None:
            raise NotInMatch(match=view.id)
        if await context.matches.seat_keys.get_generation(MatchId(view.id), seat.person) != generation:
            raise InvalidToken("the lock has been changed")
    if not token.generations:
        raise InvalidToken("a key to nothing")


def _acting_person(view: MatchView, accounts: tuple[str, ...]) -> Person:
    awaited = [person for person in view.waits_for if person.account in accounts]
    own = [seat.person for seat in view.seats if seat.person.account in accounts]
    return (awaited or own)[0]


def _seat_name(view: MatchView, accounts: tuple[str, ...]) -> str:
    """Return what a seat is called in addresses: the same also after the people have changed sides."""
    if len(accounts) > 1:
        return BOTH_SEATS
    everybody = sorted(seat.person.account for seat in view.seats)
    return str(everybody.index(accounts[0]) + 1) if accounts[0] in everybody else ""


def _cookie_name(context: WebContext) -> str:
    return "__Secure-seat" if context.is_secure else "seat"
