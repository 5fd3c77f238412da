"""``python -m bot`` of any version with a loopback Discord: ``python -m bench.bot_process PORT CA_FILE``."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from inspect import signature
from typing import TYPE_CHECKING

from bot import app
from bot.__main__ import main
from tests.discord_connector import connector_for

if TYPE_CHECKING:
    from bot.settings import Settings


async def serve(settings: Settings) -> None:
    """Run the bot until it is stopped."""
    options = (
        {"identify_interval": timedelta(0)} if "identify_interval" in signature(app.serve).parameters else {}
    )
    connector = connector_for(int(sys.argv[1]), sys.argv[2])
    await app.serve(settings, connector=connector, now=lambda: datetime.now(UTC), **options)


if __name__ == "__main__":
    sys.exit(main(serve))
