"""Reminders, according to each user's preferences, with a controlled clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Person
from tests.bot.environment import labels, running_bot

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message


async def choose_reminders(env: BotEnvironment, person: Member, **menus: list[str]) -> None:
    """Select in the panel where, when and how often to be reminded."""
    hints = {
        "where": "Reminders: choose how",
        "when": "When to remind you",
        "often": "How often to repeat it",
    }
    reply = await person.click(await person.command("preferences", {}, channel=env.channel), "Notices")
    for name, values in menus.items():
        if name == "where":
            reply = await person.select(reply, "What to be told about", ["Reminders"])
        reply = await person.select(reply, hints[name], values)


def posts(env: BotEnvironment, since: Message) -> list[str]:
    """Return the texts of the channel's posts after a message."""
    return [message.text for message in env.channel.messages if message.id > since.id]


@pytest.mark.long
async def test_reminder_is_a_complete_direct_message(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="4d")
    await env.advance_time(days=2)
    assert env.alice.dms == []
    await env.advance_time(days=1)
    (message,) = env.alice.dms
    assert message.text.startswith(
        f"**Morelli vs Bob (#1): your turn** in <#{env.channel.id}>.\n**Morelli #1**: Alice (Black)"
    )
    assert "⏳ Alice has until <t:" in message.text
    assert "9 w b b" in (message.attachments[0].description or "")
    labels = [button.label for button in message.buttons]
    assert labels[:2] == ["Pick", "Move"]
    assert labels[-2:] == ["My view", "Go to the match"]
    assert posts(env, board) == []
    assert env.bob.dms == []


@pytest.mark.long
async def test_move_can_be_played_from_the_reminder(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="4d")
    await env.advance_time(days=3)
    form = await env.alice.click(env.alice.dms[0], "Move")
    answer = await env.alice.submit(form, {"Your move": "C1-D2"})
    assert "Your move in Morelli vs Bob (#1) was played" in answer.text
    assert "Black C1-D2" in (await env.wait_for_board(after=board)).text
    again = await env.alice.click(env.alice.dms[0], "Move")
    assert "This is not the latest board" in again.text


@pytest.mark.long
async def test_each_reminder_time_sends_one_reminder(env: BotEnvironment) -> None:
    await env.start_match(time_control="4d")
    steps = ["with 50% of your time left", "6 hours before the deadline"]
    await choose_reminders(env, env.alice, when=steps)
    counts = []
    for _ in range(16):
        await env.advance_time(hours=6)
        counts.append(sum(not message.ephemeral for message in env.alice.dms))
    assert counts[7] == 1
    assert counts[14] == 2
    assert counts == sorted(counts)
    assert counts[-1] == 2


@pytest.mark.long
async def test_reminder_survives_a_restart_and_is_sent_by_one_of_two_bots(env: BotEnvironment) -> None:
    await env.start_match(time_control="4d")
    env.discord.advance(3 * 24 * 3600 + 60)
    async with running_bot(env.discord, env.database) as other:
        await other.outbox.run_once()
        await env.bot.outbox.run_once()
        await other.outbox.run_once()
    await env.bot.outbox.run_once()
    assert len(env.alice.dms) == 1


async def test_reminder_can_be_posted_in_the_channel_of_the_match(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="4d")
    await choose_reminders(env, env.alice, where=["mention in the channel"])
    await env.advance_time(days=3)
    (text,) = posts(env, board)
    assert text.startswith(
        f"{env.alice.mention}, it is your turn in Morelli vs Bob (#1).\n⏳ Alice has until <t:"
    )
    assert [person.pings[-1].text == text for person in (env.alice, env.bob)] == [True, False]
    assert env.alice.dms == []


@pytest.mark.long
async def test_reminder_in_the_channel_has_the_buttons_to_play(env: BotEnvironment) -> None:
    await env.start_match(time_control="4d")
    await choose_reminders(env, env.alice, where=["mention in the channel"])
    await env.advance_time(days=3)
    reminder = env.latest_message
    assert labels(reminder) == ["Pick", "Move", "My view"]
    assert "It is Alice's turn" in (await env.bob.click(reminder, "Move")).text
    reply = await env.submit_move(env.alice, reminder, "C1-D2")
    assert "Black C1-D2" in reply.text
    assert "newer board" in (await env.bob.click(reminder, "Pick")).text


async def test_reminder_is_posted_in_the_channel_if_dms_are_closed(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="4d")
    env.alice.close_dms()
    await env.advance_time(days=3)
    (text,) = posts(env, board)
    assert f"{env.alice.mention}, it is your turn in Morelli vs Bob (#1)." in text
    assert env.alice.pings[-1].text == text
    await env.advance_time(hours=1)
    assert len(posts(env, board)) == 1


@pytest.mark.long
async def test_reminder_does_not_replace_the_latest_board(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="4d")
    await choose_reminders(env, env.alice, where=["mention in the channel"])
    await env.advance_time(days=3)
    reply = await env.alice.command("turns", {}, channel=env.channel)
    assert (reply.buttons[-1].url or "").endswith(str(board.id))
    looked = await env.bob.click(env.latest_message, "My view")
    assert "Morelli #1" in looked.text


@pytest.mark.long
async def test_disabled_reminders_are_not_sent(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="4d")
    await choose_reminders(env, env.alice, where=[])
    await env.advance_time(days=3, hours=12)
    assert posts(env, board) == []
    assert [message for message in env.alice.dms if not message.ephemeral] == []


@pytest.mark.long
async def test_repeated_reminders_need_no_clock(env: BotEnvironment) -> None:
    await env.start_match()
    await choose_reminders(env, env.alice, often=["every 2 days while it is your turn"])
    for _ in range(4):
        await env.advance_time(days=1)
    assert len(env.alice.dms) == 2
    assert "⏳" not in env.alice.dms[0].text


async def test_quiet_hours_delay_a_reminder(env: BotEnvironment) -> None:
    await env.start_match(time_control="4d")
    now = env.bot.now()
    quiet = f"{(now.hour - 1) % 24}:00-{(now.hour + 2) % 24}:00"
    await env.alice.command("preferences", {"quiet": quiet}, channel=env.channel)
    await env.advance_time(days=3)
    assert env.alice.dms == []
    await env.advance_time(hours=2)
    assert len(env.alice.dms) == 1


@pytest.mark.long
async def test_reminder_of_the_simultaneous_choice_has_its_button(env: BotEnvironment) -> None:
    await env.start_match(start="fists", time_control="4d")
    await env.advance_time(days=3)
    for person in (env.alice, env.bob):
        (message,) = person.dms
        labels = [button.label for button in message.buttons]
        assert labels == ["Close your fists", "My view", "Go to the match"]
        picks = await person.click(message, "Close your fists")
        await person.click(picks, picks.buttons[0].label or "")
    await env.wait_until_idle()
    assert "The fists open" in env.latest_message.text


async def test_simultaneous_choice_can_be_reminded_of_in_the_channel(env: BotEnvironment) -> None:
    await env.start_match(start="fists", time_control="4d")
    env.bob.close_dms()
    await env.advance_time(days=3)
    assert env.latest_message.text.startswith(
        f"{env.bob.mention}, close your fists in Morelli vs Alice (#1)."
    )


@pytest.mark.long
async def test_reminder_is_dropped_after_a_move(env: BotEnvironment) -> None:
    await env.start_match(time_control="4d")
    env.discord.advance(3 * 24 * 3600 + 60)
    with env.discord.faults.refuse("POST", "/users/@me/channels", status=503, times=None) as fault:
        await env.bot.outbox.run_once()
    assert fault.hits > 0
    await env.move(env.alice, "C1-D2")
    await env.advance_time(hours=1)
    assert env.alice.dms == []


@pytest.mark.long
async def test_no_reminders_are_sent_during_a_vacation(env: BotEnvironment) -> None:
    await env.start_match(time_control="4d")
    await env.advance_time(days=2)
    alice = Person(f"discord:{env.alice.id}", "Alice")
    await env.bot.matches.clocks.vacations.begin(alice, now=env.bot.now())
    await env.advance_time(days=5)
    assert env.alice.dms == []
