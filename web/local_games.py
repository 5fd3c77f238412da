"""Local games: matches started from a form, for two players on one screen or in two windows."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n import formatting as game_formatting
from i18n import option_values
from matches import MatchError, Person, Terms, clean_name
from web import seat_links
from web.context import CONTEXT
from web.errors import RequestRefused, format_error
from web.forms import read_form
from web.session import seat_link, start_session
from web.tokens import SeatToken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game, Option, OptionValue
    from i18n import Texts
    from matches import MatchId, MatchView
    from web.context import WebContext
    from web.session import PlayerSession

LOCAL_SERVER = "web:table"
MAX_NAME = 40
FORM_NUMBER, FORM_NUMBER_LENGTH = "form", 32  # field and its number of hexadecimal digits
START_LOCK = web.AppKey("start_lock", asyncio.Lock)
TWO_SCREENS = "two"
UNRATED = Terms(rated=False)  # the players of local games have no accounts


@dataclass(frozen=True, slots=True)
class LetterField:
    """One letter of an option that combines letters, as a check box."""

    letter: str
    name: str
    about: str
    is_checked: bool


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game: its name, label and note, and a menu of values (value, label, is selected).

    An option that combines letters has check boxes instead; a field of the form is named ``OPTION.LETTER``,
    and ``OPTION.`` says that the boxes were on the form, because a browser sends only the ticked ones.
    """

    name: str
    label: str
    values: tuple[tuple[str, str, bool], ...]
    note: str
    letters: tuple[LetterField, ...] = ()


def routes() -> list[web.RouteDef]:
    """Return the routes of the form."""
    return [web.get("/new", new_game_form), web.post("/new", start_game)]


async def new_game_form(request: web.Request) -> web.Response:
    """Show the form for a new game."""
    return _render_form(request, request.query, "", 200)


async def start_game(request: web.Request) -> web.Response:
    """Start a match and redirect to it, or to its links for two windows.

    A form that is sent twice starts one match.
    """
    context = require_local_games(request)
    values = await read_form(request)
    try:
        async with request.app[START_LOCK]:
            view = await _find_started(context, values) or await _start_match(context, values)
    except (MatchError, RequestRefused) as error:
        return _render_form(request, values, format_error(context.texts, error), 400)
    if values.get("screens") == TWO_SCREENS:
        return await seat_links.redirect_to_links(context, view)
    generations = tuple((seat.person.account, 0) for seat in view.seats)
    return start_session(context, view, SeatToken(view.id, generations, context.now()))


async def return_link(context: WebContext, session: PlayerSession) -> str:
    """Return a link that opens the same seats after their keys were rotated once.

    Empty if the match was not started on this website: then players get new links where they got the first.
    """
    if session.view.server != LOCAL_SERVER:
        return ""
    return await seat_link(
        context, session.view, *session.people, lifetime=seat_links.LINK_LIFETIME, after_rotation=True
    )


def require_local_games(request: web.Request) -> WebContext:
    """Return the context of a website on which anybody can start matches. Raises HTTPNotFound."""
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
    options = _submitted_options(context.texts, rules, values)
    return await challenge_and_accept(context, rules, first, second, options)


async def challenge_and_accept(
    context: WebContext,
    rules: Game,
    first: Person,
    second: Person,
    options: Mapping[str, OptionValue],
    rematch_of: MatchId | None = None,
) -> MatchView:
    """Start a match in which `first` moves first. Raises MatchError."""
    challenge_update = await context.matches.challenges.create(
        first,
        to=second,
        server=LOCAL_SERVER,
        channel=LOCAL_SERVER,
        game=rules.name,
        options=options,
        colour=rules.sides[0],
        terms=UNRATED,
        rematch_of=rematch_of,
        now=context.now(),
    )
    await context.announce(challenge_update.announcement)
    update = await context.matches.challenges.accept(challenge_update.challenge.id, second, now=context.now())
    if update.announcement is not None:
        await context.announce(update.announcement)
    return update.match


async def _find_started(context: WebContext, values: Mapping[str, str]) -> MatchView | None:
    """Return the match that the same form has started, if it is not over."""
    first = Person(f"{_account_prefix(values)}1", "")
    started = await context.matches.views.list_active_of(first, LOCAL_SERVER)
    return await context.matches.view(started[0].id, now=context.now()) if started else None


def _account_prefix(values: Mapping[str, str]) -> str:
    """Return the start of both players' accounts: a hash of the form and of the secret number in it.

    Whoever knows an account does not know the number, and without a number every match has its own accounts.
    """
    number = values.get(FORM_NUMBER, "")
    if len(number) < FORM_NUMBER_LENGTH:
        number = secrets.token_hex()
    fields = {**values, FORM_NUMBER: number}
    return f"web:{sha256(repr(sorted(fields.items())).encode()).hexdigest()[:24]}:"


def _local_players(context: WebContext, rules: Game, values: Mapping[str, str]) -> tuple[Person, Person]:
    """Return two new people with the names of the form, or else the names of their sides."""
    prefix = _account_prefix(values)
    names = [
        clean_name(values.get(field, ""))[:MAX_NAME] or game_formatting.format_side(context.texts, side)
        for field, side in zip(("first", "second"), rules.sides, strict=True)
    ]
    return Person(f"{prefix}1", names[0]), Person(f"{prefix}2", names[1])


def _submitted_options(texts: Texts, rules: Game, values: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options of the form. Raises RequestRefused."""
    submitted = {
        option.name: text
        for option in rules.options
        if not option.is_random and (text := _submitted_text(option, values))
    }
    try:
        return option_values.parse_options(texts, rules, submitted)
    except option_values.OptionRefused as error:
        raise RequestRefused(
            error.key, status=HTTPStatus.BAD_REQUEST, typed=error.typed, **error.values
        ) from error


def _submitted_text(option: Option, values: Mapping[str, str]) -> str:
    """Return the value of an option in a form or a URL; empty if it has none."""
    if values.get(option.name) or f"{option.name}." not in values:
        return values.get(option.name, "")
    letters = option_values.option_letters(option)
    ticked = "".join(letter for letter in letters if f"{option.name}.{letter}" in values)
    return ticked or option_values.NOTHING


def _render_form(request: web.Request, values: Mapping[str, str], notice: str, status: int) -> web.Response:
    context = require_local_games(request)
    games = [_game_form(context, rules, values) for rules in context.games.values()]
    games.sort(key=lambda game: not game["is_open"])
    return context.pages.respond(
        request,
        "new_game.html",
        status=status,
        games=games,
        values=values,
        notice=notice,
        form_number=secrets.token_hex(FORM_NUMBER_LENGTH // 2),
    )


def _game_form(context: WebContext, rules: Game, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context of one game's form; `values` are those of a URL or of a refused form."""
    texts, own = context.texts, values if values.get("game") == rules.name else {}
    names = {*(option.name for option in rules.options), "first", "second"}
    return {
        "name": rules.name,
        "title": texts(f"game.{rules.name}.name"),
        "about": texts(f"web.new.about.{rules.name}"),
        "sides": [(side.value, game_formatting.format_side(texts, side)) for side in rules.sides],
        "fields": list(_option_fields(texts, rules, own)),
        "settings": game_formatting.format_options(texts, rules, rules.complete_options()),
        "has_values": any(own[name] and name.partition(".")[0] in names for name in own),
        "is_open": values.get("game", next(iter(context.games))) == rules.name,
    }


def _option_fields(texts: Texts, rules: Game, values: Mapping[str, str]) -> Iterator[OptionField]:
    for option in rules.options:
        if not option.is_random:
            selected = _submitted_text(option, values)
            yield OptionField(
                option.name,
                game_formatting.format_option_name(texts, option.name),
                tuple(_option_values(texts, rules, option, selected)),
                _option_note(texts, rules.name, option.name),
                tuple(_letter_fields(texts, rules.name, option, selected or str(option.default))),
            )


def _letter_fields(texts: Texts, game: str, option: Option, selected: str) -> Iterator[LetterField]:
    for letter in option_values.option_letters(option):
        name, more = (f"{kind}.{game}.{option.name}.{letter}" for kind in ("setting_about", "setting_more"))
        yield LetterField(
            letter,
            _capitalize(texts(name)) if texts.has(name) else letter,
            texts("web.new.letter", letter=letter, more=texts(more)) if texts.has(more) else "",
            letter in selected,
        )


def _capitalize(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


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
        label = game_formatting.describe_choice(texts, rules.name, option, value)
        yield str(value), label, is_selected
