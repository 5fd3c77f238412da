"""Keeps listening to what other processes change, as long as the website runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from matches import StorageUnavailable

if TYPE_CHECKING:
    from matches import Matches
    from web.match.sse import Broadcaster

log = structlog.stdlib.get_logger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds before connecting again; doubled each time


async def keep_listening(matches: Matches, broadcaster: Broadcaster) -> None:
    """Have a broadcaster hear of changes until cancelled; it polls faster while there is no connection."""
    if not matches.can_listen:
        return
    pause = FIRST_PAUSE
    while True:
        try:
            await matches.listen(broadcaster.start_listening, broadcaster.hear)
        except StorageUnavailable as error:
            log.warning("live.not_listening", error=str(error))
        except Exception:
            log.exception("live.not_listening")
        if broadcaster.is_listening:
            pause = FIRST_PAUSE
        broadcaster.stop_listening()
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
