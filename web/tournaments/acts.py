"""What players and organisers do on the page of a tournament. Each act leads back to the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import Refusal
from matches.tournaments.results import EntrantId
from web.accounts.signed_in import find_member, lead_to_sign_in, require_member
from web.context import CONTEXT
from web.play.move_form import parse_number
from web.server.forms import read_form, redirect
from web.tournaments.page import is_moderator_of, load_view, respond
from web.tournaments.paths import tournament_id, tournament_path

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from aiohttp import web

    from matches import Person

RESULTS = {"2-0": (2, 0), "1-1": (1, 1), "0-2": (0, 2), "0-0": (0, 0)}
"""The half points that organisers can give, by the value of the form."""


async def join(request: web.Request) -> web.Response:
    """Join a tournament; a visitor signs in first, and comes back to its page."""
    session = await find_member(request)
    if session is None:
        return lead_to_sign_in(request, tournament_path(tournament_id(request)))
    view = await load_view(request)
    is_member = view.settings.server in session.servers
    tournaments, now = request.app[CONTEXT].matches.tournaments, request.app[CONTEXT].now()
    return await _carry_out(
        request, lambda: tournaments.join(view.id, session.person, is_member=is_member, now=now)
    )


async def leave(request: web.Request) -> web.Response:
    """Leave a tournament."""
    person, tournaments = await _require_person(request), request.app[CONTEXT].matches.tournaments
    number, now = tournament_id(request), request.app[CONTEXT].now()
    return await _carry_out(request, lambda: tournaments.leave(number, person, now=now))


async def register(request: web.Request) -> web.Response:
    """Say whether one plays the next season of a league."""
    person, tournaments = await _require_person(request), request.app[CONTEXT].matches.tournaments
    is_registered = "end" not in await read_form(request)
    number, now = tournament_id(request), request.app[CONTEXT].now()
    return await _carry_out(
        request, lambda: tournaments.register(number, person, is_registered=is_registered, now=now)
    )


async def challenge(request: web.Request) -> web.Response:
    """Challenge an entrant of a ladder."""
    person, tournaments = await _require_person(request), request.app[CONTEXT].matches.tournaments
    form, now = await read_form(request), request.app[CONTEXT].now()
    number, entrant = tournament_id(request), EntrantId(parse_number(form.get("entrant")))
    setup = max(0, parse_number(form.get("setup")))
    return await _carry_out(
        request, lambda: tournaments.challenge(number, person, entrant, setup=setup, now=now)
    )


async def answer(request: web.Request) -> web.Response:
    """Accept or decline a challenge of a ladder."""
    person, tournaments = await _require_person(request), request.app[CONTEXT].matches.tournaments
    form, now = await read_form(request), request.app[CONTEXT].now()
    number, game = tournament_id(request), parse_number(form.get("game"))
    accept = "decline" not in form
    return await _carry_out(request, lambda: tournaments.answer(number, game, person, accept=accept, now=now))


async def exclude(request: web.Request) -> web.Response:
    """Exclude an entrant, as an organiser."""
    person, form = await _require_person(request), await read_form(request)
    is_moderator, now = await is_moderator_of(request, await load_view(request)), request.app[CONTEXT].now()
    entrant, reason = EntrantId(parse_number(form.get("entrant"))), form.get("reason", "")
    tournaments, number = request.app[CONTEXT].matches.tournaments, tournament_id(request)
    return await _carry_out(
        request,
        lambda: tournaments.exclude(
            number, entrant, person, reason=reason, is_moderator=is_moderator, now=now
        ),
    )


async def correct(request: web.Request) -> web.Response:
    """Correct the result of a game, as an organiser."""
    person, form = await _require_person(request), await read_form(request)
    is_moderator, now = await is_moderator_of(request, await load_view(request)), request.app[CONTEXT].now()
    game, points, reason = parse_number(form.get("game")), _read_points(form), form.get("reason", "")
    tournaments, number = request.app[CONTEXT].matches.tournaments, tournament_id(request)
    return await _carry_out(
        request,
        lambda: tournaments.correct(
            number, game, points, person, reason=reason, is_moderator=is_moderator, now=now
        ),
    )


async def end_early(request: web.Request) -> web.Response:
    """End a tournament, as an organiser."""
    person, form = await _require_person(request), await read_form(request)
    is_moderator, now = await is_moderator_of(request, await load_view(request)), request.app[CONTEXT].now()
    tournaments, number = request.app[CONTEXT].matches.tournaments, tournament_id(request)
    reason = form.get("reason", "")
    return await _carry_out(
        request,
        lambda: tournaments.end_early(number, person, reason=reason, is_moderator=is_moderator, now=now),
    )


async def _require_person(request: web.Request) -> Person:
    return (await require_member(request)).person


def _read_points(form: Mapping[str, str]) -> tuple[int, int]:
    points = RESULTS.get(form.get("points", ""))
    if points is None:
        raise Refusal("form_malformed")
    return points


async def _carry_out(request: web.Request, act: Callable[[], Awaitable[object]]) -> web.Response:
    """Do something and lead back to the page; show there why it was not done."""
    try:
        await act()
    except Refusal as error:
        if error.key == "tournament_unknown":
            raise
        return await respond(request, error)
    return redirect(tournament_path(tournament_id(request)))
