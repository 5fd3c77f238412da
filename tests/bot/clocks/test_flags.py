"""What happens in the channel when somebody's time is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bot.clocks.reading import DAY, ahead

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Message


async def flagged(stage: Stage) -> Message:
    """Let Alice's time be over, where Bob may claim; give the post that tells it."""
    await stage.start(pace="3d")
    await stage.pass_time(days=3, minutes=1)
    return stage.latest


async def test_match_is_lost_at_the_flag(stage: Stage) -> None:
    board = await stage.start(pace="3d", flag="lost")
    await stage.pass_time(days=3, minutes=1)
    post = stage.latest
    assert post is not board
    assert "**White (Bob) wins. Alice's time is over.**" in post.text
    assert [person.pings[-1] for person in (stage.alice, stage.bob)] == [post, post]
    assert post.attachments
    assert "Match 1 is over" in (await stage.move(stage.alice, "C1-D2", match="1")).text


async def test_time_out_is_posted_once(stage: Stage) -> None:
    await stage.start(pace="3d", flag="lost")
    count = len(stage.channel.messages)
    for _ in range(3):
        await stage.pass_time(days=3, minutes=1)
    assert len(stage.channel.messages) == count + 1


async def test_opponent_is_called_to_claim(stage: Stage) -> None:
    post = await flagged(stage)
    assert "⌛ **Alice's time in match 1 is over.**" in post.text
    assert stage.bob.pings[-1] is post
    assert post not in stage.alice.pings
    assert [button.label for button in post.buttons] == ["Claim the match", "Give time", "My view"]


async def test_claiming_asks_once(stage: Stage) -> None:
    post = await flagged(stage)
    reply = await stage.bob.click(post, "Claim the match")
    assert "Claim match 1? Alice's time is over, and you win then." in reply.text
    assert reply.ephemeral
    closed = await stage.bob.click(reply, "Claim")
    assert "You have claimed match 1" in closed.text
    result = await stage.board(after=post)
    assert "**White (Bob) wins. Alice's time is over.**" in result.text
    assert stage.alice.pings[-1] is result


async def test_claimer_may_wait(stage: Stage) -> None:
    post = await flagged(stage)
    reply = await stage.bob.click(await stage.bob.click(post, "Claim the match"), "Wait")
    assert "Match 1 goes on" in reply.text
    assert not reply.buttons
    assert stage.latest is post
    assert "Claim match 1?" in (await stage.bob.command("claim", {}, channel=stage.channel)).text


async def test_who_is_late_may_play_until_it_is_claimed(stage: Stage) -> None:
    post = await flagged(stage)
    question = await stage.bob.click(post, "Claim the match")
    await stage.move(stage.alice, "C1-D2")
    reply = await stage.bob.click(question, "Claim")
    assert "Alice's time in match 1 is not over, or they have moved since" in reply.text
    assert "is not over" in (await stage.bob.click(post, "Claim the match")).text


async def test_nobody_claims_their_own_or_anothers(stage: Stage) -> None:
    post = await flagged(stage)
    assert "Bob's time in match 1 is not over" in (await stage.alice.click(post, "Claim the match")).text
    eve = stage.guild.member("Eve")
    assert "You do not play in match 1" in (await eve.click(post, "Claim the match")).text
    assert "You do not play in match 1" in (await eve.click(post, "Give time")).text


async def test_time_is_given_by_the_button(stage: Stage) -> None:
    post = await flagged(stage)
    reply = await stage.bob.submit(await stage.bob.click(post, "Give time"), {"How much more": "2 days"})
    assert f"Bob gives {stage.alice.mention} 2 days more in match 1." in reply.text
    assert stage.alice.pings[-1] is reply.message
    assert "⏳ Alice has until" in reply.text
    assert ahead(stage, reply) == [2 * DAY]


async def test_time_is_given_by_the_command(stage: Stage) -> None:
    await stage.start(pace="3d", flag="lost")
    reply = await stage.bob.command("give-time", {"time": "1d 12h"}, channel=stage.channel)
    assert "1 day and 12 hours more" in reply.text
    assert ahead(stage, reply) == [4 * DAY + DAY // 2]


async def test_time_given_to_who_does_not_think(stage: Stage) -> None:
    await stage.start(pace="3d")
    reply = await stage.alice.command("give-time", {"time": "1d"}, channel=stage.channel)
    assert f"Alice gives {stage.bob.mention} 1 day more" in reply.text
    assert "⏳ Alice has until" in reply.text


async def test_what_cannot_be_given_is_refused(stage: Stage) -> None:
    await stage.start(pace="3d")
    for typed, sentence in (
        ("a bit", "a bit is no length of time"),
        ("60d", "You can give from 5 minutes to 30 days at once"),
        ("1m", "You can give from 5 minutes to 30 days at once"),
    ):
        reply = await stage.bob.command("give-time", {"time": typed}, channel=stage.channel)
        assert sentence in reply.text
        assert reply.ephemeral


async def test_without_a_clock_there_is_nothing_to_claim_or_give(stage: Stage) -> None:
    await stage.start()
    for command, options in (("claim", {}), ("give-time", {"time": "1d"})):
        reply = await stage.bob.command(command, options, channel=stage.channel)
        assert "No clock runs in match 1" in reply.text


async def test_after_the_end_there_is_nothing_to_claim_or_give(stage: Stage) -> None:
    post = await flagged(stage)
    question = await stage.bob.click(post, "Claim the match")
    await stage.bob.click(question, "Claim")
    await stage.board(after=post)
    assert "Match 1 is over" in (await stage.bob.click(post, "Claim the match")).text
    assert "Match 1 is over" in (await stage.bob.click(post, "Give time")).text


async def test_who_does_not_pick_loses(stage: Stage) -> None:
    fists = await stage.start(start="fists", pace="2d", flag="lost")
    await stage.bob.click(await stage.bob.click(fists, "Close your fists"), "🤛●·●🤜 one in each: Free")
    await stage.pass_time(days=2, minutes=1)
    assert "White (Bob) wins. Alice's time is over." in stage.latest.text


async def test_where_neither_picks_nobody_wins(stage: Stage) -> None:
    await stage.start(start="fists", pace="2d", flag="lost")
    await stage.pass_time(days=2, minutes=1)
    assert "**No result. The match was given up before it counted.**" in stage.latest.text


async def test_where_neither_picks_either_may_end_it(stage: Stage) -> None:
    await stage.start(start="fists", pace="2d")
    await stage.pass_time(days=2, minutes=1)
    await stage.bot.outbox.tick()
    first, second = stage.channel.messages[-2:]
    assert "Alice's time in match 1 is over" in first.text
    assert "Bob's time in match 1 is over" in second.text
    question = await stage.alice.click(second, "Claim the match")
    assert "it ends without a winner" in question.text
    await stage.alice.click(question, "Claim")
    assert "No result." in (await stage.board(after=second)).text


async def test_late_player_is_told_in_lists(stage: Stage) -> None:
    await flagged(stage)
    assert "time over <t:" in (await stage.alice.command("games", {}, channel=stage.channel)).text
    look = await stage.alice.command("board", {}, channel=stage.channel)
    assert "⌛ Alice's time was over <t:" in look.text
