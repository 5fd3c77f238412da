"""What happens in a game, as sentences from the catalogue, for every front end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import EventKind, MoveChoice, SelectionKind, replaced_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Event, Game, Option, OptionValue, Position, Side
    from i18n.catalogue import Texts

# Several events of one of these kinds and of one side become one phrase with all their cells.
MERGED_KINDS = frozenset(
    {EventKind.PLACE, EventKind.CONVERT, EventKind.FLIP, EventKind.CAPTURE, EventKind.DECLINE_CONVERT}
)


def format_side(texts: Texts, side: Side) -> str:
    """Return the name of a side."""
    return texts(f"side.{side}")


def format_turn(texts: Texts, vocabulary: str, mover: Side, events: Sequence[Event]) -> str:
    """Return what a turn of `mover` does, such as ``White G11-J8, captures J7``."""
    return texts(
        "turn.summary", side=format_side(texts, mover), events=format_events(texts, vocabulary, mover, events)
    )


def format_events(texts: Texts, vocabulary: str, mover: Side, events: Sequence[Event]) -> str:
    """Return what a turn of `mover` does without the side, such as ``G11-J8, captures J7``."""
    replaced = replaced_cells(events)
    phrases = [
        texts.for_game(vocabulary, "event.replace", cells=texts.join(cells, "list.cells"))
        if kind is EventKind.CAPTURE and replaced.issuperset(cells)
        else _format_event(texts, vocabulary, mover, owner, kind, cells)
        for kind, owner, cells in _merge_events(events)
    ]
    return texts.join(phrases, "list.comma")


def format_conditional_turn(texts: Texts, vocabulary: str, mover: Side, events: Sequence[Event]) -> str:
    """Return what a turn of a conditional line does; without events `mover` resigns."""
    if not events:
        return texts("conditional.resigns", side=format_side(texts, mover))
    return format_turn(texts, vocabulary, mover, events)


def format_conditional_answer(texts: Texts, opponent_turns: Sequence[str], own_turn: str) -> str:
    """Return one conditional move as text; without `opponent_turns` it follows another at once."""
    if not opponent_turns:
        return texts("conditional.next", own_turn=own_turn)
    return texts("conditional.answer", opponent_turns=texts.join(opponent_turns), own_turn=own_turn)


def format_options(texts: Texts, game: Game, options: Mapping[str, OptionValue]) -> str:
    """Return the options of a match, such as ``later rules · Facing``; random ones are left out."""
    names = [option.name for option in game.options if not option.is_random and option.name in options]
    return texts.join([format_option(texts, game.name, name, options[name]) for name in names], "list.dot")


def format_option(texts: Texts, game: str, option: str, value: OptionValue) -> str:
    """Return one value of an option in words."""
    for key in (f"setting.{game}.{option}.{value}", f"setting.{option}"):
        if texts.has(key):
            return texts(key, value=value)
    return texts("setting.other", option=format_option_name(texts, option), value=value)


def describe_option(texts: Texts, game: str, option: str, value: OptionValue) -> str:
    """Return one value of an option in words and what it means."""
    return _describe_setting(texts, game, option, value, format_option(texts, game, option, value))


def describe_choice(texts: Texts, game: str, option: Option, value: OptionValue) -> str:
    """Return one value of an option for a list to choose from: the default one is recommended."""
    setting = format_option(texts, game, option.name, value)
    if value == option.default:
        setting = texts("setting.recommended", value=setting)
    return _describe_setting(texts, game, option.name, value, setting)


def _describe_setting(texts: Texts, game: str, option: str, value: OptionValue, setting: str) -> str:
    about = f"setting_about.{game}.{option}"
    keys = [f"{about}.{value}"]
    if not texts.has(keys[0]):
        keys = [f"{about}.{letter}" for letter in str(value)]
    if not all(map(texts.has, keys)):
        return setting
    return texts(
        "setting.described", setting=setting, about=texts.join([texts(key) for key in keys], "list.comma")
    )


def format_option_name(texts: Texts, option: str) -> str:
    """Return the name of an option in a command or a form."""
    key = f"option.{option}.name"
    return texts(key) if texts.has(key) else option


def format_agreed_end(texts: Texts, position: Position) -> str:
    """Return the result of a position if the players agreed to end there."""
    winner = position.agreed_outcome.winner if position.agreed_outcome else None
    return texts("end.draw") if winner is None else texts("end.win", side=format_side(texts, winner))


def action_key_for(position: Position) -> str:
    """Return the key for what the side to move does next: ``place``, or ``move`` for anything else.

    It is ``place_or_two`` where a move may place a second piece.
    """
    choice = position.next_choice()
    if not isinstance(choice, MoveChoice) or choice.kind is not SelectionKind.PLACE:
        return "move"
    following = position.next_choice((choice.options[0],))
    has_second = isinstance(following, MoveChoice) and following.kind is SelectionKind.SECOND
    return "place_or_two" if has_second else "place"


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
            vocabulary,
            "event.place_other",
            side=format_side(texts, owner),
            cells=texts.join(cells, "list.cells"),
        )
    return texts.for_game(vocabulary, f"event.{kind}", cells=texts.join(cells, "list.cells"))
