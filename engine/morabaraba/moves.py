"""The turns of Morabaraba as values."""

from __future__ import annotations

from functools import cache

from engine.morabaraba.board import BitTable, get_board
from engine.text_move import TextMove


class MorabarabaTurn(TextMove):
    """One turn; points are bits.

    Attributes:
        start: Where the man comes from; 0 for a placement.
        end: Where the man is placed or goes.
        removed: The enemy man removed for a mill, or 0.
        declines_removal: Whether a mill is closed and the removal is declined.

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
    """The turns with one start and end that remove a man, by that man; filled on demand."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__()
        self.start = start
        self.end = end

    def __missing__(self, removed: int) -> MorabarabaTurn:
        self[removed] = MorabarabaTurn(self.start, self.end, removed)
        return self[removed]


class MoveTemplate:
    """The turns with one start and end: without a mill, with a removal, or declining the removal."""

    __slots__ = ("declining_turn", "end", "plain_turn", "removal_turns", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.plain_turn = MorabarabaTurn(start, end)
        self.declining_turn = MorabarabaTurn(start, end, declines_removal=True)
        self.removal_turns = RemovalTable(start, end)


@cache
def get_move_templates() -> dict[int, BitTable[MoveTemplate]]:
    """Return the one table of all templates, by start (0 for a placement) and end."""
    points = get_board().cell_at
    return {
        start: BitTable({end: MoveTemplate(start, end) for end in points if end != start})
        for start in (0, *points)
    }


def get_move_template(start: int, end: int) -> MoveTemplate:
    """Return the template from `start` (0 for a placement) to `end`, both bits."""
    return get_move_templates()[start].by_bit[end]
