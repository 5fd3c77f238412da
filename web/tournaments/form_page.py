"""The form for a tournament: to create one, and to change its settings before the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import Refusal, RequestRepeated
from matches.preferences.quiet_hours import UTC_NAME, time_zone_names
from web.accounts.signed_in import find_member, lead_to_sign_in, require_member
from web.addresses import TOURNAMENTS_PATH
from web.context import CONTEXT
from web.errors import format_error
from web.pages.pages import NO_STORE
from web.server.forms import new_form_number, read_form, redirect, request_number
from web.tournaments.fields import SENT, fields_context, read_settings, settings_values
from web.tournaments.page import is_moderator_of, load_view, may_manage
from web.tournaments.paths import FORM_PATH, tournament_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

    from matches.tournaments.values import TournamentView

BAD_REQUEST = 400


async def new_form(request: web.Request) -> web.Response:
    """Show the form for a new tournament; a visitor signs in first."""
    session = await find_member(request)
    if session is None:
        return lead_to_sign_in(request, FORM_PATH)
    zone = await _find_zone(request, session.account)
    return await _respond(request, {"zone": zone, **request.query}, None, guesses_zone=zone == UTC_NAME)


async def create(request: web.Request) -> web.Response:
    """Create the tournament of a form and go to its page. A form that is sent twice creates one."""
    context, session, values = request.app[CONTEXT], await find_member(request), await read_form(request)
    if session is None:
        return lead_to_sign_in(request, FORM_PATH)
    number = request_number("tournament", session.account, values.get(SENT, ""))
    try:
        settings = read_settings(context, values, None)
        with context.matches.work.requests.handle(number, now=context.now()):
            made = await context.matches.tournaments.create(settings, session.person, now=context.now())
    except RequestRepeated:
        return redirect(await _find_made(request, session.account))
    except Refusal as error:
        return await _respond(request, values, None, error)
    return redirect(tournament_path(made))


async def change_form(request: web.Request) -> web.Response:
    """Show the organiser the form with the present settings."""
    view, zone = (
        await _load_managed(request),
        await _find_zone(request, (await require_member(request)).account),
    )
    values = settings_values(view.settings, zone)
    return await _respond(request, values, view, guesses_zone=zone == UTC_NAME)


async def change(request: web.Request) -> web.Response:
    """Change the settings as a form says, and go back to the page."""
    context, session, values = request.app[CONTEXT], await require_member(request), await read_form(request)
    view = await _load_managed(request)
    try:
        await context.matches.tournaments.change(
            view.id,
            read_settings(context, values, view.settings),
            session.person,
            reason=values.get("reason", ""),
            is_moderator=await is_moderator_of(request, view),
            now=context.now(),
        )
    except Refusal as error:
        return await _respond(request, values | {"kind": view.settings.kind.value}, view, error)
    return redirect(tournament_path(view.id))


async def _load_managed(request: web.Request) -> TournamentView:
    """Return the tournament of a request. Raises `not_organiser`."""
    view = await load_view(request)
    if not await may_manage(request, view):
        raise Refusal("not_organiser")
    return view


async def _find_made(request: web.Request, account: str) -> str:
    """Return the page of the tournament that the same form has created."""
    context = request.app[CONTEXT]
    found = await context.matches.tournaments.list_of(account, now=context.now())
    return tournament_path(max(one.id for one in found)) if found else TOURNAMENTS_PATH


async def _find_zone(request: web.Request, account: str) -> str:
    """Return the time zone that somebody has chosen, UTC if none."""
    return (await request.app[CONTEXT].matches.people.preferences.get(account)).zone


async def _respond(
    request: web.Request,
    values: Mapping[str, str],
    view: TournamentView | None,
    error: Refusal | None = None,
    *,
    guesses_zone: bool = False,
) -> web.Response:
    """Return the page; with `guesses_zone` a script puts the time into the time zone of the browser."""
    context = request.app[CONTEXT]
    answer = context.pages.respond(
        request,
        "tournament_form.html",
        status=200 if error is None else BAD_REQUEST,
        notice="" if error is None else format_error(context.texts, error),
        action=FORM_PATH if view is None else f"{tournament_path(view.id)}/change",
        back=TOURNAMENTS_PATH if view is None else tournament_path(view.id),
        is_new=view is None,
        form_number=new_form_number(values.get(SENT, "")),
        guesses_zone=guesses_zone,
        starts=None if view is None else view.settings.starts_at.isoformat(),
        zones=await context.run_in_thread(request, time_zone_names),
        **fields_context(context, values),
    )
    answer.headers.update(NO_STORE)
    return answer
