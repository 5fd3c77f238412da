"""Keeps listening to what other processes change, as long as the website runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matches import Matches
    from runtime.steps import Steps
    from web.match.sse import Broadcaster

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds before connecting again; doubled each time


async def keep_listening(matches: Matches, broadcaster: Broadcaster, steps: Steps) -> None:
    """Have a broadcaster hear of changes until cancelled; it polls faster while there is no connection."""
    if not matches.can_listen:
        return
    pause = FIRST_PAUSE
    while True:
        await steps.run("listening", lambda: matches.listen(broadcaster.start_listening, broadcaster.hear))
        if broadcaster.is_listening:
            pause = FIRST_PAUSE
        broadcaster.stop_listening()
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
