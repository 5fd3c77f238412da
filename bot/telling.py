"""What happened in a match, as sentences that may stand in a post of Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from bot import people
from words import telling
from words.telling import agreed, done, option_name, setting, settings, side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Event, Game, Side
    from matches import Announcement, MatchView, Played, Result
    from words import Words

__all__ = [
    "agreed",
    "all_turns",
    "alt",
    "call",
    "done",
    "events",
    "foot",
    "game",
    "last",
    "option_name",
    "result",
    "seats",
    "setting",
    "settings",
    "side",
    "standing",
    "title",
    "turn",
]


def turn(words: Words, idiom: str, played: Sequence[Played]) -> str:
    """Tell the moves of one turn: ``White G11-J8, captures J7``."""
    return telling.turn(words, idiom, played[0].side, [event for one in played for event in one.events])


def seats(words: Words, view: MatchView) -> dict[str, str]:
    """Give the values `first`, `first_side`, `second`, `second_side` of a sentence about both people."""
    first, second = view.seats
    return {
        "first": people.called(first.person),
        "first_side": side(words, first.side),
        "second": people.called(second.person),
        "second_side": side(words, second.side),
    }


def game(words: Words, view: MatchView) -> str:
    """Give the name of the game."""
    return words(f"game.{view.game}.name")


def events(view: MatchView) -> tuple[Event, ...]:
    """Give what the last turn did, or the placements made since, for the picture."""
    return tuple(event for played in (view.run or view.last) for event in played.events)


def last(words: Words, view: MatchView) -> str:
    """Tell the last turn, with those told together with it; empty where nothing was played."""
    if not view.last:
        return ""
    idiom = view.last[-1].position.idiom
    return words.listed([turn(words, idiom, played) for played in (*view.lead, view.last)], "list.then")


def all_turns(words: Words, view: MatchView, announcement: Announcement) -> tuple[str, ...]:
    """Tell every turn of an announcement with who made it: the first, and those settled beforehand."""
    first, *replies = (*view.lead, view.last)
    idiom = view.last[-1].position.idiom
    lines = [words("turn.post", name=people.called(first[-1].person), told=turn(words, idiom, first))]
    for reply in replies:
        name = people.called(reply[-1].person)
        lines.append(words("turn.replied", name=name, told=turn(words, idiom, reply)))
    ended = view.result
    if "resigned" in announcement.details and ended is not None and ended.loser is not None:
        lines.append(words("turn.replied_resigned", name=people.called(ended.loser.person)))
    return tuple(lines)


def call(words: Words, view: MatchView) -> str:
    """Call whoever is to move, by a mention; empty where nobody is to be called."""
    seat = view.to_move
    if seat is None or view.position is None or not view.current:
        return ""
    who, which = people.mention(seat.person.account), side(words, seat.side)
    return words.told(
        view.position.idiom, f"call.{telling.asked(view.position)}", who=who, side=which, count=view.due
    )


def standing(words: Words, view: MatchView) -> str:
    """Tell where a match stands: the last turn, then who is to move, who must pick, or the result."""
    if view.result is not None:
        state = result(words, view, view.result)
    elif view.to_move is not None:
        seat = view.to_move
        state = words("board.to_move", name=people.called(seat.person), side=side(words, seat.side))
    else:
        state = words("board.fists", who=words.listed([people.called(one) for one in view.waits_for]))
    return words("board.last", told=last(words, view), state=state) if view.last else state


def title(words: Words, view: MatchView, rules: Game) -> str:
    """Tell which match it is, between whom, and its options."""
    details = settings(words, rules, view.options)
    return words("board.title", match=view.id, details=details, **seats(words, view))


def foot(words: Words, view: MatchView) -> str:
    """Give the small line under a post that says which match it belongs to."""
    key = "turn.foot" if view.ply else "turn.foot_start"
    return words(key, match=view.id, ply=view.ply, **seats(words, view))


def alt(words: Words, view: MatchView, diagram: str) -> str:
    """Tell in plain text what a picture and its post show."""
    told = people.unescaped(standing(words, view))
    return words("board.alt", match=view.id, standing=told, diagram=diagram)


def result(words: Words, view: MatchView, ended: Result) -> str:
    """Tell who won and why, such as ``White (Bob) wins. Alice resigns.``, and who corrected it and why."""
    text = telling.result(
        words,
        view.position.idiom if view.position else "",
        ended.reason,
        winner=None if ended.winner is None else ended.winner.side,
        stuck=_next_side(view),
        names={seat.side: people.called(seat.person) for seat in view.seats},
    )
    made = ended.correction
    if made is None:
        return text
    by, why = people.called(made.by), escape_markdown(made.why)
    return words("correction.noted", result=text, by=by, why=why, when=f"{made.at:%Y-%m-%d}")


def _next_side(view: MatchView) -> Side:
    """Give whose turn it would be, were the match not over."""
    moved = view.last[-1].side if view.last else view.seats[1].side
    return next(seat.side for seat in view.seats if seat.side is not moved)
