"""Playing: the page of a match with the controls of a seat, and what these do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web
from markupsafe import Markup

from engine.game import GameError
from matches import MatchError, MatchState, NothingPlayed, StaleBoard, TooManyMoves
from picking import follow, parted, typed
from web import asks, telling
from web.house import HOUSE
from web.look import Look
from web.refusals import Refused, sentence
from web.showing import Showing, people
from web.sitting import PATH, left, seated
from words import telling as words_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from matches import Turn
    from web.asks import Asked
    from web.house import House
    from web.sitting import Sitting

    Deed = Callable[[House, Sitting, Any], Awaitable[Turn]]

LONGEST_TEXT = 200


def routes() -> list[web.RouteDef]:
    """Give the addresses of a seat: its page, and what can be done there."""
    return [
        web.get(PATH, seat_page),
        web.post(f"{PATH}/play", _doing(_play)),
        web.post(f"{PATH}/pick", _doing(_pick)),
        web.post(f"{PATH}/resign", _doing(_resign)),
        web.post(f"{PATH}/offer", _doing(_offer)),
        web.post(f"{PATH}/answer", _doing(_answer)),
        web.post(f"{PATH}/lock", lock),
    ]


async def seat_page(request: web.Request) -> web.Response:
    """Show a match to whoever sits there; with answers in the address, the turn in the making."""
    return await _show(request, await seated(request))


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
            return await _show(request, await seated(request), _why(house, error))
        if turn.announcement is not None:
            await house.tell(turn.announcement)
        query = "?part=seat" if request.query.get("part") == "seat" else ""
        headers = {"Location": f"{sitting.path}{query}", "Cache-Control": "no-store"}
        return web.Response(status=303, headers=headers)

    return handle


async def _play(house: House, sitting: Sitting, form: Any) -> Turn:
    """Play what was shown before it was confirmed, on that very board."""
    position, ply = sitting.view.position, _ply(form.get("ply"))
    if position is not None and ply != sitting.view.stamp:
        raise StaleBoard(match=sitting.view.id, seen=ply, ply=sitting.view.ply)
    text = str(form.get("text", ""))[:LONGEST_TEXT]
    if text or position is None:
        texts = parted(text)
    else:
        texts = [str(move) for move in follow(position, asks.read(str(form.get("answers", "")))).moves]
    return await house.matches.play(
        sitting.view.id, sitting.person, texts, seen_ply=ply, exact=True, now=house.now()
    )


async def _pick(house: House, sitting: Sitting, form: Any) -> Turn:
    return await house.matches.pick(
        sitting.view.id, sitting.person, str(form.get("pick", "")), now=house.now()
    )


async def _resign(house: House, sitting: Sitting, _form: Any) -> Turn:
    return await house.matches.resign(sitting.view.id, sitting.person, now=house.now())


async def _offer(house: House, sitting: Sitting, form: Any) -> Turn:
    return await house.matches.offer_end(
        sitting.view.id, sitting.person, seen_ply=_ply(form.get("ply")), now=house.now()
    )


async def _answer(house: House, sitting: Sitting, form: Any) -> Turn:
    offerer = sitting.view.offer
    others = [person for person in sitting.people if person != offerer]
    return await house.matches.answer_end(
        sitting.view.id,
        (others or [sitting.person])[0],
        accept=form.get("answer") == "accept",
        seen_ply=_ply(form.get("ply")),
        now=house.now(),
    )


def _ply(value: object) -> int:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1


async def _show(request: web.Request, sitting: Sitting, notice: str = "") -> web.Response:
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
    view, words = sitting.view, house.words
    goes_on = view.state is not MatchState.OVER
    agreed = view.position.agreed_outcome if view.position is not None and goes_on else None
    is_theirs = view.offer is not None and view.offer.account not in sitting.accounts
    is_answered = view.offer is not None and (is_theirs or len(sitting.accounts) > 1)
    return {
        "seated": True,
        "notice": "",
        "ply": view.stamp,
        "own_side": sitting.seat.side.value,
        "is_awaited": sitting.is_awaited and showing.is_latest,
        "acts_for": sitting.person.name,
        "shared": len(sitting.accounts) > 1,
        "may_resign": goes_on,
        "may_offer": goes_on and view.offer is None and agreed is not None,
        "agreed": "" if view.position is None or agreed is None else words_of.agreed(words, view.position),
        "may_answer": goes_on and is_answered,
        "fists": _fists(house, sitting),
    }


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
        asked, notice = asks.ask(place, position, ()), _why(showing.house, error)
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
    if (answers or text) and "ply" in query and _ply(query["ply"]) != view.stamp:
        raise StaleBoard(match=view.id, seen=_ply(query["ply"]), ply=view.ply)
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


def _why(house: House, error: MatchError | GameError | Refused) -> str:
    if isinstance(error, GameError):
        return house.words("web.refused.move", reason=error.reason)
    return sentence(house.words, error)
