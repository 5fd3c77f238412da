"""The local table: a match begun from a form, for two people at one screen or in two windows."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from aiohttp import web

from matches import MatchError, Person, Terms
from web import telling
from web.house import HOUSE
from web.keys import Key
from web.refusals import Refused, sentence
from web.sitting import entered, seat_link
from words import telling as words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Option, Setting
    from matches import MatchView
    from web.house import House
    from words import Words

SERVER = "web:table"
LINKS_LAST = timedelta(days=1)
LONGEST_NAME = 40
ONE_SCREEN, TWO_SCREENS = "one", "two"
UNRATED = Terms(rated=False)  # the people of this table are nobody in particular
MOST_LISTED = 40  # numbers that a menu lists


@dataclass(frozen=True, slots=True)
class Field:
    """One option of a game as a menu: its name, what it is called, its values with their words, a note."""

    name: str
    label: str
    values: tuple[tuple[str, str, bool], ...]
    note: str


def routes() -> list[web.RouteDef]:
    """Give the addresses of the form."""
    return [web.get("/new", form), web.post("/new", begin)]


async def form(request: web.Request) -> web.Response:
    """Show what can be played."""
    return _form(request, request.query, "", 200)


async def begin(request: web.Request) -> web.Response:
    """Begin a match and lead to it, or to the links for two windows."""
    house = _opened(request)
    told = await request.post()
    values = {name: str(value) for name, value in told.items()}
    try:
        view = await _begin(house, values)
    except MatchError as error:
        return _form(request, values, sentence(house.words, error), 400)
    people = tuple(seat.person for seat in view.seats)
    if values.get("screens") == ONE_SCREEN:
        locks = tuple((one.account, 0) for one in people)
        return entered(house, view, Key(view.id, locks, house.now()))
    links = [await seat_link(house, view, one, lasts=LINKS_LAST) for one in people]
    answer = house.pages.page(
        request,
        "seats.html",
        match=view.id,
        seats=[
            (
                telling.called(house.words, seat.person.name, telling.side(house.words, seat.side)),
                seat.side.value,
                link,
            )
            for seat, link in zip(view.seats, links, strict=True)
        ],
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def again(house: House, view: MatchView, *, shared: bool) -> str:
    """Give where the same two begin the same game anew with sides changed; empty for a match of elsewhere."""
    if not house.open_house or view.server != SERVER:
        return ""
    rules = house.games[view.game]
    options = {option.name: view.options.get(option.name) for option in rules.options if not option.drawn}
    if rules.fists is not None and view.reveal is not None:
        options[rules.fists.option] = rules.fists.value
    unnamed = {telling.side(house.words, side) for side in rules.sides}
    second, first = (seat.person.name for seat in view.seats)
    asked = {
        "game": view.game,
        **{name: str(value) for name, value in options.items() if value is not None},
        "first": "" if first in unnamed else first,
        "second": "" if second in unnamed else second,
        "screens": ONE_SCREEN if shared else TWO_SCREENS,
    }
    return f"/new?{urlencode({name: value for name, value in asked.items() if value})}"


def _opened(request: web.Request) -> House:
    house = request.app[HOUSE]
    if not house.open_house:
        raise web.HTTPNotFound
    return house


async def _begin(house: House, values: Mapping[str, str]) -> MatchView:
    """Challenge and accept in one; what is to be told of it is told here and nowhere else."""
    rules = house.games.get(values.get("game", ""))
    if rules is None:
        raise Refused("game_unknown", code=400)
    first, second = _people(house, rules, values)
    step = await house.matches.challenge(
        first,
        to=second,
        server=SERVER,
        place=SERVER,
        game=rules.name,
        options=_options(rules, values),
        colour=rules.sides[0],
        terms=UNRATED,
        now=house.now(),
    )
    await house.tell(step.announcement)
    turn = await house.matches.accept(step.challenge.id, second, now=house.now())
    if turn.announcement is not None:
        await house.tell(turn.announcement)
    return turn.match


def _people(house: House, rules: Game, values: Mapping[str, str]) -> tuple[Person, Person]:
    """Make two people who are nobody else, called what was typed or else by their sides."""
    group = secrets.token_hex(6)
    names = [
        values.get(field, "").strip()[:LONGEST_NAME] or telling.side(house.words, side)
        for field, side in zip(("first", "second"), rules.sides, strict=True)
    ]
    return Person(f"web:{group}:1", names[0]), Person(f"web:{group}:2", names[1])


def _options(rules: Game, values: Mapping[str, str]) -> dict[str, Setting]:
    return {
        option.name: values[option.name]
        for option in rules.options
        if not option.drawn and values.get(option.name)
    }


def _form(request: web.Request, values: Mapping[str, str], notice: str, status: int) -> web.Response:
    house = _opened(request)
    games = [
        {
            "name": rules.name,
            "title": telling.game(house.words, rules.name),
            "about": house.words(f"web.new.about.{rules.name}"),
            "sides": [(side.value, telling.side(house.words, side)) for side in rules.sides],
            "fields": list(_fields(house.words, rules, values if values.get("game") == rules.name else {})),
            "is_open": values.get("game", next(iter(house.games))) == rules.name,
        }
        for rules in house.games.values()
    ]
    return house.pages.page(request, "new.html", status=status, games=games, values=values, notice=notice)


def _fields(words: Words, rules: Game, values: Mapping[str, str]) -> Any:
    for option in rules.options:
        if not option.drawn:
            yield Field(
                option.name,
                words_of.option_name(words, option.name),
                tuple(_values(words, rules, option, values.get(option.name, ""))),
                _note(words, option.name),
            )


def _note(words: Words, option: str) -> str:
    """Say more about an option whose values do not say it themselves."""
    return words(f"web.new.note.{option}") if words.has(f"web.new.note.{option}") else ""


def _values(words: Words, rules: Game, option: Option, chosen: str) -> Any:
    """Give the values of an option with their words; without a usual value the game may be left to choose."""
    if option.default is None:
        yield "", words("web.new.usual"), not chosen
    offered = option.choices or tuple(
        range(option.minimum, min(option.maximum, option.minimum + MOST_LISTED) + 1)
    )
    fists = rules.fists
    if fists is not None and fists.option == option.name:
        offered = (fists.value, *offered)
    for value in offered:
        is_chosen = chosen == str(value) if chosen else value == option.default
        yield str(value), words_of.setting(words, rules.name, option.name, value), is_chosen
