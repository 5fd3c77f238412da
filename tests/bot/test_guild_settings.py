"""The settings of a guild: the ephemeral panel for managers, and the effects of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.environment import BotEnvironment, running_bot
from tests.databases import open_database
from tests.discord_server import ActionNotPossible, Member, Permission, Reply

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import DiscordServer

PLACE, GAME, PACE = "Where matches are played", "Usual game", "Usual time control"


async def open_panel(env: BotEnvironment, eve: Member) -> Reply:
    """Use /settings as Eve."""
    return await eve.command("settings", {}, channel=env.channel)


def selected_values(reply: Reply) -> list[str]:
    """Return the selected values of the panel's selects."""
    return [option.label for menu in reply.selects for option in menu.options if option.default]


async def test_panel_is_ephemeral_and_shows_all_settings(env: BotEnvironment, eve: Member) -> None:
    reply = await open_panel(env, eve)
    assert reply.ephemeral
    assert "in the channel of the challenge" in reply.text
    assert "Usual game: **Morelli**" in reply.text
    assert "**No clock**" in reply.text
    assert "Excluded players: nobody" in reply.text
    assert selected_values(reply) == [
        *("in the channel of the challenge", "Morelli", "No clock", "members only"),
    ]


@pytest.mark.long
async def test_new_server_plays_three_days_a_move_with_reminders(env: BotEnvironment) -> None:
    new = env.discord.guild("New")
    channel, ann, ben = new.channel("games"), new.member("Ann"), new.member("Ben")
    options = {"opponent": ben, "colour": "black", "start": "facing"}
    challenge = await ann.command("challenge", options, channel=channel)
    assert "\n3 days per move · on time-out the opponent may claim the win · rated\n" in challenge.text
    await ben.click(challenge, "Accept")
    await env.advance_time(days=2)
    assert ann.dms == []
    await env.advance_time(hours=7)  # a quarter of the time is left
    assert "**Morelli vs Ben (#1): your turn**" in ann.dms[0].text


async def test_selects_change_settings(env: BotEnvironment, eve: Member) -> None:
    reply = await open_panel(env, eve)
    await eve.select(reply, PLACE, ["each in its own thread"])
    await eve.select(reply, GAME, ["Morphos"])
    last = await eve.select(reply, PACE, ["3 days per move"])
    assert last.updated
    assert selected_values(last) == [
        *("each in its own thread", "Morphos", "3 days per move", "members only"),
    ]
    assert selected_values(await open_panel(env, eve)) == selected_values(last)


async def test_any_time_control_can_be_typed(env: BotEnvironment, eve: Member) -> None:
    form = await eve.click(await open_panel(env, eve), "Other time control")
    reply = await eve.submit(form, {"Time control": "6d"})
    assert "**6 days per move**" in reply.text
    assert selected_values(reply)[-2] == "6 days per move"


async def test_invalid_time_control_is_refused_in_private(env: BotEnvironment, eve: Member) -> None:
    form = await eve.click(await open_panel(env, eve), "Other time control")
    reply = await eve.submit(form, {"Time control": "soon"})
    assert reply.ephemeral
    assert "soon" in reply.text
    assert "**No clock**" in (await open_panel(env, eve)).text


@pytest.mark.long
async def test_panel_works_after_a_restart(discord: DiscordServer, database_file: Path) -> None:
    guild = discord.guild("Salon")
    channel, eve = guild.channel("games"), guild.member("Eve")
    channel.allow(eve, Permission.MANAGE_GUILD)
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database:
        async with running_bot(discord, database):
            reply = await eve.command("settings", {}, channel=channel)
        async with running_bot(discord, database):
            again = await eve.select(reply, GAME, ["Morabaraba"])
            assert "Usual game: **Morabaraba**" in again.text


async def test_command_is_hidden_from_others(env: BotEnvironment) -> None:
    with pytest.raises(ActionNotPossible, match="no command /settings"):
        await env.alice.command("settings", {}, channel=env.channel)


@pytest.mark.parametrize("menu", [PLACE, GAME, PACE])
async def test_former_managers_cannot_change_settings(env: BotEnvironment, eve: Member, menu: str) -> None:
    reply = await open_panel(env, eve)
    env.channel.deny(eve, Permission.MANAGE_GUILD)
    option = next(one for one in reply.selects if one.placeholder == menu).options[1]
    refused = await eve.select(reply, menu, [option.value])
    assert "Manage Server" in refused.text
    assert refused.ephemeral
    assert not refused.updated
    refused = await eve.click(reply, "Other time control")
    assert "Manage Server" in refused.text


async def test_permission_is_checked_even_if_discord_allows_the_command(env: BotEnvironment) -> None:
    """Guild managers can allow others to use a command in Discord; the bot still requires the permission."""
    for command in env.discord.commands:
        command["default_member_permissions"] = None
    reply = await env.alice.command("settings", {}, channel=env.channel)
    assert "Manage Server" in reply.text
    assert not reply.selects


async def test_challenge_without_a_game_uses_the_default_game(env: BotEnvironment, eve: Member) -> None:
    await eve.select(await open_panel(env, eve), GAME, ["Morabaraba"])
    assert (
        "game of **Morabaraba**"
        in (await env.alice.command("challenge", {"opponent": env.bob}, channel=env.channel)).text
    )
    assert "game of **Morphos**" in (await env.make_challenge(game="morphos")).text


async def test_options_of_the_default_game_are_suggested(env: BotEnvironment, eve: Member) -> None:
    await eve.select(await open_panel(env, eve), GAME, ["Morabaraba"])
    found = await env.alice.autocomplete("challenge", {}, focused="colour", channel=env.channel)
    assert [one.name for one in found] == ["Random", "White", "Red"]
    found = await env.alice.autocomplete("challenge", {}, focused="men", channel=env.channel)
    assert [one.value for one in found] == ["12", "11"]


async def test_challenge_without_a_time_control_uses_the_default(env: BotEnvironment, eve: Member) -> None:
    await eve.select(await open_panel(env, eve), PACE, ["7 days per move"])
    await env.start_match()
    (match,) = await env.bot.matches.views.list_recent(f"discord:{env.guild.id}")
    assert str(match.terms.time_control) == "7d per move"


async def test_each_server_has_its_own_settings(env: BotEnvironment, eve: Member) -> None:
    other = env.discord.guild("Cafe")
    channel, zoe = other.channel("games"), other.member("Zoe")
    channel.allow(zoe, Permission.MANAGE_GUILD)
    await eve.select(await open_panel(env, eve), GAME, ["Morphos"])
    assert "Usual game: **Morelli**" in (await zoe.command("settings", {}, channel=channel)).text
