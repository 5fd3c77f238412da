"""Local games: matches started from a form, for two players on one screen or in two windows."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from aiohttp import web

from i18n import formatting as game_formatting
from matches import MatchError, Person, Terms
from web import formatting
from web.context import CONTEXT
from web.errors import RequestRefused, format_error
from web.session import seat_link, start_session
from web.tokens import SeatToken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game, Option, OptionValue
    from i18n import Texts
    from matches import MatchView
    from web.context import WebContext

LOCAL_SERVER = "web:table"
LOCAL_LINK_LIFETIME = timedelta(days=1)
MAX_NAME = 40
ONE_SCREEN, TWO_SCREENS = "one", "two"
UNRATED = Terms(rated=False)  # the players of local games have no accounts


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game as a menu: its name, label, values (value, label, is selected), and a note."""

    name: str
    label: str
    values: tuple[tuple[str, str, bool], ...]
    note: str


def routes() -> list[web.RouteDef]:
    """Return the routes of the form."""
    return [web.get("/new", new_game_form), web.post("/new", start_game)]


async def new_game_form(request: web.Request) -> web.Response:
    """Show the form for a new game."""
    return _render_form(request, request.query, "", 200)


async def start_game(request: web.Request) -> web.Response:
    """Start a match; redirect to it, or show the links for two windows."""
    context = _require_local_games(request)
    form_data = await request.post()
    values = {name: str(value) for name, value in form_data.items()}
    try:
        view = await _start_match(context, values)
    except MatchError as error:
        return _render_form(request, values, format_error(context.texts, error), 400)
    people = tuple(seat.person for seat in view.seats)
    if values.get("screens") == ONE_SCREEN:
        generations = tuple((person.account, 0) for person in people)
        return start_session(context, view, SeatToken(view.id, generations, context.now()))
    links = [await seat_link(context, view, person, lifetime=LOCAL_LINK_LIFETIME) for person in people]
    answer = context.pages.respond(
        request,
        "seat_links.html",
        match=view.id,
        seats=[
            (
                formatting.player_name(
                    context.texts, seat.person.name, game_formatting.format_side(context.texts, seat.side)
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
    """Return the URL of the form for a rematch with sides swapped.

    Empty if the match was not started on this website.
    """
    if not context.allow_local_games or view.server != LOCAL_SERVER:
        return ""
    rules = context.games[view.game]
    options = {option.name: view.options.get(option.name) for option in rules.options if not option.is_random}
    if rules.simultaneous_choice is not None and view.reveal is not None:
        options[rules.simultaneous_choice.option] = rules.simultaneous_choice.value
    side_names = {game_formatting.format_side(context.texts, side) for side in rules.sides}
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
    """Create a challenge and accept it. Raises MatchError, RequestRefused."""
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
    """Return two new people with the names of the form, or else the names of their sides."""
    group = secrets.token_hex(6)
    names = [
        values.get(field, "").strip()[:MAX_NAME] or game_formatting.format_side(context.texts, side)
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
            "title": context.texts(f"game.{rules.name}.name"),
            "about": context.texts(f"web.new.about.{rules.name}"),
            "sides": [(side.value, game_formatting.format_side(context.texts, side)) for side in rules.sides],
            "fields": list(
                _option_fields(context.texts, rules, values if values.get("game") == rules.name else {})
            ),
            "is_open": values.get("game", next(iter(context.games))) == rules.name,
        }
        for rules in context.games.values()
    ]
    return context.pages.respond(
        request, "new_game.html", status=status, games=games, values=values, notice=notice
    )


def _option_fields(texts: Texts, rules: Game, values: Mapping[str, str]) -> Iterator[OptionField]:
    for option in rules.options:
        if not option.is_random:
            yield OptionField(
                option.name,
                game_formatting.format_option_name(texts, option.name),
                tuple(_option_values(texts, rules, option, values.get(option.name, ""))),
                _option_note(texts, rules.name, option.name),
            )


def _option_note(texts: Texts, game: str, option: str) -> str:
    """Return more about an option of a game whose values do not explain themselves; mostly empty."""
    key = f"web.new.note.{option}"
    return texts.for_game(game, key) if texts.has_for_game(game, key) else ""


def _option_values(
    texts: Texts, rules: Game, option: Option, selected: str
) -> Iterator[tuple[str, str, bool]]:
    """Yield value, label and whether it is selected. An option without a default can be left to the game."""
    if option.default is None:
        yield "", texts("web.new.usual"), not selected
    for value in rules.option_values(option):
        is_selected = selected == str(value) if selected else value == option.default
        yield str(value), game_formatting.describe_option(texts, rules.name, option.name, value), is_selected
