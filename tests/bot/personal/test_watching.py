"""``/watch`` and ``/unwatch``: matches followed by direct messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.stage import bot_over

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Reply


@pytest.fixture
def eve(stage: Stage) -> Member:
    return stage.guild.member("Eve")


async def watch(stage: Stage, person: Member, **options: str) -> Reply:
    return await person.command("watch", options, channel=stage.channel)


async def letters(stage: Stage, person: Member) -> list[str]:
    """Give what a person has been written to since they followed their first match."""
    await stage.quiet()
    await stage.bot.outbox.tick()
    return [message.text for message in person.dms if not message.ephemeral][1:]


async def test_following_is_told_by_the_first_message(stage: Stage, eve: Member) -> None:
    await stage.start()
    reply = await watch(stage, eve)
    assert reply.text == "You follow match 1: I write to you at each turn. /unwatch ends that."
    assert reply.ephemeral
    (hello,) = eve.dms
    assert hello.text == "You follow match 1: I write to you here at each turn."
    assert [button.label for button in hello.buttons] == ["Unwatch"]


async def test_each_turn_is_told_with_a_picture(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve)
    await stage.move(stage.alice, "C1-D2")
    (text,) = await letters(stage, eve)
    assert "**Match 1**: Alice (Black) \u2013 Bob (White)" in text
    assert "Black C1-D2. Bob (White) is to move." in text
    message = eve.dms[-1]
    assert "Black C1-D2" in (message.attachments[0].description or "")
    assert [button.label for button in message.buttons] == ["My view", "Unwatch", "Go to the match"]
    assert eve.pings == []
    assert len(stage.bob.pings) == 2  # of the challenge and of the turn, as ever


async def test_turn_is_looked_at_again_from_the_message(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve)
    await stage.move(stage.alice, "C1-D2")
    await letters(stage, eve)
    reply = await eve.click(eve.dms[-1], "My view")
    assert reply.ephemeral
    assert "Black C1-D2. Bob (White) is to move." in reply.text


async def test_turn_still_costs_the_player_one_request(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve)
    await stage.quiet()
    before = len(stage.requests())
    await stage.move(stage.alice, "C1-D2")
    await stage.quiet()
    assert [one.split()[0] for one in stage.requests()[before:]] == ["POST"]


async def test_end_is_told_and_nothing_after_it(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve, when="at the end")
    await stage.move(stage.alice, "C1-D2")
    assert await letters(stage, eve) == []
    await stage.bob.click(await stage.bob.command("resign", {}, channel=stage.channel), "Resign")
    (text,) = await letters(stage, eve)
    assert "Black (Alice) wins. Bob resigns." in text
    assert [button.label for button in eve.dms[-1].buttons] == ["My view", "Go to the match"]
    assert "You follow no match" in (await eve.command("unwatch", {}, channel=eve.dm)).text


async def test_fists_stay_closed_to_followers(stage: Stage, eve: Member) -> None:
    fists = await stage.start(start="fists")
    await watch(stage, eve)
    picks = await stage.alice.click(fists, "Close your fists")
    await stage.alice.click(picks, picks.buttons[0].label or "")
    assert await letters(stage, eve) == []
    picks = await stage.bob.click(fists, "Close your fists")
    await stage.bob.click(picks, picks.buttons[0].label or "")
    (text,) = await letters(stage, eve)
    assert "is to move" in text


async def test_player_follows_the_other(stage: Stage) -> None:
    await stage.start()
    await watch(stage, stage.bob)
    await stage.move(stage.alice, "C1-D2")
    await stage.move(stage.bob, "A2-B3")
    (text,) = await letters(stage, stage.bob)
    assert "Black C1-D2" in text


async def test_unwatch_under_a_message_ends_it(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve)
    reply = await eve.click(eve.dms[0], "Unwatch")
    assert reply.text == "You follow match 1 no longer."
    await stage.move(stage.alice, "C1-D2")
    assert await letters(stage, eve) == []
    assert "You do not follow match 1." in (await eve.click(eve.dms[0], "Unwatch")).text


async def test_unwatch_names_a_match_or_lists_them(stage: Stage, eve: Member) -> None:
    for number in ("1", "2", "3"):
        await stage.start()
        await watch(stage, eve, match=number, when="once a day" if number == "2" else "at each turn")
    choices = await eve.autocomplete("unwatch", {"match": ""}, focused="match", channel=eve.dm)
    assert [choice.value for choice in choices] == ["1", "2", "3"]
    assert (
        "You follow match 3 no longer."
        in (await eve.command("unwatch", {"match": "3"}, channel=stage.channel)).text
    )
    listed = await eve.command("unwatch", {}, channel=eve.dm)
    assert "**Matches that you follow**\n[Match 1](" in listed.text
    assert "Alice \u2013 Bob, once a day" in listed.text
    left = await eve.select(listed, "Follow no longer", ["1"])
    assert "[Match 1]" not in left.text
    assert "[Match 2]" in left.text
    assert "You follow no match." in (await eve.select(left, "Follow no longer", ["2"])).text


async def test_who_takes_no_messages_follows_nothing(stage: Stage, eve: Member) -> None:
    await stage.start()
    eve.close_dms()
    reply = await watch(stage, eve)
    assert "I cannot write to you" in reply.text
    assert reply.ephemeral
    assert "You follow no match." in (await eve.command("unwatch", {}, channel=stage.channel)).text


async def test_who_takes_no_more_messages_follows_no_more(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve)
    eve.close_dms()
    await stage.move(stage.alice, "C1-D2")
    assert await letters(stage, eve) == []
    eve.open_dms()
    assert await letters(stage, eve) == []
    assert "You follow no match." in (await eve.command("unwatch", {}, channel=stage.channel)).text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"match": "7"}, "I know no match 7 here."),
        ({"match": "seven"}, "seven is no number of a match."),
        (
            {"when": "hourly"},
            "hourly is no time for me to write. Choose at each turn, once a day or at the end.",
        ),
    ],
)
async def test_what_cannot_be_is_told(
    stage: Stage, eve: Member, options: dict[str, str], sentence: str
) -> None:
    await stage.start()
    assert sentence in (await watch(stage, eve, **options)).text
    assert eve.dms == []


async def test_match_is_chosen_where_several_go_on(stage: Stage, eve: Member) -> None:
    assert "No match goes on in this channel." in (await watch(stage, eve)).text
    await stage.start()
    await stage.start()
    assert "Several matches fit" in (await watch(stage, eve)).text
    choices = await eve.autocomplete("watch", {"match": "2"}, focused="match", channel=stage.channel)
    assert [(choice.name, choice.value) for choice in choices] == [
        ("Match 2: Morelli, Alice \u2013 Bob", "2")
    ]
    ways = await eve.autocomplete("watch", {"when": ""}, focused="when", channel=stage.channel)
    assert [choice.name for choice in ways] == ["at each turn", "once a day", "at the end"]


async def test_what_is_over_or_hidden_cannot_be_followed(stage: Stage, eve: Member) -> None:
    await stage.start()
    await stage.bob.click(await stage.bob.command("resign", {}, channel=stage.channel), "Resign")
    assert "Match 1 is over" in (await watch(stage, eve, match="1")).text
    hidden = stage.guild.channel("hidden")
    hidden.hide_from(eve)
    asked = {"opponent": stage.bob, "board": "9", "start": "facing"}
    await stage.bob.click(await stage.alice.command("challenge", asked, channel=hidden), "Accept")
    assert "I know no match 2 here." in (await watch(stage, eve, match="2")).text


async def test_digest_comes_once_a_day(stage: Stage, eve: Member) -> None:
    await stage.start()
    await stage.start()
    await watch(stage, eve, match="1", when="daily")
    await watch(stage, eve, match="2", when="daily")
    await stage.move(stage.alice, "C1-D2", match="1")
    await stage.move(stage.bob, "A2-B3", match="1")
    await stage.pass_time(days=1)
    (text,) = (await letters(stage, eve))[1:]
    assert "**Matches that you follow, in the last day**\n[**Match 1**](" in text
    assert "Alice \u2013 Bob, 2 moves: White A2-B3. Alice (Black) is to move." in text
    assert "Match 2" not in text
    listed = await eve.click(eve.dms[-1], "What I follow")
    assert "once a day" in listed.text
    await stage.pass_time(days=1)
    assert len(await letters(stage, eve)) == 2


async def test_message_that_was_lost_comes_later_and_once(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve)
    await stage.move(stage.alice, "C1-D2")
    with stage.discord.faults.refuse("POST", f"/channels/{eve.dm.id}/messages", status=503, times=None):
        assert await letters(stage, eve) == []
    await stage.pass_time(minutes=1)
    assert len(eve.dms) == 2
    await stage.pass_time(minutes=5)
    assert len(eve.dms) == 2


async def test_message_whose_answer_was_lost_is_not_repeated(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve)
    await stage.move(stage.alice, "C1-D2")
    await stage.quiet()
    route = f"/channels/{eve.dm.id}/messages"
    with stage.discord.faults.drop("POST", route, when_done=True, times=None) as fault:
        await stage.bot.outbox.tick()
    assert fault.hits > 0
    before = len(eve.dms)
    assert before > 1
    for _ in range(3):
        await stage.pass_time(hours=2)
    assert len(eve.dms) == before


async def test_message_that_is_due_is_sent_after_a_restart_by_one_of_two(stage: Stage, eve: Member) -> None:
    await stage.start()
    await watch(stage, eve)
    await stage.move(stage.alice, "C1-D2")
    await stage.quiet()
    async with bot_over(stage.discord, stage.store) as other:
        await other.outbox.tick()
        await stage.bot.outbox.tick()
    assert len(eve.dms) == 2
