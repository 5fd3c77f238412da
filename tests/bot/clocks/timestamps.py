"""Reading the Discord timestamps in posts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message, Reply

DAY, HOUR, MINUTE = 86_400, 3600, 60
TOLERANCE = 30  # seconds; the clock of the loopback Discord runs during a test


def shown_timestamps(post: Message | Reply) -> list[int]:
    """Return the relative timestamps in a post, in seconds since 1970."""
    return [int(number) for number in re.findall(r"<t:(\d+):R>", post.text)]


def seconds_ahead(env: BotEnvironment, post: Message | Reply) -> list[int]:
    """Return how many seconds from now those timestamps are, rounded to half a minute."""
    now = env.discord.world.clock.time()
    return [round((timestamp - now) / TOLERANCE) * TOLERANCE for timestamp in shown_timestamps(post)]
