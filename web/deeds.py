"""What is done at a seat: playing, picking, offers, ends; each leads back to the board, or says why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from engine.game import GameError
from matches import MatchError, OfferId, OfferKind, OfferUnknown, StaleBoard
from picking import follow, parted
from web import asks
from web.asks import number_of
from web.house import HOUSE
from web.play import LONGEST_TEXT, show, why
from web.refusals import Refused
from web.sitting import PATH, left, seated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from matches import Turn
    from web.house import House
    from web.sitting import Sitting

    Deed = Callable[[House, Sitting, Any], Awaitable[Turn]]


def routes() -> list[web.RouteDef]:
    """Give the addresses of what can be done at a seat."""
    return [
        web.post(f"{PATH}/play", _doing(_play)),
        web.post(f"{PATH}/pick", _doing(_pick)),
        web.post(f"{PATH}/resign", _doing(_resign)),
        web.post(f"{PATH}/abort", _doing(_abort)),
        web.post(f"{PATH}/offer", _doing(_offer)),
        web.post(f"{PATH}/answer", _doing(_answer)),
        web.post(f"{PATH}/lock", lock),
    ]


async def lock(request: web.Request) -> web.Response:
    """Change the locks of the seat: every link to it and every browser that sits there is shut out."""
    house, sitting = request.app[HOUSE], await seated(request)
    for account in sitting.accounts:
        seat = sitting.view.seat(account)
        if seat is not None:
            await house.matches.change_lock(sitting.view.id, seat.person, now=house.now())
    return left(house, sitting)


def _doing(deed: Deed) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Make a handler that does something at a seat, tells of it, and leads back to the board."""

    async def handle(request: web.Request) -> web.Response:
        house, sitting = request.app[HOUSE], await seated(request)
        form = await request.post()
        try:
            turn = await deed(house, sitting, form)
        except (MatchError, GameError, Refused) as error:
            return await show(request, await seated(request), why(house, error))
        if turn.announcement is not None:
            await house.tell(turn.announcement)
        query = "?part=seat" if request.query.get("part") == "seat" else ""
        headers = {"Location": f"{sitting.path}{query}", "Cache-Control": "no-store"}
        return web.Response(status=303, headers=headers)

    return handle


async def _play(house: House, sitting: Sitting, form: Any) -> Turn:
    """Play what was shown before it was confirmed, on that very board."""
    position, board = sitting.view.position, number_of(form.get("board"))
    if position is not None and board != sitting.view.stamp:
        raise StaleBoard(match=sitting.view.id, seen=board, ply=sitting.view.ply)
    text = str(form.get("text", ""))[:LONGEST_TEXT]
    if text or position is None:
        texts = parted(text)
    else:
        texts = [str(move) for move in follow(position, asks.read(str(form.get("answers", "")))).moves]
    return await house.matches.play(
        sitting.view.id, sitting.person, texts, seen_ply=board, exact=True, now=house.now()
    )


async def _pick(house: House, sitting: Sitting, form: Any) -> Turn:
    return await house.matches.pick(
        sitting.view.id, sitting.person, str(form.get("pick", "")), now=house.now()
    )


async def _resign(house: House, sitting: Sitting, _form: Any) -> Turn:
    return await house.matches.resign(sitting.view.id, sitting.person, now=house.now())


async def _offer(house: House, sitting: Sitting, form: Any) -> Turn:
    kind = next((one for one in OfferKind if one.value == form.get("kind")), None)
    if kind is None:
        raise OfferUnknown(offer=0)
    return await house.matches.offers.make(
        sitting.view.id, sitting.person, kind, stamp=number_of(form.get("board")), now=house.now()
    )


async def _answer(house: House, sitting: Sitting, form: Any) -> Turn:
    standing = sitting.view.standing
    others = [person for person in sitting.people if standing is None or person != standing.by]
    return await house.matches.offers.answer(
        OfferId(number_of(form.get("offer"))),
        (others or [sitting.person])[0],
        accept=form.get("answer") == "accept",
        now=house.now(),
    )


async def _abort(house: House, sitting: Sitting, _form: Any) -> Turn:
    return await house.matches.offers.abort(sitting.view.id, sitting.person, now=house.now())
