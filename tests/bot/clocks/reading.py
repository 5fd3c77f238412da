"""What posts say of time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Message, Reply

DAY, HOUR, MINUTE = 86_400, 3600, 60
NEAR = 30  # seconds; the clock of this Discord goes on while a story is told


def moments(post: Message | Reply) -> list[int]:
    """Give every moment that a post shows relative to now, in seconds since 1970."""
    return [int(number) for number in re.findall(r"<t:(\d+):R>", post.text)]


def ahead(stage: Stage, post: Message | Reply) -> list[int]:
    """Give how many seconds from now those moments are, to half a minute."""
    now = stage.discord.world.clock.time()
    return [round((moment - now) / NEAR) * NEAR for moment in moments(post)]
