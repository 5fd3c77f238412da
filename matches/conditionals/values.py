"""Conditional moves and notices of their loss, as their owner sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matches.conditionals.future_board import FutureBoard
    from matches.conditionals.tree import Tree
    from matches.values import MatchId


class LossReason(StrEnum):
    """Why conditional moves became invalid. The values are stored and are keys of texts."""

    DEVIATED = "deviated"  # the opponent played something else
    ILLEGAL = "illegal"  # the reply was not legal
    TAKEN_BACK = "taken_back"  # moves were taken back


@dataclass(frozen=True, slots=True)
class LossNotice:
    """A private notice to `recipient` (an account) that their conditional moves in a match became invalid.

    `revision` is the board revision at which it happened, `attempts` how often the notice was claimed for
    sending.
    """

    match: MatchId
    recipient: str
    reason: LossReason
    revision: int
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class ConditionalMoves:
    """The conditional moves of one person in one match.

    They start at `board`, the last announced board, which has that `revision`. `can_edit`: whether the
    opponent is to move there, so that lines can be saved. `loss` is a notice that the person has not received
    yet.
    """

    match: MatchId
    revision: int
    board: FutureBoard = field(repr=False)
    tree: Tree = field(repr=False)
    can_edit: bool
    loss: LossNotice | None
