"""What posts say of time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message, Reply

DAY, HOUR, MINUTE = 86_400, 3600, 60
TOLERANCE = 30  # seconds; the clock of this Discord goes on while a story is told


def shown_timestamps(post: Message | Reply) -> list[int]:
    """Return every moment that a post shows relative to now, in seconds since 1970."""
    return [int(number) for number in re.findall(r"<t:(\d+):R>", post.text)]


def seconds_ahead(env: BotEnvironment, post: Message | Reply) -> list[int]:
    """Return how many seconds from now those moments are, to half a minute."""
    now = env.discord.world.clock.time()
    return [round((timestamp - now) / TOLERANCE) * TOLERANCE for timestamp in shown_timestamps(post)]
