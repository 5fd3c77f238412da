"""Check of a result and its reason against the last position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from engine.records.messages import RecordMessage
from engine.records.record import AGREED, PLAYED, RESIGNED

if TYPE_CHECKING:
    from engine.game import Position


def find_contradiction(last_position: Position, result: Outcome | None, reason: str) -> str:
    """Return one sentence on what is wrong with `result` and `reason` at `last_position`, or "".

    Reasons that the format does not define are accepted.
    """
    if last_position.outcome is not None:
        return _contradiction_after_end(last_position.outcome, result, reason)
    if result is None:
        return RecordMessage.REASON_WITHOUT_RESULT.to_text() if reason else ""
    if reason in {"", PLAYED}:
        return RecordMessage.NOT_PLAYED_OUT.to_text()
    if reason == RESIGNED and result is Outcome.DRAW:
        return RecordMessage.DRAW_BY_RESIGNATION.to_text()
    if reason == AGREED:
        return _contradiction_of_agreement(last_position.agreed_outcome, result)
    return ""


def _contradiction_after_end(outcome: Outcome, result: Outcome | None, reason: str) -> str:
    if result is not outcome:
        return RecordMessage.WRONG_RESULT.to_text(outcome=outcome, found=result or "*")
    return "" if reason in {"", PLAYED} else RecordMessage.WRONG_REASON.to_text(found=reason)


def _contradiction_of_agreement(agreed_outcome: Outcome | None, result: Outcome) -> str:
    if agreed_outcome is None:
        return RecordMessage.NO_AGREEMENT.to_text()
    return (
        ""
        if result is agreed_outcome
        else RecordMessage.WRONG_AGREED_RESULT.to_text(outcome=agreed_outcome, found=result)
    )
