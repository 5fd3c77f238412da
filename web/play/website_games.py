"""Games against the computer on a public website: of an account, or of a guest who needs none.

A form that is sent twice starts one match: its request has a number that is made of the form, and that the
match's first announcement holds.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n.names import GUEST_NAME
from matches import WEBSITE, Audience, MatchState, NewGuest, Person, Refusal, RequestRepeated, is_computer
from matches.people.guests import GUEST_LIFETIME
from web.accounts.sign_in import describe_device
from web.accounts.signed_in import find_session, set_session_cookie
from web.context import CONTEXT
from web.play.computer_games import chosen_level, chosen_side, remember_settings, start_against_computer
from web.play.new_game_form import (
    COMPUTER,
    FORM_NUMBER,
    sent_or_remembered,
    settings_to_remember,
)
from web.play.option_fields import submitted_options
from web.play.seat_sessions import own_seat_path
from web.server.forms import FORM_NUMBER_LENGTH, redirect
from web.server.limits import GuestLimiter, TooManyRequests

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, OptionValue, Side
    from matches import MatchId, MatchView, Session

TOO_MANY_GUESTS = "too_many_guests"  # the key of the refusal
GUEST_LIMITER = web.AppKey("guest_limiter", GuestLimiter)


async def start_game(request: web.Request, values: Mapping[str, str]) -> web.Response:
    """Start the match of a form and redirect to the player's seat. Raises Refusal, TooManyRequests."""
    context = request.app[CONTEXT]
    rules = context.games.get(values.get("game", ""))
    if rules is None:
        raise Refusal("game_unknown")
    if values.get("screens") != COMPUTER:
        raise Refusal("form_malformed")
    if not context.has_computer():
        raise Refusal("no_computer")
    settings = sent_or_remembered(request, rules, values)
    answer = await open_match(
        request,
        _form_key(values),
        rules,
        level=chosen_level(settings),
        side=chosen_side(rules, settings),
        options=submitted_options(context.texts, rules, settings),
    )
    if "level" in values:
        remember_settings(context, answer, rules, settings_to_remember(rules, values))
    return answer


async def open_match(
    request: web.Request,
    key: str,
    rules: Game,
    *,
    level: str,
    side: Side | None,
    options: Mapping[str, OptionValue],
) -> web.Response:
    """Start a match, or open the one that a request with the same `key` has started, unless it is over.

    Return a redirect to the seat. Raises Refusal, TooManyRequests.
    """
    context, session = request.app[CONTEXT], await find_session(request)
    requests = context.matches.work.requests
    while True:
        number = _request_number(key)
        match = await requests.find_match(number)
        if match is None:
            with (
                suppress(RequestRepeated),
                requests.handle(number, now=context.now(), is_shared=False),
            ):
                return await _start(request, session, rules, level=level, side=side, options=options)
        elif (answer := await _open_again(request, session, match)) is not None:
            return answer
        else:
            key = f"{key} after {match}"


async def _start(request: web.Request, session: Session | None, rules: Game, **settings: Any) -> web.Response:
    """Start a match of the account of a session, or of a new guest."""
    if session is not None:
        person, guest = session.person, None
    else:
        guest = _new_guest(request)
        person = guest.person
    view = await start_against_computer(
        request, WEBSITE, rules, person, audience=Audience.UNLISTED, guest=guest, **settings
    )
    return _redirect_to_seat(request, view, person, "" if guest is None else guest.secret)


async def _open_again(request: web.Request, session: Session | None, match: MatchId) -> web.Response | None:
    """Return a redirect to a seat in a match that the same form has started; None if another match is due.

    A browser that sends a form twice may get only the second answer: then it is the guest of the first.
    """
    context = request.app[CONTEXT]
    view = await context.matches.view(match, now=context.now())
    person = next(seat.person for seat in view.seats if not is_computer(seat.person.account))
    if view.state is MatchState.OVER:
        return None
    if session is not None:
        return _redirect_to_seat(request, view, person) if session.account == person.account else None
    device = describe_device(request)
    secret = await context.matches.people.guests.resume(person.account, device=device, now=context.now())
    return None if secret is None else _redirect_to_seat(request, view, person, secret)


def _redirect_to_seat(
    request: web.Request, view: MatchView, person: Person, secret: str = ""
) -> web.Response:
    """Return a redirect to a seat; with the `secret` of a guest's session in a cookie."""
    answer = redirect(own_seat_path(view, person.account))
    if secret:
        set_session_cookie(request.app[CONTEXT], answer, secret, GUEST_LIFETIME)
    return answer


def _new_guest(request: web.Request) -> NewGuest:
    """Return a guest for a request. Raises `too_many_guests`."""
    context = request.app[CONTEXT]
    try:
        request.app[GUEST_LIMITER].acquire(context.client_address(request), asyncio.get_running_loop().time())
    except TooManyRequests as error:
        raise Refusal(TOO_MANY_GUESTS, wait=timedelta(minutes=-(-error.seconds // 60))) from error
    return NewGuest.create(GUEST_NAME, describe_device(request))


def _form_key(values: Mapping[str, str]) -> str:
    """Return what makes the request of a form: its fields with its secret number, or a number of its own."""
    has_number = len(values.get(FORM_NUMBER, "")) >= FORM_NUMBER_LENGTH
    return repr(sorted(values.items())) if has_number else secrets.token_hex()


def _request_number(key: str) -> int:
    """Return the id of a request, which is negative, as those of all requests to the website are."""
    return -1 - (int.from_bytes(sha256(key.encode()).digest()[:8]) >> 1)
