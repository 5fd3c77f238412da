"""The keys of the facts about turns of Morabaraba, the most important first.

The comment above each says what the `cells` and the `count` of the fact are (see :class:`engine.game.Fact`).
Keys that begin with ``allows`` are drawbacks.
"""

from __future__ import annotations

from enum import StrEnum


class MorabarabaFact(StrEnum):
    """What can be true of a turn of Morabaraba."""

    # the opponent has two men left; cells: the man taken
    WINS_BY_CAPTURE = "wins_by_capture"
    # the opponent cannot move; cells: none
    WINS_BY_BLOCK = "wins_by_block"
    # cells: the points of all mills closed; count: of mills
    CLOSES_MILLS = "closes_mills"
    # no reply keeps the player from closing a mill next; cells: where now
    FORCES_MILLS = "forces_mills"
    # cells: where the opponent could have closed one next, and now cannot
    PREVENTS_MILLS = "prevents_mills"
    # cells: where the player could close one next, at least one of them new
    THREATENS_MILLS = "threatens_mills"
    # count: the steps that the opponent has left, few and fewer than before; cells: none
    LIMITS_STEPS = "limits_steps"
    # count: the lines through the man placed that no man of the opponent blocks, three; cells: the man
    TAKES_LINES = "takes_lines"
    # the opponent can win at once; cells: none
    ALLOWS_WIN = "allows_win"
    # cells: where the opponent can close a mill next
    ALLOWS_MILLS = "allows_mills"
    # the opponent can close no mill next, but has a turn that makes one unstoppable; cells: where it ends
    ALLOWS_FORCED_MILLS = "allows_forced_mills"
