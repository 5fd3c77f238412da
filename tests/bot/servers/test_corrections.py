"""Results corrected or voided by those who run a server, for both players to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import MatchId
from tests.discord_server import NotPossible, Permission

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Message, Reply

WHY = "Alice's cat resigned *for* her."


@pytest.fixture
async def resigned(stage: Stage) -> Message:
    """Give the last post of a match in which Alice, Black, has resigned."""
    await stage.start()
    reply = await stage.alice.command("resign", {}, channel=stage.channel)
    await stage.alice.click(reply, "Resign")
    await stage.quiet()
    return stage.latest


async def correct(stage: Stage, eve: Member, result: str, **options: str) -> Reply:
    given = {"match": "1", "result": result, "reason": WHY, **options}
    return await eve.command("correct", given, channel=stage.channel)


async def test_both_players_are_told_by_whom_and_why(stage: Stage, eve: Member, resigned: Message) -> None:
    reply = await correct(stage, eve, "black")
    assert not reply.ephemeral
    assert reply.shown.id > resigned.id
    assert "has corrected the result of match 1" in reply.text
    assert "**Black (Alice) wins**" in reply.text
    assert r"Alice's cat resigned \*for\* her." in reply.text
    assert eve.mention in reply.text
    assert stage.alice.pings[-1] is reply.message
    assert stage.bob.pings[-1] is reply.message
    assert eve.pings == []


async def test_correction_stands_with_the_match(stage: Stage, eve: Member, resigned: Message) -> None:
    assert "White (Bob) wins" in resigned.text
    await correct(stage, eve, "draw")
    board = await stage.bob.command("board", {"match": "1"}, channel=stage.channel)
    assert "A draw. Those who run the server corrected the result. Eve wrote on" in board.text


async def test_result_is_voided(stage: Stage, eve: Member, resigned: Message) -> None:
    reply = await correct(stage, eve, "none")
    assert reply.shown.id > resigned.id
    assert "has voided the result of match 1" in reply.text
    board = await stage.bob.command("board", {"match": "1"}, channel=stage.channel)
    assert "Those who run the server voided the result." in board.text


async def test_correction_made_elsewhere_is_told_where_the_match_was_played(
    stage: Stage, eve: Member, resigned: Message
) -> None:
    office = stage.guild.channel("office")
    office.allow(eve, Permission.MANAGE_GUILD)
    given = {"match": "1", "result": "draw", "reason": WHY}
    reply = await eve.command("correct", given, channel=office)
    assert reply.ephemeral
    assert reply.text == f"Done; it is posted in <#{stage.channel.id}>."
    await stage.quiet()
    assert office.messages == []
    assert stage.latest.id > resigned.id
    assert "**A draw**" in stage.latest.text
    assert stage.bob.pings[-1] is stage.latest


async def test_correction_that_could_not_be_told_is_told_later_and_once(
    stage: Stage, eve: Member, resigned: Message
) -> None:
    stage.discord.faults.drop("POST", "/interactions/**")
    reply = await correct(stage, eve, "draw")
    assert "**was** taken" in reply.text
    for _ in range(2):
        stage.discord.advance(25)
        await stage.bot.outbox.tick()
    (post,) = [one for one in stage.channel.messages if one.id > resigned.id]
    assert "**A draw**" in post.text


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"result": "white"}, "has that result already"),
        ({"result": "red"}, "red is no result of this match"),
        ({"result": "draw", "match": "7"}, "I know no match 7"),
        ({"result": "draw", "reason": "x" * 301}, "at most 300 characters"),
    ],
)
async def test_correction_is_refused_in_private(
    stage: Stage, eve: Member, resigned: Message, options: dict[str, str], told: str
) -> None:
    reply = await correct(stage, eve, **options)
    assert told in reply.text
    assert reply.ephemeral
    assert stage.latest is resigned


async def test_match_that_goes_on_is_not_corrected(stage: Stage, eve: Member) -> None:
    await stage.start()
    assert "is not over" in (await correct(stage, eve, "draw")).text


async def test_match_of_another_server_is_not_corrected(stage: Stage, resigned: Message) -> None:
    other = stage.discord.guild("Cafe")
    channel, zoe = other.channel("games"), other.member("Zoe")
    channel.allow(zoe, Permission.MANAGE_GUILD)
    given = {"match": "1", "result": "perhaps", "reason": WHY}
    assert "I know no match 1" in (await zoe.command("correct", given, channel=channel)).text
    for focused in ("match", "result"):
        found = await zoe.autocomplete("correct", {"match": "1"}, focused=focused, channel=channel)
        assert found == []
    assert stage.latest is resigned


async def test_matches_and_results_are_proposed(stage: Stage, eve: Member, resigned: Message) -> None:
    assert "White (Bob) wins" in resigned.text
    await stage.start()
    found = await eve.autocomplete("correct", {}, focused="match", channel=stage.channel)
    assert [one.name for one in found] == ["Match 1: Morelli, Alice against Bob"]
    found = await eve.autocomplete("correct", {"match": "1"}, focused="result", channel=stage.channel)
    assert [one.name for one in found] == ["Black (Alice) wins", "White (Bob) wins", "A draw", "No result"]
    assert [one.value for one in found] == ["black", "white", "draw", "none"]


async def test_others_correct_nothing(stage: Stage, resigned: Message) -> None:
    with pytest.raises(NotPossible, match="no command /correct"):
        await correct(stage, stage.alice, "draw")
    for one in stage.discord.commands:
        one["default_member_permissions"] = None
    assert "Manage Server" in (await correct(stage, stage.alice, "draw")).text
    view = await stage.bot.matches.view(MatchId(1), now=stage.bot.now())
    assert view.result is not None
    assert view.result.correction is None
    assert stage.latest is resigned
