"""My games: the matches of this browser, and those of them where its player is to move.

Somebody who is signed in has all matches of the account; of the seats that the browser took by personal links
then only the ones of local games count; with those of a guest they all do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n import formatting as game_formatting
from matches import MatchId, MatchState, is_computer, is_of_local_game
from matches.values import ACTIVE_STATES
from web.accounts.signed_in import find_session
from web.addresses import BOTH_SEATS, SEAT_NAMES, match_path, seat_path
from web.context import CONTEXT
from web.lobby.items import challenge_item
from web.match.access import find_reader
from web.match.match_page import clock_context
from web.pages.front_page import match_item
from web.pages.pages import TURN_COUNT
from web.play.held_seats import HeldSeat, accounts_by_seat, held_seats, valid_seats
from web.play.move_form import parse_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from matches import LastMove, MatchOutline, MatchSummary, Seat, Session
    from web.context import WebContext

PAGE = 24  # matches
GROUPS = ("your_turn", "waiting", "finished")


@dataclass(frozen=True, slots=True)
class MyGame:
    """A match of this browser: the accounts that it plays for, and the page that leads there."""

    outline: MatchOutline
    accounts: frozenset[str]
    path: str

    @property
    def group(self) -> str:
        """The part of the list that it belongs to, one of GROUPS."""
        if self.outline.state is MatchState.OVER:
            return "finished"
        return "your_turn" if self.is_awaited else "waiting"

    @property
    def is_awaited(self) -> bool:
        """Whether the match waits for this browser."""
        return not self.accounts.isdisjoint(self.outline.awaited)


@dataclass(frozen=True, slots=True)
class MyTurns:
    """The matches that wait for this browser, the most urgent first, and how many challenges do.

    This was read for `seats` and, if it is not empty, for `account`.
    """

    seats: tuple[HeldSeat, ...]
    account: str
    games: tuple[MyGame, ...]
    challenges: int

    @property
    def can_have_games(self) -> bool:
        """Whether there is anything to read the matches of."""
        return bool(self.seats or self.account)

    @property
    def count(self) -> int:
        """The number of matches and of challenges."""
        return len(self.games) + self.challenges

    def next_after(self, match: MatchId) -> str:
        """Return the path of the match to play after this one; empty if no other waits."""
        ids = [game.outline.id for game in self.games]
        at = ids.index(match) + 1 if match in ids else 0
        others = [game for game in (*self.games[at:], *self.games[:at]) if game.outline.id != match]
        return others[0].path if others else ""


MY_TURNS = web.RequestKey("my_turns", MyTurns)


async def my_games(request: web.Request) -> web.Response:
    """Show a page of the matches of this browser: its turn first, then waiting, then finished ones.

    Above them are the open challenges of the account.
    """
    context = request.app[CONTEXT]
    session = await find_session(request)
    games = sorted(await _load_games(context, held_seats(request), session), key=_list_key)
    pages = max(1, -(-len(games) // PAGE))
    page = min(max(1, parse_number(request.query.get("page", "1"))), pages)
    shown = games[(page - 1) * PAGE : page * PAGE]
    queries = context.matches.public_queries
    summaries = {one.id: one for one in await queries.list_matches(game.outline.id for game in shown)}
    last_moves = await queries.get_last_moves(summaries.values())
    return context.pages.respond(
        request,
        "my_games.html",
        groups=[
            (name, [_game_item(context, game, summaries[game.outline.id], last_moves) for game in group])
            for name, group in groupby(shown, key=lambda game: game.group)
        ],
        page=page,
        pages=pages,
        **await _own_challenges(request),
        can_start_games=context.can_start_games,
        is_signed_in=session is not None and not session.is_guest,
    )


async def load_turns(request: web.Request) -> MyTurns:
    """Return the matches that wait for the browser that sent a request; read once for each request."""
    seats, session = held_seats(request), await find_session(request)
    found = request.get(MY_TURNS)
    if found is None or found.seats != seats:
        games = await _load_games(request.app[CONTEXT], seats, session, ACTIVE_STATES)
        awaited = sorted((game for game in games if game.is_awaited), key=_list_key)
        account = "" if session is None else session.account
        found = request[MY_TURNS] = MyTurns(
            seats, account, tuple(awaited), await _count_challenges(request, account)
        )
        if found.can_have_games:
            request[TURN_COUNT] = found.count
    return found


async def _count_challenges(request: web.Request, account: str) -> int:
    context = request.app[CONTEXT]
    if not account:
        return 0
    return await context.matches.public_queries.count_incoming(account, now=context.now())


async def _own_challenges(request: web.Request) -> dict[str, Any]:
    """Return the template context of the open challenges to and by the account."""
    context = request.app[CONTEXT]
    own = await context.matches.public_queries.list_own(await find_reader(request), now=context.now())
    return {
        "incoming": [challenge_item(context, one) for one in own.incoming],
        "outgoing": [challenge_item(context, one) for one in own.outgoing],
    }


async def _load_games(
    context: WebContext,
    seats: Iterable[HeldSeat],
    session: Session | None,
    states: Iterable[MatchState] = tuple(MatchState),
) -> list[MyGame]:
    """Return the matches of these seats and of the session in one of `states`, without aborted ones."""
    held = await _load_held_games(context, seats, states)
    if session is None:
        return held
    outlines = await context.matches.public_queries.list_outlines_of(session.account, states)
    own = [_own_game(outline, session.account) for outline in outlines if not outline.is_aborted]
    return own + [
        game for game in held if session.is_guest or any(map(is_of_local_game, game.outline.accounts))
    ]


def _own_game(outline: MatchOutline, account: str) -> MyGame:
    name = SEAT_NAMES[sorted(outline.accounts).index(account)]
    return MyGame(outline, frozenset({account}), seat_path(outline.id, name))


async def _load_held_games(
    context: WebContext, seats: Iterable[HeldSeat], states: Iterable[MatchState]
) -> list[MyGame]:
    by_match: dict[MatchId, list[HeldSeat]] = {}
    for seat in seats:
        by_match.setdefault(seat.match, []).append(seat)
    if not by_match:
        return []
    outlines = await context.matches.public_queries.list_outlines(by_match, states)
    games = (_find_game(outline, by_match[outline.id], context.now()) for outline in outlines)
    return [game for game in games if game is not None]


def _find_game(outline: MatchOutline, seats: Iterable[HeldSeat], now: datetime) -> MyGame | None:
    """Return a match with those of its seats whose keys were not changed; None without such a seat."""
    if outline.is_aborted:
        return None
    accounts_by_name = accounts_by_seat(outline.accounts)
    valid = valid_seats(seats, outline.accounts, outline.generations)
    signed_in = [seat.name for seat in valid if seat.is_signed_in(now)]
    if not (valid if outline.state is MatchState.OVER else signed_in):
        return None
    # With a window for each player in one browser, the link leads to the one who is to move.
    signed_in.sort(key=lambda name: (outline.awaited.isdisjoint(accounts_by_name[name]), name != BOTH_SEATS))
    names = signed_in or [seat.name for seat in valid]
    return MyGame(
        outline,
        frozenset(account for name in names for account in accounts_by_name[name]),
        seat_path(outline.id, signed_in[0]) if signed_in else match_path(outline.id),
    )


def _list_key(game: MyGame) -> tuple[int, bool, float, float]:
    """Return a sort key: the order of GROUPS, matches between people before those against the computer.

    Own turns follow by deadline and waiting time, others latest first.
    """
    outline, group = game.outline, GROUPS.index(game.group)
    is_against_computer = any(map(is_computer, outline.accounts))
    changed_at = outline.changed_at.timestamp()
    if not game.is_awaited:
        return group, is_against_computer, 0, -changed_at
    deadline = math.inf if outline.deadline is None else outline.deadline
    return group, is_against_computer, deadline, changed_at


def _game_item(
    context: WebContext, game: MyGame, summary: MatchSummary, last_moves: Mapping[MatchId, LastMove]
) -> dict[str, Any]:
    """Return the template context of a match: a card with clock and last move, where the player is "You"."""
    texts = context.texts
    own = [seat for seat in summary.seats if seat.person.account in game.accounts]
    item = match_item(context, summary, own[0].side if len(own) == 1 else None)
    if len(own) == 1:
        item["seats"] = [
            (side, texts("web.mine.you") if side == own[0].side.value else name, *more)
            for side, name, *more in item["seats"]
        ]
    move = last_moves.get(summary.id)
    awaited = [seat for seat in summary.seats if seat.person in summary.waits_for]
    on_move = [seat for seat in awaited if seat in own] or awaited
    notes = [_format_clock(context, summary, seat) for seat in on_move]
    if move is not None and summary.result is None:
        side = game_formatting.format_side(texts, move.side)
        notes.append(texts("web.mine.last_move", side=side, move=move.text))
    item["notes"] += [note for note in notes if note]
    item["href"] = game.path
    return item


def _format_clock(context: WebContext, summary: MatchSummary, seat: Seat) -> str:
    """Return the remaining time of a player in words; empty without a clock."""
    clock = clock_context(context, summary, seat)
    if clock["is_late"]:
        return context.texts("web.mine.late")
    return context.texts("web.mine.clock", time=clock["clock"]) if clock["clock"] else ""
