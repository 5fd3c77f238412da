"""Local games: matches started from a form, against the computer, on one screen, or by two links."""

from __future__ import annotations

import asyncio
import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from aiohttp import web

from engine.game import OptionError
from i18n import formatting as game_formatting
from matches import WEB, Audience, Person, Refusal, clean_name, is_computer, platform_of
from web.context import CONTEXT
from web.errors import format_error
from web.play import seat_links
from web.play.computer_games import (
    MAX_NAME,
    NAME_FIELDS,
    UNRATED,
    chosen_level,
    chosen_side,
    form_context,
    player_name,
    remember_settings,
    remembered_settings,
    start_against_computer,
)
from web.play.option_fields import option_fields, submitted_options, submitted_text
from web.play.seat_sessions import seat_link, start_seat_session
from web.play.tokens import SeatToken
from web.server.forms import read_form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, OptionValue
    from i18n import Texts
    from matches import MatchId, MatchView
    from web.context import WebContext
    from web.play.seat_sessions import PlayerSession

LOCAL_SERVER = "web:table"
FORM_NUMBER, FORM_NUMBER_LENGTH = "form", 32  # field and its number of hexadecimal digits
START_LOCK = web.AppKey("start_lock", asyncio.Lock)
COMPUTER, ONE_SCREEN, TWO_SCREENS = "computer", "one", "two"  # values of the field `screens`


async def new_game_form(request: web.Request) -> web.Response:
    """Show the form for a new game."""
    return _render_form(request, request.query, "", 200)


async def start_game(request: web.Request) -> web.Response:
    """Start a match and redirect to it, or to its links for two players.

    A form that is sent twice starts one match. One without settings starts it with those that this browser
    has sent last.
    """
    context = require_local_games(request)
    values = await read_form(request)
    try:
        async with request.app[START_LOCK]:
            view = await _find_started(context, values) or await _start_match(request, values)
    except Refusal as error:
        return _render_form(request, values, format_error(context.texts, error), 400)
    if values.get("screens") == TWO_SCREENS:
        return await seat_links.redirect_to_links(context, view)
    people = [seat.person for seat in view.seats if not is_computer(seat.person.account)]
    generations = tuple((person.account, 0) for person in people)
    answer = start_seat_session(context, view, SeatToken(view.id, generations, context.now()))
    rules = context.games[view.game]
    if values.get("screens") == COMPUTER and "level" in values:
        remember_settings(context, answer, rules, _settings(rules, values))
    return answer


async def return_link(context: WebContext, session: PlayerSession) -> str:
    """Return a link that opens the same seats after their keys were rotated once.

    Empty if the match was not started on this website: then players get new links where they got the first.
    """
    if platform_of(session.view.server) != WEB:
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


async def _start_match(request: web.Request, values: Mapping[str, str]) -> MatchView:
    """Start the match of a form. Raises Refusal."""
    context = request.app[CONTEXT]
    rules = context.games.get(values.get("game", ""))
    if rules is None:
        raise Refusal("game_unknown")
    if values.get("screens") == COMPUTER:
        return await _start_against_computer(request, rules, values)
    first, second = _local_players(context, rules, values)
    options = submitted_options(context.texts, rules, _sent_or_remembered(request, rules, values))
    return await challenge_and_accept(context, rules, first, second, options)


async def _start_against_computer(request: web.Request, rules: Game, values: Mapping[str, str]) -> MatchView:
    """Start a match against the computer. Raises Refusal."""
    context = request.app[CONTEXT]
    if not context.has_computer():
        raise Refusal("no_computer")
    settings = _sent_or_remembered(request, rules, values)
    return await start_against_computer(
        request,
        LOCAL_SERVER,
        rules,
        Person(f"{_account_prefix(values)}1", player_name(context.texts, rules, values)),
        level=chosen_level(settings),
        side=chosen_side(rules, settings),
        options=submitted_options(context.texts, rules, settings),
    )


def _sent_or_remembered(request: web.Request, rules: Game, values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the settings of a form, or, for the short one of the front page, those of the browser's last."""
    names = {"level", *(option.name for option in rules.options)}
    is_sent = any(name.partition(".")[0] in names for name in values)
    return values if is_sent else remembered_settings(request, rules)


def _settings(rules: Game, values: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of a form to remember: level, side, and the options that were chosen."""
    texts = {option.name: submitted_text(option, values) for option in rules.options if not option.is_random}
    own = {name: values[name] for name in ("level", "side") if name in values}
    return own | {name: text for name, text in texts.items() if text}


async def challenge_and_accept(
    context: WebContext,
    rules: Game,
    first: Person,
    second: Person,
    options: Mapping[str, OptionValue],
    rematch_of: MatchId | None = None,
) -> MatchView:
    """Start a match in which `first` moves first. Raises Refusal."""
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
        audience=Audience.NAMES,
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
        for field, side in zip(NAME_FIELDS, rules.sides, strict=True)
    ]
    return Person(f"{prefix}1", names[0]), Person(f"{prefix}2", names[1])


def _render_form(request: web.Request, values: Mapping[str, str], notice: str, status: int) -> web.Response:
    context = require_local_games(request)
    games = [_game_form(request, rules, values) for rules in context.games.values()]
    games.sort(key=lambda game: not game["is_open"])
    return context.pages.respond(
        request,
        "new_game.html",
        status=status,
        games=games,
        values=values,
        notice=notice,
        has_computer=context.has_computer(),
        form_number=new_form_number(),
    )


def new_form_number() -> str:
    """Return a secret number for a form, by which it starts one match even if it is sent twice."""
    return secrets.token_hex(FORM_NUMBER_LENGTH // 2)


def _game_form(request: web.Request, rules: Game, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context of one game's form; `values` are those of a URL or of a refused form."""
    context = request.app[CONTEXT]
    texts, own = context.texts, values if values.get("game") == rules.name else {}
    asked = own
    if "screens" not in own:
        own = {**remembered_settings(request, rules), **own}
    names = {*(option.name for option in rules.options), *NAME_FIELDS}
    return {
        "name": rules.name,
        "title": texts(f"game.{rules.name}.name"),
        "about": texts(f"game.{rules.name}.about"),
        "sides": [(side.value, game_formatting.format_side(texts, side)) for side in rules.sides],
        "fields": list(option_fields(texts, rules, own)),
        "settings": game_formatting.format_options(texts, rules, _possible_options(texts, rules, own)),
        "has_values": any(asked[name] and name.partition(".")[0] in names for name in asked),
        "is_open": values.get("game", next(iter(context.games))) == rules.name,
        **form_context(context, rules, own),
    }


def _possible_options(texts: Texts, rules: Game, values: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options of the form, completed; the defaults if they are not possible."""
    try:
        return rules.complete_options(**submitted_options(texts, rules, values))
    except (Refusal, OptionError):
        return rules.complete_options()
