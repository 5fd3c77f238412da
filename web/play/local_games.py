"""Local games: matches started from a form, against the computer, on one screen, or by two links."""

from __future__ import annotations

import asyncio
import secrets
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING

from aiohttp import web

from i18n.names import stored_side_name
from matches import WEB, Audience, Person, Refusal, clean_name, is_computer, platform_of
from web.context import CONTEXT
from web.errors import format_error
from web.play import seat_links, website_games
from web.play.computer_games import (
    MAX_NAME,
    NAME_FIELDS,
    UNRATED,
    chosen_level,
    chosen_side,
    player_name,
    remember_settings,
    start_against_computer,
)
from web.play.new_game_form import (
    COMPUTER,
    FORM_NUMBER,
    TWO_SCREENS,
    render_form,
    sent_or_remembered,
    settings_to_remember,
)
from web.play.option_fields import submitted_options
from web.play.seat_sessions import seat_link, start_seat_session
from web.play.tokens import SeatToken
from web.server.forms import FORM_NUMBER_LENGTH, read_form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, OptionValue
    from matches import MatchId, MatchView
    from web.context import WebContext
    from web.play.seat_sessions import PlayerSession

LOCAL_SERVER = "web:table"
START_LOCK = web.AppKey("start_lock", asyncio.Lock)


async def start_game(request: web.Request) -> web.Response:
    """Start a match and redirect to it, or to its links for two players.

    On a public website that is one against the computer. A form that is sent twice starts one match. One
    without settings starts it with those that this browser has sent last.
    """
    context = request.app[CONTEXT]
    values = await read_form(request)
    try:
        if not context.allow_local_games:
            return await website_games.start_game(request, values)
        async with request.app[START_LOCK]:
            view = await _find_started(context, values) or await _start_match(request, values)
    except Refusal as error:
        status = HTTPStatus.TOO_MANY_REQUESTS if error.key == website_games.TOO_MANY_GUESTS else 400
        return render_form(request, values, format_error(context.texts, error), status)
    if values.get("screens") == TWO_SCREENS:
        return await seat_links.redirect_to_links(context, view)
    people = [seat.person for seat in view.seats if not is_computer(seat.person.account)]
    generations = tuple((person.account, 0) for person in people)
    answer = start_seat_session(context, view, SeatToken(view.id, generations, context.now()))
    rules = context.games[view.game]
    if values.get("screens") == COMPUTER and "level" in values:
        remember_settings(context, answer, rules, settings_to_remember(rules, values))
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


async def _start_match(request: web.Request, values: Mapping[str, str]) -> MatchView:
    """Start the match of a form. Raises Refusal."""
    context = request.app[CONTEXT]
    rules = context.games.get(values.get("game", ""))
    if rules is None:
        raise Refusal("game_unknown")
    if values.get("screens") == COMPUTER:
        return await _start_against_computer(request, rules, values)
    first, second = _local_players(rules, values)
    options = submitted_options(context.texts, rules, sent_or_remembered(request, rules, values))
    return await challenge_and_accept(context, rules, first, second, options)


async def _start_against_computer(request: web.Request, rules: Game, values: Mapping[str, str]) -> MatchView:
    """Start a match against the computer. Raises Refusal."""
    context = request.app[CONTEXT]
    if not context.has_computer():
        raise Refusal("no_computer")
    settings = sent_or_remembered(request, rules, values)
    return await start_against_computer(
        request,
        LOCAL_SERVER,
        rules,
        Person(f"{_account_prefix(values)}1", player_name(rules, values)),
        level=chosen_level(settings),
        side=chosen_side(rules, settings),
        options=submitted_options(context.texts, rules, settings),
    )


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


def _local_players(rules: Game, values: Mapping[str, str]) -> tuple[Person, Person]:
    """Return two new people with the names of the form, or else those of their sides."""
    prefix = _account_prefix(values)
    names = [
        clean_name(values.get(field, ""))[:MAX_NAME] or stored_side_name(side)
        for field, side in zip(NAME_FIELDS, rules.sides, strict=True)
    ]
    return Person(f"{prefix}1", names[0]), Person(f"{prefix}2", names[1])
