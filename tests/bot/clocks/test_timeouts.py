"""What happens in the channel after a time-out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.clocks.timestamps import DAY, seconds_ahead

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message


async def time_out_alice(env: BotEnvironment) -> Message:
    """Let Alice's time run out under the rule that Bob may claim; return the time-out post."""
    await env.start_match(time_control="3d")
    await env.advance_time(days=3, minutes=1)
    return env.latest_message


@pytest.mark.long
async def test_match_is_lost_on_timeout(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="3d", time_out="lost")
    await env.advance_time(days=3, minutes=1)
    post = env.latest_message
    assert post is not board
    assert "**White (Bob) wins. Alice ran out of time.**" in post.text
    assert [person.pings[-1] for person in (env.alice, env.bob)] == [post, post]
    assert post.attachments
    assert "Morelli vs Bob (#1) is over" in (await env.move(env.alice, "C1-D2", match="1")).text


@pytest.mark.long
async def test_timeout_is_posted_once(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d", time_out="lost")
    count = len(env.channel.messages)
    for _ in range(3):
        await env.advance_time(days=3, minutes=1)
    assert len(env.channel.messages) == count + 1


async def test_timeout_post_pings_both_players(env: BotEnvironment) -> None:
    post = await time_out_alice(env)
    assert "⌛ **Alice ran out of time in Morelli #1.**" in post.text
    assert f"{env.bob.mention}, you may claim the win" in post.text
    assert f"{env.alice.mention}, until then you may still play" in post.text
    assert env.bob.pings[-1] is post
    assert env.alice.pings[-1] is post
    assert [button.label for button in post.buttons] == ["Claim the win", "Give time", "My view"]


@pytest.mark.long
async def test_claiming_asks_for_confirmation(env: BotEnvironment) -> None:
    post = await time_out_alice(env)
    reply = await env.bob.click(post, "Claim the win")
    assert "Claim the win in Morelli vs Alice (#1)? Alice ran out of time, so you win." in reply.text
    assert reply.ephemeral
    closed = await env.bob.click(reply, "Claim")
    assert "You claimed the win in Morelli vs Alice (#1)" in closed.text
    result = await env.wait_for_board(after=post)
    assert "**White (Bob) wins. Alice ran out of time.**" in result.text
    assert env.alice.pings[-1] is result


@pytest.mark.long
async def test_claim_can_be_cancelled(env: BotEnvironment) -> None:
    post = await time_out_alice(env)
    reply = await env.bob.click(await env.bob.click(post, "Claim the win"), "Wait")
    assert "You did not claim the win" in reply.text
    assert not reply.buttons
    assert env.latest_message is post
    assert (
        "Claim the win in Morelli vs Alice (#1)?"
        in (await env.bob.command("claim", {}, channel=env.channel)).text
    )


@pytest.mark.long
async def test_late_player_can_move_until_the_match_is_claimed(env: BotEnvironment) -> None:
    post = await time_out_alice(env)
    question = await env.bob.click(post, "Claim the win")
    await env.move(env.alice, "C1-D2")
    reply = await env.bob.click(question, "Claim")
    assert "Alice has not run out of time in Morelli vs Alice (#1), or has moved since" in reply.text
    assert "has not run out of time" in (await env.bob.click(post, "Claim the win")).text


@pytest.mark.long
async def test_only_the_opponent_of_the_late_player_can_claim(env: BotEnvironment) -> None:
    post = await time_out_alice(env)
    assert (
        "Bob has not run out of time in Morelli vs Bob (#1)"
        in (await env.alice.click(post, "Claim the win")).text
    )
    eve = env.guild.member("Eve")
    assert "You are not playing in Morelli #1" in (await eve.click(post, "Claim the win")).text
    assert "You are not playing in Morelli #1" in (await eve.click(post, "Give time")).text


async def test_time_can_be_given_by_button(env: BotEnvironment) -> None:
    post = await time_out_alice(env)
    reply = await env.bob.submit(await env.bob.click(post, "Give time"), {"How much more": "2 days"})
    assert f"Bob gives {env.alice.mention} 2 days more in Morelli #1." in reply.text
    assert env.alice.pings[-1] is reply.message
    assert "⏳ Alice has until" in reply.text
    assert seconds_ahead(env, reply) == [2 * DAY]


async def test_time_can_be_given_by_command(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d", time_out="lost")
    reply = await env.bob.command("give-time", {"time": "1d 12h"}, channel=env.channel)
    assert "1 day and 12 hours more" in reply.text
    assert seconds_ahead(env, reply) == [4 * DAY + DAY // 2]


async def test_time_can_be_given_to_an_opponent_who_is_not_to_move(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    reply = await env.alice.command("give-time", {"time": "1d"}, channel=env.channel)
    assert f"Alice gives {env.bob.mention} 1 day more" in reply.text
    assert reply.text.splitlines()[1] == "⏳ Bob has 4 days for the next turn."
    assert seconds_ahead(env, reply) == []
    assert seconds_ahead(env, await env.move(env.alice, "C1-D2")) == [4 * DAY]


@pytest.mark.long
async def test_invalid_amounts_of_time_are_refused(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    for typed, sentence in (
        ("a bit", "a bit is not a length of time"),
        ("60d", "You can give from 5 minutes to 30 days at once"),
        ("1m", "You can give from 5 minutes to 30 days at once"),
    ):
        reply = await env.bob.command("give-time", {"time": typed}, channel=env.channel)
        assert sentence in reply.text
        assert reply.ephemeral


async def test_claiming_and_giving_time_are_refused_without_a_clock(env: BotEnvironment) -> None:
    await env.start_match()
    claimed = await env.bob.command("claim", {}, channel=env.channel)
    assert "You cannot claim the win in Morelli vs Alice (#1) yet" in claimed.text
    given = await env.bob.command("give-time", {"time": "1d"}, channel=env.channel)
    assert "Morelli vs Alice (#1) has no clock" in given.text


@pytest.mark.long
async def test_claiming_and_giving_time_are_refused_after_the_end(env: BotEnvironment) -> None:
    post = await time_out_alice(env)
    question = await env.bob.click(post, "Claim the win")
    await env.bob.click(question, "Claim")
    await env.wait_for_board(after=post)
    assert "Morelli vs Alice (#1) is over" in (await env.bob.click(post, "Claim the win")).text
    assert "Morelli vs Alice (#1) is over" in (await env.bob.click(post, "Give time")).text


@pytest.mark.long
async def test_player_who_does_not_pick_in_time_loses(env: BotEnvironment) -> None:
    fists = await env.start_match(start="fists", time_control="2d", time_out="lost")
    await env.bob.click(await env.bob.click(fists, "Close your fists"), "🤛●·●🤜 one in each: Free")
    await env.advance_time(days=2, minutes=1)
    assert "White (Bob) wins. Alice ran out of time." in env.latest_message.text


@pytest.mark.long
async def test_match_without_any_pick_in_time_has_no_winner(env: BotEnvironment) -> None:
    await env.start_match(start="fists", time_control="2d", time_out="lost")
    await env.advance_time(days=2, minutes=1)
    assert "**No result. The match was aborted.**" in env.latest_message.text


@pytest.mark.long
async def test_either_player_can_end_a_match_without_any_pick(env: BotEnvironment) -> None:
    await env.start_match(start="fists", time_control="2d")
    await env.advance_time(days=2, minutes=1)
    await env.bot.outbox.run_once()
    first, second = env.channel.messages[-2:]
    assert "Alice ran out of time in Morelli #1" in first.text
    assert "Bob ran out of time in Morelli #1" in second.text
    question = await env.alice.click(second, "Claim the win")
    assert "it ends without a winner" in question.text
    await env.alice.click(question, "Claim")
    assert "No result." in (await env.wait_for_board(after=second)).text


@pytest.mark.long
async def test_lists_show_timeouts(env: BotEnvironment) -> None:
    await time_out_alice(env)
    assert "out of time <t:" in (await env.alice.command("games", {}, channel=env.channel)).text
    look = await env.alice.command("board", {}, channel=env.channel)
    assert "⌛ Alice ran out of time <t:" in look.text


@pytest.mark.long
async def test_opponent_is_told_that_the_player_has_left_the_server(env: BotEnvironment) -> None:
    await env.start_match(time_control="1d per move", time_out="claim")
    del env.guild.state.members[env.alice.id]
    await env.advance_time(days=1, minutes=1)
    post = env.latest_message
    assert "**Alice ran out of time in Morelli #1** and is no longer on this server." in post.text
    assert f"{env.bob.mention}, you may claim the win" in post.text
    assert "you may still play" not in post.text
