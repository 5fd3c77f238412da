"""What can become of a push to one browser."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What a service made of a push; the values are labels of figures."""

    SENT = "sent"
    GONE = "gone"  # the browser no longer has this subscription
    REFUSED = "refused"  # the same request would be refused again
    KEY_REFUSED = "key_refused"  # the service does not accept our key or our contact
    BUSY = "busy"  # too many requests
    FAILED = "failed"  # the service has a problem
    UNREACHED = "unreached"  # no answer

    @property
    def is_final(self) -> bool:
        """Whether there is nothing more to try."""
        return self in {Outcome.SENT, Outcome.GONE, Outcome.REFUSED}


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a push; `reason` is for the log, `retry_seconds` what the service asks for."""

    outcome: Outcome
    reason: str = ""
    retry_seconds: float | None = None
