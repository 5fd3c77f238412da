"""Short matches with a result, for the tests of ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message


async def play_decided_match(env: BotEnvironment, loser: Member | None = None, **options: Any) -> Message:
    """Play a match in which both players move once and `loser` (Bob) resigns; return the last post."""
    loser, opponent = loser or env.bob, options.get("opponent", env.bob)
    board = await env.start_match(**options)
    number = board.content.rpartition("#")[2].split(" ")[0]
    await env.move(env.alice, "C1-D2", match=number)
    await env.move(opponent, "A2-B3", match=number)
    confirmation = await loser.command("resign", {"match": number}, channel=env.channel)
    return await env.wait_for_board(after=await loser.click(confirmation, "Resign"))
