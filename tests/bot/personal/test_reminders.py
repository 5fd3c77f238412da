"""Reminders, by each person's own settings, with a clock that the story holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import Person
from tests.bot.stage import bot_over

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Message


async def choose(stage: Stage, person: Member, **menus: list[str]) -> None:
    """Choose in the panel: where, when, how often."""
    hints = {
        "where": "Where you are reminded",
        "when": "When you are reminded",
        "often": "How often that is repeated",
    }
    reply = await person.click(await person.command("preferences", {}, channel=stage.channel), "Reminders")
    for name, values in menus.items():
        reply = await person.select(reply, hints[name], values)


def posts(stage: Stage, since: Message) -> list[str]:
    return [message.text for message in stage.channel.messages if message.id > since.id]


async def test_reminder_comes_by_direct_message_with_all_that_is_needed(stage: Stage) -> None:
    board = await stage.start(pace="4d")
    await stage.pass_time(days=2)
    assert stage.alice.dms == []
    await stage.pass_time(days=1)
    (message,) = stage.alice.dms
    assert message.text.startswith(
        f"**It is your turn** in <#{stage.channel.id}>.\n**Match 1**: Alice (Black)"
    )
    assert "⏳ Alice has until <t:" in message.text
    assert "9 w b b" in (message.attachments[0].description or "")
    labels = [button.label for button in message.buttons]
    assert labels[:2] == ["Pick", "Move"]
    assert labels[-2:] == ["My view", "Go to the match"]
    assert posts(stage, board) == []
    assert stage.bob.dms == []


async def test_move_is_played_from_the_reminder(stage: Stage) -> None:
    board = await stage.start(pace="4d")
    await stage.pass_time(days=3)
    form = await stage.alice.click(stage.alice.dms[0], "Move")
    answer = await stage.alice.submit(form, {"Your move": "C1-D2"})
    assert "Your move in match 1 is taken" in answer.text
    assert "Black C1-D2" in (await stage.board(after=board)).text
    again = await stage.alice.click(stage.alice.dms[0], "Move")
    assert "has moved on since this board" in again.text


async def test_each_step_reminds_once(stage: Stage) -> None:
    await stage.start(pace="4d")
    steps = ["when 50% of your time is left", "6 hours before the deadline"]
    await choose(stage, stage.alice, when=steps)
    heard = []
    for _ in range(16):
        await stage.pass_time(hours=6)
        heard.append(sum(not message.ephemeral for message in stage.alice.dms))
    assert heard[7] == 1
    assert heard[14] == 2
    assert heard == sorted(heard)
    assert heard[-1] == 2


async def test_reminder_survives_restarts_and_comes_from_one_of_two(stage: Stage) -> None:
    await stage.start(pace="4d")
    stage.discord.advance(3 * 24 * 3600 + 60)
    async with bot_over(stage.discord, stage.store) as other:
        await other.outbox.tick()
        await stage.bot.outbox.tick()
        await other.outbox.tick()
    await stage.bot.outbox.tick()
    assert len(stage.alice.dms) == 1


async def test_reminder_may_come_where_the_match_is_played(stage: Stage) -> None:
    board = await stage.start(pace="4d")
    await choose(stage, stage.alice, where=["where the match is played"])
    await stage.pass_time(days=3)
    (text,) = posts(stage, board)
    assert text.startswith(f"{stage.alice.mention}, match 1 waits for your move.\n⏳ Alice has until <t:")
    assert [person.pings[-1].text == text for person in (stage.alice, stage.bob)] == [True, False]
    assert stage.alice.dms == []


async def test_closed_messages_lead_to_the_match_s_place(stage: Stage) -> None:
    board = await stage.start(pace="4d")
    stage.alice.close_dms()
    await stage.pass_time(days=3)
    (text,) = posts(stage, board)
    assert f"{stage.alice.mention}, match 1 waits for your move." in text
    assert stage.alice.pings[-1].text == text
    await stage.pass_time(hours=1)
    assert len(posts(stage, board)) == 1


async def test_reminder_does_not_take_the_place_of_the_latest_board(stage: Stage) -> None:
    board = await stage.start(pace="4d")
    await choose(stage, stage.alice, where=["where the match is played"])
    await stage.pass_time(days=3)
    reply = await stage.alice.command("turns", {}, channel=stage.channel)
    assert (reply.buttons[-1].url or "").endswith(str(board.id))
    looked = await stage.bob.click(stage.latest, "My view")
    assert "Match 1" in looked.text


async def test_who_wants_none_gets_none(stage: Stage) -> None:
    board = await stage.start(pace="4d")
    await choose(stage, stage.alice, where=["not at all"])
    await stage.pass_time(days=3, hours=12)
    assert posts(stage, board) == []
    assert [message for message in stage.alice.dms if not message.ephemeral] == []


async def test_repeats_remind_without_a_clock(stage: Stage) -> None:
    await stage.start()
    await choose(stage, stage.alice, often=["every 2 days while it is your turn"])
    for _ in range(4):
        await stage.pass_time(days=1)
    assert len(stage.alice.dms) == 2
    assert "⏳" not in stage.alice.dms[0].text


async def test_quiet_hours_put_a_reminder_off(stage: Stage) -> None:
    await stage.start(pace="4d")
    now = stage.bot.now()
    quiet = f"{(now.hour - 1) % 24}:00-{(now.hour + 2) % 24}:00"
    await stage.alice.command("preferences", {"quiet": quiet}, channel=stage.channel)
    await stage.pass_time(days=3)
    assert stage.alice.dms == []
    await stage.pass_time(hours=2)
    assert len(stage.alice.dms) == 1


async def test_reminder_of_fists_has_their_button(stage: Stage) -> None:
    await stage.start(start="fists", pace="4d")
    await stage.pass_time(days=3)
    for person in (stage.alice, stage.bob):
        (message,) = person.dms
        labels = [button.label for button in message.buttons]
        assert labels == ["Close your fists", "My view", "Go to the match"]
        picks = await person.click(message, "Close your fists")
        await person.click(picks, picks.buttons[0].label or "")
    await stage.quiet()
    assert "The fists open" in stage.latest.text


async def test_fists_are_reminded_of_in_public_too(stage: Stage) -> None:
    await stage.start(start="fists", pace="4d")
    stage.bob.close_dms()
    await stage.pass_time(days=3)
    assert stage.latest.text.startswith(f"{stage.bob.mention}, match 1 waits for you to close your fists.")


async def test_reminder_that_is_overtaken_by_a_move_is_dropped(stage: Stage) -> None:
    await stage.start(pace="4d")
    stage.discord.advance(3 * 24 * 3600 + 60)
    with stage.discord.faults.refuse("POST", "/users/@me/channels", status=503, times=None) as fault:
        await stage.bot.outbox.tick()
    assert fault.hits > 0
    await stage.move(stage.alice, "C1-D2")
    await stage.pass_time(hours=1)
    assert stage.alice.dms == []


async def test_vacation_is_left_in_peace(stage: Stage) -> None:
    await stage.start(pace="4d")
    await stage.pass_time(days=2)
    alice = Person(f"discord:{stage.alice.id}", "Alice")
    await stage.bot.matches.clocks.begin_vacation(alice, now=stage.bot.now())
    await stage.pass_time(days=5)
    assert stage.alice.dms == []
