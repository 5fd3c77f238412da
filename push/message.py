"""What is sent to a browser about one notice: a few words, the page to open, and for how long."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

MAX_PAYLOAD_BYTES = 3000  # services take about 4,000 bytes, encrypted
MAX_TITLE_LENGTH = 120  # characters
MIN_LIFETIME = timedelta(minutes=5)
MAX_LIFETIME = timedelta(days=28)  # what services keep at most


class Urgency(StrEnum):
    """How soon a sleeping device should be woken (RFC 8030)."""

    NORMAL = "normal"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Message:
    """A notification. `topic` names what it is about: a later one about the same replaces it.

    `id` tells a browser whether it has shown this message already; `path` is the page that a click opens.
    """

    id: int
    topic: str
    title: str
    body: str
    path: str
    urgency: Urgency = Urgency.NORMAL
    expires_at: datetime | None = None

    def lifetime(self, now: datetime) -> timedelta:
        """Return how long a service keeps the message for a device that is off."""
        left = MAX_LIFETIME if self.expires_at is None else self.expires_at - now
        return max(MIN_LIFETIME, min(left, MAX_LIFETIME))

    def encode(self) -> bytes:
        """Return the message as JSON of at most MAX_PAYLOAD_BYTES; a longer text is cut."""
        body = self.body
        while len(encoded := self._encode(body)) > MAX_PAYLOAD_BYTES:
            excess = len(encoded) - MAX_PAYLOAD_BYTES
            body = f"{body[: -max(2, excess // 4 + 1)]}…"
        return encoded

    def _encode(self, body: str) -> bytes:
        shown = {
            "id": self.id,
            "tag": self.topic,
            "title": self.title[:MAX_TITLE_LENGTH],
            "body": body,
            "url": self.path,
        }
        return json.dumps(shown, ensure_ascii=False).encode()
