"""Whether a result, and the reason given for it, agree with the position that the moves lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from engine.records.reasons import Reason
from engine.records.values import AGREED, PLAYED, RESIGNED

if TYPE_CHECKING:
    from engine.game import Position


def disagreement(last: Position, result: Outcome | None, reason: str) -> str:
    """Give what is wrong with `result` and its `reason` after the position `last`, "" where nothing is.

    Reasons that the format does not know are taken as they are.
    """
    if last.outcome is not None:
        return _after_the_end(last.outcome, result, reason)
    if result is None:
        return Reason.REASON_ALONE.say() if reason else ""
    if reason in {"", PLAYED}:
        return Reason.NOT_PLAYED_OUT.say()
    if reason == RESIGNED and result is Outcome.DRAW:
        return Reason.NOBODY_RESIGNED.say()
    if reason == AGREED:
        return _agreement(last.agreed_outcome, result)
    return ""


def _after_the_end(outcome: Outcome, result: Outcome | None, reason: str) -> str:
    if result is not outcome:
        return Reason.OTHER_RESULT.say(outcome=outcome, found=result or "*")
    return "" if reason in {"", PLAYED} else Reason.OTHER_REASON.say(found=reason)


def _agreement(agreed: Outcome | None, result: Outcome) -> str:
    if agreed is None:
        return Reason.NO_AGREEMENT.say()
    return "" if result is agreed else Reason.OTHER_AGREEMENT.say(outcome=agreed, found=result)
