"""The keys of the facts about turns of Morelli, the most important first.

The comment above each says what the `cells` and the `count` of the fact are (see :class:`engine.game.Fact`).
Keys that begin with ``allows`` are drawbacks.
"""

from __future__ import annotations

from enum import StrEnum


class MorelliFact(StrEnum):
    """What can be true of a turn of Morelli."""

    # the opponent cannot move, and the player has the Centre; cells: none
    WINS = "wins"
    # cells: the four stones of the frame
    TAKES_CENTRE = "takes_centre"
    # the opponent could have taken the Centre next, and now cannot; cells: where it would have landed
    PREVENTS_CENTRE = "prevents_centre"
    # no reply keeps the player from taking the Centre next; cells: where a stone could land now
    FORCES_CENTRE = "forces_centre"
    # the player could take the Centre next, and could not before; cells: where a stone would land
    THREATENS_CENTRE = "threatens_centre"
    # cells: the stones captured
    CAPTURES = "captures"
    # three stones of a frame that were not there before; cells: the three, then the fourth place
    MAKES_THREE_CORNERS = "makes_three_corners"
    # captures one of three corners of the opponent; cells: the corners captured
    BREAKS_THREE_CORNERS = "breaks_three_corners"
    # count: the most stones that one move could capture next, more than before and at least two; cells: those
    THREATENS_CAPTURES = "threatens_captures"
    # the opponent can win at once; cells: none
    ALLOWS_WIN = "allows_win"
    # cells: where a stone of the opponent can land and take the Centre next
    ALLOWS_CENTRE = "allows_centre"
    # count: the most stones that the opponent can capture with one move; cells: those
    ALLOWS_CAPTURES = "allows_captures"
