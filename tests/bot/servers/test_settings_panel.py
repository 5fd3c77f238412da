"""The settings of a server: a private panel for those who run it, and what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Store
from tests.bot.stage import Stage, bot_over
from tests.discord_server import Member, NotPossible, Permission, Reply

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import DiscordServer

PLACE, GAME, PACE = "Where matches are played", "The usual game", "The usual pace"


async def panel(stage: Stage, eve: Member) -> Reply:
    return await eve.command("settings", {}, channel=stage.channel)


def chosen(reply: Reply) -> list[str]:
    return [option.label for menu in reply.selects for option in menu.options if option.default]


async def test_panel_is_private_and_tells_how_all_is_settled(stage: Stage, eve: Member) -> None:
    reply = await panel(stage, eve)
    assert reply.ephemeral
    assert "in the channel where the challenge stands" in reply.text
    assert "names none: **Morelli**" in reply.text
    assert "**No clock**" in reply.text
    assert "Kept out of new matches: nobody" in reply.text
    assert chosen(reply) == ["in the channel where the challenge stands", "Morelli", "No clock"]


async def test_menus_settle_it(stage: Stage, eve: Member) -> None:
    reply = await panel(stage, eve)
    await eve.select(reply, PLACE, ["each in a thread of its own"])
    await eve.select(reply, GAME, ["Morphos"])
    last = await eve.select(reply, PACE, ["3 days per move"])
    assert last.updated
    assert chosen(last) == ["each in a thread of its own", "Morphos", "3 days per move"]
    assert chosen(await panel(stage, eve)) == chosen(last)


async def test_any_pace_can_be_typed(stage: Stage, eve: Member) -> None:
    form = await eve.click(await panel(stage, eve), "Another pace")
    reply = await eve.submit(form, {"Pace": "6d"})
    assert "**6 days per move**" in reply.text
    assert chosen(reply)[-1] == "6 days per move"


async def test_pace_that_is_none_is_told_in_private(stage: Stage, eve: Member) -> None:
    form = await eve.click(await panel(stage, eve), "Another pace")
    reply = await eve.submit(form, {"Pace": "soon"})
    assert reply.ephemeral
    assert "soon" in reply.text
    assert "**No clock**" in (await panel(stage, eve)).text


async def test_panel_works_after_a_restart(discord: DiscordServer, database: Path) -> None:
    guild = discord.guild("Salon")
    channel, eve = guild.channel("games"), guild.member("Eve")
    channel.allow(eve, Permission.MANAGE_GUILD)
    async with await Store.open(f"sqlite+aiosqlite:///{database}") as store:
        async with bot_over(discord, store):
            reply = await eve.command("settings", {}, channel=channel)
        async with bot_over(discord, store):
            again = await eve.select(reply, GAME, ["Morabaraba"])
            assert "names none: **Morabaraba**" in again.text


async def test_others_are_not_shown_the_command(stage: Stage) -> None:
    with pytest.raises(NotPossible, match="no command /settings"):
        await stage.alice.command("settings", {}, channel=stage.channel)


@pytest.mark.parametrize("menu", [PLACE, GAME, PACE])
async def test_whoever_runs_the_server_no_more_settles_nothing(stage: Stage, eve: Member, menu: str) -> None:
    reply = await panel(stage, eve)
    stage.channel.deny(eve, Permission.MANAGE_GUILD)
    option = next(one for one in reply.selects if one.placeholder == menu).options[1]
    refused = await eve.select(reply, menu, [option.value])
    assert "Manage Server" in refused.text
    assert refused.ephemeral
    assert not refused.updated
    refused = await eve.click(reply, "Another pace")
    assert "Manage Server" in refused.text


async def test_permission_is_asked_again_where_discord_lets_others_use_a_command(stage: Stage) -> None:
    """Discord lets those who run a server hand a command to others; what it does stays theirs."""
    for command in stage.discord.commands:
        command["default_member_permissions"] = None
    reply = await stage.alice.command("settings", {}, channel=stage.channel)
    assert "Manage Server" in reply.text
    assert not reply.selects


async def test_challenge_that_names_no_game_is_of_the_usual_one(stage: Stage, eve: Member) -> None:
    await eve.select(await panel(stage, eve), GAME, ["Morabaraba"])
    assert (
        "game of **Morabaraba**"
        in (await stage.alice.command("challenge", {"opponent": stage.bob}, channel=stage.channel)).text
    )
    assert "game of **Morphos**" in (await stage.challenge(game="morphos")).text


async def test_options_are_proposed_for_the_usual_game(stage: Stage, eve: Member) -> None:
    await eve.select(await panel(stage, eve), GAME, ["Morabaraba"])
    found = await stage.alice.autocomplete("challenge", {}, focused="colour", channel=stage.channel)
    assert [one.name for one in found] == ["Drawn by lot", "White", "Red"]
    found = await stage.alice.autocomplete("challenge", {}, focused="men", channel=stage.channel)
    assert [one.value for one in found] == ["12", "11"]


async def test_challenge_that_names_no_pace_has_the_usual_one(stage: Stage, eve: Member) -> None:
    await eve.select(await panel(stage, eve), PACE, ["7 days per move"])
    await stage.start()
    (match,) = await stage.bot.matches.recent(f"discord:{stage.guild.id}", now=stage.bot.now())
    assert str(match.terms.pace) == "7d per move"


async def test_servers_have_settings_of_their_own(stage: Stage, eve: Member) -> None:
    other = stage.discord.guild("Cafe")
    channel, zoe = other.channel("games"), other.member("Zoe")
    channel.allow(zoe, Permission.MANAGE_GUILD)
    await eve.select(await panel(stage, eve), GAME, ["Morphos"])
    assert "names none: **Morelli**" in (await zoe.command("settings", {}, channel=channel)).text
