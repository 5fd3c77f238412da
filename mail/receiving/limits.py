"""How much mail is read: who writes too much is told so once an hour, and is then left without an answer.

The counts are those of this process. Mails that are delivered again count once.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MAX_KEYS = 10_000


@dataclass(frozen=True, slots=True)
class LimitNumbers:
    """How many mails are read: of one address and of one account in an hour, and of all together.

    `unproven` is how many are answered in a day of those in whose name anybody could write, and `strangers`
    how many addresses without an account are written to in an hour.
    """

    own: int = 20
    total: int = 2000
    unproven: int = 10
    strangers: int = 20


class Counts:
    """Counts mails by key within a period."""

    def __init__(self, limit: int, period: timedelta) -> None:
        self._limit = limit
        self._period = period
        self._counted: OrderedDict[str, OrderedDict[int, datetime]] = OrderedDict()

    def admit(self, key: str, request: int, now: datetime) -> bool:
        """Count a mail by its request, and return whether it is within the limit."""
        counted = self._counted.pop(key, OrderedDict())
        self._counted[key] = counted
        while counted and now - next(iter(counted.values())) >= self._period:
            counted.popitem(last=False)
        while len(self._counted) > MAX_KEYS:
            self._counted.popitem(last=False)
        if request in counted:
            return True
        if len(counted) >= self._limit:
            return False
        counted[request] = now
        return True


class MailLimits:
    """The limits of a process that receives mail."""

    def __init__(self, numbers: LimitNumbers | None = None) -> None:
        numbers = LimitNumbers() if numbers is None else numbers
        self._own = Counts(numbers.own, HOUR)
        self._total = Counts(numbers.total, HOUR)
        self._unproven = Counts(numbers.unproven, DAY)
        self._strangers = Counts(numbers.strangers, HOUR)
        self._told = Counts(1, HOUR)

    def admit(self, who: Iterable[str], request: int, now: datetime) -> bool:
        """Return whether a mail of an address and of an account is read."""
        is_within = [self._own.admit(one, request, now) for one in who]
        return all(is_within) and self._total.admit("", request, now)

    def admit_unproven(self, address: str, request: int, now: datetime) -> bool:
        """Return whether a mail is answered that anybody could have written in the name of an address."""
        return self._unproven.admit(address, request, now)

    def admit_stranger(self, request: int, now: datetime) -> bool:
        """Return whether somebody without an account is written to."""
        return self._strangers.admit("", request, now)

    def may_tell(self, address: str, request: int, now: datetime) -> bool:
        """Return whether an address is told now that it writes too much."""
        return self._told.admit(address, request, now)
