"""Vacations: private for whoever takes one, and told where they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bot.clocks.reading import DAY, ahead

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Reply


async def look(stage: Stage, person: Member) -> Reply:
    return await person.command("vacation", {}, channel=stage.channel)


async def leave(stage: Stage, person: Member) -> Reply:
    return await person.click(await look(stage, person), "Begin vacation")


async def test_budget_is_told_in_private(stage: Stage) -> None:
    reply = await look(stage, stage.alice)
    assert "You have 30 days of vacation left in 20" in reply.text
    assert reply.ephemeral
    assert [button.label for button in reply.buttons] == ["Begin vacation"]


async def test_vacation_is_told_to_the_opponents(stage: Stage) -> None:
    board = await stage.start(pace="3d", flag="lost")
    reply = await leave(stage, stage.alice)
    assert "Your vacation has begun" in reply.text
    assert "Your clock stands in one match" in reply.text
    assert stage.latest is board
    await stage.pass_time(seconds=1)
    post = stage.latest
    assert "🏖️ **Alice is on vacation**" in post.text
    assert f"{stage.bob.mention}: their clock stands in match 1." in post.text
    assert stage.bob.pings[-1] is post
    await stage.pass_time(days=20)
    assert stage.latest is post
    look_now = await stage.bob.command("board", {}, channel=stage.channel)
    assert "🏖️ Alice is on vacation, and their clock stands." in look_now.text


async def test_vacation_ends_by_hand(stage: Stage) -> None:
    await stage.start(pace="3d")
    await stage.pass_time(days=1)
    await leave(stage, stage.alice)
    await stage.pass_time(days=10)
    reply = await look(stage, stage.alice)
    assert "You are on vacation since <t:" in reply.text
    closed = await stage.alice.click(reply, "End vacation")
    assert "Your vacation is over. Your clock goes on in one match" in closed.text
    await stage.pass_time(seconds=1)
    assert "**Alice is back from vacation.**" in stage.latest.text
    board = await stage.alice.command("board", {}, channel=stage.channel)
    assert ahead(stage, board) == [2 * DAY]
    reply = await look(stage, stage.alice)
    assert [button.label for button in reply.buttons] == ["Begin vacation"]


async def test_vacation_ends_when_its_days_are_used_up(stage: Stage) -> None:
    await stage.start(pace="3d")
    await leave(stage, stage.alice)
    await stage.pass_time(seconds=1)
    await stage.pass_time(days=63)  # enough for the days of two years, wherever in the year this begins
    post = stage.latest
    assert "**Alice is back from vacation.**" in post.text
    assert stage.alice.pings[-1] is post
    assert stage.bob.pings[-1] is post


async def test_several_matches_in_one_channel_make_one_post(stage: Stage) -> None:
    eve = stage.guild.member("Eve")
    await stage.start(pace="3d")
    await stage.start(pace="3d", opponent=eve)
    count = len(stage.channel.messages)
    await leave(stage, stage.alice)
    await stage.pass_time(seconds=1)
    assert len(stage.channel.messages) == count + 1
    assert f"{stage.bob.mention} and {eve.mention}: their clock stands in the matches 1 and 2." in (
        stage.latest.text
    )


async def test_match_agreed_without_vacation_goes_on(stage: Stage) -> None:
    await stage.start(pace="3d", flag="lost", vacation=False)
    assert "None of your matches has a clock that it stops" in (await leave(stage, stage.alice)).text
    end = await stage.alice.command("vacation", {}, channel=stage.channel)
    assert "None of your matches had a clock" in (await stage.alice.click(end, "End vacation")).text
    await stage.pass_time(days=3, minutes=1)
    assert "Alice's time is over" in stage.latest.text


async def test_old_buttons_tell_what_is_the_matter(stage: Stage) -> None:
    first, second = await look(stage, stage.alice), await look(stage, stage.alice)
    await stage.alice.click(first, "Begin vacation")
    assert "You are on vacation already" in (await stage.alice.click(second, "Begin vacation")).text
    third, fourth = await look(stage, stage.alice), await look(stage, stage.alice)
    await stage.alice.click(third, "End vacation")
    assert "You are not on vacation" in (await stage.alice.click(fourth, "End vacation")).text
