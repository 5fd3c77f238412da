"""What somebody has settled beforehand, as they alone may see it, and what they are told when it is lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matches.conditionals.future_board import FutureBoard
    from matches.conditionals.tree import Tree
    from matches.values import MatchId


class LossReason(StrEnum):
    """Why what was settled is possible no more; the value is stored and is a key of texts."""

    DEVIATED = "deviated"  # the other played something else
    ILLEGAL = "illegal"  # the answer was not legal when its time came
    TAKEN_BACK = "taken_back"  # moves were taken back


@dataclass(frozen=True, slots=True)
class LossNotice:
    """That what `recipient` (an account) had settled in a match is lost, for them alone.

    And nobody else's eyes.

    `revision` is that of the board when it happened. `attempts` counts how often it was handed out for
    telling.
    """

    match: MatchId
    recipient: str
    reason: LossReason
    revision: int
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class ConditionalMoves:
    """What one person has settled beforehand in a match, for their eyes alone.

    It begins at `board`, the last that everybody knows, which has that `revision`. `can_edit` tells whether
    the other is to move there, so that something can be settled. `loss` is what the person has not been told
    yet.
    """

    match: MatchId
    revision: int
    board: FutureBoard = field(repr=False)
    tree: Tree = field(repr=False)
    can_edit: bool
    loss: LossNotice | None
