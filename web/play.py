"""The page of a match with the controls of a seat: the turn in the making, fists, offers, ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web
from markupsafe import Markup

from engine.game import GameError
from matches import (
    MatchError,
    MatchState,
    NothingPlayed,
    OfferKind,
    StaleBoard,
    TooManyMoves,
)
from picking import parted, typed
from web import asks, table, telling
from web.house import HOUSE
from web.look import Look
from web.refusals import Refused, sentence
from web.showing import Showing, people
from web.sitting import PATH, seated
from words import telling as words_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from matches import MatchView, Turn
    from web.asks import Asked
    from web.house import House
    from web.sitting import Sitting

    Deed = Callable[[House, Sitting, Any], Awaitable[Turn]]

LONGEST_TEXT = 200
ABORTABLE = 2  # turns: before both have moved a match counts for nothing


def routes() -> list[web.RouteDef]:
    """Give the address of a seat's page."""
    return [web.get(PATH, seat_page)]


async def seat_page(request: web.Request) -> web.Response:
    """Show a match to whoever sits there; with answers in the address, the turn in the making."""
    return await show(request, await seated(request))


async def show(request: web.Request, sitting: Sitting, notice: str = "") -> web.Response:
    """Answer with the page of a seat, or the parts of it that change."""
    house = request.app[HOUSE]
    shown = await house.shelf.get(sitting.view.id)
    look = Look.of(request, house.games[sitting.view.game], _own_side(sitting))
    showing = Showing.of(house, shown, look, request.query.get("turn"), sitting.path)
    values = {**showing.values(), **people(house, sitting.view), **_controls(house, sitting, showing)}
    if showing.is_latest:
        values |= _turn_in_hand(request, sitting, showing)
    values["notice"] = notice or values["notice"]
    part = request.query.get("part")
    answer = house.pages.page(request, "seat.html" if part == "seat" else "match.html", **values)
    answer.headers["Cache-Control"] = "no-store"
    look.keep(request, answer, secure=house.is_secure)
    return answer


def _controls(house: House, sitting: Sitting, showing: Showing) -> dict[str, Any]:
    """Give what the templates need for everything but the turn itself."""
    view = sitting.view
    goes_on, standing = view.state is not MatchState.OVER, view.standing
    is_theirs = standing is not None and standing.by.account not in sitting.accounts
    is_answered = standing is not None and (is_theirs or len(sitting.accounts) > 1)
    return {
        "seated": True,
        "own_seat": "",
        "notice": "",
        "board": view.stamp,
        "own_side": sitting.seat.side.value,
        "is_awaited": sitting.is_awaited and showing.is_latest,
        "acts_for": sitting.person.name,
        "shared": len(sitting.accounts) > 1,
        "may_resign": goes_on,
        "again": "" if goes_on else table.again(house, view, shared=len(sitting.accounts) > 1),
        "may_abort": goes_on and showing.shown.last < ABORTABLE,
        "offers": _offers(house, view) if goes_on and standing is None else (),
        "answerable": standing if goes_on and is_answered else None,
        "fists": _fists(house, sitting),
    }


def _offers(house: House, view: MatchView) -> list[dict[str, str]]:
    """Give what can be offered on this board, as far as the rules and the terms tell at a glance."""
    words, position = house.words, view.position
    if position is None:
        return []
    ruled = position.agreed_outcome
    possible = {
        OfferKind.END: ruled is not None,
        OfferKind.DRAW: ruled is None and house.games[view.game].draws,
        OfferKind.TAKEBACK: view.terms.takeback and view.ply > 0,
    }
    told = words_of.agreed(words, position) if ruled is not None else ""
    return [
        {
            "kind": kind.value,
            "label": words(f"web.offer.{kind}.make"),
            "about": words(f"web.offer.{kind}.about", result=told),
        }
        for kind, is_possible in possible.items()
        if is_possible
    ]


def _fists(house: House, sitting: Sitting) -> list[dict[str, str]]:
    """Give the picks on offer to somebody whose fists are still open."""
    rules, words = house.games[sitting.view.game], house.words
    if sitting.view.state is not MatchState.FISTS or rules.fists is None or not sitting.is_awaited:
        return []
    return [
        {
            "pick": pick,
            "left": "●" * pick.count("L"),
            "right": "●" * pick.count("R"),
            "hands": words(f"fists.hands.{pick}"),
            "mode": words_of.setting(words, rules.name, rules.fists.option, rules.settle(pick, pick)),
        }
        for pick in rules.fists.picks
    ]


def _turn_in_hand(request: web.Request, sitting: Sitting, showing: Showing) -> dict[str, Any]:
    """Give the board and the question of a turn in the making; the bare board where it is another's turn."""
    position, words = sitting.view.position, showing.house.words
    if position is None or not sitting.is_awaited:
        return {}
    place = asks.Place(words, sitting.seat.side, showing.look, sitting.view.stamp, _last_events(sitting))
    try:
        asked, notice = _asked(request, sitting, place), ""
    except (GameError, MatchError) as error:
        asked, notice = asks.ask(place, position, ()), why(showing.house, error)
    caption = telling.turn(words, showing.shown.page(showing.turn))
    return {
        "asked": asked,
        "svg": Markup(asked.svg),  # noqa: S704 - painted by the renderer
        "caption": caption,
        "notice": notice,
    }


def _asked(request: web.Request, sitting: Sitting, place: asks.Place) -> Asked:
    """Follow what the address says. Raises GameError, and MatchError for another board than the one seen."""
    position, view = sitting.view.position, sitting.view
    query = request.query
    if position is None:
        raise NothingPlayed(match=view.id, due=0)
    text = query.get("text", "")[:LONGEST_TEXT]
    answers = asks.read(query.get("answers", ""))
    if (answers or text) and "board" in query and asks.number_of(query["board"]) != view.stamp:
        raise StaleBoard(match=view.id, seen=asks.number_of(query["board"]), ply=view.ply)
    if "text" in query:
        return _typed(view.id, place, position, text)
    if "then" in query:
        answers = (*answers, query["then"])
    if "ticked" in query:
        answers = asks.taken(position, answers, query.getall("take", []))
    return asks.ask(place, position, answers)


def _typed(match: int, place: asks.Place, position: Any, text: str) -> Asked:
    given = len(parted(text))
    if given == 0:
        raise NothingPlayed(match=match, due=position.due)
    if given > position.due:
        raise TooManyMoves(match=match, due=position.due, given=given)
    return asks.preview(place, typed(position, text), text)


def _last_events(sitting: Sitting) -> tuple[Any, ...]:
    view = sitting.view
    return tuple(event for played in (view.run or view.last) for event in played.events)


def _own_side(sitting: Sitting) -> Any:
    """Give the side at the bottom: one's own, or, on a screen for both, always the same."""
    return None if len(sitting.accounts) > 1 else sitting.seat.side


def why(house: House, error: MatchError | GameError | Refused) -> str:
    """Give the sentence of whatever was refused at a seat."""
    if isinstance(error, GameError):
        return house.words("web.refused.move", reason=error.reason)
    return sentence(house.words, error)
