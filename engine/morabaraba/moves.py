"""The turns of Morabaraba as values."""

from __future__ import annotations

from functools import cache

from engine.morabaraba.board import BitTable, get_board
from engine.text_move import TextMove


class MorabarabaTurn(TextMove):
    """Placing a man on `end`, or moving it there from `start`; all are bits.

    `start` is 0 for a placement. `removed` is the adverse man taken off for a mill, 0 for none;
    `declines_removal`: a mill is closed and no man is taken.
    """

    __slots__ = ("declines_removal", "end", "removed", "start")

    def __init__(self, start: int, end: int, removed: int = 0, *, declines_removal: bool = False) -> None:
        cell_at = get_board().cell_at
        text = f"{cell_at[start]}-{cell_at[end]}" if start else str(cell_at[end])
        if removed:
            text += f"x{cell_at[removed]}"
        super().__init__(f"{text}~" if declines_removal else text)
        self.start = start
        self.end = end
        self.removed = removed
        self.declines_removal = declines_removal


class RemovalTable(dict[int, MorabarabaTurn]):
    """The turns that close a mill one way, by the man removed; fills as it is used."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__()
        self.start = start
        self.end = end

    def __missing__(self, removed: int) -> MorabarabaTurn:
        self[removed] = MorabarabaTurn(self.start, self.end, removed)
        return self[removed]


class MoveTemplate:
    """What can be done with one placement or one step: alone, removing a man, or declining to."""

    __slots__ = ("declining_turn", "end", "plain_turn", "removal_turns", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.plain_turn = MorabarabaTurn(start, end)
        self.declining_turn = MorabarabaTurn(start, end, declines_removal=True)
        self.removal_turns = RemovalTable(start, end)


@cache
def get_move_templates() -> dict[int, BitTable[MoveTemplate]]:
    """Return every way by its start (0 for a placement) and end; always the same object."""
    points = get_board().cell_at
    return {
        start: BitTable({end: MoveTemplate(start, end) for end in points if end != start})
        for start in (0, *points)
    }


def get_move_template(start: int, end: int) -> MoveTemplate:
    """Return the way from `start` (0 for a placement) to `end`, both bits."""
    return get_move_templates()[start].by_bit[end]
