"""Who may see a match on this website, and with which names: decided here for pages, pictures and streams.

Somebody who is signed in reads as that account, with its servers; otherwise the browser reads for the seats
that it took by personal links. A match that somebody may not see answers like one that does not exist.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from aiohttp import web

from matches import OUTSIDER, MatchState, Reader, Refusal, ShownNames, StorageUnavailable
from web.accounts.signed_in import find_session, forget_session
from web.context import CONTEXT
from web.play.held_seats import held_seats, valid_accounts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matches import MatchFingerprint, MatchId, Session
    from web.context import WebContext
    from web.match.cache import CachedMatch

# The answer shows what not everybody may see, so no shared cache may keep it.
IS_PRIVATE = web.RequestKey("is_private", bool)


async def find_reader(request: web.Request) -> Reader:
    """Return as whom a request reads lists of matches."""
    return _reader_of(await find_session(request))


async def load_match(request: web.Request, match: MatchId, *, is_picture: bool = False) -> CachedMatch:
    """Return a match with the names that the sender of a request may see. Raises Refusal.

    A picture shows no names, so that of a public match is the same for everybody.
    """
    context = request.app[CONTEXT]
    fingerprint = await _find_fingerprint(context, match)
    if fingerprint is not None and is_picture and OUTSIDER.names_in(fingerprint.access):
        return await context.cache.get_at(match, fingerprint, ShownNames.PUBLIC)
    await find_session(request)  # so that the refusal offers to sign in
    names = None if fingerprint is None else await _names_for(request, match, fingerprint)
    if fingerprint is None or names is None:
        raise _not_public()
    if names is ShownNames.REAL:
        request[IS_PRIVATE] = True
    return await context.cache.get_at(match, fingerprint, names)


async def load_public_match(context: WebContext, match: MatchId) -> CachedMatch:
    """Return a match as everybody may see it, whoever asks. Raises Refusal."""
    fingerprint = await _find_fingerprint(context, match)
    if fingerprint is None or OUTSIDER.names_in(fingerprint.access) is None:
        raise _not_public()
    return await context.cache.get_at(match, fingerprint, ShownNames.PUBLIC)


async def require_visible(request: web.Request, match: MatchId) -> None:
    """Raise Refusal, as for a match that does not exist, unless the sender may see a match."""
    if not await keep_visible(request, [match]):
        raise _not_public()


async def keep_visible(request: web.Request, matches: list[MatchId]) -> Mapping[MatchId, MatchFingerprint]:
    """Return the fingerprints of those of `matches` that exist and that the sender of a request may see."""
    await find_session(request)
    found = await request.app[CONTEXT].matches.public_queries.get_fingerprints(matches)
    return {match: one for match, one in found.items() if await _names_for(request, match, one) is not None}


async def still_sees(request: web.Request, cached: CachedMatch) -> bool:
    """Return whether the sender of an open request may go on seeing a match as `cached` has it."""
    if cached.names is ShownNames.PUBLIC:
        return OUTSIDER.names_in(cached.fingerprint.access) is not None
    forget_session(request)
    try:
        return await _names_for(request, cached.view.id, cached.fingerprint) is cached.names
    except StorageUnavailable:
        return True  # until the next time; without the database there is nothing new to see either


async def refuse_unknown(request: web.Request) -> Refusal:
    """Return the refusal of a match that does not exist."""
    with suppress(StorageUnavailable):
        await find_session(request)
    return _not_public()


async def _find_fingerprint(context: WebContext, match: MatchId) -> MatchFingerprint | None:
    return (await context.matches.public_queries.get_fingerprints([match])).get(match)


async def _names_for(
    request: web.Request, match: MatchId, fingerprint: MatchFingerprint
) -> ShownNames | None:
    """Return the names that the sender of a request sees in a match; None if the match is not shown."""
    session = await find_session(request)
    names = _reader_of(session).names_in(fingerprint.access)
    seats = [seat for seat in held_seats(request) if seat.match == match]
    is_member = session is not None and not session.is_guest
    if is_member or names is ShownNames.REAL or not seats:
        return names
    context = request.app[CONTEXT]
    accounts = valid_accounts(
        seats,
        fingerprint.access.accounts,
        (await context.matches.people.seats.load(match)).generations,
        context.now(),
        is_over=fingerprint.state is MatchState.OVER,
    )
    return Reader(accounts).names_in(fingerprint.access)


def _reader_of(session: Session | None) -> Reader:
    return OUTSIDER if session is None else Reader(frozenset({session.account}), session.servers)


def _not_public() -> Refusal:
    return Refusal("not_public")
