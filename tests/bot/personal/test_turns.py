"""``/turns``: what waits for a person, here and everywhere, and playing from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.discord_server import NotPossible

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Channel, Member, Reply


async def turns(stage: Stage, person: Member | None = None) -> Reply:
    return await (person or stage.alice).command("turns", {}, channel=stage.channel)


async def privately(person: Member) -> Reply:
    return await person.command("turns", {}, channel=person.dm)


async def begin_there(stage: Stage) -> Channel:
    """Begin a match on another server in which Alice is to move."""
    there = stage.discord.guild("Elsewhere")
    room = there.channel("room")
    for person in (stage.alice, stage.bob):
        there.join(person)
    asked = {"opponent": stage.bob, "colour": "black", "board": "9", "start": "facing"}
    reply = await stage.alice.command("challenge", asked, channel=room)
    await stage.bob.click(reply, "Accept")
    await room.wait_for(lambda one: "are to move" in one.text)
    return room


async def test_nothing_waits(stage: Stage) -> None:
    reply = await turns(stage)
    assert reply.text == "No match on this server waits for you."
    assert reply.ephemeral
    assert (await privately(stage.alice)).text == "No match waits for you."


async def test_matches_that_wait_are_listed_by_deadline(stage: Stage) -> None:
    await stage.start()
    await stage.start(pace="9d")
    await stage.start(pace="1d")
    await stage.move(stage.alice, "C1-D2", match="1")
    await stage.move(stage.bob, "A2-B3", match="1")
    reply = await turns(stage)
    lines = reply.text.splitlines()
    assert lines[0] == "**These matches wait for you**"
    assert [line.split(",")[0] for line in lines[1:]] == ["**Match 3**", "**Match 2**", "**Match 1**"]
    assert f"Morelli against Bob, in <#{stage.channel.id}>: your time ends <t:" in lines[1]
    assert "your turn since <t:" in lines[3]
    assert (await turns(stage, stage.bob)).text == "No match on this server waits for you."


async def test_each_has_buttons_to_play_and_to_go_there(stage: Stage) -> None:
    board = await stage.start()
    await stage.quiet()
    reply = await turns(stage)
    assert [button.label for button in reply.buttons] == ["Move in 1", "Pick in 1", "Go to 1"]
    url = f"https://discord.com/channels/{stage.guild.id}/{stage.channel.id}/{board.id}"
    assert reply.buttons[-1].url == url


async def test_time_that_is_over_comes_first(stage: Stage) -> None:
    await stage.start(pace="1d", flag="claim")
    await stage.start(pace="3d")
    await stage.pass_time(days=1, hours=1)
    lines = (await turns(stage)).text.splitlines()
    assert lines[1].startswith("**Match 1**")
    assert "your time was over <t:" in lines[1]


async def test_fists_are_closed_from_the_list(stage: Stage) -> None:
    await stage.start(start="fists")
    reply = await turns(stage, stage.bob)
    assert [button.label for button in reply.buttons] == ["Fists in 1", "Go to 1"]
    picks = await stage.bob.click(reply, "Fists in 1")
    await stage.bob.click(picks, picks.buttons[0].label or "")
    assert "No match on this server" in (await turns(stage, stage.bob)).text


async def test_move_is_played_from_a_private_message(stage: Stage) -> None:
    board = await stage.start()
    reply = await stage.alice.click(await privately(stage.alice), "Move in 1")
    answer = await stage.alice.submit(reply, {"Your move": "C1-D2"})
    assert answer.text == f"Your move in match 1 is taken; the board is posted in <#{stage.channel.id}>."
    post = await stage.board(after=board)
    assert "Alice: **Black C1-D2**" in post.text
    assert stage.bob.pings[-1] is post
    assert "No match waits for you." in (await privately(stage.alice)).text
    await stage.quiet()
    (row,) = [one for one in stage.channel.messages if "Black C1-D2" in one.text]
    assert row is post


async def test_move_is_picked_in_a_private_message(stage: Stage) -> None:
    board = await stage.start()
    reply = await stage.alice.click(await privately(stage.alice), "Pick in 1")
    while "Confirm" not in [button.label for button in reply.buttons]:
        if reply.selects:
            reply = await stage.alice.select(
                reply, reply.selects[0].placeholder or "", [reply.selects[0].options[0].value]
            )
        else:
            reply = await stage.alice.click(reply, reply.buttons[0].label or "")
    answer = await stage.alice.click(reply, "Confirm")
    assert "Your move in match 1 is taken" in answer.text
    assert "Alice: **Black" in (await stage.board(after=board)).text


async def test_move_is_typed_as_a_command_in_private(stage: Stage) -> None:
    board = await stage.start()
    choices = await stage.alice.autocomplete("move", {"move": "c1-d"}, focused="move", channel=stage.alice.dm)
    assert "C1-D2" in [choice.value for choice in choices]
    answer = await stage.alice.command("move", {"move": "C1-D2"}, channel=stage.alice.dm)
    assert "Your move in match 1 is taken" in answer.text
    await stage.board(after=board)


async def test_refusals_are_told_in_private_too(stage: Stage) -> None:
    await stage.start()
    listed = await privately(stage.alice)
    form = await stage.alice.click(listed, "Move in 1")
    assert "Nothing was played" in (await stage.alice.submit(form, {"Your move": "A1-A1"})).text
    await stage.move(stage.alice, "C1-D2")
    assert "has moved on since this board" in (await stage.alice.click(listed, "Move in 1")).text


async def test_board_is_looked_at_in_private(stage: Stage) -> None:
    await stage.start()
    reply = await stage.bob.command("board", {}, channel=stage.bob.dm)
    assert "**Match 1**: Alice (Black)" in reply.text
    eve = stage.guild.member("Eve")
    reply = await eve.command("board", {"match": "1"}, channel=eve.dm)
    assert "I know no match 1 here." in reply.text


async def test_board_to_think_on_opens_in_private(stage: Stage) -> None:
    await stage.start()
    looked = await stage.bob.command("board", {}, channel=stage.bob.dm)
    opened = await stage.bob.click(looked, "What if")
    assert opened.ephemeral
    assert opened.attachments


async def test_private_list_has_the_matches_of_all_servers(stage: Stage) -> None:
    await stage.start()
    room = await begin_there(stage)
    reply = await privately(stage.alice)
    assert [line.split(",")[0] for line in reply.text.splitlines()[1:]] == ["**Match 1**", "**Match 2**"]
    assert f"in <#{room.id}>" in reply.text


async def test_list_on_a_server_tells_of_others_and_shows_them(stage: Stage) -> None:
    await stage.start()
    await begin_there(stage)
    reply = await turns(stage)
    assert "**Match 2**" not in reply.text
    assert "One more waits for you on another server." in reply.text
    everything = await stage.alice.click(reply, "All servers")
    assert everything.updated
    assert "**Match 2**" in everything.text
    assert "another server" not in everything.text


async def test_list_has_pages(stage: Stage) -> None:
    for _ in range(5):
        await stage.start()
    reply = await turns(stage)
    assert "-# Page 1 of 2" in reply.text
    assert "**Match 5**" not in reply.text
    reply = await stage.alice.click(reply, "Next")
    assert "-# Page 2 of 2" in reply.text
    assert "**Match 5**" in reply.text
    await stage.move(stage.alice, "C1-D2", match="5")
    reply = await stage.alice.click(reply, "Back")
    assert "**Match 4**" in reply.text
    assert "Page" not in reply.text


async def test_person_has_the_bot_along_where_it_is_not(stage: Stage) -> None:
    await stage.start()
    there = stage.discord.guild("Without", bot=False)
    room = there.channel("room")
    there.join(stage.alice)
    with pytest.raises(NotPossible):
        await stage.alice.command("turns", {}, channel=room)
    stage.alice.install()
    reply = await stage.alice.command("turns", {}, channel=room)
    assert reply.ephemeral
    assert "**Match 1**" in reply.text
    form = await stage.alice.click(reply, "Move in 1")
    assert "is taken" in (await stage.alice.submit(form, {"Your move": "C1-D2"})).text
    with pytest.raises(NotPossible):
        await stage.alice.command("challenge", {}, channel=room)
