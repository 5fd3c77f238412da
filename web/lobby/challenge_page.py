"""The page of a challenge, for whoever may see it, and what its visitors do there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n.writing import isolate
from matches import Audience, ChallengeId, ChallengeState, Refusal
from matches.audience import ShownNames, choose_name
from web.accounts.signed_in import find_member, find_session, lead_to_sign_in, require_member
from web.addresses import challenge_path, match_path, report_url
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.lobby.items import challenge_item
from web.lobby.opened_links import OPENED
from web.match.access import find_reader
from web.pages.pages import NO_STORE, SIGN_IN_URL
from web.play.seat_sessions import own_seat_path
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from matches import MatchId, Session, ShownChallenge
    from web.context import WebContext

OK, NOT_FOUND = 200, 404
CHALLENGER_VALUES = frozenset({"name", "by"})  # of refusals, where they are the challenger


async def challenge_page(request: web.Request) -> web.Response:
    """Show a challenge. Somebody who may not see it gets what a challenge gets that does not exist."""
    key = request.match_info.get("key", "")
    shown = await _find(request, key)
    if shown is None:
        return await _refuse(request)
    member = await find_member(request)
    if key and member is not None and not shown.is_own:
        alias = await request.app[CONTEXT].matches.visibility.get_alias(member.account)
        name = choose_name(ShownNames.PUBLIC, Audience.NAMES, member.account, member.name, alias)
        request.app[OPENED].add(shown.challenge.id, name)
    return await _render(request, shown, key)


async def challenge_state(request: web.Request) -> web.Response:
    """Return as JSON, for the challenger alone: the state, the board to go to, who has opened the link."""
    context = request.app[CONTEXT]
    shown, session = await _find(request, ""), await find_session(request)
    if shown is None or session is None or not shown.is_own:
        raise web.HTTPNotFound
    challenge = shown.challenge
    board = "" if challenge.match is None else await _board_path(context, challenge.match, session)
    name = request.app[OPENED].name_of(challenge.id)
    opened = context.texts("web.challenge.opened", name=isolate(name)) if name else ""
    answer = web.json_response({"state": challenge.state.value, "board": board, "opened": str(opened)})
    answer.headers.update(NO_STORE)
    return answer


async def accept(request: web.Request) -> web.Response:
    """Accept a challenge and redirect to the board; a visitor signs in first, and comes back to its page."""
    context, key = request.app[CONTEXT], (await read_form(request)).get("key", "")
    challenge, session = _challenge_id(request), await find_member(request)
    if session is None:
        return lead_to_sign_in(request, challenge_path(challenge, key))
    shown = await _find(request, key)
    if shown is None:
        return await _refuse(request)
    try:
        update = await context.matches.challenges.accept(
            challenge, session.person, has_link=bool(key), now=context.now()
        )
    except Refusal as error:
        if error.key == "challenge_accepted" and error.values["you"]:
            return redirect(f"/m/{error.values['match']}")
        return await _render(request, await _find(request, key) or shown, key, error)
    if update.announcement is not None:
        await context.announce(update.announcement)
    return redirect(own_seat_path(update.match, session.account))


async def decline(request: web.Request) -> web.Response:
    """Decline a challenge; with ``block`` its challenger cannot challenge again."""
    context, session = request.app[CONTEXT], await require_member(request)
    form, shown = await read_form(request), await _find(request, "")
    if shown is None:
        return await _refuse(request)
    person, now = session.person, context.now()
    try:
        if "block" in form and shown.is_to_reader:
            await context.matches.people.blocks.block(person, shown.challenge.by, now=now)
        update = await context.matches.challenges.decline(shown.challenge.id, person, now=now)
    except Refusal as error:
        return await _render(request, shown, "", error)
    await context.announce(update.announcement)
    return redirect(challenge_path(shown.challenge.id))


async def withdraw(request: web.Request) -> web.Response:
    """Withdraw one's own challenge."""
    context, session = request.app[CONTEXT], await require_member(request)
    shown = await _find(request, "")
    if shown is None:
        return await _refuse(request)
    try:
        update = await context.matches.challenges.withdraw(
            shown.challenge.id, session.person, now=context.now()
        )
    except Refusal as error:
        return await _render(request, await _find(request, "") or shown, "", error)
    await context.announce(update.announcement)
    return redirect(challenge_path(shown.challenge.id))


async def _find(request: web.Request, key: str) -> ShownChallenge | None:
    """Return the challenge of a request as its sender may see it; with a wrong key nobody sees it."""
    context, challenge = request.app[CONTEXT], _challenge_id(request)
    if key and not context.token_signer.has_challenge_key(challenge, key):
        return None
    return await context.matches.public_queries.find_for(
        challenge, await find_reader(request), has_link=bool(key), now=context.now()
    )


async def _render(
    request: web.Request, shown: ShownChallenge, key: str, error: Refusal | None = None
) -> web.Response:
    context, session = request.app[CONTEXT], await find_member(request)
    challenge = shown.challenge
    # The challenger has the link to give away; for everybody else it is the one they came by.
    link_key = context.token_signer.challenge_key(challenge.id) if challenge.by_link and shown.is_own else key
    answer = context.pages.respond(
        request,
        "challenge_page.html",
        status=OK if error is None else status_code(error),
        notice="" if error is None else format_error(context.texts, _with_shown_name(error, shown)),
        one=challenge_item(context, shown, key),
        state=challenge.state.value,
        is_open=challenge.state is ChallengeState.OPEN,
        is_signed_in=session is not None,
        can_accept=session is not None or SIGN_IN_URL in request,
        report=report_url(challenge=challenge.id, key=key),
        link=f"{context.base}{challenge_path(challenge.id, link_key)}" if _has_link(shown) else "",
        **await _match_context(context, shown, session),
    )
    answer.headers.update(NO_STORE)
    return answer


def _with_shown_name(error: Refusal, shown: ShownChallenge) -> Refusal:
    """Return a refusal with the name of the challenger that the page shows, maybe an alias."""
    names = dict.fromkeys(error.values.keys() & CHALLENGER_VALUES, shown.challenge.by)
    return Refusal(error.key, **{**error.values, **names})


def _has_link(shown: ShownChallenge) -> bool:
    """Return whether a challenger can send the link of an open challenge to somebody."""
    return shown.is_own and shown.challenge.to is None and shown.challenge.state is ChallengeState.OPEN


async def _match_context(
    context: WebContext, shown: ShownChallenge, session: Session | None
) -> dict[str, Any]:
    """Return where the match of an accepted challenge is, and who plays it, for whoever may know."""
    match, path = shown.challenge.match, ""
    if match is not None and session is not None:
        path = await _board_path(context, match, session)
    is_public = match is not None and shown.challenge.is_public
    return {"board": path, "watch": match_path(match) if match is not None and is_public else ""}


async def _board_path(context: WebContext, match: MatchId, session: Session) -> str:
    """Return the path of a player's own seat; empty for somebody else."""
    return own_seat_path(await context.matches.view(match, now=context.now()), session.account)


async def _refuse(request: web.Request) -> web.Response:
    """Answer as for a challenge that does not exist; who it is for may have to sign in."""
    context, session = request.app[CONTEXT], await find_session(request)
    key = "web.challenge.hidden" if session is None and SIGN_IN_URL in request else "web.challenge.missing"
    answer = context.pages.respond(
        request,
        "error.html",
        status=NOT_FOUND,
        text=context.texts(key),
        match=None,
        can_sign_in=session is None,
        is_hidden=False,
    )
    answer.headers.update(NO_STORE)
    return answer


def _challenge_id(request: web.Request) -> ChallengeId:
    return ChallengeId(int(request.match_info["challenge"]))
