"""Read a typed turn, and check one turn, with the reason if it is illegal; the legal turns are not listed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import cells
from engine.game import AmbiguousMove, Cell, IllegalMove, NotationError, Side
from engine.morphos.board import iter_points
from engine.morphos.flips import (
    find_restore_for_flip_back,
    flippable_stones,
    is_flipped_back_at_once,
    is_vulnerable,
)
from engine.morphos.moves import PASS, SWAP, MorphosTurn, TurnKind
from engine.notation_text import MAX_MOVE_LENGTH, normalize

if TYPE_CHECKING:
    from engine.morphos.state import MorphosState
    from engine.morphos.stones import Stones
    from engine.sentences import RefusalValue


_TURN = re.compile(
    rf"(?:(?P<restored>{cells.PATTERN})\+)?"
    rf"(?:(?P<word>SWAP|PASS)|X(?P<flip>{cells.PATTERN})|(?P<first>{cells.PATTERN})(?:,(?P<second>{cells.PATTERN}))?)"
)


def parse_move(position: MorphosState, text: str) -> MorphosTurn:
    """Return the legal turn that `text` names. Raise NotationError, IllegalMove or AmbiguousMove."""
    match = _TURN.fullmatch(normalize(text[:MAX_MOVE_LENGTH])) if len(text) <= MAX_MOVE_LENGTH else None
    if match is None:
        raise _notation_error(position, text, "not_a_turn")
    turn = _build_turn(position, text, match)
    check_turn(position, turn, text)
    return turn


def _build_turn(position: MorphosState, text: str, match: re.Match[str]) -> MorphosTurn:
    table, at = position.rules.turn_table, position.rules.board.point_of
    restored, word, flip, first, second = match.groups()
    for name in (restored, flip, first, second):
        if name and name not in at:
            last = position.rules.board.cells[-1]
            raise _notation_error(position, text, "no_cell", cell=name, last=last)
    if word:
        turn = SWAP if word == "SWAP" else PASS
    elif flip:
        turn = table.flips[at[Cell(flip)]]
    elif first == second:
        raise _notation_error(position, text, "twice")
    else:
        turn = table.placement(at[Cell(name)] for name in (first, second) if name)
    return table.with_restore(at[Cell(restored)], turn) if restored else turn


def _notation_error(position: MorphosState, text: str, key: str, **values: RefusalValue) -> NotationError:
    return NotationError(f"morphos.{key}", values, text=text, position=position)


def check_turn(position: MorphosState, turn: MorphosTurn, text: str) -> None:
    """Raise IllegalMove if `turn` is not legal in `position`; `text` is what was typed.

    Raise AmbiguousMove if only the point for the captured stone is missing (mutator d).
    """
    if position.outcome:
        raise IllegalMove("move.game_over", text=text, position=position)
    stones = position.board_stones
    if turn.restored is not None:
        if not position.must_restore:
            raise _illegal_move(position, "nothing_to_restore", text)
        _check_place(position, stones, turn.restored, None, text)
        stones = stones.after_placement(position.mover, turn.restored)
    elif position.must_restore:
        raise _missing_restore_error(position, turn, text)
    _check_regular(position, stones, turn, text)


def _illegal_move(position: MorphosState, key: str, text: str, **values: RefusalValue) -> IllegalMove:
    return IllegalMove(f"morphos.{key}", values, text=text, position=position)


def can_swap(position: MorphosState) -> bool:
    """Return whether the players may change sides (Pie rule): on White's first turn, once."""
    return (
        position.turn_count == 1
        and position.mover is Side.WHITE
        and not position.swapped
        and not position.must_restore
        and not position.outcome
    )


def can_move(position: MorphosState, stones: Stones) -> bool:
    """Return whether the mover can place or flip when `stones` are on the board."""
    return bool(
        stones.empty or flippable_stones(position.rules, stones, position.mover, position.flipped_point)
    )


def _check_regular(position: MorphosState, stones: Stones, turn: MorphosTurn, text: str) -> None:
    if turn.kind is TurnKind.PLACE:
        for point in turn.points:
            _check_place(position, stones, point, turn.restored, text)
        if len(turn.points) > 1 and not position.rules.allows_two_placements:
            raise _illegal_move(position, "one_stone", text)
    elif turn.kind is TurnKind.FLIP:
        _check_flip(position, stones, turn, text)
    elif turn.kind is TurnKind.SWAP:
        if not can_swap(position):
            raise _illegal_move(position, "only_first", text)
    elif can_swap(position) or can_move(position, stones):
        raise _illegal_move(position, "must_move", text, mover=position.mover.noun)


def _check_place(position: MorphosState, stones: Stones, point: int, restored: int | None, text: str) -> None:
    if stones.empty >> point & 1:
        return
    cell, owner = stones.board.cell_at.get(point), stones.owner(point)
    if cell is None or owner is None:
        raise IllegalMove("move.not_of_this_board", text=text, position=position)
    if point == restored:
        raise _illegal_move(position, "taken_by_restored", text, cell=cell)
    raise _illegal_move(position, "taken", text, cell=cell, colour=owner.adjective)


def _check_flip(position: MorphosState, stones: Stones, turn: MorphosTurn, text: str) -> None:
    rules, mover, (point,) = position.rules, position.mover, turn.points
    cell = stones.board.cell_at.get(point)
    if cell is None:
        raise IllegalMove("move.not_of_this_board", text=text, position=position)
    owner = stones.owner(point)
    if owner is None:
        raise _illegal_move(position, "empty", text, cell=cell)
    if owner is mover:
        key = "own_restored" if point == turn.restored else "own"
        raise _illegal_move(position, key, text, cell=cell, mover=mover.noun)
    if not is_vulnerable(rules, stones, mover, position.flipped_point, point):
        raise _illegal_move(
            position,
            "not_vulnerable",
            text,
            cell=cell,
            colour=owner.adjective,
            mover=mover.noun,
        )
    if rules.counts_flipped_stone and is_flipped_back_at_once(rules, stones, mover, point):
        raise _illegal_move(position, "flipped_back", text, cell=cell, enemy=owner.noun)
    restored = find_restore_for_flip_back(rules, stones, mover, point)
    if restored is not None:
        restored_cell = stones.board.cell_at[restored]
        raise _illegal_move(
            position,
            "flipped_back_after_restore",
            text,
            cell=cell,
            enemy=owner.noun,
            point=restored_cell,
        )


def _missing_restore_error(
    position: MorphosState, turn: MorphosTurn, text: str
) -> IllegalMove | AmbiguousMove:
    """Return the error for a turn without its captured stone (mutator d).

    It is AmbiguousMove with the complete turns as choices if `turn` is legal with some of them.
    """
    candidates = [
        position.rules.turn_table.with_restore(point, turn)
        for point in iter_points(position.board_stones.empty)
    ]
    choices = tuple(sorted(turn.text for turn in candidates if _is_legal(position, turn)))
    example = choices[0] if choices else next(position.moves_with_prefix(""))
    values = {"mover": position.mover.noun, "example": str(example)}
    kind = AmbiguousMove if choices else IllegalMove
    return kind("morphos.restore_first", values, text=text, position=position, choices=choices)


def _is_legal(position: MorphosState, turn: MorphosTurn) -> bool:
    try:
        check_turn(position, turn, turn.text)
    except IllegalMove:
        return False
    return True
