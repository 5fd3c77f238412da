"""The small bot as a process of its own: `python -m tests.loopback.bot_process PORT CA_FILE TOKEN`."""

from __future__ import annotations

import asyncio
import sys

from tests.discord_connector import connector_for
from tests.loopback.bot import SmallBot


async def main(port: int, ca_file: str, token: str) -> None:
    """Run the bot until the process is killed."""
    async with SmallBot(connector_for(port, ca_file)) as bot:
        await bot.start(token)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
