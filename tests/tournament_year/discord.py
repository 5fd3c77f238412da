"""The front end that tells people of Discord what concerns them. Whoever was not told loses no clock."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.platforms import DISCORD

if TYPE_CHECKING:
    from collections import Counter
    from datetime import datetime

    from matches import Matches

AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Discord:
    """Posts what is due, as the bot does."""

    matches: Matches
    counts: Counter[str]

    async def post(self, now: datetime) -> None:
        """Post everything that is due, in order."""
        announcements = self.matches.announcements
        while due := await announcements.claim_due(DISCORD, now=now, limit=AT_ONCE):
            await asyncio.gather(
                *(announcements.mark_sent(one.id, f"{DISCORD}:{one.id}", now=now) for one in due)
            )
            self.counts["posts"] += len(due)
