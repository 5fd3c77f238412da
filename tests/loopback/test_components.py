"""Buttons and menus, as people use them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import discord
import pytest

from tests.discord_server import DEFAULT, NotPossible, Permission
from tests.loopback.bot import PNG, Count, picture, running

if TYPE_CHECKING:
    from tests.discord_server import Reply
    from tests.loopback.conftest import Stage


async def panel(stage: Stage) -> Reply:
    return await stage.alice.command("panel", channel=stage.channel)


async def test_an_update_changes_the_message_that_was_clicked(stage: Stage) -> None:
    shown = await panel(stage)
    reply = await stage.bob.click(shown, "Update")
    assert reply.updated
    assert reply.message is shown.message
    assert (shown.content, [one.filename for one in shown.attachments]) == ("updated", ["new.png"])
    assert len(stage.channel.messages) == 1


async def test_a_button_is_found_by_label_or_custom_id(stage: Stage) -> None:
    shown = await panel(stage)
    for name in ("Whisper", "panel:whisper"):
        assert (await stage.bob.click(shown, name)).content == "psst"


async def test_an_ephemeral_answer_is_its_addressees_alone(stage: Stage) -> None:
    whisper = await stage.bob.click(await panel(stage), "Whisper")
    assert whisper.ephemeral
    assert whisper.message in stage.bob.sees(stage.channel)
    assert whisper.message not in stage.alice.sees(stage.channel)
    assert whisper.message not in stage.channel.messages
    assert whisper.message not in stage.discord.posts


async def test_nobody_clicks_what_they_cannot_see(stage: Stage) -> None:
    whisper = await stage.bob.click(await panel(stage), "Whisper")
    with pytest.raises(NotPossible, match="Alice cannot see"):
        await stage.alice.click(whisper, "Update")
    assert (await stage.bob.click(whisper, "Update")).content == "updated"


@pytest.mark.parametrize(
    ("button", "reason"),
    [("Off", "disabled"), ("Page", "is a link"), ("Dance", "no button 'Dance'; there are: Update, Whisper")],
)
async def test_the_app_does_not_press(stage: Stage, button: str, reason: str) -> None:
    shown = await panel(stage)
    with pytest.raises(NotPossible, match=reason):
        await stage.bob.click(shown, button)


async def test_a_deleted_message_cannot_be_clicked(stage: Stage) -> None:
    shown = await panel(stage)
    assert shown.message is not None
    await stage.bot.http.delete_message(stage.channel.id, shown.message.id)
    with pytest.raises(NotPossible, match="cannot see"):
        await stage.bob.click(shown, "Update")


async def test_a_deferred_update_comes_later(stage: Stage) -> None:
    shown = await panel(stage)
    reply = await stage.bob.click(shown, "Later")
    assert reply.deferred
    await reply.finished()
    assert shown.content == "changed later"


async def test_a_menu_takes_labels_and_values(stage: Stage) -> None:
    shown = await panel(stage)
    await stage.bob.select(shown, "Stone", ["Left", "E1"])
    assert shown.content == "stones ['D1', 'E1']"


@pytest.mark.parametrize(
    ("menu", "values", "reason"),
    [
        ("Stone", ["F1"], "no entry 'F1'; there are: Left, Right"),
        ("Stone", [], "takes 1 to 2 entries"),
        ("Piece", ["Left"], "no menu 'Piece'; there are: Stone"),
    ],
)
async def test_the_app_does_not_choose(stage: Stage, menu: str, values: list[str], reason: str) -> None:
    shown = await panel(stage)
    with pytest.raises(NotPossible, match=reason):
        await stage.bob.select(shown, menu, values)


async def test_people_can_be_chosen(stage: Stage) -> None:
    handed = await stage.hand()
    menu: discord.ui.UserSelect[Any] = discord.ui.UserSelect(placeholder="Whom")

    async def chosen(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"chose {menu.values[0].mention}")

    menu.callback = chosen  # type: ignore[method-assign]
    await handed.interaction.response.send_message("choose", view=discord.ui.View().add_item(menu))
    reply = await stage.alice.select(await handed.waiting, "Whom", [stage.bob])
    assert reply.content == f"chose {stage.bob.mention}"


async def test_dynamic_items_outlive_the_bot(stage: Stage) -> None:
    shown = await stage.alice.command("count", channel=stage.channel)
    await stage.alice.click(shown, "Count 0")
    await stage.bot.close()
    async with running(stage.discord):
        await stage.bob.click(shown, "Count 1")
    assert shown.content == "counted 2"


async def test_two_clicks_at_once_both_arrive(stage: Stage) -> None:
    shown = await stage.alice.command("count", channel=stage.channel)
    replies = await asyncio.gather(
        stage.alice.click(shown, "Count 0"), stage.bob.click(shown, "Count 0"), return_exceptions=False
    )
    assert [one.updated for one in replies] == [True, True]
    assert shown.content == "counted 1"


async def test_a_layout_of_the_second_version(stage: Stage) -> None:
    view = discord.ui.LayoutView()
    board: discord.ui.Container[Any] = discord.ui.Container(accent_colour=0x336699)
    board.add_item(discord.ui.TextDisplay(f"White to move {stage.bob.mention}"))
    board.add_item(
        discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="alt"))
    )
    board.add_item(discord.ui.Separator())
    board.add_item(
        discord.ui.Section(
            "Rules", accessory=discord.ui.Thumbnail("attachment://board.png", description="alt")
        )
    )
    board.add_item(discord.ui.ActionRow(Count(7).item))
    view.add_item(board)
    view.add_item(discord.ui.File("attachment://board.png"))
    handed = await stage.hand()
    await handed.interaction.response.send_message(view=view, file=picture())
    reply = await handed.waiting
    assert reply.text == f"White to move {stage.bob.mention}\nRules"
    assert reply.attachments[0].data == PNG
    assert [one.label for one in reply.buttons] == ["Count 7"]
    gallery = next(part for _, part in reply.shown.parts() if part["type"] == 12)
    assert gallery["items"][0]["media"]["url"] == reply.attachments[0].url
    assert stage.bob.pings == [reply.message]


async def test_a_channel_that_becomes_visible_shows_its_past(stage: Stage) -> None:
    shown = await panel(stage)
    stage.channel.hide_from(stage.bob)
    assert stage.bob.sees(stage.channel) == []
    stage.channel.permit(stage.bob, DEFAULT | Permission.MANAGE_MESSAGES)
    assert stage.bob.sees(stage.channel) == [shown.message]
