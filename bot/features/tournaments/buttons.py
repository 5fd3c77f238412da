"""The buttons of posts about tournaments; each has its whole state in its custom id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot.features.tournaments import argument
from bot.features.tournaments.posts import (
    build_announcement_post,
    build_table_post,
    describe_tournament,
    format_heading,
    format_pairings,
)
from bot.features.tournaments.tables import load_table
from bot.posts.pictures import load_preferences
from bot.posts.post import Post, fit_lines
from bot.posts.replies import replace_message, send_private
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style, custom_ids, view_of
from bot.ui.interactions import mark_committed, reply_ephemeral
from bot.ui.refusals import format_refusal
from i18n.readers import reading_in
from i18n.writing import Moment
from matches import Refusal
from matches.tournaments.values import Kind, TournamentId, TournamentState

if TYPE_CHECKING:
    from collections.abc import Mapping

    import discord

    from bot.context import BotClient, Interaction
    from i18n import Texts
    from matches.tournaments.values import GroupView, TournamentView

JOINED_LATE = (Kind.LEAGUE, Kind.LADDER)
LONG_AGO = 0  # the stage of a button that shows the newest one
PLACE = r"(?P<tournament>\d{1,15}):(?P<stage>\d{1,4}):(?P<group>\d{1,4})"


class JoinTournamentButton(PersistentButton, template=r"tjoin1:(?P<tournament>\d{1,15})"):
    """Joins the tournament of its post. Joining twice is harmless."""

    async def on_click(self, interaction: Interaction) -> None:
        """Join, update the post, and say what comes next."""
        texts, tournament, refusal = interaction.client.texts, find_tournament(self.values), ""
        try:
            await join(interaction, tournament)
        except Refusal as error:
            if error.key != "tournament_closed":
                raise
            refusal = format_refusal(texts, error)  # the post is from before the start
        shown = await argument.view_shown(interaction, tournament)
        await update_announcement(interaction, shown)
        await reply_ephemeral(interaction, refusal or format_joined(texts, shown))


class LeaveTournamentButton(PersistentButton, template=r"tleave1:(?P<tournament>\d{1,15})"):
    """Leaves the tournament of its post; after the start it asks first."""

    async def on_click(self, interaction: Interaction) -> None:
        """Leave and update the post, or ask."""
        texts, tournament = interaction.client.texts, find_tournament(self.values)
        view = await argument.view_tournament(interaction, tournament)
        if must_ask_to_leave(view):
            await send_private(interaction, build_leave_question(texts, view))
            return
        await leave(interaction, view)
        text = texts("tournament_post.left", name=view.settings.name)
        try:
            shown = await argument.view_shown(interaction, tournament)
        except Refusal:  # in private messages only entrants see the tournament of a server
            await replace_message(interaction, Post(text))
            return
        await update_announcement(interaction, shown)
        await reply_ephemeral(interaction, text)


class ConfirmLeaveButton(PersistentButton, template=r"tleavenow1:(?P<tournament>\d{1,15})"):
    """Leaves a tournament that has started."""

    async def on_click(self, interaction: Interaction) -> None:
        """Leave, and replace the question."""
        view = await argument.view_tournament(interaction, find_tournament(self.values))
        await leave(interaction, view)
        text = interaction.client.texts("tournament_post.left", name=view.settings.name)
        await replace_message(interaction, Post(text))


class StageButton(PersistentButton, template=rf"t(?P<what>table|group|pairs)1:{PLACE}"):
    """Shows the table of a group or who plays whom, privately; ``group`` a table in the same message."""

    @classmethod
    def of(
        cls, label: str, what: str, tournament: TournamentId, stage: int = LONG_AGO, group: int = 0
    ) -> Self:
        """Create the button."""
        return cls.create(label, f"t{what}1:{tournament}:{stage}:{group}")

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the post, or update the message."""
        what, group = self.values["what"], int(self.values["group"])
        view = await view_stage(interaction, self.values)
        if what == "pairs":
            await send_private(interaction, build_pairings_post(interaction.client, view, group))
            return
        post = await build_group_post(interaction, view, group)
        await (replace_message if what == "group" else send_private)(interaction, post)


class NewsButton(PersistentButton, template=r"tnews1:(?P<tournament>\d{1,15}):(?P<announcement>\d{1,15})"):
    """Shows the table, before the start the tournament. Its id marks the post of an announcement."""

    @classmethod
    def of(cls, texts: Texts, view: TournamentView, marker: str) -> Self:
        """Create the button."""
        return cls.create(texts(f"tournament_post.{'details' if view.stage is None else 'table'}"), marker)

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the table of the user's division."""
        view = await argument.view_tournament(interaction, find_tournament(self.values))
        if view.stage is None:
            await send_private(interaction, build_private_post(interaction.client, view))
            return
        await send_private(interaction, await build_group_post(interaction, view))


def find_tournament(values: Mapping[str, str]) -> TournamentId:
    """Return the tournament in a custom id."""
    return TournamentId(int(values["tournament"]))


async def view_stage(interaction: Interaction, values: Mapping[str, str]) -> TournamentView:
    """Return the tournament with the stage in a custom id."""
    return await argument.view_tournament(
        interaction, find_tournament(values), stage=int(values["stage"]) or None
    )


async def join(interaction: Interaction, tournament: TournamentId) -> TournamentView:
    """Join a tournament and return it as it was. Raises Refusal, also if the user may not see it."""
    client, person = interaction.client, ids.to_person(interaction.user)
    view = await argument.view_tournament(interaction, tournament)
    is_member = await argument.is_member(interaction, view)
    await client.matches.tournaments.join(tournament, person, is_member=is_member, now=client.now())
    mark_committed(interaction)
    return view


def must_ask_to_leave(view: TournamentView) -> bool:
    """Return whether leaving costs games. Raises `not_in_tournament`, `tournament_over`."""
    if view.me is None:
        raise Refusal("not_in_tournament")
    if not view.rights.can_leave:
        raise Refusal("tournament_over")
    return view.state is not TournamentState.OPEN


async def leave(interaction: Interaction, view: TournamentView) -> None:
    """Leave a tournament."""
    client = interaction.client
    await client.matches.tournaments.leave(view.id, ids.to_person(interaction.user), now=client.now())
    mark_committed(interaction)


def build_leave_question(texts: Texts, view: TournamentView) -> Post:
    """Return what asks whether to leave a tournament that has started."""
    button = ConfirmLeaveButton.create(
        texts("tournament_post.leave_now"), f"tleavenow1:{view.id}", Style.danger
    )
    text = texts("tournament_post.leave_question", name=view.settings.name)
    return Post(text, buttons=lambda: view_of(button))


def format_joined(texts: Texts, view: TournamentView) -> str:
    """Return what somebody is told who has joined."""
    if view.state is TournamentState.OPEN:
        starts = Moment(view.settings.starts_at)
        return texts("tournament_post.joined", name=view.settings.name, starts=starts)
    return texts(f"tournament_post.joined_late.{view.settings.kind}", name=view.settings.name)


async def update_announcement(interaction: Interaction, view: TournamentView) -> None:
    """Respond by updating the post of a tournament, in the language of the server."""
    client = interaction.client
    with reading_in(await client.languages.of_response(interaction)):
        buttons = announcement_buttons(client.texts, view, _find_marker(interaction.message))
        post = build_announcement_post(client, view, buttons)
    await replace_message(interaction, post)


def _find_marker(message: discord.Message | None) -> str:
    """Return the custom id that marks a post as that of an announcement; empty if it has none."""
    found = () if message is None else custom_ids(message)
    return next((one for one in found if one.startswith("tnews1:")), "")


def announcement_buttons(texts: Texts, view: TournamentView, marker: str = "") -> list[PersistentButton]:
    """Return the buttons under a tournament; under the post of an announcement with its `marker`."""
    is_running, items = view.state is TournamentState.RUNNING, list[PersistentButton]()
    if view.state is TournamentState.OPEN or (is_running and view.settings.kind in JOINED_LATE):
        items.append(
            JoinTournamentButton.create(texts("tournament_post.join"), f"tjoin1:{view.id}", Style.success)
        )
    if view.state is TournamentState.OPEN or is_running:
        items.append(LeaveTournamentButton.create(texts("tournament_post.leave"), f"tleave1:{view.id}"))
    if marker:
        items.append(NewsButton.of(texts, view, marker))
    elif view.stage is not None:
        items.append(StageButton.of(texts("tournament_post.table"), "table", view.id))
    if view.stage is not None:
        items.append(StageButton.of(texts("tournament_post.pairings"), "pairs", view.id))
    return items


def find_group(view: TournamentView, number: int = 0) -> GroupView:
    """Return a group of the shown stage, by default the user's own or the first.

    Raises `tournament_not_started`, `tournament_group_unknown`.
    """
    if view.stage is None or not view.stage.groups:
        raise Refusal("tournament_not_started")
    groups = view.stage.groups
    if not number:
        return next((one for one in groups if view.me in one.entrants), groups[0])
    if not 0 < number <= len(groups):
        raise Refusal("tournament_group_unknown", count=len(groups))
    return groups[number - 1]


async def build_group_post(interaction: Interaction, view: TournamentView, number: int = 0) -> Post:
    """Return the table of a group with buttons for the other divisions, as the user prefers it."""
    client, group = interaction.client, find_group(view, number)
    preferences = await load_preferences(interaction)
    buttons = list_group_buttons(client.texts, view, group)
    table = await load_table(client, view, group, argument.build_reader(interaction))
    return await build_table_post(
        client, view, group, table, buttons, preferences.theme, as_text=preferences.boards_as_text
    )


def list_group_buttons(texts: Texts, view: TournamentView, group: GroupView) -> list[PersistentButton]:
    """Return the buttons under a private table."""
    if view.stage is None:
        return []
    stage, count = view.stage.dates.number, len(view.stage.groups)
    steps = [("button.back", group.number - 1), ("button.next", group.number + 1)]
    return [
        *(
            StageButton.of(texts(key), "group", view.id, stage, number)
            for key, number in steps
            if 0 < number <= count
        ),
        StageButton.of(texts("tournament_post.pairings"), "pairs", view.id, stage, group.number),
    ]


def build_pairings_post(client: BotClient, view: TournamentView, number: int = 0) -> Post:
    """Return the games of a group."""
    texts, group = client.texts, find_group(view, number)
    lines = format_pairings(texts, view, group) or [texts("tournament_post.no_games")]
    text = fit_lines(texts, format_heading(texts, view, group), lines, "tournament_post.more")
    stage = 0 if view.stage is None else view.stage.dates.number
    button = StageButton.of(texts("tournament_post.table"), "table", view.id, stage, group.number)
    return Post(text, buttons=lambda: view_of(button))


def build_private_post(client: BotClient, view: TournamentView) -> Post:
    """Return a tournament with all that the user can do with it."""
    texts, buttons = client.texts, announcement_buttons(client.texts, view)
    return Post(
        texts.join(describe_tournament(client, view), "list.lines"), buttons=lambda: view_of(*buttons)
    )


ITEMS = (
    JoinTournamentButton,
    LeaveTournamentButton,
    ConfirmLeaveButton,
    StageButton,
    NewsButton,
)
