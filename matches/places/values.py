"""Why a match leaves its channel, and what has become of an announcement."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matches.values import MatchId


class MoveReason(StrEnum):
    """Why a match is played elsewhere from now on."""

    DELETED = "deleted"  # its channel was deleted
    THREAD_DELETED = "thread_deleted"  # its thread was deleted: it goes on in the channel of that thread
    FORBIDDEN = "forbidden"  # the bot may no longer see the channel or write there
    REMOVED = "removed"  # the bot was removed from the server
    ASKED = "asked"  # a manager of the server asked for it
    RETURNED = "returned"  # the bot is back on the server, so it goes on in its old channel


class Delivery(StrEnum):
    """What has become of an announcement."""

    SENT = "sent"  # it is posted
    WAITING = "waiting"  # it is tried again later
    DIRECT = "direct"  # it is sent to the players in direct messages instead


@dataclass(frozen=True, slots=True)
class ReturningMatch:
    """A match that may continue in its channel, and the accounts of its players."""

    match: MatchId
    channel: str
    players: tuple[str, str]
