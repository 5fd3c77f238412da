"""What one person can repeat at will notifies others a few times in an hour; more is posted quietly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches.challenge_limits import DEFAULT_LIMITS
from matches.posting.announcements import CALL_WINDOW, MAX_CALLS

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment

TIMES = MAX_CALLS + 3


@pytest.mark.long
async def test_extra_time_calls_the_opponent_a_few_times(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="3d per move")
    await env.move(env.alice, "C1-D2")
    before = len(env.bob.pings)
    for _ in range(TIMES):
        reply = await env.alice.command("give-time", {"time": "5m"}, channel=env.channel)
        assert not reply.ephemeral
        assert reply.shown.id > board.id
    assert len(env.bob.pings) == before + MAX_CALLS
    await env.advance_time(seconds=CALL_WINDOW.total_seconds() + 1)
    await env.alice.command("give-time", {"time": "5m"}, channel=env.channel)
    assert len(env.bob.pings) == before + MAX_CALLS + 1
    await env.move(env.bob, "A2-B3")
    assert env.alice.pings[-1] is env.latest_message


@pytest.mark.long
async def test_challenges_and_their_withdrawal_call_a_few_times(env: BotEnvironment) -> None:
    for _ in range(DEFAULT_LIMITS.withdrawn):  # each calls twice, which is more than MAX_CALLS
        challenge = await env.make_challenge()
        await env.alice.click(challenge, "Withdraw")
    await env.wait_until_idle()
    assert len(env.bob.pings) == MAX_CALLS
    carol = env.guild.member("Carol")
    await carol.command("challenge", {"opponent": env.bob}, channel=env.channel)
    assert len(env.bob.pings) == MAX_CALLS + 1
