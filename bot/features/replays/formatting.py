"""A replayed game as sentences: which it is, what a turn did, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui import markdown
from i18n import formatting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Side
    from i18n import Texts
    from matches import Replay, ReplayTurn

MAX_NAME_LENGTH = 60
MAX_COMMENT_LENGTH = 300
DATE_LENGTH = len("2026-05-01")


def format_title(texts: Texts, games: Mapping[str, Game], replay: Replay, turn: ReplayTurn) -> str:
    """Tell which game it is, between whom, and its options."""
    description = texts(
        "replay.match" if replay.match is not None else "replay.record",
        number=replay.match or replay.record,
        game=texts(f"game.{replay.game}.name"),
        details=formatting.format_options(texts, games[replay.game], replay.options),
        **seat_values(texts, turn),
    )
    if replay.match is not None or not replay.began:
        return description
    return texts("replay.dated", title=description, date=replay.began[:DATE_LENGTH])


def format_turn(texts: Texts, replay: Replay, turn: ReplayTurn) -> str:
    """Tell what the turn of a page did and what is said of it; on the last page also how things stand."""
    lines = [_format_turn_line(texts, replay, turn)]
    if turn.comment:
        lines.append(
            texts("replay.comment", comment=markdown.escape_foreign(turn.comment, MAX_COMMENT_LENGTH))
        )
    if turn.number == replay.turn_count:
        lines.append(format_status(texts, turn))
    return texts.join([line for line in lines if line], "list.lines")


def format_status(texts: Texts, turn: ReplayTurn) -> str:
    """Tell the result, or who is to move; empty where neither is known."""
    if turn.reason:
        return format_result(texts, turn)
    seat = turn.to_move
    if seat is None:
        return ""
    return texts(
        "board.to_move",
        name=player_name(texts, turn, seat.side),
        side=formatting.format_side(texts, seat.side),
    )


def format_alt_text(texts: Texts, replay: Replay, turn: ReplayTurn, diagram: str) -> str:
    """Tell in plain text what the picture of a page and its words show."""
    return texts("replay.alt", turn=markdown.strip_markup(format_turn(texts, replay, turn)), diagram=diagram)


def format_animation_alt_text(texts: Texts, games: Mapping[str, Game], replay: Replay) -> str:
    """Tell in plain text what an animation shows."""
    last_turn = replay.turns[-1]
    description = texts(
        "animation.alt",
        title=format_title(texts, games, replay, last_turn),
        count=replay.turn_count,
        status=format_status(texts, last_turn),
    )
    return markdown.strip_markup(description)


def seat_values(texts: Texts, turn: ReplayTurn) -> dict[str, str]:
    """Return the values `first`, `first_side`, `second`, `second_side` of a sentence about both people."""
    first, second = turn.seats
    return {
        "first": player_name(texts, turn, first.side),
        "first_side": formatting.format_side(texts, first.side),
        "second": player_name(texts, turn, second.side),
        "second_side": formatting.format_side(texts, second.side),
    }


def player_name(texts: Texts, turn: ReplayTurn, side: Side) -> str:
    """Return the name of whoever sits at a side, which anybody may have written into a record."""
    seat = next(seat for seat in turn.seats if seat.side is side)
    return markdown.escape_foreign(seat.person.name, MAX_NAME_LENGTH) or texts("replay.nobody")


def format_result(texts: Texts, turn: ReplayTurn) -> str:
    """Tell who won and why; a record may give a reason of its own, in one word."""
    if turn.outcome is None:
        return texts("replay.void", reason=turn.reason)
    winner, names = (
        turn.outcome.winner,
        {seat.side: player_name(texts, turn, seat.side) for seat in turn.seats},
    )
    if not texts.has(f"result.{turn.reason}.{'win' if winner else 'draw'}"):
        if winner is None:
            return texts("replay.drawn", reason=turn.reason)
        return texts(
            "replay.won", side=formatting.format_side(texts, winner), name=names[winner], reason=turn.reason
        )
    last_mover = turn.side or turn.seats[1].side
    next_side = next(seat.side for seat in turn.seats if seat.side is not last_mover)
    return formatting.format_result(
        texts, turn.position.vocabulary, turn.reason, winner=winner, side_to_move=next_side, names=names
    )


def _format_turn_line(texts: Texts, replay: Replay, turn: ReplayTurn) -> str:
    if turn.side is None:
        return texts("replay.start", count=replay.turn_count)
    turn_text = formatting.format_turn(texts, turn.position.vocabulary, turn.side, turn.events)
    return texts("replay.turn", number=turn.number, turns=replay.turn_count, turn=turn_text)
