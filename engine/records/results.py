"""Check of a result and its reason against the last position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from engine.records.record import AGREED, PLAYED, RESIGNED

if TYPE_CHECKING:
    from engine.game import Position

Contradiction = tuple[str, dict[str, str]]
"""The key of a refusal and the values of its sentence."""


def find_contradiction(last_position: Position, result: Outcome | None, reason: str) -> Contradiction | None:
    """Return what is wrong with `result` and `reason` at `last_position`, or None.

    Reasons that the format does not define are accepted.
    """
    if last_position.outcome is not None:
        return _contradiction_after_end(last_position.outcome, result, reason)
    if result is None:
        return ("record.reason_without_result", {}) if reason else None
    if reason in {"", PLAYED}:
        return "record.not_played_out", {}
    if reason == RESIGNED and result is Outcome.DRAW:
        return "record.draw_by_resignation", {}
    if reason == AGREED:
        return _contradiction_of_agreement(last_position.agreed_outcome, result)
    return None


def _contradiction_after_end(outcome: Outcome, result: Outcome | None, reason: str) -> Contradiction | None:
    if result is not outcome:
        return "record.wrong_result", {"outcome": outcome, "found": result or "*"}
    return None if reason in {"", PLAYED} else ("record.wrong_reason", {"found": reason})


def _contradiction_of_agreement(agreed_outcome: Outcome | None, result: Outcome) -> Contradiction | None:
    if agreed_outcome is None:
        return "record.no_agreement", {}
    if result is agreed_outcome:
        return None
    return "record.wrong_agreed_result", {"outcome": agreed_outcome, "found": result}
