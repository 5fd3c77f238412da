"""What happened in a match, as sentences; each has its whole template in the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people
from engine.game import Ask, Choice, EventKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.words import Words
    from engine.game import Event, Game, Position, Setting, Side
    from matches import MatchView, Played, Result

# Several events of these kinds in one turn are told as one, with all their cells.
TOGETHER = frozenset(
    {EventKind.PLACE, EventKind.CAPTURE, EventKind.FLIP, EventKind.REMOVE, EventKind.DECLINE_CAPTURE}
)


def side(words: Words, which: Side) -> str:
    """Give the name of a side."""
    return words(f"side.{which}")


def turn(words: Words, idiom: str, played: Sequence[Played]) -> str:
    """Tell the moves of one turn: ``White G11-J8, captures J7``."""
    mover = played[0].side
    events = [event for one in played for event in one.events]
    return words("turn.told", side=side(words, mover), what=done(words, idiom, mover, events))


def done(words: Words, idiom: str, mover: Side, events: Sequence[Event]) -> str:
    """Tell what `mover` does: ``G11-J8, captures J7``."""
    told = [_phrase(words, idiom, mover, owner, kind, cells) for kind, owner, cells in _together(events)]
    return words.listed(told, "list.comma")


def _together(events: Sequence[Event]) -> list[tuple[EventKind, Side, tuple[str, ...]]]:
    told: list[tuple[EventKind, Side, tuple[str, ...]]] = []
    for event in events:
        known = next(
            (at for at, (kind, who, _) in enumerate(told) if (kind, who) == (event.kind, event.side)), None
        )
        if known is not None and event.kind in TOGETHER:
            told[known] = (event.kind, event.side, (*told[known][2], *event.cells))
        else:
            told.append((event.kind, event.side, event.cells))
    return told


def _phrase(
    words: Words, idiom: str, mover: Side, owner: Side, kind: EventKind, cells: tuple[str, ...]
) -> str:
    if kind is EventKind.MOVE:
        return words.told(idiom, "event.move", start=cells[0], end=cells[1])
    if kind is EventKind.PLACE and owner is not mover:
        return words.told(idiom, "event.place_other", side=side(words, owner), cells=words.listed(cells))
    return words.told(idiom, f"event.{kind}", cells=words.listed(cells))


def seats(words: Words, view: MatchView) -> dict[str, str]:
    """Give the values `first`, `first_side`, `second`, `second_side` of a sentence about both people."""
    first, second = view.seats
    return {
        "first": people.called(first.person),
        "first_side": side(words, first.side),
        "second": people.called(second.person),
        "second_side": side(words, second.side),
    }


def settings(words: Words, game: Game, options: Mapping[str, Setting]) -> str:
    """Tell the options of a match: ``later rules · Facing``."""
    shown = [option.name for option in game.options if not option.drawn and option.name in options]
    return words.listed([setting(words, game.name, name, options[name]) for name in shown], "list.dot")


def setting(words: Words, game: str, option: str, value: Setting) -> str:
    """Tell one value of an option."""
    for key in (f"setting.{game}.{option}.{value}", f"setting.{option}"):
        if words.has(key):
            return words(key, value=value)
    return words("setting.other", option=option_name(words, option), value=value)


def option_name(words: Words, option: str) -> str:
    """Give what an option is called in a command."""
    key = f"option.{option}.name"
    return words(key) if words.has(key) else option


def game(words: Words, view: MatchView) -> str:
    """Give the name of the game."""
    return words(f"game.{view.game}.name")


def events(view: MatchView) -> tuple[Event, ...]:
    """Give what the last turn did, or the placements made since, for the picture."""
    return tuple(event for played in (view.run or view.last) for event in played.events)


def last(words: Words, view: MatchView) -> str:
    """Tell the last turn in one sentence; empty where nothing was played."""
    return turn(words, view.last[-1].position.idiom, view.last) if view.last else ""


def call(words: Words, view: MatchView) -> str:
    """Call whoever is to move, by a mention; empty where nobody is to be called."""
    seat = view.to_move
    if seat is None or view.position is None or not view.current:
        return ""
    who, which = people.mention(seat.person.account), side(words, seat.side)
    return words.told(
        view.position.idiom, f"call.{_asked(view.position)}", who=who, side=which, count=view.due
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
    return words("turn.foot", match=view.id, ply=view.ply, **seats(words, view))


def alt(words: Words, view: MatchView, diagram: str) -> str:
    """Tell in plain text what a picture and its post show."""
    told = people.unescaped(standing(words, view))
    return words("board.alt", match=view.id, standing=told, diagram=diagram)


def result(words: Words, view: MatchView, ended: Result) -> str:
    """Tell who won and why, such as ``White (Bob) wins. Alice resigns.``."""
    return words("result.whole", headline=_headline(words, ended), why=_why(words, view, ended))


def agreed(words: Words, position: Position) -> str:
    """Tell what an end by agreement would come to."""
    winner = position.agreed_outcome.winner if position.agreed_outcome else None
    return words("end.draw") if winner is None else words("end.win", side=side(words, winner))


def _asked(position: Position) -> str:
    """Say what is asked of the side to move: to place, or to move."""
    choice = position.choice()
    return "place" if isinstance(choice, Choice) and choice.ask is Ask.PLACE else "move"


def _headline(words: Words, ended: Result) -> str:
    if ended.winner is None:
        return words("result.drawn")
    return words("result.won", side=side(words, ended.winner.side), name=people.called(ended.winner.person))


def _why(words: Words, view: MatchView, ended: Result) -> str:
    idiom = view.position.idiom if view.position else ""
    values = {"stuck": side(words, _next_side(view))}
    if ended.winner and ended.loser:
        values |= {"winner": side(words, ended.winner.side), "loser": people.called(ended.loser.person)}
    kind = "win" if ended.winner else "draw"
    return words.told(idiom, f"result.{ended.reason}.{kind}", **values)


def _next_side(view: MatchView) -> Side:
    """Give whose turn it would be, were the match not over."""
    moved = view.last[-1].side if view.last else view.seats[1].side
    return next(seat.side for seat in view.seats if seat.side is not moved)
