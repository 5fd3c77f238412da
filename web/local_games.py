"""The local table: a match begun from a form, for two people at one screen or in two windows."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from aiohttp import web

from i18n import formatting as words_of
from matches import MatchError, Person, Terms
from web import formatting
from web.context import CONTEXT
from web.errors import RequestRefused, format_error
from web.session import seat_link, start_session
from web.tokens import SeatToken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Option, OptionValue
    from i18n import Texts
    from matches import MatchView
    from web.context import WebContext

LOCAL_SERVER = "web:table"
LOCAL_LINK_LIFETIME = timedelta(days=1)
MAX_NAME = 40
ONE_SCREEN, TWO_SCREENS = "one", "two"
UNRATED = Terms(rated=False)  # the people of this table are nobody in particular
MAX_LISTED_NUMBERS = 40  # numbers that a menu lists


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game as a menu: its name, what it is called, its values with their words, a note."""

    name: str
    label: str
    values: tuple[tuple[str, str, bool], ...]
    note: str


def routes() -> list[web.RouteDef]:
    """Return the addresses of the form."""
    return [web.get("/new", new_game_form), web.post("/new", start_game)]


async def new_game_form(request: web.Request) -> web.Response:
    """Show what can be played."""
    return _render_form(request, request.query, "", 200)


async def start_game(request: web.Request) -> web.Response:
    """Begin a match and lead to it, or to the links for two windows."""
    context = _require_local_games(request)
    form_data = await request.post()
    values = {name: str(value) for name, value in form_data.items()}
    try:
        view = await _start_match(context, values)
    except MatchError as error:
        return _render_form(request, values, format_error(context.texts, error), 400)
    people = tuple(seat.person for seat in view.seats)
    if values.get("screens") == ONE_SCREEN:
        generations = tuple((one.account, 0) for one in people)
        return start_session(context, view, SeatToken(view.id, generations, context.now()))
    links = [await seat_link(context, view, one, lifetime=LOCAL_LINK_LIFETIME) for one in people]
    answer = context.pages.respond(
        request,
        "seats.html",
        match=view.id,
        seats=[
            (
                formatting.player_name(
                    context.texts, seat.person.name, formatting.format_side(context.texts, seat.side)
                ),
                seat.side.value,
                link,
            )
            for seat, link in zip(view.seats, links, strict=True)
        ],
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def rematch_url(context: WebContext, view: MatchView, *, one_screen: bool) -> str:
    """Return where the same two begin the same game anew with sides changed.

    Empty for a match of elsewhere.
    """
    if not context.allow_local_games or view.server != LOCAL_SERVER:
        return ""
    rules = context.games[view.game]
    options = {option.name: view.options.get(option.name) for option in rules.options if not option.is_random}
    if rules.simultaneous_choice is not None and view.reveal is not None:
        options[rules.simultaneous_choice.option] = rules.simultaneous_choice.value
    side_names = {formatting.format_side(context.texts, side) for side in rules.sides}
    second, first = (seat.person.name for seat in view.seats)
    query = {
        "game": view.game,
        **{name: str(value) for name, value in options.items() if value is not None},
        "first": "" if first in side_names else first,
        "second": "" if second in side_names else second,
        "screens": ONE_SCREEN if one_screen else TWO_SCREENS,
    }
    return f"/new?{urlencode({name: value for name, value in query.items() if value})}"


def _require_local_games(request: web.Request) -> WebContext:
    context = request.app[CONTEXT]
    if not context.allow_local_games:
        raise web.HTTPNotFound
    return context


async def _start_match(context: WebContext, values: Mapping[str, str]) -> MatchView:
    """Challenge and accept in one; what is to be told of it is told here and nowhere else."""
    rules = context.games.get(values.get("game", ""))
    if rules is None:
        raise RequestRefused("game_unknown", status=400)
    first, second = _local_players(context, rules, values)
    challenge_update = await context.matches.challenges.create(
        first,
        to=second,
        server=LOCAL_SERVER,
        channel=LOCAL_SERVER,
        game=rules.name,
        options=_submitted_options(rules, values),
        colour=rules.sides[0],
        terms=UNRATED,
        now=context.now(),
    )
    await context.announce(challenge_update.announcement)
    update = await context.matches.challenges.accept(challenge_update.challenge.id, second, now=context.now())
    if update.announcement is not None:
        await context.announce(update.announcement)
    return update.match


def _local_players(context: WebContext, rules: Game, values: Mapping[str, str]) -> tuple[Person, Person]:
    """Make two people who are nobody else, called what was typed or else by their sides."""
    group = secrets.token_hex(6)
    names = [
        values.get(field, "").strip()[:MAX_NAME] or formatting.format_side(context.texts, side)
        for field, side in zip(("first", "second"), rules.sides, strict=True)
    ]
    return Person(f"web:{group}:1", names[0]), Person(f"web:{group}:2", names[1])


def _submitted_options(rules: Game, values: Mapping[str, str]) -> dict[str, OptionValue]:
    return {
        option.name: values[option.name]
        for option in rules.options
        if not option.is_random and values.get(option.name)
    }


def _render_form(request: web.Request, values: Mapping[str, str], notice: str, status: int) -> web.Response:
    context = _require_local_games(request)
    games = [
        {
            "name": rules.name,
            "title": formatting.game_name(context.texts, rules.name),
            "about": context.texts(f"web.new.about.{rules.name}"),
            "sides": [(side.value, formatting.format_side(context.texts, side)) for side in rules.sides],
            "fields": list(
                _option_fields(context.texts, rules, values if values.get("game") == rules.name else {})
            ),
            "is_open": values.get("game", next(iter(context.games))) == rules.name,
        }
        for rules in context.games.values()
    ]
    return context.pages.respond(
        request, "new.html", status=status, games=games, values=values, notice=notice
    )


def _option_fields(texts: Texts, rules: Game, values: Mapping[str, str]) -> Any:
    for option in rules.options:
        if not option.is_random:
            yield OptionField(
                option.name,
                words_of.format_option_name(texts, option.name),
                tuple(_option_values(texts, rules, option, values.get(option.name, ""))),
                _option_note(texts, option.name),
            )


def _option_note(texts: Texts, option: str) -> str:
    """Say more about an option whose values do not say it themselves."""
    return texts(f"web.new.note.{option}") if texts.has(f"web.new.note.{option}") else ""


def _option_values(texts: Texts, rules: Game, option: Option, selected: str) -> Any:
    """Return the values of an option with their words.

    Without a usual value the game may be left to choose.
    """
    if option.default is None:
        yield "", texts("web.new.usual"), not selected
    values = option.choices or tuple(
        range(option.minimum, min(option.maximum, option.minimum + MAX_LISTED_NUMBERS) + 1)
    )
    fists = rules.simultaneous_choice
    if fists is not None and fists.option == option.name:
        values = (fists.value, *values)
    for value in values:
        is_selected = selected == str(value) if selected else value == option.default
        yield str(value), words_of.format_option(texts, rules.name, option.name, value), is_selected
