"""Rematches of local games: one for each match, which both players open from the page of their seat."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from aiohttp import web

from i18n.names import stored_side_name
from matches import WEB, WEBSITE, Action, Challenge, ChallengeUpdate, Person, Refusal, platform_of
from web.addresses import challenge_path
from web.context import CONTEXT
from web.play.computer_games import (
    chosen_level,
    remember_settings,
    remembered_settings,
    seat_level,
    start_against_computer,
)
from web.play.local_games import LOCAL_SERVER, START_LOCK, challenge_and_accept
from web.play.seat_sessions import own_seat_path, require_player, start_seat_session
from web.play.tokens import SeatToken
from web.play.website_games import open_match
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from engine.game import Game, OptionValue
    from matches import MatchView, Seat
    from web.context import WebContext
    from web.play.seat_sessions import PlayerSession


def can_rematch(context: WebContext, session: PlayerSession) -> bool:
    """Return whether a match is over and a rematch can be started on this website.

    That is a local game; on a public website one against the computer, of the account that is signed in or of
    a guest; and a match between people that began on the website, or is of an account of it.
    """
    if context.allow_local_games:
        is_own = platform_of(session.view.server) == WEB
    else:
        is_own = session.view.server == WEBSITE and session.computer is not None and session.token is None
    return (is_own or _is_between_members(session)) and Action.REMATCH in session.possible_actions


def _is_between_members(session: PlayerSession) -> bool:
    """Return whether a person who is signed in plays a person, and not on Discord alone."""
    is_on_website = session.view.server == WEBSITE or platform_of(session.person.account) == WEB
    return is_on_website and session.token is None and session.computer is None


async def start_rematch(request: web.Request) -> web.Response:
    """Start a rematch with sides swapped, or open the one that was started, at the player's own seat."""
    context, session = request.app[CONTEXT], await require_player(request)
    view = session.view
    if not can_rematch(context, session):
        raise web.HTTPNotFound
    if _is_between_members(session):
        return await _challenge_again(context, session)
    if session.computer is not None:
        return await _play_computer_again(request, context, session, session.computer)
    async with request.app[START_LOCK]:
        fingerprints = await context.matches.public_queries.get_fingerprints([view.id])
        found = fingerprints[view.id].rematch
        rematch = (
            await _start_rematch(context, view)
            if found is None
            else await context.matches.view(found, now=context.now())
        )
    accounts = [
        person.account
        for seat, person in zip(view.seats, reversed(_rematch_players(context, view)), strict=True)
        if seat.person.account in session.accounts
    ]
    # A rematch has keys of its own. They are new, unless a player has signed out of it everywhere.
    token = SeatToken(rematch.id, tuple((account, 0) for account in accounts), context.now())
    return start_seat_session(context, rematch, token)


async def _challenge_again(context: WebContext, session: PlayerSession) -> web.Response:
    """Challenge the opponent to a rematch, accept the one that they have offered, or open what it led to."""
    view, person, now = session.view, session.person, context.now()
    parents = await context.matches.posting.threads.list_parents([view.channel])
    try:
        found = await context.matches.rematches.request(
            view.id, person, server=view.server, channel=parents.get(view.channel, view.channel), now=now
        )
    except Refusal as error:
        if error.key == "rematch_started":
            return redirect(f"/m/{error.values['rematch']}")
        raise
    if isinstance(found, Challenge):
        found = await context.matches.challenges.accept(found.id, person, now=now)
    if found.announcement is not None:
        await context.announce(found.announcement)
    if isinstance(found, ChallengeUpdate):
        return redirect(challenge_path(found.challenge.id))
    return redirect(own_seat_path(found.match, person.account))


async def _play_computer_again(
    request: web.Request, context: WebContext, session: PlayerSession, opponent: Seat
) -> web.Response:
    """Start a match at the level of the form or the same one, unless it is running.

    Its sides are swapped, unless the form has the `side` that the person had.
    """
    form, view, rules = await read_form(request), session.view, context.games[session.view.game]
    level = chosen_level({"level": seat_level(opponent)} | form)
    own = session.seat.side
    keeps_side = form.get("side") == own.value
    source = f"{level} after {view.id}{' with the same side' if keeps_side else ''}"
    side, options = own if keeps_side else opponent.side, _agreed_options(rules, view)
    settings = remembered_settings(request, rules) | {"level": level}
    if not context.allow_local_games:
        answer = await open_match(request, source, rules, level=level, side=side, options=options)
        remember_settings(context, answer, rules, settings)
        return answer
    person = Person(f"web:{sha256(source.encode()).hexdigest()[:24]}:1", session.person.name)
    async with request.app[START_LOCK]:
        started = await context.matches.views.list_active_of(person, LOCAL_SERVER)
        again = (
            await context.matches.view(started[0].id, now=context.now())
            if started
            else await start_against_computer(
                request,
                LOCAL_SERVER,
                rules,
                person,
                level=level,
                side=side,
                options=options,
            )
        )
    answer = start_seat_session(context, again, SeatToken(again.id, ((person.account, 0),), context.now()))
    remember_settings(context, answer, rules, settings)
    return answer


async def _start_rematch(context: WebContext, view: MatchView) -> MatchView:
    rules = context.games[view.game]
    first, second = _rematch_players(context, view)
    options = _agreed_options(rules, view)
    return await challenge_and_accept(context, rules, first, second, options, rematch_of=view.id)


def _agreed_options(rules: Game, view: MatchView) -> dict[str, OptionValue]:
    """Return the options as they were agreed, before the simultaneous choice and random ones."""
    options = {
        option.name: view.options[option.name]
        for option in rules.options
        if not option.is_random and option.name in view.options
    }
    if rules.simultaneous_choice is not None and view.reveal is not None:
        options[rules.simultaneous_choice.option] = rules.simultaneous_choice.value
    return options


def _rematch_players(context: WebContext, view: MatchView) -> tuple[Person, Person]:
    """Return the people of a rematch: those of the match with sides swapped, under accounts of their own.

    The name of a side belongs to the side, not to the player.
    """
    sides = list(map(stored_side_name, context.games[view.game].sides))
    prefix = f"web:{sha256(f'rematch of {view.id}'.encode()).hexdigest()[:24]}:"
    names = [
        side if seat.person.name in sides else seat.person.name
        for seat, side in zip(reversed(view.seats), sides, strict=True)
    ]
    return Person(f"{prefix}1", names[0]), Person(f"{prefix}2", names[1])
