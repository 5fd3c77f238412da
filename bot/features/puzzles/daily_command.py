"""``/dailypuzzle``: the setting for managers, and the feature that posts the puzzle of each day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.features.puzzles.daily_posts import (
    DailyPuzzleButton,
    DailyPuzzleOffButton,
    build_off_post,
    post_daily_puzzles,
)
from bot.outbox.sender import PeriodicTask
from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, markdown, zone_argument
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.commands import CommandField, define_command
from bot.ui.interactions import mark_committed, require_manager, require_permissions
from i18n.writing import Moment, MomentStyle, TimeOfDay
from matches import AnnouncementKind, parse_time_of_day

if TYPE_CHECKING:
    from bot.context import BotClient, Interaction
    from matches import DailyPlace


class StopDailyPuzzleButton(PersistentButton, template=r"puzzledailystop1"):
    """Switches the daily puzzle of the server off."""

    async def on_click(self, interaction: Interaction) -> None:
        """Save the setting and update the message. Raises Refusal for anybody but a manager."""
        require_manager(interaction)
        await interaction.client.matches.daily_posts.switch_off(ids.stored_id(interaction.guild_id or 0))
        mark_committed(interaction)
        await replace_message(interaction, _build_panel(interaction.client, None))


async def set_daily_puzzle(interaction: Interaction, time: str | None, zone: str | None) -> None:
    """Have the daily puzzle posted in this channel; without a time or a zone only say what is set.

    The zone is by default that of the server's puzzle, else the user's. Raises Refusal.
    """
    client, server = interaction.client, ids.stored_id(interaction.guild_id or 0)
    posts = client.matches.daily_posts
    place = await posts.find(server)
    if time is not None or (zone is not None and place is not None):
        require_permissions(interaction)
        at = place.at if time is None and place is not None else parse_time_of_day(time or "")
        if zone is None and place is not None:
            zone = place.zone
        if zone is None:
            account = ids.user_account(interaction.user)
            zone = (await client.matches.people.preferences.get(account)).zone
        channel = ids.stored_id(interaction.channel_id or 0)
        by = ids.to_person(interaction.user)
        place = await posts.switch_on(server, channel, at, zone, by=by, now=client.now())
        mark_committed(interaction)
    await send_private(interaction, _build_panel(client, place))


def _build_panel(client: BotClient, place: DailyPlace | None) -> Post:
    """Return what is set, and the button that switches it off."""
    texts = client.texts
    if place is None:
        return Post(texts("daily_puzzle.off"))
    text = texts(
        "daily_puzzle.on",
        channel=markdown.channel_mention(place.channel),
        time=TimeOfDay(place.at),
        zone=place.zone,
        when=Moment(place.next_at, MomentStyle.RELATIVE),
    )
    button = StopDailyPuzzleButton.create(texts("button.stop_daily_puzzle"), "puzzledailystop1")
    return Post(text, buttons=lambda: view_of(button))


FEATURE = Feature(
    commands=(
        define_command(
            "dailypuzzle",
            set_daily_puzzle,
            CommandField("time", "command.dailypuzzle.time"),
            zone_argument.field("dailypuzzle"),
            managers_only=True,
        ),
    ),
    items=(DailyPuzzleButton, DailyPuzzleOffButton, StopDailyPuzzleButton),
    private_posts={AnnouncementKind.DAILY_PUZZLE_OFF: build_off_post},
    periodic_tasks=(PeriodicTask(post_daily_puzzles),),
)
