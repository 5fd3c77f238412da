"""Generation of the legal turns, sorted by text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morabaraba.board import get_board
from engine.morabaraba.moves import get_move_templates
from engine.morabaraba.side_state import removable_men

if TYPE_CHECKING:
    from engine.morabaraba.moves import MorabarabaTurn, MoveTemplate
    from engine.morabaraba.state import MorabarabaState


def generate(position: MorabarabaState) -> tuple[MorabarabaTurn, ...]:
    """Return all legal turns, sorted by text; none when the game is over."""
    if position.decided_outcome:
        return ()
    own, empty, templates_by_start, board = position.own, position.empty, get_move_templates(), get_board()
    mill_points = board.completing_points(own.men) & empty if position.enemy.men else 0
    removable = board.split_bits(removable_men(position.enemy.men)) if mill_points else ()
    found: list[MorabarabaTurn] = []
    steps = not own.hand and not own.can_fly
    for start, destinations in own.destinations_by_start(empty):
        templates = (
            templates_by_start[start][destinations]
            if steps
            else templates_by_start[start].select(destinations)
        )
        if destinations & mill_points:
            for template in templates:
                if template.end & mill_points:
                    found += _turns_of(own.men, template, removable)
                else:
                    found.append(template.plain_turn)
        else:
            found += [template.plain_turn for template in templates]
    return tuple(found)


def _turns_of(men: int, template: MoveTemplate, removable: tuple[int, ...]) -> list[MorabarabaTurn]:
    """Return the turns of `template`: with each removal and its declining if it closes a mill."""
    if not get_board().closes_mill(men & ~template.start, template.end):
        return [template.plain_turn]
    removal_turns = template.removal_turns
    return [*[removal_turns[man] for man in removable], template.declining_turn]
