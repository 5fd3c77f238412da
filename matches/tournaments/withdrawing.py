"""Entrants who no longer play: by the rules, their own choice or the organiser's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from matches.personal_data.stand_ins import is_deleted
from matches.platforms import WEBSITE
from matches.tournaments.announcing import tell_one, warn_of_lost_clock
from matches.tournaments.channel_posts import outdate_posts
from matches.tournaments.records import ENTRANT, plain_game
from matches.tournaments.results import LOSS, Decision, EntrantId, GameState
from matches.tournaments.values import Act, Kind, Withdrawal
from matches.tournaments.withdrawals import withdraw as withdraw_games
from matches.updates import AnnouncementKind
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.tournaments.records import Records
    from storage import Connection
    from storage.statements import Columns
    from storage.tournament.rows import EntrantRow, GameRow

_UNTOLD = (Withdrawal.LEFT, Withdrawal.GONE, Withdrawal.JOINED)  # they know it, or cannot be told


async def withdraw(
    connection: Connection,
    records: Records,
    entrant: EntrantRow,
    why: Withdrawal,
    now: int,
    *,
    by: str | None = None,
    reason: str = "",
) -> None:
    """Withdraw an entrant, inside a transaction that has locked the tournament.

    The sweep then decides the games that are left. Before the start nothing of the entrant is kept.
    """
    await outdate_posts(connection, records.id, now)
    if records.stage is None and why is not Withdrawal.EXCLUDED:
        await tournaments.delete_entrant(connection, entrant.id)
        return
    await tournaments.change_entrant(
        connection,
        entrant.id,
        withdrawn=why,
        withdrawn_in=_find_stage(records, why, now),
        withdrawn_at=now,
        rank=None,
    )
    await tournaments.log(
        connection,
        tournament=records.id,
        made_at=now,
        act=Act.EXCLUDED if why is Withdrawal.EXCLUDED else Act.WITHDRAWN,
        by=by,
        about=entrant.account,
        reason=reason,
        details=json.dumps({"why": why, ENTRANT: entrant.id}),
    )
    if why not in _UNTOLD:
        details: dict[str, str | int] = {"withdrawal": why, "why": reason}
        kind = AnnouncementKind.ENTRANT_WITHDRAWN
        await tell_one(connection, records, kind, entrant.account, details, now)


async def withdraw_gone(connection: Connection, records: Records, now: int) -> bool:
    """Withdraw entrants whose accounts were deleted, closed or excluded; return whether there were any."""
    gone = await list_gone(connection, records, records.active)
    for one in gone:
        await withdraw(connection, records, one, Withdrawal.GONE, now)
    return bool(gone)


async def list_gone(
    connection: Connection, records: Records, entrants: Sequence[EntrantRow]
) -> list[EntrantRow]:
    """Return the entrants of these whose accounts were deleted, closed or excluded."""
    accounts = [one.account for one in entrants]
    excluded = await tournaments.list_excluded(connection, records.row.server, accounts)
    return [
        one
        for one in entrants
        if is_deleted(one.account)
        or one.closed_at is not None
        or (one.account in excluded and (records.settings.is_of_server or _is_of_website(one.account)))
    ]


async def withdraw_for_lost_clocks(connection: Connection, records: Records, now: int) -> bool:
    """Withdraw whoever lost two clocks without a move in between, or one before the first move.

    Return whether anybody was. After the first lost clock the player is warned.
    """
    withdrawn = {one.id for one in records.entrants.values() if one.withdrawn is not None}
    before = len(withdrawn)
    lost = [one for one in records.games if one.decision == Decision.LOST_CLOCK]
    for game in lost:
        for number, moved_at in ((game.first, game.first_moved_at), (game.second, game.second_moved_at)):
            entrant = records.entrants.get(EntrantId(number or 0))
            if game.news_at is None or entrant is None or not _has_lost(game, entrant.id):
                continue
            if entrant.id in withdrawn or records.settings.kind is Kind.LADDER:
                continue
            others = [one for one in lost if one.id != game.id and _has_lost(one, entrant.id)]
            if moved_at is None or await _was_idle(connection, records, entrant, game, others):
                await withdraw(connection, records, entrant, Withdrawal.LOST_CLOCKS, now)
                withdrawn.add(entrant.id)
            else:
                await tournaments.change_entrant(connection, entrant.id, was_warned=True)
                await warn_of_lost_clock(connection, game, entrant.account, now)
    return len(withdrawn) > before


async def decide_left(connection: Connection, records: Records, now: int) -> bool:
    """Decide what withdrawn entrants leave of the present stage; return whether anything was left.

    Games that have not begun are lost by default. In a group in which everybody meets, all games are annulled
    if fewer than half were played. Matches that are being played end later (`closing`).
    """
    if records.stage is None:
        return False
    rows = {one.id: one for one in records.games_in(records.stage.number)}
    may_annul, is_any = records.settings.kind in (Kind.ROUND_ROBIN, Kind.LEAGUE), False
    for entrant in records.entrants.values():
        if entrant.withdrawn is None or (entrant.withdrawn_in or 0) > records.stage.number:
            continue
        plain = map(plain_game, rows.values())
        for game in withdraw_games(EntrantId(entrant.id), plain, may_annul=may_annul):
            row = rows[game.id]
            if row.state == GameState.OPEN and game.state is GameState.OVER:
                continue
            points = game.points or (None, None)
            columns: Columns = {
                "state": game.state,
                "first_points": points[0],
                "second_points": points[1],
                "decision": game.decision,
                "answer_by": None,
                "ended_at": None if row.state == GameState.OPEN else now,
            }
            await games.change(connection, game.id, **columns)
            rows[game.id] = replace(row, **columns)
            is_any = True
    return is_any


def _find_stage(records: Records, why: Withdrawal, now: int) -> int:
    """Return the number of the stage in which somebody withdraws: after its end date, it is the next one.

    A clock was lost before that date. In a knock-out whoever has left does not go on.
    """
    stage = records.stage
    if stage is None:
        return 0
    is_fixed = why is Withdrawal.LOST_CLOCKS or records.settings.kind is Kind.KNOCK_OUT
    return stage.number if is_fixed or now < stage.ends_at else stage.number + 1


async def _was_idle(
    connection: Connection, records: Records, entrant: EntrantRow, game: GameRow, others: list[GameRow]
) -> bool:
    """Return whether an entrant made no move in the tournament since losing a clock before."""
    ended_at = game.ended_at or 0
    earlier = [one.ended_at for one in others if one.ended_at is not None and one.ended_at <= ended_at]
    if not earlier:
        return False
    last = max(earlier)
    own = [one for one in records.games if entrant.id in (one.first, one.second)]
    moves = [one.first_moved_at if one.first == entrant.id else one.second_moved_at for one in own]
    if any(at is not None and at > last for at in moves):
        return False
    matches = [one.match for one in own if one.match is not None and one.state == GameState.OPEN]
    return not await games.has_moved_between(connection, matches, entrant.account, last, ended_at)


def _has_lost(game: GameRow, entrant: int) -> bool:
    return (game.first_points if game.first == entrant else game.second_points) == LOSS and entrant in (
        game.first,
        game.second,
    )


def _is_of_website(account: str) -> bool:
    return account.startswith(f"{WEBSITE.partition(':')[0]}:")
