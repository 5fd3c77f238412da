"""Sessions at a seat: of a person who is signed in, or by a link whose token is exchanged for a cookie.

Somebody who is signed in plays at the seats of that account alone: a cookie for the seat of another account
is refused. Seats of local games have accounts of their own, so their cookies still count. To guests, who have
only played the computer, that does not apply: they open every personal link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web

from matches import (
    Action,
    NotInMatch,
    Refusal,
    ShownNames,
    is_between_people,
    is_computer,
    is_of_local_game,
    possible_actions,
)
from web.accounts.signed_in import find_seat, find_session
from web.addresses import BOTH_SEATS, SEAT_COOKIE, match_id, match_path, seat_path
from web.context import CONTEXT
from web.match.access import require_visible
from web.play.tokens import COOKIE_LIFETIME, RENEWAL_INTERVAL, InvalidToken, SeatToken, TokenPurpose
from web.server.cookies import cookie_name, delete_private_cookie, set_private_cookie

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta

    from engine.game import Position
    from matches import MatchId, MatchView, Person, Seat, SeatState, Session
    from web.context import WebContext
    from web.match.cache import CachedMatch


COOKIE = "seat"  # of the path of a seat; lets its browser play there


@dataclass(frozen=True, slots=True)
class PlayerSession:
    """A player at a match: may act for `accounts`, and acts for `person` now.

    When both players share a screen, `person` is the one whose turn it is. `token` is the one of the cookie;
    None for a person who is signed in. `cached` is the match as everybody sees it, `view` as the player does,
    `state` what is stored about the seat.
    """

    cached: CachedMatch
    view: MatchView
    state: SeatState
    accounts: tuple[str, ...]
    person: Person
    path: str
    token: SeatToken | None

    @property
    def seat(self) -> Seat:
        """The seat of `person`. Raises NotInMatch."""
        found = self.view.seat(self.person.account)
        if found is None:
            raise NotInMatch(match=self.view.id)
        return found

    @property
    def turn_start(self) -> Position | None:
        """The position before the turn that this session is playing; None without a board."""
        return self.view.turn_start or self.view.position

    @property
    def saved_moves(self) -> tuple[str, ...]:
        """The moves of the unfinished turn of this session."""
        return tuple(move.text for move in self.view.unfinished_moves)

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody that this session may act for."""
        return tuple(seat.person for seat in self.view.seats if seat.person.account in self.accounts)

    @property
    def has_both_seats(self) -> bool:
        """Whether both players share a screen."""
        return len(self.accounts) > 1

    @property
    def computer(self) -> Seat | None:
        """The seat of the computer if it is the opponent; None in a match between people."""
        return next((seat for seat in self.view.seats if is_computer(seat.person.account)), None)

    @property
    def allows_conditional_moves(self) -> bool:
        """Whether conditional moves make sense: the opponent is a person in front of another screen."""
        return not self.has_both_seats and is_between_people(self.view)

    @property
    def possible_actions(self) -> frozenset[Action]:
        """What the accounts of this session can do now, together."""
        return frozenset[Action]().union(*(possible_actions(self.view, one) for one in self.accounts))

    @property
    def is_awaited(self) -> bool:
        """Whether the match waits for a pick or a move of this session."""
        return self.person in self.view.waits_for


async def seat_link(
    context: WebContext,
    view: MatchView,
    *people: Person,
    lifetime: timedelta,
    after_rotation: bool = False,
) -> str:
    """Return a link that opens a session for these people until `lifetime` has passed. Raises NotInMatch.

    With `after_rotation` it opens nothing until their seat keys have been rotated once.
    """
    now, seats = context.now(), context.matches.people.seats
    generations = [
        (person.account, await seats.get_generation(view.id, person) + after_rotation) for person in people
    ]
    token = SeatToken(view.id, tuple(generations), now + lifetime)
    return f"{context.base}/sit/{context.token_signer.sign(token, TokenPurpose.LINK)}"


async def open_link(request: web.Request) -> web.Response:
    """Exchange the token of a link for a cookie, so that it does not stay in the address bar.

    Somebody who is signed in needs no cookie for the seat of that account, and gets none for that of another.
    """
    context = request.app[CONTEXT]
    try:
        token = context.token_signer.verify(request.match_info["token"], TokenPurpose.LINK, context.now())
        state = await context.matches.people.seats.load(token.match, token.accounts)
        _check_generations(state, token)
        cached = await context.cache.get_at(token.match, state.fingerprint, ShownNames.REAL)
    except (InvalidToken, Refusal) as error:
        raise Refusal("personal_link_invalid") from error
    signed_in = await find_session(request)
    if not _excludes_others(signed_in, token):
        return start_seat_session(context, cached.view, token)
    if signed_in is None or token.accounts != (signed_in.account,):
        raise Refusal("seat_of_another", match=int(token.match))
    return _redirect(own_seat_path(cached.view, signed_in.account))


def start_seat_session(context: WebContext, view: MatchView, token: SeatToken) -> web.Response:
    """Return a redirect to the seat with the token in a cookie that scripts cannot read.

    A second cookie, which gives no access, lets the public page link back to the seat.
    """
    answer = _redirect(seat_path(view.id, _seat_name(_players(view), token.accounts)))
    _set_cookies(context, answer, view, token)
    return answer


def renew_seat_session(context: WebContext, answer: web.Response, session: PlayerSession) -> None:
    """Let a session that is in use last COOKIE_LIFETIME from now; the cookies are set at most once a day."""
    if (
        session.token is not None
        and session.token.expires_at < context.now() + COOKIE_LIFETIME - RENEWAL_INTERVAL
    ):
        _set_cookies(context, answer, session.view, session.token)


def _set_cookies(context: WebContext, answer: web.Response, view: MatchView, token: SeatToken) -> None:
    name = _seat_name(_players(view), token.accounts)
    extended = context.token_signer.with_expiry(token, context.now() + COOKIE_LIFETIME)
    for cookie, value, path in (
        (
            cookie_name(context, COOKIE),
            context.token_signer.sign(extended, TokenPurpose.COOKIE),
            seat_path(view.id, name),
        ),
        (SEAT_COOKIE, name, match_path(view.id)),
    ):
        set_private_cookie(context, answer, cookie, value, path, COOKIE_LIFETIME)


def end_seat_session(context: WebContext, session: PlayerSession) -> web.Response:
    """Return a redirect to the public page that deletes the cookies of the seat."""
    public_path = match_path(session.view.id)
    answer = _redirect(public_path)
    delete_private_cookie(context, answer, cookie_name(context, COOKIE), session.path)
    delete_private_cookie(context, answer, SEAT_COOKIE, public_path)
    return answer


async def require_player(request: web.Request) -> PlayerSession:
    """Return the session of a request to a seat. Raises Refusal, MatchUnknown."""
    context, match, seat_name = request.app[CONTEXT], match_id(request), request.match_info["seat"]
    signed_in = await find_seat(request, match)
    if signed_in is not None:
        session, state = signed_in
        if _seat_name(state.fingerprint.access.accounts, (session.account,)) == seat_name:
            return await _start(context, match, state, (session.account,), seat_name, token=None)
    try:
        token = context.token_signer.verify(
            request.cookies.get(cookie_name(context, COOKIE), ""), TokenPurpose.COOKIE, context.now()
        )
        state = await context.matches.people.seats.load(match, token.accounts)
        _check_generations(state, token)
        _check_seat(state, token, match, seat_name)
    except InvalidToken as error:
        await require_visible(request, match)
        raise Refusal("not_signed_in_here", match=int(match)) from error
    if signed_in is not None and _excludes_others(signed_in[0], token):
        raise Refusal("seat_of_another", match=int(match))
    return await _start(context, match, state, token.accounts, seat_name, token)


async def _start(
    context: WebContext,
    match: MatchId,
    state: SeatState,
    accounts: tuple[str, ...],
    seat_name: str,
    token: SeatToken | None,
) -> PlayerSession:
    """Return the session of these accounts. Nobody else sees a turn that they have begun."""
    cached = await context.cache.get_at(match, state.fingerprint, ShownNames.REAL)
    view = cached.view
    if state.is_turn_unfinished:
        view = await context.matches.view(match, readers=accounts, now=context.now())
    person = _acting_person(view, accounts)
    return PlayerSession(cached, view, state, accounts, person, seat_path(match, seat_name), token)


def _excludes_others(session: Session | None, token: SeatToken) -> bool:
    """Return whether a session lets its browser play for that account only, and not by this token."""
    is_member = session is not None and not session.is_guest
    return is_member and not all(map(is_of_local_game, token.accounts))


def _check_seat(state: SeatState, token: SeatToken, match: MatchId, name: str) -> None:
    if token.match != match or _seat_name(state.fingerprint.access.accounts, token.accounts) != name:
        raise InvalidToken("issued for another seat")


def _check_generations(state: SeatState, token: SeatToken) -> None:
    """Raise InvalidToken unless the keys of the seats are those of the token."""
    for account, generation in token.generations:
        if is_computer(account):
            raise InvalidToken("nobody takes the computer's seat")
        if state.generations.get(account) != generation:
            raise InvalidToken("the seat key was rotated")
    if not token.generations:
        raise InvalidToken("grants no seat")


def own_seat_path(view: MatchView, account: str) -> str:
    """Return the path of an account's seat; empty if it has none."""
    name = _seat_name(_players(view), (account,))
    return seat_path(view.id, name) if name else ""


def _acting_person(view: MatchView, accounts: tuple[str, ...]) -> Person:
    awaited = [person for person in view.waits_for if person.account in accounts]
    own = [seat.person for seat in view.seats if seat.person.account in accounts]
    return (awaited or own)[0]


def _players(view: MatchView) -> list[str]:
    return [seat.person.account for seat in view.seats]


def _seat_name(players: Iterable[str], accounts: tuple[str, ...]) -> str:
    """Return the name of a seat in URLs; it does not change when the players swap sides."""
    if len(accounts) > 1:
        return BOTH_SEATS
    ordered = sorted(players)
    return str(ordered.index(accounts[0]) + 1) if accounts[0] in ordered else ""


def _redirect(path: str) -> web.Response:
    return web.Response(status=303, headers={"Location": path, "Cache-Control": "no-store"})
