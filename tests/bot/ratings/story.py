"""Matches with a result, played short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Message


async def beat(stage: Stage, loser: Member | None = None, **options: Any) -> Message:
    """Alice, Black, and another both move; then one resigns, Bob unless said. Give the last post."""
    loser, other = loser or stage.bob, options.get("opponent", stage.bob)
    board = await stage.start(**options)
    number = board.content.split("Match ")[1].split(" ")[0]
    await stage.move(stage.alice, "C1-D2", match=number)
    await stage.move(other, "A2-B3", match=number)
    asked = await loser.command("resign", {"match": number}, channel=stage.channel)
    return await stage.board(after=await loser.click(asked, "Resign"))
