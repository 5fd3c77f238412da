"""What happened in a match, as sentences that may stand in a post of Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from bot.ui import ids, markdown
from i18n import formatting
from i18n.formatting import (
    format_agreed_end,
    format_events,
    format_option,
    format_option_name,
    format_options,
    format_side,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Event, Game, Side
    from i18n import Texts
    from matches import Announcement, LoggedMove, MatchView, Result

__all__ = [
    "format_agreed_end",
    "format_alt_text",
    "format_announced_turns",
    "format_events",
    "format_footer",
    "format_game",
    "format_last_turn",
    "format_option",
    "format_option_name",
    "format_options",
    "format_result",
    "format_side",
    "format_status",
    "format_title",
    "format_turn",
    "last_turn_events",
    "seat_values",
    "turn_mention",
]


def format_turn(texts: Texts, vocabulary: str, played: Sequence[LoggedMove]) -> str:
    """Tell the moves of one turn: ``White G11-J8, captures J7``."""
    return formatting.format_turn(
        texts, vocabulary, played[0].side, [event for one in played for event in one.events]
    )


def seat_values(texts: Texts, view: MatchView) -> dict[str, str]:
    """Return the values `first`, `first_side`, `second`, `second_side` of a sentence about both people."""
    first, second = view.seats
    return {
        "first": markdown.escaped_name(first.person),
        "first_side": format_side(texts, first.side),
        "second": markdown.escaped_name(second.person),
        "second_side": format_side(texts, second.side),
    }


def format_game(texts: Texts, view: MatchView) -> str:
    """Return the name of the game."""
    return texts(f"game.{view.game}.name")


def last_turn_events(view: MatchView) -> tuple[Event, ...]:
    """Return what the last turn did, or the placements made since, for the picture."""
    return tuple(event for played in (view.unfinished_moves or view.last_turn) for event in played.events)


def format_last_turn(texts: Texts, view: MatchView) -> str:
    """Tell the last turn, with those told together with it; empty where nothing was played."""
    if not view.last_turn:
        return ""
    vocabulary = view.last_turn[-1].position.vocabulary
    return texts.join(
        [format_turn(texts, vocabulary, played) for played in (*view.preceding_turns, view.last_turn)],
        "list.then",
    )


def format_announced_turns(texts: Texts, view: MatchView, announcement: Announcement) -> tuple[str, ...]:
    """Tell every turn of an announcement with who made it: the first, and those settled beforehand."""
    first, *replies = (*view.preceding_turns, view.last_turn)
    vocabulary = view.last_turn[-1].position.vocabulary
    lines = [
        texts(
            "turn.post",
            name=markdown.escaped_name(first[-1].person),
            turn=format_turn(texts, vocabulary, first),
        )
    ]
    for reply in replies:
        name = markdown.escaped_name(reply[-1].person)
        lines.append(texts("turn.replied", name=name, turn=format_turn(texts, vocabulary, reply)))
    result = view.result
    if "resigned" in announcement.details and result is not None and result.loser is not None:
        lines.append(texts("turn.replied_resigned", name=markdown.escaped_name(result.loser.person)))
    return tuple(lines)


def turn_mention(texts: Texts, view: MatchView) -> str:
    """Call whoever is to move, by a mention; empty where nobody is to be called."""
    seat = view.to_move
    if seat is None or view.position is None or not view.is_current:
        return ""
    mention, side_text = ids.user_mention(seat.person.account), format_side(texts, seat.side)
    return texts.for_game(
        view.position.vocabulary,
        f"your_turn.{formatting.action_key_for(view.position)}",
        mention=mention,
        side=side_text,
        count=view.moves_due,
    )


def format_status(texts: Texts, view: MatchView) -> str:
    """Tell where a match stands: the last turn, then who is to move, who must pick, or the result."""
    if view.result is not None:
        state = format_result(texts, view, view.result)
    elif view.to_move is not None:
        seat = view.to_move
        state = texts(
            "board.to_move", name=markdown.escaped_name(seat.person), side=format_side(texts, seat.side)
        )
    else:
        state = texts(
            "board.choosing", names=texts.join([markdown.escaped_name(one) for one in view.waits_for])
        )
    return texts("board.last", turn=format_last_turn(texts, view), state=state) if view.last_turn else state


def format_title(texts: Texts, view: MatchView, game: Game) -> str:
    """Tell which match it is, between whom, and its options."""
    details = format_options(texts, game, view.options)
    return texts("board.title", match=view.id, details=details, **seat_values(texts, view))


def format_footer(texts: Texts, view: MatchView) -> str:
    """Return the small line under a post that says which match it belongs to."""
    key = "turn.foot" if view.ply else "turn.foot_start"
    return texts(key, match=view.id, ply=view.ply, **seat_values(texts, view))


def format_alt_text(texts: Texts, view: MatchView, diagram: str) -> str:
    """Tell in plain text what a picture and its post show."""
    status = markdown.strip_escapes(format_status(texts, view))
    return texts("board.alt", match=view.id, status=status, diagram=diagram)


def format_result(texts: Texts, view: MatchView, result: Result) -> str:
    """Tell who won and why, such as ``White (Bob) wins. Alice resigns.``, and who corrected it and why."""
    text = formatting.format_result(
        texts,
        view.position.vocabulary if view.position else "",
        result.reason,
        winner=None if result.winner is None else result.winner.side,
        side_to_move=_next_side(view),
        names={seat.side: markdown.escaped_name(seat.person) for seat in view.seats},
    )
    correction = result.correction
    if correction is None:
        return text
    by, reason = markdown.escaped_name(correction.by), escape_markdown(correction.stated_reason)
    return texts(
        "correction.noted", result=text, by=by, reason=reason, when=f"{correction.corrected_at:%Y-%m-%d}"
    )


def _next_side(view: MatchView) -> Side:
    """Return whose turn it would be, were the match not over."""
    moved = view.last_turn[-1].side if view.last_turn else view.seats[1].side
    return next(seat.side for seat in view.seats if seat.side is not moved)
