"""``/turns``: the matches that wait for the user, here and everywhere, and playing from the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.discord_server import ActionNotPossible

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Channel, Member, Reply


async def show_turns(env: BotEnvironment, person: Member | None = None) -> Reply:
    """Use /turns in the channel, by default as Alice."""
    return await (person or env.alice).command("turns", {}, channel=env.channel)


async def show_turns_privately(person: Member) -> Reply:
    """Use /turns in the direct messages."""
    return await person.command("turns", {}, channel=person.dm)


async def start_match_elsewhere(env: BotEnvironment) -> Channel:
    """Start a match on another server in which it is Alice's move; return its channel."""
    there = env.discord.guild("Elsewhere")
    room = there.channel("room")
    for person in (env.alice, env.bob):
        there.join(person)
    asked = {"opponent": env.bob, "colour": "black", "board": "9", "start": "facing", "time_control": "none"}
    reply = await env.alice.command("challenge", asked, channel=room)
    await env.bob.click(reply, "Accept")
    await room.wait_for(lambda one: "it is your turn" in one.text)
    return room


async def test_empty_list_says_so(env: BotEnvironment) -> None:
    reply = await show_turns(env)
    assert reply.text == "It is not your turn in any match on this server."
    assert reply.ephemeral
    assert (await show_turns_privately(env.alice)).text == "It is not your turn in any match."


@pytest.mark.long
async def test_waiting_matches_are_listed_by_deadline(env: BotEnvironment) -> None:
    await env.start_match()
    await env.start_match(time_control="9d")
    await env.start_match(time_control="1d")
    await env.move(env.alice, "C1-D2", match="1")
    await env.move(env.bob, "A2-B3", match="1")
    reply = await show_turns(env)
    lines = reply.text.splitlines()
    assert lines[0] == "**Your turn in these matches**"
    assert [line.split(",")[0] for line in lines[1:]] == [
        f"**Morelli vs Bob (#{number})**" for number in (3, 2, 1)
    ]
    assert f"Morelli vs Bob (#3)**, in <#{env.channel.id}>: you have until <t:" in lines[1]
    assert "your turn since <t:" in lines[3]
    assert (await show_turns(env, env.bob)).text == "It is not your turn in any match on this server."


@pytest.mark.long
async def test_each_match_has_buttons_to_play_and_a_link(env: BotEnvironment) -> None:
    board = await env.start_match()
    await env.wait_until_idle()
    reply = await show_turns(env)
    assert [button.label for button in reply.buttons] == ["Pick in #1", "Move in #1", "Go to #1"]
    url = f"https://discord.com/channels/{env.guild.id}/{env.channel.id}/{board.id}"
    assert reply.buttons[-1].url == url


@pytest.mark.long
async def test_timed_out_matches_come_first(env: BotEnvironment) -> None:
    await env.start_match(time_control="1d", time_out="claim")
    await env.start_match(time_control="3d")
    await env.advance_time(days=1, hours=1)
    lines = (await show_turns(env)).text.splitlines()
    assert lines[1].startswith("**Morelli vs Bob (#1)**")
    assert "you ran out of time <t:" in lines[1]


@pytest.mark.long
async def test_simultaneous_choice_can_be_made_from_the_list(env: BotEnvironment) -> None:
    await env.start_match(start="fists")
    reply = await show_turns(env, env.bob)
    assert [button.label for button in reply.buttons] == ["Fists in #1", "Go to #1"]
    picks = await env.bob.click(reply, "Fists in #1")
    await env.bob.click(picks, picks.buttons[0].label or "")
    assert "It is not your turn in any match on this server" in (await show_turns(env, env.bob)).text


@pytest.mark.long
async def test_move_can_be_typed_from_the_private_list(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await env.alice.click(await show_turns_privately(env.alice), "Move in #1")
    answer = await env.alice.submit(reply, {"Your move": "C1-D2"})
    assert answer.text == f"Your move in Morelli vs Bob (#1) was played. See <#{env.channel.id}>."
    post = await env.wait_for_board(after=board)
    assert "Alice: **Black C1-D2**" in post.text
    assert env.bob.pings[-1] is post
    assert "It is not your turn in any match." in (await show_turns_privately(env.alice)).text
    await env.wait_until_idle()
    (row,) = [one for one in env.channel.messages if "Black C1-D2" in one.text]
    assert row is post


@pytest.mark.long
async def test_move_can_be_picked_from_the_private_list(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await env.alice.click(await show_turns_privately(env.alice), "Pick in #1")
    while "Confirm" not in [button.label for button in reply.buttons]:
        if reply.selects:
            reply = await env.alice.select(
                reply, reply.selects[0].placeholder or "", [reply.selects[0].options[0].value]
            )
        else:
            reply = await env.alice.click(reply, reply.buttons[0].label or "")
    answer = await env.alice.click(reply, "Confirm")
    assert "Your move in Morelli vs Bob (#1) was played" in answer.text
    assert "Alice: **Black" in (await env.wait_for_board(after=board)).text


@pytest.mark.long
async def test_move_command_works_in_private(env: BotEnvironment) -> None:
    board = await env.start_match()
    choices = await env.alice.autocomplete("move", {"move": "c1-d"}, focused="move", channel=env.alice.dm)
    assert "C1-D2" in [choice.value for choice in choices]
    answer = await env.alice.command("move", {"move": "C1-D2"}, channel=env.alice.dm)
    assert "Your move in Morelli vs Bob (#1) was played" in answer.text
    await env.wait_for_board(after=board)


@pytest.mark.long
async def test_moves_in_private_are_refused_with_the_reason(env: BotEnvironment) -> None:
    await env.start_match()
    listed = await show_turns_privately(env.alice)
    form = await env.alice.click(listed, "Move in #1")
    assert "Nothing was played" in (await env.alice.submit(form, {"Your move": "A1-A1"})).text
    await env.move(env.alice, "C1-D2")
    assert "This is not the latest board" in (await env.alice.click(listed, "Move in #1")).text


async def test_board_command_works_in_private(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.bob.command("board", {}, channel=env.bob.dm)
    assert "**Morelli #1**: Alice (Black)" in reply.text
    eve = env.guild.member("Eve")
    reply = await eve.command("board", {"match": "1"}, channel=eve.dm)
    assert "There is no match #1 that you can see." in reply.text


async def test_analysis_command_works_in_private(env: BotEnvironment) -> None:
    await env.start_match()
    looked = await env.bob.command("board", {}, channel=env.bob.dm)
    opened = await env.bob.click(looked, "What if")
    assert opened.ephemeral
    assert opened.attachments


@pytest.mark.long
async def test_private_list_has_the_matches_of_all_servers(env: BotEnvironment) -> None:
    await env.start_match()
    room = await start_match_elsewhere(env)
    reply = await show_turns_privately(env.alice)
    assert [line.split(",")[0] for line in reply.text.splitlines()[1:]] == [
        f"**Morelli vs Bob (#{number})**" for number in (1, 2)
    ]
    assert f"in <#{room.id}>" in reply.text


@pytest.mark.long
async def test_server_list_mentions_other_servers_and_can_show_them(env: BotEnvironment) -> None:
    await env.start_match()
    await start_match_elsewhere(env)
    reply = await show_turns(env)
    assert "#2" not in reply.text
    assert "One more on another server." in reply.text
    everything = await env.alice.click(reply, "All servers")
    assert everything.updated
    assert "#2" in everything.text
    assert "another server" not in everything.text


@pytest.mark.long
async def test_list_has_pages(env: BotEnvironment) -> None:
    for _ in range(5):
        await env.start_match()
    reply = await show_turns(env)
    assert "-# Page 1 of 2" in reply.text
    assert "#5" not in reply.text
    reply = await env.alice.click(reply, "Next")
    assert "-# Page 2 of 2" in reply.text
    assert "#5" in reply.text
    await env.move(env.alice, "C1-D2", match="5")
    reply = await env.alice.click(reply, "Back")
    assert "#4" in reply.text
    assert "Page" not in reply.text


@pytest.mark.long
async def test_user_installed_bot_works_in_other_servers(env: BotEnvironment) -> None:
    await env.start_match()
    there = env.discord.guild("Without", bot=False)
    room = there.channel("room")
    there.join(env.alice)
    with pytest.raises(ActionNotPossible):
        await env.alice.command("turns", {}, channel=room)
    env.alice.install()
    reply = await env.alice.command("turns", {}, channel=room)
    assert reply.ephemeral
    assert "#1" in reply.text
    form = await env.alice.click(reply, "Move in #1")
    assert "was played" in (await env.alice.submit(form, {"Your move": "C1-D2"})).text
    vacation = await env.alice.command("vacation", {}, channel=room)
    assert vacation.ephemeral
    assert "days of vacation left" in vacation.text
    for command in ("challenge", "replay", "rematch", "note", "conditional"):
        with pytest.raises(ActionNotPossible):
            await env.alice.command(command, {}, channel=room)
