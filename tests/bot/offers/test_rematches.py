"""Playing again, with sides changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Message


async def over(stage: Stage, **options: Any) -> Message:
    """Play a match in which Alice has Black and Bob resigns; give the last post."""
    board = await stage.start(**options)
    await stage.bob.click(await stage.bob.command("resign", {}, channel=stage.channel), "Resign")
    return await stage.board(after=board)


async def test_button_offers_it_to_the_other(stage: Stage) -> None:
    reply = await stage.bob.click(await over(stage), "Rematch")
    assert (
        f"**Bob offers {stage.alice.mention} a rematch** of match 1: another game of **Morelli**"
        in reply.text
    )
    assert "Bob plays Black." in reply.text
    assert stage.alice.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == ["Accept", "Decline", "Withdraw"]


async def test_command_means_the_last_match_here(stage: Stage) -> None:
    await over(stage)
    reply = await stage.alice.command("rematch", {}, channel=stage.channel)
    assert "Alice offers" in reply.text
    assert "Alice plays White." in reply.text


async def test_accepted_rematch_begins_with_sides_changed(stage: Stage) -> None:
    asked = await stage.bob.click(await over(stage, rated=False), "Rematch")
    assert "not rated" in asked.text
    reply = await stage.alice.click(asked, "Accept")
    board = await stage.board(after=reply)
    assert "Match 2 · Bob (Black) \N{EN DASH} Alice (White)" in board.text
    assert stage.bob.pings[-1] is board


async def test_fists_are_closed_again(stage: Stage) -> None:
    fists = await stage.start(start="fists")
    await stage.bob.click(await stage.bob.command("resign", {}, channel=stage.channel), "Resign")
    asked = await stage.alice.click(await stage.board(after=fists), "Rematch")
    board = await stage.board(after=await stage.bob.click(asked, "Accept"))
    assert "**Closed fists.**" in board.text


async def test_both_buttons_begin_it(stage: Stage) -> None:
    end = await over(stage)
    asked = await stage.alice.click(end, "Rematch")
    reply = await stage.bob.click(end, "Rematch")
    assert "Alice has offered the rematch already, so it begins at once in <#" in reply.text
    assert reply.ephemeral
    board = await stage.board(after=asked)
    assert "Match 2 ·" in board.text
    assert "**Accepted** by Bob." in asked.shown.content
    assert "Somebody was quicker" not in (await stage.alice.click(end, "Rematch")).text


async def test_rematch_that_has_begun_is_named(stage: Stage) -> None:
    end = await over(stage)
    await stage.alice.click(await stage.bob.click(end, "Rematch"), "Accept")
    reply = await stage.alice.click(end, "Rematch")
    assert "it is match 2" in reply.text
    assert reply.ephemeral


async def test_declined_rematch_is_not_asked_for_again(stage: Stage) -> None:
    end = await over(stage)
    closed = await stage.alice.click(await stage.bob.click(end, "Rematch"), "Decline")
    assert "**declined**" in closed.text
    assert "was declined" in (await stage.bob.click(end, "Rematch")).text


async def test_onlooker_has_no_rematch(stage: Stage) -> None:
    reply = await stage.guild.member("Eve").click(await over(stage), "Rematch")
    assert "You do not play in match 1" in reply.text
    assert reply.ephemeral


async def test_there_is_none_of_a_match_that_goes_on(stage: Stage) -> None:
    await stage.start()
    reply = await stage.alice.command("rematch", {"match": "1"}, channel=stage.channel)
    assert "Match 1 is not over" in reply.text


async def test_command_needs_a_finished_match_here(stage: Stage) -> None:
    await stage.start()
    reply = await stage.alice.command("rematch", {}, channel=stage.channel)
    assert "No match of yours is over in this channel" in reply.text


@pytest.mark.parametrize(("typed", "proposed"), [("", ["1"]), ("bob", ["1"]), ("carol", [])])
async def test_finished_matches_are_proposed(stage: Stage, typed: str, proposed: list[str]) -> None:
    await over(stage)
    await stage.start()
    found = await stage.alice.autocomplete(
        "rematch", {"match": typed}, focused="match", channel=stage.channel
    )
    assert [one.value for one in found] == proposed
