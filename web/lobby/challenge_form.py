"""The form for a challenge: to anyone in the lobby, by name, by link, or by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from matches import WEBSITE, Refusal, RequestRepeated
from matches.people.mail_codes import clean_address
from web.accounts.signed_in import find_member, lead_to_sign_in
from web.addresses import CHALLENGE_FORM_PATH, MAX_RETURN_PATH, challenge_path
from web.context import CONTEXT
from web.errors import format_error
from web.lobby.challenge_fields import BY_LINK, BY_MAIL, NAMED, SENT, fields_context, read_wish
from web.match.access import find_reader
from web.pages.pages import NO_STORE
from web.server.forms import new_form_number, read_form, redirect, request_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

    from matches import ChallengeUpdate, Person
    from web.context import WebContext
    from web.lobby.challenge_fields import Wish

SECRET_FIELDS = (SENT, "note", "address")  # which no address of a page contains
BAD_REQUEST = 400


async def challenge_form(request: web.Request) -> web.Response:
    """Show the form for a challenge; ``to`` is the name of a player, ``game`` a game."""
    if await find_member(request) is None:
        return lead_to_sign_in(request, request.path_qs)
    return _render(request, dict(request.query), "", 200)


async def create_challenge(request: web.Request) -> web.Response:
    """Make the challenge of a form and redirect to its page. A form that is sent twice makes one."""
    context, values = request.app[CONTEXT], await read_form(request)
    session = await find_member(request)
    if session is None:
        return lead_to_sign_in(request, _form_address(values))
    try:
        with context.matches.work.requests.handle(
            request_number("challenge", session.account, values.get(SENT, "")), now=context.now()
        ):
            update = await _make(context, session.person, read_wish(context, values))
    except RequestRepeated:
        return redirect(await _find_made(request))
    except Refusal as error:
        return _render(request, values, format_error(context.texts, error), BAD_REQUEST)
    await context.announce(update.announcement)
    return redirect(challenge_path(update.challenge.id))


async def _make(context: WebContext, by: Person, wish: Wish) -> ChallengeUpdate:
    """Make a challenge. Raises Refusal, RequestRepeated."""
    if wish.who == BY_MAIL and not context.has_mail:
        raise Refusal("no_mail")
    if wish.who == BY_MAIL:
        return await context.matches.invitations.create(
            by,
            clean_address(wish.address),
            game=wish.rules.name,
            options=wish.options,
            terms=wish.terms,
            colour=wish.colour,
            audience=wish.audience,
            note=wish.note,
            now=context.now(),
        )
    return await context.matches.challenges.create(
        by,
        to=await _find_opponent(context, wish.to) if wish.who == NAMED else None,
        server=WEBSITE,
        channel=WEBSITE,
        game=wish.rules.name,
        options=wish.options,
        terms=wish.terms,
        colour=wish.colour,
        audience=wish.audience,
        note=wish.note,
        within=wish.within,
        by_link=wish.who == BY_LINK,
        games=wish.games,
        now=context.now(),
    )


async def _find_opponent(context: WebContext, name: str) -> Person:
    """Return the player with a name on the website. Raises Refusal."""
    if not name:
        raise Refusal("player_missing")
    found = await context.matches.public_queries.find_player(name)
    if found is None:
        raise Refusal("player_unknown", name=name)
    return found


async def _find_made(request: web.Request) -> str:
    """Return the page of the challenge that the same form has made, or the list of one's challenges."""
    context = request.app[CONTEXT]
    own = await context.matches.public_queries.list_own(await find_reader(request), now=context.now())
    return challenge_path(own.outgoing[0].challenge.id) if own.outgoing else "/my-games"


def _form_address(values: Mapping[str, str]) -> str:
    """Return the address of the form with what was typed, if that is not too long or only for one reader."""
    kept = {name: value for name, value in values.items() if value and name not in SECRET_FIELDS}
    address = f"{CHALLENGE_FORM_PATH}?{urlencode(kept)}"
    return address if len(address) <= MAX_RETURN_PATH else CHALLENGE_FORM_PATH


def _render(request: web.Request, values: Mapping[str, str], notice: str, status: int) -> web.Response:
    context = request.app[CONTEXT]
    answer = context.pages.respond(
        request,
        "challenge_form.html",
        status=status,
        notice=notice,
        form_number=new_form_number(values.get(SENT, "")),
        sends_mail=context.has_mail,
        **fields_context(context, values),
    )
    answer.headers.update(NO_STORE)
    return answer
