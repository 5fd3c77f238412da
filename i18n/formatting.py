"""What happens in a game, as sentences; each has its whole template in the catalogue.

Nothing here knows people or front ends: names come as texts that are ready to be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import EventKind, MoveChoice, SelectionKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Event, Game, OptionValue, Position, Side
    from i18n.catalogue import Texts

# Several events of these kinds in one turn are told as one, with all their cells.
MERGED_KINDS = frozenset(
    {EventKind.PLACE, EventKind.CONVERT, EventKind.FLIP, EventKind.CAPTURE, EventKind.DECLINE_CONVERT}
)

# Ends after which nobody has won, lost or drawn.
REASONS_WITHOUT_RESULT = frozenset({"aborted", "voided"})


def format_side(texts: Texts, side: Side) -> str:
    """Return the name of a side."""
    return texts(f"side.{side}")


def format_turn(texts: Texts, vocabulary: str, mover: Side, events: Sequence[Event]) -> str:
    """Tell what a turn of `mover` does: ``White G11-J8, captures J7``."""
    return texts(
        "turn.summary", side=format_side(texts, mover), events=format_events(texts, vocabulary, mover, events)
    )


def format_events(texts: Texts, vocabulary: str, mover: Side, events: Sequence[Event]) -> str:
    """Tell what `mover` does, without naming the side: ``G11-J8, captures J7``."""
    phrases = [
        _format_event(texts, vocabulary, mover, owner, kind, cells)
        for kind, owner, cells in _merge_events(events)
    ]
    return texts.join(phrases, "list.comma")


def format_options(texts: Texts, game: Game, options: Mapping[str, OptionValue]) -> str:
    """Tell the options of a match: ``later rules · Facing``."""
    names = [option.name for option in game.options if not option.is_random and option.name in options]
    return texts.join([format_option(texts, game.name, name, options[name]) for name in names], "list.dot")


def format_option(texts: Texts, game: str, option: str, value: OptionValue) -> str:
    """Tell one value of an option."""
    for key in (f"setting.{game}.{option}.{value}", f"setting.{option}"):
        if texts.has(key):
            return texts(key, value=value)
    return texts("setting.other", option=format_option_name(texts, option), value=value)


def format_option_name(texts: Texts, option: str) -> str:
    """Return what an option is called in a command or a form."""
    key = f"option.{option}.name"
    return texts(key) if texts.has(key) else option


def format_agreed_end(texts: Texts, position: Position) -> str:
    """Tell what an end by agreement would come to."""
    winner = position.agreed_outcome.winner if position.agreed_outcome else None
    return texts("end.draw") if winner is None else texts("end.win", side=format_side(texts, winner))


def action_key_for(position: Position) -> str:
    """Say what is asked of the side to move: ``place``, or ``move`` for everything else."""
    choice = position.next_choice()
    return "place" if isinstance(choice, MoveChoice) and choice.kind is SelectionKind.PLACE else "move"


def format_result(
    texts: Texts,
    vocabulary: str,
    reason: str,
    *,
    winner: Side | None = None,
    side_to_move: Side,
    names: Mapping[Side, str],
) -> str:
    """Tell who won and why, such as ``White (Bob) wins. Alice resigns.``.

    `reason` is what ended the match: ``played``, ``resigned``, ``agreed``, ``time``, ``aborted``,
    ``corrected`` or ``voided``. `winner` is None after a draw and where nothing came of it, `side_to_move` is
    who would be next to move; `names` says what to call whoever sits at a side.
    """
    kind = "draw" if winner is None else "win"
    values = {"stuck": format_side(texts, side_to_move)}
    headline = texts("result.void" if reason in REASONS_WITHOUT_RESULT else "result.drawn")
    if winner is not None:
        loser = next(which for which in names if which is not winner)
        values |= {"winner": format_side(texts, winner), "loser": names[loser]}
        winner_name, which = names[winner], values["winner"]
        is_unnamed = winner_name == which
        headline = (
            texts("result.won_by_side", side=which)
            if is_unnamed
            else texts("result.won", side=which, name=winner_name)
        )
    reason_text = texts.for_game(vocabulary, f"result.{reason}.{kind}", **values)
    return texts("result.whole", headline=headline, reason=reason_text)


def _merge_events(events: Sequence[Event]) -> list[tuple[EventKind, Side, tuple[str, ...]]]:
    merged: list[tuple[EventKind, Side, tuple[str, ...]]] = []
    for event in events:
        index = next(
            (at for at, (kind, who, _) in enumerate(merged) if (kind, who) == (event.kind, event.side)), None
        )
        if index is not None and event.kind in MERGED_KINDS:
            merged[index] = (event.kind, event.side, (*merged[index][2], *event.cells))
        else:
            merged.append((event.kind, event.side, event.cells))
    return merged


def _format_event(
    texts: Texts, vocabulary: str, mover: Side, owner: Side, kind: EventKind, cells: tuple[str, ...]
) -> str:
    if kind is EventKind.MOVE:
        return texts.for_game(vocabulary, "event.move", start=cells[0], end=cells[1])
    if kind is EventKind.PLACE and owner is not mover:
        return texts.for_game(
            vocabulary, "event.place_other", side=format_side(texts, owner), cells=texts.join(cells)
        )
    return texts.for_game(vocabulary, f"event.{kind}", cells=texts.join(cells))
