"""Read a typed turn, and check whether one turn is legal and say why not; no list of all turns is made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import cells
from engine.game import AmbiguousMove, Cell, IllegalMove, NotationError
from engine.morabaraba.board import get_board
from engine.morabaraba.moves import get_move_template
from engine.morabaraba.side_state import removable_men
from engine.notation_text import MAX_MOVE_LENGTH, normalize

if TYPE_CHECKING:
    from engine.morabaraba.moves import MorabarabaTurn
    from engine.morabaraba.state import MorabarabaState
    from engine.sentences import RefusalValue


_TURN = re.compile(rf"({cells.PATTERN})(?:-({cells.PATTERN}))?(?:X({cells.PATTERN})|(~))?")


def parse_move(position: MorabarabaState, text: str) -> MorabarabaTurn:
    """Return the legal turn that `text` names. Raise NotationError, IllegalMove or AmbiguousMove."""
    match = _TURN.fullmatch(normalize(text)) if len(text) <= MAX_MOVE_LENGTH else None
    if match is None:
        raise _notation_error(position, text, "not_a_turn")
    turn = _build_turn(position, text, match)
    check_turn(position, turn, text)
    return turn


def _build_turn(position: MorabarabaState, text: str, match: re.Match[str]) -> MorabarabaTurn:
    bit = get_board().bit
    first, second, removed, declines = match.groups()
    for name in (first, second, removed):
        if name and name not in bit:
            raise _notation_error(position, text, "no_point", cell=name)
    start, end = (bit[Cell(first)], bit[Cell(second)]) if second else (0, bit[Cell(first)])
    if start == end:
        raise _notation_error(position, text, "same_point")
    template = get_move_template(start, end)
    if removed:
        return template.removal_turns[bit[Cell(removed)]]
    return template.declining_turn if declines else template.plain_turn


def _notation_error(position: MorabarabaState, text: str, key: str, **values: RefusalValue) -> NotationError:
    return NotationError(f"morabaraba.{key}", values, text=text, position=position)


def check_turn(position: MorabarabaState, turn: MorabarabaTurn, text: str) -> None:
    """Raise IllegalMove if `turn` is not legal in `position`; `text` is what the player typed.

    Raise AmbiguousMove if the turn closes a mill and does not say which man is removed.
    """
    own = position.own
    if position.decided_outcome:
        raise IllegalMove("move.game_over", text=text, position=position)
    if turn.start:
        is_own = own.men & turn.start and not own.hand
        if not is_own or not own.destinations(position.empty, turn.start) & turn.end:
            raise _step_error(position, turn, text)
    elif not own.hand:
        raise _illegal_move(position, "none_in_hand", text, mover=position.mover.noun)
    elif not position.empty & turn.end:
        raise _occupied_error(position, turn, text)
    if get_board().closes_mill(own.men & ~turn.start, turn.end):
        _check_removal(position, turn, text)
    elif turn.removed or turn.declines_removal:
        key = "no_mill" if turn.removed else "no_mill_to_decline"
        raise _illegal_move(position, key, text)


def _illegal_move(position: MorabarabaState, key: str, text: str, **values: RefusalValue) -> IllegalMove:
    """Return the error for `text`; if the game is over, it says that instead."""
    if position.outcome:
        return IllegalMove("move.game_over", text=text, position=position)
    return IllegalMove(f"morabaraba.{key}", values, text=text, position=position)


def _step_error(position: MorabarabaState, turn: MorabarabaTurn, text: str) -> IllegalMove:
    """Return the error for a step from `turn.start` to `turn.end`."""
    own, cell_at = position.own, get_board().cell_at
    start, end = cell_at[turn.start], cell_at[turn.end]
    if own.hand:
        return _illegal_move(position, "in_hand", text, mover=position.mover.noun)
    if turn.start & position.empty:
        return _illegal_move(position, "no_man", text, cell=start)
    if not turn.start & own.men:
        sides = {"enemy": position.opponent.noun, "mover": position.mover.noun}
        return _illegal_move(position, "not_yours", text, cell=start, **sides)
    if not turn.end & position.empty:
        return _occupied_error(position, turn, text)
    if own.forbidden_step == (turn.start, turn.end):
        return _illegal_move(position, "straight_back", text)
    return _illegal_move(position, "not_adjacent", text, start=start, end=end)


def _occupied_error(position: MorabarabaState, turn: MorabarabaTurn, text: str) -> IllegalMove:
    owner = position.mover if position.own.men & turn.end else position.opponent
    cell = get_board().cell_at[turn.end]
    return _illegal_move(position, "taken", text, cell=cell, colour=owner.adjective)


def _check_removal(position: MorabarabaState, turn: MorabarabaTurn, text: str) -> None:
    """Check the removal of `turn`, which closes a mill (Placing the men). Raise as :func:`check_turn`."""
    board, enemy_men = get_board(), position.enemy.men
    if not enemy_men:
        if turn.removed or turn.declines_removal:
            raise _illegal_move(position, "none_to_remove", text, enemy=position.opponent.noun)
        return
    removable = removable_men(enemy_men)
    men = board.to_cells(removable)
    if not turn.removed:
        if turn.declines_removal:
            return
        template = get_move_template(turn.start, turn.end)
        choices = (
            *(template.removal_turns[man].text for man in board.split_bits(removable)),
            template.declining_turn.text,
        )
        refusal = _illegal_move(position, "which_man", text, men=men)
        raise AmbiguousMove(refusal.key, refusal.values, text=text, position=position, choices=choices)
    cell = board.cell_at[turn.removed]
    if turn.removed & removable:
        return
    if turn.removed & enemy_men:
        enemy = position.opponent.noun
        raise _illegal_move(position, "in_mill", text, cell=cell, men=men, enemy=enemy)
    if turn.removed & (position.own.men & ~turn.start | turn.end):
        raise _illegal_move(position, "remove_own", text, cell=cell, mover=position.mover.noun)
    raise _illegal_move(position, "remove_no_man", text, cell=cell, enemy=position.opponent.noun)
