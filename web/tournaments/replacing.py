"""Replacing an entrant: the organiser gets a link for whoever is to take the place, and that person agrees.

The link is a signed token with what the organiser has decided; nothing is stored until the person agrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from itsdangerous import BadData, URLSafeSerializer

from i18n.names import name_of
from i18n.writing import isolate
from matches import Person, Refusal
from matches.tournaments.results import EntrantId
from matches.tournaments.values import MAX_REASON_LENGTH, MIN_REASON_LENGTH, TournamentId
from web.accounts.signed_in import find_member, lead_to_sign_in, require_member
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.match.access import find_reader
from web.pages.pages import NO_STORE
from web.play.move_form import parse_number
from web.server.forms import read_form, redirect
from web.tournaments.page import is_moderator_of, load_view, may_manage
from web.tournaments.paths import REPLACEMENT_PATH, tournament_path

if TYPE_CHECKING:
    from aiohttp import web

    from matches.tournaments.values import TournamentView
    from web.context import WebContext

PURPOSE = "tournament.replacement"
LIFETIME = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Replacement:
    """The place of an entrant, given by an organiser for a reason, until a time."""

    tournament: TournamentId
    entrant: EntrantId
    by: Person
    reason: str
    is_moderator: bool
    expires_at: datetime


async def offer_place(request: web.Request) -> web.Response:
    """Show the organiser the link for whoever is to replace an entrant."""
    context, session, form = request.app[CONTEXT], await require_member(request), await read_form(request)
    view, reason = await load_view(request), form.get("reason", "").strip()
    entrant = EntrantId(parse_number(form.get("entrant")))
    if not await may_manage(request, view):
        raise Refusal("not_organiser")
    if not view.is_replaceable:
        raise Refusal("tournament_not_replaceable")
    if entrant not in {one.id for one in view.entrants}:
        raise Refusal("not_entrant")
    if not MIN_REASON_LENGTH <= len(reason) <= MAX_REASON_LENGTH:
        raise Refusal("tournament_reason", least=MIN_REASON_LENGTH, most=MAX_REASON_LENGTH)
    offered = Replacement(
        tournament=view.id,
        entrant=entrant,
        by=session.person,
        reason=reason,
        is_moderator=await is_moderator_of(request, view),
        expires_at=context.now() + LIFETIME,
    )
    link = f"{context.base}{REPLACEMENT_PATH}{_sign(context, offered)}"
    return await _respond(request, offered, link=link)


async def replacement_page(request: web.Request) -> web.Response:
    """Show whose place is offered, with the button to take it; a visitor signs in first."""
    if await find_member(request) is None:
        return lead_to_sign_in(request, request.path_qs)
    return await _respond(request, _verify(request.app[CONTEXT], request.match_info["token"]))


async def replace(request: web.Request) -> web.Response:
    """Take the place, as the person who is signed in."""
    context, session = request.app[CONTEXT], await require_member(request)
    offered = _verify(context, request.match_info["token"])
    view = await _load_view(request, offered)
    if view.settings.is_of_server and view.settings.server not in session.servers:
        raise Refusal("tournament_members")
    try:
        await context.matches.tournaments.replace(
            offered.tournament,
            offered.entrant,
            session.person,
            offered.by,
            reason=offered.reason,
            is_moderator=offered.is_moderator
            and await context.matches.moderation.is_moderator(offered.by.account),
            now=context.now(),
        )
    except Refusal as error:
        return await _respond(request, offered, error)
    return redirect(tournament_path(offered.tournament))


async def _respond(
    request: web.Request, offered: Replacement, error: Refusal | None = None, link: str = ""
) -> web.Response:
    context, view = request.app[CONTEXT], await _load_view(request, offered)
    if offered.entrant not in {one.id for one in view.entrants}:
        raise Refusal("replacement_link")  # who left before the start has no place any more
    answer = context.pages.respond(
        request,
        "tournament_replacement.html",
        status=200 if error is None else status_code(error),
        name=isolate(view.settings.name),
        path=tournament_path(offered.tournament),
        entrant=isolate(name_of(context.texts, view.entrant(offered.entrant).person)),
        reason=isolate(offered.reason),
        error="" if error is None else format_error(context.texts, error),
        link=link,
        action=request.path,
    )
    answer.headers.update(NO_STORE)
    return answer


async def _load_view(request: web.Request, offered: Replacement) -> TournamentView:
    """Return the tournament of a place as the sender of a request sees it. Raises `tournament_unknown`."""
    context = request.app[CONTEXT]
    reader = await find_reader(request)
    return await context.matches.tournaments.view(offered.tournament, reader, now=context.now())


def _sign(context: WebContext, one: Replacement) -> str:
    until = int(one.expires_at.timestamp())
    person = [one.by.account, one.by.name]
    return _signer(context).dumps([one.tournament, one.entrant, *person, one.reason, one.is_moderator, until])


def _verify(context: WebContext, text: str) -> Replacement:
    """Return what was offered. Raises `replacement_link`."""
    try:
        tournament, entrant, account, name, reason, is_moderator, until = _signer(context).loads(text)
    except (BadData, TypeError, ValueError) as error:
        raise Refusal("replacement_link") from error
    expires_at = datetime.fromtimestamp(until, UTC)
    if expires_at <= context.now():
        raise Refusal("replacement_link")
    return Replacement(
        tournament=TournamentId(int(tournament)),
        entrant=EntrantId(int(entrant)),
        by=Person(str(account), str(name)),
        reason=str(reason),
        is_moderator=bool(is_moderator),
        expires_at=expires_at,
    )


def _signer(context: WebContext) -> URLSafeSerializer:
    return URLSafeSerializer(context.secret, salt=PURPOSE, signer_kwargs={"digest_method": sha256})
