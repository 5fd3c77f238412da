"""Who sits where: from a key in a link to a key in a cookie, and from that to a person at a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web

from matches import MatchError, MatchId, MatchView, NotInMatch, Person
from web.house import HOUSE
from web.keys import COOKIE_LASTS, Key, KeyRefused, Purpose
from web.refusals import Refused
from web.watch import NUMBER, OWN_SEAT, SEATS, number

if TYPE_CHECKING:
    from datetime import timedelta

    from matches import Seat
    from web.house import House

BOTH = SEATS[-1]
SEAT = f"{{seat:{'|'.join(SEATS)}}}"
PATH = f"/m/{NUMBER}/seat/{SEAT}"


def routes() -> list[web.RouteDef]:
    """Give the address that links to seats begin with."""
    return [web.get(r"/sit/{key}", sit)]


@dataclass(frozen=True, slots=True)
class Sitting:
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


async def seat_link(house: House, view: MatchView, *people: Person, lasts: timedelta) -> str:
    """Give a link that lets whoever opens it in time sit for these people. Raises NotInMatch."""
    now = house.now()
    locks = [(one.account, await house.matches.lock(view.id, one, now=now)) for one in people]
    key = Key(view.id, tuple(locks), now + lasts)
    return f"{house.base}/sit/{house.keyring.write(key, Purpose.LINK)}"


async def sit(request: web.Request) -> web.Response:
    """Take the key of a link for a cookie, so that it leaves the address."""
    house = request.app[HOUSE]
    try:
        key = house.keyring.read(request.match_info["key"], Purpose.LINK, house.now())
        view = await house.matches.view(key.match, now=house.now())
        await _try(house, view, key)
    except (KeyRefused, MatchError) as error:
        raise Refused("no_key") from error
    return entered(house, view, key)


def entered(house: House, view: MatchView, key: Key) -> web.Response:
    """Answer by leading to a seat, with the key to it in a cookie that no script reads.

    Another cookie, which opens nothing, lets the page for everybody show this browser the way back.
    """
    name = _name(view, key.accounts)
    path = f"/m/{view.id}/seat/{name}"
    kept = house.keyring.extended(key, house.now() + COOKIE_LASTS)
    answer = web.Response(status=303, headers={"Location": path, "Cache-Control": "no-store"})
    answer.set_cookie(
        _cookie(house),
        house.keyring.write(kept, Purpose.COOKIE),
        max_age=int(COOKIE_LASTS.total_seconds()),
        path=path,
        httponly=True,
        secure=house.is_secure,
        samesite="Lax",
    )
    answer.set_cookie(
        OWN_SEAT,
        name,
        max_age=int(COOKIE_LASTS.total_seconds()),
        path=f"/m/{view.id}",
        httponly=True,
        secure=house.is_secure,
        samesite="Lax",
    )
    return answer


def left(house: House, sitting: Sitting) -> web.Response:
    """Answer by leading away from a seat, without the cookie."""
    answer = web.Response(
        status=303, headers={"Location": f"/m/{sitting.view.id}", "Cache-Control": "no-store"}
    )
    answer.del_cookie(_cookie(house), path=sitting.path, secure=house.is_secure, httponly=True)
    answer.del_cookie(OWN_SEAT, path=f"/m/{sitting.view.id}", secure=house.is_secure, httponly=True)
    return answer


async def seated(request: web.Request) -> Sitting:
    """Give whoever makes a request to a seat's own address. Raises Refused, MatchUnknown."""
    house, match = request.app[HOUSE], number(request)
    try:
        key = house.keyring.read(request.cookies.get(_cookie(house), ""), Purpose.COOKIE, house.now())
        view = await house.matches.view(match, now=house.now())
        _compare(key, view, request.match_info["seat"])
        await _try(house, view, key)
    except (KeyRefused, NotInMatch) as error:
        raise Refused("no_seat", match=int(match)) from error
    path = f"/m/{match}/seat/{request.match_info['seat']}"
    return Sitting(view, key.accounts, _acting(view, key.accounts), path)


def _compare(key: Key, view: MatchView, name: str) -> None:
    if key.match != view.id or _name(view, key.accounts) != name:
        raise KeyRefused("the key of another seat")


async def _try(house: House, view: MatchView, key: Key) -> None:
    """Try a key in the locks that it was made for. Raises KeyRefused, NotInMatch."""
    for account, made_for in key.locks:
        seat = view.seat(account)
        if seat is None:
            raise NotInMatch(match=view.id)
        if await house.matches.lock(MatchId(view.id), seat.person, now=house.now()) != made_for:
            raise KeyRefused("the lock has been changed")
    if not key.locks:
        raise KeyRefused("a key to nothing")


def _acting(view: MatchView, accounts: tuple[str, ...]) -> Person:
    awaited = [person for person in view.waits_for if person.account in accounts]
    own = [seat.person for seat in view.seats if seat.person.account in accounts]
    return (awaited or own)[0]


def _name(view: MatchView, accounts: tuple[str, ...]) -> str:
    """Give what a seat is called in addresses: the same also after the people have changed sides."""
    if len(accounts) > 1:
        return BOTH
    everybody = sorted(seat.person.account for seat in view.seats)
    return str(everybody.index(accounts[0]) + 1) if accounts[0] in everybody else ""


def _cookie(house: House) -> str:
    return "__Secure-seat" if house.is_secure else "seat"
