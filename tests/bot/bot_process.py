"""``python -m bot`` with the loopback Discord.

``python -m tests.bot.bot_process PORT CA_FILE AHEAD [spaced]``

Its clock runs AHEAD seconds ahead of real time. It opens its sessions at once unless they are to be `spaced`.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from bot import app
from bot.__main__ import main
from bot.identify import IDENTIFY_INTERVAL
from tests.discord_connector import connector_for

if TYPE_CHECKING:
    from bot.settings import Settings

PORT, CA_FILE, AHEAD = int(sys.argv[1]), sys.argv[2], timedelta(seconds=float(sys.argv[3]))


async def serve(settings: Settings) -> None:
    """Run the bot until it is stopped."""
    connector = connector_for(PORT, CA_FILE)
    await app.serve(
        settings,
        connector=connector,
        now=lambda: datetime.now(UTC) + AHEAD,
        identify_interval=IDENTIFY_INTERVAL if "spaced" in sys.argv else timedelta(0),
    )


if __name__ == "__main__":
    sys.exit(main(serve))
