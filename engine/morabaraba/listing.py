"""All legal turns of a position, sorted by text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morabaraba.board import board
from engine.morabaraba.judging import reaches, removable
from engine.morabaraba.moves import ways

if TYPE_CHECKING:
    from engine.morabaraba.moves import Turn, Way
    from engine.morabaraba.position import MorabarabaPosition


def legal(position: MorabarabaPosition) -> tuple[Turn, ...]:
    """Give all legal turns, sorted by text; none when the game is over."""
    if position.settled:
        return ()
    own, empty, table, on = position.own, position.empty, ways(), board()
    inviting = on.completing(own.men) & empty if position.adverse.men else 0
    free = on.each(removable(position.adverse.men)) if inviting else ()
    found: list[Turn] = []
    steps = not own.hand and not own.flies
    for start, ends in reaches(own, empty):
        going = table[start][ends] if steps else table[start].of(ends)
        if ends & inviting:
            for way in going:
                found += _turns(own.men, way, free) if way.end & inviting else (way.bare,)
        else:
            found += [way.bare for way in going]
    return tuple(found)


def _turns(men: int, way: Way, free: tuple[int, ...]) -> list[Turn]:
    """Give the turns that go one way to a point that may close a mill; the men `free` may be removed."""
    if not board().closes(men & ~way.start, way.end):
        return [way.bare]
    removing = way.removing
    return [*[removing[man] for man in free], way.declining]
