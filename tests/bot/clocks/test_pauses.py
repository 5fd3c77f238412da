"""Pauses in the channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bot.clocks.reading import DAY, ahead

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Reply


async def offer(stage: Stage) -> Reply:
    return await stage.bob.command("pause", {}, channel=stage.channel)


async def paused(stage: Stage) -> Reply:
    """Pause a match after two days and 23 hours, Alice to move."""
    await stage.start(pace="3d", flag="lost")
    await stage.pass_time(days=2, hours=23)
    return await stage.alice.click(await offer(stage), "Pause")


async def test_offer_calls_the_other(stage: Stage) -> None:
    await stage.start(pace="3d")
    reply = await offer(stage)
    assert "Bob offers to pause match 1" in reply.text
    assert stage.alice.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == ["Pause", "No pause", "My view"]


async def test_accepted_pause_stops_the_clock(stage: Stage) -> None:
    post = await paused(stage)
    assert "⏸️ **Match 1 is paused.**" in post.text
    assert post.text.count("paused") == 1
    assert stage.bob.pings[-1] is post.message
    count = len(stage.channel.messages)
    await stage.pass_time(days=60)
    assert len(stage.channel.messages) == count
    assert "The clock is paused" in (await stage.alice.command("board", {}, channel=stage.channel)).text


async def test_button_has_it_go_on(stage: Stage) -> None:
    post = await paused(stage)
    await stage.pass_time(days=60)
    reply = await stage.bob.click(post, "Go on")
    assert "▶️ **Match 1 goes on.**" in reply.text
    assert stage.alice.pings[-1] is reply.message
    assert ahead(stage, reply) == [DAY]
    assert "Match 1 is not paused" in (await stage.alice.click(post, "Go on")).text


async def test_command_has_it_go_on(stage: Stage) -> None:
    await paused(stage)
    reply = await stage.alice.command("resume", {}, channel=stage.channel)
    assert f"{stage.bob.mention}, Alice has ended the pause." in reply.text


async def test_declined_pause(stage: Stage) -> None:
    await stage.start(pace="3d")
    reply = await stage.alice.click(await offer(stage), "No pause")
    assert f"{stage.bob.mention}, Alice would rather not pause match 1." in reply.text
    assert "was declined" in (await offer(stage)).text


async def test_offer_dies_with_a_move(stage: Stage) -> None:
    await stage.start(pace="3d")
    post = await offer(stage)
    await stage.move(stage.alice, "C1-D2")
    assert "No offer to pause match 1 stands any more" in (await stage.alice.click(post, "Pause")).text


async def test_nobody_answers_their_own_offer(stage: Stage) -> None:
    await stage.start(pace="3d")
    assert "This offer is your own" in (await stage.bob.click(await offer(stage), "Pause")).text


async def test_refusals_of_what_cannot_be_paused(stage: Stage) -> None:
    await stage.start()
    assert "No clock runs in match 1" in (await offer(stage)).text
    await stage.start(pace="1d")
    await stage.pass_time(days=1, minutes=1)
    reply = await stage.bob.command("pause", {"match": "2"}, channel=stage.channel)
    assert "Somebody's time in match 2 is over, and that comes first" in reply.text


async def test_lists_say_that_a_match_is_paused(stage: Stage) -> None:
    await paused(stage)
    for command, told in (("games", ", paused ("), ("turns", ": paused, your turn since <t:")):
        lists = [
            (await person.command(command, {}, channel=stage.channel)).text
            for person in (stage.alice, stage.bob)
        ]
        assert told in "".join(lists)


async def test_resuming_what_is_not_paused(stage: Stage) -> None:
    await stage.start(pace="3d")
    reply = await stage.bob.command("resume", {}, channel=stage.channel)
    assert "Match 1 is not paused" in reply.text
    assert reply.ephemeral
