"""Giving a match up before both have moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Reply


async def abort(stage: Stage) -> Reply:
    return await stage.bob.command("abort", {}, channel=stage.channel)


async def test_it_is_asked_once(stage: Stage) -> None:
    board = await stage.start()
    reply = await abort(stage)
    assert "Give match 1 against Alice up?" in reply.text
    assert reply.ephemeral
    assert [button.label for button in reply.buttons] == ["Give it up", "Play on"]
    assert stage.latest is board


async def test_match_ends_without_a_result(stage: Stage) -> None:
    board = await stage.start()
    closed = await stage.bob.click(await abort(stage), "Give it up")
    assert "You have given match 1 up" in closed.text
    post = await stage.board(after=board)
    assert "**Bob has given match 1 up** before both had moved." in post.text
    assert stage.alice.pings[-1] is post
    assert post.attachments
    look = await stage.alice.command("board", {"match": "1"}, channel=stage.channel)
    assert "No result. The match was given up before it counted." in look.text


async def test_one_may_think_again(stage: Stage) -> None:
    board = await stage.start()
    reply = await stage.bob.click(await abort(stage), "Play on")
    assert "Match 1 goes on" in reply.text
    assert stage.latest is board


async def test_closed_fists_may_stay_closed(stage: Stage) -> None:
    fists = await stage.start(start="fists")
    await stage.bob.click(await abort(stage), "Give it up")
    post = await stage.board(after=fists)
    assert "Bob has given match 1 up" in post.text
    assert not post.attachments
    assert [button.label for button in post.buttons] == ["Rematch", "My view"]
    assert "Match 1 is over" in (await stage.alice.click(fists, "Close your fists")).text


async def test_nobody_gives_up_what_both_have_begun(stage: Stage) -> None:
    await stage.start()
    await stage.move(stage.alice, "C1-D2")
    asked = await abort(stage)
    await stage.move(stage.bob, "A2-B3")
    for reply in (await stage.bob.click(asked, "Give it up"), await abort(stage)):
        assert "Both of you have moved in match 1, so it counts" in reply.text
        assert reply.ephemeral


async def test_onlooker_gives_nothing_up(stage: Stage) -> None:
    await stage.start()
    reply = await stage.guild.member("Eve").command("abort", {"match": "1"}, channel=stage.channel)
    assert "You do not play in match 1" in reply.text
