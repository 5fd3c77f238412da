"""What happens in a game, as sentences; each has its whole template in the catalogue.

Nothing here knows people or front ends: names come as texts that are ready to be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Ask, Choice, EventKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Event, Game, Position, Setting, Side
    from words.catalogue import Words

# Several events of these kinds in one turn are told as one, with all their cells.
TOGETHER = frozenset(
    {EventKind.PLACE, EventKind.CAPTURE, EventKind.FLIP, EventKind.REMOVE, EventKind.DECLINE_CAPTURE}
)

# Ends after which nobody has won, lost or drawn.
UNDECIDED = frozenset({"aborted", "voided"})


def side(words: Words, which: Side) -> str:
    """Give the name of a side."""
    return words(f"side.{which}")


def turn(words: Words, idiom: str, mover: Side, events: Sequence[Event]) -> str:
    """Tell what a turn of `mover` does: ``White G11-J8, captures J7``."""
    return words("turn.told", side=side(words, mover), what=done(words, idiom, mover, events))


def done(words: Words, idiom: str, mover: Side, events: Sequence[Event]) -> str:
    """Tell what `mover` does, without naming the side: ``G11-J8, captures J7``."""
    told = [_phrase(words, idiom, mover, owner, kind, cells) for kind, owner, cells in _together(events)]
    return words.listed(told, "list.comma")


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
    """Give what an option is called in a command or a form."""
    key = f"option.{option}.name"
    return words(key) if words.has(key) else option


def agreed(words: Words, position: Position) -> str:
    """Tell what an end by agreement would come to."""
    winner = position.agreed_outcome.winner if position.agreed_outcome else None
    return words("end.draw") if winner is None else words("end.win", side=side(words, winner))


def asked(position: Position) -> str:
    """Say what is asked of the side to move: ``place``, or ``move`` for everything else."""
    choice = position.choice()
    return "place" if isinstance(choice, Choice) and choice.ask is Ask.PLACE else "move"


def result(
    words: Words,
    idiom: str,
    reason: str,
    *,
    winner: Side | None = None,
    stuck: Side,
    names: Mapping[Side, str],
) -> str:
    """Tell who won and why, such as ``White (Bob) wins. Alice resigns.``.

    `reason` is what ended the match: ``played``, ``resigned``, ``agreed``, ``time``, ``aborted``,
    ``corrected`` or ``voided``. `winner` is None after a draw and where nothing came of it, `stuck` is who
    would be next to move; `names` says what to call whoever sits at a side.
    """
    kind = "draw" if winner is None else "win"
    values = {"stuck": side(words, stuck)}
    headline = words("result.void" if reason in UNDECIDED else "result.drawn")
    if winner is not None:
        loser = next(which for which in names if which is not winner)
        values |= {"winner": side(words, winner), "loser": names[loser]}
        name, which = names[winner], values["winner"]
        is_unnamed = name == which
        headline = (
            words("result.won_by_side", side=which)
            if is_unnamed
            else words("result.won", side=which, name=name)
        )
    why = words.told(idiom, f"result.{reason}.{kind}", **values)
    return words("result.whole", headline=headline, why=why)


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
