"""Buttons and selects."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import discord
import pytest

from tests.discord_server import DEFAULT, ActionNotPossible, Permission
from tests.loopback.bot import PNG, CounterButton, picture, running_bot

if TYPE_CHECKING:
    from tests.discord_server import Reply
    from tests.loopback.conftest import LoopbackEnvironment


async def panel(env: LoopbackEnvironment) -> Reply:
    """Open the panel as Alice."""
    return await env.alice.command("panel", channel=env.channel)


async def test_update_edits_the_clicked_message(env: LoopbackEnvironment) -> None:
    shown = await panel(env)
    reply = await env.bob.click(shown, "Update")
    assert reply.updated
    assert reply.message is shown.message
    assert (shown.content, [one.filename for one in shown.attachments]) == ("updated", ["new.png"])
    assert len(env.channel.messages) == 1


async def test_button_is_found_by_label_or_custom_id(env: LoopbackEnvironment) -> None:
    shown = await panel(env)
    for name in ("Whisper", "panel:whisper"):
        assert (await env.bob.click(shown, name)).content == "psst"


async def test_ephemeral_response_is_visible_to_its_addressee_only(env: LoopbackEnvironment) -> None:
    whisper = await env.bob.click(await panel(env), "Whisper")
    assert whisper.ephemeral
    assert whisper.message in env.bob.visible_messages(env.channel)
    assert whisper.message not in env.alice.visible_messages(env.channel)
    assert whisper.message not in env.channel.messages
    assert whisper.message not in env.discord.posts


async def test_components_of_an_invisible_message_cannot_be_used(env: LoopbackEnvironment) -> None:
    whisper = await env.bob.click(await panel(env), "Whisper")
    with pytest.raises(ActionNotPossible, match="Alice cannot see"):
        await env.alice.click(whisper, "Update")
    assert (await env.bob.click(whisper, "Update")).content == "updated"


@pytest.mark.parametrize(
    ("button", "reason"),
    [("Off", "disabled"), ("Page", "is a link"), ("Dance", "no button 'Dance'; there are: Update, Whisper")],
)
async def test_disabled_missing_and_link_buttons_cannot_be_clicked(
    env: LoopbackEnvironment, button: str, reason: str
) -> None:
    shown = await panel(env)
    with pytest.raises(ActionNotPossible, match=reason):
        await env.bob.click(shown, button)


async def test_components_of_a_deleted_message_cannot_be_used(env: LoopbackEnvironment) -> None:
    shown = await panel(env)
    assert shown.message is not None
    await env.bot.http.delete_message(env.channel.id, shown.message.id)
    with pytest.raises(ActionNotPossible, match="cannot see"):
        await env.bob.click(shown, "Update")


async def test_deferred_update_is_completed_later(env: LoopbackEnvironment) -> None:
    shown = await panel(env)
    reply = await env.bob.click(shown, "Later")
    assert reply.deferred
    await reply.wait_until_complete()
    assert shown.content == "changed later"


async def test_select_accepts_labels_and_values(env: LoopbackEnvironment) -> None:
    shown = await panel(env)
    await env.bob.select(shown, "Stone", ["Left", "E1"])
    assert shown.content == "stones ['D1', 'E1']"


@pytest.mark.parametrize(
    ("menu", "values", "reason"),
    [
        ("Stone", ["F1"], "no entry 'F1'; there are: Left, Right"),
        ("Stone", [], "takes 1 to 2 entries"),
        ("Piece", ["Left"], "no menu 'Piece'; there are: Stone"),
    ],
)
async def test_invalid_selections_are_not_sent(
    env: LoopbackEnvironment, menu: str, values: list[str], reason: str
) -> None:
    shown = await panel(env)
    with pytest.raises(ActionNotPossible, match=reason):
        await env.bob.select(shown, menu, values)


async def test_members_can_be_selected(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    menu: discord.ui.UserSelect[Any] = discord.ui.UserSelect(placeholder="Whom")

    async def chosen(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"chose {menu.values[0].mention}")

    menu.callback = chosen  # type: ignore[method-assign]
    await handed.interaction.response.send_message("choose", view=discord.ui.View().add_item(menu))
    reply = await env.alice.select(await handed.waiting, "Whom", [env.bob])
    assert reply.content == f"chose {env.bob.mention}"


async def test_dynamic_items_survive_a_restart(env: LoopbackEnvironment) -> None:
    shown = await env.alice.command("count", channel=env.channel)
    await env.alice.click(shown, "Count 0")
    await env.bot.close()
    async with running_bot(env.discord):
        await env.bob.click(shown, "Count 1")
    assert shown.content == "counted 2"


async def test_two_simultaneous_clicks_both_arrive(env: LoopbackEnvironment) -> None:
    shown = await env.alice.command("count", channel=env.channel)
    replies = await asyncio.gather(
        env.alice.click(shown, "Count 0"), env.bob.click(shown, "Count 0"), return_exceptions=False
    )
    assert [one.updated for one in replies] == [True, True]
    assert shown.content == "counted 1"


async def test_components_of_version_2_are_displayed(env: LoopbackEnvironment) -> None:
    view = discord.ui.LayoutView()
    board: discord.ui.Container[Any] = discord.ui.Container(accent_colour=0x336699)
    board.add_item(discord.ui.TextDisplay(f"White to move {env.bob.mention}"))
    board.add_item(
        discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="alt"))
    )
    board.add_item(discord.ui.Separator())
    board.add_item(
        discord.ui.Section(
            "Rules", accessory=discord.ui.Thumbnail("attachment://board.png", description="alt")
        )
    )
    board.add_item(discord.ui.ActionRow(CounterButton(7).item))
    view.add_item(board)
    view.add_item(discord.ui.File("attachment://board.png"))
    handed = await env.hand()
    await handed.interaction.response.send_message(view=view, file=picture())
    reply = await handed.waiting
    assert reply.text == f"White to move {env.bob.mention}\nRules"
    assert reply.attachments[0].data == PNG
    assert [one.label for one in reply.buttons] == ["Count 7"]
    gallery = next(part for _, part in reply.shown.parts() if part["type"] == 12)
    assert gallery["items"][0]["media"]["url"] == reply.attachments[0].url
    assert env.bob.pings == [reply.message]


async def test_channel_that_becomes_visible_shows_older_messages(env: LoopbackEnvironment) -> None:
    shown = await panel(env)
    env.channel.hide_from(env.bob)
    assert env.bob.visible_messages(env.channel) == []
    env.channel.permit(env.bob, DEFAULT | Permission.MANAGE_MESSAGES)
    assert env.bob.visible_messages(env.channel) == [shown.message]
