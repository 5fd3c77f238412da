"""The stage, with somebody who runs the server."""

import pytest

from tests.bot.stage import Stage
from tests.discord_server import Member, Permission


@pytest.fixture
def eve(stage: Stage) -> Member:
    """Give Eve, who may manage the server."""
    member = stage.guild.member("Eve")
    stage.channel.allow(member, Permission.MANAGE_GUILD)
    return member
